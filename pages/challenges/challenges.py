"""All puzzles, in the order of the list: from one click to a training."""

from pages.challenges import heads, texts, training

CHALLENGES = (texts.UNDECIDED_STORY, heads.HEAD, texts.FRENCH, training.SMALL)
BY_KEY = {challenge.key: challenge for challenge in CHALLENGES}
