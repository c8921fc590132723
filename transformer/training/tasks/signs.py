"""The tokeniser of brackets and sums: every character is a token, and spaces mean nothing."""

from collections.abc import Iterable

from transformer.training.tasks.task import SpacedTokeniser
from transformer.training.text import BOS, EOS, PAD


class SignTokeniser(SpacedTokeniser):
    """Every character but a space is a token: `(a` is `(`, `a`. An unknown one is <unk>."""

    def cut(self, text: str) -> list[str]:
        return [char for char in text if not char.isspace()]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids without spaces, <pad>, <bos> and <eos>."""
        return "".join(self.vocabulary[id] for id in ids if id not in (PAD, BOS, EOS))
