"""What the page on vision computes once and shares; read-only.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import transformer
from lab.kit import pictures
from lab.kit.models.published import PretrainedSource
from lab.kit.models.references import Own, TrainedSource
from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from transformer import core, inspection, pretrained, training
from transformer.core import workload
from transformer.core.workload import Workload
from transformer.training import shipped
from transformer.training.tasks import drawings, shapes

if TYPE_CHECKING:
    from torch import Tensor


MAX_SENT = 24 * 2**20  # bytes of attention weights that go to the browser
N_FRESH, SEED_FRESH = 128, 7_000_001  # pictures that heads are scored on; no training draws from this seed
N_CLASSES = 8  # of a published model: those that are likeliest
OURS = {
    "trained on shapes": "shapes",
    "shapes, patches of 8": "shapes-large-patches",
    "shapes, read from the mean": "shapes-mean",
    "shapes, no positions": "shapes-no-positions",
}  # name on screen and in links -> name of the file


@dataclass(frozen=True)
class Reader:
    """Who reads the picture: one of our models by the name of its file, one that this visitor trained on the page Live,
    or a published one."""

    name: str
    ref: ModelRef | None = None

    @property
    def knows_shapes(self) -> bool:
        """Whether it was trained on pictures of the kind that this page makes, so that its answers can be checked."""
        return self.ref is None or isinstance(self.ref, Own)


class Picture(NamedTuple):
    """A square picture as bytes, so that it can be a key, and the true answers where they are known."""

    pixels: bytes
    side: int
    answers: tuple[int, ...] = ()

    @property
    def array(self) -> np.ndarray:
        """(side, side, 3) uint8"""
        return np.frombuffer(self.pixels, np.uint8).reshape(self.side, self.side, 3)


class Facts(NamedTuple):
    """What is known of a reader before it has read.

    questions  names -> answers; of a published model one question
    first      names of the tokens before the patches
    """

    image_size: int
    patch_size: int
    n_layers: int
    n_heads: int
    d_model: int
    reads: str
    positions: str
    questions: dict[str, tuple[str, ...]]
    first: tuple[str, ...]
    mean: tuple[float, ...]
    std: tuple[float, ...]

    @property
    def across(self) -> int:
        """Patches along one side."""
        return self.image_size // self.patch_size


class Seen(NamedTuple):
    """What a reader makes of a picture.

    pixels   (side, side, 3) as it was read
    weights  (L, H, T, T) and rollout (L, T, T), of the first layers that can be sent to a browser
    shares   the probabilities of the answers to each question
    """

    pixels: np.ndarray
    weights: np.ndarray
    rollout: np.ndarray
    shares: tuple[np.ndarray, ...]


def picture(pixels: np.ndarray, answers: tuple[int, ...] = ()) -> Picture:
    return Picture(np.ascontiguousarray(pixels).tobytes(), len(pixels), answers)


@cached(entries=40, work=lambda digest, _data: pictures.work(_data))
def dropped(digest: str, _data: bytes) -> Picture:
    """The picture in a file; digest tells files apart. Raises InputError and TooMuch."""
    return picture(pictures.opened(_data))


@cached()
def drawn(given: tuple[tuple[str, str], ...], size: str, seed: int) -> Picture:
    """A picture with these answers, by question; the seed draws its arrangement."""
    made = shapes.draw(1, np.random.default_rng(seed), dict(given), size)
    return picture(made.pixels[0], tuple(made.answers[0].tolist()))


@cached(entries=200)
def painted(under: Picture, code: str) -> Picture:
    """A picture under a layer of paint, of which nobody knows the true answers; itself where nothing is painted."""
    if code == drawings.BARE:
        return under
    pixels = drawings.painted_over(under.array, code)
    assert pixels is not None  # the code was checked when it came in
    return picture(pixels)


@cached()
def trained(name: str) -> "training.vision.Trained":
    """A shipped model of pictures, with its card."""
    return training.vision.load(name)


def exists(name: str) -> bool:
    """Whether the file of a shipped model of pictures is there."""
    return (shipped.FOLDER / f"{name}.safetensors").exists()


def card(name: str) -> dict[str, float | str]:
    """What was measured on a shipped model."""
    return trained(name).card


def _model(reader: Reader) -> "transformer.EncoderModel":
    model = reader.ref.resolve().single_stack if reader.ref else trained(reader.name).model
    assert isinstance(model, transformer.EncoderModel)
    return model


def facts(reader: Reader) -> Facts:
    """Sizes, questions and the like. A published model is loaded for that."""
    config = _model(reader).config
    assert config.image_size is not None
    if reader.ref is None or reader.knows_shapes:
        reads, questions, first = _reads(reader), shapes.QUESTIONS, ("class token",)
        mean = std = (0.5, 0.5, 0.5)
    else:
        source = reader.ref.resolve()
        assert isinstance(source, PretrainedSource)
        reads, first = "class", ("class token", "distillation token") if config.distilled else ("class token",)
        questions = {"what is it?": tuple(source.label(id) for id in range(config.vocab_size))}
        names = source.loaded.tokenizer
        assert isinstance(names, pretrained.tokenizer.ClassNames)
        mean, std = names.colours
    return Facts(
        config.image_size,
        config.patch_size,
        config.n_encoder_layers,
        config.n_heads,
        config.d_model,
        reads,
        config.positions,
        questions,
        first,
        mean,
        std,
    )


def _reads(reader: Reader) -> str:
    """Where one of our models, or this visitor's, reads its answers."""
    if reader.ref is None:
        return trained(reader.name).reads
    sight = own_source(reader).task.sight
    assert sight is not None  # only models of pictures are offered here
    return sight.reads


def own_source(reader: Reader) -> TrainedSource:
    """This visitor's own model."""
    assert reader.ref is not None
    source = reader.ref.resolve()
    assert isinstance(source, TrainedSource)
    return source


def as_input(seen: Picture, known: Facts) -> "Tensor":
    """The picture as the model reads it, (C, side, side)."""
    pixels, n_channels = as_read(seen, known), len(known.mean)
    if n_channels != 3:  # one channel is grey; of others nobody knows what they mean
        grey = pixels @ np.array([0.299, 0.587, 0.114])
        pixels = np.repeat(np.rint(grey).astype(np.uint8)[..., None], n_channels, axis=-1)
    return core.images.scaled(pixels[None], known.mean, known.std)[0]


def as_read(seen: Picture, known: Facts) -> np.ndarray:
    """The picture in the size that the model reads, (side, side, 3) uint8."""
    return fitted(seen.array, known.image_size)


def _one_pass(reader: Reader, seen: Picture, *_: object) -> Workload:
    known, config = facts(reader), _model(reader).config
    n_tokens = known.across**2 + len(known.first)
    return workload.one_pass(config, n_tokens, known.n_layers, keeps_maps=True).advised("A smaller model needs less.")


@cached(work=_one_pass)
def look(reader: Reader, seen: Picture) -> Seen:
    """Where every head of every layer looks, and what is answered."""
    known = facts(reader)
    looked = inspection.vision.look(_model(reader), as_input(seen, facts(reader)))
    L, *rest = looked.weights.shape
    n_layers = min(L, max(1, MAX_SENT // (4 * int(np.prod(rest)))))
    shares = shares_of(looked.logits, known)
    return Seen(as_read(seen, known), looked.weights[:n_layers], looked.rollout[:n_layers], shares)


def shares_of(logits: np.ndarray, known: Facts) -> tuple[np.ndarray, ...]:
    """The probabilities of the answers to each question, out of the logits (T, V) of all tokens.

    A model of a visitor's own has a vocabulary: the answers are its last words, after the special ones.
    """
    n = len(known.first)
    read = logits[n:].mean(0) if known.reads == "mean" else logits[0]
    numbers = [len(answers) for answers in known.questions.values()]
    parts = np.split(read[-sum(numbers) :].astype(np.float64), np.cumsum(numbers)[:-1])
    return tuple(_softmax(part) for part in parts)


def _softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max())
    return e / e.sum()


class OnThings(NamedTuple):
    """The class token's attention weight on patches that hold a thing, on fresh pictures.

    weights  (L, H)
    even     what a head would give them that looks everywhere alike
    """

    weights: np.ndarray
    even: float
    n_pictures: int

    @property
    def best(self) -> tuple[int, int]:
        """The layer and the head that look at things most, counted from 0."""
        layer, head = np.unravel_index(self.weights.argmax(), self.weights.shape)
        return int(layer), int(head)


@cached()
def on_things(reader: Reader) -> OnThings:
    """Which heads of a model of shapes look at the things rather than at the paper."""
    model, known = _model(reader), facts(reader)
    pixels = shapes.draw(N_FRESH, np.random.default_rng(SEED_FRESH)).pixels
    chosen = shapes.has_colour(pixels, known.patch_size)
    even = chosen.sum(-1).mean() / (known.across**2 + len(known.first))
    return OnThings(inspection.vision.weight_on(model, core.images.scaled(pixels), chosen), float(even), N_FRESH)


@cached(work=_one_pass)
def cut(reader: Reader, seen: Picture) -> "inspection.vision.Cut":
    """The patches of a picture as rows of numbers, and the vectors that they become."""
    return inspection.vision.cut(_model(reader), as_input(seen, facts(reader)))


@cached()
def position_similarity(reader: Reader) -> np.ndarray:
    """The cosine of every two patches' rows in the learned table, (n, n)."""
    return inspection.vision.position_similarity(_model(reader))


Swaps = tuple[tuple[int, int], ...]  # places whose patches change places, one pair after the other


class Shuffled(NamedTuple):
    """What two models answer to a picture as it is and with its patches in another order.

    pixels   the picture with its patches shuffled
    shares   by the name of the model: the probabilities as it is, and shuffled
    changes  by the name of the model: how far the logits that count moved at most
    is_same  whether the picture looks as it did
    """

    pixels: np.ndarray
    shares: dict[str, tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]]
    changes: dict[str, float]
    is_same: bool = False


def _passes(readers: tuple[Reader, ...], seen: Picture, *_: object) -> Workload:
    return _one_pass(readers[0], seen)


def order_of(n: int, n_moved: int, seed: int, swaps: Swaps = ()) -> tuple[int, ...]:
    """Which of n patches stands at each place: n_moved of them elsewhere, or all where there are fewer; and then those
    at two places each changed by hand."""
    order = list(inspection.vision.shuffled_order(n, min(n_moved, n), seed))
    for a, b in swaps:
        if max(a, b) < n:  # a model with larger patches has fewer of them
            order[a], order[b] = order[b], order[a]
    return tuple(order)


@cached(work=_passes)
def shuffled(readers: tuple[Reader, ...], seen: Picture, n_moved: int, seed: int, swaps: Swaps = ()) -> Shuffled:
    """These models before the same picture with its patches in another order, see order_of."""
    shares, changes = {}, {}
    pixels = mixed = seen.array
    for reader in readers:
        known, name = facts(reader), reader.name
        order = order_of(known.across**2, n_moved, seed, swaps)
        pixels = np.ascontiguousarray(as_read(seen, known))
        mixed = _reordered(pixels, known.patch_size, order)
        image = as_input(seen, known)
        logits = [
            inspection.vision.look(_model(reader), one).logits
            for one in (image, core.images.reordered(image[None], known.patch_size, order)[0])
        ]
        before, after = (shares_of(one, known) for one in logits)
        shares[name] = (before, after)
        moves = [one.mean(0) if known.reads == "mean" else one[0] for one in logits]
        changes[name] = float(np.abs(moves[1] - moves[0]).max())
    return Shuffled(mixed, shares, changes, bool((mixed == pixels).all()))


def _reordered(pixels: np.ndarray, patch_size: int, order: tuple[int, ...]) -> np.ndarray:
    """The picture (side, side, 3) with its patches in this order."""
    import torch

    image = torch.from_numpy(pixels.copy()).permute(2, 0, 1)[None]
    return core.images.reordered(image, patch_size, order)[0].permute(1, 2, 0).numpy()


def fitted(pixels: np.ndarray, side: int) -> np.ndarray:
    """A square picture at another size: cells stay cells where it grows, and are averaged where it shrinks."""
    from PIL import Image

    if len(pixels) == side:
        return pixels
    how = Image.Resampling.NEAREST if len(pixels) < side else Image.Resampling.BOX
    return np.asarray(Image.fromarray(pixels).resize((side, side), how), np.uint8)
