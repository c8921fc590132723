"""Brackets in code: what closes here? The beginning of a piece of code is read, and its open brackets are closed.

Code is cut into tokens that keep what matters for brackets: the six brackets, and otherwise only kinds of tokens, such
as a name or a number. So a model reads code in any language that has these brackets. The loss asks for the closing
brackets alone; but as a text may end anywhere, the model has to know everywhere which bracket would close.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.task import Declaration, Example, SpacedTokeniser, Task, probes, whole
from transformer.training.text import BOS, EOS, PAD

PAIRS = {"(": ")", "[": "]", "{": "}"}
NAME, NUMBER, STRING, SIGN, LINE = "name", "0", '""', "+", "⏎"
MAX_LENGTH = 96
_PIECES = re.compile(
    r"""(?P<bracket>[()\[\]{}])"""
    r"""|(?P<string>"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|`(?:[^`\\\n]|\\[^\n])*`)"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<number>\d\w*(?:\.\w+)?)|(?P<line>\n|⏎)|(?P<sign>[^\s\w()\[\]{}"'`⏎]+|["'`])"""
)
_TOKENS = {"name": NAME, "number": NUMBER, "string": STRING, "line": LINE, "sign": SIGN}


class Piece(NamedTuple):
    """A token of a piece of code, and where it lies in its letters: [start, end)."""

    token: str
    start: int
    end: int


def pieces(code: str) -> list[Piece]:
    """The tokens of a piece of code. Brackets within quotation marks are part of a string; spaces are left out."""
    return [
        Piece(_TOKENS.get(match.lastgroup or "", match.group()), match.start(), match.end())
        for match in _PIECES.finditer(code)
    ]


def partners(tokens: Sequence[str]) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs (closing, opening) of brackets that belong together, and the brackets that have no partner.

    A closing bracket belongs to the last one that is open, if that is of its kind; if not, it has none and closes none.
    """
    pairs: list[tuple[int, int]] = []
    is_open: list[int] = []
    alone: list[int] = []
    for place, token in enumerate(tokens):
        if token in PAIRS:
            is_open.append(place)
        elif token in PAIRS.values():
            if is_open and PAIRS[tokens[is_open[-1]]] == token:
                pairs.append((place, is_open.pop()))
            else:
                alone.append(place)
    return pairs, sorted(alone + is_open)


class CodeTokeniser(SpacedTokeniser):
    """Code in any language as brackets and kinds of tokens: `f(a[1])` is `name`, `(`, `name`, `[`, `0`, `]`, `)`."""

    def __init__(self) -> None:
        super().__init__((*PAIRS, *PAIRS.values(), NAME, NUMBER, STRING, SIGN, LINE))

    def cut(self, text: str) -> list[str]:
        return [piece.token for piece in pieces(text)]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The letters [start, end) of each token."""
        return [(piece.start, piece.end) for piece in pieces(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """Code that is cut into these tokens again, without <pad>, <bos> and <eos>."""
        return " ".join(self.vocabulary[id] for id in ids if id not in (PAD, BOS, EOS))


def code(shortest: int = 4, longest: int = 48) -> Task:
    """The source is the beginning of a piece of code with one open bracket or more; the target closes them.

    Each closing bracket is aligned to the one that it closes.
    """
    whole("shortest", shortest, 2, MAX_LENGTH)
    whole("longest", longest, shortest, MAX_LENGTH)
    signs = CodeTokeniser()
    ids = {token: signs.vocabulary.id(token) for token in (*PAIRS, *PAIRS.values(), *_TOKENS.values())}

    def draw(rng: Random) -> Example:
        tokens, is_open = _beginning(rng, rng.randint(shortest, longest))
        return example(tokens, is_open)

    def example(tokens: Sequence[str], is_open: Sequence[int]) -> Example:
        last_first = is_open[::-1]
        target = tuple(ids[PAIRS[tokens[j]]] for j in last_first)
        return Example(tuple(ids[token] for token in tokens), target, tuple(enumerate(last_first)))

    def answer(words: Sequence[str]) -> Example | None:
        if not all(word in ids for word in words):
            return None
        is_open = partners(words)[1]
        if not is_open or any(words[j] not in PAIRS for j in is_open):
            return None
        return example(words, is_open)

    return Task(
        name="code",
        title="Brackets in code",
        about="Close the open brackets of a piece of code, the last one first.",
        kind="decoder",
        source=signs,
        target=signs,
        draw=draw,
        probes=probes(draw, min(24, longest)),
        longest=longest,
        settings={"shortest": shortest, "longest": longest},
        answer=answer,
    )


def beginning(rng: Random, n: int) -> tuple[str, ...]:
    """n tokens of code, as long as one likes: some brackets are closed in it, and some are still open."""
    return tuple(_beginning(rng, n)[0])


# What may follow: (tokens, their weights). A closing bracket is "close"; what cannot be where it is asked for is left
# out by what is drawn instead.
_CLOSING = {"(": 0.34, "[": 0.42, "{": 0.07}  # how likely a bracket is closed, where it may be


def _beginning(rng: Random, n: int) -> tuple[list[str], list[int]]:
    """n tokens of code, and the places of its open brackets, at least one."""
    tokens: list[str] = []
    is_open: list[int] = []
    random = rng.random
    last = LINE
    for place in range(n):
        top = tokens[is_open[-1]] if is_open else ""
        left = n - 1 - place
        if (
            top
            and last != SIGN
            and random() < _CLOSING[top] * (1.6 if len(is_open) > 5 else 1)
            and len(is_open) > (left == 0)
        ):
            is_open.pop()
            last = PAIRS[top]
        elif last in PAIRS.values() or last in (NAME, NUMBER, STRING):  # after something that has a value
            draw = random()
            if last == NAME and draw < 0.4:
                last = "(" if draw < 0.26 else "["
            elif draw < 0.55 and top in ("", "{"):
                last = "{" if draw < 0.47 and last == ")" else LINE
            else:
                last = SIGN
        else:  # where a value is to come
            draw = random()
            last = (
                NAME
                if draw < 0.5
                else NUMBER
                if draw < 0.62
                else STRING
                if draw < 0.7
                else "("
                if draw < 0.82
                else "["
                if draw < 0.91
                else "{"
            )
        if left == 0 and not is_open and last not in PAIRS:
            last = rng.choice(tuple(PAIRS))
        if last in PAIRS:
            is_open.append(place)
        tokens.append(last)
    return tokens, is_open


CODE_TASK = Declaration(
    name="code",
    label="Brackets in code",
    sketch="f(a[1 → ])",
    to_ask="print(total[i",
    make=code,
    recipe=Recipe(
        small_model(48, 4, 2, positions="rotary"), Settings(steps=1200, batch_size=32, lr=4e-3, n_examples=20_000), 60
    ),
)
