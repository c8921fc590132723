"""Parameters of which `make test` tries the first ones, and `make thorough` the further ones as well; examples too."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def further(values: Iterable[Any], n: int = 1) -> list[Any]:
    """The values as parameters of a test, all but the first n marked wide. A plain tuple is a value for each name."""
    return [value if k < n else _wide(*(value if type(value) is tuple else (value,))) for k, value in enumerate(values)]


def examples(n: int, **others: Any) -> settings:
    """How many examples a test draws: n in `make test`, ten times n in `make thorough`, as their profiles have it."""
    return settings(max_examples=-(-n * settings().max_examples // settings.get_profile("full").max_examples), **others)


def _wide(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.wide)
