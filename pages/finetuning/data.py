"""What the page on fine-tuning computes once and shares; read-only.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lab.server.caching import cached
from transformer.core.workload import MULTIPLICATIONS_PER_SECOND, Workload
from transformer.training.ways import LORA, OUTPUT_MAP, STORED_RANKS, TABLE, WAYS, Lesson

if TYPE_CHECKING:
    import numpy as np

    from transformer.core.model import DecoderModel
    from transformer.training.finetuning import Tuned

SECONDS = 12  # about as long as one training takes: its matrices are small, so most of it are calls
# Texts to see the heads on, and of which kind each is.
TEXTS = {
    "mia found a red ball in the park. she told ben about the ball.": "stories",
    "mia : i found a red ball in the park. ben : where was the ball ?": "talks",
}
_STORED = {(way, Lesson()) for way in WAYS} | {(LORA, Lesson(rank=r, alpha=2.0 * r)) for r in STORED_RANKS}


class Moved(NamedTuple):
    """How far every matrix moved, relative to its size, by its name on screen; None where it was to stay as it is."""

    by_matrix: dict[str, float | None]


class Update(NamedTuple):
    """LoRA's update of one matrix: b (d_out, r), a (r, d_in), their product times alpha / r, and its singular values.

    difference  how far probabilities of the merged and of the unmerged model are apart at most
    """

    b: "np.ndarray"
    a: "np.ndarray"
    update: "np.ndarray"
    singular_values: "np.ndarray"
    difference: float

    @property
    def rank(self) -> int:
        """How many singular values are more than rounding."""
        return int((self.singular_values > 1e-6 * self.singular_values.max()).sum())


class Heads(NamedTuple):
    """The attention weights of all heads on one text, before and after, (L, H, T, T), and the share of them that each
    head puts elsewhere on held-out texts, (L, H)."""

    tokens: tuple[str, ...]
    before: "np.ndarray"
    after: "np.ndarray"
    moved: "np.ndarray"


def is_stored(way: str, lesson: Lesson) -> bool:
    """Whether this training comes with the project."""
    return (way, lesson.of(way)) in _STORED


def _training(way: str, lesson: Lesson, _report: object = None) -> Workload | None:
    """What it takes to train; nothing where it comes with the project."""
    if is_stored(way, lesson):
        return None
    return Workload(60_000_000, multiplications=int(SECONDS * MULTIPLICATIONS_PER_SECOND), advice="Take fewer talks.")


@cached(work=lambda way, lesson, _report: _training(way, lesson) or Workload(1_000_000))
def tuned(way: str, lesson: Lesson, _report: Callable[[float], None]) -> "Tuned":
    """A training in this way; `_report` takes the share of it that is done."""
    from transformer.training import finetuning

    return finetuning.stored().get((way, lesson)) or finetuning.tune(way, lesson, _report)


@cached()
def _model(way: str, lesson: Lesson, is_before: bool, _tuned: "Tuned") -> "DecoderModel":
    from transformer.training import finetuning

    return finetuning.beginning(way, lesson.seed) if is_before else _tuned.model()


@cached()
def moved(way: str, lesson: Lesson, _tuned: "Tuned") -> Moved:
    from transformer.inspection.tuning import matrices_moved
    from transformer.training.ways import learns

    before, after = _model(way, lesson, True, _tuned), _model(way, lesson, False, _tuned)
    n_layers = before.config.n_decoder_layers

    def stays(name: str) -> bool:
        return name.removesuffix(".weight") not in _tuned.adapters and not learns(way, name, n_layers)

    return Moved({_name(key): None if stays(key) else far for key, far in matrices_moved(before, after).items()})


@cached()
def update(matrix: str, lesson: Lesson, _tuned: "Tuned") -> Update:
    """The update of the matrix of this name on screen."""
    from transformer.inspection.tuning import singular_values

    adapter = next(one for path, one in _tuned.adapters.items() if _name(f"{path}.weight") == matrix)
    product = adapter.update()
    return Update(
        adapter.b.numpy(), adapter.a.numpy(), product.numpy(), singular_values(product), _difference(lesson, _tuned)
    )


@cached()
def _difference(lesson: Lesson, _tuned: "Tuned") -> float:
    from transformer.inspection.tuning import largest_difference
    from transformer.training.finetuning import told_again

    return largest_difference(_tuned.model(), _tuned.model(merged=False), told_again("talks"))


@cached()
def heads(way: str, lesson: Lesson, text: str, _tuned: "Tuned") -> Heads:
    """Every head on this text, one of TEXTS, before this training and after it."""
    from transformer.inspection.tuning import heads_moved, maps
    from transformer.training.batches import collate
    from transformer.training.finetuning import told_again
    from transformer.training.tasks.talks import WORDS
    from transformer.training.tasks.task import Example
    from transformer.training.text import BOS

    before, after = _model(way, lesson, True, _tuned), _model(way, lesson, False, _tuned)
    ids = tuple(WORDS.encode(text))
    batch = collate("decoder", [Example((), ids)])
    tokens = tuple(WORDS.label(id) for id in (BOS, *ids))
    share = heads_moved(before, after, told_again(TEXTS[text]))
    return Heads(tokens, maps(before, batch), maps(after, batch), share)


def _name(parameter: str) -> str:
    """A matrix as it is called on screen: "layer 0 W_q" for decoder.layers.0.self_attn.w_q.weight."""
    if parameter == TABLE:
        return "embedding"
    if parameter == OUTPUT_MAP:
        return "output map"
    _, _, layer, _, matrix, _ = parameter.split(".")
    return f"layer {layer} {matrix.replace('w_', 'W_')}"
