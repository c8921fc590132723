"""All words of the glossary, in groups, with a field that filters them as one types. It runs in the browser alone."""

import json
import math
import zlib
from functools import cache
from pathlib import Path

from lab.kit import story
from lab.kit.components import component
from lab.kit.glossary import payload, toy

HERE = Path(__file__).parent
ROOT = math.sqrt(32)  # by which the scores of the story were divided: the square root of the width of a head
_mount = component("word_list", HERE)


def word_list(*, key: str) -> None:
    """Put it on the page. A link names a word: /words?word=query."""
    _mount(data=words(), key=key)


@cache
def words() -> bytes:
    """The words as JSON, compressed; and of the story the two words that its last one looks at most, with scores."""
    *before, last = (sentence.split() for sentence in story.TEXT.split(". "))
    lines = [[word for sentence in before for word in (*sentence, ".")], last]
    told = {"lines": lines, "keys": toy.STORY_KEYS, "scores": toy.STORY_SCORES, "root": ROOT}
    sent = {"groups": payload.groups(), "story": told}
    return zlib.compress(json.dumps(sent, separators=(",", ":")).encode())
