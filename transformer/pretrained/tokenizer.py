"""From a text to a published model's tokens and ids, and back. `tokenizers` does the cutting; it is imported when used.

How tokens are shown to people, in every family alike:

    "·the"      a token that begins with a space: GPT-2's "Ġthe", T5's "▁the"
    "##ing"     WordPiece's mark of a token that continues a word; it marks no spaces
    "⏎" "⇥"     a line's end, a tab
    "‹e2 80›"   bytes that are no whole character, in hexadecimal; "‹200b›" a character without ink
    "[CLS]"     special tokens under their own names
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from transformer.core.checks import InputError, is_number, is_whole
from transformer.pretrained import rules
from transformer.pretrained.labels import GLUE, UNDERLINE, byte_token, bytes_text, visible, whole_characters, words_of
from transformer.pretrained.reading import Data, explained, json_in, quoted

if TYPE_CHECKING:
    import tokenizers

FILES = {  # what a tokenizer is made of -> the most bytes that are read of it
    "tokenizer.json": 32 * 2**20,
    "tokenizer_config.json": 2**20,
    "special_tokens_map.json": 2**18,
    "vocab.txt": 8 * 2**20,
    "vocab.json": 8 * 2**20,
    "merges.txt": 8 * 2**20,
    "preprocessor_config.json": 2**18,  # of a model that reads images
}
MAX_TEXT = 20_000  # characters; more than the longest text that any page takes
MAX_NORMAL = 4 * MAX_TEXT  # bytes of a text once it is normalized: no more than that many characters can have before
_OLDER = ("vocab.txt", "vocab.json", "merges.txt")
_PAIR_FILES = ("vocab.json", "merges.txt")
_WORD_PIECES, _BYTE_PAIRS = ("bert", "distilbert"), ("gpt2", "roberta", "bart")  # families that these say all about
_OLDER_CLASSES = ("BertTokenizer", "DistilBertTokenizer", "GPT2Tokenizer", "RobertaTokenizer", "BartTokenizer")
_ROLES = ("bos", "eos", "pad", "mask", "unk", "cls", "sep")
# What special tokens are called in a family, where a folder does not say it: published ones often do not.
_BERT_NAMES = {"unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "pad": "[PAD]", "mask": "[MASK]"}
_FRAME_NAMES = {
    "bos": "<s>",
    "eos": "</s>",
    "cls": "<s>",
    "sep": "</s>",
    "unk": "<unk>",
    "pad": "<pad>",
    "mask": "<mask>",
}
_END = "<|endoftext|>"
_T5_NAMES = {"eos": "</s>", "unk": "<unk>", "pad": "<pad>"}
_QWEN_NAMES = {"eos": _END, "unk": _END, "pad": _END}
_USUAL_NAMES = {
    "bert": _BERT_NAMES,
    "distilbert": _BERT_NAMES,
    "roberta": _FRAME_NAMES,
    "xlm-roberta": _FRAME_NAMES,
    "camembert": _FRAME_NAMES,
    "bart": _FRAME_NAMES,
    "t5": _T5_NAMES,
    "mt5": _T5_NAMES,
    "gpt2": {"bos": _END, "eos": _END, "unk": _END},
    "qwen2": _QWEN_NAMES,
    "qwen3": _QWEN_NAMES,
    "gpt_neox": {"bos": _END, "eos": _END, "unk": _END, "pad": "<|padding|>"},
}


class Encoding(NamedTuple):
    """A text, or a pair of texts, as a model reads it: one entry per token in each field.

    tokens    as they are shown to people
    segments  what the model's segment embedding is given: as a rule 0, and 1 in the second text of a pair in BERT
    special   whether it stands for no part of a text: [CLS], </s>, ...
    words     the number of the word that it is a part of, counted through both texts; None for special tokens
    spans     (start, end): its characters in its text; None for special tokens
    texts     0 or 1: which of the two texts it belongs to; None for special tokens
    """

    ids: list[int]
    tokens: tuple[str, ...]
    segments: list[int]
    special: list[bool]
    words: list[int | None]
    spans: list[tuple[int, int] | None]
    texts: list[int | None]


class Tokenizer:
    """A published tokenizer: any text -> the ids that its model was trained on.

    bos, eos, pad, mask, unk, cls, sep   ids of its special tokens; None for those it does not have
    """

    bos: int | None
    eos: int | None
    pad: int | None
    mask: int | None
    unk: int | None
    cls: int | None
    sep: int | None
    _of = "tokens"

    def __init__(self, inner: "tokenizers.Tokenizer", roles: Mapping[str, int], is_bytes: bool) -> None:
        self._inner = inner
        self._is_bytes = is_bytes
        self._special = {id for id, token in inner.get_added_tokens_decoder().items() if token.special}
        self._special |= set(roles.values())
        self.bos, self.eos, self.pad, self.mask, self.unk, self.cls, self.sep = map(roles.get, _ROLES)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.vocab_size:,} {self._of}>"

    @property
    def vocab_size(self) -> int:
        """One more than the largest id: the rows that an embedding needs."""
        return 1 + max(self._inner.get_vocab(with_added_tokens=True).values(), default=-1)

    def encode(self, text: str, pair: str | None = None, *, special: bool = True) -> Encoding:
        """The tokens of a text, or of two that the model reads together; special=False: without [CLS] and its like.

        Raises InputError for more than MAX_TEXT characters, or where the normalizer makes more than MAX_NORMAL bytes of
        them.
        """
        texts = [whole_characters(part) for part in (text, pair) if part is not None]
        if sum(map(len, texts)) > MAX_TEXT:
            raise InputError(f"The text has more than {MAX_TEXT:,} characters; shorten it.")
        second = texts[1] if pair is not None else None
        with explained("This model's tokenizer cannot read the text."):
            n_bytes = sum(len(self._normal(part).encode()) for part in texts)
        if n_bytes > MAX_NORMAL:
            raise InputError(
                f"This model's tokenizer makes {n_bytes:,} bytes of the text, before it is cut; shorten it."
            )
        with explained("This model's tokenizer cannot read the text."):
            found = self._inner.encode(texts[0], second, add_special_tokens=special)
        parts = found.sequence_ids  # None for what stands for no part of a text
        return Encoding(
            ids=found.ids,
            tokens=tuple(map(self.label, found.ids)),
            segments=found.type_ids,
            special=[part is None or id in self._special for part, id in zip(parts, found.ids, strict=True)],
            words=words_of(texts, parts, found.offsets),
            spans=[None if part is None else span for part, span in zip(parts, found.offsets, strict=True)],
            texts=parts,
        )

    @property
    def marks_pieces(self) -> bool:
        """Whether "##" in front of a token says that it continues a word, as in WordPiece."""
        return getattr(self._inner.model, "continuing_subword_prefix", None) == GLUE

    def _normal(self, text: str) -> str:
        normalizer = self._inner.normalizer
        return text if normalizer is None else normalizer.normalize_str(text)

    def decode(self, ids: Sequence[int], *, special: bool = False) -> str:
        """The text of some ids; special=True shows special tokens as well."""
        known = [id for id in ids if 0 <= id < 2**32]
        with explained("This model's tokenizer cannot write these tokens."):
            return self._inner.decode(known, skip_special_tokens=not special)

    def label(self, id: int) -> str:
        """One token as it is shown to people; "#7" for an id that stands for no token."""
        token = self._inner.id_to_token(id) if 0 <= id < 2**32 else None
        if token is None:
            return f"#{id}"
        if id not in self._special:
            token = bytes_text(token) if self._is_bytes else byte_token(token.replace(UNDERLINE, " "))
        return visible(token)


class ClassNames(Tokenizer):
    """What stands in place of a tokenizer in a model that reads images: its ids are classes, and each has a name.

    colours  mean and deviation by colour: (pixels / 255 - mean) / deviation is what the model was trained to read
    """

    _of, marks_pieces = "classes", False

    def __init__(self, settings: Mapping[str, Any], count: int, preparation: Data = b"") -> None:
        self.colours = _colours(preparation, settings.get("num_channels", 3))
        names = settings.get("id2label")
        self._names = names if isinstance(names, dict) else {}
        self._count = count
        self.bos = self.eos = self.pad = self.mask = self.unk = self.cls = self.sep = None

    @property
    def vocab_size(self) -> int:
        """How many classes there are."""
        return self._count

    def encode(self, text: str, pair: str | None = None, *, special: bool = True) -> Encoding:
        """Raises InputError: there is nothing to read a text with."""
        raise InputError("This model reads images, not texts.")

    def decode(self, ids: Sequence[int], *, special: bool = False) -> str:
        """The names of some classes."""
        return ", ".join(map(self.label, ids))

    def label(self, id: int) -> str:
        """The name of a class; "#7" for one without a name."""
        name = self._names.get(str(id))
        return visible(whole_characters(name), {}) if isinstance(name, str) else f"#{id}"


def _colours(preparation: Data, n_channels: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and deviation by colour out of preprocessor_config.json; those of ViT where it does not say."""
    said = json_in(preparation, "preprocessor_config.json") if preparation else {}
    pair = []
    for name, usable in (("image_mean", lambda x: abs(x) <= 10), ("image_std", lambda x: 1e-3 <= x <= 10)):
        values = said.get(name)
        is_good = isinstance(values, list) and len(values) == n_channels and all(map(is_number, values))
        pair.append(tuple(map(float, values)) if is_good and all(map(usable, values)) else (0.5,) * n_channels)
    return pair[0], pair[1]


def tokenizer_of(files: Mapping[str, Data], settings: Mapping[str, Any] | None = None) -> Tokenizer:
    """The tokenizer in the files of a model's folder (names as in FILES; settings: its config.json).

    tokenizer.json says all. Where it is missing, a WordPiece is made from vocab.txt for BERT and DistilBERT, and a
    byte-level BPE from vocab.json and merges.txt for GPT-2, RoBERTa and BART: other families cut a text in ways that
    such files do not tell. Raises InputError where there is none of these, or something is wrong with it.
    """
    settings = settings or {}
    described = _described(files)
    if "tokenizer.json" in files:
        plan = json_in(files["tokenizer.json"], "tokenizer.json")
    else:
        plan = _older(files, described, settings)
    rules.check(plan)
    from tokenizers import Tokenizer as Inner

    with explained("tokenizer.json is not a tokenizer that can be read here."):
        # Padding and truncation belong to a training; dropout would cut the same text in another way every time.
        inner = Inner.from_str(json.dumps({**plan, "padding": None, "truncation": None}))
    return Tokenizer(inner, _roles(inner, described, settings), '"ByteLevel"' in json.dumps(rules.parts(plan)))


# ---- what is in the files ------------------------------------------------------------------------------------------


def check_files(names: Collection[str], settings: Mapping[str, Any]) -> None:
    """Raise InputError unless files of these names say how the model of these settings (config.json) cuts a text."""
    family = settings.get("model_type")
    is_made = "vocab.txt" in names if family in _WORD_PIECES else all(name in names for name in _PAIR_FILES)
    if "tokenizer.json" not in names and not (is_made and family in (*_WORD_PIECES, *_BYTE_PAIRS)):
        raise _unread(names)


def _unread(names: Collection[str]) -> InputError:
    """What is to be done about a folder without tokenizer.json."""
    others = sorted(name for name in names if name in _OLDER or name.endswith((".model", ".tiktoken")))
    if not others:
        return InputError("The model has no tokenizer: there is no tokenizer.json beside its weights.")
    return InputError(
        f"The model has no tokenizer.json, and its tokenizer cannot be made from {quoted(others[0])} here. Open its"
        " folder once with the library transformers, which writes the file that is missing:"
        " AutoTokenizer.from_pretrained(folder).save_pretrained(folder)."
    )


def _older(files: Mapping[str, Data], described: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What tokenizer.json would say, from the files of a folder that has none."""
    check_files(files, settings)
    by = described.get("tokenizer_class")
    if isinstance(by, str) and by.removesuffix("Fast") not in _OLDER_CLASSES:
        raise _unread(files)
    if settings["model_type"] in _WORD_PIECES:
        return _word_piece(_text(files["vocab.txt"], "vocab.txt"), described)
    vocabulary = json_in(files["vocab.json"], "vocab.json")
    return _byte_pairs(vocabulary, _text(files["merges.txt"], "merges.txt"), described, settings)


def _described(files: Mapping[str, Data]) -> dict[str, Any]:
    """What the two small files say of special tokens; the newer of them has the last word."""
    found: dict[str, Any] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        if name in files:
            found |= json_in(files[name], name)
    return found


def _named(described: Mapping[str, Any], role: str) -> str | None:
    """The special token of a role, which stands there as a text, or as an object with a text."""
    token = described.get(f"{role}_token")
    token = token.get("content") if isinstance(token, dict) else token
    return token if isinstance(token, str) else None


def _usual(settings: Mapping[str, Any]) -> Mapping[str, str]:
    """Role -> what such a token is called in the family of these settings."""
    family = settings.get("model_type")
    return _USUAL_NAMES.get(family, {}) if isinstance(family, str) else {}


def _roles(inner: "tokenizers.Tokenizer", described: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, int]:
    """Role -> the id of its token: of that which the folder names, of the family's usual one, or by config.json."""
    roles, usual = {}, _usual(settings)
    for role in _ROLES:
        names = [_named(described, role), None if f"{role}_token" in described else usual.get(role)]
        ids = [inner.token_to_id(name) for name in names if name is not None and _is_text(name)]
        said = settings.get(f"{role}_token_id")
        if is_whole(said) and 0 <= said < 2**32 and inner.id_to_token(said) is not None:
            ids.append(said)
        if known := [id for id in ids if id is not None]:
            roles[role] = known[0]
    return roles


def _word_piece(text: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """BERT's tokenizer (Devlin et al. 2018) from a list of its tokens, one per line."""
    vocabulary = {token: id for id, token in enumerate(text.split("\n")) if token or id == 0}
    cls, sep, unknown = (_named(described, role) or f"[{role.upper()}]" for role in ("cls", "sep", "unk"))
    if missing := [token for token in (cls, sep, unknown) if token not in vocabulary]:
        raise InputError(f"vocab.txt has no {quoted(missing[0])}, so it is no vocabulary of BERT.")
    return {
        "version": "1.0",
        "added_tokens": _added(vocabulary, described, {*_BERT_NAMES.values(), cls, sep, unknown}),
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": described.get("tokenize_chinese_chars", True) is not False,
            "strip_accents": described.get("strip_accents")
            if described.get("strip_accents") in (True, False)
            else None,
            "lowercase": described.get("do_lower_case", True) is not False,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "cls": [cls, vocabulary[cls]], "sep": [sep, vocabulary[sep]]},
        "decoder": {"type": "WordPiece", "prefix": GLUE, "cleanup": True},
        "model": {
            "type": "WordPiece",
            "vocab": vocabulary,
            "unk_token": unknown,
            "continuing_subword_prefix": GLUE,
            "max_input_chars_per_word": 100,
        },
    }


def _byte_pairs(
    vocabulary: Any, merges: str, described: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """GPT-2's tokenizer (Radford et al. 2019) from its vocabulary and its merges; RoBERTa and BART frame a text."""
    if not all(is_whole(id) and id >= 0 for id in vocabulary.values()):
        raise InputError("vocab.json is no vocabulary: it should give every token a number.")
    space_first = described.get("add_prefix_space", False) is True
    byte_level = {"type": "ByteLevel", "add_prefix_space": space_first, "trim_offsets": True, "use_regex": True}
    cls, sep = _named(described, "cls") or "<s>", _named(described, "sep") or "</s>"
    framed = settings.get("model_type") in ("roberta", "bart") and {cls, sep} <= vocabulary.keys()
    frame = {
        "type": "RobertaProcessing",
        "cls": [cls, vocabulary.get(cls)],
        "sep": [sep, vocabulary.get(sep)],
        "trim_offsets": True,
        "add_prefix_space": space_first,
    }
    return {
        "version": "1.0",
        "added_tokens": _added(vocabulary, described, _usual(settings).values()),
        "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": frame if framed else {**byte_level, "trim_offsets": False},
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "vocab": vocabulary,
            "merges": [line for line in merges.split("\n") if line and not line.startswith("#version")],
        },
    }


def _added(vocabulary: Mapping[str, int], described: Mapping[str, Any], usual: Iterable[str]) -> list[dict[str, Any]]:
    """The special tokens that the vocabulary has, as tokenizer.json lists them."""
    names = {*usual, *filter(None, (_named(described, role) for role in _ROLES))}
    return [
        {
            "id": vocabulary[name],
            "content": name,
            "single_word": False,
            "lstrip": name == "<mask>",
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for name in sorted(names & vocabulary.keys(), key=lambda name: vocabulary[name])
    ]


def _text(data: Data, name: str) -> str:
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not a text in UTF-8.") from error


def _is_text(value: str) -> bool:
    return value == whole_characters(value)
