"""The page on challenges: a link is pasted, or comes with the address, and the verdict is on screen."""

from streamlit.testing.v1 import AppTest

from pages.challenges import rail
from pages.challenges.challenges import CHALLENGES
from tests.pages.challenges.test_checks import MISSED, SOLVED
from tests.pages.driver import choose, visit


def words(at: AppTest) -> str:
    return "\n".join(markdown.value for markdown in at.markdown)


def marker(at: AppTest) -> str:
    """What the reader's own browser is told."""
    (found,) = [html.proto.body for html in at.get("html") if 'data-check="challenges-' in html.proto.body]
    return found


def test_it_opens_where_the_first_challenge_starts_and_every_one_has_a_name_of_its_own():
    at = visit("challenges")
    assert "**Where you start.**" in words(at)
    assert 'data-state="open"' in marker(at)
    assert len({challenge.key for challenge in CHALLENGES} | {c.name for c in CHALLENGES}) == 2 * len(CHALLENGES)


def test_a_link_in_the_address_is_a_proof_and_another_is_pasted_over_it():
    at = visit("challenges", challenge="One edge", proof_edge=SOLVED["edge"])
    assert "**Solved.** In layer 1, head 1, *then* looks at *mia*" in words(at)
    assert marker(at) == '<span data-check="challenges-edge" data-state="right" hidden></span>'
    at = choose(at, proof_edge=MISSED["edge"][0])
    assert "**Not yet.**" in words(at)
    assert 'data-state="wrong"' in marker(at)
    at = choose(at, proof_edge="/heads?weights=trained+on+stories&layer=<b>**9**")
    assert "**This link cannot be judged.** Layer in the link is not a whole number" in words(at)
    assert 'data-state="open"' in marker(at)
    at = choose(at, challenge="Sharp")
    at = choose(at, proof_sharp="/heads?weights=untrained&text=a+b+c+d+e+f+*&layer=0&head=0&query=6")
    assert r"The row of *\** (layer 0, head 0)" in words(at)  # a visitor's words are shown sign by sign
    at = choose(at, challenge="Wrong French")
    at = choose(at, proof_french=SOLVED["french"])
    assert "| it writes | je | suis | **avec** |" in words(at)


def test_a_training_is_carried_out_as_the_link_says():
    link = "/live?live_d_model=16&live_steps=20&live_batch=8&live_heads=1"
    at = visit("challenges", challenge="Small", proof_small=link)
    assert "**Not yet.** After 20 steps a model 16 wide has a loss of **" in words(at)


def test_every_goal_stands_on_the_list_in_a_style_sheet_that_cannot_be_left() -> None:
    sheet = rail.goals()
    assert sheet.count("::after") == sheet.count("::before") == len(CHALLENGES)
    assert all(f'"{rail.plain(challenge.goal)}"' in sheet for challenge in CHALLENGES)
    assert all(f'"challenges-{challenge.key}"' in sheet for challenge in CHALLENGES)
    assert rail.quoted('a "b" \\ </style>\n{') == '"a \\"b\\" \\\\ \\3c /style> {"'
    assert "<" not in rail.goals()
