"""From what a person types to tokens and ids. No torch here: a page cuts a sentence before a model is loaded."""

import hashlib
import unicodedata

_JOINERS = "\u200c\u200d"  # zero-width (non-)joiner: inside a word or an emoji sequence
_APOSTROPHES = "'’"


def clean(text: str) -> str:
    """The text with what no font can draw made harmless: lone surrogates become U+FFFD, control characters spaces."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = unicodedata.normalize("NFC", text)
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)


def words(text: str) -> list[str]:
    """Cut a text into words and signs: `words("It didn't!") == ["It", "didn't", "!"]`.

    A word is letters, digits and their combining marks in any script, with apostrophes inside; every other visible
    character is a token of its own, an emoji together with its modifiers and a flag with both its letters.
    """
    tokens: list[str] = []
    gap = True  # whether nothing stands right before the next character
    in_word = False  # whether the last token is a word that may still grow
    glue = False  # whether the next character belongs to the last token, whatever it is
    for i, char in enumerate(text):
        category = unicodedata.category(char)
        if category[0] in "ZC" and (gap or not _joins(char)):
            gap, in_word, glue = True, False, False
            continue
        if gap or not (in_word or glue or _extends(tokens[-1], char)):
            tokens.append(char)
            in_word, glue = _is_letter(category), False
        elif glue or _extends(tokens[-1], char):
            tokens[-1] += char
            glue = char == "\u200d" and not in_word
        elif _is_letter(category) or (char in _APOSTROPHES and _letter_follows(text, i)):
            tokens[-1] += char
        else:
            tokens.append(char)
            in_word = False
        gap = False
    return tokens


def _is_letter(category: str) -> bool:
    return category[0] in "LN"


def _letter_follows(text: str, i: int) -> bool:
    return i + 1 < len(text) and _is_letter(unicodedata.category(text[i + 1]))


def _joins(char: str) -> bool:
    """Whether `char`, without ink of its own, is part of what it stands in: joiners, and the tags of England's flag."""
    return char in _JOINERS or "\U000e0020" <= char <= "\U000e007f"


def _extends(token: str, char: str) -> bool:
    """Whether `char` has no standing of its own, but changes the token before it."""
    is_flag_half = "\U0001f1e6" <= char <= "\U0001f1ff"
    return (
        unicodedata.category(char)[0] == "M"
        or _joins(char)
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or (is_flag_half and len(token) == 1 and "\U0001f1e6" <= token <= "\U0001f1ff")
    )


def hashed_ids(tokens: list[str], vocab_size: int) -> list[int]:
    """Ids for a vocabulary without a list of words: a word's id is a hash of the word.

    The same word has the same id in every text, so editing one word leaves the vectors of the others alone. Two words
    of one text never share an id: the later one takes the next free one. Raises ValueError if the vocabulary is too
    small for that.
    """
    ids: dict[str, int] = {}
    taken: set[int] = set()
    for token in tokens:
        if token in ids:
            continue
        if len(taken) == vocab_size:
            raise ValueError(f"{len(set(tokens))} different words do not fit a vocabulary of {vocab_size}")
        digest = hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=8).digest()
        id = int.from_bytes(digest, "big") % vocab_size
        while id in taken:
            id = (id + 1) % vocab_size
        ids[token] = id
        taken.add(id)
    return [ids[token] for token in tokens]
