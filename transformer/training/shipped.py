"""The trained models that come with the project; shipping.py makes them.

A file holds the weights in 16 bits, the film of the training, and a card with measurements of the weights in the file.
Nothing here needs torch before a model is loaded.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformer.core.config import DERIVED, TransformerConfig
from transformer.training import tasks
from transformer.training.recipes import small_model
from transformer.training.settings import Settings

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint

FOLDER = Path(__file__).parent / "shipped"


@dataclass(frozen=True)
class Shipped:
    """A model that is shipped: its title, its task, and the training that made it.

    frames  how many frames of its film are kept
    stages  how many stages of its training are kept beside it, and up to which step: most is learned by then
    threads of the processor that its training takes
    again   trainings that go on, each with the weights of the one before: warm restarts (Loshchilov and Hutter 2017);
            of each a third as many frames are kept, at least its first and its last
    """

    title: str
    task: str
    config: TransformerConfig
    settings: Settings
    frames: int = 60
    stages: tuple[int, int] = (0, 0)
    threads: int = 1
    again: tuple[Settings, ...] = ()

    @property
    def frames_again(self) -> int:
        """How many frames are kept of each training that goes on."""
        return max(2, self.frames // 3)


def _from_recipe(
    title: str, task: str, frames: int = 60, stages: tuple[int, int] = (0, 0), threads: int = 1, **settings: Any
) -> Shipped:
    recipe = tasks.recipe(task)
    settings = {"warmup": DERIVED, "every": DERIVED, **settings}
    return Shipped(title, task, recipe.config, replace(recipe.settings, **settings), frames, stages, threads)


_again = replace(tasks.recipe("stories").settings, n_examples=110_000, lr=1e-3, every=500)
# Whoever found the hat is asked for after it. The model does not come to that by itself; a drill brings it there.
_DRILL = replace(
    _again, steps=1800, batch_size=48, n_examples=60_000, lr=1.2e-3, schedule="constant", warmup=50, seed=2
)
_ANSWERS = replace(_again, steps=3600, n_examples=60_000, lr=8e-4, every=600, stress=20.0, stressed=0.6, warmup=200)
# At last on what the grammar expects of the next word, not on one word drawn from it, with many names never read.
_EXPECTED = replace(
    _again, steps=12_000, batch_size=38, n_examples=50_000, lr=8e-4, warmup=200, expected=True, drilled=15.0
)
_STORIES_AGAIN = (
    replace(_again, steps=9500, warmup=400, seed=1),
    replace(_DRILL, stress=1000.0, stressed=1.0, drill=1.0, seed=2),
    replace(_again, steps=6500, stress=60.0, warmup=200, seed=3),
    replace(_again, steps=2500, n_examples=60_000, stress=30.0, warmup=100, drill=0.4, seed=4),
    replace(_ANSWERS, drill=0.2, seed=5),
    replace(_ANSWERS, drill=0.3, seed=6),
    replace(_EXPECTED, stress=4.0, stressed=1.0, drill=0.26, seed=7),
)
SHIPPED: dict[str, Shipped] = {
    "translator": _from_recipe(
        "English to French", "french", frames=40, stages=(7, 400), steps=1600, n_examples=40_000, seed=1
    ),
    "translator-to-english": _from_recipe("French to English", "english", frames=40, steps=1000, n_examples=30_000),
    "stories": replace(
        _from_recipe("Stories", "stories", frames=8, warmup=1200, every=250, threads=2), again=_STORIES_AGAIN
    ),
    "sentiment": _from_recipe("Sentiment of a review", "sentiment", frames=40),
    "repeat": _from_recipe("Repeat", "repeat", frames=36, every=10),
    "code": _from_recipe("Brackets in code", "code", frames=24),
    "reverse": _from_recipe("Reverse", "reverse"),
    "sort": _from_recipe("Sort", "sort"),
    "copy": _from_recipe("Copy", "copy", frames=40),
    "brackets": _from_recipe("Brackets", "brackets", frames=24),
    "addition": _from_recipe("Addition", "addition", frames=24),
    "tales": _from_recipe("Short tales", "tales", steps=3000, frames=18, stages=(7, 240), every=10),
    "experts": Shipped(
        "Short tales, with experts",
        "tales",
        small_model(32, 4, 2, positions="rotary", d_ff=64, n_experts=4, top_k=1),
        Settings(steps=480, batch_size=16, lr=6e-3, n_examples=20_000, every=24),
        frames=12,
    ),
}  # by the name of the file


def file_of(name: str) -> Path:
    """Where the file of the shipped model of this name is, or would be."""
    return FOLDER / f"{name}.safetensors"


def stages_of(name: str) -> Path:
    """Where the file with stages of the training of this shipped model is, or would be."""
    return FOLDER / f"{name}.stages.safetensors"


def available() -> dict[str, Shipped]:
    """Those whose files are there, by name."""
    return {name: shipped for name, shipped in SHIPPED.items() if file_of(name).exists()}


def load(name: str) -> "Checkpoint":
    """The shipped model of this name. Raises KeyError for another name."""
    from transformer.training import checkpoints

    SHIPPED[name]
    checkpoint = checkpoints.load(file_of(name).read_bytes())
    if stages_of(name).exists():
        from transformer.training.stages import unpacked

        checkpoint = replace(checkpoint, stages=unpacked(stages_of(name).read_bytes()))
    return checkpoint
