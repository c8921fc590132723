"""Things to learn whose answers are known: `make("reverse", length=8)` -> Task."""

import inspect
from collections.abc import Callable
from typing import Any

from transformer.checks import InputError
from transformer.training.tasks import (
    addition,
    algorithms,
    brackets,
    french,
    own_text,
    repeat,
    sentiment,
    stories,
)
from transformer.training.tasks.task import Task

MAKERS: dict[str, Callable[..., Task]] = {
    "copy": algorithms.copy,
    "reverse": algorithms.reverse,
    "sort": algorithms.sort,
    "repeat": repeat.repeat,
    "brackets": brackets.brackets,
    "addition": addition.addition,
    "french": french.french,
    "stories": stories.stories,
    "sentiment": sentiment.sentiment,
    "text": own_text.own_text,
}


def make(name: str, /, **settings: Any) -> Task:
    """The task of this name. Raises InputError for a name or a setting that there is not."""
    if not isinstance(name, str) or name not in MAKERS:
        raise InputError(f"there is no such task; try {', '.join(MAKERS)}")
    allowed = inspect.signature(MAKERS[name]).parameters
    if not allowed.keys() >= settings.keys():
        raise InputError(f"the task {name!r} has no such setting; it has {', '.join(allowed) or 'none'}")
    return MAKERS[name](**settings)
