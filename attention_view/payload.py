"""What the browser is sent: one run of bytes, a small JSON header and then plain arrays.

- 4 bytes: length of the header, little-endian
- header: JSON, padded with spaces so that the arrays start on a multiple of 8
- arrays: each at the offset its header entry names, counted from the end of the header, on a multiple of 8

How much is sent depends on how many cells there are in all heads together:

- "exact": every head in float32, with q, k and v: any head can be opened and explained without asking again
- "bytes": every head as uint8 steps of its own largest weight; q, k and v of the head in view,
                 from which the browser works its weights out
- "thumbnail": every head as uint8, each cell the largest of a square of cells; the head in view as above
"""

import hashlib
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from attention_view import standalone
from attention_view.layout import as_bytes

EXACT_CELLS = 300_000  # 1.2 MB in float32: 12 heads of 158 tokens, 144 heads of 45
BYTE_CELLS = 3_000_000  # 3 MB: 12 heads of 500 tokens, 144 heads of 144
THUMBNAIL_SIDE = 64
MAX_ALONE = 24_000_000  # bytes that make every head exact in a page of its own: 12 heads of 700 tokens by their weights
MAX_STEPS = 40_000_000  # bytes of steps there: 144 heads of 527 tokens
FRAME_HEIGHT = 760  # pixels in a notebook


@dataclass(frozen=True, eq=False)
class Sent:
    """Weights of all heads as the browser gets them: a small part of what they were, where there are many.

    shape    (L, H, T, S) of the weights
    largest  (L, H) weight of each head
    weights  in the form of their tier: float32, or uint8 of every cell or of squares of cells
    """

    shape: tuple[int, int, int, int]
    largest: np.ndarray
    weights: np.ndarray

    def __repr__(self) -> str:
        return f"Sent: {extent(self.shape)}"

    @property
    def tier(self) -> str:
        return tier(math.prod(self.shape))

    @classmethod
    def of(cls, layers: Iterable[np.ndarray], n_layers: int) -> "Sent":
        """The weights (H, T, S) of n_layers layers, which are taken one at a time: no more than one is in memory."""
        largest, sent = [], []
        H = T = S = 0
        for weights in layers:
            H, T, S = weights.shape
            form = tier(n_layers * weights.size)
            squares = pooled(weights, math.ceil(max(T, S) / THUMBNAIL_SIDE) if form == "thumbnail" else 1)
            largest.append(squares.max(axis=(1, 2)).astype("<f4"))
            # Copies: a view would keep the layer alive.
            sent.append(squares.astype("<f4") if form == "exact" else in_steps(squares, largest[-1]))
            del weights, squares
        return cls((n_layers, H, T, S), np.stack(largest), np.stack(sent))


@dataclass(frozen=True)
class Marks:
    """What is known of the tokens of one side, one entry per token; empty where it is not known.

    The browser can leave out special tokens, show words instead of tokens, and look from one text of a pair at another.

    special   whether the tokenizer added it: <bos>, [CLS], [SEP]
    words     the number of the word that it belongs to, or None
    segments  0 or 1: which text of a pair it belongs to
    unknown   whether the model has no token for it: its label is what stands in the text, but that is not what it sees
    """

    special: Sequence[bool] = ()
    words: Sequence[int | None] = ()
    segments: Sequence[int] = ()
    unknown: Sequence[bool] = ()

    def plain(self, n_tokens: int) -> dict[str, list]:
        """As JSON; what is not known is left out. Raises ValueError where there is not one entry per token."""
        lists = {name: list(getattr(self, name)) for name in ("special", "words", "segments", "unknown")}
        for name, entries in lists.items():
            if entries and len(entries) != n_tokens:
                raise ValueError(f"{len(entries)} {name} do not fit {n_tokens} tokens")
        known = {name: entries for name, entries in lists.items() if entries}
        kinds = {
            "special": bool,
            "words": lambda word: None if word is None else int(word),
            "segments": int,
            "unknown": bool,
        }
        return {name: [kinds[name](entry) for entry in entries] for name, entries in known.items()}


@dataclass(frozen=True, eq=False)
class Picture:
    """What one attention view shows; shapes as everywhere (L layers, H heads, T queries, S keys).

    weights  (L, H, T, S); each row sums to 1, or is all zeros where everything is blocked. Or as they are `Sent`
    mask     (T, S) boolean, True = may attend, or None; (L, T, S) where layers differ
    q, k     (L, H, T, d_k) and (L, Hkv, S, d_k), or None where a model gives only its weights
    v        (L, Hkv, S, d_k), of which the output of a head is made, or None; goes along with q and k only
    scale    what the scores were divided by
    bias     (H, T, S) that was added to the scaled scores and depends on the distance only, or None
    scores   name -> (L, H), by which heads can be sorted and filtered; `chance` has what a head that looks at all alike
             would score, under the same names, and `about` says in a few words what is measured
    query_marks, key_marks  what is known of the tokens, beyond their labels
    facts    short remarks on the model; `untrained` says that it has learned nothing
    tags     names that heads have earned, each {"name", "layer", "head", "score", "query"}, and perhaps "times",
             [how many queries look where the name says, how many could]; of several with one name, the first has
             earned it most. `opens` is the (layer, head) that is shown first; negative numbers count from the end
    flow     whether this is no attention but a rollout: one map per layer, which says how much of what each token
             (row) holds after the layer comes from which token (column)
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: np.ndarray | Sent
    mask: np.ndarray | None = None
    q: np.ndarray | None = None
    k: np.ndarray | None = None
    v: np.ndarray | None = None
    scale: float = 1.0
    bias: np.ndarray | None = None
    scores: dict[str, np.ndarray] = field(default_factory=dict)
    chance: dict[str, float] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    query_marks: Marks = Marks()
    key_marks: Marks = Marks()
    facts: tuple[str, ...] = ()
    untrained: bool = False
    tags: tuple[dict, ...] = ()
    opens: tuple[int, int] = (0, 0)
    label: str = "self-attention"
    flow: bool = False

    def __post_init__(self):
        L, H, T, S = self.weights.shape
        if not L * H * T * S:
            raise ValueError(f"there is nothing to draw in weights of shape {self.weights.shape}")
        if (len(self.queries), len(self.keys)) != (T, S):
            raise ValueError(f"{T} x {S} weights cannot be labelled with {len(self.queries)} x {len(self.keys)} tokens")
        for name, score in self.scores.items():
            if np.shape(score) != (L, H):
                raise ValueError(f"the score {name!r} of shape {np.shape(score)} is not one number per head, {L} x {H}")
        _marks(self)

    def mask_of(self, layer: int) -> np.ndarray | None:
        """The mask (T, S) of one layer, or None."""
        return self.mask if self.mask is None or self.mask.ndim < 3 else self.mask[layer]

    def __repr__(self) -> str:
        return f"Picture: {extent(self.weights.shape)}"

    def _repr_html_(self) -> str:
        """What a notebook shows when the picture is the last line of a cell."""
        return to_html(self, height=FRAME_HEIGHT)


def extent(shape: tuple[int, ...]) -> str:
    """The size of weights (L, H, T, S) in words: "6 layers × 12 heads, 15 × 15"."""
    L, H, T, S = shape
    return f"{L} layer{'s' * (L != 1)} × {H} head{'s' * (H != 1)}, {T} × {S}"


def tier(n_cells: int) -> str:
    """How a picture of so many cells is sent; see the module's docstring."""
    return "exact" if n_cells <= EXACT_CELLS else "bytes" if n_cells <= BYTE_CELLS else "thumbnail"


class Packed:
    """A picture ready to be sent: the part that all views share is made once, the head in view is added per call.

    Keeps what the second part needs and drops the rest, since many of these are held at once. A picture that came
    without q and k keeps its weights, and sends those of the head in view.
    """

    def __init__(self, picture: Picture):
        weights = picture.weights
        sent = weights if isinstance(weights, Sent) else Sent.of(weights, len(weights))
        self.shape = L, H, T, S = sent.shape
        self.opens = first_head(sent.shape, opens=picture.opens)
        self._tier = sent.tier
        self._arrays = {
            "largest": sent.largest,
            **{f"score:{name}": score.astype("<f4") for name, score in picture.scores.items()},
        }
        masks, mask_of = _masks(picture.mask)
        if masks is not None:
            self._arrays["mask"] = np.broadcast_to(masks, (*masks.shape[:-2], T, S)).astype("u1")
        if picture.bias is not None:
            self._arrays["bias"] = by_distance(picture.bias).astype("<f4")
        self._arrays["weights"] = sent.weights
        if self._tier == "exact":
            if picture.q is not None and picture.k is not None:
                vectors = {"q": picture.q, "k": picture.k, "v": picture.v}
                self._arrays |= {name: array.astype("<f4") for name, array in vectors.items() if array is not None}
        else:
            if picture.q is not None and picture.k is not None:
                self._view = {"view:q": picture.q, "view:k": picture.k}
                if picture.v is not None:
                    self._view["view:v"] = picture.v
            elif isinstance(weights, Sent):
                raise ValueError("the head in view is drawn from q and k, or from the weights of all heads")
            else:
                self._view = {"view:weights": weights}
        self._header = {
            "tier": self._tier,
            "layers": L,
            "heads": H,
            "queries": list(picture.queries),
            "keys": list(picture.keys),
            "scale": float(picture.scale),
            "chance": picture.chance,
            "facts": list(picture.facts),
            "untrained": picture.untrained,
            "tags": list(picture.tags),
            "open": list(self.opens),
            "label": picture.label,
            **_known(about=picture.about, marks=_marks(picture), flow=picture.flow, masks=mask_of),
            "id": hashlib.blake2b(self._arrays["weights"].tobytes(), digest_size=8).hexdigest(),
        }

    def __call__(self, layer: int = 0, head: int = 0, **options: object) -> bytes:
        """The bytes to send while (layer, head) is in view; which one is in view matters beyond "exact" only.

        options are the view's own settings, handed on as they are: see attention_view().
        """
        arrays, header = dict(self._arrays), {**self._header, **options}
        if self._tier != "exact":
            L, H, _, _ = self.shape
            layer, head = min(max(layer, 0), L - 1), min(max(head, 0), H - 1)
            header["view"] = [layer, head]
            for name, array in self._view.items():
                shared_by = H // array.shape[1]  # keys may be shared by a group of query heads
                arrays[name] = array[layer, head // shared_by].astype("<f4")
        return as_bytes(header, arrays)

    def alone(self, layer: int | None = None, head: int | None = None, **options: object) -> bytes:
        """The bytes for a place that cannot ask for more: every head is exact, as long as that is not too much.

        q and k of all heads go along, or all weights where there are none. If they are more than MAX_ALONE bytes, only
        (layer, head) is exact, as in a call, and other weights are steps of 1/255, as long as these are not too many.
        Without a layer and a head, those that the picture opens with are first.
        """
        layer, head = self.opened(layer, head)
        options = {"url": None, "open": [layer, head], "alone": True, **options}
        if self._tier == "exact":
            return self(layer, head, **options)
        arrays = {name.removeprefix("view:"): array for name, array in self._view.items()}
        if 4 * sum(array.size for array in arrays.values()) > MAX_ALONE:
            if "weights" not in arrays or arrays["weights"].size > MAX_STEPS:
                return self(layer, head, **options)
            steps = in_steps(arrays["weights"], self._arrays["largest"])
            exact = arrays["weights"][layer, head].astype("<f4")
            header = {**self._header, **options, "tier": "bytes", "view": [layer, head]}
            return as_bytes(header, {**self._arrays, "weights": steps, "view:weights": exact})
        tier = "exact" if "weights" in arrays else self._tier  # else the browser works them out from q and k
        exact = {name: array.astype("<f4") for name, array in arrays.items()}
        return as_bytes({**self._header, **options, "tier": tier}, {**self._arrays, **exact})

    def opened(self, layer: int | None, head: int | None) -> tuple[int, int]:
        """What is in view first, as `first_head` has it: without a layer and a head, what opens."""
        return first_head(self.shape, layer, head, opens=self.opens)

    def __repr__(self) -> str:
        return f"Packed: {extent(self.shape)}"

    def _repr_html_(self) -> str:
        return to_html(self, height=FRAME_HEIGHT)


class Ready(Protocol):
    """What is ready to be sent: a `Packed`, or several `Kinds` of attention as one."""

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(L, H, T, S) of what is shown first."""
        ...

    def opened(self, layer: int | None, head: int | None) -> tuple[int, int]:
        """The head that is in view first."""
        ...

    def alone(self, layer: int | None = None, head: int | None = None) -> bytes:
        """The bytes for a place that cannot ask for more."""
        ...


def to_html(
    picture: "Picture | Ready",
    *,
    height: int | None = None,
    theme: str = "auto",
    layer: int | None = None,
    head: int | None = None,
) -> str:
    """The picture as HTML that needs nothing else: no server, no network, no other file.

    height  of a frame in pixels, to be put into another page; None gives a whole page, to be saved as a file
    theme   "light", "dark", or "auto", as the visitor's system is
    layer, head  which is shown first, counted from 0, or from -1 backwards; by default, what the picture opens with

    Raises ValueError for a head that is not there and a theme that is not known.
    """
    packed = Packed(picture) if isinstance(picture, Picture) else picture
    text = standalone.page(packed.alone(*packed.opened(layer, head)), theme)
    return text if height is None else standalone.frame(text, height, extent(packed.shape))


def first_head(
    shape: tuple[int, ...], layer: int | None = None, head: int | None = None, *, opens: tuple[int, int] = (0, 0)
) -> tuple[int, int]:
    """The (layer, head) that is seen first, of weights of this shape (L, H, T, S), counted from 0.

    Negative numbers count from the end, as in a list. Where one of the two is None, it is 0; where both are, `opens`
    says which. Raises ValueError for a head that is not there, and for what is no pair of integers.
    """
    named = (0 if layer is None else layer, 0 if head is None else head)
    given = opens if layer is None and head is None else named
    try:
        at, of = map(operator.index, given)
    except (TypeError, ValueError):
        raise ValueError(f"layer and head are two integers, such as (0, 0), and not {given!r}") from None
    L, H = shape[:2]
    if not (-L <= at < L and -H <= of < H):
        raise ValueError(
            f"layer {at}, head {of} is not among {L} layers of {H} heads, counted from 0, or from -1 backwards"
        )
    return at % L, of % H


def _marks(picture: Picture) -> dict[str, dict]:
    """The marks of both sides, as far as any are known."""
    sides = {"query": (picture.query_marks, picture.queries), "key": (picture.key_marks, picture.keys)}
    return _known(**{side: marks.plain(len(tokens)) for side, (marks, tokens) in sides.items()})


def _masks(mask: np.ndarray | None) -> tuple[np.ndarray | None, list[int]]:
    """The different masks (n, T, S) of layers, and which of them each layer has; one for all as it is, and []."""
    if mask is None or mask.ndim < 3:
        return mask, []
    different, mask_of = np.unique(mask.astype(bool), axis=0, return_inverse=True)
    return (different[0], []) if len(different) == 1 else (different, mask_of.ravel().tolist())


def _known(**entries: object) -> dict:
    """The entries that say anything."""
    return {name: entry for name, entry in entries.items() if entry}


def by_distance(bias: np.ndarray) -> np.ndarray:
    """A bias (H, T, S) that is constant along its diagonals, as (H, T + S - 1): entry T - 1 + j - i is cell (i, j).

    Raises ValueError if it is not constant along them.
    """
    _, T, S = bias.shape
    line = np.concatenate([bias[:, ::-1, 0], bias[:, 0, 1:]], axis=1)  # up the first column, then along the first row
    if not np.array_equal(bias, line[:, T - 1 + np.arange(S)[None, :] - np.arange(T)[:, None]]):
        raise ValueError("this bias does not depend on the distance alone, so it cannot be sent by distance")
    return line


def pooled(weights: np.ndarray, side: int) -> np.ndarray:
    """The largest weight of every side x side square of cells, (..., ceil(T/side), ceil(S/side))."""
    for axis in () if side == 1 else (-2, -1):
        lines = np.moveaxis(weights, axis, 0)
        largest = lines[::side].copy()
        for n in range(1, side):  # a few passes over whole rows: six times as fast as maximum.reduceat
            others = lines[n::side]
            np.maximum(largest[: len(others)], others, out=largest[: len(others)])
        weights = np.moveaxis(largest, 0, axis)
    return weights


def in_steps(weights: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Weights (..., H, T, S) as uint8: 255 is the head's largest weight; a weight above 0 never becomes 0."""
    scaled = weights * (255.0 / np.where(largest > 0, largest, 1.0))[..., None, None]
    return np.where(weights > 0, np.clip(np.rint(scaled), 1, 255), 0).astype("u1")
