"""Puzzles on screen: a list of them, and on the page of each its goal, judged from what is on that page."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.challenges import data, heads, texts
from pages.challenges.challenges import BY_KEY, CHALLENGES
from pages.challenges.links import Link
from tests.pages.challenges.test_checks import MISSED, SOLVED, parse
from tests.pages.driver import payloads, visit

FIRST = CHALLENGES[0]
ELSEWHERE = [challenge for challenge in CHALLENGES if challenge is not heads.HEAD]  # the others have a page each


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
    _, *others = CHALLENGES
    assert f"## {FIRST.goal}" in words(at)
    leads = [link.proto for link in at.get("page_link")]
    assert [lead.label for lead in leads] == [challenge.goal for challenge in others]
    head, *pages = zip(leads, others, strict=True)
    assert (head[1].key, head[0].query_string) == ("head", "puzzle_at=head"), "it is played on the list"
    for lead, challenge in pages:
        assert f"puzzle={challenge.key}" in lead.query_string
    assert len({challenge.key for challenge in CHALLENGES} | {c.tab.name for c in CHALLENGES}) == 2 * len(CHALLENGES)


def test_the_first_puzzle_stands_there_with_the_models_own_numbers():
    (lock,) = [data for data in payloads(visit("challenges")) if isinstance(data, dict) and "wheels" in data]
    names, shares = texts.names(), np.array(lock["shares"])
    assert shares.shape == (len(names), 2)
    assert names[0] == "".join(letters[0] for letters in lock["wheels"])
    for n in (0, 20, 77, 159):  # names of one token and of several, each read alone
        tokens = data.STORIES.resolve().cut(f"{names[n]} {lock['after']}")
        np.testing.assert_allclose(shares[n], texts.undecided(tokens), atol=1e-5)
    opens = [name for name, both in zip(names, shares, strict=True) if both.min() >= lock["mark"]]
    assert names[0] not in opens
    ways = [(n, letters[by]) for n, letters in enumerate(texts.WHEELS) for by in (1, -1)]
    beside = [names[0][:n] + letter + names[0][n + 1 :] for n, letter in ways]
    assert not set(beside) & set(opens), "one notch solves nothing"
    assert 0.2 < len(opens) / len(names) < 0.6
    for name in (names[0], opens[0], "jin"):
        assert FIRST.check(texts.with_name(name)).is_reached == (name in opens), "the figure and the check agree"


def test_a_name_that_it_knows_decides_and_one_that_it_does_not_know_as_a_rule_does_not():
    """What the lock says of a name beside what the storyteller does after it."""
    (lock,) = [data for data in payloads(visit("challenges")) if isinstance(data, dict) and "wheels" in data]
    shares = dict(zip(texts.names(), np.array(lock["shares"]), strict=True))
    for kind, names in enumerate(lock["known"]):
        known = [name for name in shares if name in names]
        assert known
        for name in known:
            assert shares[name][kind] > 0.99, name
    others = [both.min() for name, both in shares.items() if name not in {*lock["known"][0], *lock["known"][1]}]
    assert np.median(others) > lock["mark"]


def test_a_head_that_is_pulled_out_leaves_the_story_to_the_others():
    """The machine and the check agree on every head; and only the one that looks at the name turns it.

    Its counterfactual: without it, either name gives nearly the same, and without any other one the name decides."""
    (machine,) = [data for data in payloads(visit("challenges", puzzle_at="head")) if isinstance(data, dict)]
    L, H = machine["shape"]
    (tim, lily), at_name = machine["texts"], machine["texts"][0]["tokens"].index("tim")
    ids = data.STORIES.resolve().ids(machine["words"])
    for n, (looks, shares) in enumerate(zip(tim["looks"], np.array(tim["shares"]), strict=True)):
        layer, head = divmod(n, H)
        expected = data.next_token_without_head(heads.reading("tim"), layer, head)[ids]
        np.testing.assert_allclose(shares[-1], expected, atol=2e-5)
        np.testing.assert_allclose(shares[0], np.array(tim["shares"])[0, 0], atol=2e-5)
        is_turned = heads.HEAD.check(heads.without(f"tim:{n}")).is_reached
        assert is_turned == (shares[-1, 1] > shares[-1, 0]) == (looks[at_name] > 0.5), (layer, head)
        apart = abs(shares[-1, 1] - np.array(lily["shares"])[n, -1, 1])
        assert apart < 0.2 if is_turned else apart > 0.7
    assert len(tim["looks"]) == L * H == 12
    at = visit("challenges", puzzle_at="head", puzzle_pulled="tim:x")
    assert 'data-check="challenges-head" data-state="open"' in marker(at)


def test_one_letter_turns_the_storyteller():
    """A name that it knows, one that it has never read, and one that only begins as names of girls do."""
    shares = dict(zip(texts.names(), texts.after_names(), strict=True))
    assert shares["tim"][0] > 0.99
    assert min(shares["kim"]) > 0.4
    assert shares["jin"][1] > 0.9
    assert shares["jim"][0] > 0.99


@pytest.mark.parametrize("challenge", ELSEWHERE, ids=lambda challenge: challenge.key)
def test_a_goal_stands_on_its_page_and_on_no_other(challenge):
    at = play(challenge.start, challenge.key)
    assert f"Puzzle: {challenge.goal}" in words(at)
    (scale,) = [html.proto.body for html in at.get("html") if 'class="puzzle-scale"' in html.proto.body]
    assert f"<small>{challenge.gauge.mark:g}</small>" in scale, "the mark is there before anything is tried"
    assert 'data-state="open"' in marker(at)
    assert "Puzzle:" not in words(visit("why", puzzle=challenge.key))
    assert "Puzzle:" not in words(visit(challenge.start.page, puzzle="x"))


@pytest.mark.parametrize("key", [key for key in SOLVED if key != "head"])
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
