"""Things to learn whose answers are known: `make("reverse", longest=12)` -> Task.

A new task is a file of its own here, with a Declaration, and one line in the list below.
"""

import inspect
from typing import Any

from transformer.core.checks import InputError
from transformer.training.recipes import Recipe
from transformer.training.tasks import (
    addition,
    algorithms,
    brackets,
    code,
    english,
    french,
    own_text,
    pictures,
    repeat,
    sentiment,
    tales,
)
from transformer.training.tasks.storytelling import task as storytelling
from transformer.training.tasks.task import Declaration, Task

TASKS: dict[str, Declaration] = {
    declaration.name: declaration
    for declaration in (
        algorithms.COPY,
        algorithms.REVERSE,
        algorithms.SORT,
        repeat.REPEAT,
        brackets.BRACKETS,
        code.CODE_TASK,
        addition.ADDITION,
        french.FRENCH_TASK,
        english.ENGLISH_TASK,
        tales.TALES,
        storytelling.STORIES,
        sentiment.SENTIMENT,
        pictures.PICTURES,
        own_text.OWN_TEXT,
    )
}  # in the order in which they are offered


def make(name: str, /, **settings: Any) -> Task:
    """The task of this name. Raises InputError for an unknown name or setting."""
    declaration = _declaration(name)
    allowed = inspect.signature(declaration.make).parameters
    if not allowed.keys() >= settings.keys():
        raise InputError(f"the task {name!r} has no such setting; it has {', '.join(allowed) or 'none'}")
    return declaration.make(**settings)


def recipe(name: str, /) -> Recipe:
    """A model and a training that learn the task of this name. Raises InputError for an unknown name."""
    return _declaration(name).recipe


def _declaration(name: str) -> Declaration:
    if not isinstance(name, str) or name not in TASKS:
        raise InputError(f"there is no such task; try {', '.join(TASKS)}")
    return TASKS[name]
