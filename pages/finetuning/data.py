"""What the page on fine-tuning computes once and shares; read-only."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import transformer
from lab.server.caching import cached
from transformer import inspection, training
from transformer.core.workload import MULTIPLICATIONS_PER_SECOND, Workload
from transformer.training.ways import LORA, OUTPUT_MAP, STORED_RANKS, TABLE, WAYS, Lesson

if TYPE_CHECKING:
    import numpy as np


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
def tuned(way: str, lesson: Lesson, _report: Callable[[float], None]) -> "training.finetuning.Tuned":
    """A training in this way; `_report` takes the share of it that is done."""
    return training.finetuning.stored().get((way, lesson)) or training.finetuning.tune(way, lesson, _report)


@cached()
def _model(
    way: str, lesson: Lesson, is_before: bool, _tuned: "training.finetuning.Tuned"
) -> "transformer.DecoderModel":
    return training.finetuning.beginning(way, lesson.seed) if is_before else _tuned.model()


@cached()
def moved(way: str, lesson: Lesson, _tuned: "training.finetuning.Tuned") -> Moved:
    before, after = _model(way, lesson, True, _tuned), _model(way, lesson, False, _tuned)
    n_layers = before.config.n_decoder_layers

    def stays(name: str) -> bool:
        return name.removesuffix(".weight") not in _tuned.adapters and not training.ways.learns(way, name, n_layers)

    return Moved(
        {
            _name(key): None if stays(key) else far
            for key, far in inspection.tuning.matrices_moved(before, after).items()
        }
    )


@cached()
def update(matrix: str, lesson: Lesson, _tuned: "training.finetuning.Tuned") -> Update:
    """The update of the matrix of this name on screen."""
    adapter = next(one for path, one in _tuned.adapters.items() if _name(f"{path}.weight") == matrix)
    product = adapter.update()
    return Update(
        adapter.b.numpy(),
        adapter.a.numpy(),
        product.numpy(),
        inspection.tuning.singular_values(product),
        _difference(lesson, _tuned),
    )


@cached()
def _difference(lesson: Lesson, _tuned: "training.finetuning.Tuned") -> float:
    return inspection.tuning.largest_difference(
        _tuned.model(), _tuned.model(merged=False), training.finetuning.told_again("talks")
    )


@cached()
def heads(way: str, lesson: Lesson, text: str, _tuned: "training.finetuning.Tuned") -> Heads:
    """Every head on this text, one of TEXTS, before this training and after it."""
    before, after = _model(way, lesson, True, _tuned), _model(way, lesson, False, _tuned)
    ids = tuple(training.tasks.talks.WORDS.encode(text))
    batch = training.batches.collate("decoder", [training.tasks.task.Example((), ids)])
    tokens = tuple(training.tasks.talks.WORDS.label(id) for id in (training.text.BOS, *ids))
    share = inspection.tuning.heads_moved(before, after, training.finetuning.told_again(TEXTS[text]))
    return Heads(tokens, inspection.tuning.maps(before, batch), inspection.tuning.maps(after, batch), share)


def _name(parameter: str) -> str:
    """A matrix as it is called on screen: "layer 0 W_q" for decoder.layers.0.self_attn.w_q.weight."""
    if parameter == TABLE:
        return "embedding"
    if parameter == OUTPUT_MAP:
        return "output map"
    _, _, layer, _, matrix, _ = parameter.split(".")
    return f"layer {layer} {matrix.replace('w_', 'W_')}"
