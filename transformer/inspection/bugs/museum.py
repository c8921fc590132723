"""The specimens of the museum: for every exhibit a model, a training or the like, with the fault or the cure in it."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import torch
from torch import Generator, nn

from transformer.core.config import TransformerConfig
from transformer.core.layers import EncoderLayer
from transformer.core.model import DecoderModel, SingleStack, Transformer
from transformer.inspection.bugs import parts, trainings
from transformer.inspection.bugs.collection import EXHIBITS
from transformer.inspection.bugs.specimens import Numbered, Pair, Specimen
from transformer.training.tasks.task import Task, Tokeniser
from transformer.training.text import BOS, PAD

Load = Callable[[str], tuple[Any, Task]]  # the name of a shipped model -> the model and its task

FIRST_SENTENCE = "mia found a red hat ."
STORY = f"{FIRST_SENTENCE} tom found a blue ball . mia took the red"
REVIEW = "nothing about the room was bad"
OTHER_REVIEWS = ("the film was very boring and", "i love the soup and the")
LETTERS = "l r e d p l r e d p"
SENTENCE, TRANSLATED = "the little black cat sees the white house", "le petit chat noir"
N_PADS = 3
DEEP_LAYERS, N_LAYERS = 8, 4


def specimen(name: str, load: Load, *, cured: bool) -> Any:
    """What the exhibit of this name shows, with the fault or with the cure; `load` gives a shipped model and its task.

    Nothing but the part differs: both have the same parameters, or the same seed.
    """
    exhibit = EXHIBITS[name]
    part = (exhibit.right if cured else exhibit.wrong).partition(".")[0]
    return _MAKERS[name](load, getattr(parts, part))


def _encoded(task: Task, text: str) -> tuple[int, ...]:
    return (BOS, *task.source.encode(text))


def _labels(tokeniser: Tokeniser, ids: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(tokeniser.label(id) for id in ids)


def _specimen(model: SingleStack, task: Task, ids: tuple[int, ...], *others: str) -> Specimen:
    """Each token is edited to the next one of the vocabulary; <bos> and padding as well."""
    V = len(task.source)
    edits = tuple(PAD if id == PAD else (id + 1) % V or 1 for id in ids)
    return Specimen(model, ids, _labels(task.source, ids), edits, tuple(_encoded(task, other) for other in others))


def _story(load: Load, part: type[nn.Module], *also: type[nn.Module]) -> Specimen:
    model, task = load("stories")
    return _specimen(parts.installed(model, part, *also), task, _encoded(task, STORY))


def _padded_story(load: Load, part: type[nn.Module]) -> Specimen:
    model, task = load("stories")
    ids = (PAD,) * N_PADS + _encoded(task, FIRST_SENTENCE)
    return _specimen(parts.installed(model, part, parts.LeftPadded), task, ids)


def _review(load: Load, part: type[nn.Module], *also: type[nn.Module], n_pads: int = 0) -> Specimen:
    model, task = load("sentiment")
    ids = _encoded(task, REVIEW) + (PAD,) * n_pads
    return _specimen(parts.installed(model, part, *also), task, ids, *OTHER_REVIEWS)


def _repeated(load: Load, part: type[nn.Module]) -> Specimen:
    model, task = load("repeat")
    return _specimen(parts.installed(model, part), task, _encoded(task, LETTERS))


def _untrained(load: Load, part: type[nn.Module], *, d_model: int, n_layers: int) -> Specimen:
    """The vocabulary is that of the stories; the weights are random."""
    _, task = load("stories")
    V = len(task.source)
    config = TransformerConfig(
        vocab_size=V, tgt_vocab_size=V, d_model=d_model, n_heads=4, n_decoder_layers=n_layers, d_ff=2 * d_model
    )
    model = DecoderModel(config, Generator().manual_seed(0)).eval()
    return _specimen(parts.installed(model, part), task, _encoded(task, FIRST_SENTENCE))


def _layered(load: Load, part: Any) -> Specimen:
    """A model whose layers are made or kept by the part: a function that makes them, or a stack that keeps them."""
    _, task = load("stories")
    V = len(task.source)
    config = TransformerConfig(vocab_size=V, tgt_vocab_size=V, d_model=16, n_heads=2, n_decoder_layers=N_LAYERS)
    generator = Generator().manual_seed(0)
    model = DecoderModel(config, generator).eval()
    make, decoder = parts.layers_of_their_own, cast(Any, model.decoder)
    if isinstance(part, type):
        decoder.__class__ = part
    else:
        make, decoder.__class__ = part, parts.KeptInModuleList
    del decoder.layers
    decoder.keep(make(lambda: EncoderLayer(config, generator).eval(), N_LAYERS))
    return _specimen(model, task, _encoded(task, FIRST_SENTENCE))


def _pair(load: Load, part: type[nn.Module]) -> Pair:
    model, task = load("translator")
    assert isinstance(model, Transformer)
    twin = parts.installed(model, part)
    source, target = tuple(task.source.encode(SENTENCE)), (BOS, *task.target.encode(TRANSLATED))
    with torch.inference_mode():
        memory, _ = twin.encode(torch.tensor([source]))
        x = twin.decoder.embed(torch.tensor([target]))
    return Pair(twin.decoder.layers[0], x, memory, _labels(task.target, target), _labels(task.source, source))


def _table(load: Load, part: Callable[[int, int], nn.Module]) -> nn.Module:
    return part(16, 8)


def _numbered(load: Load, part: Callable[..., dict[str, int]]) -> Numbered:
    _, task = load("stories")
    rows = _labels(task.source, tuple(range(len(task.source))))
    return Numbered(tuple(FIRST_SENTENCE.split()), part(rows), rows)


def _trained(load: Load, part: Callable[..., Any], **settings: Any) -> Any:
    if part.__name__.startswith("rate"):
        return trainings.train(rate=part, **settings)
    return trainings.train(loss=part, **settings)


_MAKERS: dict[str, Callable[[Load, Any], Any]] = {
    "softmax-axis": _story,
    "mask-off-by-one": _story,
    "no-positions": _review,
    "dropout-at-evaluation": _review,
    "padding-not-masked": partial(_review, n_pads=N_PADS),
    "targets-not-shifted": partial(_trained, steps=30),
    "numbered-from-1": _numbered,
    "mask-after-softmax": _story,
    "mask-inverted": lambda load, part: _review(load, part, parts.PaddedEncoder, n_pads=N_PADS),
    "unscaled-scores": partial(_untrained, d_model=256, n_layers=2),
    "empty-rows": _padded_story,
    "heads-reshaped": _story,
    "shared-layers": _layered,
    "plain-list": _layered,
    "layers-not-chained": partial(_untrained, d_model=32, n_layers=N_LAYERS),
    "no-residual": partial(_untrained, d_model=32, n_layers=DEEP_LAYERS),
    "norm-over-tokens": _story,
    "position-of-the-text": _review,
    "cache-position": _repeated,
    "loss-with-padding": partial(_trained, text=trainings.walk, steps=40),
    "no-warm-up": partial(_trained, config=trainings.DEEP, highest=0.02, warm_up=20, steps=40),
    "wired-backwards": _pair,
    "table-left-behind": _table,
}
