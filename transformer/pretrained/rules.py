"""What the rules of a stranger's tokenizer.json may ask for, looked at before any of them is run.

A text goes through a normalizer, which changes its letters, and a pre-tokenizer, which cuts it into words; ids go
through a decoder. Each is a chain of rules, and each rule works on what the one before it has left: thirty that only
double every "a" would make a thousand million of one. So the most that each can make of a byte is multiplied, and a
chain whose product is above a bound is refused.
"""

import json
import math
import re
import struct
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from transformer.core.checks import InputError, is_whole
from transformer.pretrained.reading import MAX_VOCABULARY, explained

MAX_RULES = 50  # of a chain; published ones have a dozen at most
MAX_GROWTH = 150  # the most bytes that a chain may make of one; T5's can make 132 of a ligature of eighteen letters
MAX_CUT_GROWTH = 8  # the same of the pre-tokenizer alone, which marks the beginning of each word
MAX_ADDED = 16 * 2**20  # bytes that the normalizer may make of all added tokens, which it reads when it is loaded
MAX_FRAME = 64  # tokens around a text, such as [CLS] and [SEP]
_AROUND = ("continuing_subword_prefix", "end_of_word_suffix")  # of a model: what marks its tokens
_NOT_READ = "tokenizer.json is not a tokenizer that can be read here."

# How GPT-2, Llama 3 and Qwen 2 cut a text into words. Of other patterns only the simplest are taken.
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = "|".join(
    [
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
        r"[^\r\n\p{L}\p{N}]?\p{L}+",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
_PUBLISHED = {GPT2, LLAMA3, LLAMA3.replace("{1,3}", "")}

# Every rule that is known -> the most bytes that it makes of one (of the normal forms: unicode.org/reports/tr15, and
# tests try every letter); None: that depends on what it says.
GROWTH: dict[str, dict[str, float | None]] = {
    "normalizer": {
        "BertNormalizer": 3,
        "Strip": 1,
        "StripAccents": 1,
        "NFC": 3,
        "NFD": 3,
        "NFKC": 11,
        "NFKD": 11,
        "Lowercase": 1.5,
        "Nmt": 1,
        "ByteLevel": 2,
        "Replace": None,
        "Prepend": None,
        "Precompiled": None,
    },
    "pre_tokenizer": {
        "BertPreTokenizer": 1,
        "CharDelimiterSplit": 1,
        "Whitespace": 1,
        "WhitespaceSplit": 1,
        "Split": 1,
        "Punctuation": 1,
        "Digits": 1,
        "UnicodeScripts": 1,
        "FixedLength": 1,
        "ByteLevel": None,
        "Metaspace": None,
    },
    "post_processor": {"RobertaProcessing": 1, "BertProcessing": 1, "ByteLevel": 1, "TemplateProcessing": 1},
    "decoder": {
        "BPEDecoder": 2,
        "ByteLevel": 1.5,
        "WordPiece": 2,
        "Metaspace": 1,
        "CTC": 2,
        "Fuse": 1,
        "Strip": 1,
        "ByteFallback": 1,
        "Replace": None,
    },
}


def check(plan: Any) -> None:
    """Raise InputError for a tokenizer.json that would make the reading of an ordinary text slow or huge.

    Mends what need not be refused.
    """
    not_read = InputError(_NOT_READ)
    model = plan.get("model") if isinstance(plan, dict) else None
    if not isinstance(model, dict) or not isinstance(plan.get("added_tokens", []), list):
        raise not_read
    vocabulary, added = model.get("vocab"), plan.get("added_tokens", [])
    if not isinstance(vocabulary, dict | list) or len(vocabulary) + len(added) > MAX_VOCABULARY:
        raise InputError(f"tokenizer.json holds no vocabulary of at most {MAX_VOCABULARY:,} tokens.")
    model.pop("dropout", None)
    longest = model.get("max_input_chars_per_word", 100)
    if not is_whole(longest) or not 0 < longest <= 1000:
        raise not_read
    chains = {name: _rules(plan.get(name), known) for name, known in GROWTH.items()}
    for part in (model, *(part for rules in chains.values() for rule in rules for part in _components(rule))):
        pattern = part.get("pattern")
        if isinstance(pattern, dict) and "Regex" in pattern and not _is_quick(pattern["Regex"]):
            raise InputError("tokenizer.json cuts texts by a pattern that is not one of those known here.")
        for name in ("content", "prepend", "replacement", "prefix", "suffix", *_AROUND):
            if isinstance(part.get(name), str) and len(part[name]) > 16:
                raise not_read
        if part.get("type") == "Precompiled" and not _is_small_map(part.get("precompiled_charsmap")):
            raise not_read
    if len(json.dumps(plan.get("post_processor"))) > 20_000 or not all(map(_frames, chains["post_processor"])):
        raise not_read
    _check_growth(chains, added)


def _check_growth(chains: Mapping[str, Sequence[Mapping[str, Any]]], added: Sequence[Any]) -> None:
    """Raise InputError for rules that could make far more of a text, or of the tokens that were added."""
    growths = {name: math.prod(_growth(rule, GROWTH[name]) for rule in rules) for name, rules in chains.items()}
    normal, cut = growths["normalizer"], growths["pre_tokenizer"]
    if max(normal * cut, growths["decoder"]) > MAX_GROWTH or cut > MAX_CUT_GROWTH:
        raise InputError(
            "The rules of tokenizer.json, one after another, could make a text far longer than it is: more than"
            f" {MAX_GROWTH} bytes out of one, or more than {MAX_CUT_GROWTH} where it is cut into words."
        )
    if normal * sum(_n_bytes(token.get("content")) for token in added if isinstance(token, dict)) > MAX_ADDED:
        raise InputError("The rules of tokenizer.json could make far more of its added tokens than is read here.")


def parts(plan: Mapping[str, Any]) -> list[Any]:
    """What it does to a text beside the model: normalizer, pre-tokenizer, post-processor, decoder."""
    return [plan.get(name) for name in GROWTH]


def _rules(chain: Any, known: Mapping[str, float | None]) -> list[dict[str, Any]]:
    """The rules of a chain, and those within them. Raises InputError for one that is not known, and for too many."""
    found: list[dict[str, Any]] = []
    left = [] if chain is None else [chain]
    while left:
        rule = left.pop()
        kind = rule.get("type") if isinstance(rule, dict) else None
        if kind == "Sequence":
            left += [inner for value in rule.values() if isinstance(value, list) for inner in value]
        elif isinstance(kind, str) and kind in known:
            found.append(rule)
        else:
            raise InputError(_NOT_READ)
        if len(found) > MAX_RULES:
            raise InputError(
                f"tokenizer.json has more than {MAX_RULES} rules of a kind: reading a text would take long."
            )
    return found


def _components(part: Any) -> Iterator[dict[str, Any]]:
    """Every object in a tree of objects and lists. (json has already refused what is nested too deeply.)"""
    if isinstance(part, dict):
        yield part
    if isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _components(inner)


# ---- how much a rule can make of a text ----------------------------------------------------------------------------


def _growth(rule: Mapping[str, Any], known: Mapping[str, float | None]) -> float:
    """The most bytes that a rule makes of one."""
    fixed = known[rule["type"]]
    if fixed is not None:
        return fixed
    if rule["type"] == "ByteLevel":  # a letter for every byte, and perhaps a space before each word
        return 2 if rule.get("add_prefix_space") is False else 4
    if rule["type"] == "Precompiled":
        return _growth_by_map(rule.get("precompiled_charsmap"))
    if rule["type"] == "Replace":
        return _growth_by_replacing(rule.get("pattern"), _n_bytes(rule.get("content")))
    return 1 + _n_bytes(rule.get("replacement" if rule["type"] == "Metaspace" else "prepend"))


def _n_bytes(value: Any) -> int:
    return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else 0


def _growth_by_replacing(pattern: Any, n_bytes: int) -> float:
    """What is found becomes n_bytes. Where nothing at all can be found, these come between any two letters."""
    fixed = _n_bytes(pattern.get("String")) if isinstance(pattern, dict) else 0
    if fixed:
        return max(1, n_bytes / fixed)
    regex = pattern.get("Regex") if isinstance(pattern, dict) else None
    finds_letters = isinstance(regex, str) and regex and not re.search(r"[*?|^$]|\{0|\{,|\\[bBAzZGKyY]", regex)
    return max(1, n_bytes) if finds_letters else 1 + 2 * n_bytes


def _growth_by_map(data: Any) -> float:
    """SentencePiece's table: what it makes of each letter of one byte or two, and at most of those of three or more."""
    if data is None:
        return 1
    from tokenizers import normalizers

    with explained(_NOT_READ):
        replaced = normalizers.Precompiled(b64decode(data)).normalize_str
        short = [replaced(letter) for letter in _SHORT]
    growths = [len(new.encode()) / len(letter.encode()) for new, letter in zip(short, _SHORT, strict=True)]
    return max(1, *growths, max(map(len, _replacements(data)), default=0) / 3)


_SHORT = (*map(chr, range(1, 0x800)), "\r\n")  # all that can be one letter on screen and takes less than three bytes


# ---- what is refused alone -----------------------------------------------------------------------------------------


def _frames(rule: Mapping[str, Any]) -> bool:
    """Whether a post-processor only puts a few tokens around a text: a template could repeat it."""
    if rule["type"] != "TemplateProcessing":
        return True
    try:
        return all(_is_frame(rule[name], rule["special_tokens"]) for name in ("single", "pair"))
    except (AttributeError, KeyError, TypeError):
        return False


def _is_frame(template: Sequence[Mapping[str, Any]], named: Mapping[str, Any]) -> bool:
    texts = [piece["Sequence"]["id"] for piece in template if "Sequence" in piece]
    tokens = [piece["SpecialToken"]["id"] for piece in template if "SpecialToken" in piece]
    n_tokens = sum(len(named[token]["ids"]) for token in tokens)
    return len(texts) == len(set(texts)) and len(texts) + len(tokens) == len(template) and n_tokens <= MAX_FRAME


def _is_quick(pattern: Any) -> bool:
    """Whether a pattern of a regular expression is a published one, or can try little: one repetition, no group.

    "(a+)+$" takes a second for every letter of "aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", and ends with a panic.
    """
    if not isinstance(pattern, str) or pattern in _PUBLISHED:
        return isinstance(pattern, str)
    return len(pattern) <= 100 and "(" not in pattern and len(re.findall(r"[*+?{]", pattern)) <= 1


def _is_small_map(data: Any) -> bool:
    """Whether SentencePiece's table of replacements makes nothing of a letter that is much longer."""
    try:
        return data is None or all(len(part) <= 64 for part in _replacements(data))
    except (ValueError, TypeError, struct.error):
        return False


def _replacements(data: str) -> list[bytes]:
    """What letters are replaced by. The table is 4 bytes that give the size of a trie, the trie, and then these, each
    ended by a zero. Raises ValueError, TypeError or struct.error for what is no such table.
    """
    blob = b64decode(data, validate=True)
    (size,) = struct.unpack("<I", blob[:4])
    if size > len(blob) - 4:
        raise ValueError
    return blob[4 + size :].split(b"\0")
