"""The simulated line at a server is one: alone nobody waits, and beyond what it can do everybody does."""

from statistics import mean

import pytest

from benchmarks.simulation import answers, people_per_server, servers_for, sheet
from benchmarks.table import p95


def test_who_is_alone_waits_for_nobody():
    assert mean(answers(1, 0.02, 5, seconds=4000)) == pytest.approx(0.02, rel=0.1)


def test_a_server_that_is_asked_for_more_than_it_can_do_is_busy_all_the_time():
    """Of a closed line: everybody is answered once in people x cost seconds, thinking included."""
    assert mean(answers(1000, 0.02, 5, seconds=600)) == pytest.approx(1000 * 0.02 - 5, rel=0.1)


def test_people_per_server_is_where_it_turns():
    n = people_per_server(0.02, 5)
    assert p95(answers(n, 0.02, 5)) <= 1 < p95(answers(n + 1, 0.02, 5))
    assert n < 1.2 * 5 / 0.02
    assert servers_for(2 * n + 1, 0.02, 5) == 3
    assert people_per_server(0.04, 5) < n


def test_the_sheet_has_two_servers_at_least_and_rounds_up():
    n = people_per_server(0.02, 5)
    heads, _, one, three = sheet(0.02, 700, (1, 2 * n + 1)).splitlines()
    assert heads.count("|") == one.count("|")
    assert one == "| 1 | 2 | 2 GB |"
    assert three == f"| {2 * n + 1:,} | 3 | 3 GB |"
