"""How the tokens of a published model are shown, and which of them are one word."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from transformer.training.text import words

MAX_LABEL = 64  # characters of a token, as it is shown
SPACE, GLUE, UNDERLINE = "·", "##", "▁"
_SIGNS = {" ": SPACE, "\n": "⏎", "\r": "␍", "\t": "⇥"}


@cache
def byte_of() -> dict[str, int]:
    """GPT-2's letters for bytes -> the bytes: printable ones stand for themselves, the others follow from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


def bytes_text(token: str) -> str:
    """A token of a byte-level vocabulary as text; bytes that are no characters as "‹e2 80›"."""
    letters = byte_of()
    if not all(letter in letters for letter in token):
        return token
    text = bytes(letters[letter] for letter in token).decode("utf-8", "surrogateescape")
    return re.sub(r"[\udc80-\udcff]+", lambda run: _hexadecimal(ord(c) - 0xDC00 for c in run[0]), text)


def byte_token(token: str) -> str:
    """SentencePiece writes a byte as "<0xE2>"."""
    return _hexadecimal([int(token[3:5], 16)]) if re.fullmatch(r"<0x[0-9A-F]{2}>", token) else token


def _hexadecimal(numbers: Iterable[int]) -> str:
    return f"‹{' '.join(f'{number:02x}' for number in numbers)}›"


def visible(token: str, signs: Mapping[str, str] = _SIGNS) -> str:
    shown = "".join(signs.get(c) or (_hexadecimal([ord(c)]) if _has_no_ink(c) else c) for c in token[: MAX_LABEL + 1])
    return shown if len(shown) <= MAX_LABEL else shown[: MAX_LABEL - 1] + "…"


def _has_no_ink(letter: str) -> bool:
    category = unicodedata.category(letter)
    return category in ("Cc", "Cf", "Cn", "Cs", "Zl", "Zp") and letter not in "\u200d"  # but what joins an emoji


def words_of(texts: Sequence[str], parts: Sequence[int | None], spans: Sequence[tuple[int, int]]) -> list[int | None]:
    """The word of each token. What a word is does not depend on the model: "didn't" is one, "street." are two."""
    places = [places_of(text) for text in texts]
    numbers: dict[tuple[int, int], int] = {}
    found: list[int | None] = []
    for part, (start, end) in zip(parts, spans, strict=True):
        if part is None:
            found.append(None)
            continue
        # A space alone begins the word after it. More of them, or a line's end, are a word told by its place.
        stop = end + 1 if texts[part][start:end] in ("", " ") else end
        inside = [place for place in places[part][start:stop] if place >= 0]
        key = (part, inside[0] if inside else -1 - start)
        found.append(numbers.setdefault(key, len(numbers)))
    return found


def places_of(text: str) -> list[int]:
    """For each character the number of its word; -1 between words."""
    places, at = [-1] * len(text), 0
    for number, word in enumerate(words(text)):
        at = text.index(word, at)
        places[at : at + len(word)] = [number] * len(word)
        at += len(word)
    return places


def whole_characters(text: str) -> str:
    """Half a surrogate pair, which a browser can send and no tokenizer reads, becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
