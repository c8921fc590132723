"""Packages for schools: written as another program writes them, and found whole by a checker that nobody here wrote."""

import io
from xml.etree import ElementTree as xml
from zipfile import ZipFile

import pytest
from qti_package_maker.common.package_integrity import check_entries
from text2qti.config import Config
from text2qti.qti import QTI
from text2qti.quiz import Quiz

from lab.kit.lessons import shelf
from lab.kit.lessons.exports.qti import qti
from lab.kit.texts.inline import plain
from lab.kit.texts.questions import Option, Question
from pages.lessons.scorm import scorm

ASI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


def files(package: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(package)) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


def assessment(package: bytes) -> xml.Element:
    (path,) = [name for name in files(package) if name.endswith(".xml") and "/" in name and "meta" not in name]
    return xml.fromstring(files(package)[path])


# ---- QTI -------------------------------------------------------------------------------------------------------------


def others(questions: list[Question]) -> xml.Element:
    """The same questions as text2qti, which Canvas's users write quizzes with, puts them."""
    lines = ["Quiz title: Heads", ""]
    for number, question in enumerate(questions, 1):
        lines += [f"Title: Heads {number}", f"{number}.  {question.text}"]
        for letter, option in zip("abcdef", question.shuffled, strict=False):
            lines += [f"{'*' if option.right else ''}{letter}) {option.text}", f"... {option.reply}"]
        lines.append("")
    config = Config()
    quiz = Quiz("\n".join(lines), config=config, source_name="quiz.txt")
    made = io.BytesIO()
    QTI(quiz).write(made)
    return assessment(made.getvalue())


def shape(node: xml.Element) -> tuple:
    """What a reader of the format goes by: tags, what is chosen from a list, numbers, and what refers to what. Names
    are put in the order of their first mention; of texts it is left out how they are written."""
    order: dict[str, int] = {}

    def named(text: str) -> str:
        known = {"Yes", "No", "Single", "Decimal", "SCORE", "Set", "Response", "0", "100", "root_section", "response1"}
        if text in known or text.startswith("Heads"):
            return text
        base = text.removesuffix("_fb")
        return f"#{order.setdefault(base, len(order))}{text[len(base) :]}"

    def of(one: xml.Element) -> tuple:
        kept = {key: named(value) for key, value in sorted(one.attrib.items()) if key != "texttype" and key[0] != "{"}
        text = one.text if one.tag.endswith(("}fieldlabel", "}setvar")) else ""
        refers = named(one.text or "") if one.tag.endswith("}varequal") else ""
        return one.tag, tuple(kept.items()), text, refers, tuple(of(child) for child in one)

    return of(node)


PLAIN = [
    Question("What is a head?", (Option("One way of looking", "Yes.", True), Option("A layer", "It is part of one."))),
    Question(
        "How many?", (Option("Four", "No."), Option("Twelve", "Three layers of four.", True), Option("One", "No."))
    ),
]


def test_qti_is_put_together_as_another_program_puts_it():
    assert shape(assessment(qti("Heads", PLAIN))) == shape(others(PLAIN))
    swapped = [
        PLAIN[0]._replace(options=tuple(one._replace(right=not one.right) for one in PLAIN[0].options)),
        PLAIN[1],
    ]
    assert shape(assessment(qti("Heads", swapped))) != shape(others(PLAIN)), "which option is right is part of it"


def test_every_question_of_the_lessons_comes_through_word_for_word():
    for lesson in shelf.shipped().values():
        root = assessment(qti(lesson.title, lesson.questions))
        items = root.findall(f".//{ASI}item")
        assert len(items) == lesson.n_questions > 5
        names = [node.get("ident") for node in root.iter() if node.get("ident") not in (None, "response1")]
        assert len(names) == len(set(names))
        for item, question in zip(items, lesson.questions, strict=True):
            assert read(item) == expected(question)


def flat(text: str) -> str:
    return " ".join(plain(text).split())


def expected(question: Question) -> tuple:
    return flat(question.text), [(flat(one.text), flat(one.reply), one.right) for one in question.shuffled]


def read(item: xml.Element) -> tuple:
    def text(node: xml.Element) -> str:
        return node.find(f".//{ASI}mattext").text

    replies = {node.get("ident"): text(node) for node in item.iter(f"{ASI}itemfeedback")}
    right, said = set(), {}
    for condition in item.iter(f"{ASI}respcondition"):
        name = condition.find(f".//{ASI}varequal").text
        if (points := condition.find(f"{ASI}setvar")) is not None and points.text == "100":
            right.add(name)
        if (shown := condition.find(f"{ASI}displayfeedback")) is not None:
            said[name] = replies[shown.get("linkrefid")]
    labels = list(item.iter(f"{ASI}response_label"))
    options = [(text(label), said[label.get("ident")], label.get("ident") in right) for label in labels]
    (presentation,) = item.findall(f"{ASI}presentation")
    return text(presentation), options


@pytest.mark.parametrize("sign", ["<b>", "&amp;", "]]>", '"', "'", "\n", "\u2028", "<script>"])
def test_no_sign_means_anything(sign: str):
    asked = Question(f"a {sign} b", (Option(f"c {sign}", f"d {sign} e", True), Option(f"f {sign} g", "no")))
    (item,) = assessment(qti(f"x {sign}", [asked])).findall(f".//{ASI}item")
    assert read(item) == expected(asked)


# ---- manifests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shelf.ORDER)
def test_what_manifests_and_answers_name_is_in_the_package(name: str):
    lesson = shelf.shipped()[name]
    for package in (qti(lesson.title, lesson.questions), scorm(lesson, "https://lab.example/")):
        whole = files(package)
        assert check_entries(whole) == []
        for lost in whole:
            rest = {path: data for path, data in whole.items() if path != lost}
            assert any("missing from package" in fault for fault in check_entries(rest)), lost


def test_a_reply_or_points_for_an_option_that_does_not_exist_would_be_found():
    whole = files(qti("Heads", PLAIN))
    (path,) = whole.keys() - {"imsmanifest.xml"}
    root = xml.fromstring(whole[path])
    for chosen in list(root.iter(f"{ASI}varequal")):
        name, chosen.text = chosen.text, "lab_nobody"
        assert check_entries({**whole, path: xml.tostring(root)}) != []
        chosen.text = name
    assert check_entries({**whole, path: xml.tostring(root)}) == []
