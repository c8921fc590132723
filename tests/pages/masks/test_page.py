"""The masks page as the server runs it: every view with any text and any link."""

import pytest

from lab.kit.catalogue import page
from pages.masks.components.mask_brush import MAX_SIDE
from tests.pages.driver import notices
from tests.pages.masks.brush import visit
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
