"""The page on positions as the server runs it: every view, every control, every link."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import streamlit
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.positions import views as places
from pages.positions.components.word_shuffler import asked_order as asked
from pages.shared import controls
from tests.pages.driver import open_page
from tests.pages.positions.test_figures import _unpack
from transformer.inspection import positions

APP = Path(__file__).parents[3] / "app.py"
KINDS = ("segmented_control", "select_slider", "selectbox", "text_input")
SCHEMES = ("side by side", "learned", "rotary", "T5 relative", "ALiBi")
VIEWS = [(view, None) for view in places.VIEWS if view != "Schemes"] + [("Schemes", s) for s in SCHEMES]


def visit(view=None, scheme=None, **link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in {"pos_view": view, "pos_scheme": scheme, **link}.items():
        if value is not None:
            at.query_params[name] = value
    return open_page(at, "positions").run()


def choose(at: AppTest, **values) -> AppTest:
    for key, value in values.items():
        (widget,) = [w for kind in KINDS for w in at.get(kind) if w.key == key]
        at = widget.set_value(value).run()
    return at


def values(at: AppTest) -> dict:
    return {w.key: w.value for kind in KINDS for w in at.get(kind)}


def said(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.text)


def words(at: AppTest) -> str:
    assert not at.exception
    return "\n".join([m.value for m in at.markdown] + [c.value for c in at.caption])


def figures(at: AppTest) -> list[dict]:
    assert not at.exception
    return [_unpack(json.loads(chart.proto.spec)) for chart in at.get("plotly_chart")]


def machine(at: AppTest) -> dict:
    assert not at.exception
    (view,) = at.get("bidi_component")
    return json.loads(view.proto.json)


def sent(at: AppTest) -> bytes:
    assert not at.exception
    (view,) = at.get("bidi_component")
    return view.proto.bytes


@pytest.mark.parametrize(("view", "scheme"), VIEWS)
def test_every_view_opens_on_a_finished_example(view, scheme):
    at = visit(view, scheme)
    assert at.title[0].value == "How does it know the order?"
    assert said(at) == ""
    assert f"#### {places.VIEWS[view][0]}" in words(at)
    assert len(at.get("plotly_chart")) + len(at.get("bidi_component")) >= 1
    assert len(at.radio) == 1, "one question to check oneself"
    assert all(chart.proto.alt for chart in at.get("plotly_chart"))


@pytest.mark.parametrize(("view", "scheme"), VIEWS)
def test_the_right_answer_of_every_check_is_one_of_its_answers(view, scheme):
    at = visit(view, scheme)
    verdicts = [words(at.radio[0].set_value(answer).run()).count("**Yes.**") for answer in at.radio[0].options]
    assert sorted(verdicts) == [0] * (len(verdicts) - 1) + [1]


# ---- the permutation machine -----------------------------------------------------------------------------------


def test_the_machine_opens_on_the_cat_and_the_mat():
    at = visit()
    shown = machine(at)
    assert shown["words"] == ["The", "cat", "sat", "on", "the", "mat"]
    assert shown["order"] == [0, 5, 2, 3, 4, 1]
    assert max(shown["moved"]) < 1e-5
    assert "The model did not notice" in words(at)
    assert np.abs(np.array(shown["after"])[1] - np.array(shown["before"])[5]).max() < 1e-5


@pytest.mark.parametrize("scheme", [name for name in controls.POSITIONS if name != "none"])
def test_every_scheme_makes_the_model_notice(scheme):
    at = choose(visit(), positions=scheme)
    assert max(machine(at)["moved"]) > 0.1
    assert "**The model noticed.**" in words(at)


def test_a_decoder_notices_without_positions():
    at = choose(visit(), model="Decoder")
    assert max(machine(at)["moved"]) > 0.1
    assert "It noticed, without any positions" in words(at)


def test_another_seed_is_another_model():
    at = visit()
    before = machine(at)["before"]
    assert machine(choose(at, seed=1))["before"] != before


def test_a_link_gives_the_order():
    assert machine(visit(pos_order="5-4-3-2-1-0"))["order"] == [5, 4, 3, 2, 1, 0]
    at = visit(pos_order="0-1-2-3-4-5")
    assert max(machine(at)["moved"]) == 0
    assert "Nothing has moved yet" in words(at)


@pytest.mark.parametrize("order", ["", "x", "0-1", "0-0-1-2-3-4", "9-1-2-3-4-5", "0-1-2-3-4-٥", "-1", "1" * 5000])
def test_an_order_that_is_none_is_passed_over(order):
    assert machine(visit(pos_order=order))["order"] == [0, 5, 2, 3, 4, 1]


@pytest.mark.parametrize(
    "order",
    [None, "x", [0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4], [0.0, 1, 2, 3, 4, 5], [True, 0, 2, 3, 4, 5], {"a": 1}, [[0]] * 6],
)
def test_an_order_that_a_browser_made_up_is_passed_over(order):
    streamlit.session_state["made_up"] = {"order": order}
    try:
        assert asked("made_up", 6) == (0, 5, 2, 3, 4, 1)
        assert [asked("made_up", n) for n in (0, 1, 2, 3)] == [(), (0,), (1, 0), (0, 2, 1)]
    finally:
        del streamlit.session_state["made_up"]


@pytest.mark.parametrize("view", ["Shuffle", "Sum"])
def test_texts_of_every_length(view):
    at = visit(view)
    assert "There is no" in said(choose(at, text="  "))
    assert not at.get("bidi_component")
    assert not at.get("plotly_chart")
    assert said(choose(at, text="hello")) == ""
    assert "of 512" in said(choose(at, text="a b " * 300))
    assert said(choose(at, text="<b>$x$ `y` שלום 👍🏽")) == ""


def test_words_reach_the_machine_as_they_are():
    assert machine(visit(text="<b> $x$"))["words"] == ["<", "b", ">", "$", "x", "$"]
    assert len(machine(visit(text="a b " * 300))["words"]) == places.MOST_WORDS


# ---- waves, sum, distance --------------------------------------------------------------------------------------


def test_the_waves_are_the_table_of_these_settings():
    at = choose(visit("Waves"), d_model=9, pos_length=24, base=100, pos_pair=4)
    heat, curves, turns = figures(at)
    made = positions.waves(24, 9, 100.0)
    assert np.array_equal(heat["data"][0]["z"], made.table.astype("f4"))
    assert len(curves["data"]) == 1, "the last column of an odd width is alone"
    assert np.array_equal(turns["data"][0]["y"], made.wavelengths)
    assert "columns 8 alone" in words(at)


def test_the_limit_of_the_wavelengths_is_said():
    assert "47,117" in words(visit("Waves"))
    assert "62,832" in words(visit("Waves"))


def test_a_pair_that_is_gone_is_said():
    at = choose(visit("Waves"), pos_pair=20)
    assert said(choose(at, d_model=16)) == "You see 7: d_model=16 has pairs 0 to 7, not 20."


def test_the_sum_and_its_amount():
    at = choose(visit("Sum"), pos_amount=0.5, d_model=16)
    token, position, total = (np.array(trace["z"]) for trace in figures(at)[0]["data"])
    assert token.shape == (6, 16)
    assert position == pytest.approx(0.5 * positions.waves(6, 16, 10_000.0).table, abs=1e-6)
    assert np.array_equal(total, token + position)
    other = np.array(figures(choose(at, text="six quite other words are here"))[0]["data"][1]["z"])
    assert np.array_equal(other, position)
    assert "**5 × 6 × 16** + positions **1 × 6 × 16** = **5 × 6 × 16**" in words(choose(at, pos_batch=5))


def test_likeness_rises_at_82_of_199_steps():
    at = visit("Distance")
    assert "**82 of 199**" in words(at)
    assert "first rises at offset **6**" in words(at)
    curve = figures(choose(at, pos_anchor=50))[1]["data"][0]
    assert np.array_equal(curve["y"], positions.similarity(200, 64, 10_000.0).matrix[50])


# ---- clocks, schemes, looking back, too far --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "scheme", "kind", "places", "most"),
    [("Clocks", None, "code", 133, 32), ("Schemes", "rotary", "rotary", 165, 64)],
)
def test_the_clocks_are_sent_the_hands(view, scheme, kind, places, most):
    at = choose(visit(view, scheme), pos_clocks_n=3, base=100)
    length = int.from_bytes(sent(at)[:4], "little")
    head = json.loads(sent(at)[4 : 4 + length])
    assert (head["kind"], head["pairs"], head["places"], head["most"]) == (kind, 3, places, most)
    tables = np.frombuffer(sent(at)[4 + length :], "<f4").reshape(2, places, 3, 2)
    made = positions.sinusoid_hands(places, 6, 100.0) if kind == "code" else positions.rotary_hands(places, 6, 100.0, 0)
    assert np.array_equal(tables[0], made.first.astype("f4"))
    assert np.array_equal(tables[1], made.second.astype("f4"))
    assert head["turns"] == pytest.approx([2 * np.pi * 100 ** (i / 3) for i in range(3)])


def test_schemes_side_by_side_are_the_model_s_weights():
    at = choose(visit("Schemes"), pos_tokens=8, pos_head=2, seed=3)
    z = figures(at)[0]["data"][0]["z"]
    for n, scheme in enumerate(positions.MAKES):
        row, column = divmod(n, 3)
        tile = z[row * 10 : row * 10 + 8, column * 9 : column * 9 + 8]
        assert np.array_equal(tile, positions.same_word(scheme, 8, d_model=64, n_heads=4, seed=3)[2])


def test_a_learned_table_says_its_own_refusal():
    at = choose(visit("Schemes", "learned"), pos_rows=16, pos_used=5)
    assert at.code[0].value.startswith("the learned table has 16 positions, but the text needs 17")
    gradient = figures(at)[1]["data"][0]["x"]
    assert (np.array(gradient) > 0).tolist() == [True] * 5 + [False] * 11


@pytest.mark.parametrize("heads", [1, 3, 16])
@pytest.mark.parametrize("scheme", ["T5 relative", "ALiBi"])
def test_planes_of_any_number_of_heads(scheme, heads):
    tiles, by_distance = figures(choose(visit("Schemes", scheme), heads=heads))
    assert len(tiles["layout"]["annotations"]) == heads
    data = by_distance["data"]
    assert (len(data) if scheme == "ALiBi" else len(data[0]["z"])) == heads


@pytest.mark.parametrize(("scheme", "sure"), [("none", False), ("sinusoidal", True), ("rotary", True)])
def test_looking_back(scheme, sure):
    at = choose(visit("Look back"), positions=scheme, pos_back=5, pos_sharp=32)
    on, chance = (float(metric.value) for metric in at.metric)
    assert chance == 0.04
    assert (on > 0.9) is sure
    weights = figures(at)[0]["data"][0]["z"]
    assert on == pytest.approx(np.diagonal(weights, -5).mean(), abs=0.006)


def test_too_far():
    at = choose(visit("Too far"), pos_trained=16, pos_times=4)
    assert at.code[0].value.startswith("the learned table has 16 positions, but the text needs 64")
    traces = figures(at)[0]["data"]
    assert [len(trace["y"]) for trace in traces] == [64] * 5
    assert "from distance 91 on" in words(at)
    assert "measured on a later page" in words(at)


# ---- links -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["", "x", "9" * 30, "$<b>٣"])
@pytest.mark.parametrize(("view", "scheme"), VIEWS)
def test_nonsense_in_a_link_falls_back_and_is_said(view, scheme, asked):
    usual = {k: v for k, v in values(visit(view, scheme)).items() if k not in ("pos_view", "pos_scheme", "text")}
    at = visit(view, scheme, **dict.fromkeys(usual, asked))
    now = {key: usual[key] if value is None and not asked else value for key, value in values(at).items()}
    assert {key: now[key] for key in usual} == usual
    assert len(said(at).splitlines()) == len(usual)


def test_nonsense_for_the_view_itself():
    assert values(visit("zzz"))["pos_view"] == "Shuffle"
    assert values(visit("Schemes", "zzz"))["pos_scheme"] == "side by side"


def test_a_link_restores_what_was_chosen():
    link = {"d_model": "48", "pos_length": "100", "base": "100", "pos_pair": "9"}
    at = visit("Waves", **link)
    assert {name: str(values(at)[name]) for name in link} == link
    assert said(at) == ""


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_any_choice_of_any_view_is_drawn(data):
    view, scheme = data.draw(st.sampled_from(VIEWS))
    at = visit(view, scheme)
    for _ in range(3):
        widgets = [w for kind in KINDS[:3] for w in at.get(kind)]
        widget = data.draw(st.sampled_from(widgets))
        kinds = {str(option): option for option in _options(widget)}
        at = widget.set_value(kinds[data.draw(st.sampled_from(sorted(kinds)))]).run()
        assert not at.exception
        assert len(at.get("plotly_chart")) + len(at.get("bidi_component")) >= 1


def _options(widget):
    """What may be chosen, in its own type: the tests' proxies only know the labels."""
    value = widget.value
    return [type(value)(option) for option in widget.options] if value is not None else []


def test_alibi_says_what_it_cannot_tell():
    shown = words(visit("Schemes", "ALiBi"))
    assert "cannot tell a text from its reversal" in shown
    moved = float(re.search(r"moves by more than ([\d.]+) \(rounding\)", shown)[1])
    assert 0 <= moved < 1e-5
