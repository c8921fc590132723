"""From what a person types to tokens and ids. No torch here: a page cuts a sentence before a model is loaded."""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from transformer.core.checks import InputError

if TYPE_CHECKING:
    pass

_JOINERS = "\u200c\u200d"  # zero-width (non-)joiner: inside a word or an emoji sequence
_APOSTROPHES = "'’"
_WITHOUT_INK = ("Zs", "Zl", "Zp", "Cc", "Cf")


def clean(text: str) -> str:
    """Replaces what no font can draw: lone surrogates become U+FFFD, control characters become spaces."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = unicodedata.normalize("NFC", text)
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)


def words(text: str) -> list[str]:
    """Cuts a text into words and signs: `words("It didn't!") == ["It", "didn't", "!"]`.

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


def signs(text: str) -> list[tuple[int, str]]:
    """Every sign of a text and where it begins: a letter with its marks, an emoji with its modifiers, a flag with both
    its letters. Left out is what has no ink: spaces, and what would change a sign that is not there."""
    found: list[tuple[int, str]] = []
    gap = True  # whether nothing stands right before the next character
    for i, char in enumerate(text):
        changes = unicodedata.category(char)[0] == "M" or _joins(char)
        if (unicodedata.category(char) in _WITHOUT_INK and not _joins(char)) or (gap and changes):
            gap = True
            continue
        start, sign = found[-1] if found else (i, "")
        if not gap and (sign.endswith("\u200d") or _extends(sign, char)):
            found[-1] = start, sign + char
        else:
            found.append((i, char))
        gap = False
    return found


def hashed_ids(tokens: list[str], vocab_size: int) -> list[int]:
    """Ids for a vocabulary without a list of words: the id of a word is a hash of it.

    A word has the same id in every text, so editing one word leaves the vectors of the others unchanged. Two words of
    one text never share an id: where their hashes collide, the later one takes the next free id. Raises InputError if
    the vocabulary is too small for that.
    """
    ids: dict[str, int] = {}
    taken: set[int] = set()
    for token in tokens:
        if token in ids:
            continue
        if len(taken) == vocab_size:
            raise InputError(f"{len(set(tokens))} different words do not fit a vocabulary of {vocab_size}")
        digest = hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=8).digest()
        id = int.from_bytes(digest, "big") % vocab_size
        while id in taken:
            id = (id + 1) % vocab_size
        ids[token] = id
        taken.add(id)
    return [ids[token] for token in tokens]


# ---- tokenisers: learned from one text, they cut any other into tokens with ids ------------------------------------

SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")  # the first ids of every vocabulary
PAD, BOS, EOS, UNKNOWN = range(4)
NAMES = ("⟨pad⟩", "⟨start⟩", "⟨end⟩", "⟨unknown⟩")  # what they are called on screen
GLUE = "##"  # in WordTokeniser: no space between this token and the one before it
_SYMBOLS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}


class Vocabulary:
    """Tokens and their ids: first the SPECIALS, then the given tokens, each once, in order."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens: tuple[str, ...] = tuple(dict.fromkeys((*SPECIALS, *tokens)))
        self._ids = {token: id for id, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __getitem__(self, id: int) -> str:
        """The token of an id. Raises IndexError if no token has it."""
        if not 0 <= id < len(self.tokens):
            raise IndexError(f"ids run from 0 to {len(self.tokens) - 1}; there is no {id}")
        return self.tokens[id]

    def id(self, token: str) -> int:
        """The id of a token; that of <unk> if it has none of its own."""
        return self._ids.get(token, UNKNOWN)

    @classmethod
    def of(cls, tokens: Iterable[str], limit: int | None = None) -> "Vocabulary":
        """The `limit` most frequent tokens, the most frequent first; equally frequent ones in order of appearance."""
        return cls(token for token, _ in Counter(tokens).most_common(limit))


class CharacterTokeniser:
    """Every character is a token: few ids, long sequences. An unknown character is <unk>."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    @classmethod
    def learn(cls, text: str, limit: int | None = None) -> "CharacterTokeniser":
        return cls(Vocabulary.of(text, limit))

    def __len__(self) -> int:
        return len(self.vocabulary)

    def encode(self, text: str) -> list[int]:
        return [self.vocabulary.id(char) for char in text]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids without <pad>, <bos> and <eos>: the original, if all its characters were learned."""
        return "".join(self.vocabulary[id] for id in ids if id not in (PAD, BOS, EOS))

    def label(self, id: int) -> str:
        """The token in visible characters: a space as ␣."""
        return name_of(id, self.vocabulary[id])


class WordTokeniser:
    """Every word or sign is a token: short sequences, many ids. An unknown word is <unk>.

    A single space between two tokens is implied. A token that follows without a space, such as a comma, begins with
    ##, so that the text can be restored: `It's so!` is `It's`, `so`, `##!`. Any other gap is a token of its own.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    @classmethod
    def learn(cls, text: str, limit: int | None = None) -> "WordTokeniser":
        return cls(Vocabulary.of(cls.cut(text), limit))

    @staticmethod
    def cut(text: str) -> list[str]:
        """The tokens of a text, whether they have an id or not."""
        tokens: list[str] = []
        end = 0
        for word in words(text):
            start = text.index(word, end)  # only what cannot be seen lies between two words
            gap = text[end:start]
            if gap not in ("", " ") or (gap and not tokens):
                tokens.append(GLUE + gap)
                gap = ""
            tokens.append(word if gap or not tokens else GLUE + word)
            end = start + len(word)
        return tokens + [GLUE + text[end:]] * (end < len(text))

    def __len__(self) -> int:
        return len(self.vocabulary)

    def encode(self, text: str) -> list[int]:
        return [self.vocabulary.id(token) for token in self.cut(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids without <pad>, <bos> and <eos>: the original, if all its words were learned."""
        text = ""
        for n, id in enumerate(id for id in ids if id not in (PAD, BOS, EOS)):
            token = self.vocabulary[id]
            text += token.removeprefix(GLUE) if token.startswith(GLUE) else " " * (n > 0) + token
        return text

    def label(self, id: int) -> str:
        """The token in visible characters."""
        return name_of(id, self.vocabulary[id])


def name_of(id: int, token: str) -> str:
    """What a token is called on screen: its name in NAMES if it stands for no text, else its visible characters."""
    return NAMES[id] if id < len(NAMES) else visible(token)


def visible(token: str) -> str:
    """A token in visible characters: a space as ␣, the end of a line as ⏎, others without ink by their number."""
    return "".join(_SYMBOLS.get(c) or (c if c.isprintable() else f"U+{ord(c):04X}") for c in token)
