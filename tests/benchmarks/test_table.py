"""Figures and goals, without measuring anything."""

import pytest

from benchmarks.table import Goal, goals_table, p95


@pytest.mark.parametrize(
    ("times", "most"), [([3.0], 3.0), (list(range(1, 20)), 19), (list(range(1, 21)), 19), (list(range(100, 0, -1)), 95)]
)
def test_p95_is_the_smallest_time_that_95_percent_do_not_exceed(times, most):
    assert p95(times) == most
    assert sum(time <= most for time in times) >= 0.95 * len(times)


def test_a_goal_is_met_up_to_its_limit():
    assert Goal("memory", 690, "MB", 690).verdict == "met"
    assert Goal("memory", 690.1, "MB", 690).verdict == "missed"
    assert Goal("memory", 690.1, "MB").verdict == ""


def test_every_figure_stands_beside_its_goal():
    heading, memory, unit = goals_table(
        [Goal("memory", 417.66, "MB", 690, "30 of them"), Goal("a rerun", 21, "ms")]
    ).split("\n")
    assert heading.index("goal") + len("goal") == memory.index("<= 690 MB") + len("<= 690 MB")
    assert memory.split() == ["memory", "417.7", "MB", "<=", "690", "MB", "met", "30", "of", "them"]
    assert unit.split() == ["a", "rerun", "21", "ms"]


def test_what_did_not_come_stands_in_the_place_of_its_figure_and_misses_a_goal():
    died = Goal("drawn", 0, "ms", 3000, instead="over 90 s")
    assert died.verdict == "missed"
    assert died.line() == "drawn  over 90 s  <= 3000 ms  missed"
    assert Goal("drawn", 0, "ms", instead="died").verdict == ""
    assert Goal("drawn", 51_683.2, "ms").line() == "drawn  51,683 ms"
