"""SentencePiece's own files as the plan of a tokenizer that the library `tokenizers` can build.

    unigrams  T5's spiece.model (Raffel et al. 2020): of all ways to cut a text, the likeliest
    merges    tokenizer.model of Llama and Mistral (Touvron et al. 2023): the best pair of neighbours is joined, again
              and again; a character that is no piece is written as its bytes

The file is a protocol buffer (protobuf.dev/programming-guides/encoding): fields, each a number, a kind and a value. The
few that matter are read here, of a stranger's file as of any other; the numbers are those of sentencepiece_model.proto.
"""

import math
import re
import struct
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from transformer.checks import InputError, is_whole
from transformer.pretrained.reading import MAX_VOCABULARY, Data

UNIGRAM, BPE = 1, 2  # kinds of vocabularies
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6  # kinds of pieces: </s> is control; 4 are never cut
MAX_EXTRA = 1000
MAX_PIECE = 64  # characters of a piece that others are joined to; published ones have at most 48
MAX_MERGES = 1_000_000  # Gemma, the largest, has 0.6 million
UNIGRAMS, MERGES = "spiece.model", "tokenizer.model"
Value = int | float | bytes


class Vocabulary(NamedTuple):
    """What is used of such a file: (piece, score, kind) in the order of their ids, and how a text is prepared.

    kind          UNIGRAM or BPE
    has_bytes     whether a character that is no piece is written as its bytes
    replacements  the table of characters that are replaced
    begins        whether a space is set before a text; trims: whether spaces at its ends and repeated ones are dropped
    """

    pieces: list[tuple[str, float, int]]
    unknown: int
    kind: int
    has_bytes: bool
    replacements: bytes
    begins: bool
    trims: bool


# ---- unigrams ------------------------------------------------------------------------------------------------------


def unigrams(data: Data, described: Mapping[str, Any]) -> dict[str, Any]:
    """T5's tokenizer as tokenizer.json would say it. Raises InputError for what is no such file.

    described  what tokenizer_config.json says, of which `extra_ids` counts the sentinels after the pieces
    """
    read = vocabulary(bytes(data), UNIGRAMS)
    pieces = read.pieces
    if read.kind != UNIGRAM or read.has_bytes:
        raise InputError("spiece.model holds a vocabulary of merges or of bytes; bring a folder with tokenizer.json.")
    extra = described.get("extra_ids", 100)
    if not is_whole(extra) or not 0 <= extra <= MAX_EXTRA:
        raise InputError(f"tokenizer_config.json says extra_ids={str(extra)[:20]}; at most {MAX_EXTRA:,} are read.")
    names = [piece for piece, _, _ in pieces]
    if "</s>" not in names:
        raise InputError("spiece.model has no </s>, so it is no vocabulary of T5.")
    sentinels = [f"<extra_id_{n}>" for n in reversed(range(extra))]
    spaces = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    cleaning: list[dict[str, Any]] = [
        *_replacing(read.replacements),
        {"type": "Strip", "strip_left": False, "strip_right": True},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
    ]
    return {
        "version": "1.0",
        "added_tokens": _own(read, sentinels),
        "normalizer": {"type": "Sequence", "normalizers": cleaning},
        "pre_tokenizer": spaces,
        "post_processor": _frame({"</s>": names.index("</s>")}, [], ["</s>"]),
        "decoder": spaces,
        "model": {
            "type": "Unigram", "unk_id": read.unknown, "byte_fallback": False,
            "vocab": [[piece, score] for piece, score, _ in pieces] + [[name, 0.0] for name in sentinels],
        },
    }  # fmt: skip


# ---- merges --------------------------------------------------------------------------------------------------------


def merges(data: Data, described: Mapping[str, Any]) -> dict[str, Any]:
    """Llama's tokenizer as tokenizer.json would say it. Raises InputError for what is no such file.

    described  what tokenizer_config.json says: `bos_token`, `eos_token`, `add_bos_token`, `add_eos_token`, and tokens
               that were added after the pieces
    """
    read = vocabulary(bytes(data), MERGES)
    if read.kind != BPE:
        raise InputError("tokenizer.model holds no vocabulary of merges; bring a folder with tokenizer.json.")
    ids = {piece: id for id, (piece, _, _) in enumerate(read.pieces)}
    frame = {}
    for role, usual, default in (("bos", "<s>", True), ("eos", "</s>", False)):
        token = described.get(f"{role}_token")
        token = token.get("content") if isinstance(token, dict) else token
        name = token if isinstance(token, str) else usual
        wanted = described.get(f"add_{role}_token", default) is True
        frame[role] = [name] if wanted and name in ids else []
    space = [{"type": "Prepend", "prepend": "▁"}] if read.begins else []
    trimming = ((r"\A +", ""), (r" +\z", ""), (" {2,}", " ")) if read.trims else ()
    cleaning = [
        *_replacing(read.replacements),
        *(_put({"Regex": pattern}, content) for pattern, content in trimming),
        *space,
        _put({"String": " "}, "▁"),
    ]
    writing = [_put({"String": "▁"}, " "), {"type": "ByteFallback"}, {"type": "Fuse"}]
    trimmed = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    return {
        "version": "1.0",
        "added_tokens": _own(read, _added_later(described, len(ids))),
        "normalizer": {"type": "Sequence", "normalizers": cleaning},
        "pre_tokenizer": None,
        "post_processor": _frame({name: ids[name] for names in frame.values() for name in names}, *frame.values()),
        "decoder": {"type": "Sequence", "decoders": [*writing, *([trimmed] if space else [])]},
        "model": {
            "type": "BPE", "vocab": ids, "merges": pairs(read.pieces), "unk_token": read.pieces[read.unknown][0],
            "fuse_unk": True, "byte_fallback": read.has_bytes,
        },
    }  # fmt: skip


def pairs(pieces: Sequence[tuple[str, float, int]]) -> list[tuple[str, str]]:
    """Which two pieces are joined, the best first. The file gives a score to each piece: the pair whose joint piece has
    the highest score is joined first, whatever its two parts. Raises InputError where there would be too many.
    """
    scores = {piece: score for piece, score, kind in pieces if kind in (NORMAL, USER_DEFINED)}
    if any(len(piece) > MAX_PIECE for piece in scores):
        raise InputError(f"tokenizer.model holds a piece of more than {MAX_PIECE} characters.")
    found = []
    for whole in sorted(scores, key=scores.__getitem__, reverse=True):
        cuts = ((whole[:n], whole[n:]) for n in range(1, len(whole)))
        found += [(a, b) for a, b in cuts if a in scores and b in scores]
        if len(found) > MAX_MERGES:
            raise InputError(f"tokenizer.model joins more than {MAX_MERGES:,} pairs of pieces.")
    return found


def _added_later(described: Mapping[str, Any], n: int) -> list[str]:
    """The tokens that tokenizer_config.json adds after n pieces. Raises InputError where their numbers leave gaps."""
    added = described.get("added_tokens_decoder")
    added = added if isinstance(added, dict) else {}
    count = sum(not re.fullmatch(r"\d{1,7}", id, re.ASCII) or int(id) >= n for id in added)
    tokens = [added.get(str(n + k)) for k in range(min(count, MAX_EXTRA))]
    contents = [token.get("content") for token in tokens if isinstance(token, dict)]
    names = [name for name in contents if isinstance(name, str) and 0 < len(name) <= MAX_PIECE]
    if len(names) < count:
        raise InputError(f"tokenizer_config.json adds tokens that do not follow the {n:,} pieces of tokenizer.model.")
    return names


# ---- what both have in common --------------------------------------------------------------------------------------


def _own(read: Vocabulary, later: Sequence[str]) -> list[dict[str, Any]]:
    """The tokens that are found in a text before it is cut, as tokenizer.json lists them.

    later  names that come after the pieces
    """
    own = {id for id, (_, _, kind) in enumerate(read.pieces) if kind in (CONTROL, USER_DEFINED)} | {read.unknown}
    tokens = [(id, read.pieces[id][0], read.pieces[id][2] != USER_DEFINED) for id in sorted(own)]
    tokens += [(len(read.pieces) + n, name, True) for n, name in enumerate(later)]
    return [
        {
            "id": id, "content": name, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
            "special": special,
        }
        for id, name, special in tokens
    ]  # fmt: skip


def _replacing(table: bytes) -> list[dict[str, Any]]:
    return [{"type": "Precompiled", "precompiled_charsmap": b64encode(table).decode()}] if table else []


def _put(pattern: Mapping[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def _frame(ids: Mapping[str, int], before: Sequence[str], after: Sequence[str]) -> dict[str, Any]:
    """What stands around a text, and around each of two."""
    a, b = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    start, end = ([{"SpecialToken": {"id": name, "type_id": 0}} for name in names] for names in (before, after))
    return {
        "type": "TemplateProcessing", "single": [*start, a, *end], "pair": [*start, a, *end, *start, b, *end],
        "special_tokens": {name: {"id": name, "ids": [id], "tokens": [name]} for name, id in ids.items()},
    }  # fmt: skip


# ---- the file ------------------------------------------------------------------------------------------------------


class _Damage(Exception):
    """These bytes are no file of SentencePiece."""


def vocabulary(data: bytes, file: str) -> Vocabulary:
    """What a file of SentencePiece holds. Raises InputError for damaged files, and for more pieces than are read."""
    try:
        return _vocabulary(data, file)
    except _Damage as error:
        raise InputError(f"{file} is damaged, or no file of SentencePiece.") from error


def _vocabulary(data: bytes, file: str) -> Vocabulary:
    pieces: list[tuple[str, float, int]] = []
    trainer: dict[int, Value] = {}
    preparation: dict[int, Value] = {}
    for number, value in _fields(data):
        if number == 1:
            if len(pieces) == MAX_VOCABULARY:
                raise InputError(f"{file} holds more than {MAX_VOCABULARY:,} pieces.")
            pieces.append(_piece(_bytes(value)))
        elif number == 2:
            trainer = dict(_fields(_bytes(value)))
        elif number == 3:
            preparation = dict(_fields(_bytes(value)))
    kind, unknown = trainer.get(3, UNIGRAM), trainer.get(40, 0)
    if len({piece for piece, _, _ in pieces}) < len(pieces) or not isinstance(unknown, int) or unknown >= len(pieces):
        raise _Damage
    if not isinstance(kind, int):
        raise _Damage
    return Vocabulary(
        pieces, unknown, kind, bool(trainer.get(35, 0)), _bytes(preparation.get(2, b"")),
        begins=bool(preparation.get(3, 1)), trims=bool(preparation.get(4, 1)),
    )  # fmt: skip


def _piece(data: bytes) -> tuple[str, float, int]:
    """One piece: its text, the logarithm of its probability, and its kind."""
    facts = dict(_fields(data))
    score, kind = facts.get(2, 0.0), facts.get(3, 1)
    try:
        text = _bytes(facts.get(1, b"")).decode()
    except UnicodeDecodeError as error:
        raise _Damage from error
    if not text or not isinstance(score, float) or not math.isfinite(score) or not isinstance(kind, int):
        raise _Damage
    return text, score, kind


def _bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise _Damage
    return value


def _fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """(number, value) of every field of a message: whole numbers, floats, and what has a length as bytes."""
    at = 0
    while at < len(data):
        key, at = _whole(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _whole(data, at)
            yield number, value
            continue
        if kind == 2:
            n, at = _whole(data, at)
        elif kind in (1, 5):
            n = 8 if kind == 1 else 4
        else:
            raise _Damage
        part = data[at : at + n]
        if len(part) < n:
            raise _Damage
        yield number, struct.unpack("<f", part)[0] if kind == 5 else part
        at += n


def _whole(data: bytes, at: int) -> tuple[int, int]:
    """A whole number, seven bits to a byte, the lowest first; and where the next thing begins."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte, at = data[at], at + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise _Damage
