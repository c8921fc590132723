from collections.abc import Hashable
from itertools import combinations

import pytest
import torch
from hypothesis import settings

# A machine that is busy with something else is no reason to fail, so no example has a deadline.
settings.register_profile("full", deadline=None, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=200)  # `make thorough`
settings.register_profile("quick", deadline=None, max_examples=20)  # as `make check` asks for on the command line
settings.load_profile("full")


@pytest.hookimpl(tryfirst=True)  # before those that are not asked for are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a grid of parameters, mark the combinations wide that bring no new meeting of values.

    A meeting is of two values, each of its own parameter: in a grid of three parameters or more, `make test` tries any
    two values together once. Where parameters have nothing to do with each other, `@pytest.mark.grid(1)` says so: then
    it tries each value once.
    """
    met: dict[Hashable, set] = {}
    for item in items:
        spec = getattr(item, "callspec", None)
        if spec is None or item.get_closest_marker("wide"):
            continue
        names = [mark.args[0] for mark in item.iter_markers("parametrize")]
        axes = [name.replace(",", " ").split() if isinstance(name, str) else name for name in names]
        grid = item.get_closest_marker("grid")
        if not grid and len(axes) < 3:
            continue
        values = [tuple((name, id(spec.params[name])) for name in axis) for axis in axes]
        meetings = set(combinations(values, grid.args[0] if grid else 2))
        known = met.setdefault(item.nodeid.partition("[")[0], set())
        if meetings <= known:
            item.add_marker(pytest.mark.wide)
        known |= meetings


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """As the app sets it: another number of threads adds up in another order, and the last bit differs."""
    torch.set_num_threads(1)
