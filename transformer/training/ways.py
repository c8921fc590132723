"""The five ways of fine-tuning, and what is taught: plain values, for which nothing needs torch."""

from dataclasses import dataclass, replace

from transformer.core.checks import InputError, check_number, is_whole
from transformer.training.settings import Settings

SCRATCH, OUTPUT, LAST, ALL, LORA = WAYS = ("from scratch", "output only", "last layer", "all weights", "LoRA")
# The highest learning rate of each way, found by a few trials: the less is trained, the larger steps it bears.
LEARNING_RATES = {SCRATCH: 3e-3, OUTPUT: 1e-2, LAST: 4e-3, ALL: 1e-3, LORA: 6e-3}
TARGET = 0.9  # of the accuracy: a way that is there has learned to talk
N_TESTS = 60  # held-out talks and stories each
# What every way goes on with, measured step by measured step: talks that say all that they need.
TALKS_BEGUN = (
    "mia: i found a red hat in the park. tom: i found a blue ball in the barn. mia: where was your ball? tom:",
    "anna: look, i have a green key from the kitchen. ben: i found a white cup in the garden. anna: i like your",
    "leo: i found a golden ring in the lake. rosa: look, i have a black boot from the barn. leo: what is black? rosa:",
    "emma: i found a brown bag in the shed. max: i found a pink kite in the field. emma: what colour is your kite?",
)
STORY_BEGUN = "mia found a red hat. tom found a blue ball. mia took the red"  # to see heads on
MOST_WRITTEN = 32  # tokens
MAX_STEPS, MAX_EXAMPLES, MAX_RANK, MAX_ALPHA = 400, 4000, 32, 1000
RANK, ALPHA = 4, 8.0  # of LoRA, where nobody says otherwise
STORED_RANKS = (1, 2, 4, 8)  # of LoRA, with alpha twice the rank
TABLE, OUTPUT_MAP = "decoder.embedding.weight", "output.linear.weight"


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What is taught, and how. Raises InputError for what is out of bounds.

    n_examples   talks to learn from; each comes up several times
    steps, seed  of the training; rank, alpha: of LoRA's update
    """

    n_examples: int = 300
    steps: int = 160
    rank: int = RANK
    alpha: float = ALPHA
    seed: int = 0

    def __post_init__(self) -> None:
        for name, most in {"n_examples": MAX_EXAMPLES, "steps": MAX_STEPS, "rank": MAX_RANK}.items():
            value = getattr(self, name)
            if not is_whole(value) or not 1 <= value <= most:
                raise InputError(f"{name}={value!r} must be a whole number from 1 to {most}")
        check_number("alpha", self.alpha, lambda a: 0 < a <= MAX_ALPHA, f"above 0 and at most {MAX_ALPHA}")

    def of(self, way: str) -> "Lesson":
        """The same without what this way makes no use of, so that equal trainings are equal lessons."""
        return self if way == LORA else replace(self, rank=RANK, alpha=ALPHA)

    def settings(self, way: str) -> Settings:
        """Those of the training in this way."""
        return Settings(
            steps=self.steps,
            batch_size=8,
            n_examples=self.n_examples,
            n_tests=1,
            lr=LEARNING_RATES[way],
            every=max(1, self.steps // 16),
            seed=self.seed,
        )


def learns(way: str, name: str, n_layers: int) -> bool:
    """Whether the parameter of this name is trained in this way; of LoRA's maps it is the update that is trained."""
    match way:
        case "output only":
            return name == OUTPUT_MAP
        case "last layer":
            return name == OUTPUT_MAP or name.startswith((f"decoder.layers.{n_layers - 1}.", "decoder.final_norm."))
        case "LoRA":
            return False
    return True
