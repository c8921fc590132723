import gc
import os
import sys
from collections.abc import Hashable
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
import torch
from hypothesis import settings

from tests.coverage import references

# A machine that is busy with something else is no reason to fail, so no example has a deadline.
settings.register_profile("full", deadline=None, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=200)  # `make thorough`
settings.register_profile("quick", deadline=None, max_examples=5)  # `make check`
settings.load_profile("full")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--host", choices=("own", "proxy", "traefik", "cloud"), default="own", help="see tests/browser/hosts.py"
    )
    parser.addoption("--promises", action="store_true", help="only the tests that SECURITY.md names")
    parser.addoption("--few", type=int, default=sys.maxsize, help="of each test, try this many of its parameters")


@pytest.hookimpl(tryfirst=True)  # before those that are not asked for are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a grid of parameters, mark the combinations wide that bring no new meeting of values.

    A meeting is of two values, each of its own parameter: in a grid of three parameters or more, `make test` tries any
    two values together once. Where parameters have nothing to do with each other, `@pytest.mark.grid(1)` says so: then
    it tries each value once. Of a test with `@pytest.mark.few(n)` it tries n of its parameters, evenly spread; with
    --few n it does so of every test.
    """
    if config.getoption("--promises"):
        promised = [item for item in items if is_promised(item.nodeid.partition("[")[0])]
        config.hook.pytest_deselected(items=[item for item in items if item not in promised])
        items[:] = promised
    few: int = config.getoption("--few")
    met: dict[Hashable, set] = {}
    tried: dict[str, list[pytest.Item]] = {}
    for item in items:
        spec = getattr(item, "callspec", None)
        if spec is None or item.get_closest_marker("wide"):
            continue
        name = item.nodeid.partition("[")[0]
        names = [mark.args[0] for mark in item.iter_markers("parametrize")]
        axes = [name.replace(",", " ").split() if isinstance(name, str) else name for name in names]
        grid = item.get_closest_marker("grid")
        if grid or len(axes) >= 3:
            values = [tuple((name, id(spec.params[name])) for name in axis) for axis in axes]
            meetings = set(combinations(values, grid.args[0] if grid else 2))
            known = met.setdefault(name, set())
            if meetings <= known:
                item.add_marker(pytest.mark.wide)
                continue
            known |= meetings
        tried.setdefault(name, []).append(item)
    for same in tried.values():
        mark = same[0].get_closest_marker("few")
        n = min(mark.args[0] if mark else len(same), few, len(same))
        kept = {k * len(same) // n for k in range(n)}
        for k, item in enumerate(same):
            if k not in kept:
                item.add_marker(pytest.mark.wide)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """-n auto: one process more than there are processors, since a quarter of a test's time is waiting."""
    return (os.cpu_count() or 1) + 1


@cache
def _promises() -> frozenset[str]:
    """What SECURITY.md names: tests, and whole files."""
    named = references((Path(__file__).parents[1] / "SECURITY.md").read_text(encoding="utf-8"))
    return frozenset(f"{one.file}::{one.test}" if one.test else one.file for one in named)


def is_promised(name: str) -> bool:
    """Whether SECURITY.md names this test, or its file."""
    return not _promises().isdisjoint({name, name.partition("::")[0]})


def pytest_collection_finish() -> None:
    """What is imported by now stays: Streamlit collects garbage after every run of a page, and may pass it over."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """As the app sets it: another number of threads adds up in another order, and the last bit differs."""
    torch.set_num_threads(1)
