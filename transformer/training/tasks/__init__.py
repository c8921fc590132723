"""Things to learn whose answers are known: `make("reverse", length=8)` -> Task."""

from collections.abc import Callable

from transformer.training.tasks import algorithms
from transformer.training.tasks.task import Task

MAKERS: dict[str, Callable[..., Task]] = {
    "copy": algorithms.copy,
    "reverse": algorithms.reverse,
    "sort": algorithms.sort,
}


def make(name: str, **settings) -> Task:
    """The task of this name. Raises ValueError for a name or a setting that there is not."""
    if name not in MAKERS:
        raise ValueError(f"there is no task {name!r}; try {', '.join(MAKERS)}")
    return MAKERS[name](**settings)
