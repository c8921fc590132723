"""Packages for schools, read by what nobody here wrote: GIFT by a parser (gift-pegjs 1.0.2, MIT), SCORM by an API as
platforms have it (scorm-again 3.4.3, MIT)."""

import io
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

from lab.kit.lessons import shelf
from lab.kit.lessons.exports.gift import CATEGORY, gift
from lab.kit.texts.inline import plain, quoted
from lab.kit.texts.questions import Option, Question
from pages.classroom import plans
from pages.lessons.scorm import scorm

PARSER = (Path(__file__).parent / "vendor/gift-parser.js").read_text()
PARSE = """([parser, text]) => {
    const module = { exports: {} };
    new Function("module", "exports", parser)(module, module.exports);
    return module.exports.parse(text);
}"""


def parsed(browser: Browser, text: str) -> list[dict]:
    page = browser.new_page()
    try:
        return page.evaluate(PARSE, [PARSER, text])
    finally:
        page.close()


def expected(name: str, number: int, question: Question) -> tuple:
    choices = [(option.right, flat(option.text), flat(option.reply)) for option in question.shuffled]
    return "MC", f"{name} {number}", flat(question.text), choices


def flat(text: str) -> str:
    return " ".join(plain(text).split())


def read(item: dict) -> tuple:
    choices = [(one["isCorrect"], one["text"]["text"], one["feedback"]["text"]) for one in item["choices"]]
    return item["type"], item["title"], item["stem"]["text"], choices


def test_every_question_of_the_app_comes_through_word_for_word(browser):
    categories = plans.questions()
    assert len(categories) > 12
    items = iter(parsed(browser, gift(categories)))
    for name, questions in categories.items():
        category = next(items)
        assert (category["type"], category["title"]) == ("Category", f"{CATEGORY}/{name}")
        for number, question in enumerate([one for one in questions if one.answer], 1):
            assert read(next(items)) == expected(name, number, question)
    assert next(items, None) is None


@pytest.mark.parametrize("sign", ["~", "=", "#", "{", "}", ":", "::", "\\", "->", "%50%", "//", "$", "1\n2", "[html]"])
def test_no_sign_of_the_format_means_anything_in_a_question(browser, sign: str):
    asked = Question(f"a {sign} b", (Option(f"c {sign}", f"d {sign} e", True), Option(f"f {sign} g", "no")))
    _, item = parsed(browser, gift({"x": [asked]}))
    assert read(item) == expected("x", 1, asked)


# ---- SCORM -----------------------------------------------------------------------------------------------------------

# Six stops of the first lesson, with all that a stop can have: each further one is one more visit to the app.
LESSON = shelf.shipped()[shelf.ORDER[0]]._replace(stops=shelf.shipped()[shelf.ORDER[0]].stops[:6])
API = Path(__file__).parent / "vendor/scorm12.min.js"
PLATFORM = """<script>{api}</script><script>
  window.API = new Scorm12API({{}});
  if (localStorage.kept) window.API.loadFromJSON(JSON.parse(localStorage.kept), "cmi");
  window.API.on("LMSFinish", () => (localStorage.kept = JSON.stringify(window.API.cmi.toJSON())));
</script><iframe src="package/index.html" style="width: 1200px; height: 700px"></iframe>"""


@pytest.fixture
def platform(browser: Browser, server: str, tmp_path: Path):
    """A learning platform on a port of its own, which plays a lesson: a page, and the platform's address."""
    with ZipFile(io.BytesIO(scorm(LESSON, f"{server}/"))) as package:
        package.extractall(tmp_path / "package")
    (tmp_path / "index.html").write_text(PLATFORM.format(api=API.read_text()), encoding="utf-8")
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path)))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    page = browser.new_page()
    yield page, f"http://127.0.0.1:{files.server_port}"
    page.close()
    files.shutdown()


def value(page: Page, name: str) -> str:
    return page.evaluate("(name) => window.API.LMSGetValue(name)", name)


@pytest.mark.wide
def test_a_platform_plays_a_lesson_and_hears_of_stop_score_and_end(platform):
    (page, address), lesson = platform, LESSON
    page.goto(address)
    player = page.frame_locator("iframe").first
    expect(player.get_by_role("heading", name=lesson.stops[0].heading)).to_be_visible()
    assert value(page, "cmi.core.lesson_status") == "incomplete"
    frame = player.locator("iframe")
    expect(frame).not_to_have_attribute("src", re.compile("."))  # not before the guess
    expect(player.get_by_role("button", name="Next")).to_be_disabled()
    first = lesson.stops[0].predict
    wrong = next(option for option in first.options if not option.right)
    player.get_by_role("button", name=wrong.text, exact=True).click()
    expect(player.get_by_role("status").first).to_contain_text(f"✗ {flat(wrong.reply)}")
    player.get_by_role("button", name=first.answer.text, exact=True).click()  # the first answer counts
    expect(player.frame_locator("iframe").get_by_text("mia", exact=True).first).to_be_visible()  # the view is the app's
    right = 0
    for number, stop in enumerate(lesson.stops):
        expect(player.get_by_role("heading", name=plain(stop.heading))).to_be_visible()
        for asked in filter(None, (stop.predict, stop.question)):
            if asked is not first:
                section = player.locator("section").filter(has_text=quoted(asked.text))
                section.get_by_role("button", name=quoted(asked.answer.text), exact=True).click()
                right += 1
        assert value(page, "cmi.core.lesson_location") == str(number + 1)
        score = round(100 * right / lesson.n_questions)
        assert abs(int(value(page, "cmi.core.score.raw")) - score) <= 1
        if number == 3:  # one comes back later, and goes on where one was
            page.goto("about:blank")
            page.goto(address)
            expect(player.get_by_role("heading", name=plain(stop.heading))).to_be_visible()
        player.get_by_role("button", name="Finish" if stop is lesson.stops[-1] else "Next").click()
    expect(player.get_by_text(f"{right} of {lesson.n_questions} right at the first try.")).to_be_visible()
    assert value(page, "cmi.core.lesson_status") == "completed"


def test_without_a_platform_it_says_that_nothing_is_recorded(platform):
    page, address = platform
    page.goto(f"{address}/package/index.html")
    expect(page.get_by_text("No learning platform listens here")).to_be_visible()
