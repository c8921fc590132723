"""The page on positions as the server runs it: every view, every control, every link."""

import json
import re
from typing import Any

import numpy as np
import pytest
import streamlit
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.positions import addition, clocks, distance, look_back, schemes, shuffle, too_far, waves
from pages.positions.components.word_shuffler import chosen_order
from pages.positions.shuffle import MAX_WORDS
from pages.shared.hyperparameters import POSITIONS
from pages.shared.view import View
from tests.pages import driver
from tests.pages.driver import CHOICES, charts, choose, notices, options, payload, payloads, values, words
from transformer.config import POSITION_SCHEMES
from transformer.inspection import positions

SIMPLE = [module.VIEW for module in (shuffle, waves, addition, distance, clocks, look_back, too_far)]
VIEWS = [(view, None) for view in SIMPLE] + [(schemes.VIEW, scheme.name) for scheme in schemes.SCHEMES]
NAMES = [(view.name, scheme) for view, scheme in VIEWS]


def visit(view: str | None = None, scheme: str | None = None, **link: Any) -> AppTest:
    return driver.visit("positions", pos_view=view, pos_scheme=scheme, **link)


def n_pictures(at: AppTest) -> int:
    return len(charts(at)) + len(payloads(at))


@pytest.mark.parametrize(("view", "scheme"), VIEWS)
def test_every_view_opens_on_a_finished_example(view: View, scheme: str | None) -> None:
    at = visit(view.name, scheme)
    assert at.title[0].value == "How does it know the order?"
    assert notices(at) == ""
    assert f"#### {view.question}" in words(at)
    assert n_pictures(at) >= 1
    assert len(at.radio) == 1, "one question to check oneself"
    assert all(chart.proto.alt for chart in at.get("plotly_chart"))


@pytest.mark.parametrize(("view", "scheme"), NAMES)
def test_the_right_answer_of_every_check_is_one_of_its_answers(view: str, scheme: str | None) -> None:
    at = visit(view, scheme)
    verdicts = [words(at.radio[0].set_value(answer).run()).count("**Yes.**") for answer in at.radio[0].options]
    assert sorted(verdicts) == [0] * (len(verdicts) - 1) + [1]


# ---- the permutation machine -----------------------------------------------------------------------------------


def test_the_machine_opens_on_the_cat_and_the_mat() -> None:
    at = visit()
    shown = payload(at)
    assert shown["words"] == ["The", "cat", "sat", "on", "the", "mat"]
    assert shown["order"] == [0, 5, 2, 3, 4, 1]
    assert max(shown["moved"]) < 1e-5
    assert "The model did not notice" in words(at)
    assert np.abs(np.array(shown["after"])[1] - np.array(shown["before"])[5]).max() < 1e-5


@pytest.mark.parametrize("scheme", [name for name in POSITIONS if name != "none"])
def test_every_scheme_makes_the_model_notice(scheme: str) -> None:
    at = choose(visit(), positions=scheme)
    assert max(payload(at)["moved"]) > 0.1
    assert "**The model noticed.**" in words(at)


def test_a_decoder_notices_without_positions() -> None:
    at = choose(visit(), model="Decoder")
    assert max(payload(at)["moved"]) > 0.1
    assert "It noticed, without any positions" in words(at)


def test_another_seed_is_another_model() -> None:
    at = visit()
    before = payload(at)["before"]
    assert payload(choose(at, seed=1))["before"] != before


def test_a_link_gives_the_order() -> None:
    assert payload(visit(pos_order="5-4-3-2-1-0"))["order"] == [5, 4, 3, 2, 1, 0]
    at = visit(pos_order="0-1-2-3-4-5")
    assert max(payload(at)["moved"]) == 0
    assert "Nothing has moved yet" in words(at)


@pytest.mark.parametrize("order", ["", "x", "0-1", "0-0-1-2-3-4", "9-1-2-3-4-5", "0-1-2-3-4-٥", "-1", "1" * 5000])
def test_an_order_that_is_none_is_passed_over(order: str) -> None:
    assert payload(visit(pos_order=order))["order"] == [0, 5, 2, 3, 4, 1]


@pytest.mark.parametrize(
    "order",
    [None, "x", [0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4], [0.0, 1, 2, 3, 4, 5], [True, 0, 2, 3, 4, 5], {"a": 1}, [[0]] * 6],
)
def test_an_order_that_a_browser_made_up_is_passed_over(order: object) -> None:
    streamlit.session_state["made_up"] = {"order": order}
    try:
        assert chosen_order("made_up", 6) == (0, 5, 2, 3, 4, 1)
        assert [chosen_order("made_up", n) for n in (0, 1, 2, 3)] == [(), (0,), (1, 0), (0, 2, 1)]
    finally:
        del streamlit.session_state["made_up"]


@pytest.mark.parametrize("view", ["Shuffle", "Sum"])
def test_texts_of_every_length(view: str) -> None:
    at = visit(view)
    assert "There is no" in notices(choose(at, text="  "))
    assert not at.get("bidi_component")
    assert not at.get("plotly_chart")
    assert notices(choose(at, text="hello")) == ""
    assert "of 512" in notices(choose(at, text="a b " * 300))
    assert notices(choose(at, text="<b>$x$ `y` שלום 👍🏽")) == ""


def test_words_reach_the_machine_as_they_are() -> None:
    assert payload(visit(text="<b> $x$"))["words"] == ["<", "b", ">", "$", "x", "$"]
    assert len(payload(visit(text="a b " * 300))["words"]) == MAX_WORDS


# ---- waves, sum, distance --------------------------------------------------------------------------------------


def test_the_waves_are_the_table_of_these_settings() -> None:
    at = choose(visit("Waves"), d_model=9, pos_length=24, base=100, pos_pair=4)
    heat, curves, turns = charts(at)
    result = positions.waves(24, 9, 100.0)
    assert np.array_equal(heat["data"][0]["z"], result.table.astype("f4"))
    assert len(curves["data"]) == 1, "the last column of an odd width is alone"
    assert np.array_equal(turns["data"][0]["y"], result.wavelengths)
    assert "columns 8 alone" in words(at)


def test_the_limit_of_the_wavelengths_is_shown() -> None:
    assert "47,117" in words(visit("Waves"))
    assert "62,832" in words(visit("Waves"))


def test_a_pair_that_is_gone_says_so() -> None:
    at = choose(visit("Waves"), pos_pair=20)
    assert notices(choose(at, d_model=16)) == "You see 7: d_model=16 has pairs 0 to 7, not 20."


def test_the_sum_and_its_amount() -> None:
    at = choose(visit("Sum"), pos_amount=0.5, d_model=16)
    token, position, total = (np.array(trace["z"]) for trace in charts(at)[0]["data"])
    assert token.shape == (6, 16)
    assert position == pytest.approx(0.5 * positions.waves(6, 16, 10_000.0).table, abs=1e-6)
    assert np.array_equal(total, token + position)
    other = np.array(charts(choose(at, text="six quite other words are here"))[0]["data"][1]["z"])
    assert np.array_equal(other, position)
    assert "**5 × 6 × 16** + positions **1 × 6 × 16** = **5 × 6 × 16**" in words(choose(at, pos_batch=5))


def test_likeness_rises_at_82_of_199_steps() -> None:
    at = visit("Distance")
    assert "**82 of 199**" in words(at)
    assert "first rises at offset **6**" in words(at)
    curve = charts(choose(at, pos_anchor=50))[1]["data"][0]
    assert np.array_equal(curve["y"], positions.similarity(200, 64, 10_000.0).matrix[50])


# ---- clocks, schemes, looking back, too far --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "scheme", "kind", "n_places", "max_offset"),
    [("Clocks", None, "code", 133, 32), ("Schemes", "rotary", "rotary", 165, 64)],
)
def test_the_clocks_are_sent_the_hands(
    view: str, scheme: str | None, kind: str, n_places: int, max_offset: int
) -> None:
    at = choose(visit(view, scheme), pos_clocks_n=3, base=100)
    message = payload(at)
    length = int.from_bytes(message[:4], "little")
    head = json.loads(message[4 : 4 + length])
    assert (head["kind"], head["pairs"], head["places"], head["most"]) == (kind, 3, n_places, max_offset)
    tables = np.frombuffer(message[4 + length :], "<f4").reshape(2, n_places, 3, 2)
    hands = (
        positions.sinusoid_hands(n_places, 6, 100.0)
        if kind == "code"
        else positions.rotary_hands(n_places, 6, 100.0, 0)
    )
    assert np.array_equal(tables[0], hands.first.astype("f4"))
    assert np.array_equal(tables[1], hands.second.astype("f4"))
    assert head["turns"] == pytest.approx([2 * np.pi * 100 ** (i / 3) for i in range(3)])


def test_schemes_side_by_side_are_the_model_s_weights() -> None:
    at = choose(visit("Schemes"), pos_tokens=8, pos_head=2, seed=3)
    z = charts(at)[0]["data"][0]["z"]
    for n, scheme in enumerate(POSITION_SCHEMES):
        row, column = divmod(n, 3)
        tile = z[row * 10 : row * 10 + 8, column * 9 : column * 9 + 8]
        assert np.array_equal(tile, positions.same_word(scheme, 8, d_model=64, n_heads=4, seed=3)[2])


def test_a_learned_table_says_its_own_refusal() -> None:
    at = choose(visit("Schemes", "learned"), pos_rows=16, pos_used=5)
    assert at.code[0].value.startswith("the learned table has 16 positions, but the text needs 17")
    gradient = charts(at)[1]["data"][0]["x"]
    assert (np.array(gradient) > 0).tolist() == [True] * 5 + [False] * 11


@pytest.mark.parametrize("heads", [1, 3, 16])
@pytest.mark.parametrize("scheme", ["T5 relative", "ALiBi"])
def test_planes_of_any_number_of_heads(scheme: str, heads: int) -> None:
    tiles, by_distance = charts(choose(visit("Schemes", scheme), heads=heads))
    assert len(tiles["layout"]["annotations"]) == heads
    data = by_distance["data"]
    assert (len(data) if scheme == "ALiBi" else len(data[0]["z"])) == heads


@pytest.mark.parametrize(("scheme", "sure"), [("none", False), ("sinusoidal", True), ("rotary", True)])
def test_looking_back(scheme: str, sure: bool) -> None:
    at = choose(visit("Look back"), positions=scheme, pos_back=5, pos_sharp=32)
    on, chance = (float(metric.value) for metric in at.metric)
    assert chance == 0.04
    assert (on > 0.9) is sure
    weights = charts(at)[0]["data"][0]["z"]
    assert on == pytest.approx(np.diagonal(weights, -5).mean(), abs=0.006)


def test_too_far() -> None:
    at = choose(visit("Too far"), pos_trained=16, pos_times=4)
    assert at.code[0].value.startswith("the learned table has 16 positions, but the text needs 64")
    traces = charts(at)[0]["data"]
    assert [len(trace["y"]) for trace in traces] == [64] * 5
    assert "from distance 91 on" in words(at)
    assert "measured on a later page" in words(at)


# ---- links -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["", "x", "9" * 30, "$<b>٣"])
@pytest.mark.parametrize(("view", "scheme"), NAMES)
def test_nonsense_in_a_link_falls_back_and_says_so(view: str, scheme: str | None, asked: str) -> None:
    usual = {k: v for k, v in values(visit(view, scheme), CHOICES).items() if k not in ("pos_view", "pos_scheme")}
    at = visit(view, scheme, **dict.fromkeys(usual, asked))
    now = {key: usual[key] if value is None and not asked else value for key, value in values(at, CHOICES).items()}
    assert {key: now[key] for key in usual} == usual
    assert len(notices(at).splitlines()) == len(usual)


def test_the_switches_have_these_views_and_no_others() -> None:
    switch, inner = (driver.control(visit("Schemes"), key) for key in ("pos_view", "pos_scheme"))
    assert set(switch.options) == {view.name for view, _ in VIEWS}
    assert set(inner.options) == {scheme for _, scheme in VIEWS if scheme}


def test_nonsense_for_the_view_itself() -> None:
    assert values(visit("zzz"))["pos_view"] == "Shuffle"
    assert values(visit("Schemes", "zzz"))["pos_scheme"] == "side by side"


def test_a_link_restores_what_was_chosen() -> None:
    link = {"d_model": "48", "pos_length": "100", "base": "100", "pos_pair": "9"}
    at = visit("Waves", **link)
    assert {name: str(values(at)[name]) for name in link} == link
    assert notices(at) == ""


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_any_choice_of_any_view_is_drawn(data: st.DataObject) -> None:
    view, scheme = data.draw(st.sampled_from(NAMES))
    at = visit(view, scheme)
    for _ in range(3):
        widgets = [w for kind in CHOICES for w in at.get(kind)]
        widget = data.draw(st.sampled_from(widgets))
        kinds = {str(option): option for option in options(widget)}
        at = widget.set_value(kinds[data.draw(st.sampled_from(sorted(kinds)))]).run()
        assert n_pictures(at) >= 1


def test_alibi_says_what_it_cannot_tell() -> None:
    shown = words(visit("Schemes", "ALiBi"))
    assert "cannot tell a text from its reversal" in shown
    moved = float(re.search(r"moves by more than ([\d.]+) \(rounding\)", shown)[1])
    assert 0 <= moved < 1e-5
