"""What the page on lessons computes once and shares."""

import io
from base64 import b64encode

from lab.kit import pictures
from lab.kit.lessons.board import MAX_PICTURE, MAX_SIDE, Picture
from lab.kit.models.readings import Reading, next_token
from lab.kit.models.references import Mask, Shipped
from lab.server.caching import cached

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


def may_follow(text: str) -> list[tuple[str, float]]:
    """The words that the storyteller may write after a text, each with its chance, the likeliest first."""
    ref = Shipped("stories")
    source = ref.resolve()
    chances = next_token(Reading(ref, Mask("causal"), source.cut(text)))
    return [(source.labels[id], float(chances[id])) for id in chances.argsort()[::-1] if chances[id] >= LEAST]
