"""Parameters of which `make test` tries the first ones, and `make thorough` the further ones as well."""

from collections.abc import Sequence
from typing import Any

import pytest


def further(values: Sequence[Any], n: int = 1) -> list[Any]:
    """The values as parameters of a test: all but the first n are marked wide."""
    return [*values[:n], *(pytest.param(*_together(value), marks=pytest.mark.wide) for value in values[n:])]


def _together(value: Any) -> tuple:
    return value if isinstance(value, tuple) else (value,)
