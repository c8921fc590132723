"""Paint a mask: every mask by name or painted, its scores and weights, and what comes from a link."""

import numpy as np
import pytest
import torch

from lab.kit import story
from lab.kit.models.references import Shipped
from pages.masks.components.mask_brush import fitted, pack
from pages.masks.paint import EXPLAINED
from tests.pages.driver import charts, choose, control, notices, pin, words
from tests.pages.masks.brush import HOLE, KEY, MASKS, QUERY, panels, payload, visit

MASK, WEIGHTS = "Mask", "Attention weights"
TOKENS = Shipped(story.WRITER).resolve().cut(story.TEXT)


def test_the_first_visit_shows_a_finished_example() -> None:
    at = visit(text=None)
    by_title = panels(at)
    assert at.title[0].value == "Who may look at whom?"
    assert list(by_title) == [MASK, "Masked scores", WEIGHTS]
    assert all(panel["queries"] == list(TOKENS) for panel in by_title.values())
    assert control(at, "weights").value == "trained on stories"
    assert np.array_equal(by_title[MASK]["mask"], np.tri(len(TOKENS), dtype=bool))
    assert notices(at) == ""
    assert payload(at)["paint"] is True


def test_it_opens_on_the_head_in_which_a_word_wins_and_without_it_another_wins_and_is_said() -> None:
    at = visit(text=None)
    assert (control(at, "masks_layer").value, control(at, "masks_head").value) == (2, 0)
    row = panels(at)[WEIGHTS]["values"][-1]
    hat, ball = (TOKENS.index(word) for word in ("hat", "ball"))
    assert (TOKENS[-1], int(row.argmax())) == ("red", hat)
    assert row[hat] + row[ball] > 0.98
    answer = payload(at)["answer"]
    assert (answer["now"], answer["was"]) == ("hat", "hat")
    assert answer["share"] > 0.9
    blocked = np.tri(len(TOKENS), dtype=bool)
    blocked[-1, hat] = False
    at = visit(text=None, mask="painted", mask_painted=pack(blocked))
    now = panels(at)[WEIGHTS]["values"]
    assert now[-1, hat] == 0
    assert int(now[-1].argmax()) == ball
    assert (payload(at)["answer"]["now"], payload(at)["answer"]["was"]) == ("ball", "hat")
    assert control(visit(text=None, masks_layer=0), "masks_head").value == 3, (
        "the sharpest of a layer that is asked for"
    )


def test_few_single_cells_change_the_answer_and_not_only_those_of_its_own_row() -> None:
    turning = payload(visit(text=None))["answer"]["turning"]
    red, hat = TOKENS.index("red"), TOKENS.index("hat")
    own = np.tri(len(TOKENS), dtype=bool)
    assert len(turning) < 10
    assert [hat, red] in turning, "whether the hat is red, only “hat” has looked up"
    assert [len(TOKENS) - 1, hat] in turning
    for cell, said in ((turning[0], False), (turning[-1], False), ([len(TOKENS) - 1, red], True), ([3, 0], True)):
        mask = own.copy()
        mask[tuple(cell)] = False
        answer = payload(visit(text=None, mask="painted", mask_painted=pack(mask)))["answer"]
        assert (answer["now"] == "hat") == said, cell
    assert payload(visit(weights="untrained"))["answer"] is None, "an encoder says no next word"


@pytest.mark.parametrize("name", MASKS)
def test_every_mask_by_name(name: str) -> None:
    by_title = panels(choose(visit(), mask=name))
    mask = MASKS[name]
    assert np.array_equal(by_title[MASK]["mask"], mask)
    assert np.array_equal(by_title[WEIGHTS]["mask"], mask)
    assert np.all(by_title[WEIGHTS]["values"][~mask] == 0)
    assert np.allclose(by_title[WEIGHTS]["values"].sum(1), 1, atol=1e-5)
    assert np.array_equal(by_title["Masked scores"]["mask"], mask)
    assert by_title["Masked scores"]["blocked"] == "−∞"
    exp = np.where(mask, np.exp(by_title["Masked scores"]["values"]), 0)
    assert np.allclose(by_title[WEIGHTS]["values"], exp / exp.sum(1, keepdims=True), atol=1e-5)


def test_causal_against_padding_one_closes_what_comes_later_the_other_columns_for_everybody() -> None:
    at = pin(visit(mask="causal", weights="untrained"))
    scores = panels(at)["Masked scores"]["values"]  # before the mask
    at = choose(at, mask="padding")
    assert notices(at) == "Mask: causal in A, padding in B."
    assert np.array_equal(panels(at)["Masked scores"]["values"], scores), "the same scores under both"
    shares = []
    for allowed in (KEY <= QUERY, KEY < 3):
        e = np.exp(scores) * allowed
        shares.append(e / e.sum(1, keepdims=True))
    a, b, difference = (np.array(drawing["data"][0]["z"], float) for drawing in charts(at))
    for shown, expected, allowed in ((a, shares[0], KEY <= QUERY), (b, shares[1], KEY < 3)):
        np.testing.assert_allclose(shown[allowed], expected[allowed], atol=1e-5)
        assert np.isnan(shown[~allowed]).all(), "a blocked cell is a gap, not a zero"
    either = (KEY <= QUERY) | (KEY < 3)
    np.testing.assert_allclose(difference[either], (shares[1] - shares[0])[either], atol=1e-5)


@pytest.mark.parametrize("span", [1, 2, 32])
def test_the_span_reaches_the_mask(span: int) -> None:
    at = choose(visit(), mask="causal window", span=span)
    assert np.array_equal(panels(at)[MASK]["mask"], (KEY <= QUERY) & (KEY + span > QUERY))


def test_a_link_restores_a_painted_mask() -> None:
    at = visit(mask="painted", mask_painted=pack(HOLE))
    assert np.array_equal(panels(at)[MASK]["mask"], HOLE)
    assert panels(at)[WEIGHTS]["values"][1, 4] > 0
    assert at.query_params["mask_painted"] in (pack(HOLE), [pack(HOLE)])
    assert notices(at) == ""


@pytest.mark.parametrize("code", ["", "x", "6.AAAA", "99." + "A" * 100, "<b>", "a" * 5000])
def test_a_painted_mask_that_cannot_be_read_is_a_notice(code: object) -> None:
    at = visit(mask="painted", mask_painted=code)
    assert np.array_equal(panels(at)[MASK]["mask"], KEY <= QUERY)
    assert notices(at) == "The painted mask in this link cannot be read, so you see the causal one."


def test_a_painted_mask_of_another_length_is_fitted_with_a_notice() -> None:
    at = visit(mask="painted", mask_painted=pack(np.zeros((2, 2), bool)))
    assert "painted for 2 tokens" in notices(at)
    mask = fitted(np.zeros((2, 2), bool), 6)
    assert np.array_equal(panels(at)[MASK]["mask"], mask)
    assert at.query_params["mask_painted"] in (pack(mask), [pack(mask)]), "the link has what is on screen"


def test_painting_begins_with_what_was_on_screen() -> None:
    at = choose(visit(), mask="window", span=2)
    at = choose(at, mask="painted")
    assert np.array_equal(panels(at)[MASK]["mask"], abs(QUERY - KEY) < 2)
    at = choose(at, mask="causal")
    assert "mask_painted" not in at.query_params
    assert np.array_equal(panels(choose(at, mask="painted"))[MASK]["mask"], abs(QUERY - KEY) < 2), "it was kept"


def test_a_row_with_nothing_allowed_weighs_nothing() -> None:
    mask = HOLE.copy()
    mask[3] = False
    weights = panels(visit(mask="painted", mask_painted=pack(mask)))[WEIGHTS]["values"]
    assert np.all(weights[3] == 0)
    assert np.allclose(np.delete(weights, 3, 0).sum(1), 1, atol=1e-5)


def test_read_upside_down() -> None:
    at = choose(visit(), masks_true="may not")
    by_title = panels(at)
    assert np.array_equal(by_title[MASK]["mask"], KEY <= QUERY)
    assert np.array_equal(by_title[WEIGHTS]["mask"], KEY > QUERY)
    assert np.array_equal(by_title[WEIGHTS]["values"] > 0, KEY > QUERY)
    assert "`~mask`" in words(at)


def test_the_text_explains_the_mask_that_is_chosen() -> None:
    at = visit()
    for name, start in EXPLAINED.items():
        if name != "painted":
            assert start in words(choose(at, mask=name))
    assert EXPLAINED["painted"] in words(visit(mask="painted", mask_painted=pack(HOLE)))


def test_a_head_of_any_layer_is_shown_with_the_mask_in_all_layers() -> None:
    at = visit(text=None, masks_layer=2, masks_head=1)
    by_title = panels(at)
    with torch.inference_mode():
        source = Shipped(story.WRITER).resolve()
        ids = torch.tensor([list(source.ids(TOKENS))])
        own, opened = (
            model_out.attention.decoder[2][0, 1].numpy()
            for model_out in (source.single_stack(ids), source.single_stack(ids, is_causal=False))
        )
    np.testing.assert_allclose(by_title[WEIGHTS]["values"], own, atol=1e-5)
    assert "head 1 in layer 2 of a trained decoder, with this mask in every layer." in words(at)
    np.testing.assert_allclose(panels(choose(at, mask="none"))[WEIGHTS]["values"], opened, atol=1e-5)
    assert "no layer 9" in notices(visit(text=None, masks_layer=9))


def test_a_mask_in_the_link_does_not_take_the_trained_model_away() -> None:
    for link in (
        {"mask": "causal window", "span": "2"},
        {"mask": "painted", "mask_painted": pack(np.eye(len(TOKENS), dtype=bool))},
    ):
        at = visit(None, **link)
        assert control(at, "weights").value == "trained on stories"
        assert notices(at) == ""


@pytest.mark.parametrize("name", ["Paint a mask", "Blocked rows"])
def test_old_names_open_paint(name: str) -> None:
    at = visit(masks_view=name)
    assert MASK in panels(at)
    assert len(at.get("plotly_chart")) == (name == "Blocked rows")
