"""What is said first of a translation that went wrong: only what its words and its weights show."""

import numpy as np

from pages.translation import data
from pages.translation.faults import Fault, Mistake, fault, mistake
from tests.pages.driver import choose, control, payload, payloads
from tests.pages.translation.expected import open_view, visit

DRAGONS = "mia found a red tom ate three green dragons"


def said(
    source: str,
    weights: np.ndarray | None = None,
    unknown: str = "",
    *,
    is_checked: bool = False,
    mistake: Mistake | None = None,
    has_ended: bool = True,
    unit: str = "word",
) -> Fault:
    words = source.split()
    seen = np.eye(len(words)) if weights is None else weights
    unread = [word in unknown for word in words]
    return fault(words, unread, seen, is_checked=is_checked, mistake=mistake, has_ended=has_ended, unit=unit)


def test_unknown_words_are_named_first_and_then_what_it_did_not_look_at() -> None:
    assert said("a b c", unknown="b") == Fault("It does not know “b” and reads ⟨unknown⟩ in its place.", "")
    assert said("a b c b", unknown="b c").first == "It does not know “b” and “c” and reads ⟨unknown⟩ for each of them."
    assert said("a b c d e f", unknown="abcdef", unit="letter").first == (
        "It does not know “a”, “b”, “c” and 3 more letters and reads ⟨unknown⟩ for each of them."
    )
    many = said("a b c d e f", unknown="abcdef").first
    assert many == "It does not know “a”, “b”, “c” and 3 more words and reads ⟨unknown⟩ for each of them."
    half = np.eye(4)[:2]
    assert said("a b c d", half, "d").then == "It stops after “b”: no word that it wrote looks any further."
    assert said("a b c d", half[1:], "d").then == "No word that it wrote looks at “a”, “c” and “d”."
    assert said("a b", np.zeros((0, 2)), "b").then == "Nothing that it wrote looks at your sentence."
    assert said("a b", np.full((9, 2), 0.5), "b", has_ended=False).then == (
        "It finds no end: it was stopped after 9 words."
    )


def test_a_right_translation_has_no_fault_and_a_wrong_one_says_where() -> None:
    assert said("a b", np.eye(2)[:1], is_checked=True) == Fault()
    assert said("a b").first == "Nobody can check this translation: the grammar has no such sentence."
    assert mistake((1, 2), (1, 2), "ab", "ab") is None
    wrong = mistake((1, 3), (1, 2), ("a", "x"), ("a", "b"))
    assert wrong == Mistake(1, "x", "b")
    assert said("a b", is_checked=True, mistake=wrong).first == "It goes wrong at word 2: “x” should be “b”."
    letter = said("a b", is_checked=True, mistake=wrong, unit="letter")
    assert letter.first == "It goes wrong at letter 2: “x” should be “b”."
    short = mistake((1,), (1, 2), ("a",), ("a", "b"))
    assert said("a b", is_checked=True, mistake=short).first == "It stops too early: “b” is missing."
    long = mistake((1, 2), (1,), ("a", "b"), ("a",))
    assert said("a b", is_checked=True, mistake=long).first == "It does not stop in time: “b” is too much."


def test_the_model_s_own_weights_say_where_it_stops() -> None:
    words = tuple(DRAGONS.split())
    found = data.translated(data.SHIPPED, words)
    assert found.fault.first == "It does not know “three” and “dragons” and reads ⟨unknown⟩ for each of them."
    assert "stops after “tom”" in found.fault.then
    n = len(found.translation.answer)
    weights = found.maps["cross"].weights[-1].mean(0)[:n]
    assert weights[:, 5:].max() < 0.03 < weights[:, :5].max(0).min()
    known = data.translated(data.SHIPPED, (*words[:4], "hat"))  # without them nothing has to be said
    assert known.fault == Fault()


def test_every_view_is_told_what_is_wrong() -> None:
    at = visit(tr_english=DRAGONS)
    assert payload(at)["fault"][0] == "It does not know “three” and “dragons” and reads ⟨unknown⟩ for each of them."
    for view in ("Step by step", "Change a word", "Ablation"):
        at = open_view(at, view)
        assert "It does not know “three” and “dragons” and reads ⟨unknown⟩ for each of them." in str(payloads(at)), view
    before = visit(translator_step=0)
    assert payload(before)["fault"][0].startswith("It goes wrong at word 1: ")


def test_each_direction_keeps_its_own_sentence() -> None:
    at = visit(tr_english="she sees the red apples")
    at = choose(at, tr_direction="FR → EN")
    at = choose(at, tr_french="le chien dort")
    at = choose(at, tr_direction="EN → FR")
    assert control(at, "tr_english").value == "she sees the red apples"
    at = choose(at, tr_direction="FR → EN")
    assert control(at, "tr_french").value == "le chien dort"
