"""The card of a question: its options, what is replied to a choice, and what is kept of it."""

import re
from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from lab.kit import questions
from lab.kit.texts.questions import Option, Question


def card(key: str = "why-far") -> None:
    """A page with one question about its only control."""
    import streamlit as st

    from lab.kit.questions import check
    from lab.kit.texts.questions import Option, Question

    st.segmented_control("N", (4, 8), default=4, required=True, key="n", bind="query-params")
    options = (
        Option("as *many*", "That counts twice."),
        Option("twice", "Each is paired.", right=True),
        Option("none", "Something is left."),
    )
    check(Question("How many?", options), key=key, try_it={"n": 8, "of_a_component": "k2"})


def test_a_choice_is_answered_and_the_first_one_counts():
    at = AppTest.from_function(card)
    at.session_state["_kept_order_of_answers"] = 1
    at.run()

    def state() -> str:
        return re.findall(r'data-check="why-far" data-state="(\w+)"', at.get("html")[0].proto.body)[0]

    def words() -> str:
        return "\n".join(text.value for text in at.markdown)

    order = [button.label for button in at.button]
    assert sorted(order) == ["as *many*", "none", "twice"]
    assert state() == "open"
    assert not any(reply in words() for reply in ("counts twice", "is paired", "is left", "Right", "Not quite"))

    at.button(key="why-far-0").click().run()
    assert state() == "wrong"
    assert "**Not quite.** That counts twice." in words()
    assert "**It is “twice”.** Each is paired." in words()
    assert [button.label for button in at.button][:3] == order

    at.button(key="why-far-1").click().run()
    assert "**Right.** Each is paired." in words()
    assert "Not quite" not in words()
    assert state() == "wrong", "the first try counts"

    at.button(key="try-why-far").click().run()
    assert at.session_state["n"] == 8
    assert at.query_params["of_a_component"] == "k2"
    assert "**Right.**" in words(), "what was chosen stays"


def test_the_order_is_drawn_once_for_each_session_and_question():
    drawn = Counter(questions._order(seed, "why-far", 4)[0] for seed in range(400))
    assert set(drawn) == set(range(4))
    assert max(drawn.values()) < 160, "no place is favoured"
    assert len({tuple(questions._order(1, f"why-{n}", 4)) for n in range(20)}) > 8, "questions of one session differ"
    assert questions._order(1, "why-far", 4) == questions._order(1, "why-far", 4)


def test_a_question_without_exactly_one_right_answer_is_refused():
    with pytest.raises(ValueError, match="why-none needs exactly one right answer"):
        questions.check(Question("?", (Option("a", "b"), Option("c", "d"))), key="why-none")


def test_a_question_is_asked_by_its_key_with_its_places_filled():
    def page() -> None:
        from lab.kit import questions

        questions.ask("blocks-order", difference="nothing at all")

    at = AppTest.from_function(page).run()
    at.button(key="blocks-order-1").click().run()
    assert "the outputs differ by nothing at all." in "\n".join(text.value for text in at.markdown)
    with pytest.raises(ValueError, match="has places for"):
        questions.ask("blocks-order")
    with pytest.raises(KeyError):
        questions.ask("blocks-nothing")
