"""The attention page as the server runs it: every view opens, and a link with nonsense falls back."""

from typing import Any

import pytest

from lab.kit.controls.reader import REVIEWS
from tests.pages.driver import choose, control, notices, press, questions, visit, words

WITH_A_CHECK = ["Step by step", "Make q, k, v", "Mix"]
VIEWS = [*WITH_A_CHECK, "Guess"]


def test_every_view_can_be_reached_from_every_other() -> None:
    at = visit("attention")
    for view in (*reversed(VIEWS), *VIEWS):
        at = choose(at, att_way=view)
        assert control(at, "att_way").value == view


def test_each_view_opens_on_the_first_of_its_own_subjects_without_a_notice() -> None:
    """A sentence cannot be mixed, and Ann and Bob go through no steps: nobody asked for either."""
    at = choose(visit("attention"), att_way="Mix")
    assert control(at, "att_on").value == "small numbers"
    assert notices(at) == ""
    at = choose(choose(at, att_on="Ann and Bob"), att_way="Step by step")
    assert control(at, "att_on").value == "a sentence"
    assert notices(at) == ""
    at = choose(choose(at, att_on="random numbers"), att_way="Mix")
    assert control(at, "att_on").value == "random numbers"  # what both have stays
    assert "ring" not in words(choose(at, att_on="Ann and Bob"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There is no word to look at yet"),
        ("alone", "A single word can only look at itself"),
        (" ".join(f"w{n}" for n in range(600)), "568 more are left out"),
        ("<b>*bold*</b> $x$", ""),
    ],
)
def test_texts_of_every_length(text: str, words: str) -> None:
    assert words in notices(visit("attention", weights="untrained", text=text))


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"att_way": "nonsense"}, "You see Step by step: this page has no view “nonsense”."),
        ({"att_on": "fire"}, "You see a sentence"),
        ({"mask": "window", "weights": REVIEWS}, "this page has no mask window"),
        ({"att_way": "Softmax", "att_widths": "true", "att_dk": "3"}, "You see 64: att_dk cannot be 3."),
        ({"att_way": "Guess the row", "att_puzzle": "-1"}, "You see 1"),
        (
            {"att_way": "Mix", "att_on": "Ann and Bob", "att_share": "55"},
            "You see 50: a share goes from 10 to 90 in tens, so it cannot be 55.",
        ),
        ({"att_q": "1,2"}, "You see the usual Q"),
        ({"att_v": "nan,0,0,0;0,0,0,0;0,0,0,0"}, "You see the usual V"),
        ({"att_k": "1e9,0,0,0;0,0,0,0;0,0,0,0"}, "You see the usual K"),
        ({"att_k": "x" * 9999}, "You see the usual K"),
    ],
)
def test_nonsense_in_a_link_falls_back_with_a_notice(link: dict[str, Any], words: str) -> None:
    assert words in notices(visit("attention", **link))


def test_an_old_link_with_a_row_of_small_numbers_shows_them() -> None:
    at = visit("attention", att_way="Softmax", att_query="q2")
    assert control(at, "att_on").value == "small numbers"
    assert notices(at) == ""


def test_an_old_link_to_saturation_opens_the_fold() -> None:
    at = visit("attention", att_way="Saturation", att_dk="256")
    assert control(at, "att_way").value == "Step by step"
    assert len(at.get("plotly_chart")) == 3
    assert control(at, "att_dk").value == 256
    assert notices(at) == ""


@pytest.mark.parametrize("view", WITH_A_CHECK)
def test_every_check_can_be_answered(view: str) -> None:
    at = visit("attention", att_way=view)
    key = next(iter(questions(at)))
    at = press(at, f"{key}-0")
    assert sum(text.value.startswith(("**Right.**", "**Not quite.**")) for text in at.markdown) == 1
