"""The page on why attention, as the server runs it: every view, every control, links, and what is measured."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.why import views
from tests.pages.driver import open_page
from transformer.inspection import costs, paths

APP = Path(__file__).parents[3] / "app.py"


def visit(view=None, **link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in {"why_view": view, **link}.items():
        if value is not None:
            at.query_params[name] = value
    at = open_page(at, "why").run()
    assert not at.exception
    return at


def traces(at: AppTest, n: int = 0) -> list[dict]:
    return json.loads(at.get("plotly_chart")[n].proto.spec)["data"]


def numbers(data) -> np.ndarray:
    if isinstance(data, dict):
        return np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"])
    return np.array(data, float)


def words(at: AppTest) -> str:
    return "\n".join([*(m.value for m in at.markdown), *(c.value for c in at.caption)])


def said(at: AppTest) -> str:
    return "\n".join(t.value for t in at.text)


FAR, COST, LONG, HEADS = views.VIEWS


def test_the_first_visit_shows_four_finished_networks():
    at = visit()
    assert at.title[0].value == "Why look at everything at once?"
    assert said(at) == ""
    for name, steps in (("Recurrent", "12 steps"), ("Convolution", "6 steps"), ("Dilated", "3 steps")):
        assert f"**{name}**: :green[**{steps}**]" in words(at)
    assert "**Attention**: :green[**1 step**]" in words(at)
    assert "all 144 pairs, in one layer" in words(at)
    assert len(at.get("plotly_chart")) == 5


@pytest.mark.parametrize("n", views.WORDS)
@pytest.mark.parametrize("k", [2, 5, 9])
def test_the_drawn_way_has_as_many_steps_as_is_said(n, k):
    at = visit(why_n=str(n), why_k=str(k))
    for place, network in enumerate(("recurrent", "convolution", "dilated", "attention")):
        drawn = traces(at, place)[2]
        assert len(drawn["x"]) == paths.n_steps(network, n, k) + 1
        assert (drawn["x"][0], drawn["y"][0], drawn["x"][-1]) == (1, 0, n)


def test_a_mask_takes_pairs_away_and_says_so():
    at = visit(why_sees="what came before")
    assert "only 78 of 144" in words(at)
    assert "every output is connected to every input" not in words(at)
    at = visit(why_sees="a window")
    assert "**Attention**: :green[**6 steps**]" in words(at)
    assert at.get("page_link")[0].proto.page


def test_the_table_has_the_formulas_numbers():
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


def test_both_statements_stand_on_one_chart():
    """Steps that wait fall as 1/n, operations rise as n/d, and they are as many at n = d."""
    at = visit(COST, why_d="64", why_heads="4")
    lines = {trace["name"]: numbers(trace["y"]) for trace in traces(at)[:3]}
    n = np.array(views.LENGTHS, float)
    np.testing.assert_allclose(lines["steps that wait"], 1 / n)
    np.testing.assert_allclose(lines["operations"], n / 64)
    np.testing.assert_allclose(lines["memory"], 4 * n / 64)
    np.testing.assert_allclose(numbers(traces(at, 1)[0]["y"]), 4 * n * n * 4)


def test_nothing_is_measured_until_asked(monkeypatch):
    def never(*_, **__):
        raise AssertionError("measured without being asked")

    monkeypatch.setattr("transformer.inspection.timing._timed", never)
    for view, key in ((LONG, "why_measure_lengths"), (HEADS, "why_measure_heads")):
        at = visit(view)
        assert "Measured here" not in words(at)
        assert at.button(key=key).label == "Measure on this machine"


def test_lengths_are_measured_and_labelled():
    at = visit(LONG, why_d="32").button(key="why_measure_lengths").click().run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 2
    assert [trace["name"] for trace in traces(at, 1)] == ["attention", "torch.nn.RNN"]
    assert all((numbers(trace["y"]) > 0).all() for trace in traces(at, 1))
    assert "Measured here" in words(at)
    assert "one thread of this machine" in words(at)
    assert "on this machine" in json.loads(at.get("plotly_chart")[1].proto.spec)["layout"]["yaxis"]["title"]["text"]
    counted = {trace["name"]: numbers(trace["y"]) for trace in traces(at)}
    at_n = np.array(traces(at)[0]["x"], float)
    np.testing.assert_array_equal(
        counted["attention, really"], [costs.multiplications("attention", int(n), 32, 2) for n in at_n]
    )
    again = at.button(key="why_measure_lengths")
    assert again.label == "Measure again"


def test_heads_are_measured_for_the_chosen_number():
    at = visit(HEADS, why_d="32", why_heads="8").button(key="why_measure_heads").click().run()
    assert not at.exception
    once, apart = (numbers(trace["y"]) for trace in traces(at))
    place = views.HEADS.index(8)
    assert f"With **8** heads: {once[place]:.2f} ms at once, {apart[place]:.2f} ms head by head" in words(at)
    assert "differ by at most **" in words(at)


@pytest.mark.parametrize("view", views.VIEWS)
def test_nonsense_in_a_link_falls_back_and_says_so(view):
    link = dict.fromkeys(("why_n", "why_k", "why_sees", "why_length", "why_d", "why_heads"), "nonsense")
    at = visit(view, **link)
    assert "cannot be nonsense" in said(at) or "not at nonsense" in said(at)
    assert visit("Nowhere").get("plotly_chart")


def test_a_width_chosen_elsewhere_is_brought_back_in_words():
    at = visit(LONG, why_d="512")
    assert "measured at the widths here, not at 512" in said(at)


@pytest.mark.parametrize("view", views.VIEWS)
def test_every_view_asks_one_question(view):
    at = visit(view)
    assert sum("Check yourself" in m.value for m in at.markdown) == 1


@pytest.mark.parametrize(("x", "shown"), [(16_384, "16,384"), (1_572_864, "1.57 million"), (2.15e9, "2.15 billion")])
def test_large_numbers_are_written_as_a_person_writes_them(x, shown):
    assert views._count(x) == shown
