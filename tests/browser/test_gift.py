"""Questions for Moodle, read by a parser of GIFT that nobody here wrote (gift-pegjs 1.0.2, MIT)."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from lab.kit.texts.inline import plain
from lab.kit.texts.questions import Option, Question
from pages.classroom import plans
from pages.classroom.gift import CATEGORY, gift

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
