"""One word exchanged: what changes in the translation, in the attention, and in the vectors of the other words."""

from dataclasses import replace
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.translation import data
from pages.translation.change_word import looks
from pages.translation.edit import Edit, changes, matched, unchanged
from pages.translation.surprise import after, by_surprise
from tests.pages import driver
from tests.pages.driver import choose
from tests.pages.translation.expected import CAT, checkpoint, text, translated, visit
from transformer.training import shipped

CHANGED = {"translation_view": "Change a word", "tr_edit_word": "house"}


def picture(at: AppTest) -> dict:
    """What the picture of a changed word was sent."""
    (data,) = (data for data in driver.payloads(at) if "cosines" in data)
    return data


def changed(at: AppTest) -> list[list[str]]:
    """The words that are written differently, before and after."""
    return [[side["words"][n] for n in side["changed"]] for side in picture(at)["sides"]]


def test_it_opens_before_the_change_and_asks() -> None:
    at = visit(tr_english=CAT, translation_view="Change a word")
    shown = picture(at)
    assert (shown["source"][shown["place"]], shown["word"]) == ("cat", "cat")
    before, now = shown["sides"]
    assert before == now
    assert not before["changed"]
    assert "stay in the translation" not in text(at)


def test_a_link_that_names_a_change_without_its_word_shows_the_change() -> None:
    links: tuple[dict[str, Any], ...] = ({"tr_edit_place": 2}, {"tr_graft": "true"}, {"tr_follow": 2})
    for link in links:
        shown = picture(visit(tr_english=CAT, translation_view="Change a word", **link))
        assert shown["word"] != shown["source"][shown["place"]], link
    assert "before, but" in text(visit(tr_english=CAT, translation_view="Change a word", tr_graft="true"))


def test_a_changed_noun_changes_the_words_around_it() -> None:
    at = visit(tr_english=CAT, **CHANGED)
    shown = picture(at)
    assert (shown["source"][shown["place"]], shown["word"]) == ("cat", "house")
    assert changed(at) == [["le", "petit", "chat", "noir"], ["la", "petite", "maison", "noire"]]
    at = choose(at, tr_edit_word="dog")
    assert changed(at) == [["chat"], ["chien"]]
    at = choose(at, tr_edit_place="2 little")
    assert picture(at)["place"] == 1


def test_the_button_offers_first_what_most_other_words_follow() -> None:
    """The noun comes before the others, whose own translations change as well, but nothing beside them."""
    at = visit(tr_english=CAT, translation_view="Change a word")
    task, words = checkpoint().task, tuple(picture(at)["source"])
    ranked = by_surprise(data.SHIPPED, words)
    assert sorted(ranked) == changes(words, task)
    assert picture(at)["next"] == list(ranked[0]) == [3, "house"]
    assert all(task.answer((*words[:n], word, *words[n + 1 :])) for n, word in ranked)
    counts = [
        len(
            set(
                picture(
                    visit(tr_english=CAT, translation_view="Change a word", tr_edit_place=n + 1, tr_edit_word=word)
                )["sides"][1]["changed"]
            )
        )
        for n, word in (ranked[0], ranked[-1])
    ]
    assert counts[0] > counts[1]


def test_the_button_goes_through_all_changes_in_turn_and_never_offers_what_is_on_screen() -> None:
    ranked = [(2, "house"), (0, "a")]
    words = ("the", "little", "cat")
    assert after(Edit(words, 2), ranked) == (2, "house")
    assert after(Edit(("the", "little", "house"), 2), ranked) == (0, "a")
    assert after(Edit(("a", "little", "cat"), 0), ranked) == (2, "house")
    assert after(Edit(("a", "little", "cat"), 0), ranked[1:]) is None
    task = shipped.load("reverse").task
    assert changes(("a",), replace(task, kinds={"letters": ("a",)})) == []


def test_threads_of_both_and_what_has_heard_of_the_word() -> None:
    at = visit(tr_english=CAT, tr_edit_layer=0, tr_edit_head=2, **CHANGED)
    a, b = (translated(english).maps["cross"].weights[0, 2] for english in (CAT, CAT.replace("cat", "house")))
    shown = picture(at)
    for side, weights in zip(shown["sides"], (a, b), strict=True):
        np.testing.assert_allclose(side["weights"], weights, atol=1e-4)
    words = [tuple(translated(english).source.words) for english in (CAT, CAT.replace("cat", "house"))]
    np.testing.assert_allclose(shown["cosines"], data.similarity(data.SHIPPED, *words).cosines[-1], atol=1e-4)
    assert shown["cosines"][1] < shown["cosines"][8]  # “little” stands beside the noun, “white” does not
    assert shown["head"] == "layer 0, head 2"
    same = [n for n in range(len(a)) if all(n not in side["changed"] for side in shown["sides"])]
    assert f"is :violet[**{abs(b - a)[same].max():.3f}**]" in text(at)
    assert abs(b - a)[same].max() < abs(b - a).max(), "tokens that are exchanged are not among those that stay"


def test_words_that_stand_for_each_other_are_sent_by_their_places() -> None:
    at = visit(tr_english=CAT, **CHANGED)
    shown = picture(at)
    written = [side["words"] for side in shown["sides"]]
    pairs = [(written[0][i], written[1][j]) for i, j in shown["pairs"]]
    assert pairs == [("le", "la"), ("petit", "petite"), ("chat", "maison"), ("noir", "noire")]


def test_tokens_that_stay_are_those_without_a_frame_and_look_elsewhere_by_their_thickest_thread() -> None:
    watches = {"tr_edit_place": "3 sings", "tr_edit_word": "watches"}
    for link in (
        {"tr_english": "the cat sings", **watches},
        {"tr_english": "Mia found a red hat", "tr_edit_word": "house"},
    ):
        at = visit(None, **link, translation_view="Change a word")
        sides = picture(at)["sides"]
        a, b = (tuple(side["words"]) for side in sides)
        same = [(i, j) for i, j in matched(a, b) if a[i] == b[j]]
        assert len(same) == len(b) - len(sides[1]["changed"]), "as many as have no frame"
        before, after = (np.array(side["weights"]) for side in sides)
        n = sum(before[i].argmax() != after[j].argmax() for i, j in same)
        assert looks(len(same), n, max(abs(after[j] - before[i]).max() for i, j in same))[:60] in text(at)


def test_what_is_said_of_the_tokens_that_stay_names_them() -> None:
    none = looks(5, 0, 0.049)
    assert none.startswith("Each of the **5** tokens that stay in the translation still looks most where it did. ")
    assert none.endswith(":violet[attention weight] is :violet[**0.049**].")
    assert looks(1, 0, 0.0).startswith("The one token that stays in the translation looks most where it did before.")
    assert looks(1, 1, 0.4).startswith("The one token that stays in the translation looks most at another word now.")
    assert looks(5, 1, 0.4).startswith("**1** of the 5 tokens that stay in the translation looks most at another word")
    assert looks(2, 2, 0.4).startswith("**2** of the 2 tokens that stay in the translation look most at another word")
    assert looks(0, 0, 0.0) == "No token stays in the translation."


def test_one_sentence_is_before_and_the_other_after_wherever_they_are_spoken_of() -> None:
    """A and B are what A | B compares."""
    at = choose(visit(tr_english=CAT, **CHANGED), tr_graft=True)
    assert driver.control(at, "tr_graft").label == "is that from after it"
    assert not [letter for letter in ("A’s", "B’s", "of A", "of B", "from B") if letter in text(at)]


def test_words_are_matched_where_they_stand_for_each_other() -> None:
    a, b = ("le", "petit", "chat", "noir", "⟨end⟩"), ("la", "petite", "maison", "noire", "⟨end⟩")
    assert matched(a, b) == [(n, n) for n in range(5)]
    assert unchanged(a, b) == {4}
    assert matched(("l'", "oiseau", "dort"), ("l'", "oiseau", "noir", "dort")) == [(0, 0), (1, 1), (2, 3)]
    assert matched(("a", "b"), ("c", "d", "e")) == []


def test_what_a_word_has_heard_and_what_its_vector_carries() -> None:
    at = visit(tr_english=CAT, **CHANGED)
    a, b = (tuple(translated(text).source.words) for text in (CAT, CAT.replace("cat", "house")))
    stages, cosines = data.similarity(data.SHIPPED, a, b)
    for stage, line in zip(stages, cosines, strict=True):
        assert f"| {stage} | " + " | ".join(f"{x:.2f}" for x in line) in text(at)
    assert "both vectors of **little** are the same" in text(at)
    assert "| before, but" not in text(at)  # first predict
    at = choose(at, tr_graft=True)
    said = text(at)
    assert said.index("before, but") < said.index("both vectors of **little**"), "in sight"
    assert "le :blue-background[petite] chat noir n' aime pas la maison blanche" in text(at)
    at = choose(at, tr_follow="10 house")
    assert "before, but **house** from after" in text(at)


def test_equal_words_have_equal_vectors_before_the_first_layer_only() -> None:
    cosines = data.similarity(data.SHIPPED, ("the", "cat"), ("the", "dog")).cosines
    assert (cosines[:2, 0] == 1).all()
    assert (cosines[2:, 0] < 1).all()
