"""The picture as HTML: one file that parses, reaches for nothing, and holds the very payload."""

import base64
import json
import math
import re
import tomllib
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from attention_view import Packed, Picture, payload, to_html
from attention_view.bundle import HERE
from attention_view.standalone import THEMES
from tests.payloads import explained, unpack

ROOT = Path(__file__).parents[2]
NASTY = ("</script><script>bad()</script>", '"><img src=x onerror=bad()>', "{curly}", "&lt;five&gt;", "’ü𝒳\u2028")


def picture(T=5, with_vectors=True) -> Picture:
    random = np.random.default_rng(1)
    q, k = (random.normal(size=(2, 3, T, 4)).astype("f4") for _ in range(2))
    words = (NASTY * T)[:T]
    vectors = (q, k) if with_vectors else (None, None)
    return Picture(
        queries=words, keys=words, weights=explained(q, k, 2.0).astype("f4"), scale=2.0, q=vectors[0], k=vectors[1]
    )


class Page(HTMLParser):
    """Elements and the text inside them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, "every element is closed"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag + (dict(attrs).get("id") or ""))

    def handle_endtag(self, tag):
        assert self.open.pop().startswith(tag)

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data


def payload_of(text: str):
    """The payload of a page: base64 of zlib, and the bytes of float32 numbers in four planes."""
    return unpack(flat(zlib.decompress(base64.b64decode(Page(text).texts["scriptpayload"]))))


def flat(planes: bytes) -> bytes:
    data, begin = bytearray(planes), 4 + int.from_bytes(planes[:4], "little")
    for name, entry in json.loads(planes[4:begin])["arrays"].items():
        at, n = begin + entry["at"], math.prod(entry["shape"])
        if name.startswith("kind:"):
            data[at : at + n] = flat(planes[at : at + n])
        elif entry["type"] == "f4":
            for plane in range(4):
                data[at + plane : at + 4 * n : 4] = planes[at + plane * n : at + (plane + 1) * n]
    return bytes(data)


def test_the_page_is_whole_and_holds_the_very_payload():
    seen = picture()
    page = Page(to_html(seen))
    tags = [tag for tag, _ in page.elements]
    assert tags == ["html", "head", "meta", "meta", "meta", "title", "style", "body", "div", "script", "script"]
    assert ("div", {"class": "lab attention-view"}) in page.elements
    header, arrays = payload_of(to_html(seen))
    assert header["queries"] == list(NASTY)
    assert header["url"] is None
    assert header["open"] == [0, 0]
    np.testing.assert_array_equal(arrays["weights"], seen.weights)
    np.testing.assert_array_equal(arrays["q"], seen.q)


@pytest.mark.parametrize("height", [None, 500])
def test_no_label_is_written_into_the_html(height):
    text = to_html(picture(), height=height)
    assert not [label for label in (*NASTY, "bad()", "onerror=bad") if label in text]


def test_the_page_reaches_for_nothing():
    text = to_html(picture())
    page = Page(text)
    policy = next(attrs["content"] for tag, attrs in page.elements if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none';")
    assert not [attrs for _, attrs in page.elements if {"src", "href"} & set(attrs)]
    assert set(re.findall(r"https?://[^\s\"'`)]+", text)) <= {"http://www.w3.org/2000/svg"}  # a name, not a place
    scripts = re.sub(r'"import numpy as np"|"from attention_view import show"', "", text)  # lines to copy
    assert not re.search(r"@import|\burl\(|\bimport\b|\bexport\b|fetch\(|XMLHttpRequest|WebSocket", scripts)


def test_the_scripts_cannot_end_their_element():
    for file in HERE.glob("*.[jc]s*"):
        assert "</" not in re.sub(r"//.*|/\*.*?\*/", "", file.read_text(), flags=re.S if file.suffix == ".css" else 0)


@pytest.mark.slow
def test_a_frame_holds_the_same_page_and_can_reach_nothing_around_it():
    seen = picture()
    frame = Page(seen._repr_html_())
    *sentence, (tag, attrs) = frame.elements
    assert [tag for tag, _ in sentence] == ["div", "p", "code"]
    assert tag == "iframe"
    assert attrs["srcdoc"] == to_html(seen)
    assert attrs["sandbox"] == "allow-scripts allow-downloads"
    assert f"height: {payload.FRAME_HEIGHT}px" in attrs["style"]
    assert Packed(seen)._repr_html_() == seen._repr_html_()
    assert "height: 321px" in to_html(seen, height=321)


def test_a_picture_too_large_for_exact_weights_takes_all_queries_and_keys_along(monkeypatch):
    monkeypatch.setattr(payload, "EXACT_CELLS", 0)
    seen = picture()
    header, arrays = payload_of(to_html(seen))
    assert header["tier"] == "bytes"
    assert "view" not in header, "no head is more exact than another"
    np.testing.assert_array_equal(arrays["q"], seen.q)
    np.testing.assert_array_equal(arrays["k"], seen.k)


def test_one_without_queries_and_keys_takes_all_weights_along(monkeypatch):
    monkeypatch.setattr(payload, "EXACT_CELLS", 0)
    monkeypatch.setattr(payload, "BYTE_CELLS", 0)
    seen = picture(with_vectors=False)
    header, arrays = payload_of(to_html(seen))
    assert header["tier"] == "exact"
    assert "view" not in header
    np.testing.assert_array_equal(arrays["weights"], seen.weights)


@pytest.mark.parametrize("with_vectors", [True, False])
def test_what_is_too_much_is_exact_for_the_first_head_alone(monkeypatch, with_vectors):
    monkeypatch.setattr(payload, "EXACT_CELLS", 0)
    monkeypatch.setattr(payload, "MAX_ALONE", 100)
    header, arrays = payload_of(to_html(picture(with_vectors=with_vectors), layer=1, head=2))
    assert header["view"] == header["open"] == [1, 2]
    assert header["alone"] is True
    assert {"view:q", "view:k"} <= set(arrays) if with_vectors else "view:weights" in arrays


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="layer 2, head 0 is not among 2 layers of 3 heads"):
        to_html(picture(), layer=2)
    with pytest.raises(ValueError, match="theme='pink' is not known; try auto, light, dark"):
        to_html(picture(), theme="pink")


def test_the_colours_are_those_of_the_app():
    themes = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
    light, dark = (HERE / "theme.css").read_text().split('[data-theme="dark"]')
    used = set(re.findall(r"--st-([a-z-]+-color)\)", (HERE / "palette.css").read_text()))
    for css, name in ((light, "light"), (dark, "dark")):
        colours = dict(re.findall(r"--st-([a-z-]+-color): (#[0-9a-f]{6});", css))
        assert set(colours) == used
        for variable, colour in colours.items():
            first, *rest = variable.split("-")
            assert themes[name][first + "".join(word.title() for word in rest)] == colour, variable
    assert [f'data-choice="{theme}"' in to_html(picture(), theme=theme) for theme in THEMES] == [True] * 3


@pytest.mark.slow
def test_beyond_exact_weights_every_cell_of_every_head_is_there_in_steps(monkeypatch):
    for name in ("EXACT_CELLS", "BYTE_CELLS", "MAX_ALONE"):
        monkeypatch.setattr(payload, name, 0)
    monkeypatch.setattr(payload, "THUMBNAIL_SIDE", 2)
    seen = picture(with_vectors=False)
    header, arrays = payload_of(to_html(seen, layer=1, head=2))
    assert (header["tier"], header["view"]) == ("bytes", [1, 2])
    np.testing.assert_array_equal(arrays["view:weights"], np.asarray(seen.weights)[1, 2])
    weights = np.asarray(seen.weights)
    largest = weights.max(axis=(2, 3), keepdims=True)
    np.testing.assert_allclose(arrays["weights"] / 255 * largest, weights, atol=largest.max() / 255)
    monkeypatch.setattr(payload, "MAX_STEPS", 0)
    header, arrays = payload_of(to_html(seen))
    assert (header["tier"], arrays["weights"].shape) == ("thumbnail", (2, 3, 2, 2))
