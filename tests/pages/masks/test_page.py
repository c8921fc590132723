"""The masks page as the server runs it: every view with any text and any link."""

import pytest

from lab.kit.catalogue import page
from pages.masks.components.mask_brush import MAX_SIDE
from tests.pages.driver import choose, notices
from tests.pages.masks.brush import panels, visit
from transformer.training.text import words as split

VIEWS = [tab.name for tab in page("masks").views]


@pytest.mark.grid(1)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", ["hello", "a b " * 300, "<b>$x$</b> 👍🏽 שלום :red[x] |", "same same same"])
def test_every_view_of_any_text(view: str, text: str) -> None:
    at = visit(masks_view=view, text=text)
    assert ("more are left out" in notices(at)) == (len(split(text)) > MAX_SIDE)
    if len(split(text)) > MAX_SIDE:
        assert f"The first {MAX_SIDE} tokens are shown; {600 - MAX_SIDE} more are left out" in notices(at)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", ["", " \t", "\u200b"])
@pytest.mark.grid(1)
def test_a_text_without_words_is_a_notice(view: str, text: str) -> None:
    at = choose(visit(masks_view=view), text=text)
    assert notices(at) == "There is no word to look at yet. Type a sentence, or pick one of the examples."


@pytest.mark.grid(1)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("value", ["x", "-1", "9" * 40, "<b>", "٣"])
def test_nonsense_in_a_link_falls_back_with_a_notice(view: str, value: str) -> None:
    names = {
        "Paint": ("mask", "masks_true"),
        "Leaks": ("mask", "masks_edit", "layers"),
        "Wiring": ("mask_wire_queries", "mask_wire_keys", "mask_wire_values", "masks_pads", "masks_which"),
    }[view]
    lines = [
        line
        for line in notices(visit(masks_view=view, **dict.fromkeys(names, value))).splitlines()
        if "does not know" not in line
    ]
    assert len(lines) == len(names)
    assert all(line.startswith("You see ") for line in lines)


def test_an_unknown_view_is_the_first() -> None:
    at = visit(masks_view="banana")
    assert list(panels(at)) == ["Mask", "Masked scores", "Attention weights"]
    assert notices(at) == "You see Paint: this page has no view “banana”."
