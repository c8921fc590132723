"""What tokens are called: a name per query and per key, as given to `show` or as a file holds them."""

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np

Tokens = Sequence[str] | np.ndarray
MAX_LABEL = 40  # letters of a token
_SIGNS = {"\n": "⏎", "\r": "␍", "\t": "⇥", "Ċ": "⏎", "\x85": "⏎", "\u2028": "⏎", "\u2029": "⏎"}
_BLANKS = "".join(letter for letter in map(chr, range(0x3001)) if unicodedata.category(letter) == "Zs")
_IN_FRONT = _BLANKS + "Ġ▁"  # as GPT-2's and T5's tokenizers write a space in front of a word
_JOINERS = "\u200c\u200d"  # within a letter of some scripts, and within an emoji
_CHOOSERS = "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # of the form of the letter before
_FILLERS = "\u034f\u115f\u1160\u2800\u3164\uffa0"  # letters, but empty
_INKLESS = frozenset(_JOINERS + _CHOOSERS + _FILLERS + _BLANKS)


def text_of(text: Any, name: str) -> Any:
    """What a file says under a name: an array of texts as it is, or what JSON says."""
    if np.ndim(text) and name != "scale":
        return np.asarray(text).tolist()
    try:
        return json.loads(str(text))
    except ValueError:
        raise ValueError(f"its {name} cannot be read; save them with json.dumps") from None


def names_of(tokens: Tokens | None, n: int, side: str, kind: str) -> tuple[str, ...]:
    """A name for each of n queries or keys: the tokens, or numbers where there are none."""
    if tokens is None:
        return tuple(map(str, range(n)))
    if isinstance(tokens, str):
        raise ValueError("tokens are a list with a name per row; split the text as the model's tokenizer does")
    names = tuple(tokens)
    if not all(isinstance(name, str) for name in names):
        raise ValueError("tokens are texts; tokenizer.convert_ids_to_tokens(ids) makes them of the numbers")
    names = tuple(map(str, names))  # an array's texts are numpy's own
    if len(names) != n:
        raise ValueError(
            f"{kind}: the weights have {n} {side}, and {len(names)} tokens were given. A model's own tokens, "
            "special ones included, are tokenizer.convert_ids_to_tokens(inputs.input_ids[0])"
        )
    return tuple(map(drawable, names))


def drawable(name: str) -> str:
    """A token as it is, where all of it can be seen; else its label, or "∅" where it is empty."""
    return name if name.isprintable() and name == name.strip() and _has_ink(name) else label(name) or "∅"


def label(text: str, most: int = MAX_LABEL) -> str:
    """A stranger's text as it can be drawn: no control sign, nothing that turns the text around it, not too long.

    A blank in front or behind is shown as "·", as the tokens of all models are: `label("Ġcat") == "·cat"`. What has no
    width is left out; a text of nothing else is shown by its numbers: `label("\u200b") == "‹200b›"`.
    """
    wide = "".join(letter for letter in text if not _is_silent(letter))
    inner = wide.lstrip(_IN_FRONT)
    core = inner.rstrip(_BLANKS)
    front, behind = "·" * (len(wide) - len(inner)), "·" * (len(inner) - len(core))
    letters = [*front[: most + 1], *map(_sign, core[: most + 1]), *behind][: most + 1]
    if text and not any(map(_has_ink, letters)):
        letters = list(f"‹{' '.join(f'{ord(letter):02x}' for letter in text[:most])}›"[: most + 1])
    return "".join(letters) if len(letters) <= most else "".join(letters[: most - 1]) + "…"


def _sign(letter: str) -> str:
    """A letter within a text as it can be drawn."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if letter.isprintable() or letter in _JOINERS:
        return letter
    return " " if letter in _BLANKS else "\ufffd"


def _is_silent(letter: str) -> bool:
    """Whether this has no width and no direction: a soft hyphen, a place to break, the mark of a byte order."""
    if letter.isprintable() or letter in _JOINERS:
        return False
    return unicodedata.category(letter) == "Cf" and unicodedata.bidirectional(letter) == "BN"


def _has_ink(text: str) -> bool:
    return any(letter not in _INKLESS for letter in text)
