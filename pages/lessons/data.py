"""What the page on lessons computes once and shares."""

import io
from base64 import b64encode

import transformer
from lab.kit import pictures, story
from lab.kit.lessons.board import MAX_PICTURE, MAX_SIDE, Picture
from lab.kit.models.references import Shipped
from lab.server.caching import cached
from transformer import generation
from transformer.core import workload
from transformer.core.workload import Workload

_QUALITIES = (80, 65, 50, 35, 20, 10)  # of WebP, tried in this order

LIKELY = 0.02  # of a next word that is shown by itself


def _one_pass(text: str) -> Workload:
    source = Shipped(story.WRITER).resolve()
    return workload.one_pass(source.config, len(source.ids(source.cut(text))), source.n_layers)


@cached(work=_one_pass)
def next_words(text: str) -> tuple[tuple[str, float], ...]:
    """The words that the storyteller is likely to go on with after a text, and their probabilities, largest first."""
    source = Shipped(story.WRITER).resolve()
    assert isinstance(source.model, transformer.DecoderModel)  # whatever writes stories is one
    state = generation.begin(source.model, source.ids(source.cut(text)), cached=False)
    probabilities = state.logits.softmax(-1).flatten().tolist()
    likely = [(source.labels[id], p) for id, p in enumerate(probabilities) if p >= LIKELY]
    return tuple(sorted(likely, key=lambda word: -word[1]))


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
