"""The tokeniser of sentences from a grammar, all of whose words are known in advance."""

import re
from collections.abc import Iterable, Mapping

from transformer.training.tasks.task import SpacedTokeniser
from transformer.training.text import BOS, EOS, PAD, clean

_PIECES = re.compile(r"[^\W_]+(?:'[^\W_]+)*|_|[^\w\s]")
_NO_SPACE_BEFORE = (",", ".")


class SentenceTokeniser(SpacedTokeniser):
    """Every word and every punctuation mark is a token, in lower case; an unknown one is <unk>.

    A full stop (or ! or ?) at the end is left out if the vocabulary lacks it. `spelled_out` lists words that stand for
    several: {"don't": "do not"}.
    """

    pieces = _PIECES

    def __init__(self, tokens: Iterable[str], spelled_out: Mapping[str, str] | None = None) -> None:
        super().__init__(tokens)
        self._spelled_out = dict(spelled_out or {})

    def cut(self, text: str) -> list[str]:
        text = "".join(c if c.isprintable() else " " for c in clean(text).lower()).replace("’", "'")
        tokens: list[str] = []
        for piece in self.pieces.findall(text):
            tokens += self._spelled_out[piece].split() if piece in self._spelled_out else [piece]
        while tokens and tokens[-1] in ".!?" and tokens[-1] not in self.vocabulary:
            tokens.pop()
        return tokens

    def unknown(self, text: str) -> list[str]:
        """The words of a text that have no token, each once."""
        return [token for token in dict.fromkeys(self.cut(text)) if token not in self.vocabulary]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids without <pad>, <bos> and <eos>. No space before a comma or after an elision."""
        text = ""
        for id in ids:
            if id in (PAD, BOS, EOS):
                continue
            token = self.vocabulary[id]
            joined = not text or token in _NO_SPACE_BEFORE or text.endswith("'")
            text += token if joined else f" {token}"
        return text


class FrenchTokeniser(SentenceTokeniser):
    """The same for French, where an elided word is a token with its apostrophe: `n'aime` is `n'`, `aime`."""

    pieces = re.compile(r"[^\W_]+'|" + r"[^\W_]+|_|[^\w\s]")
