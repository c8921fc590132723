"""Byte pairs learned from the stories: a frequent word is one token, any other text is cut into pieces.

python -m transformer.training.tasks.storytelling.tokens learns them again, and writes the file of merges. A model that
was trained on other tokens knows them no more, so that it is trained again, too.
"""

import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from random import Random

from transformer.training.byte_pairs import FIRST_MERGE, BytePairTokeniser, Merge
from transformer.training.text import BOS, EOS, PAD, SPECIALS, clean, name_of, signs, visible

FILE = Path(__file__).with_name("merges.txt")
N_TOKENS = 2000
N_LEARNED = 12_000  # stories
N_LISTED = 110  # how often each listed word is read beside them
_PIECES = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]|_")
_BEFORE_A_SIGN = re.compile(r" (?=[.,?!:;])")


def cut(text: str) -> list[str]:
    """The words and signs of a text, in lower case."""
    return _PIECES.findall(clean(text).lower().replace("’", "'"))


def joined(words: Iterable[str]) -> str:
    """The text of these words and signs."""
    return _BEFORE_A_SIGN.sub("", " ".join(words))


class StoryTokeniser(BytePairTokeniser):
    """Byte pairs within words. A word begins with the space before it, so it has the same tokens wherever it stands.

    Case is not read, nor how many spaces stand between two words; no text is unknown.
    """

    def __init__(self, merges: Iterable[Merge]) -> None:
        super().__init__(merges)
        self._tokens_of: dict[str, tuple[int, ...]] = {}  # of words of the stories
        self._labels: dict[int, str] = {}

    def encode(self, text: str) -> list[int]:
        return [id for word in cut(text) for id in self.of_word(word)]

    def of_word(self, word: str) -> tuple[int, ...]:
        """The tokens of one word or sign. Those of words that the stories tell are kept."""
        if (known := self._tokens_of.get(word)) is not None:
            return known
        ids = tuple(self._encoded([f" {word}"])[f" {word}"])
        if len(self._tokens_of) < MOST_KEPT:
            self._tokens_of[word] = ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        text = super().decode(id for id in ids if id not in (PAD, BOS, EOS))
        return _BEFORE_A_SIGN.sub("", text).strip(" ")

    def label(self, id: int) -> str:
        """The token in visible characters; ## in front of one that goes on within a word, as in BERT. A byte that is no
        character of its own as ‹d0›."""
        if (known := self._labels.get(id)) is None:
            known = self._labels[id] = self._label(id)
        return known

    def _label(self, id: int) -> str:
        if id < len(SPECIALS):
            return name_of(id, "")
        spelled = self.bytes(id)
        begins = spelled.startswith(b" ")
        try:
            text = visible(spelled.removeprefix(b" ").decode() or " ")
        except UnicodeDecodeError:  # one byte of a sign of several, which no story has
            return f"‹{spelled.hex(' ')}›"
        return text if begins else f"##{text}"

    @cached_property
    def _met(self) -> frozenset[int]:
        """The bytes of all signs that the stories have: what the merges are made of."""
        return frozenset(byte for merge in self.merges for byte in self.bytes(merge.id))

    def unmet(self, text: str) -> list[str]:
        """The signs of a text that no story has, each once, as they are written there."""
        found: dict[str, str] = {}
        for _, sign in signs(clean(text).replace("’", "'")):
            found.setdefault(sign.lower(), sign)
        return [sign for low, sign in found.items() if not self._met.issuperset(low.encode())]


MOST_KEPT = 50_000  # words whose tokens are kept


@cache
def tokeniser() -> StoryTokeniser:
    """The tokeniser of the stories, as the file has it."""
    pairs = (tuple(map(int, line.split())) for line in FILE.read_text().splitlines())
    return StoryTokeniser(Merge(left, right, FIRST_MERGE + n, count) for n, (left, right, count) in enumerate(pairs))


def learn() -> StoryTokeniser:
    """Learn the merges from stories of the grammar, and from a list of what people, things and places are called.

    The list makes most of them single tokens: the stories tell each of them seldom. So does the story of the pages.
    """
    from transformer.training.tasks.storytelling import words
    from transformer.training.tasks.storytelling.grammar import tell

    rng = Random(0)
    told = [told.word for _ in range(N_LEARNED) for told in tell(rng)]
    listed = (*words.PERSONS, *words.THINGS, *words.PLACES, *words.TAKES)
    story = cut("mia found a red hat. tom found a blue ball.")
    text = " ".join((*told, *10 * N_LISTED * story, *N_LISTED * listed))
    return StoryTokeniser(BytePairTokeniser.learn(f" {text}", N_TOKENS - FIRST_MERGE).merges)


if __name__ == "__main__":
    FILE.write_text("".join(f"{merge.left} {merge.right} {merge.count}\n" for merge in learn().merges))
