"""The document that a browser loads first."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient

from lab.frame import opening, shell
from lab.hooks import document
from lab.kit.catalogue import PAGES

ROOT = Path(__file__).parents[3]


class Read(HTMLParser):
    """The tags of a document, in order, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def of(self, tag: str, **having: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag and having.items() <= attrs.items()]


@pytest.fixture
def browser():
    return TestClient(Starlette(routes=opening.routes()))


@pytest.mark.parametrize("url", [page.url for page in PAGES])
def test_every_page_has_our_name_its_sentence_and_our_looks_after_streamlits(browser, url):
    answer = browser.get(f"/{url}")
    page = next(page for page in PAGES if page.url == url)
    assert answer.headers["cache-control"] == "no-cache", "after an update it names other files"
    assert answer.text.count("<title>") == 1
    assert "<title>Attention Lab</title>" in answer.text
    read = Read(answer.text)
    assert [one["content"] for one in read.of("meta", name="description")] == [page.help]
    assert [one["href"] for one in read.of("link", rel="shortcut icon")] == [shell.BRAND]
    sheets = [one["href"] for one in read.of("link", rel="stylesheet")]
    assert sheets[-1] == f"./opening/{opening.name('css')}.css"
    names = [tag for tag, _ in read.tags]
    ours = read.tags.index(("link", {"rel": "stylesheet", "href": sheets[-1]}))
    assert names.index("body") < ours < names.index("div"), "Streamlit puts its styles into the head, as they come"


@pytest.mark.parametrize(("kind", "media"), [("css", "text/css"), ("js", "text/javascript")])
def test_looks_and_script_are_kept_for_as_long_as_they_are_the_same(browser, kind, media):
    answer = browser.get(f"/opening/{opening.name(kind)}.{kind}")
    assert answer.headers["content-type"].startswith(media)
    assert "immutable" in answer.headers["cache-control"]
    old = browser.get(f"/opening/0000.{kind}")
    assert old.text == answer.text, "who holds an old document is dressed all the same"
    assert old.headers["cache-control"] == "no-cache"
    assert browser.get("/opening/0000.map").status_code == 404


def test_the_looks_are_those_that_each_run_brings():
    looks = opening.text("css")
    assert looks.startswith(shell.STYLE.removeprefix("<style>").removesuffix("</style>"))
    assert "BRAND" not in looks


def test_what_draws_charts_waits_and_is_what_it_was():
    files = Mount("/static/js", app=StaticFiles(directory=document.STATIC / document.SCRIPTS))
    browser = TestClient(Starlette(routes=[files], middleware=list(opening.MIDDLEWARE)))
    chart, code = document.last_scripts()
    for name in (chart, code):
        waiting = browser.get(f"/static/js/{name}")
        assert waiting.headers["content-type"].startswith("text/javascript")
        assert "immutable" not in waiting.headers["cache-control"], "it is ours, and may change under this name"
        assert waiting.text.startswith("await window.attentionLabLater;\n")
        assert f'import("./{name}?now")' in waiting.text
        exported = re.findall(r"^export (?:const )?(\w+)", waiting.text, re.MULTILINE)
        assert tuple(exported) == document.last_scripts()[name]
        whole = browser.get(f"/static/js/{name}?now")
        assert whole.content == (document.STATIC / document.SCRIPTS / name).read_bytes()
    other = document.first_scripts()[0].rpartition("/")[2]
    assert browser.get(f"/static/js/{other}").content == (document.STATIC / document.SCRIPTS / other).read_bytes()
    assert browser.get(f"/elsewhere/{chart}").status_code == 404


def test_what_draws_charts_is_read_after_every_first_beat_and_tests_hold_each_of_them():
    beat = re.compile(r"^const BEAT = (\d+);", re.MULTILINE)
    scripts = {path: path.read_text() for path in ROOT.glob("pages/**/*.js")}
    beats = {int(ms) for text in scripts.values() for ms in beat.findall(text)}
    (waits,) = map(int, beat.findall(opening.text("js")))
    assert len(beats) > 1
    assert max(beats) < waits
    held = re.search(r"beats = \[([\d, ]+)\]", (ROOT / "tests/browser/test_first_beats.py").read_text())
    assert held
    assert beats <= set(map(int, held[1].split(", ")))
    assert waits not in map(int, held[1].split(", ")), "held, charts would never be drawn"
