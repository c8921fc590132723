"""What is said of links that cannot be had as they are; that old ones show what they did is in test_stored_links."""

import re
from pathlib import Path

import pytest

from pages.shared import links
from tests.pages.driver import notices, visit
from tests.pages.stored_links import LINKS

JS = Path(links.__file__).parent / "components/share_link/share_link.js"


def test_a_setting_that_is_misspelt_is_named() -> None:
    (said,) = links.remarks({"layrs": "2", "temprature": "1"}, ["temperature"])
    assert "“layrs” (perhaps “layers”?)" in said
    assert "“temprature” (perhaps “temperature”?)" in said


@pytest.mark.parametrize("link", [{}, {"utm_source": "x", "fbclid": "y"}, {"x" * 5000: "1"}, {"v": "1"}, {"v": "zz"}])
def test_what_is_no_setting_of_ours_is_passed_over(link: dict[str, str]) -> None:
    assert links.remarks(link, []) == []


def test_nothing_is_said_of_any_link_that_was_ever_stored() -> None:
    for link in LINKS:
        assert links.remarks(link.query, []) == [], link.name


def test_a_link_of_a_newer_version_opens_all_the_same() -> None:
    assert "newer version" in links.remarks({"v": str(links.VERSION + 1)}, [])[0]
    assert links.remarks({"v": str(links.VERSION)}, []) == []


def test_the_browser_marks_links_with_this_version() -> None:
    assert re.search(r'VERSION = "(\d+)"', JS.read_text())[1] == str(links.VERSION)


def test_a_broken_link_opens_what_can_be_saved_and_says_so() -> None:
    at = visit("positions", pos_view="Nowhere", lenght=3, layrs=2, v=9, d_model=10**9)
    said = notices(at)
    assert "newer version" in said
    assert "“layrs” (perhaps “layers”?)" in said
    assert "this page has no view “Nowhere”" in said
    assert at.title[0].value
