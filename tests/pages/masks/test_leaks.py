"""Leaks: what an edit moves in the model is what the mask predicts."""

from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lab.kit.controls.reader import STORIES
from lab.kit.models.references import VOCABULARY, Shipped
from pages.masks.components.mask_brush import pack
from pages.masks.leaks import _take_edit
from tests.pages.driver import choose, notices, payloads, values, words
from tests.pages.masks.brush import HOLE, KEY, MASKS, QUERY, panels, payload, visit
from transformer.inspection import masks
from transformer.training.text import hashed_ids


def moved_in(at: AppTest) -> tuple[set, set]:
    """(moved, predicted) as the ripple draws them: sets of (height, token)."""
    sent = ripple(at)
    moved, predicted = ({(int(h), int(t)) for h, t in np.argwhere(sent[name])} for name in ("moved", "predicted"))
    return moved | {(0, sent["edited"])}, predicted | {(0, sent["edited"])}


def ripple(at: AppTest) -> dict[str, Any]:
    """What the ripple was sent."""
    (data,) = (sent for sent in payloads(at) if isinstance(sent, dict) and "moved" in sent)
    return data


def leaks(**link: str) -> AppTest:
    return visit(masks_view="Leaks", **link)


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("layers", [1, 2])
def test_what_moves_is_what_the_mask_predicts(name: str, layers: int) -> None:
    at = leaks(mask=name, layers=str(layers), masks_edit="3")
    moved, predicted = moved_in(at)
    assert moved == predicted
    reach = masks.reach(MASKS[name], layers)[:, 2]
    assert {token for height, token in moved if height == layers} == set(np.flatnonzero(reach))
    n = reach.sum() - reach[2]  # without the word itself, as the headline counts
    assert f"that **{n}** of 5 others notice{'s' if n == 1 else ''}; in the model **{n}** did. They agree." in words(at)


def test_of_one_other_token_it_is_said_whether_it_notices_and_of_no_other_that_there_is_none() -> None:
    causal = {"masks_view": "Leaks", "mask": "causal", "layers": "1"}
    first, last = (words(visit("one two", **causal, masks_edit=n)) for n in ("1", "2"))
    assert "that the other token **notices**; in the model it **did**. They agree." in first
    assert "that the other token does **not** notice; in the model it did **not**. They agree." in last
    alone = words(visit("one", **causal))
    assert "There is no other token that could notice." in alone
    assert "0 others" not in alone


def test_news_that_gets_no_farther_than_the_next_token_travels_one_token() -> None:
    link = {"masks_view": "Leaks", "mask": "causal window", "span": "2", "layers": "2"}
    said = words(visit("one two", **link, window_layers="every other layer"))
    assert "News travels **1** token in 1 layer." in said


def test_it_opens_where_news_takes_several_layers() -> None:
    at = visit(None, masks_view="Leaks")
    moved, _ = moved_in(at)
    after = [{token for height, token in moved if height == h} for h in range(4)]
    assert after[0] < after[1] < after[2] < after[3]
    assert values(at)["mask"] == "causal window"
    assert values(visit(None))["mask"] == "causal", "another view opens with its own"
    chosen = choose(at, mask="causal")
    moved, _ = moved_in(chosen)
    assert {t for h, t in moved if h == 1} == {t for h, t in moved if h == 3}, "this mask would not show it"


def test_a_mask_that_was_painted_elsewhere_waits_there_until_somebody_asks_for_it_here() -> None:
    """The change would reach every word in the first layer through most masks that are painted."""
    at = choose(visit(None, mask="painted", mask_painted=pack(HOLE)), masks_view="Leaks")
    assert values(at)["mask"] == "causal window"
    moved, _ = moved_in(at)
    assert {t for h, t in moved if h == 1} < {t for h, t in moved if h == 3}
    back = choose(at, masks_view="Paint")
    assert values(back)["mask"] == "painted"
    mask = panels(back)["Mask"]["mask"]
    assert np.array_equal(mask[: len(HOLE), : len(HOLE)], HOLE), "what was painted is still there"
    here = choose(choose(back, masks_view="Leaks"), mask="painted")
    assert values(here)["mask"] == "painted"
    assert values(choose(here, masks_edit=2))["mask"] == "painted"
    chosen = choose(choose(choose(back, masks_view="Leaks"), mask="none"), masks_view="Paint")
    assert values(chosen)["mask"] == "none", "what was chosen last"
    assert values(leaks(mask="painted", mask_painted=pack(HOLE)))["mask"] == "painted", "a link asks for it"


def test_the_sign_of_the_start_is_no_word_to_change() -> None:
    at = visit("mia found a red hat", masks_view="Leaks", weights=STORIES, masks_edit="1")
    assert notices(at) == "You see 5: of its 6 tokens, 2 to 6 are words to change, not 1."
    assert ripple(at)["tokens"][ripple(at)["edited"]] == "red"


@pytest.mark.parametrize(
    ("sent", "number"), [(4, 5), (0, 1), (-1, 3), (6, 3), (True, 3), ("2", 3), (None, 3), ([1], 3)]
)
def test_a_token_that_is_clicked_is_edited_and_nothing_else_is(
    sent: object, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state: dict[str, Any] = {"mask_ripple": {"edit": sent}, "masks_edit": 3}
    monkeypatch.setattr(st, "session_state", state)
    _take_edit(6)
    assert state["masks_edit"] == number


def test_a_hole_leaks() -> None:
    moved, _ = moved_in(leaks(mask="causal", masks_edit="5", layers="1"))
    assert {token for height, token in moved if height == 1} == {4, 5}
    moved, predicted = moved_in(leaks(mask="painted", mask_painted=pack(HOLE), masks_edit="5", layers="2"))
    assert {token for height, token in moved if height == 2} == {1, 2, 3, 4, 5}
    assert moved == predicted


def test_layers_needed_are_shown() -> None:
    needed = panels(leaks(mask="causal window", span="2"))["Layers until news arrives"]
    assert np.array_equal(needed["mask"], KEY <= QUERY)
    assert np.array_equal(needed["values"][needed["mask"]], (QUERY - KEY)[KEY <= QUERY])
    assert "every output is connected to every input, but it takes 5 layers" in words(leaks(mask="window", span="2"))
    assert "every output is connected to every input, in one layer" in words(leaks(mask="none"))
    assert "news can travel between 21 of the 36 pairs, in 1 layer at most" in words(leaks(mask="causal"))


@pytest.mark.parametrize(
    ("name", "windowed"), [("every layer", (0, 1, 2)), ("every other layer", (0, 2)), ("the upper half", (1, 2))]
)
def test_windows_by_layer(name: str, windowed: tuple[int, ...]) -> None:
    at = leaks(mask="causal window", span="2", layers="3", masks_edit="1", window_layers=name)
    assert notices(at) == ""
    near, full = (KEY <= QUERY) & (QUERY - KEY < 2), KEY <= QUERY
    each = [near if layer in windowed else full for layer in range(3)]
    assert np.array_equal(ripple(at)["masks"], each)
    moved, predicted = moved_in(at)
    heard = {0}
    for height, mask in enumerate(each, 1):
        heard |= {query for query in range(6) for known in heard if mask[query, known]}
        assert {token for h, token in moved if h == height} == heard
    assert moved == predicted
    if name == "every layer":
        assert "News travels **1, 2 and 3** tokens in 1, 2 and 3 layers, though no layer looks farther than 1" in (
            words(at)
        )
    else:
        assert f"The window is in layers {windowed[0]} and {windowed[1]} only" in words(at)
        assert f"Mask, layers {windowed[0]} and {windowed[1]}" in panels(at)


def test_windows_by_layer_are_asked_for_where_there_is_a_window_and_a_choice() -> None:
    assert "window_layers" not in values(leaks(mask="causal"))
    assert "window_layers" not in values(leaks(mask="window", layers="1"))
    wrong = leaks(mask="window", span="2", window_layers="some")
    assert notices(wrong) == "You see every layer: there is no choice of layers called “some”."


def test_the_edited_token_is_marked() -> None:
    assert payload(leaks(masks_edit="2"))["marked"] == 1
    assert ":orange[**two**] becomes :orange[**dragon**]" in words(leaks(masks_edit="2"))


@pytest.mark.parametrize(
    ("word", "sentence"),
    [("", "nothing is edited"), ("three", "nothing can move"), ("a b", "One token becomes one token: “a”.")],
)
def test_words_that_edit_nothing_or_too_much(word: str, sentence: str) -> None:
    at = choose(leaks(masks_edit="3"), masks_word=word)
    assert sentence in notices(at)
    moved, predicted = moved_in(at)
    assert moved - {(0, 2)} == predicted - {(0, 2)}
    assert (len(moved) > 1) == (word == "a b")


@pytest.mark.parametrize("word", ["<b>x</b>", "$x$", ":red[x]", "👩‍🚀", "x" * 5000])
def test_any_word_can_be_put_in(word: str) -> None:
    at = choose(leaks(), masks_word=word)
    assert "They agree." in words(at)


def test_a_new_word_whose_hash_is_the_old_ones_is_another_token_all_the_same() -> None:
    old = hashed_ids(["three"], VOCABULARY)
    twin = next(word for n in range(100_000) if hashed_ids([word := f"w{n}"], VOCABULARY) == old)
    moved, _ = moved_in(choose(leaks(masks_edit="3"), masks_word=twin))
    assert len(moved) > 1


def test_an_edit_past_the_end_is_the_nearest() -> None:
    at = leaks(masks_edit="6")
    assert payload(at)["marked"] == 5
    assert notices(choose(at, text="one two three")) == "You see 3: the text has 3 tokens, so there is no token 6."


def test_a_word_becomes_a_word_of_its_kind_until_somebody_types_another() -> None:
    at = visit("mia found a red hat . tom found a blue ball", masks_view="Leaks", weights=STORIES)
    assert (ripple(at)["tokens"][ripple(at)["edited"]], ripple(at)["word"]) == ("red", "green")
    kinds = Shipped("stories").resolve().kinds
    for token in ("tom", "mia", "hat", "blue"):
        at = choose(at, masks_edit=ripple(at)["tokens"].index(token) + 1)
        (kind,) = (words for words in kinds.values() if token in words)
        assert ripple(at)["word"] in set(kind) - {token}
    at = choose(at, masks_word="eva")
    at = choose(at, masks_edit=ripple(at)["tokens"].index("tom") + 1)
    assert ripple(at)["word"] == "eva"


def test_a_typed_word_stays_past_a_token_that_becomes_this_word_by_default() -> None:
    at = visit("mia found a red hat", masks_view="Leaks", weights=STORIES)
    assert ripple(at)["word"] == "green", "the default of red"
    mia, red = (ripple(at)["tokens"].index(token) + 1 for token in ("mia", "red"))
    at = choose(at, masks_edit=mia)
    usual = ripple(at)["word"]
    assert usual != "green"
    at = choose(choose(at, masks_edit=red), masks_edit=mia)
    assert ripple(at)["word"] == usual, "where nobody typed, the default follows"
    at = choose(at, masks_word="green")
    at = choose(choose(at, masks_edit=red), masks_edit=mia)
    assert ripple(at)["word"] == "green"


def test_the_word_of_a_link_stays_past_a_token_that_becomes_it_by_default() -> None:
    at = visit("mia found a red hat", masks_view="Leaks", weights=STORIES)
    mia, red = (ripple(at)["tokens"].index(token) + 1 for token in ("mia", "red"))
    link = visit("mia found a red hat", masks_view="Leaks", weights=STORIES, masks_edit=mia, masks_word="green")
    assert ripple(link)["word"] == "green"
    assert ripple(choose(choose(link, masks_edit=red), masks_edit=mia))["word"] == "green"
