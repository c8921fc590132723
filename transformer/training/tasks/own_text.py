"""A visitor's own text: a decoder learns to continue it, character by character or in byte pairs."""

from random import Random

from transformer.core.checks import InputError
from transformer.training.byte_pairs import BytePairTokeniser
from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.task import HELD_OUT, Declaration, Example, Task, whole
from transformer.training.text import CharacterTokeniser

LEVELS = ("characters", "byte pairs")
MIN_TEXT, MAX_TEXT = 200, 200_000  # characters
MAX_DISTINCT = 2000  # different characters: each costs a row of the embedding
MAX_MERGES = 1000
MERGE_TEXT = 60_000  # characters that byte pairs are learned from: enough for the common ones, and quick
MERGE_BYTES = 3 * MERGE_TEXT  # and bytes: what a character of any living script takes, but fewer emoji
MAX_LENGTH = 256


def own_text(text: str = "", level: str = "characters", n_merges: int = 200, length: int = 64) -> Task:
    """Windows of `length` tokens from anywhere in a text; the source is empty, and nothing is aligned.

    The last tenth of the text is held out as one piece, because windows overlap: a window to train on and one to test
    on must come from parts that do not. A window that occurs in both parts counts as held out.

    Raises InputError for a text that is too short for such windows, too long, or of too many different characters.
    """
    text = _checked(text)
    if not isinstance(level, str) or level not in LEVELS:
        raise InputError(f"a text can be cut into {' or '.join(LEVELS)}")
    whole("n_merges", n_merges, 0, MAX_MERGES)
    whole("length", length, 2, MAX_LENGTH)
    tokeniser = _tokeniser(text, level, n_merges)
    ids = tuple(tokeniser.encode(text))
    first = len(ids) - len(ids) // HELD_OUT  # of what is held out
    fits = len(ids) - first
    if fits < length:
        shorter = f"choose windows of at most {fits}, or a longer text" if fits > 1 else "choose a longer text"
        raise InputError(
            f"the last tenth of this text is kept for the test, and has {fits} tokens, not {length}; {shorter}"
        )
    test_part = _as_text(ids[first:])

    def draw(rng: Random) -> Example:
        """Every place is equally likely, but no window crosses the border."""
        start = rng.randrange(len(ids) - 2 * length + 2)
        if start > first - length:
            start += length - 1
        return Example((), ids[start : start + length])

    def held_out(example: Example) -> bool:
        return _as_text(example.target) in test_part

    apart = (first, len(ids) - length)
    return Task(
        name="text",
        title="Your own text",
        about="Go on with a text as it would go on by itself.",
        ends=False,
        separator="",
        kind="decoder",
        source=tokeniser,
        target=tokeniser,
        draw=draw,
        probes=tuple(Example((), ids[start : start + length]) for start in sorted(set(apart))),
        longest=length,
        settings={"text": text, "level": level, "n_merges": n_merges, "length": length},
        held_out=held_out,
        too_few="this text says the same again and again, so nothing new is left for the test; choose another",
    )


def _tokeniser(text: str, level: str, n_merges: int) -> CharacterTokeniser | BytePairTokeniser:
    """What cuts this text, learned from it."""
    if level == "characters":
        if len(set(text)) > MAX_DISTINCT:
            raise InputError(
                f"this text has more than {MAX_DISTINCT:,} different characters; cut it into byte pairs instead"
            )
        return CharacterTokeniser.learn(text)
    # Merges are learned from what is trained on; bytes leave nothing unknown in the rest.
    n_characters = min(MERGE_TEXT, len(text) - len(text) // HELD_OUT)
    sample = text[:n_characters].encode()[:MERGE_BYTES].decode(errors="ignore")
    return BytePairTokeniser.learn(sample, n_merges)


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise InputError("the text to learn from must be plain text")
    if len(text) > MAX_TEXT:
        raise InputError(
            f"this text has {len(text):,} characters; at most {MAX_TEXT:,} can be learned from, so shorten it"
        )
    # Halves of surrogate pairs are no characters, and cannot be drawn or saved.
    text = text.replace("\r\n", "\n").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if len(text) < MIN_TEXT:
        raise InputError(f"this text has {len(text):,} characters; give one of at least {MIN_TEXT}")
    return text


def _as_text(ids: tuple[int, ...]) -> str:
    """Ids as characters: a window is then found by a fast search for text."""
    return "".join(map(chr, ids))


OWN_TEXT = Declaration(
    name="text",
    label="Your own text",
    sketch="to be or …",
    to_ask="a beginning",
    make=own_text,
    recipe=Recipe(small_model(64, 4, 2, positions="rotary"), Settings(steps=500, batch_size=32, lr=3e-3), 25),
    needs_text=True,
)
