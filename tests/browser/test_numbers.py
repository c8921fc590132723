"""Every number on screen is the model's own."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.view import FIRST, UNTRAINED, truth
from transformer.training.text import words

LONG = " ".join(f"w{n % 97}" for n in range(200))  # 12 heads x 200 x 200: more than is sent exactly
VERY_LONG = " ".join(f"w{n % 89}" for n in range(512))


def agree(view, seen, layer, head):
    values, weights, _ = view.all_cells()
    assert np.abs(values - seen.weights[layer, head]).max() < 1e-6
    assert np.abs(weights - seen.weights[layer, head]).max() < 1e-6


def test_every_cell_of_several_heads(visit):
    view, seen = visit(UNTRAINED), truth()
    for layer, head in [(0, 0), (0, 3), (2, 1)]:
        view.thumb(layer, head).click()
        view.expect(layer=layer, head=head)
        agree(view, seen, layer, head)
    assert np.abs(seen.weights[0, 0] - seen.weights[2, 1]).max() > 0.01, "heads differ, so a mixed-up one would show"


def test_the_steps_of_the_arithmetic(visit):
    seen = truth()
    i, j = 4, 7
    why = visit(f"{UNTRAINED}&layer=1&head=2&query={i}&key={j}").why
    q, k = (x[1, 2].astype("f8") for x in (seen.q, seen.k))
    scores = q @ k.T
    assert why["dot"] == pytest.approx(scores[i, j])
    assert why["scaled"] == why["score"] == pytest.approx(scores[i, j] / 4)
    assert why["max"] == pytest.approx(scores[i].max() / 4)
    assert why["sum"] == pytest.approx(np.exp(scores[i] / 4 - why["max"]).sum())
    assert why["weight"] == pytest.approx(why["exp"] / why["sum"]) == pytest.approx(seen.weights[1, 2, i, j])


@pytest.mark.wide
def test_every_stage(visit):
    view = visit("/heads?model=Decoder&positions=ALiBi&head=1")
    seen = truth(kind="decoder", positions="alibi")
    stages = {"scores": seen.q[0, 1].astype("f8") @ seen.k[0, 1].T.astype("f8")}
    stages["scaled"] = stages["scores"] / 4
    stages["biased"] = stages["masked"] = stages["scaled"] + seen.bias[1]
    stages["weights"] = seen.weights[0, 1]
    assert view.root.locator(".stages label").all_inner_texts() == [*stages, "output"]
    view.open_more()
    for name, matrix in stages.items():
        view.root.get_by_text(name, exact=True).click()
        view.expect(stage=name)
        assert np.abs(view.all_cells()[0] - matrix).max() < 1e-5


@pytest.mark.wide
def test_the_output_is_the_weights_times_the_values(visit):
    view, seen = visit(UNTRAINED + "&layer=1&head=2&query=4&key=7&stage=output"), truth()
    output = seen.weights[1, 2].astype("f8") @ seen.v[1, 2]
    assert view.grid.get_attribute("aria-colcount") == str(output.shape[1])
    for feature in range(3):
        assert float(view.shown["value"]) == pytest.approx(output[4, feature], abs=1e-6)
        assert view.root.locator(".readout").inner_text().startswith(f"query {words(FIRST)[4]}, feature {feature} ")
        view.grid.press("ArrowRight")
    for key in ("Home", "ArrowUp", "ArrowUp", "ArrowRight"):
        view.grid.press(key)
    assert float(view.shown["value"]) == pytest.approx(output[2, 1], abs=1e-6)
    view.expect(query=2, key=7)


@pytest.mark.wide
def test_a_masked_cell_explains_itself(visit):
    view = visit("/heads?model=Decoder&query=2&key=4")
    assert (view.why["allowed"], view.why["weight"]) == (False, 0)
    assert view.root.locator(".steps").inner_text().count("the mask blocks this cell") == 1
    expect(view.root.locator("p.finding")).to_have_text("In layer 0, head 0, “a” cannot look at “hat”.")
    assert view.grid.get_by_role("gridcell").inner_text() == "a looks at hat: blocked by the mask"
    agree(view, truth(kind="decoder"), 0, 0)


@pytest.mark.wide
def test_a_row_that_may_see_nothing(visit):
    view = visit("/heads?text=a+b+c&mask=padding&span=32&query=1&key=0")
    assert "the mask blocks this whole row" in view.root.locator(".steps").inner_text()
    assert not view.all_cells()[0].any()


@pytest.mark.wide
def test_the_bias_for_the_distance_is_part_of_it(visit):
    view = visit("/heads?positions=ALiBi&head=2&query=6&key=1")
    assert "− 0.0781, the bias for a distance of −5" in view.root.locator(".steps").inner_text()  # 5 / 2^6
    assert view.why["score"] == pytest.approx(view.why["scaled"] - 5 / 64)
    agree(view, truth(positions="alibi"), 0, 2)


@pytest.mark.parametrize(
    ("link", "settings"),
    [
        ("positions=rotary", {"positions": "rotary"}),
        pytest.param(
            "positions=T5+relative&model=Decoder", {"positions": "relative", "kind": "decoder"}, marks=pytest.mark.wide
        ),
        ("scores=not+divided&seed=4", {"scaled": False, "seed": 4}),
        ("heads=8&kv_heads=2", {"n_heads": 8, "n_kv_heads": 2}),
    ],
)
@pytest.mark.wide
def test_other_models(visit, link, settings):
    view = visit(f"/heads?layer=2&head=3&{link}")
    agree(view, truth(**settings), 2, 3)


@pytest.mark.parametrize("text", ["", LONG], ids=["exact", "worked out in the browser"])
@pytest.mark.wide
def test_layers_with_a_window_and_without(visit, text):
    words = f"&text={text.replace(' ', '+')}" if text else ""
    link = f"{UNTRAINED}&model=Decoder&mask=causal+window&span=3&window_layers=every+other+layer{words}"
    seen = truth(*([text] if text else []), kind="decoder", window=3, window_layers=(0, 2))
    view = visit(f"{link}&layer=0&head=1&query=9&key=2")
    assert (view.why["allowed"], view.why["weight"]) == (False, 0), "farther than two tokens back"
    assert "blocked" in view.root.locator(".readout").inner_text()
    view.thumb(1, 1).click()
    view.expect(layer=1, head=1)
    view.root.locator(".steps .total").first.wait_for()  # q and k of this head have come
    view.grid.press("ArrowRight")
    view.grid.press("ArrowLeft")
    view.expect(query=9, key=2)
    assert view.why["allowed"], "this layer looks at everything before"
    assert view.why["weight"] == pytest.approx(seen.weights[1, 1, 9, 2], abs=1e-6)
    assert float(view.shown["value"]) == pytest.approx(seen.weights[1, 1, 9, 2], abs=1e-6)
    if not text:
        agree(view, seen, 1, 1)
        view.thumb(2, 0).click()
        view.expect(layer=2, head=0)
        agree(view, seen, 2, 0)


@pytest.mark.parametrize(
    ("text", "tier"), [(LONG, "bytes"), pytest.param(VERY_LONG, "thumbnail", marks=pytest.mark.wide)]
)
@pytest.mark.wide
def test_long_texts_are_exact_where_one_looks(visit, text, tier):
    view, seen = visit(f"{UNTRAINED}&text={text.replace(' ', '+')}&query=150&key=40"), truth(text)
    view.expect(tier=tier)
    assert view.why["weight"] == pytest.approx(seen.weights[0, 0, 150, 40], abs=1e-6)
    before = len(view.sent)
    view.thumb(2, 3).click()
    view.expect(layer=2, head=3)
    view.root.locator(".steps .total").first.wait_for()  # q and k of this head have come
    assert len(view.sent) > before
    assert view.why["weight"] == pytest.approx(seen.weights[2, 3, 150, 40], abs=1e-6)
    assert float(view.shown["value"]) == pytest.approx(seen.weights[2, 3, 150, 40], abs=1e-6)
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        view.grid.press(key)
    view.expect(query=152, key=41)
    assert view.why["weight"] == pytest.approx(seen.weights[2, 3, 152, 41], abs=1e-6)


@pytest.mark.wide
def test_the_parts_that_are_said_of_a_head(visit):
    view, weights = visit(UNTRAINED + "&layer=1&head=1"), truth().weights[1, 1].astype("f8")
    entropy = -(weights * np.log2(weights)).sum(1).mean()
    distance = (weights * abs(np.subtract.outer(range(len(weights)), range(len(weights))))).sum(1).mean()
    said = view.root.locator(".measures").inner_text()
    assert f"{entropy:.2f} of {np.log2(len(weights)):.2f} bits" in said
    assert f"{distance:.1f} tokens" in said
    name = f"Layer 1, head 1: entropy {entropy:.2f} bits, mean distance {distance:.1f} tokens"
    assert view.thumb(1, 1).get_attribute("aria-label") == name


@pytest.mark.wide
def test_several_heads_show_their_mean(visit):
    view, seen = visit(UNTRAINED + "&layer=0&head=0&with=1-2,2-3"), truth().weights
    values, _, _ = view.all_cells()
    assert np.abs(values - (seen[0, 0] + seen[1, 2] + seen[2, 3]) / 3).max() < 1e-6
    assert view.root.locator(".steps dt").all_inner_texts()[-1] == "mean of 3 heads"
