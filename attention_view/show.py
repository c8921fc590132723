"""Attention in a notebook: `show(attention, tokens)`, for arrays and for what models of any framework return.

Weights are numbers (L layers, H heads, T queries, S keys). They are taken as they come: a numpy array of that shape,
one layer (H, T, S), a list or tuple with an array per layer, (1, H, T, S) as well, and what `generate` returns, a tuple
of these per step. A tensor of four axes is refused, with the two ways to say what it is: it may be one layer of several
texts, as a model returns it. Tensors of torch are known by their methods, so that torch itself is not needed here.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from attention_view import standalone
from attention_view.kinds import Kinds
from attention_view.measures import chance, measures
from attention_view.names import Tokens, names_of, text_of
from attention_view.payload import FRAME_HEIGHT, Picture, extent, first_head, to_html

TOLERANCE = 0.02  # by which a row's sum may miss 1: bfloat16 has three digits
LABELS = {
    "attention": "self-attention",
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}
TEXTS = ("tokens", "queries", "keys", "scale")
FIELDS = {  # of what the models of transformers return
    "attentions": "attention",
    "encoder_attentions": "encoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
}
PARTS = ("attention", "q", "k", "v", "mask", *TEXTS)  # of a file, for one kind
_NONE_RETURNED = (
    'the model returned no attention. With transformers, load it with attn_implementation="eager" (its faster kinds '
    "of attention keep no weights) and call it with output_attentions=True"
)


@dataclass(frozen=True, eq=False)
class Shown:
    """What `show` makes: a notebook draws it as the last line of a cell, `save` writes it as a page of its own."""

    pictures: Mapping[str, Picture]
    layer: int | None = None
    head: int | None = None
    first: str | None = None
    theme: str = "auto"
    height: int = FRAME_HEIGHT

    def __repr__(self) -> str:
        sizes = {kind: extent(picture.weights.shape) for kind, picture in self.pictures.items()}
        named = [size if kind == "attention" else f"{kind}, {size}" for kind, size in sizes.items()]
        return f"Shown: {'; '.join(named)}"

    def html(self, height: int | None = None) -> str:
        """A whole page that needs nothing else, no server, no network, no other file; with a height, as a frame."""
        one = next(iter(self.pictures.values())) if len(self.pictures) == 1 else Kinds(self.pictures, self.first)
        return to_html(one, height=height, theme=self.theme, layer=self.layer, head=self.head)

    def save(self, path: str | Path) -> Path:
        """Write the page into a file and return where it is.

        Raises FileNotFoundError where there is no such folder: none is made.
        """
        path = standalone.file_at(path)
        path.write_text(self.html(), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return self.html(self.height)


def show(
    attention: Any = None,
    tokens: Tokens | None = None,
    keys: Tokens | None = None,
    *,
    encoder: Any = None,
    decoder: Any = None,
    cross: Any = None,
    source: Tokens | None = None,
    target: Tokens | None = None,
    first: str | None = None,
    layer: int | None = None,
    head: int | None = None,
    theme: str = "auto",
    height: int = FRAME_HEIGHT,
) -> Shown:
    """Draw attention weights: every head as a small map, one of them large, with ribbons, tokens and numbers.

        show(outputs.attentions, tokens)
        show(encoder=o.encoder_attentions, decoder=o.decoder_attentions, cross=o.cross_attentions, source=…, target=…)
        show(np.load("attention.npz"))

    attention  weights in any of the forms of this module, a Picture, or arrays by name as in the .npz of a view's menu
    tokens     a name per query, and per key where `keys` does not name these; by default, their numbers. All tokens of
               a generation will do: the last was never read, and is left out
    encoder, decoder, cross  the three kinds of attention of an encoder-decoder, any of them, instead of `attention`;
               source names the encoder's tokens, target the decoder's
    first      the kind that is seen first
    layer, head  which is seen first, counted from 0, or from -1 backwards
    theme      "light", "dark", or "auto", as the visitor's system is
    height     of the frame in a notebook, in pixels

    Raises ValueError, in a sentence, for what cannot be drawn. Warns where rows do not add up to 1.
    """
    kinds = {
        "attention": (_without_names(attention), tokens, tokens if keys is None else keys),
        "encoder": (encoder, source, source),
        "decoder": (decoder, target, target),
        "cross": (cross, target, source),
    }
    given = {kind: parts for kind, parts in kinds.items() if parts[0] is not None}
    if not given:
        raise ValueError(f"show() was given no weights. If they are None, {_NONE_RETURNED}.")
    if "attention" in given and len(given) > 1:
        raise ValueError("give either attention and tokens, or encoder, decoder and cross with source and target")
    if _is_file(attention):
        pictures = _pictures_of(attention)
    else:
        pictures = {
            kind: weights if isinstance(weights, Picture) else picture_of(weights, queries, columns, kind)
            for kind, (weights, queries, columns) in given.items()
        }
    standalone.check_theme(theme)
    there = tuple(pictures)
    if first is not None and first not in there:
        raise ValueError(f"first={first!r} is not among the kinds that are given: {', '.join(there)}")
    seen = pictures[first or there[0]]
    first_head(seen.weights.shape, layer, head, opens=seen.opens)
    return Shown(pictures, layer, head, first, theme, height)


def _without_names(attention: Any) -> Any:
    """The arrays of `numpy.savez(file, *layers)`, which have no names of their own; anything else as it is."""
    if not isinstance(attention, Mapping) or not attention:
        return attention
    names = [f"arr_{n}" for n in range(len(attention))]
    if set(attention) != set(names):
        return attention
    return [attention[name] for name in names] if len(names) > 1 else attention["arr_0"]


def _is_file(attention: Any) -> bool:
    """Whether these are arrays by the names that a view's .npz has."""
    names = {f"{kind}.attention" for kind in LABELS} | {"attention"}
    return isinstance(attention, Mapping) and not names.isdisjoint(attention)


def _pictures_of(file: Mapping[str, Any]) -> dict[str, Picture]:
    """Arrays by name, `encoder.attention` or just `attention`, as a picture per kind; texts are JSON or arrays."""
    pictures = {}
    for kind in LABELS:
        prefix = "" if kind == "attention" else f"{kind}."
        if f"{prefix}attention" not in file:
            continue
        part = {name: file[prefix + name] for name in PARTS if prefix + name in file}
        texts = {name: text_of(text, name) for name, text in part.items() if name in TEXTS}
        tokens = texts.get("tokens")
        weights = part["attention"]
        by_layer = list(weights) if _is_array(weights) and len(weights.shape) == 4 else weights
        picture = picture_of(by_layer, texts.get("queries", tokens), texts.get("keys", tokens), kind)
        q, k, v = (_array(part[name], kind) if name in part else None for name in ("q", "k", "v"))
        mask = np.asarray(part["mask"], bool) if "mask" in part else picture.mask
        pictures[kind] = replace(picture, q=q, k=k, v=v, mask=mask, scale=float(texts.get("scale", 1.0)))
    return pictures


def picture_of(
    attention: Any, queries: Tokens | None = None, keys: Tokens | None = None, kind: str = "attention"
) -> Picture:
    """One kind of attention as a Picture, with its scores, and a causal mask where nothing looks ahead."""
    weights = np.stack(layers_of(attention, kind))
    _, _, T, S = weights.shape
    if queries is not None and _are_steps(attention) and len(queries) == T + 1:
        keys = queries[:-1] if keys is queries else keys
        queries = queries[:-1]
    rows, columns = names_of(queries, T, "queries", kind), names_of(keys, S, "keys", kind)
    _check(weights, kind)
    may_see = np.tril(np.ones((T, S), bool))
    is_causal = T == S > 1 and not weights[..., ~may_see].any()
    found = [measures(one) for one in weights]
    scores = {name: np.stack([layer[name] for layer in found]) for name in found[0]}
    mask = may_see if is_causal else None
    usual = chance(np.ones((T, S), bool) if mask is None else mask)
    facts = _gaps(attention)
    return Picture(rows, columns, weights, mask=mask, scores=scores, chance=usual, facts=facts, label=LABELS[kind])


def layers_of(attention: Any, kind: str = "attention") -> list[np.ndarray]:
    """Weights in any of the forms of this module as one float32 array (H, T, S) per layer that has attention.

    Raises ValueError, in a sentence, where there are none, or their shapes do not fit.
    """
    if not _is_array(attention) and (fields := _fields(attention)):
        raise ValueError(f"{kind}: {_advice(fields)}")
    if isinstance(attention, Mapping):
        names = ", ".join(map(str, attention))
        advice = f"none is called attention, but {names}; give one of them" if names else "there are none; give weights"
        raise ValueError(f"{kind}: these should be arrays by name, and {advice}")
    if _is_array(attention):
        _check_axes(attention, kind)
        whole = _array(attention, kind)
        if whole.ndim == 5 or whole.ndim == 4:  # (L, 1, H, T, S)
            layers = list(whole)
        elif whole.ndim in (2, 3):
            layers = [whole[None] if whole.ndim == 2 else whole]
        else:
            raise _odd_shape(kind, whole.shape)
        return _alike([_layer(layer, kind, n) for n, layer in enumerate(layers)], kind)
    if not isinstance(attention, list | tuple):
        raise ValueError(f"{kind}: {type(attention).__name__} is not an array, nor a list with an array per layer")
    there = [(n, layer) for n, layer in enumerate(attention) if layer is not None]
    if not there:
        raise ValueError(f"{kind}: {_NONE_RETURNED}.")
    if _are_steps(attention):
        return _of_steps(attention, kind)
    if isinstance(attention[0], list | tuple):
        return layers_of(np.asarray(attention, np.float32), kind)
    return _alike([_layer(_array(layer, kind), kind, n) for n, layer in there], kind)


def _fields(outputs: Any) -> dict[str, tuple[str, Any]]:
    """Where in all that a model returned its attention is: place -> (kind, weights); of transformers, or of ours."""
    held = outputs if isinstance(outputs, Mapping) else {}
    ours = getattr(outputs, "attention", outputs)
    found = {f'outputs["{name}"]': (kind, held[name]) for name, kind in FIELDS.items() if name in held}
    if any(hasattr(outputs, name) for name in FIELDS):
        found = {f"outputs.{name}": (kind, getattr(outputs, name, None)) for name, kind in FIELDS.items()}
    elif all(hasattr(ours, kind) for kind in LABELS if kind != "attention"):
        found = {f"outputs.attention.{kind}": (kind, getattr(ours, kind)) for kind in LABELS if kind != "attention"}
    return found


def _advice(fields: Mapping[str, tuple[str, Any]]) -> str:
    """What to give instead of all that a model returned."""
    kinds = {kind: place for place, (kind, weights) in fields.items() if weights is not None and len(weights)}
    if not kinds:
        return f"{_NONE_RETURNED}."
    place = kinds.get("attention") or next(iter(kinds.values()))
    if "attention" in kinds or len(kinds) == 1:
        return f"this is all that the model returned; give its field {place}"
    given = ", ".join(f"{kind}={place}" for kind, place in kinds.items())
    return f"this is all that the model returned; give its fields: show({given})"


def _check_axes(tensor: Any, kind: str) -> None:
    """Raises ValueError where an axis may be layers as well as the texts of a batch."""
    shape = tuple(tensor.shape)
    if len(shape) == 4 and shape[0] > 1 and not isinstance(tensor, np.ndarray):
        raise ValueError(
            f"{kind}: a tensor of shape {shape} may be {shape[0]} layers, or one layer of a batch of {shape[0]} texts. "
            "If its first axis is the layers, give list(attention); if it is the batch, attention[0] is the first text"
        )
    if len(shape) == 5 and shape[0] == 1 < shape[1]:
        raise ValueError(
            f"{kind}: an array of shape {shape} may be one text in {shape[1]} layers, or {shape[1]} texts in one layer."
            " Give list(attention[0]) for all layers of that text, or attention[0, 0] for the first of the texts"
        )


def _are_steps(attention: Any) -> bool:
    """Whether this is what `generate` returns: a list of steps, each a list of layers."""
    if not isinstance(attention, list | tuple) or not attention:
        return False
    return isinstance(attention[0], list | tuple) and not _is_deep_list(attention)


def _gaps(attention: Any) -> tuple[str, ...]:
    """A remark where some layers of a model have no attention, and the others are counted without them."""
    layers = attention[0] if _are_steps(attention) else attention
    if not isinstance(layers, list | tuple) or all(layer is not None for layer in layers):
        return ()
    there = [str(n) for n, layer in enumerate(layers) if layer is not None]
    numbers = f"layer{'s' * (len(there) > 1)} {', '.join(there)}"
    return (f"attention in {numbers} of {len(layers)} only; counted from 0 here",)


def _of_steps(steps: Sequence[Any], kind: str) -> list[np.ndarray]:
    """What `generate` returns: per step a tuple of layers, whose rows are those of the tokens read in that step."""
    first: Any = next((layer for layer in steps[0] if layer is not None), None)
    if _is_array(first) and len(first.shape) == 4 and first.shape[0] > 1:
        name = next(field for field, its_kind in FIELDS.items() if its_kind == kind)
        raise ValueError(
            f"{kind}: each step of this generation has {first.shape[0]} rows, the texts of a batch or the beams of a "
            f"search. One text of a batch is [[layer[0] for layer in step] for step in outputs.{name}]; the best beam "
            f"is [[layer[i] for layer in step] for step, i in zip(outputs.{name}, outputs.beam_indices[0]) if i > -1]"
        )
    taken = [layers_of(step, kind) for step in steps]
    if len({len(step) for step in taken}) > 1:
        raise ValueError(f"{kind}: the steps of this generation have different numbers of layers")
    width = max(rows.shape[2] for step in taken for rows in step)
    layers = []
    for parts in zip(*taken, strict=True):
        if len({part.shape[0] for part in parts}) > 1:
            raise ValueError(f"{kind}: the steps of this generation have different numbers of heads")
        padded = [np.pad(part, ((0, 0), (0, 0), (0, width - part.shape[2]))) for part in parts]
        layers.append(np.concatenate(padded, axis=1))
    return layers


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _is_deep_list(value: Any) -> bool:
    """Whether these are lists in lists down to plain numbers."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return isinstance(value, int | float)


def _array(value: Any, kind: str) -> np.ndarray:
    """float32 from an array or a tensor of any framework, from any device and of any precision."""
    if hasattr(value, "detach"):  # torch: bfloat16 has no numpy of its own
        try:
            value = value.detach().float().cpu().numpy()
        except (TypeError, RuntimeError):
            cause = (
                'a tensor on the device "meta" has a shape and no numbers; load the model with its weights'
                if value.is_meta
                else f"a tensor in the form {value.layout} is no array of numbers; give attention.to_dense()"
            )
            raise ValueError(f"{kind}: {cause}") from None
    try:
        return np.asarray(value).astype(np.float32)
    except (TypeError, ValueError):
        raise ValueError(f"{kind}: {type(value).__name__} cannot be read as an array of numbers") from None


def _layer(layer: np.ndarray, kind: str, n: int) -> np.ndarray:
    """One layer as (H, T, S); a batch of one is taken out of its batch."""
    if layer.ndim == 4 and layer.shape[0] == 1:
        layer = layer[0]
    if layer.ndim == 4:
        raise ValueError(
            f"{kind}: layer {n} has the shape {layer.shape}, a batch of {layer.shape[0]} texts. Give one text, for "
            "example [layer[0] for layer in attentions]"
        )
    if layer.ndim != 3:
        raise _odd_shape(kind, layer.shape, f"layer {n} ")
    if not layer.size:
        raise ValueError(f"{kind}: there is nothing to draw in a layer of shape {layer.shape}")
    return layer


def _odd_shape(kind: str, shape: tuple[int, ...], where: str = "") -> ValueError:
    return ValueError(
        f"{kind}: {where}has the shape {shape}; expected (heads, queries, keys) per layer, or (layers, heads, queries, "
        "keys) in all"
    )


def _alike(layers: list[np.ndarray], kind: str) -> list[np.ndarray]:
    for n, layer in enumerate(layers):
        if layer.shape != layers[0].shape:
            raise ValueError(
                f"{kind}: layer 0 has the shape {layers[0].shape} and layer {n} {layer.shape}; all layers must be alike"
            )
    return layers


def _check(weights: np.ndarray, kind: str) -> None:
    """Raises ValueError for what cannot be weights; warns of rows that do not add up to 1."""
    for layer, one in enumerate(weights):
        if not np.isfinite(one).all():
            where = int(np.argwhere(~np.isfinite(one))[0][0])
            raise ValueError(
                f"{kind}: layer {layer}, head {where} holds numbers that are not finite, as a row makes whose keys are "
                "all masked; leave such rows out, or set them to 0"
            )
        if one.min() < 0:
            raise ValueError(
                f"{kind}: layer {layer} has weights below 0, as scores have; take the softmax over the last axis first"
            )
    sums = weights.sum(-1)
    odd = (np.abs(sums - 1) > TOLERANCE) & (sums != 0)
    if odd.any():
        low, high = sums[odd].min(), sums[odd].max()
        cause = (
            "Was the model in training mode, with dropout? model.eval() ends that"
            if high > 1
            else "The rest goes to no token: to an attention sink, where the model has one (gpt-oss), or to keys that "
            "were cut off"
        )
        warnings.warn(
            f"{kind}: {odd.sum():,} of {odd.size:,} rows do not add up to 1 (from {low:.3g} to {high:.3g}). {cause}",
            stacklevel=4,
        )
