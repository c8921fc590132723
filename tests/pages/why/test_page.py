"""The page on why attention, as the server runs it: every view, every control, links, and what is measured."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.why import cost, duration, heads, path_length
from pages.why.controls import HEADS, LENGTHS
from tests.pages import driver
from tests.pages.driver import chart, charts, notices, press, words
from transformer.inspection import costs, paths

VIEWS = [module.VIEW.name for module in (path_length, cost, duration, heads)]
PATHS, COST, DURATION, HEADS_AT_ONCE = VIEWS


def visit(view: str | None = None, **link: Any) -> AppTest:
    return driver.visit("why", why_view=view, **link)


def traces(at: AppTest, n: int = 0) -> list[dict]:
    return chart(at, n)["data"]


def test_the_first_visit_shows_four_finished_networks() -> None:
    at = visit()
    assert at.title[0].value == "Why look at everything at once?"
    assert notices(at) == ""
    for name, steps in (("Recurrent", "12 steps"), ("Convolution", "6 steps"), ("Dilated", "3 steps")):
        assert f"**{name}**: :green[**{steps}**]" in words(at)
    assert "**Attention**: :green[**1 step**]" in words(at)
    assert "all 144 pairs, in one layer" in words(at)
    assert len(charts(at)) == 5


@pytest.mark.parametrize("n", path_length.WORDS)
@pytest.mark.parametrize("k", [2, 5, 9])
def test_the_drawn_path_has_as_many_steps_as_the_formula_says(n, k):
    at = visit(why_n=str(n), why_k=str(k))
    networks: tuple[paths.Network, ...] = ("recurrent", "convolution", "dilated", "attention")
    for place, network in enumerate(networks):
        drawn = traces(at, place)[2]
        assert len(drawn["x"]) == paths.maximum_path_length(network, n, k) + 1
        assert (drawn["x"][0], drawn["y"][0], drawn["x"][-1]) == (1, 0, n)


def test_a_mask_takes_pairs_away_and_says_so() -> None:
    at = visit(why_sees="what came before")
    assert "only 78 of 144" in words(at)
    assert "every output is connected to every input" not in words(at)
    at = visit(why_sees="a window")
    assert "**Attention**: :green[**6 steps**]" in words(at)
    assert at.get("page_link")[0].proto.page


def test_the_table_has_the_formulas_numbers() -> None:
    at = visit(COST, why_length="1024", why_d="512", why_heads="8", why_k="3")
    table = next(m.value for m in at.markdown if m.value.startswith("| one layer"))
    assert "| **attention** | n² · d = 537 million | 1 | 1 |" in table
    assert "| **recurrent** | n · d² = 268 million | n = 1,024 | n = 1,024 |" in table
    assert "| **convolution** | k · n · d² = 805 million | 1 | (n−1) / (k−1) = 512 |" in table
    assert 1024 * 1024 * 512 == 536_870_912
    assert "33.6 MB" in words(at)
    assert 8 * 1024 * 1024 * 4 == 33_554_432
    assert "Yours is not: 1,024 words." in words(at)
    assert "Yours is: 256 words." in words(visit(COST, why_length="256", why_d="512"))


def test_both_statements_stand_on_one_chart() -> None:
    """Steps that wait fall as 1/n, operations rise as n/d, and they are as many at n = d."""
    at = visit(COST, why_d="64", why_heads="4")
    lines = {trace["name"]: np.array(trace["y"], float) for trace in traces(at)[:3]}
    n = np.array(LENGTHS, float)
    np.testing.assert_allclose(lines["steps that wait"], 1 / n)
    np.testing.assert_allclose(lines["operations"], n / 64)
    np.testing.assert_allclose(lines["memory"], 4 * n / 64)
    np.testing.assert_allclose(traces(at, 1)[0]["y"], 4 * n * n * 4)


def test_nothing_is_measured_until_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("measured without being asked")

    monkeypatch.setattr("transformer.inspection.timing._measure", never)
    for view, key in ((DURATION, "why_measure_lengths"), (HEADS_AT_ONCE, "why_measure_heads")):
        at = visit(view)
        assert "Measured here" not in words(at)
        assert at.button(key=key).label == "Measure on this machine"


def test_lengths_are_measured_and_labelled() -> None:
    at = press(visit(DURATION, why_d="32"), "why_measure_lengths")
    assert len(charts(at)) == 2
    assert [trace["name"] for trace in traces(at, 1)] == ["attention", "torch.nn.RNN"]
    assert all((np.array(trace["y"], float) > 0).all() for trace in traces(at, 1))
    assert "Measured here" in words(at)
    assert "one thread of this machine" in words(at)
    assert "on this machine" in chart(at, 1)["layout"]["yaxis"]["title"]["text"]
    counted = {trace["name"]: np.array(trace["y"], float) for trace in traces(at)}
    lengths = np.array(traces(at)[0]["x"], float)
    np.testing.assert_array_equal(
        counted["attention, really"], [costs.multiplications("attention", int(n), 32, 2) for n in lengths]
    )
    again = at.button(key="why_measure_lengths")
    assert again.label == "Measure again"


def test_heads_are_measured_for_the_chosen_number() -> None:
    at = press(visit(HEADS_AT_ONCE, why_d="32", why_heads="8"), "why_measure_heads")
    once, apart = (np.array(trace["y"], float) for trace in traces(at))
    place = HEADS.index(8)
    assert f"With **8** heads: {once[place]:.2f} ms at once, {apart[place]:.2f} ms head by head" in words(at)
    assert "differ by at most **" in words(at)


@pytest.mark.parametrize("view", VIEWS)
def test_nonsense_in_a_link_falls_back_and_says_so(view: str) -> None:
    link = dict.fromkeys(("why_n", "why_k", "why_sees", "why_length", "why_d", "why_heads"), "nonsense")
    at = visit(view, **link)
    assert "cannot be nonsense" in notices(at) or "not at nonsense" in notices(at)
    assert charts(visit("Nowhere"))


def test_a_width_chosen_elsewhere_is_brought_back_in_words() -> None:
    at = visit(DURATION, why_d="512")
    assert "measured at the widths here, not at 512" in notices(at)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_asks_one_question(view: str) -> None:
    at = visit(view)
    assert sum("Check yourself" in m.value for m in at.markdown) == 1


@pytest.mark.parametrize(("x", "shown"), [(16_384, "16,384"), (1_572_864, "1.57 million"), (2.15e9, "2.15 billion")])
def test_large_numbers_are_written_as_a_person_writes_them(x: int, shown: str) -> None:
    assert cost.in_words(x) == shown
