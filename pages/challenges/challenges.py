"""All challenges, in the order of the switch: from one click to a training."""

from pages.challenges import heads, numbers, texts

CHALLENGES = (
    heads.HEAD,
    heads.EDGE,
    heads.OWNER,
    heads.SHARP,
    texts.UNDECIDED_STORY,
    texts.FRENCH,
    numbers.ALIKE_CODES,
    numbers.SMALL,
)
