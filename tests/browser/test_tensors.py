"""One's own tensors in a browser: a file is opened, seen, and replaced; a bad one is a sentence."""

import io
import json

import numpy as np
import pytest
from playwright.sync_api import expect

ADDRESS = "/pretrained?pretrained_view=Bring+a+model&pretrained_bring_file=true&pretrained_example=example.npz"


def npz(tokens: list[str], factor: float = 1.0) -> bytes:
    scores = np.random.default_rng(3).normal(size=(2, 3, len(tokens), len(tokens)))
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    file = io.BytesIO()
    np.savez(file, attention=(weights * factor).astype("f4"), tokens=json.dumps(tokens))
    return file.getvalue()


def bring(view, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    view.page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(file)


@pytest.mark.wide
def test_a_file_is_seen_and_a_bad_one_is_a_sentence(visit):
    view = visit(ADDRESS)
    expect(view.page.get_by_text("This is an example, example.npz", exact=False)).to_be_visible()
    bring(view, "mine.npz", npz(["<i>one</i>", "two", "three"]))
    expect(view.page.get_by_text("holds encoder 2 × 3 heads of 3 × 3")).to_be_visible()
    expect(view.tokens.first).to_have_text("<i>one</i>")
    bring(view, "bad.npz", npz(["a", "b"], factor=2.0))
    expect(view.page.locator(".refused")).to_contain_text("adds up to 2, not to 1")
    expect(view.tokens.first).to_have_text("<i>one</i>")  # the last good file stays


@pytest.mark.wide
def test_the_kinds_of_the_example_are_switched_in_the_browser(visit):
    view = visit(ADDRESS)
    view.sent.clear()
    view.root.get_by_text("cross", exact=True).click()
    expect(view.root).to_have_attribute("data-kind", "cross")
    assert view.sent == []
