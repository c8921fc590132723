"""What is an encoding of positions worth past the training length? Six models that differ in nothing else.

The task: in made-up code, which bracket is closed next? All texts of training have `trained` tokens; then the models
read texts several times as long, and each closing bracket is one answer, right or wrong, at its position.

    f ( a [ 0 ] + b ... )
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from transformer.core.checks import InputError, check_whole
from transformer.core.config import TransformerConfig

SCHEMES = ("none", "sinusoidal", "learned", "rotary", "relative", "alibi")
SEEDS = (0, 1, 2)
CHANCE = 1 / 3  # there are three kinds of brackets
COMMAND = "python -m transformer.training.studies far"
FILE = Path(__file__).with_name("far.json")
WEIGHTS = Path(__file__).with_name("far.safetensors")  # those of the first seed, with 16 bits


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is learned and how.

    trained, length           tokens of each text in training, and of those that are read afterwards
    step                      positions that share one point of the curve
    vocab_size                of the task `code`
    d_model, n_heads, layers  of every model
    steps, batch_size, lr     of every training
    n_texts                   that training draws from, the same for all
    n_tests                   texts to read afterwards, the same for all
    """

    trained: int = 48
    length: int = 192
    step: int = 8
    vocab_size: int = 15
    d_model: int = 48
    n_heads: int = 4
    layers: int = 2
    steps: int = 1200
    batch_size: int = 32
    lr: float = 4e-3
    n_texts: int = 20_000
    n_tests: int = 1_000

    def __post_init__(self) -> None:
        for name in ("trained", "step", "steps", "batch_size", "n_texts", "n_tests"):
            check_whole(name, getattr(self, name))
        if self.trained % self.step or self.length % self.step or self.length <= self.trained:
            raise InputError(f"trained={self.trained} and a larger length={self.length} are whole steps of {self.step}")

    def config(self, scheme: str) -> TransformerConfig:
        return TransformerConfig(
            vocab_size=self.vocab_size,
            d_model=self.d_model,
            n_heads=self.n_heads,
            n_decoder_layers=self.layers,
            positions=scheme,
            max_len=self.trained,
            scale_embeddings=False,
        )


class Run(NamedTuple):
    """One training.

    accuracy  share of right answers in each `step` positions; up to `trained` where the model can read no further
    refusal   what the model says of a longer text; "" where it reads on
    seconds   of processor time
    """

    scheme: str
    seed: int
    accuracy: tuple[float, ...]
    refusal: str
    seconds: float


class Stored(NamedTuple):
    """The trainings that come with the project, the date, and the version of torch."""

    setting: Setting
    runs: tuple[Run, ...]
    made: str


def written(stored: Stored) -> str:
    """Trainings as JSON, a line per training."""
    runs = ",\n".join(f"    {json.dumps(run._asdict())}" for run in stored.runs)
    head = {"command": COMMAND, "made": stored.made, "setting": asdict(stored.setting)}
    return f'{json.dumps(head, indent=2)[:-2]},\n  "runs": [\n{runs}\n  ]\n}}\n'


def read(text: str) -> Stored:
    """What `written` wrote."""
    data = json.loads(text)
    runs = tuple(Run(**run | {"accuracy": tuple(run["accuracy"])}) for run in data["runs"])
    return Stored(Setting(**data["setting"]), runs, data["made"])


def stored() -> Stored:
    """The trainings that come with the project."""
    return read(FILE.read_text(encoding="utf-8"))
