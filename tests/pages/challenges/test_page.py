"""Puzzles on screen: a list of them, and on the page of each its goal, judged from what is on that page."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_view.layout import parts
from pages.challenges import data, heads
from pages.challenges.challenges import BY_KEY, CHALLENGES
from pages.challenges.links import Link
from tests.pages.challenges.test_checks import MISSED, SOLVED, parse
from tests.pages.driver import payloads, visit


def words(at: AppTest) -> str:
    return "\n".join(markdown.value for markdown in at.markdown)


def marker(at: AppTest) -> str:
    """What the reader's own browser is told."""
    (found,) = [html.proto.body for html in at.get("html") if 'data-check="challenges-' in html.proto.body]
    return found


def play(link: Link, key: str) -> AppTest:
    """The page of a puzzle in this state."""
    settings: dict[str, Any] = {**link.settings, "puzzle": key}
    return visit(link.page, **settings)


def check(at: AppTest) -> AppTest:
    return at.button(key="puzzle-check").click().run()


def test_the_list_leads_to_each_puzzle_where_it_starts():
    at = visit("challenges")
    first, *others = CHALLENGES
    assert f"## {first.goal}" in words(at)
    leads = [link.proto for link in at.get("page_link")]
    assert [lead.label for lead in leads] == [challenge.goal for challenge in others]
    for lead, challenge in zip(leads, others, strict=True):
        assert f"puzzle={challenge.key}" in lead.query_string
    assert len({challenge.key for challenge in CHALLENGES} | {c.tab.name for c in CHALLENGES}) == 2 * len(CHALLENGES)


def test_the_first_puzzle_stands_there_with_the_models_own_numbers():
    header, arrays = parts(payloads(visit("challenges"))[0])
    L, H = header["heads"]
    reading = heads.place(heads.HEAD.start).reading
    assert header["tokens"] == list(reading.tokens)
    np.testing.assert_allclose(arrays["weights"].sum(-1), 1, atol=1e-5)
    ids = data.STORIES.resolve().ids(header["names"])
    np.testing.assert_allclose(arrays["shares"][0], data.next_token(reading)[ids], atol=1e-6)
    before = arrays["shares"][0].argmax()
    turned = [n for n in range(L * H) if arrays["shares"][1 + n].argmax() != before]
    judged = [n for n in range(L * H) if heads.HEAD.check(heads.silenced(n, H)).is_reached]
    assert turned == judged, "the figure and the check agree on every head"
    assert len(judged) == 1


@pytest.mark.parametrize("challenge", CHALLENGES, ids=lambda challenge: challenge.key)
def test_a_goal_stands_on_its_page_and_on_no_other(challenge):
    at = play(challenge.start, challenge.key)
    assert f"Puzzle: {challenge.goal}" in words(at)
    assert 'data-state="open"' in marker(at)
    assert "Puzzle:" not in words(visit("why", puzzle=challenge.key))
    assert "Puzzle:" not in words(visit(challenge.start.page, puzzle="x"))


def test_where_the_hunt_for_a_head_begins_the_page_does_not_name_it():
    shown = words(play(BY_KEY["head"].start, "head"))
    assert "changes the answer" not in shown.replace(BY_KEY["head"].hint, "")


@pytest.mark.parametrize("key", SOLVED)
def test_what_is_on_screen_is_judged_at_once(key):
    at = play(parse(MISSED[key][0]), key)
    assert not [button for button in at.button if button.key == "puzzle-check"]
    assert "**Not yet.**" in words(at)
    assert 'data-state="open"' in marker(at)
    at = play(parse(SOLVED[key]), key)
    assert "**Solved.**" in words(at)
    assert marker(at) == f'<span data-check="challenges-{key}" data-state="right" hidden></span>'
    at.query_params["unheard"] = "of"
    assert "**Solved.**" in words(at.run()), "it follows what is on screen"


def test_what_cannot_be_judged_is_said_sign_by_sign():
    at = play(parse("/translation?tr_english=the+*dr*+sings"), "french")
    assert "**This cannot be judged.**" in words(at)
    assert "*dr*" not in words(at).partition("cannot be judged")[2].splitlines()[0]
    assert 'data-state="open"' in marker(at)


def test_a_training_is_carried_out_as_the_page_is_set():
    settings = {"live_d_model": "16", "live_steps": "20", "live_batch": "8", "live_heads": "1"}
    at = check(play(BY_KEY["small"].start._replace(settings=settings), "small"))
    assert 'data-state="wrong"' in marker(at)
    assert "**Not yet.** After 20 steps a model 16 wide has a loss of **" in words(at)
