"""What the page on lessons computes once and shares. What the first stop of the first lesson needs of a model is stored
beside this file, so that nobody waits for it:

python -m pages.lessons.data
"""

import io
import json
from base64 import b64encode
from functools import cache
from pathlib import Path

from lab.kit import pictures
from lab.kit.lessons.board import MAX_PICTURE, MAX_SIDE, Picture
from lab.kit.lessons.shelf import ORDER, Place
from lab.kit.models.readings import Reading, next_token
from lab.kit.models.references import Mask, Shipped
from lab.server.caching import cached

FILE = Path(__file__).with_name("may_follow.json")
TEXT = "gen_text"  # the setting of the first stop that holds its text
LEAST = 0.002  # the smallest chance of a word that is drawn
_QUALITIES = (80, 65, 50, 35, 20, 10)  # of WebP, tried in this order


@cached(entries=40, work=lambda digest, _data: pictures.work(_data, MAX_SIDE))
def small(digest: str, _data: bytes) -> Picture:
    """A PNG or JPEG file made small enough for the board of a stop; digest tells files apart.

    Raises InputError and TooMuch.
    """
    return made(_data)


def made(data: bytes) -> Picture:
    """The same, computed. Raises InputError for a file that cannot be opened."""
    from PIL import Image

    image = Image.fromarray(pictures.opened(data, MAX_SIDE, is_whole=True))
    for quality in _QUALITIES:
        out = io.BytesIO()
        image.save(out, "WEBP", quality=quality)
        if out.tell() <= MAX_PICTURE:
            break
        image = image.resize([max(1, round(side * 0.85)) for side in image.size])
    return Picture("What it shows", b64encode(out.getvalue()).decode())


def beginning() -> str:
    """What the first stop of the first lesson continues, no word more."""
    return dict(Place(ORDER[0], 1).stop.link.settings)[TEXT]


@cache
def stored() -> list[tuple[str, float]]:
    """What may follow the beginning, as it is stored."""
    return [(word, chance) for word, chance in json.loads(FILE.read_text(encoding="utf-8"))]


def may_follow(text: str) -> list[tuple[str, float]]:
    """The words that the storyteller may write after a text, each with its chance, the likeliest first."""
    ref = Shipped("stories")
    source = ref.resolve()
    chances = next_token(Reading(ref, Mask("causal"), source.cut(text)))
    return [(source.labels[id], round(float(chances[id]), 4)) for id in chances.argsort()[::-1] if chances[id] >= LEAST]


if __name__ == "__main__":
    FILE.write_text(json.dumps(may_follow(beginning())) + "\n", encoding="utf-8")
