"""Puzzles on screen: a list of them, and on the page of each its goal, judged from what is on that page."""

import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_view.layout import parts
from pages.challenges import data, heads, pictures, texts
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
    leads = [link.proto for link in at.get("page_link") if "Play on" in link.proto.label]
    assert len(leads) == len(CHALLENGES)
    for lead, challenge in zip(leads, CHALLENGES, strict=True):
        assert f"puzzle={challenge.key}" in lead.query_string
        assert f"## {challenge.goal}" in words(at)
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


def test_the_pictures_of_the_others_show_what_is_so_now():
    shown = "\n".join(html.proto.body for html in visit("challenges").get("html"))
    he, she = texts.undecided(data.STORIES.resolve().cut("tom and mia were friends. then"))
    assert f"he {he:.2f} and she {she:.2f}; the goal is 0.3 for both" in shown
    assert min(he, she) < texts.UNDECIDED
    assert "9 of 9 words right" in shown
    assert f"falls to {data.falling('reverse').losses[-1]:.3f}; the goal for one 16 wide is below 0.1" in shown
    assert 'data-state="open"' in marker(visit("challenges"))


def test_a_picture_takes_a_wrong_word_and_any_sign():
    drawn = pictures.right_so_far(("<b>",), ("un", "<i>"), ("un", "mot"))
    assert "<b>un</b><b><s>&lt;i&gt;</s></b>" in drawn
    assert "✓ 1 of 2 words right" in drawn
    loss = pictures.falling_loss(np.array([0, 5]), np.array([1.0, 0.01]), 0.1, (32, 16))
    assert re.findall(r'class="(\w+)" style="height: (\d+)%', loss) == [("above", "100"), ("below", "33")]


@pytest.mark.parametrize("challenge", CHALLENGES, ids=lambda challenge: challenge.key)
def test_a_goal_stands_on_its_page_and_on_no_other(challenge):
    at = play(challenge.start, challenge.key)
    assert f"**Puzzle.** {challenge.goal}" in words(at)
    assert 'data-state="open"' in marker(at)
    assert "**Puzzle.**" not in words(visit("why", puzzle=challenge.key))
    assert "**Puzzle.**" not in words(visit(challenge.start.page, puzzle="x"))


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
