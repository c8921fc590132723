"""Cheaper attention on the page: maps and errors are the model's own, and times come only when they are asked for."""

import numpy as np
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.why import data, variants, ways
from tests.pages import driver
from tests.pages.driver import chart, charts, press, words
from tests.pages.why.test_page import visit
from tests.payloads import Payload, unpack
from transformer.inspection.run import run_with_maps
from transformer.inspection.variants import FULL, NAMES, TIMED

VIEW = "Cheaper attention"


def maps(at: AppTest) -> Payload:
    """What the picture was sent."""
    return unpack(driver.payloads(at)[-1])


def test_the_first_map_is_what_the_shipped_encoder_does() -> None:
    at = visit(VIEW, why_variants_at=0, why_variants_of_head=2)
    header, arrays = maps(at)
    compared = data.variants(True, 0, 4, 1)
    source = data.Shipped("sentiment").resolve()
    tokens = source.cut(" ".join(source.examples))[: data.N_DRAWN]
    run = run_with_maps(source.single_stack, source.ids(tokens), tuple(tokens))
    np.testing.assert_allclose(compared[FULL].weights, run.attention["encoder"].weights[0], atol=1e-6)
    assert header["words"] == list(tokens)
    ends = [source.cut(" ".join(source.examples[:n])) for n in range(1, len(source.examples) + 1)]
    assert tokens in ends, "no sentence of the text breaks off"
    assert [way["name"] for way in header["ways"]] == list(compared)
    shown = [compared[FULL if variant.missed is None else name].weights[2] for name, variant in compared.items()]
    np.testing.assert_allclose(arrays["maps"], shown, atol=1e-6)
    assert np.isnan(arrays["maps"]).any()
    assert header["largest"] == pytest.approx(compared[FULL].weights[2].max())
    shown_ways = {way["name"]: way for way in header["ways"]}
    assert header["chosen"] == ways.WINDOW
    assert header["n_heads"] == 4
    assert (shown_ways[ways.FULL]["share"], shown_ways[ways.FULL]["missed"]) == (1, 0)
    assert shown_ways["in blocks"]["missed"] == pytest.approx(0, abs=1e-6)
    assert maps(visit(VIEW, why_variants_of=variants.RANDOM))[0]["words"] == []


@pytest.mark.parametrize("name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.wide) for name in NAMES[1:])])
def test_each_is_explained_by_its_own_code_cost_and_what_it_misses(name: str) -> None:
    at = visit(VIEW, why_variant=name, why_variants_of=variants.RANDOM, why_variants_size=6)
    header = maps(at)[0]
    assert header["chosen"] == name
    shown = {way["name"]: way for way in header["ways"]}[name]
    missed = data.variants(False, 1, 6, 1)[name].missed
    assert shown["missed"] == (None if missed is None else pytest.approx(missed[0]))
    assert (shown["of"], shown["share"]) == data.costs_compared(4, 6, 1)[name]
    assert "%" not in words(at), "each number is said once, in the picture"
    assert f"def {ways.CODE[name]}(" in " ".join(block.value for block in at.code) or name == "window"


def test_a_link_that_names_a_size_opens_the_usual_way_at_it() -> None:
    at = visit(VIEW, why_variants_size=8)
    header = maps(at)[0]
    assert header["chosen"] == ways.WINDOW
    way = next(way for way in header["ways"] if way["name"] == ways.WINDOW)
    assert way["missed"] == pytest.approx(data.variants(True, 1, 8, 1)[ways.WINDOW].missed[0])
    assert way["missed"] < data.variants(True, 1, 4, 1)[ways.WINDOW].missed[0]


@pytest.mark.parametrize(
    ("message", "chosen", "press"),
    [
        (["dilated", 3], "dilated", 3),
        (["no such way", 3], None, None),
        (["dilated", "3"], None, None),
        (["dilated"], None, None),
        ("dilated", None, None),
    ],
)
def test_a_press_sets_the_way_and_its_number_is_kept(message: object, chosen: str | None, press: int | None) -> None:
    streamlit.session_state.clear()
    streamlit.session_state[variants.MAPS] = {"variant": message}
    variants._choose()
    assert streamlit.session_state.get("why_variant") == chosen
    assert streamlit.session_state.get(variants._PRESS) == press
    streamlit.session_state.clear()


def test_an_answer_bears_the_number_of_the_last_press() -> None:
    assert maps(visit(VIEW))[0]["press"] == 0
    assert maps(driver.visit("why", session={variants._PRESS: 7}, why_view=VIEW))[0]["press"] == 7


def test_full_attention_is_shown_with_its_code() -> None:
    at = visit(VIEW, why_variant=ways.FULL)
    assert "def scaled_dot_product_attention(" in " ".join(block.value for block in at.code)


def test_times_are_measured_when_asked_only(monkeypatch: pytest.MonkeyPatch) -> None:
    at = visit(VIEW)
    assert len(charts(at)) == 1
    names = []

    def measured(*settings: object) -> dict[str, list[float]]:
        names.append(settings)
        return {name: [1.0 + n for n, _ in enumerate(data.variant_lengths())] for name in TIMED}

    monkeypatch.setattr(data, "time_variants", measured)
    at = press(at, variants.BUTTON)
    assert names == [(4, 1, 1)]
    assert {trace["name"] for trace in chart(at, 1)["data"]} == set(TIMED)
    assert not driver.notices(at)
