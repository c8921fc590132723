"""Byte pair encoding (Sennrich et al. 2016), on bytes: learned merge by merge, and applied in the same order."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush, heapreplace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from transformer.training.text import BOS, EOS, PAD, SPECIALS, name_of

if TYPE_CHECKING:
    import numpy as np


class Merge(NamedTuple):
    """One step of learning byte pairs: two tokens that occurred side by side `count` times became one, with this id."""

    left: int
    right: int
    id: int
    count: int


class Join(NamedTuple):
    """One merge at one place of a text, in bytes: [start, middle) and [middle, end) became the token id."""

    start: int
    middle: int
    end: int
    id: int


class BytePairTokeniser:
    """Byte pair encoding (Sennrich, Haddow and Birch 2016), on bytes as in GPT-2, so that no text is ever unknown.

    At first every byte of the text in UTF-8 is a token with an id of its own. Then the most frequent pair of adjacent
    tokens becomes one new token, again and again. A new text is cut by the same merges in the same order. Merges never
    cross a gap: a token is part of one word, with the space before it.
    """

    def __init__(self, merges: Iterable[Merge]) -> None:
        self.merges: tuple[Merge, ...] = tuple(merges)
        self._ids = {(merge.left, merge.right): merge.id for merge in self.merges}
        self._bytes = [special.encode() for special in SPECIALS] + [bytes([b]) for b in range(256)]
        for merge in self.merges:
            self._bytes.append(self._bytes[merge.left] + self._bytes[merge.right])

    @classmethod
    def learn(cls, text: str, n_merges: int) -> "BytePairTokeniser":
        """Learn at most n_merges merges; fewer where no pair is left that occurs twice.

        Of equally frequent pairs, the one with the smaller ids is merged first.
        """
        return cls(merge for merge, _ in islice(cls.learning(text), n_merges))

    @staticmethod
    def learning(text: str) -> Iterator[tuple[Merge, Counter[tuple[int, int]]]]:
        """The merges that are learned from a text, each with the counts that it is chosen by: how often any two tokens
        stand side by side in the text before it. They change with the next merge."""
        chains = [(_Chain(_byte_ids(piece)), n) for piece, n in Counter(pieces(text)).items()]
        counts: Counter[tuple[int, int]] = Counter()
        places: dict[tuple[int, int], dict[tuple[int, int], None]] = {}  # pair -> where it has occurred: (chain, place)
        for c, (chain, n) in enumerate(chains):
            for at, pair in chain.pairs():
                counts[pair] += n
                places.setdefault(pair, {})[c, at] = None

        # Counts in the heap may be too high; the right one is put back when such an entry comes up.
        heap = [(-n, pair) for pair, n in counts.items()]
        heapify(heap)
        id = FIRST_MERGE
        while heap:
            count, pair = -heap[0][0], heap[0][1]
            if count != counts[pair]:
                heapreplace(heap, (-counts[pair], pair))
                continue
            heappop(heap)
            if count < 2:
                break
            yield Merge(*pair, id, count), counts
            new_pairs: set[tuple[int, int]] = set()
            for c, at in sorted(places.pop(pair)):
                chain, n = chains[c]
                if chain.pair(at) != pair:  # merged away since
                    continue
                for lost in chain.around(at):
                    counts[lost] -= n
                chain.merge(at, id)
                for place in (chain.left[at], at):
                    neighbours = chain.pair(place)
                    if neighbours:
                        counts[neighbours] += n
                        places.setdefault(neighbours, {})[c, place] = None
                        new_pairs.add(neighbours)
            for neighbours in new_pairs:
                heappush(heap, (-counts[neighbours], neighbours))
            id += 1

    def first(self, n: int) -> "BytePairTokeniser":
        """The tokeniser as it was after n merges."""
        return BytePairTokeniser(self.merges[:n])

    def __len__(self) -> int:
        return len(self._bytes)

    def encode(self, text: str) -> list[int]:
        cut = pieces(text)
        known = self._encoded(dict.fromkeys(cut))
        return [id for piece in cut for id in known[piece]]

    def _encoded(self, different: Iterable[str]) -> dict[str, list[int]]:
        """piece -> its tokens."""
        import numpy as np

        ids = {piece: _byte_ids(piece) for piece in different}
        if sum(map(len, ids.values())) < LONG:
            return {piece: self._merged(_Chain(tokens))[0] for piece, tokens in ids.items()}
        # A merge only makes tokens for later merges, so one after the other over the whole text comes to the same.
        tokens = np.array([id for tokens in ids.values() for id in (*tokens, _BORDER)], dtype=np.int32)
        for merge in self.merges:
            tokens = _merged_everywhere(tokens, merge)
        merged, ends = tokens.tolist(), np.flatnonzero(tokens == _BORDER).tolist()
        starts = [0, *(end + 1 for end in ends)]
        return {piece: merged[start:end] for piece, start, end in zip(ids, starts, ends, strict=False)}

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids without <pad>, <bos> and <eos>. Bytes that are no character become U+FFFD."""
        return _text(b"".join(self.bytes(id) for id in ids if id not in (PAD, BOS, EOS)))

    def joins(self, text: str) -> list[Join]:
        """How the bytes of this text became tokens: every merge that was applied, in the order of learning."""
        joins: list[Join] = []
        start = 0
        for piece in pieces(text):
            chain = _Chain(_byte_ids(piece))
            joins += [Join(start + j.start, start + j.middle, start + j.end, j.id) for j in self._merged(chain)[1]]
            start += len(chain.tokens)
        return sorted(joins, key=lambda join: (join.id, join.start))

    def adjacent(self, text: str) -> set[tuple[int, int]]:
        """The tokens that stand side by side in this text, two by two: what a next merge could join."""
        cut = (self._merged(_Chain(_byte_ids(piece)))[0] for piece in set(pieces(text)))
        return {pair for tokens in cut for pair in pairwise(tokens)}

    def bytes(self, id: int) -> bytes:
        """What a token stands for. Raises IndexError if no token has this id."""
        if not 0 <= id < len(self._bytes):
            raise IndexError(f"ids run from 0 to {len(self._bytes) - 1}; there is no {id}")
        return self._bytes[id]

    def label(self, id: int) -> str:
        """The token in visible characters: bytes that are not a character of their own as hexadecimal numbers."""
        try:
            return name_of(id, self.bytes(id).decode())
        except UnicodeDecodeError:
            return " ".join(f"{byte:02X}" for byte in self.bytes(id))

    def _merged(self, chain: "_Chain") -> tuple[list[int], list[Join]]:
        """The tokens of one piece, and the merges that made them: those learned first are applied first."""
        heap = [(self._ids[pair], at) for at, pair in chain.pairs() if pair in self._ids]
        heapify(heap)
        joins = []
        while heap:
            id, at = heappop(heap)
            pair = chain.pair(at)
            if pair is None or self._ids.get(pair) != id:
                continue
            middle = chain.right[at]
            chain.merge(at, id)
            joins.append(Join(at, middle, chain.right[at], id))
            for place in (chain.left[at], at):
                pair = chain.pair(place)
                if pair in self._ids:
                    heappush(heap, (self._ids[pair], place))
        return list(chain), joins


FIRST_BYTE = len(SPECIALS)
FIRST_MERGE = FIRST_BYTE + 256
LONG = 20_000  # bytes of different pieces, from which on it is quicker to apply a merge to all of them at once
_BORDER = -1  # between two pieces: no token


def pieces(text: str) -> list[str]:
    """Cuts a text where byte pairs are not merged: before the space before a word, and between letters and signs."""
    return _PIECE.findall(text)


# A word with its apostrophes, or a run of signs, each with one space before it; or a gap.
_PIECE = re.compile(r" ?[^\W_]+(?:['’][^\W_]+)*| ?(?:[^\w\s]|_)+|\s+?(?= ?\S)|\s+")


def _merged_everywhere(tokens: "np.ndarray", merge: Merge) -> "np.ndarray":
    """The tokens (n,) after one merge, from left to right."""
    import numpy as np

    places = np.flatnonzero((tokens[:-1] == merge.left) & (tokens[1:] == merge.right))
    if not len(places):
        return tokens
    if (
        merge.left == merge.right
    ):  # of a run of equal tokens, the first and second are joined, the third and fourth, ...
        number = np.arange(len(places))
        begins = np.diff(places, prepend=-2) > 1
        places = places[(number - np.maximum.accumulate(np.where(begins, number, 0))) % 2 == 0]
    result = tokens.copy()
    result[places] = merge.id
    return np.delete(result, places + 1)


def _byte_ids(text: str) -> list[int]:
    return [FIRST_BYTE + byte for byte in text.encode("utf-8", "surrogatepass")]


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


class _Chain:
    """Adjacent tokens, of which two neighbours can become one without moving the others."""

    def __init__(self, tokens: list[int]) -> None:
        n = len(tokens)
        self.tokens: list[int | None] = list(tokens)  # None: now part of the token before it
        self.left = list(range(-1, n - 1))  # -1: none
        self.right = list(range(1, n + 1))  # n: none

    def __iter__(self) -> Iterator[int]:
        return (token for token in self.tokens if token is not None)

    def pair(self, at: int) -> tuple[int, int] | None:
        """The token that begins at this place and the one after it, or None if there are not two."""
        if at < 0 or self.right[at] == len(self.tokens):
            return None
        first, second = self.tokens[at], self.tokens[self.right[at]]
        return None if first is None or second is None else (first, second)

    def pairs(self) -> list[tuple[int, tuple[int, int]]]:
        return [(at, pair) for at in range(len(self.tokens)) if (pair := self.pair(at))]

    def around(self, at: int) -> list[tuple[int, int]]:
        """The pairs that are lost when this token and the next become one."""
        touched = (self.left[at], at, self.right[at])
        return [pair for place in touched if (pair := self.pair(place))]

    def merge(self, at: int, token: int) -> None:
        """The token at this place and the next become this token."""
        gone = self.right[at]
        self.tokens[at], self.tokens[gone] = token, None
        self.right[at] = self.right[gone]
        if self.right[at] < len(self.tokens):
            self.left[self.right[at]] = at
