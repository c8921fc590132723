"""All words of the glossary, in groups, with a field that filters them as one types. It runs in the browser alone."""

import json
import zlib
from functools import cache
from pathlib import Path

from lab.kit.components import component
from lab.kit.glossary import payload

HERE = Path(__file__).parent
_mount = component("word_list", HERE)


def word_list(*, key: str) -> None:
    """Put it on the page. A link names a word: /words?word=query."""
    _mount(data=words(), key=key)


@cache
def words() -> bytes:
    """The words as JSON, compressed."""
    return zlib.compress(json.dumps(payload.groups(), separators=(",", ":")).encode())
