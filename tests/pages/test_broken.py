"""What a visitor is told where a page breaks off."""

from streamlit.testing.v1 import AppTest

from tests.pages.driver import TIMEOUT


def break_off() -> None:
    import streamlit as st

    from lab.frame.shell import apologise

    st.title("A page")
    assert apologise(ValueError("secret <b>details</b>")) is True


def test_nothing_of_an_error_is_shown():
    at = AppTest.from_function(break_off, default_timeout=TIMEOUT).run()
    assert not at.exception
    (shown,) = (element.proto.body for element in at.get("html"))
    assert "The fault is ours, not yours" in shown
    assert '<a href="?" target="_self">' in shown
    assert "secret" not in shown
    assert "ValueError" not in shown
