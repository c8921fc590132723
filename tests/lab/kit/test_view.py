"""A view as a value: what is asked, computed and drawn, in which order, and A | B without a line more."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from lab.kit import settings
from lab.kit.words import NOTHING


def script() -> None:
    """Two views, run by AppTest as a script of its own."""
    from typing import NamedTuple
    from unittest.mock import patch

    import numpy as np
    import streamlit as st

    from lab.kit import settings, view
    from lab.kit.figures.compare_figures import Curves
    from lab.kit.page import Page, Tab

    class Settings(NamedTuple):
        n: int
        power: int

    def layout():
        return dict(zip(("picture", "words"), st.columns(2), strict=True))

    def ask():
        n = settings.choose(st.select_slider, "Numbers", "n", range(5), 3, why="{} is too many")
        with settings.place_named("words"):
            power = settings.choose(st.select_slider, "Power", "power", (1, 2, 3), 2)
        if n == 0:
            settings.notify("There is nothing to draw.")
            return None
        return Settings(n, power)

    def compute(s):
        st.session_state.setdefault("computed", []).append(tuple(s))
        return np.arange(s.n) ** s.power

    def draw(s, numbers):
        settings.notify("Drawn.")
        with view.places()["picture"]:
            st.text(f"numbers {numbers.tolist()}")

    def curves(s, numbers):
        return Curves(tuple(range(s.n)), {"power": numbers.astype(float)}, ("n", "power"))

    first = view.View(ask, compute, draw, view.Comparison("the powers", curves), layout)

    def ask_plain() -> tuple[()]:
        with settings.line("first"):
            settings.choose(st.select_slider, "Roots", "roots", (1, 2), 2, chip="{} root{s}")
            settings.choose(st.select_slider, "Degree", "degree", (2, 3), 2)
        return ()

    def draw_plain(s: tuple[()], result: None) -> None:
        st.text("plain")

    plain = view.View(ask_plain, lambda s: None, draw_plain)
    more = view.View(lambda: (), lambda s: None, draw_plain)
    tabs = (
        Tab("first", "Powers", "What is a power?"),
        Tab("plain", "Plain", lede="One word, and no power.", title="Which word?"),
        Tab("more", "More", "What else?"),
    )
    page = Page(
        "words", title="Words", question="What?", help="", lede="The page in one line.", switch="which", views=tabs
    )
    with patch.object(view, "opened", lambda page, tab: {"first": first, "plain": plain, "more": more}[tab.module]):
        if st.query_params.get("alone"):
            view.render(page._replace(views=tabs[:1]))
        else:
            view.render(page, head=view.heading(page) if st.query_params.get("headed") else None)


def visit(**link: str) -> AppTest:
    at = AppTest.from_function(script, default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def words(at: AppTest) -> list[str]:
    return [element.value for element in at.text]


def test_the_first_view_is_open_with_its_defaults():
    at = visit()
    assert words(at) == ["Drawn.", "numbers [0, 1, 4]"], "notices stand above the figures"
    assert at.session_state["computed"] == [(3, 2)]


def test_a_link_opens_another_view_and_computes_only_that():
    at = visit(which="Plain")
    assert words(at) == ["plain"]
    assert "computed" not in at.session_state


@pytest.mark.parametrize(
    ("view", "line"),
    [("Powers", "The page in one line."), ("Plain", "One word, and no power."), ("More", "The page in one line.")],
)
def test_the_line_below_the_heading_is_that_of_the_view_where_it_has_one(view: str, line: str):
    at = visit(headed="yes", which=view)
    assert [element.value for element in at.markdown] == [line]
    assert [title.value for title in at.title] == ["Which word?" if view == "Plain" else "What?"]


def test_a_single_view_has_no_switch():
    at = visit(alone="yes")
    assert not at.segmented_control
    assert words(at) == ["Drawn.", "numbers [0, 1, 4]"]


def test_a_view_that_is_not_there_is_named():
    at = visit(which="Roots")
    assert words(at)[0].splitlines()[0] == "You see Powers: this page has no view “Roots”."


def test_what_cannot_be_had_is_a_notice_and_the_default():
    at = visit(n="77", power="2")
    assert words(at) == ["You see 3: 77 is too many.\nDrawn.", "numbers [0, 1, 4]"]


def test_without_settings_nothing_is_computed_and_the_notice_says_why():
    at = visit(n="0")
    assert words(at) == ["There is nothing to draw."]
    assert "computed" not in at.session_state
    assert not at.button, "there is nothing to pin"


def test_settings_are_one_quiet_line():
    at = visit(which="Plain")
    (line,) = [html.proto.body for html in at.get("html")]
    assert re.findall("<span>(.*?)</span>", line) == ["first", "2 roots"], (
        "the default of the other goes without saying"
    )
    line = visit(which="Plain", degree="3", roots="1").get("html")[0].proto.body
    assert re.findall("<span>(.*?)</span>", line) == ["first", "1 root", "Degree: 3"]


def test_a_control_stands_where_the_layout_has_a_place_for_it():
    at = visit()
    left, right = at.columns
    assert not left.select_slider
    assert [slider.key for slider in right.select_slider] == ["power"]


def test_pinning_writes_what_is_not_the_default_into_the_link():
    at = visit(power="3")
    (pin,) = at.button  # it stands here where no bar has a place for it
    pin.click().run()
    assert at.query_params["a"] == settings.ALL_DEFAULTS, "what was changed is its default again"


@pytest.mark.parametrize(("pinned", "a"), [("power=3", (3, 3)), (settings.ALL_DEFAULTS, (3, 2)), ("n=2", (2, 2))])
def test_a_is_asked_of_the_link_and_computed_like_b(pinned, a):
    at = visit(n="4", a=pinned)
    assert at.session_state["computed"] == [(4, 2), a]
    assert [slider.key for slider in at.select_slider] == ["n", "power"], "A draws no controls"
    assert sum("numbers" in text for text in words(at)) == 1, "A is not drawn twice"


def test_a_against_itself_differs_by_nothing():
    at = visit(a=settings.ALL_DEFAULTS)
    assert any(text.startswith("A and B are the same.") for text in words(at))
    assert any(NOTHING in element.value for element in at.caption)


def test_a_without_settings_says_so():
    at = visit(a="n=0")
    assert "A has no words to compare." in [element.value for element in at.markdown]
    assert at.session_state["computed"] == [(3, 2)]
    assert words(at).count("There is nothing to draw.") == 0, "what A lacks is no notice of B"


def test_what_a_link_pins_and_no_control_offers_is_named():
    at = visit(a="power=9")
    assert any("Power cannot be 9" in text for text in words(at))


def test_answers_outlive_nothing():
    """Answers are collected for one view at a time, also when a view fails."""
    with pytest.raises(ZeroDivisionError), settings.collecting():
        raise ZeroDivisionError
    assert settings.current() is None
    with settings.collecting("usual") as answers:
        settings.notify("A has nothing to say")
    assert answers.notices == []


def test_a_link_that_pins_a_long_text_pins_what_follows_it_too():
    with settings.collecting() as answers:
        settings.note("text", "sentence", "слово " * 1000, "", long=True)
        settings.note("n", "Numbers", 4, 3)
    with settings.collecting(settings.packed(answers)) as again:
        replayed = settings.replaying()
        assert replayed is not None
        assert replayed.take_text("text", "sentence", "", str) == "слово " * 1000
        assert replayed.take("n", "Numbers", range(5), 3) == 4
    assert again.complaint == ""
    with settings.collecting("text=" + "a" * settings.MAX_PINNED) as again:
        assert again.unread
