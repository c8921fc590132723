"""A text of the project itself: its faults are those of whoever wrote it, so they are raised, with the file's name."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lab.kit.texts.markdown import TextError

T = TypeVar("T")


def of_file(path: Path, read: Callable[[bytes], T]) -> T:
    """What `read` makes of a file."""
    try:
        return read(path.read_bytes())
    except TextError as error:
        error.add_note(f"in {path.parent.name}/{path.name}")
        raise
