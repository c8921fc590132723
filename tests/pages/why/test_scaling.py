"""Whether bigger helps, on the page: lines, law and limits are those of the stored sweep."""

import numpy as np
import pytest

from pages.why import data
from tests.pages import driver
from tests.pages.driver import chart, words
from tests.pages.why.test_page import visit
from transformer.training.studies import scaling as study

VIEW = "What does it cost?"
STORED = study.stored()


@pytest.mark.parametrize("by", [data.PARAMETERS, data.TALES, data.COMPUTE])
def test_lines_and_law_are_those_of_the_file(by: str) -> None:
    at = visit(VIEW, why_bigger="true", why_scale=by)
    assert not driver.notices(at)
    traces = {trace["name"]: trace for trace in chart(at)["data"]}
    for name, points in study.lines(STORED, by).items():
        means = [np.mean(point.losses) for point in points]
        np.testing.assert_allclose(np.asarray(traces[name]["y"], float) + STORED.floor, means)
    fit = data.scaled(by).fit
    assert f"b = {fit.law.b:.2f}" in words(at) or any(f"b = {fit.law.b:.2f}" in block.value for block in at.latex)
    assert "b lies between" not in words(at), "two trainings per size give no interval"
    assert f"up to {data.scaled(by).apart:.0%}" in words(at)
    assert f"{fit.worst:.0%}" in words(at)
    assert f"{STORED.floor:.3f}" in words(at)
    assert study.COMMAND in words(at)
    assert STORED.made in words(at)


def test_how_far_two_trainings_of_one_size_are_apart() -> None:
    points = list(study.lines(STORED, data.PARAMETERS).values())[-1]
    shares = [abs(p.losses[0] - p.losses[1]) / (np.mean(p.losses) - STORED.floor) for p in points]
    assert {len(p.losses) for p in points} == {2}
    assert data.scaled(data.PARAMETERS).apart == pytest.approx(max(shares))


def test_the_way_to_the_largest_models_is_a_link() -> None:
    links = visit(VIEW, why_bigger="true").get("page_link")
    assert any("blocks_part=Modern" in link.proto.query_string for link in links)


def test_what_the_question_says_of_100_tales_is_stored() -> None:
    """More tales help the largest model most, and 200 steps of 32 read each of 100 tales 64 times."""
    by_tales = study.lines(STORED, data.TALES)
    largest = [float(np.mean(point.losses)) for point in list(by_tales.values())[-1]]
    assert [point.x for point in list(by_tales.values())[-1]] == [100, 1000, 10_000]
    assert largest[0] - STORED.floor > 1.5 * (largest[1] - STORED.floor)
    assert STORED.sweep.steps * STORED.sweep.batch_size == 64 * 100
    assert largest[1] - largest[2] < 0.1
    in_words = words(visit(VIEW, why_bigger="true", why_scale=data.TALES))
    assert f"gains only {largest[1] - largest[2]:.3f}" in in_words
