"""Attention from anywhere as pictures: a file of arrays, .npz or .safetensors, checked before it is drawn.

    pictures = read(Path("attention.npz").read_bytes())   # {"encoder": Picture(...)}

The file holds arrays under these names (L layers, H heads, T queries, S keys):

- attention  (L, H, T, S), or (H, T, S) for one layer, or one array per layer: attention.0, attention.1, ...
- tokens     a list of texts, as JSON or as an array of texts; queries and keys where these differ
- q, k, v    (L, H, T, d_k), (L, Hkv, S, d_k), (L, Hkv, S, d_v) if at hand, or one array per layer
- mask       (T, S) or (L, T, S), True = may attend; it is found by itself where it is causal or hides padding
- scale      what the scores were divided by, if not the square root of d_k
- facts      short remarks, as JSON; opens: [layer, head] that is shown first
- marks      what is known of the tokens, as JSON: {"special": [...], "words": [...], "segments": [...]}, see Marks

In front of a name, "encoder.", "decoder." or "cross." says which attention it belongs to. Without, attention that never
looks ahead is a decoder's, that between two texts is "cross", and the rest an encoder's. The names that Hugging Face
gives to its outputs (cross_attentions) and numpy.savez to arrays without a name (arr_0, ...) mean the same.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from attention_view import npz, safetensors
from attention_view.names import MAX_LABEL, label
from attention_view.payload import Marks, Picture
from attention_view.stored import MAX_BYTES, MAX_FILE, MAX_TEXT, BadTensors, Contents, Stored, parsed, quoted, sized
from attention_view.tensor_checks import check_weights, largest_difference, mask_of

T_ = TypeVar("T_")

KINDS = ("encoder", "decoder", "cross")
MAX_TOKENS = 2048
MAX_HEADS = 2048  # of all layers together
MAX_WIDTH = 4096  # of q, k and v
MAX_FACTS = 6
MAX_DIFFERENCE = 0.02  # between a weight and the softmax of q and k, which may both be rounded to half precision
TEXTS = ("tokens", "queries", "keys", "facts", "opens", "marks", "scale")
VECTORS = ("q", "k", "v")
_NAME = re.compile(
    r"(?:(encoder|decoder|cross)[._])?(?:(attention)s?|([qkv]|mask|tokens|queries|keys|scale|facts|opens|marks))(?:[._]([0-9]{1,4}))?"
)
_UNNAMED = re.compile(r"arr_([0-9]{1,4})")


class Name(NamedTuple):
    """What a name in a file means: a kind of attention ("" if it does not say), a part of it, and perhaps a layer."""

    kind: str
    part: str
    layer: int | None = None

    @classmethod
    def of(cls, text: str) -> "Name | None":
        """What this name means; None if nothing here."""
        if unnamed := _UNNAMED.fullmatch(text):
            return cls("", "attention", int(unnamed[1]))
        if match := _NAME.fullmatch(text):
            return cls(match[1] or "", match[2] or match[3], None if match[4] is None else int(match[4]))
        return None


class TensorFile:
    """A file of attention whose headers are as they should be; its numbers are not read yet. Raises BadTensors."""

    def __init__(self, data: bytes):
        if len(data) > MAX_FILE:
            raise BadTensors(f"it has {len(data) >> 20} MB, and {MAX_FILE >> 20} MB is the most; save it as float16")
        found = _contents(data)
        arrays, texts = _by_name(found.arrays), _by_name(found.texts)
        for name in [name for name in arrays if name.part in TEXTS[:-1]]:
            texts[name] = _bytes_as_text(name, arrays.pop(name))
        if any(name.part not in TEXTS for name in texts):
            raise BadTensors("its attention is text; save numbers, as float16 or float32")
        kinds = sorted({name.kind for name in arrays if name.part == "attention"})
        if not kinds:
            names = ", ".join(map(quoted, found.names[:4])) or "nothing"
            raise BadTensors(f"it has no array called attention, but {names}; save the weights under that name")
        if kinds[0] == "" and len(kinds) > 1:
            raise BadTensors("some attention in it has a kind and some has none; call it encoder.attention, and so on")
        self.n_bytes = sum(array.n_bytes for array in arrays.values())
        if self.n_bytes > MAX_BYTES:
            raise BadTensors(
                f"its arrays need {self.n_bytes >> 20:,} MB, and {MAX_BYTES >> 20} MB is the most; save fewer layers, "
                "or a shorter text, as float16"
            )
        self._one = [_One(kind, arrays, texts) for kind in kinds]
        self._weights = [one.layers("attention") for one in self._one]

    def pictures(self) -> dict[str, Picture]:
        """A picture for each kind of attention, once its numbers are checked. Raises BadTensors."""
        found = dict(_picture(one, layers) for one, layers in zip(self._one, self._weights, strict=True))
        return {kind: found[kind] for kind in KINDS if kind in found}


def read(data: bytes) -> dict[str, Picture]:
    """The pictures in the bytes of a file, by kind of attention: "encoder", "decoder", "cross".

    Weights keep half precision if they have it. Raises BadTensors, and nothing else, whatever the bytes are.
    """
    return TensorFile(data).pictures()


# ---- one kind of attention -----------------------------------------------------------------------------------------


class _Layers(NamedTuple):
    """One array of all layers (L, H, T, S), or as many as there are layers."""

    name: str
    shape: tuple[int, int, int, int]
    parts: tuple[Stored, ...]

    def read(self) -> np.ndarray:
        """The array; a layer is read at a time, so that none is in memory twice."""
        if len(self.parts) == 1:
            return self.parts[0].read().reshape(self.shape)
        result = np.empty(self.shape, self.parts[0].dtype)
        for layer, stored in zip(result, self.parts, strict=True):
            layer[:] = stored.read().reshape(self.shape[1:])
        return result


@dataclass(frozen=True)
class _One:
    """What a file has for one kind of attention, "" where it does not say which."""

    kind: str
    arrays: Mapping[Name, Stored]
    texts: Mapping[Name, str]

    def array(self, part: str) -> Stored | None:
        """The array of this part, of this kind or else of all."""
        return self.arrays.get(Name(self.kind, part)) or self.arrays.get(Name("", part))

    def value(self, part: str, default: T_, is_right: Callable[[Any], bool], fault: str) -> T_:
        """What the file says under this name, in JSON; the default if nothing. Raises BadTensors."""
        text = self.texts.get(Name(self.kind, part)) or self.texts.get(Name("", part))
        if text is None:
            return default
        value = parsed(text, f"what it says under {part}")
        if not is_right(value):
            raise BadTensors(fault)
        return value

    def tokens(self, kind: str, part: str) -> tuple[str, ...]:
        """The tokens under exactly this name, as labels; () if there are none."""
        one = _One(kind, {}, {name: text for name, text in self.texts.items() if name.kind == kind})
        fault = "its tokens are not a list of texts; save them with json.dumps(list(tokens))"
        return tuple(map(label, one.value(part, [], _are_texts, fault)))

    def layers(self, part: str) -> _Layers:
        """The array of a part, for all layers or one per layer, as far as its headers say what they should."""
        whole = self.arrays.get(Name(self.kind, part))
        by_layer = {
            name.layer: array
            for name, array in self.arrays.items()
            if name[:2] == (self.kind, part) and name.layer is not None
        }
        name = f"{self.kind}.{part}" if self.kind else part
        if whole is not None and by_layer:
            raise BadTensors(f"{name} is there for all layers at once and per layer; leave one of them out")
        if whole is not None:
            shape = whole.shape
            if len(shape) == 5 and shape[1] == 1:  # as torch.stack makes it of a batch of one text
                shape = (shape[0], *shape[2:])
            return _checked(name, (1, *shape) if len(shape) == 3 else shape, (whole,))
        numbers = sorted(by_layer)
        if numbers[0] > 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise BadTensors(f"{name} has gaps between its layers; number them 0, 1, 2 and so on")
        first, *others = parts = tuple(by_layer[n] for n in numbers)
        for n, other in zip(numbers[1:], others, strict=True):
            if (other.shape, other.dtype) != (first.shape, first.dtype):
                raise BadTensors(
                    f"{name}.{n} is {sized(other.shape)} in {other.dtype}, and the layers before it are "
                    f"{sized(first.shape)} in {first.dtype}; all layers need the same"
                )
        shape = first.shape[1:] if len(first.shape) == 4 and first.shape[0] == 1 else first.shape
        return _checked(name, (len(parts), *shape), parts)


def _checked(name: str, shape: tuple[int, ...], parts: tuple[Stored, ...]) -> _Layers:
    """Layers of this shape, if it is one that can be drawn. Raises BadTensors."""
    if parts[0].dtype.kind != "f":
        raise BadTensors(f"{name} is not made of fractions; save it as float16 or float32")
    if len(shape) != 4:
        last = "d_k" if name[-1] in VECTORS else "keys"
        advice = "add the axis that is missing"
        if len(shape) == 5:
            advice = f"take one text of the batch, {name}[:, 0]"
            if shape[0] == 1:
                advice = f"take {name}[0] if the {shape[1]} are layers, or {name}[:, 0] if they are texts of a batch"
        raise BadTensors(f"{name} is {sized(shape)}, but layers × heads × queries × {last} is needed; {advice}")
    L, H, T, S = shape
    if not L * H * T * S:
        raise BadTensors(f"{name} is {sized(shape)}, so there is nothing to draw; save it once more")
    if L * H > MAX_HEADS:
        raise BadTensors(f"{name} has {L * H:,} heads, and {MAX_HEADS:,} is the most; save some of its layers")
    if max(T, 0 if name[-1] in VECTORS else S) > MAX_TOKENS or S > MAX_WIDTH:
        raise BadTensors(f"{name} is {sized(shape)}, and {MAX_TOKENS:,} tokens is the most; save a shorter text")
    return _Layers(name, (L, H, T, S), parts)


# ---- from arrays to a picture --------------------------------------------------------------------------------------


def _picture(one: _One, layers: _Layers) -> tuple[str, Picture]:
    """(kind, picture) of what a file has for one kind of attention."""
    weights = layers.read()
    check_weights(weights, layers.name)
    L, H, T, S = weights.shape
    found, is_causal = mask_of(weights)
    kind = one.kind or ("decoder" if is_causal else "encoder" if T == S else "cross")
    mask = _mask(one, weights, found)
    queries, keys = _labels(one, kind, T, S)
    scores_from, remarks = _vectors(one, weights, mask)
    facts = one.value("facts", [], _are_texts, "its facts are not a list of short texts; leave them out")
    unnamed = () if queries and keys else ("no tokens in the file: these are positions",)
    opens = one.value(
        "opens",
        [0, 0],
        lambda place: _are_whole(place) and 0 <= place[0] < L and 0 <= place[1] < H,
        f"it opens with a head that is not among {L} layers of {H} heads; leave that out",
    )
    return kind, Picture(
        queries=queries or tuple(map(str, range(T))),
        keys=keys or tuple(map(str, range(S))),
        weights=weights,
        mask=None if mask.all() else mask,
        query_marks=_marks(one, "decoder" if kind == "cross" else one.kind, T if queries else 0),
        key_marks=_marks(one, "encoder" if kind == "cross" else one.kind, S if keys else 0),
        facts=(*(label(fact, 3 * MAX_LABEL) for fact in facts[:MAX_FACTS]), *unnamed, *remarks),
        opens=(opens[0], opens[1]),
        label="cross-attention" if kind == "cross" else "self-attention",
        **scores_from,
    )


def _mask(one: _One, weights: np.ndarray, found: np.ndarray) -> np.ndarray:
    """The mask (T, S) of the file, (L, T, S) where it has one for each layer, or else what was found in its weights."""
    (T, S), L = found.shape, len(weights)
    stored = one.array("mask")
    if stored is None:
        return found
    is_by_layer = stored.shape == (L, T, S) and L > 1
    if not is_by_layer and (stored.shape[-2:] != (T, S) or stored.n_bytes > 8 * T * S):
        raise BadTensors(f"its mask is {sized(stored.shape)}, but one cell for each of {T} × {S} weights is needed")
    if is_by_layer and stored.n_bytes > 8 * L * T * S:
        raise BadTensors("its mask takes more than 8 bytes for a cell; save it as true and false")
    mask = stored.read().reshape((L, T, S) if is_by_layer else (T, S)) != 0
    for *_, i, j in np.argwhere((weights > 0).any(1) & ~mask)[:1]:
        raise BadTensors(f"its mask forbids query {i} to look at key {j}, which has a weight; True means: may attend")
    return mask


def _labels(one: _One, kind: str, T: int, S: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens of the queries and of the keys; () where the file has none. Raises BadTensors if they do not fit."""
    is_cross = kind == "cross"
    asks, answers = ("decoder", "encoder") if is_cross else (one.kind, one.kind)
    queries = one.tokens(one.kind, "queries") or one.tokens("", "queries") or one.tokens(asks, "tokens")
    keys = one.tokens(one.kind, "keys") or one.tokens("", "keys") or one.tokens(answers, "tokens")
    if T == S or not is_cross:
        alike = one.tokens("", "tokens")
        queries, keys = queries or keys or alike, keys or queries or alike
    if not is_cross and len(queries) == S > T:
        queries = queries[S - T :]  # a decoder with a cache is asked for its last tokens only
    for tokens, n, part in ((queries, T, "queries"), (keys, S, "keys")):
        if tokens and len(tokens) != n:
            raise BadTensors(
                f"it has {len(tokens)} tokens for {n} {part}; save all that the model read, special ones too"
            )
    return queries, keys


def _marks(one: _One, kind: str, n: int) -> Marks:
    """What the file says of the n tokens of this kind; nothing if it speaks of another number of them."""
    fault = "its marks are not lists of true and false (special) or of small numbers (words, segments); leave them out"
    value = _One(kind, {}, one.texts).value("marks", {}, _are_marks, fault)
    fitting = {name: entries for name, entries in value.items() if len(entries) == n}
    return Marks(**fitting)


def _are_marks(value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= _MARKS.keys():
        return False
    return all(isinstance(entries, list) and all(map(_MARKS[name], entries)) for name, entries in value.items())


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 10**6


_MARKS: dict[str, Callable[[Any], bool]] = {
    "special": lambda entry: isinstance(entry, bool),
    "words": lambda entry: entry is None or _is_number(entry),
    "segments": lambda entry: type(entry) is int and entry in (0, 1),
}


def _vectors(one: _One, weights: np.ndarray, mask: np.ndarray) -> tuple[dict[str, Any], tuple[str, ...]]:
    """q, k, v and the scale as a picture takes them, if they give these weights; and what there is to say of them."""
    L, H, T, S = weights.shape
    there = [part for part in VECTORS if any(name[:2] == (one.kind, part) for name in one.arrays)]
    if "q" not in there or "k" not in there:
        return {}, ()
    layers = {part: one.layers(part) for part in there}
    for part, (name, shape, _) in layers.items():
        n_layers, n_heads, length, _ = shape
        if (n_layers, length) != (L, T if part == "q" else S) or H % n_heads or (part == "q" and n_heads != H):
            raise BadTensors(
                f"{name} is {sized(shape)}, which does not go with attention of {sized(weights.shape)}; layers × "
                "heads × tokens × d_k is needed"
            )
    width = layers["q"].shape[3]
    if layers["k"].shape[3] != width:
        raise BadTensors(f"q is {width} wide and k {layers['k'].shape[3]}; both need the same width")
    arrays = {part: layers[part].read() for part in there}
    for part, array in arrays.items():
        if not np.isfinite(array).all():
            raise BadTensors(f"{layers[part].name} has a value that is no number (NaN or infinity); save it once more")
    scale = _scale(one, width)
    off = largest_difference(weights, arrays["q"], arrays["k"], scale, mask)
    if off > MAX_DIFFERENCE:
        return {}, (f"q and k left out: their softmax is up to {min(off, 1):.2f} away from the weights",)
    return {**arrays, "scale": scale}, ()


def _scale(one: _One, width: int) -> float:
    """What the scores were divided by."""
    fault = "its scale is not one positive number; leave it out where it is the square root of d_k"
    stored = one.array("scale")
    if stored is not None:
        value = stored.read().item() if math.prod(stored.shape) == 1 else 0
    else:
        value = one.value("scale", float(np.sqrt(width)), lambda value: isinstance(value, int | float), fault)
    if not 1e-6 < value < 1e6:
        raise BadTensors(fault)
    return float(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _are_whole(value: Any) -> bool:
    return isinstance(value, list) and [type(n) for n in value] == [int, int]


# ---- from bytes to names -------------------------------------------------------------------------------------------


def _contents(data: bytes) -> Contents:
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return npz.contents(data, _is_ours)
    if data[:6] == b"\x93NUMPY":
        return npz.single(data, "attention")
    if data[:1] == b"\x80" and data[8:9] != b"{":
        raise BadTensors("it is a pickle, which could run any code; save it with numpy.savez or as safetensors")
    return safetensors.contents(data, _is_ours)


def _is_ours(name: str) -> bool:
    return Name.of(name) is not None


def _by_name(found: Mapping[str, T_]) -> dict[Name, T_]:
    result: dict[Name, T_] = {}
    for text, value in found.items():
        name = Name.of(text)
        if name in result:
            raise BadTensors(f"{quoted(text)} and another name in it mean the same; leave one of them out")
        if name is not None:
            result[name] = value
    return result


def _bytes_as_text(name: Name, stored: Stored) -> str:
    """A text that was saved as an array of its bytes."""
    if stored.dtype.kind != "u" or len(stored.shape) != 1 or stored.n_bytes > MAX_TEXT:
        raise BadTensors(f"its {name.part} are not texts; save them with json.dumps")
    try:
        return bytes(stored.read()).decode()
    except ValueError:
        raise BadTensors(f"its {name.part} are not in UTF-8; save them with json.dumps") from None
