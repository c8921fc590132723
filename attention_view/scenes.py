"""A scene: the whole of a model on one canvas, and each number of one pass a zoom away.

`Pass` holds what was recorded, and the browser is sent a part of it: q, k and v exactly, from which it works out the
products, scores and attention weights; the rest as steps of colour, of which it makes pictures.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attention_view import standalone
from attention_view.layout import as_bytes
from attention_view.names import drawable
from attention_view.payload import first_head

FRAME = 620  # pixels in a notebook
MOST_CELLS = 1_500_000  # numbers of q, k and v together: 6 MB, and a page has less
OFF = 2e-3  # by which recorded weights may miss those that q and k give: half precision has three digits
MOST_PASSED = 128  # of a vector beside the heads of a layer
MOST_BANDS = 64  # of a token's vector in a picture: of several numbers the strongest is seen
_TOO_LARGE = "less than a single token; give fewer layers"


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass over T tokens, through L layers of H heads; q and k as they met, turned by positions where these do so.

    q        (L, H, T, d_k)
    k, v     (L, Hkv, T, d_k)
    weights  (L, H, T, T), the attention weights that were recorded
    scale    what scores were divided by
    causal   whether no token may look at a later one
    stream   (L + 1, T, D): before each layer, and after the last
    hidden   (L, T, F): the units of the feed-forward networks, after the bend

    v, stream and hidden are None where they were not kept.
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray | None
    weights: np.ndarray
    scale: float
    causal: bool
    stream: np.ndarray | None
    hidden: np.ndarray | None


def header_of(tokens: tuple[str, ...], run: Pass) -> dict[str, object]:
    """What the browser is told beside the arrays."""
    L, H = run.q.shape[:2]
    return {"tokens": list(tokens), "layers": L, "heads": H, "scale": run.scale, "causal": run.causal}


def vectors_of(run: Pass) -> dict[str, np.ndarray]:
    """q, k and v, exactly: of these the browser works out whatever it shows inside of a head."""
    return {name: array.astype("<f4") for name in "qkv" if (array := getattr(run, name)) is not None}


def arrays_of(run: Pass) -> dict[str, np.ndarray]:
    """All that is sent of one pass alone: its vectors exactly, the stream and the hidden units in steps of colour."""
    arrays = vectors_of(run)
    if run.stream is not None:
        arrays["stream"] = signed_steps(strongest(run.stream, MOST_BANDS))
    if run.hidden is not None:
        arrays["hidden"] = steps(strongest(run.hidden, MOST_BANDS))
    return arrays


class Station(NamedTuple):
    """What a token passes in a layer: a name, and the vector (D,) that it is there."""

    name: str
    vector: np.ndarray


def stations_of(layers: Sequence[Sequence[Station]]) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    """(header, arrays) of what one token passes in each layer, the lowest first; nothing without layers."""
    if not layers:
        return {}, {}
    through = [[(name, round(float(np.linalg.norm(vector)), 4)) for name, vector in layer] for layer in layers]
    vectors = [signed_steps(strongest(vector[None], MOST_PASSED))[0] for layer in layers for _, vector in layer]
    return {"through": through}, {"through": np.stack(vectors)}


@dataclass(frozen=True, eq=False)
class TwoTowers:
    """One pass through an encoder, which reads S tokens, and a decoder, which has T.

    encoder  its pass, with queries and keys of the source
    decoder  the self-attention of the decoder; its stream is (2 L + 1, T, D): before self-attention and before
             cross-attention of each layer, and after the last
    cross    the attention from the decoder to the encoder's output: weights (L, H, T, S), without stream and hidden
    """

    encoder: Pass
    decoder: Pass
    cross: Pass


def header_of_towers(
    source: tuple[str, ...], target: tuple[str, ...], run: TwoTowers, writes: str = ""
) -> dict[str, object]:
    """What the browser is told of two towers beside the arrays: the layers of the scene are those of the encoder, and
    of each layer of the decoder its self-attention and its cross-attention.

    writes  what the decoder writes after the last word of the target, where that is known
    """

    def layer(name: str, what: str, kind: str, at: int, tower: int, forward: bool) -> dict[str, object]:
        title = f"{name} {at}"
        full = f"{name} layer {at}" + (f", {what}" if tower else "")
        return {"name": full, "titles": [title, what], "kind": kind, "at": at, "tower": tower, "forward": forward}

    L, M = len(run.encoder.q), len(run.decoder.q)
    parts = [layer("encoder", "self-attention", "encoder", at, 0, True) for at in range(L)]
    for at in range(M):
        parts.append(layer("decoder", "self-attention", "decoder", at, 1, False))
        parts.append(layer("decoder", "cross-attention", "cross", at, 1, True))
    return {
        "kinds": {
            "encoder": header_of(source, run.encoder),
            "decoder": header_of(target, run.decoder) | {"next": writes},
            "cross": header_of(target, run.cross) | {"keys": list(source), "next": writes},
        },
        "towers": [
            {"name": "encoder", "tokens": list(source), "answer": "to the decoder", "sign": "encoder out"},
            {"name": "decoder", "tokens": list(target), "answer": "to the next word", "sign": "read out"},
        ],
        "parts": parts,
    }


def arrays_of_towers(run: TwoTowers) -> dict[str, np.ndarray]:
    """All that is sent of two towers: vectors exactly, streams and hidden units in steps of colour."""
    vectors = {
        f"{kind}:{name}": array
        for kind in ("encoder", "decoder", "cross")
        for name, array in vectors_of(getattr(run, kind)).items()
    }
    seen = {}
    for n, tower in enumerate((run.encoder, run.decoder)):
        arrays = arrays_of(tower)
        seen[f"{n}:stream"] = arrays["stream"]
        seen[f"{n}:hidden"] = arrays["hidden"]
    # Of a layer of the decoder only the second half has a feed-forward network.
    seen["1:hidden"] = np.repeat(seen["1:hidden"], 2, axis=0)
    return vectors | seen


def pictures_of(runs: Sequence[Pass]) -> dict[str, np.ndarray]:
    """What is seen from afar, of several passes of as many tokens, in steps of colour: the stream, the hidden units and
    the attention weights."""
    afar = [arrays_of(run) for run in runs]
    return {
        **{name: np.stack([arrays[name] for arrays in afar]) for name in ("stream", "hidden")},
        "maps": np.stack([np.rint(255 * run.weights).astype("u1") for run in runs]),
    }


def steps(x: np.ndarray) -> np.ndarray:
    """Numbers from 0 as uint8, in steps of the largest of each first axis; what is below 0 becomes 0."""
    largest = x.max(axis=tuple(range(1, x.ndim)), keepdims=True)
    return np.rint(255 * np.clip(x / np.where(largest > 0, largest, 1), 0, 1)).astype("u1")


def signed_steps(x: np.ndarray) -> np.ndarray:
    """Numbers of any sign as uint8: 128 is 0, and 1 and 255 are the farthest from it of each first axis."""
    largest = np.abs(x).max(axis=tuple(range(1, x.ndim)), keepdims=True)
    return (128 + np.rint(127 * x / np.where(largest > 0, largest, 1))).astype("u1")


def strongest(x: np.ndarray, n: int) -> np.ndarray:
    """At most n numbers along the last axis: of each group of neighbours the one that is farthest from 0."""
    size = -(-x.shape[-1] // n)
    groups = -(-x.shape[-1] // size)
    padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, groups * size - x.shape[-1])])
    grouped = padded.reshape(*x.shape[:-1], groups, size)
    return np.take_along_axis(grouped, np.abs(grouped).argmax(-1, keepdims=True), -1)[..., 0]


# ---- in a notebook --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SceneShown:
    """What `scene` makes: a notebook draws it as the last line of a cell, `save` writes it as a page of its own."""

    payload: bytes
    size: str
    theme: str = "auto"

    def __repr__(self) -> str:
        return f"Scene: {self.size}"

    def html(self, height: int | None = None) -> str:
        """A whole page that needs nothing else, no server, no network, no other file; with a height, as a frame."""
        page = standalone.page(self.payload, self.theme, look="scene_alone.css", code="scene_alone.js")
        return page if height is None else standalone.frame(page, height, self.size)

    def save(self, path: str | Path) -> Path:
        """Write the page into a file and return where it is.

        Raises FileNotFoundError where there is no such folder: none is made.
        """
        path = standalone.file_at(path)
        path.write_text(self.html(), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return self.html(FRAME)


def scene(
    tokens: Sequence[str],
    q: Any,
    k: Any,
    v: Any,
    *,
    weights: Any = None,
    scale: float | None = None,
    causal: bool = True,
    stream: Any = None,
    hidden: Any = None,
    stations: Sequence[Sequence[tuple[str, Any]]] | None = None,
    opens: tuple[int, int] = (0, 0),
    theme: str = "auto",
) -> SceneShown:
    """The scene of one pass over T tokens, from recorded arrays or tensors, or lists of them by layer.

    q, k, v  (L, H, T, d_k) as they met, so after positions have turned them; k and v may have fewer heads that share
    weights  (L, H, T, T) that were recorded: they must be those that q and k give, or ValueError is raised
    scale    what scores were divided by; None: the root of d_k
    causal   whether no token may look at a later one
    stream   (L + 1, T, D), hidden (L, T, F): the stream before each layer and after the last; hidden units; or None
    stations of each layer what the last token passes in it, in order: [("in", (D,)), ("norm", (D,)), ("sum", (D,))];
             all of one length. From the one called "in" to the last "sum" the stream is said to have grown
    opens    (layer, head) that is entered first, counted from 0, or from -1 backwards

    A batch of one is taken out of its batch. q, k and v are 1,500,000 numbers at most, which a page can still hold:
    of 12 layers of 12 heads, d_k 64, 54 tokens. Raises ValueError, in a sentence, for more, and for shapes that do not
    fit.
    """
    arrays = {name: _stacked(array, name) for name, array in (("q", q), ("k", k), ("v", v))}
    L, H, T, d = arrays["q"].shape
    if len(tokens) != T:
        raise ValueError(f"q has {T} queries, and {len(tokens)} tokens were given")
    for name in "kv":
        heads = arrays[name].shape[1]
        if arrays[name].shape != (L, heads, T, d) or H % heads:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, which does not fit q, {arrays['q'].shape}")
    per_token = sum(array.size for array in arrays.values()) // T
    if per_token * T > MOST_CELLS:
        most = MOST_CELLS // per_token
        raise ValueError(
            f"q, k and v have {per_token * T:,} numbers, and a scene at most {MOST_CELLS:,}: of this model "
            + (f"{most} token{'s' * (most > 1)}; give a shorter text, or fewer layers" if most else _TOO_LARGE)
        )
    standalone.check_theme(theme)
    first = first_head((L, H), opens=opens)
    scale = math.sqrt(d) if scale is None else float(scale)
    if weights is not None:
        _check_weights(_stacked(weights, "weights"), arrays, scale, causal)
    if stream is not None:
        arrays["stream"] = signed_steps(strongest(_of_tokens(stream, (L + 1, T), "stream"), MOST_BANDS))
    if hidden is not None:
        arrays["hidden"] = steps(strongest(_of_tokens(hidden, (L, T), "hidden"), MOST_BANDS))
    names = [drawable(str(token)) for token in tokens]
    header = {"tokens": names, "layers": L, "heads": H, "scale": scale, "causal": causal, "opens": list(first)}
    if stations is not None:
        through, passed = stations_of(_checked_stations(stations, L))
        header, arrays = header | through, arrays | passed
    return SceneShown(as_bytes(header, arrays), f"{L} layers of {H} heads on {T} tokens", theme)


def _checked_stations(given: Sequence[Sequence[tuple[str, Any]]], n_layers: int) -> list[list[Station]]:
    layers = [[Station(str(name), _plain(vector).ravel().astype("f4")) for name, vector in layer] for layer in given]
    lengths = {station.vector.size for layer in layers for station in layer}
    if len(layers) != n_layers or not all(layers) or len(lengths) != 1:
        raise ValueError(f"stations are given for each of the {n_layers} layers, all vectors of one length")
    if not all(np.isfinite(station.vector).all() for layer in layers for station in layer):
        raise ValueError("stations hold numbers that are not finite")
    return layers


def _stacked(given: Any, name: str) -> np.ndarray:
    """(L, H, T, n) in float32, from an array, a tensor, or a list of these by layer; a batch of one is left out."""
    layers = [_plain(layer) for layer in given] if isinstance(given, list | tuple) else _plain(given)
    array = np.stack(layers).astype("<f4") if isinstance(layers, list) else layers.astype("<f4")
    if array.ndim == 5 and 1 in array.shape[:2]:
        array = array[:, 0] if array.shape[1] == 1 else array[0]
    if array.ndim != 4:
        raise ValueError(f"{name} has the shape {array.shape}; expected (layers, heads, tokens, features)")
    if not array.size:
        raise ValueError(f"there is nothing to draw in {name} of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return array


def _of_tokens(given: Any, lead: tuple[int, int], name: str) -> np.ndarray:
    """(points, T, n), from an array, a tensor, or a list of these; a batch of one is left out."""
    array = np.stack([_plain(one) for one in given]) if isinstance(given, list | tuple) else _plain(given)
    if array.ndim == 4 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 3 or array.shape[:2] != lead:
        raise ValueError(f"{name} has the shape {array.shape}; expected ({lead[0]}, {lead[1]}, features)")
    return array.astype("f4")


def _plain(value: Any) -> np.ndarray:
    return value.detach().float().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)


def _check_weights(weights: np.ndarray, arrays: dict[str, np.ndarray], scale: float, causal: bool) -> None:
    """Raises ValueError where the weights are not what q and k give."""
    q, k = arrays["q"], arrays["k"]
    T = q.shape[2]
    scores = q.astype("f8") @ np.repeat(k, q.shape[1] // k.shape[1], 1).swapaxes(-1, -2) / scale
    if causal:
        scores = np.where(np.tril(np.ones((T, T), bool)), scores, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    worked_out = powers / powers.sum(-1, keepdims=True)
    off = np.abs(worked_out - weights).max() if worked_out.shape == weights.shape else math.inf
    if off > OFF:
        raise ValueError(
            f"softmax(q k / {scale:.4g}) is not what was recorded as weights (off by {off:.2g}). Are q and k those"
            " after positions have turned them, and are scale and causal right? Scores with a bias cannot be drawn"
        )
