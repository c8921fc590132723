"""The page on pretrained models in a browser: MiniLM from its package, a zip that is dropped, and a bad one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.view import View

ANIMAL = "The animal didn't cross the street because it was too tired"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A zip of a tiny BERT, as transformers saves it."""
    from tests.pretrained import makers  # brings in all of the library transformers
    from tests.pretrained.test_archive import zipped

    file = tmp_path / "tiny.zip"
    file.write_bytes(zipped({file.name: file.read_bytes() for file in makers.bert_folder().iterdir()}))
    return file


def dropped(view: View, file: Path) -> None:
    view.page.locator("input[type=file]").set_input_files(file)


def test_minilm_finds_what_it_stands_for(visit: Callable[..., View]) -> None:
    view = visit("/pretrained")
    view.expect(layer=5, head=11)
    tokens = view.tokens.all_inner_texts()
    assert tokens[view.cell[0]] == "it"
    assert tokens[view.cell[1]] == "animal"
    assert float(view.shown["value"]) > 0.5
    assert view.why["weight"] == pytest.approx(float(view.shown["value"]), abs=1e-4)  # out of its q and k
    sent = len(view.sent)
    view.thumb(0, 2).click()
    view.expect(layer=0, head=2)
    assert len(view.sent) == sent, "another head costs no message"


@pytest.mark.wide
def test_a_dropped_zip_is_looked_at(visit: Callable[..., View], tiny: Path) -> None:
    view = visit("/pretrained?pretrained_view=Models", painted=False)
    dropped(view, tiny)
    expect(view.says("Only you can see it")).to_be_visible()
    view.page.get_by_role("button", name="See its heads").last.click()
    view.page.locator(".attention-view[data-painted]").first.wait_for(state="attached")
    view.settle()
    assert view.tokens.first.inner_text() == "[CLS]"
    assert view.thumbs.count() == 4
    view.type("cross the street")
    expect(view.tokens.last).to_have_text("[SEP]")


@pytest.mark.wide
def test_a_bad_zip_is_one_sentence(visit: Callable[..., View], tmp_path: Path) -> None:
    view = visit("/pretrained?pretrained_view=Models", painted=False)
    from tests.pretrained.test_archive import zipped

    bad = tmp_path / "bad.zip"
    bad.write_bytes(zipped({"config.json": b"{}", "pytorch_model.bin": b"\x80\x02"}))
    dropped(view, bad)
    expect(view.says("a pickle, which could run any code")).to_be_visible()
    assert view.page.locator("[role=alert]").count() == 0
