"""SentencePiece's own file, spiece.model, as the plan of a tokenizer that the library `tokenizers` can build.

The file is a protocol buffer (protobuf.dev/programming-guides/encoding): fields, each a number, a kind and a value. The
few that matter are read here, of a stranger's file as of any other; the numbers are those of sentencepiece_model.proto.
Unigram vocabularies, with T5's frame around a text, are all that is built.
"""

import math
import struct
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from transformer.checks import InputError, is_whole
from transformer.pretrained.reading import MAX_VOCABULARY, Data

UNIGRAM = 1
CONTROL, USER_DEFINED = 3, 4  # kinds of pieces: </s> and its like; pieces that are never cut
MAX_EXTRA = 1000
_DAMAGED = "spiece.model is damaged, or no file of SentencePiece."
Value = int | float | bytes


class Vocabulary(NamedTuple):
    """What is used of such a file: (piece, score, kind) in the order of their ids, and the table of replacements."""

    pieces: list[tuple[str, float, int]]
    unknown: int
    replacements: bytes


def plan(data: Data, described: Mapping[str, Any]) -> dict[str, Any]:
    """T5's tokenizer (Raffel et al. 2020) as tokenizer.json would say it. Raises InputError for what is no such file.

    described  what tokenizer_config.json says, of which `extra_ids` counts the sentinels after the pieces
    """
    pieces, unknown, replacements = vocabulary(bytes(data))
    extra = described.get("extra_ids", 100)
    if not is_whole(extra) or not 0 <= extra <= MAX_EXTRA:
        raise InputError(f"tokenizer_config.json says extra_ids={str(extra)[:20]}; at most {MAX_EXTRA:,} are read.")
    names = [piece for piece, _, _ in pieces]
    if "</s>" not in names:
        raise InputError("spiece.model has no </s>, so it is no vocabulary of T5.")
    sentinels = [f"<extra_id_{n}>" for n in reversed(range(extra))]
    own = {id for id, (_, _, kind) in enumerate(pieces) if kind in (CONTROL, USER_DEFINED)} | {unknown}
    added = [(id, names[id], pieces[id][2] != USER_DEFINED) for id in sorted(own)]
    added += [(len(names) + n, name, True) for n, name in enumerate(sentinels)]
    spaces = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    cleaning: list[dict[str, Any]] = [
        {"type": "Strip", "strip_left": False, "strip_right": True},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
    ]
    if replacements:
        table = b64encode(replacements).decode()
        cleaning.insert(0, {"type": "Precompiled", "precompiled_charsmap": table})
    end = {"SpecialToken": {"id": "</s>", "type_id": 0}}
    a, b = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    return {
        "version": "1.0",
        "added_tokens": [
            {
                "id": id, "content": name, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                "special": special,
            }
            for id, name, special in added
        ],
        "normalizer": {"type": "Sequence", "normalizers": cleaning},
        "pre_tokenizer": spaces,
        "post_processor": {
            "type": "TemplateProcessing", "single": [a, end], "pair": [a, end, b, end],
            "special_tokens": {"</s>": {"id": "</s>", "ids": [names.index("</s>")], "tokens": ["</s>"]}},
        },
        "decoder": spaces,
        "model": {
            "type": "Unigram", "unk_id": unknown, "byte_fallback": False,
            "vocab": [[piece, score] for piece, score, _ in pieces] + [[name, 0.0] for name in sentinels],
        },
    }  # fmt: skip


def vocabulary(data: bytes) -> Vocabulary:
    """What a file of SentencePiece holds. Raises InputError for another kind of vocabulary, and for damaged files."""
    pieces: list[tuple[str, float, int]] = []
    kind, unknown, has_bytes, replacements = UNIGRAM, 0, 0, b""
    for number, value in _fields(data):
        if number == 1:
            if len(pieces) == MAX_VOCABULARY:
                raise InputError(f"spiece.model holds more than {MAX_VOCABULARY:,} pieces.")
            pieces.append(_piece(_bytes(value)))
        elif number == 2:
            trainer = dict(_fields(_bytes(value)))
            kind, unknown, has_bytes = trainer.get(3, UNIGRAM), trainer.get(40, 0), trainer.get(35, 0)
        elif number == 3:
            replacements = _bytes(dict(_fields(_bytes(value))).get(2, b""))
    if kind != UNIGRAM or has_bytes:
        raise InputError("spiece.model holds a vocabulary of merges or of bytes; bring a folder with tokenizer.json.")
    if len({piece for piece, _, _ in pieces}) < len(pieces) or not isinstance(unknown, int) or unknown >= len(pieces):
        raise InputError(_DAMAGED)
    return Vocabulary(pieces, unknown, replacements)


def _piece(data: bytes) -> tuple[str, float, int]:
    """One piece: its text, the logarithm of its probability, and its kind."""
    facts = dict(_fields(data))
    score, kind = facts.get(2, 0.0), facts.get(3, 1)
    try:
        text = _bytes(facts.get(1, b"")).decode()
    except UnicodeDecodeError as error:
        raise InputError(_DAMAGED) from error
    if not text or not isinstance(score, float) or not math.isfinite(score) or not isinstance(kind, int):
        raise InputError(_DAMAGED)
    return text, score, kind


def _bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise InputError(_DAMAGED)
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
            raise InputError(_DAMAGED)
        part = data[at : at + n]
        if len(part) < n:
            raise InputError(_DAMAGED)
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
    raise InputError(_DAMAGED)
