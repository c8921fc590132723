"""All words of the glossary, in groups, with a field that filters them as one types. It runs in the browser alone."""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.kit.components import component
from lab.kit.glossary import payload

_mount = component("word_list", Path(__file__).parent)


def word_list(told: Mapping[str, Any], *, key: str) -> None:
    """Put it on the page. A link names a word: /words?word=query.

    told  the numbers behind the pictures that a hand moves: see pages/words/data.py
    """
    sent = {"groups": payload.groups(), "told": told}
    _mount(data=zlib.compress(json.dumps(sent, separators=(",", ":")).encode()), key=key)
