"""From a few lines of Python to a file, and from the file to the picture of all its heads. It runs in the browser."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component, sent

_mount = component("from_file", Path(__file__).parent)


class Shown(NamedTuple):
    """One kind of attention in a file as it is drawn, on the first tokens.

    name, n_bytes  of the file;  digest: tells files apart
    kind           of attention;  also: the file's other kinds, each drawn so too
    layers, heads  of it;  tokens, n_keys: how many look and are looked at, of which the first are drawn
    queries, keys  the tokens that are drawn;  is_one_text: whether these are the same
    asks           the number of the query that is asked about at first
    named          the number of the head that the file names, 0 where it names none
    marks          the numbers of the keys that are no words
    maps           each attention weight as 16 bits, head by head, in base64
    beyond         of each row of `maps` whose largest weight is of a key that is not drawn: the number of the row, and
                   the key's number, weight and token
    """

    name: str
    n_bytes: int
    digest: str
    kind: str
    layers: int
    heads: int
    tokens: int
    n_keys: int
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    is_one_text: bool
    asks: int
    named: int
    marks: tuple[int, ...]
    maps: str
    beyond: tuple[tuple[int, int, float, str], ...] = ()
    also: "tuple[Shown, ...]" = ()

    def plain(self) -> dict:
        """To be sent."""
        return self._asdict() | {"also": [one.plain() for one in self.also]}


class Takes(NamedTuple):
    """The endings of names of files that are taken, and the most bytes of one."""

    types: tuple[str, ...]
    most: int


class Came(NamedTuple):
    """How many files of the visitor's have come, and why the last one cannot be shown, "" where it can."""

    n: int
    refused: str


def plain_maps(weights: np.ndarray) -> str:
    """Attention weights of any shape as 16 bits each, in base64; one a little above 1, by rounding, is 1."""
    return b64encode(np.round(65535 * np.minimum(1, weights.astype("f8"))).astype("<u2").tobytes()).decode()


def from_file(
    examples: Sequence[Shown],
    own: Shown | None,
    scripts: Mapping[str, str],
    limits: str,
    *,
    opened: str,
    takes: Takes,
    came: Came,
    key: str,
    on_try: Callable[[str], None],
) -> None:
    """Put it on the page.

    own      the visitor's file, if there is one;  scripts: lines of Python by what they are for
    limits   what files are taken, in a sentence;  takes: the same in numbers
    opened   the name of the example that is open now, "" for `own`;  came: of the visitor's files so far
    on_try   hears the name of the example that is opened, "" for `own`
    """
    names = {one.name for one in examples}

    def tried() -> None:
        name = sent(key, "try", str)
        if name is not None and (name in names or name == ""):
            on_try(name)

    data = {
        "examples": [one.plain() for one in examples],
        "own": own.plain() if own else None,
        "scripts": dict(scripts),
        "limits": limits,
        "open": opened,
        "takes": takes._asdict(),
        "came": came.n,
        "refused": came.refused,
    }
    _mount(data=data, key=key, on_try_change=tried)
