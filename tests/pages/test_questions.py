"""All questions of the pages: what each must have, where it is asked, and what must not give the answer away."""

import re
from collections import Counter
from pathlib import Path

import pytest

from lab.kit.catalogue import PAGES
from lab.kit.texts.questions import Question, of_page

ROOT = Path(__file__).parents[2]
QUESTIONS = {key: question for page in PAGES for key, question in of_page(page.url).items()}


def test_each_is_asked_by_its_page_and_all_that_are_asked_are_there() -> None:
    """Once, by its key: what else such a call hands over, the texts themselves say when it is drawn."""
    asked = [("bugs", key) for key in of_page("bugs")]  # the museum asks one for each exhibit
    asked += [
        (file.relative_to(ROOT).parts[1], key)
        for file in sorted((ROOT / "pages").rglob("*.py"))
        for key in re.findall(r"\bquestions\.ask\(\s*\"([^\"]+)\"", file.read_text(encoding="utf-8"))
    ]
    assert Counter(key for _, key in asked) == Counter(list(QUESTIONS))
    assert len(QUESTIONS) > 100
    for folder, key in asked:
        assert key.startswith(f"{folder}-"), f"a key begins with the path of its page, not so {key} on /{folder}"


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_every_option_is_answered(question: Question) -> None:
    assert 3 <= len(question.options) <= 4, "a question has three or four answers"
    for option in question.options:
        assert len(option.reply) > 20, f"say in a sentence what is right or wrong about “{option.text}”"
    assert len({option.reply for option in question.options}) == len(question.options), "each mistake has its own"


def test_the_longest_option_is_not_the_right_one_too_often() -> None:
    longest = [key for key, q in QUESTIONS.items() if max(q.options, key=lambda option: len(option.text)).right]
    assert len(longest) <= 0.45 * len(QUESTIONS), f"make a wrong answer longer in one of {longest}"
