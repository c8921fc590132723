"""Which parts of a model are taken out: as links write them, as people say them, and as the model takes them."""

from collections.abc import Iterable

# Whole kinds, which go out of every layer: as controls and links have always called them, and as the model does.
KINDS = {"Residual": "residual", "Norm": "norm", "Feed-forward": "feed_forward", "Attention": "attention"}
NOTHING = "nothing"
MAX_NAMED = 2  # parts that are named one by one; more are counted
_SAID = {  # of one layer: inspection.ablations.CUTS
    "attention": "attention in layer {}",
    "feed_forward": "feed-forward in layer {}",
    "residual1": "the residual around attention in layer {}",
    "residual2": "the residual around feed-forward in layer {}",
    "norm1": "the norm of attention in layer {}",
    "norm2": "the norm of feed-forward in layer {}",
}
_KINDS_SAID = {"residual": "residual connections", "norm": "norms", "feed_forward": "feed-forward"}


def read(text: str, n_layers: int) -> tuple[str, ...] | None:
    """The parts that a link names: "Attention", "attention.2,norm1.0" or "nothing". None for what no model of so many
    layers has."""
    if text.casefold() == NOTHING:
        return ()
    kinds = {name.casefold(): kind for name, kind in KINDS.items()}
    parts = []
    for name in text.split(","):
        part = kinds.get(name.strip().casefold(), name.strip().casefold().replace("-", "_"))
        kind, _, layer = part.partition(".")
        fits = kind in _SAID and layer.isdecimal() and len(layer) < 4 and int(layer) < n_layers
        if not fits and part not in KINDS.values():
            return None
        parts.append(f"{kind}.{int(layer)}" if fits else part)
    return tuple(sorted(dict.fromkeys(parts)))


def written(parts: Iterable[str]) -> str:
    """The same as a link has it."""
    kinds = {kind: name for name, kind in KINDS.items()}
    return ",".join(kinds.get(part, part.replace("_", "-")) for part in parts) or NOTHING


def said(parts: tuple[str, ...]) -> str:
    """The same in words: "attention", "attention in layer 2", "attention in layer 1 and …", "4 parts"."""
    if len(parts) > MAX_NAMED:
        return f"{len(parts)} parts"
    return " and ".join(_one(part) for part in parts) or "nothing"


def _one(part: str) -> str:
    kind, _, layer = part.partition(".")
    return _SAID[kind].format(layer) if layer else _KINDS_SAID.get(kind, kind)
