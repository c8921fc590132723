"""Rotary positions stretched for longer texts: the fields of a config, with the settings that were published."""

import math
from typing import Any


def yarn_gain(factor: float, share: float = 1.0) -> float:
    """0.1 share ln(factor) + 1, by which YaRN multiplies what is rotated; 1 where nothing is stretched."""
    return 0.1 * share * math.log(factor) + 1 if factor > 1 else 1.0


_TURNS = {"llama3": (1.0, 4.0), "yarn": (1.0, 32.0)}  # between which pairs are stretched in part, as published


def stretch_fields(kind: str, factor: float, trained: int) -> dict[str, Any]:
    """The fields of TransformerConfig that stretch rotary positions, one of ROTARY_SCALINGS, with the settings that
    were published with it, for a model whose training texts had `trained` tokens. {} where nothing is stretched."""
    if kind == "none" or factor == 1:
        return {}
    fields: dict[str, Any] = {"rotary_scaling": kind, "rotary_factor": float(factor)}
    if kind in _TURNS:
        low, high = _TURNS[kind]
        fields |= {"rotary_low": low, "rotary_high": high, "rotary_len": trained}
    if kind == "yarn":
        fields["rotary_gain"] = yarn_gain(factor)
    return fields
