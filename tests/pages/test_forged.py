"""What the browser sends back may be forged: every place that reads it takes what it offered, and nothing else."""

from types import SimpleNamespace
from typing import Any

import pytest

from lab.kit import components
from lab.kit.components import attention_view
from pages.attention import matrices
from pages.attention.components import share_bars
from pages.blocks import one_layer
from pages.generation.components import next_word, wager
from pages.masks.components import mask_brush
from pages.positions.components import word_shuffler

DEEP: Any = []
for _ in range(5000):
    DEEP = [DEEP]
FORGED = {
    "nothing": None,
    "true": True,
    "number": 3,
    "negative": -1,
    "NaN": float("nan"),
    "endless": float("inf"),
    "whole": 10**4000,
    "empty": "",
    "text": "no such page",
    "half": "\ud800",
    "long": "9" * 100_000,
    "list": [1],
    "lists": [[]],
    "two": [DEEP, DEEP],
    "four": [[], {}, None, "0"],
    "object": {"a": 1},
    "objects": {"do": {}},
    "edit": ["q", 10**30, 0, "1"],
    "shares": [float("nan"), 1, 0],
    "deep": DEEP,
    "html": "<img src=x onerror=alert(1)>",
    "act": {"do": "pick", "number": 10**4000},
    "knobs": {"do": "pick", "knobs": {"seed": DEEP, "top_k": 10**4000}},
    "digits": "24." + "9" * 200,
    "other digits": "٣.AAA",
}


@pytest.fixture(params=FORGED)
def forged(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A value, and a session in which every component has sent it under every name."""
    value = FORGED[request.param]
    sent = {"key": dict.fromkeys(("act", "bet", "reveal", "painted", "order", "view"), value)}
    for module in (next_word, wager, share_bars, mask_brush, word_shuffler):
        monkeypatch.setattr(module, "st", SimpleNamespace(session_state=sent, query_params={}))
    return value


def test_a_station_is_one_of_the_layer(forged: Any, monkeypatch: pytest.MonkeyPatch):
    session = {one_layer.RIVER: {"step": forged}}
    for module in (one_layer, components):
        monkeypatch.setattr(module, "st", SimpleNamespace(session_state=session))
    one_layer._choose()
    assert session.keys() == {one_layer.RIVER}
    session[one_layer.RIVER] = forged
    one_layer._choose()
    assert session.keys() == {one_layer.RIVER}


def test_a_message_is_of_the_type_that_is_read(forged: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(components, "st", SimpleNamespace(session_state={"key": {"name": forged}}))
    for kind in (str, int, list, dict):
        assert components.sent("key", "name", kind) is (forged if type(forged) is kind else None)
    assert components.sent("key", "other", str) is components.sent("other", "name", str) is None


def test_the_tree_takes_only_its_own_actions(forged: Any):
    action = next_word.received_action("key")
    assert action is None or (action == next_word.Action("pick") and forged["do"] == "pick")


def test_settings_of_the_draw_stay_within_their_bounds(forged: Any):
    assert next_word.parse_knobs(forged) == next_word.Knobs()
    assert next_word.parse_knobs({"top_p": forged}).top_p in (1.0, True)
    assert 0 <= next_word.parse_knobs({"seed": forged}).seed < next_word.SEEDS


def test_a_bet_is_a_hundred_percent(forged: Any, monkeypatch: pytest.MonkeyPatch):
    def received(bet: Any, n: int) -> tuple[int, ...] | None:
        monkeypatch.setattr(wager, "st", SimpleNamespace(session_state={"key": {"bet": bet}}))
        return wager.received_bet("key", "1-0", n)

    for n in (1, 6):
        assert wager.checked_bet(forged, n) is None
        assert not received({"round": "1-0", "percent": forged}, n)
        assert received(forged, n) is None
    whole = [95, 1, 1, 1, 1, 1]
    assert received({"round": "1-0", "percent": whole}, 6) == tuple(whole)
    assert received({"round": forged, "percent": whole}, 6) is None
    assert received({"round": "1-0", "percent": []}, 6) is None


@pytest.mark.usefixtures("forged")
def test_a_guess_is_three_shares():
    assert share_bars.revealed("key") is None


@pytest.mark.usefixtures("forged")
def test_a_painted_mask_is_one():
    assert mask_brush.painted("key") is None


@pytest.mark.usefixtures("forged")
def test_an_order_is_one_of_all_words():
    assert sorted(word_shuffler.chosen_order("key", 4)) == [0, 1, 2, 3]


def test_a_selection_is_two_or_four_whole_numbers(forged: Any):
    assert attention_view._whole(forged) == [0, 0]


def test_an_edit_changes_one_number(forged: Any):
    matrix = ((1.0, 2.0), (3.0, 4.0))
    assert matrices.with_edit(forged, (matrix, matrix, matrix)) is None
