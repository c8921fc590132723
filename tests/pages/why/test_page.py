"""The page on why attention, as the server runs it: every view, every control, links, and what is measured."""

from collections import Counter
from itertools import cycle, pairwise
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab.kit.words import NOTHING
from pages.why import data, path_length
from pages.why.components.area import dragged
from pages.why.controls import HEADS, LENGTHS, MEASURED_WIDTHS, STOPS, TEXTS
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, notices, payloads, press, words
from transformer.inspection import paths, timing

# The last is a fold now, and was a view once.
COST, MEASURE = ("What does it cost?", "How long does it take?")
NETWORKS: tuple[paths.Network, ...] = ("recurrent", "convolution", "dilated", "attention")


def visit(view: str | None = None, **link: Any) -> AppTest:
    return driver.visit("why", why_view=view, **link)


def traces(at: AppTest, n: int = 0) -> list[dict]:
    return chart(at, n)["data"]


def networks(at: AppTest) -> dict[str, dict]:
    """The networks of the race, by name."""
    (race,) = [data for data in payloads(at) if isinstance(data, dict) and "networks" in data]
    return {network["name"]: network for network in race["networks"]}


def way(network: dict, i: int, j: int) -> list[paths.Node]:
    """The shortest way from word i to the nearest output at word j, as the browser finds it."""
    graph: paths.Graph = {}
    for a, b, c, d in network["edges"]:
        graph[c, d] = (*graph.get((c, d), ()), (a, b))
    found = [paths.shortest_path(graph, (0, i), (layer, j)) for layer in range(1, network["layers"] + 1)]
    return min(filter(None, found), key=len)


def area(at: AppTest) -> dict:
    (area,) = [data for data in payloads(at) if isinstance(data, dict) and "lengths" in data]
    return area


def test_the_number_of_words_is_written_with_its_thousands_apart() -> None:
    said = [block.body for block in visit(COST, why_length="100000").get("html") if 'class="chips"' in block.body]
    assert any("<span>100,000 words</span>" in body for body in said), said


def test_a_cost_opens_at_a_page_whose_shapes_are_nearly_equal_and_a_link_at_its_own_length() -> None:
    sides = [(area(at)["n"], area(at)["d"]) for at in (visit(COST), visit(COST, why_length="20"))]
    assert sides == [(TEXTS["page"], 512), (20, 512)]


def test_the_first_visit_shows_four_finished_networks() -> None:
    at = visit()
    assert at.title[0].value == "Why look at everything at once?"
    assert notices(at) == ""
    steps = {name: len(way(network, 0, 11)) - 1 for name, network in networks(at).items()}
    assert steps == {"Recurrent": 12, "Convolution": 6, "Dilated": 3, "Attention": 1}
    assert "all 144 pairs, in one layer" in words(at)
    assert not charts(at)


def test_the_race_reads_real_words_and_says_how_many_each_network_sees_at_a_time() -> None:
    at = visit(why_n="16", why_k="5")
    (race,) = [data for data in payloads(at) if isinstance(data, dict) and "networks" in data]
    assert len(path_length.SENTENCE.split()) == max(path_length.WORDS), "each length has its words"
    assert race["words"] == path_length.SENTENCE.split()[:16]
    assert (race["words"][0], race["words"][-1]) == ("Anna", "her")
    sees = [network["sees"] for network in race["networks"]]
    assert sees == ["one word after another", "5 words at a time", "5 words at a time, with gaps", "all words at once"]
    window = networks(visit(why_k="5", why_sees="a window"))["Attention"]
    assert window["sees"] == "9 words at a time"
    lines = Counter(tuple(edge[2:]) for edge in window["edges"])
    assert max(lines.values()) == 9, "as many lines lead to a word as are said"
    assert networks(visit(why_sees="what came before"))["Attention"]["sees"] == "all earlier words at once"


@pytest.mark.few(5)
@pytest.mark.parametrize(("n", "k"), zip(path_length.WORDS, cycle([2, 5, 9]), strict=False))
def test_the_drawn_path_has_as_many_steps_as_the_formula_says(n, k):
    """From any word to any later one as between the ends of a text that is cut to them."""
    for network, drawn in zip(NETWORKS, networks(visit(why_n=str(n), why_k=str(k))).values(), strict=True):
        for i, j in {(0, n - 1), (n // 3, n - 1), (n // 2, n // 2 + 1 if n > 2 else 1)} - {(1, 1)}:
            assert len(way(drawn, i, j)) == paths.maximum_path_length(network, j - i + 1, k) + 1, (network, i, j)


def test_a_mask_takes_pairs_away_and_says_so() -> None:
    at = visit(why_sees="what came before")
    assert "only for 78 of 144" in words(at)
    assert "every output is connected to every input" not in words(at)
    at = visit(why_sees="a window")
    assert len(way(networks(at)["Attention"], 0, 11)) == 7
    assert at.get("page_link")[0].proto.page
    assert "sees 5 words at once" in words(at)


def test_a_window_that_covers_the_text_needs_one_step_and_no_stack() -> None:
    """As many words as one side of it and the word itself: the last sees the first."""
    for n, k in ((4, 9), (3, 3)):
        at = visit(why_sees="a window", why_n=str(n), why_k=str(k))
        assert len(way(networks(at)["Attention"], 0, n - 1)) == 2
        assert f"covers all {n} words" in words(at)
        assert "it needs a stack of layers, too" not in words(at)
    assert "stack of layers, too" in words(visit(why_sees="a window", why_n="4", why_k="3"))


def test_the_table_has_the_formulas_numbers() -> None:
    at = visit(COST, why_length="1024", why_d="512", why_heads="8", why_k="3")
    table = next(m.value for m in at.markdown if m.value.startswith("| one layer"))
    assert "| **attention** | n² · d = 537 million | 1 | 1 |" in table
    assert "| **recurrent** | n · d² = 268 million | n = 1,024 | n = 1,024 |" in table
    assert "| **attention, window k** | (2k−1) · n · d = 2.62 million | 1 |" in table
    assert (2 * 3 - 1) * 1024 * 512 == 2_621_440
    assert "| **convolution** | k · n · d² = 805 million | 1 | (n−1) / (k−1) = 512 |" in table
    assert 1024 * 1024 * 512 == 536_870_912
    assert any("33.6 MB" in formula.value for formula in at.latex)
    assert 8 * 1024 * 1024 * 4 == 33_554_432
    assert "Yours is not: 1,024 words." in words(at)
    assert "Yours is shorter: 256 words." in words(visit(COST, why_length="256", why_d="512"))


def test_the_square_and_the_strip_have_the_chosen_sides() -> None:
    drawn = area(visit(COST, why_length="4096", why_d="128", why_heads="2"))
    assert (drawn["n"], drawn["d"], drawn["heads"]) == (4096, 128, 2)
    assert (drawn["lengths"], drawn["stops"]) == (list(LENGTHS), sorted(STOPS))
    assert set(STOPS) < set(LENGTHS)
    assert {250, 500, 1_000, 2_000} == {n for n in STOPS if 250 <= n <= 2_048}, "whole pages, and nothing beside them"
    assert max(b / a for a, b in pairwise(n for n in LENGTHS if n > 200)) < 1.06, "a hand feels no steps"
    assert drawn["page"] == TEXTS["page"]
    assert dict(drawn["texts"]) == TEXTS
    assert set(TEXTS.values()) <= set(STOPS)
    assert area(visit(COST))["n"] == TEXTS["page"]


@pytest.mark.parametrize(
    ("sent", "value"), [(64, 64), (65, None), ("64", None), (True, None), ([64], None), (None, None)]
)
def test_a_side_that_was_dragged_is_one_of_the_options_or_nothing(
    monkeypatch: pytest.MonkeyPatch, sent: object, value: int | None
) -> None:
    monkeypatch.setattr("lab.kit.components.st.session_state", {"why_area": {"n": sent}})
    assert dragged("why_area", LENGTHS) == value


def test_what_is_shown_at_first_was_measured_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("measured without being asked")

    monkeypatch.setattr("transformer.inspection.timing.time_runs", never)
    at = visit(MEASURE)
    assert at.button(key="why_measure").label == "Measure on this machine"
    assert len(charts(at)) == 2
    assert [trace["line"]["dash"] for trace in traces(at)] == ["dot", "dot"]
    assert data.machine() in words(at)
    assert "Measured here" not in words(at)
    assert "this machine" not in chart(at)["layout"]["yaxis"]["title"]["text"]


def test_there_are_stored_times_of_every_size_that_can_be_chosen() -> None:
    for d in MEASURED_WIDTHS:
        for n_heads in HEADS:
            lengths, heads = data.stored(d, n_heads)
            assert len(lengths.first) == len(lengths.second) == len(timing.LENGTHS)
            assert len(heads.first) == len(heads.second) == len(HEADS)
            assert min(lengths.first + lengths.second + heads.first + heads.second) > 0
    assert len(data.machine()) > 20


def test_ones_own_times_lie_on_top_of_the_stored_ones() -> None:
    at = press(visit(MEASURE, why_d="32", why_heads="8"), "why_measure")
    assert [trace["name"] for trace in traces(at)] == ["stored", "stored", "attention", "recurrent"]
    assert [trace["name"] for trace in traces(at, 1)] == ["stored", "stored", "at once", "one by one"]
    assert all((np.array(trace["y"], float) > 0).all() for n in (0, 1) for trace in traces(at, n))
    assert "Measured here" in words(at)
    assert "one thread of this machine" in words(at)
    assert "on this machine" in chart(at)["layout"]["yaxis"]["title"]["text"]
    once, apart = (np.array(trace["y"], float) for trace in traces(at, 1)[2:])
    place = HEADS.index(8)
    assert f"With **8** heads: {once[place]:.2f} ms at once, {apart[place]:.2f} ms one by one" in words(at)
    assert f"differ by {NOTHING}" in words(at)
    assert at.button(key="why_measure").label == "Measure again"


def test_of_one_head_nobody_says_that_it_is_computed_at_once_or_together_with_others() -> None:
    said = words(visit(MEASURE, why_heads="1"))
    assert "With **one** head there is nothing to do at once" in said
    assert "so any number of them can be computed together" in said
    assert "1** heads" not in said
    assert "all 1 " not in said
    assert "so all 8 can be computed together" in words(visit(MEASURE, why_heads="8"))


def test_a_link_to_a_view_that_was_merged_opens_the_other() -> None:
    for old in ("All heads at once", MEASURE):
        at = visit(old, why_d="32", why_heads="8")
        assert driver.control(at, "why_view").value == COST
        assert notices(at) == ""
        assert "With **8** heads" in words(at)


def test_settings_can_be_changed_one_after_the_other() -> None:
    at = choose(visit(COST), why_length=2048)
    at = choose(at, why_d=64)
    assert (area(at)["n"], area(at)["d"]) == (2048, 64)


@pytest.mark.parametrize(("width", "measured"), [(16, 32), (64, 64), (512, 256)])
def test_what_was_measured_is_as_wide_as_the_layer_or_as_near_to_it_as_there_is(width: int, measured: int) -> None:
    at = visit(COST, why_timed="true", why_d=width)
    assert f"**Attention and a recurrent layer**, {measured} wide" in words(at)
    assert notices(at) == ""
