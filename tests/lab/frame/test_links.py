"""What is said of links that cannot be had as they are; that old ones show what they did is in test_stored_links."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from attention_view.bundle import HERE
from lab.frame import links
from lab.kit import settings
from lab.kit.catalogue import PAGES
from lab.kit.components.attention_view import _ADDRESS
from lab.kit.page import Page
from tests.pages import driver
from tests.pages.driver import checked, choose, notices, visit
from tests.pages.stored_links import LINKS

JS = Path(links.__file__).parent / "share_link/share_link.js"


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


def controls() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from lab.frame import links
    from lab.kit import settings, view

    context = get_script_run_ctx()
    assert context is not None
    brought = st.session_state.pop("brought", None)
    if brought is not None:  # as Streamlit has it once it has dropped what the page before had as well
        context.is_history_navigation, context.query_string = True, brought
    links.follow_history()
    st.text(settings.choose(st.select_slider, "Width", "width", (8, 16, 32), 16))
    st.text(view.switch("View", "which", ("First", "Second", "Third"), why="no {}"))


@pytest.mark.parametrize("address", ["width=32&which=Third&embed=true", "which=Second", ""])
def test_the_address_that_back_brings_wins(address: str) -> None:
    at = AppTest.from_function(controls, default_timeout=300).run()
    at = choose(at, width=8, which="Second")
    assert [text.value for text in at.text] == ["8", "Second"]
    at.session_state["brought"] = address
    at = checked(at.run())
    link = dict(parse_qsl(address))
    assert [text.value for text in at.text] == [link.get("width", "16"), link.get("which", "First")]
    kept = {name: at.query_params[name] for name in ("width", "which") if name in at.query_params}
    told = {name: value if isinstance(value, str) else value[0] for name, value in kept.items()}
    assert told == {name: value for name, value in link.items() if name != "embed"}


def test_the_view_of_heads_writes_the_settings_that_the_kit_declares() -> None:
    written = set(re.findall(r"put\(`\$\{url\}(\w+)`", (HERE / "address.js").read_text()))
    assert written == set(_ADDRESS)


# ---- every setting of a page begins with its prefix: of controls, tests.pages.driver asks it at every visit --------

# Of the address without a control: what a script writes or reads, what Python does, how those of a view of heads begin.
IN_SCRIPTS = re.compile(r'\b(?:put|param|wholeParam)\(\s*[`"](\w+)')
IN_PYTHON = re.compile(r'query_params(?:\.get|\.pop)?[(\[]f?"(\w+)|\b(?:\w+_)?url="(\w+)"')


def without_prefix(page: Page, text: str, pattern: re.Pattern[str]) -> list[str]:
    """The names in this source of a page that neither begin with its prefix nor are shared."""
    names = {"".join(found.groups("")) for found in pattern.finditer(text)}
    names -= settings.shared() | links.OF_THE_FRAME
    return sorted(name for name in names if not name.startswith(page.prefix))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.url or "front")
def test_what_a_page_has_in_the_address_begins_with_its_prefix_or_is_shared(page: Page) -> None:
    folder = page.script.parent
    assert page.prefix
    for ending, pattern in (("*.js", IN_SCRIPTS), ("*.py", IN_PYTHON)):
        for file in sorted(folder.rglob(ending)):
            text = file.read_text(encoding="utf-8")
            assert without_prefix(page, text, pattern) == [], file
            assert "settings.share(" not in text, f"{file}: what pages share is declared in the kit"


def test_what_is_shared_is_known_whichever_pages_were_opened() -> None:
    kit = Path(settings.__file__).parent
    declaring = {
        ".".join(file.relative_to(kit).with_suffix("").parts)
        for file in kit.rglob("*.py")
        if "settings.share(" in file.read_text(encoding="utf-8")
    }
    assert declaring == set(settings.DECLARING)


def test_a_name_without_the_prefix_of_its_page_is_found() -> None:
    live, translation = (page for page in PAGES if page.url in ("live", "translation"))
    assert without_prefix(
        live, 'put("film_step", 1); put(`${url}x`); param("live_film"); param("text")', IN_SCRIPTS
    ) == ["film_step"]
    read = 'st.query_params.get("english"); st.query_params[f"edit_{n}"]; view(url="tr_", step_url="own_")'
    assert without_prefix(translation, read, IN_PYTHON) == ["edit_", "english", "own_"]


def test_a_control_without_the_prefix_of_its_page_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    at = visit("masks")
    others = [page._replace(prefix="other_") for page in PAGES]
    monkeypatch.setattr(driver, "PAGES", others)
    assert {"masks_view", "masks_batch", "mask_head"} & set(driver.unprefixed(at)) == {"masks_view", "masks_batch"}
    assert not {"text", "weights", "state", "mask"} & set(driver.unprefixed(at)), "they are shared"
    with pytest.raises(AssertionError, match="masks_view"):
        checked(at)
