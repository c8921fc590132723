"""Parameters of which `make test` tries the first ones, and `make thorough` the further ones as well."""

from collections.abc import Iterable
from typing import Any

import pytest


def further(values: Iterable[Any], n: int = 1) -> list[Any]:
    """The values as parameters of a test, all but the first n marked wide. A plain tuple is a value for each name."""
    return [value if k < n else _wide(*(value if type(value) is tuple else (value,))) for k, value in enumerate(values)]


def _wide(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.wide)
