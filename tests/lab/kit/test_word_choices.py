"""What is offered in place of the words of a sentence, against the model itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
import streamlit as st
import torch

from lab.kit.components.sentence_words import payload, take_text
from lab.kit.models.references import BeforeTraining, Shipped
from lab.kit.models.source import ModelRef, Source
from lab.kit.models.word_choices import FEW, MAX_WORDS, NEAR, SHOWN, Choices, Sentence, choices, known_words
from lab.kit.settings import MAX_TEXT
from transformer import DecoderModel, TransformerConfig
from transformer.generation import begin
from transformer.training.text import NAMES, clean

STORIES, TALES, REVIEWS, TRANSLATOR = map(Shipped, ("stories", "tales", "sentiment", "translator"))
STORY = "mia found a red hat. tom found a blue ball. mia took the red"


def offered(ref: ModelRef, text: str) -> Choices:
    result = choices(ref, text)
    assert result is not None
    return result


def odds(source: Source, tokens: Sequence[str]) -> dict[str, float]:
    """The probability of each token after these, one after the other."""
    model = source.single_stack
    assert isinstance(model, DecoderModel)
    probabilities = begin(model, source.ids(tokens), cached=False).logits.double().softmax(-1)
    return dict(zip(source.labels, probabilities.tolist(), strict=True))


@pytest.mark.parametrize("text", ["", "Mia  saw it. ", "don't—stop!", "👩‍👧 é", "a\u0301b", "<b>*x*</b> $y$"])
def test_a_text_is_its_words_and_what_stands_between_them(text: str) -> None:
    sentence = Sentence.of(text)
    pairs = zip(sentence.words, sentence.gaps, strict=True)
    assert "".join(word + gap for word, gap in pairs) == clean(text)
    assert all(word and not word.isspace() for word in sentence.words)
    assert all(not gap or gap.isspace() for gap in sentence.gaps)


def test_every_word_has_others_of_its_kind_as_likely_as_the_model_finds_them_there() -> None:
    source, found = TALES.resolve(), offered(TALES, STORY)
    tokens = source.cut(STORY)
    assert len(found.same) == len(found.sentence.words) == len(tokens) - 1
    for n, word in enumerate(found.sentence.words):
        expected, row = odds(source, tokens[: n + 1]), found.same[n]
        kind = found.kind[n]
        assert kind is not None
        members = found.kinds[kind][1]
        assert word in members
        assert {other for other, _ in row} <= set(members)
        assert [p for _, p in row] == pytest.approx([expected[other] for other, _ in row], abs=1e-4)
        assert [p for _, p in row] == sorted((p for _, p in row), reverse=True)
        own = set(members) & set(found.sentence.words)
        assert own <= {other for other, _ in row}
        others = [p for other, p in row if other not in own]
        best = sorted((expected[other] for other in set(members) - own), reverse=True)[: len(others)]
        assert others == pytest.approx(best, abs=1e-4)
        assert FEW <= len(row) <= SHOWN


def test_the_blank_and_every_gap_offer_what_the_model_thinks_comes_next() -> None:
    source, found = TALES.resolve(), offered(TALES, STORY)
    known = {word for _, members in found.kinds for word in members}
    assert len(found.next) == len(found.sentence.words) + 1
    for n, row in enumerate(found.next):
        expected = odds(source, source.cut(STORY)[: n + 1])
        best = sorted((expected[word] for word in known), reverse=True)[: len(row)]
        assert [p for _, p in row] == pytest.approx(best, abs=1e-4)
    nothing = offered(TALES, "")
    assert nothing.next[0] == found.next[0], "a text begins where there is none yet"
    assert nothing.sentence.words == ()


@pytest.mark.parametrize("ref", [REVIEWS, TRANSLATOR, BeforeTraining(TALES)])
def test_a_model_that_does_not_write_says_nothing_of_likelihood(ref: ModelRef) -> None:
    found = offered(ref, "the dragon is red")
    assert found.same == found.next == ()
    assert found.unread[1]
    assert len(found.near[1]) == NEAR


def test_near_words_are_spelled_alike_and_of_the_kind_that_stands_there() -> None:
    for ref, text, n, kind in (
        (TRANSLATOR, "the little dragon sings", 2, "nouns"),
        (TRANSLATOR, "the purple cat sings", 1, "adjectives"),
        (REVIEWS, "the dinner was bad", 1, "subjects"),
        (TALES, "mia found a purple hat in the park.", 3, "colours"),
    ):
        near = offered(ref, text).near[n]
        assert set(near) <= set(ref.resolve().kinds[kind]), text
    assert offered(TRANSLATOR, "the birdz sing").near[1][0] in ("bird", "birds")


def test_there_is_nothing_to_tap_where_a_model_reads_letters_or_the_text_is_long() -> None:
    assert known_words(Shipped("reverse").resolve()) == ()
    assert choices(Shipped("reverse"), "abc") is None
    assert choices(STORIES, "mia " * MAX_WORDS) is not None
    assert choices(STORIES, "mia " * (MAX_WORDS + 1)) is None


@pytest.mark.parametrize("text", ["<b>*x*</b> $y$ [a](b)", "\ud800\x07🙂", "é ü", "⟨start⟩ ⟨unknown⟩", "Mia!!", "..."])
@pytest.mark.parametrize("ref", [STORIES, TALES, REVIEWS, TRANSLATOR])
def test_any_text_can_be_changed(ref: ModelRef, text: str) -> None:
    found = offered(ref, text)
    assert len(found.unread) == len(found.near) == len(found.kind) == len(found.sentence.words)


def test_the_storyteller_offers_the_hat_and_other_things_in_its_place() -> None:
    found = offered(STORIES, STORY)
    assert [word for word, _ in found.next[-1]][:1] == ["hat"]
    hat = found.sentence.words.index("hat")
    kind = found.kind[hat]
    assert kind is not None
    assert found.kinds[kind][0] == "things"
    assert {word for word, _ in found.same[hat]} <= set(found.kinds[kind][1])
    assert not any(offered(STORIES, "my zorblax ate <b>").unread), "no text is unknown to it"


def test_in_place_of_a_colour_the_other_colours_of_the_sentence_are_offered_however_unlikely() -> None:
    colours = ("red", "green", "blue", "pink", "white", "black")
    text = " ".join(f"mia found a {colour} hat." for colour in colours)
    found = offered(STORIES, text)
    n = found.sentence.words.index(colours[0])
    words = [word for word, _ in found.same[n]]
    assert set(colours) <= set(words)
    assert len(words) <= SHOWN


# ---- words of several tokens ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pieces(ModelRef):
    """A decoder that reads words in pieces of at most two letters; no word is unknown to it."""

    def resolve(self) -> "PiecesSource":
        return SOURCE


class PiecesSource(Source):
    ref, kind, is_trained = Pieces(), "decoder", True
    config = TransformerConfig(vocab_size=36, d_model=16, n_heads=2, n_decoder_layers=1, positions="rotary")
    begins = (*"abcdefgh.,", "ab", *(f"{letter}h" for letter in "abcdefg"))
    goes_on = (*"abcdefgh", "cd", *(f"{letter}h" for letter in "abcde"))
    labels = (*NAMES, *begins, *(f"…{piece}" for piece in goes_on))

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        return {"names": ("abcd", "ab", "hh", "gg"), "things": ("ch", "cab")}

    @cached_property
    def model(self) -> DecoderModel:
        return DecoderModel(self.config, torch.Generator().manual_seed(3)).eval()

    def cut(self, text: str) -> tuple[str, ...]:
        result = ["⟨start⟩"]
        for word in Sentence.of(text).words:
            at, glue = 0, ""
            while at < len(word):
                length = 2 if glue + word[at : at + 2] in self.labels and len(word) > at + 1 else 1
                result.append(glue + word[at : at + length])
                at, glue = at + length, "…"
        return tuple(result) if len(result) > 1 else ()

    def ids(self, tokens: Sequence[str]) -> list[int]:
        return [self.labels.index(token) for token in tokens]

    def label(self, id: int) -> str:
        return self.labels[id]

    def of_text(self, tokens: Sequence[str]) -> tuple[str, ...]:
        return tuple(tokens[1:]) if tokens[:1] == ("⟨start⟩",) else tuple(tokens)


SOURCE = PiecesSource()


def test_a_word_of_several_tokens_is_one_thing_to_tap() -> None:
    found = offered(SOURCE.ref, "abcd cab, hh.")
    assert found.sentence.words == ("abcd", "cab", ",", "hh", ".")
    assert found.tokens == (2, 3, 1, 2, 1)
    assert [None if kind is None else found.kinds[kind][0] for kind in found.kind] == [
        "names",
        "things",
        None,
        "names",
        None,
    ]
    assert not any(found.unread), "no word is unknown to it"
    assert found.kinds == (("names", ("abcd", "ab", "hh", "gg")), ("things", ("ch", "cab"))), "no pieces among them"
    chances = dict(found.same[3])
    before = SOURCE.cut("abcd cab,")
    assert chances["ab"] == pytest.approx(odds(SOURCE, before)["ab"], abs=1e-4)
    first = odds(SOURCE, before)["h"]
    if "hh" in chances:
        assert chances["hh"] == pytest.approx(first * odds(SOURCE, (*before, "h"))["…h"], abs=1e-4)
    else:
        assert first < 0.02, "it is too unlikely to be worked out"


def test_a_model_of_pieces_can_write_a_word_that_nobody_listed() -> None:
    found = offered(SOURCE.ref, "ab ch")
    listed = {word for _, members in found.kinds for word in members}
    new = [(word, p) for word, p in found.next[2] if word not in listed]
    assert new
    for word, p in new:
        assert "…" not in word
        tokens, product = ["⟨start⟩", "ab", "ch"], 1.0
        rest = word
        while rest:  # piece by piece, the likeliest that goes on with what is left
            glue = "…" if len(rest) < len(word) else ""
            piece = glue + rest[:2] if glue + rest[:2] in SOURCE.labels else glue + rest[0]
            product *= odds(SOURCE, tokens)[piece]
            tokens.append(piece)
            rest = rest[len(piece.removeprefix("…")) :]
        assert p == pytest.approx(product, abs=1e-3), word


# ---- what comes back -----------------------------------------------------------------------------------------------


def test_what_the_browser_sends_is_the_text_and_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {"text": "old"}
    monkeypatch.setattr(st, "session_state", session)
    for message, expected in (
        ({"text": "mia saw <b>"}, "mia saw <b>"),
        ({"text": 5}, "mia saw <b>"),
        ({}, "mia saw <b>"),
        ("text", "mia saw <b>"),
        ({"text": "x" * (MAX_TEXT + 5)}, "x" * MAX_TEXT),
    ):
        session["words-text"] = message
        take_text("words-text", "text")
        assert session["text"] == expected
    take_text("words-text", "front_text", 3)
    assert session["front_text"] == "xxx"


def test_the_browser_is_sent_plain_values() -> None:
    sent = payload(offered(STORIES, "mia found a hat"))
    assert (sent["words"], sent["gaps"]) == (("mia", "found", "a", "hat"), (" ", " ", " ", ""))
    assert set(sent) >= {"kinds", "kind", "unread", "near", "same", "next", "tokens"}
