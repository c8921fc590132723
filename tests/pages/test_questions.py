"""All questions of the project, read from the source: what each must have, and what must not give the answer away."""

import ast
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from lab.kit.catalogue import PAGES

ROOT = Path(__file__).parents[2]


class Option(NamedTuple):
    text: str
    reply: str
    right: bool


class Question(NamedTuple):
    """A call of `check`; what is in braces of an f-string is left out."""

    file: str
    key: str
    text: str
    options: tuple[Option, ...]
    try_it: tuple[str, ...]  # keys


def words(node: ast.expr) -> str:
    """The text that is written in an expression."""
    return "".join(n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def option(call: ast.Call) -> Option:
    more = {keyword.arg: keyword.value for keyword in call.keywords}
    text, reply = [*call.args, *(more[name] for name in ("text", "reply") if name in more)]
    return Option(words(text), words(reply), "right" in more and ast.literal_eval(more["right"]))


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).removeprefix("teaching.")


def questions_in(path: str, source: str) -> list[Question]:
    found = []
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        if name_of(call) != "check" or not any(isinstance(n, ast.Call) and name_of(n) == "Answer" for n in call.args):
            continue
        more = {keyword.arg: keyword.value for keyword in call.keywords}
        try_it = more.get("try_it")
        keys = tuple(words(key) for key in try_it.keys if key) if isinstance(try_it, ast.Dict) else ()
        text, *answers = call.args
        options = tuple(option(answer) for answer in answers if isinstance(answer, ast.Call))
        found.append(Question(path, ast.literal_eval(more["key"]), words(text), options, keys))
    return found


QUESTIONS = [
    question
    for file in sorted((ROOT / "pages").rglob("*.py"))
    if "Answer(" in (source := file.read_text())
    for question in questions_in(str(file.relative_to(ROOT)), source)
]


def test_they_are_all_found() -> None:
    """All but that of the museum, whose answers come from its exhibits."""
    files = [file for file in (ROOT / "pages").rglob("*.py") if file.name != "museum.py"]
    calls = sum(len(re.findall(r"(?<!def )\bcheck\(\n", file.read_text())) for file in files)
    assert len(QUESTIONS) == calls > 60


def test_keys_are_unique_and_begin_with_the_path_of_their_page() -> None:
    assert [key for key, n in Counter(question.key for question in QUESTIONS).items() if n > 1] == []
    urls = {page.url for page in PAGES}
    for question in QUESTIONS:
        url = question.key.split("-")[0]
        assert url in urls, f"{question.file}: a key begins with the path of its page, not so {question.key}"
        assert question.file.startswith(f"pages/{url}/"), f"{question.file}: {question.key} is named for another page"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_every_option_is_answered(question: Question) -> None:
    right = [answer for answer in question.options if answer.right]
    assert len(right) == 1, f"{len(right)} answers have right=True"
    assert 3 <= len(question.options) <= 4, "a question has three or four answers"
    assert len({answer.text for answer in question.options}) == len(question.options)
    for answer in question.options:
        assert len(answer.reply) > 20, f"say in a sentence what is right or wrong about “{answer.text}”"
    assert len({answer.reply for answer in question.options}) == len(question.options), "each mistake has its own"


def test_the_longest_option_is_not_the_right_one_too_often() -> None:
    longest = [q for q in QUESTIONS if max(q.options, key=lambda answer: len(answer.text)).right]
    assert len(longest) <= 0.45 * len(QUESTIONS), f"make a wrong answer longer in one of {[q.key for q in longest]}"


def test_the_reader_of_the_source_is_no_fool() -> None:
    call = 'check("A?", Answer("b" "c", f"{x} d"), Answer("e", "f", right=True), key="why-a", try_it={"k": 1})'
    source = f"{call}\nfit.check(1)"
    (question,) = questions_in("pages/why/a.py", source)
    assert question == Question(
        "pages/why/a.py", "why-a", "A?", (Option("bc", " d", False), Option("e", "f", True)), ("k",)
    )
