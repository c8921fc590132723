"""The page on pretrained models in a browser: MiniLM from its package."""

from collections.abc import Callable

import pytest

from tests.browser.view import View

ANIMAL = "The animal didn't cross the street because it was too tired"


def test_minilm_finds_what_it_stands_for(visit: Callable[..., View]) -> None:
    view = visit("/pretrained")
    view.expect(layer=3, head=1)
    tokens = view.tokens.all_inner_texts()
    assert tokens[view.cell[0]] == "it"
    assert tokens[view.cell[1]] == "animal"
    assert float(view.shown["value"]) > 0.5
    assert view.why["weight"] == pytest.approx(float(view.shown["value"]), abs=1e-4)  # out of its q and k
    sent = len(view.sent)
    view.thumb(0, 2).click()
    view.expect(layer=0, head=2)
    assert len(view.sent) == sent, "another head costs no message"
