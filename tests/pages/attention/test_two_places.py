"""One head beside two, on the page: what is drawn is what these heads read, and when an average knows the order."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab.kit.words import NOTHING, at_most
from tests.pages.driver import chart, control, notices, visit, words
from transformer.inspection.two_places import apart_with_positions


def bars(at: AppTest, n: int) -> list[np.ndarray]:
    return [trace["y"] for trace in chart(at, n)["data"][1:]]


def test_one_head_cannot_tell_two_sentences_apart_and_two_can() -> None:
    at = visit("attention", att_way="Mix", att_on="Ann and Bob")
    one, two = bars(at, 0), bars(at, 1)
    np.testing.assert_array_equal(one[0], one[1])
    np.testing.assert_array_equal(two[0], [1, 0, 0, 0, 0, 0, 1, 0])
    np.testing.assert_array_equal(two[1], [0, 0, 1, 0, 1, 0, 0, 0])
    titles = [chart(at, n)["layout"]["title"]["text"] for n in (0, 1)]
    assert titles[0] == "<b>One head</b>: the two mixes come out <b>0</b> apart"
    assert titles[1] == "<b>Two heads</b>: the two mixes come out <b>1</b> apart"


def test_the_headline_says_what_each_can_tell_and_its_button_turns_the_share() -> None:
    at = visit("attention", att_way="Mix", att_on="Ann and Bob")
    assert "## Who thanked whom? One head mixes the same from both sentences" in words(at)
    at.button(key="att-two-turn").click().run()
    np.testing.assert_allclose(bars(at, 0)[0][[0, 2]], [0.8, 0.2], atol=1e-6)
    assert "One head’s two mixes are 0.6 apart, those of two heads 1." in words(at)
    assert at.button(key="att-two-turn").label == "Split it evenly"


def test_the_condition_is_said_beside_it() -> None:
    text = words(visit("attention", att_way="Mix", att_on="Ann and Bob"))
    assert "their values hold the name alone" in text
    assert f"the two averages still differ by {NOTHING}" in text
    assert f"they differ by {at_most(apart_with_positions(is_normed=True))}" in text


@pytest.mark.parametrize("name", ["Two places", "two places"])
def test_an_old_link_to_the_study_of_heads_opens_it_here(name: str) -> None:
    at = visit("heads", closer=name, closer_share="70")
    assert control(at, "att_way").value == "Mix"
    assert notices(at) == ""
    np.testing.assert_allclose(bars(at, 0)[0][[0, 2]], [0.7, 0.3], atol=1e-6)
    assert "come out <b>0.4</b> apart" in chart(at, 0)["layout"]["title"]["text"]
