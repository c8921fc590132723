"""A lesson's Markdown: what is read, and what each kind of fault says of which line; links that hold a lesson."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.kit import settings
from lab.kit.lessons import shelf
from lab.kit.lessons.lesson import Link
from lab.kit.lessons.reader import MAX_BYTES, MAX_FAULTS, MAX_STOPS, read
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import Option, Question

GOOD = """---
title: A try
minutes: 5
for: everybody
---
What it is about,
in two lines.

## First
[Open](https://lab.example/x/generation?gen_text=mia+found&lesson=old&stop=7&embed=true)

Say: Hello *there*
  again.
Do: Change it.
Controls: gen_text, layer

### Predict
What comes?

- [ ] that
  No.
- [X] this
  Yes it does,
  it does.

## Second
[Open](/)
Say: Bye.
### Predict
Write it down.
### Question
Why?
* [x] a
  Right.
* [ ] b
  Wrong.
"""


def test_a_lesson_is_read_whole():
    lesson = read(GOOD)
    assert (lesson.title, lesson.minutes, lesson.audience) == ("A try", 5, "everybody")
    assert lesson.about == "What it is about, in two lines."
    first, second = lesson.stops
    assert first.link == Link("generation", (("gen_text", "mia found"),)), "neither the host nor another lesson counts"
    assert (first.say, first.do, first.controls) == ("Hello *there* again.", "Change it.", ("gen_text", "layer"))
    assert first.predict == Question(
        "What comes?", (Option("that", "No.", False), Option("this", "Yes it does, it does.", True))
    )
    assert first.question is None
    assert second.link.address(lesson="x", stop=2) == "./?lesson=x&stop=2"
    assert second.predict == Question("Write it down.")
    assert second.question
    assert second.question.answer == Option("a", "Right.", True)


def test_windows_and_marks_at_the_start_change_nothing():
    assert read(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()) == read(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("---\ntitle", "title", 1, "begins with a line"),
        ("for: everybody\n---", "for: everybody", 1, "never closed"),
        ("minutes: 5\n", "", 4, "“minutes:” is missing"),
        ("minutes: 5", "minutes: soon", 3, "whole number"),
        ("for: everybody", "whom: everybody", 4, "not read here"),
        ("title: A try", f"title: {'x' * 90}", 2, "Say it shorter"),
        ("## First", "## ", 9, "no heading"),
        ("## First", "# First", 9, "outside of a stop"),
        ("[Open](/)\n", "", 26, "no link"),
        ("[Open](/)", "[Open](/nowhere)", 27, "no page “/nowhere”"),
        ("[Open](/)", "[Open](ftp://a/heads)", 27, "begins with “/”"),
        ("[Open](/)", "[Open](/heads?x)", 27, "Copy it anew"),
        ("[Open](/)", "[Open](/heads?<b>=1)", 27, "cannot be read"),
        ("[Open](/)", "[Open](/)\n[Open](/heads)", 28, "two of “link”"),
        ("[Open](/)", "See [Open](/)", 27, "on a line of its own"),
        ("Say: Bye.", "Sag: Bye.", 28, "Begin the line with"),
        ("Say: Bye.\n", "", 26, "says nothing"),
        ("Say: Bye.", "Say:", 28, "nothing after “Say:”"),
        ("Say: Bye.", "Say: Bye.\nWords: hidden", 29, "write “shown”"),
        ("Say: Bye.", "Say: Bye.\nWithout: a b", 29, "“Without:” write up to"),
        ("Say: Bye.", "Say: Bye.\nModel: sight", 29, "“Model:” write"),
        ("Say: Bye.", "Say: Bye.\nModel: attention", 29, "needs a link to /heads"),
        ("Say: Bye.", "Say: Bye.\nModel: map", 29, "needs a link to /heads"),
        ("Say: Bye.", "Say: Bye.\nModel: next word", 29, "needs a text"),
        ("Say: Bye.", f"Say: Bye.\nModel: next word after {'x' * 301}", 29, "Say it shorter"),
        ("### Predict\nWrite it down.\n", "Model: next word after mia\n", 29, "answers the prediction"),
        ("Say: Bye.", "Say: See [this](/heads).", 28, "no links"),
        ("Say: Bye.", "Say: <img src=x>", 28, "no links"),
        ("Say: Bye.", "Say: www.example.com", 28, "no links"),
        ("Say: Bye.", "Say: Bye\x00.", 28, "cannot be shown"),
        ("Controls: gen_text, layer", "Controls: gen text", 15, "“Controls:” write up to"),
        ("### Question", "### Answer", 31, "nothing else"),
        ("Why?\n", "", 31, "has no question"),
        ("* [x] a", "* [ ] a", 31, "No option is right"),
        ("* [ ] b", "* [x] b", 35, "Two options are marked"),
        ("* [ ] b\n  Wrong.\n", "", 31, "2 to 6 options"),
        ("  Wrong.", "", 35, "no reply"),
        ("* [ ] b", "* [ ] a", 31, "are the same"),
        ("* [ ] b", "* [ ]", 35, "is empty"),
    ],
)
def test_every_fault_names_its_line(old: str, new: str, line: int, words: str):
    assert old in GOOD
    with pytest.raises(TextError) as error:
        read(GOOD.replace(old, new, 1))
    assert any(fault.line == line and words in fault.sentence for fault in error.value.faults), str(error.value)


def test_options_without_a_question_are_named():
    with pytest.raises(TextError, match="Line 29: This option belongs to no question"):
        read(GOOD.replace("### Predict\nWrite it down.\n### Question\nWhy?\n", ""))


def test_what_is_too_large_is_refused_before_it_is_read():
    for text in ("x" * (MAX_BYTES + 1), b"\xff" * (MAX_BYTES + 1), "é" * (MAX_BYTES - 9)):
        with pytest.raises(TextError, match="Split it"):
            read(text)
    stop = "## A\n[b](/)\nSay: c\n"
    with pytest.raises(TextError, match="30 stops"):
        read(GOOD + stop * MAX_STOPS)
    with pytest.raises(TextError) as error:
        read("## A\n" * 20)
    assert len(error.value.faults) == MAX_FAULTS
    with pytest.raises(TextError, match="Line 2: This is not UTF-8"):
        read(b"---\ntitle: \xff\n")


LINES = st.lists(
    st.sampled_from([*GOOD.splitlines(), "---", "## ", "- [x] a", "  b", "### Predict", "[a](/heads)", "Do: x", ""]),
    max_size=30,
)


@given(LINES)
def test_any_lines_are_a_lesson_or_have_faults_within_them(lines: list[str]):
    lesson, faults = None, []
    try:
        lesson = read("\n".join(lines))
    except TextError as error:
        faults = error.faults
    assert (lesson is None) == bool(faults)
    assert all(1 <= fault.line <= max(1, len(lines)) for fault in faults)
    assert lesson is None or all(stop.say for stop in lesson.stops)


# ---- links that hold a lesson --------------------------------------------------------------------------------------


def test_a_lesson_comes_back_out_of_its_link():
    code = shelf.packed(GOOD)
    assert re.fullmatch("~[A-Za-z0-9_-]+", code)
    assert len(code) < len(GOOD)
    assert shelf.lesson(code) == read(GOOD)


@pytest.mark.parametrize("name", shelf.ORDER)
def test_shipped_lessons_fit_into_a_link(name: str):
    assert shelf.lesson(shelf.packed(shelf.source(name))) == shelf.shipped()[name]


def test_links_that_are_forged_or_cut_are_refused():
    import zlib
    from base64 import urlsafe_b64encode

    bomb = "~" + urlsafe_b64encode(zlib.compress(b"a" * 4_000_000, 9)).decode().rstrip("=")
    assert len(bomb) <= shelf.MAX_CODE, "small enough to get as far as the inflater"
    code = shelf.packed(GOOD)
    for forged in (bomb, code[:-9], "~", "~!", "~" + "A" * shelf.MAX_CODE, "~é", "~AAAA", code + "AAAA"):
        with pytest.raises(TextError):
            shelf.lesson(forged)
    for name in ("", "nothing", "../README", "attention.md"):
        with pytest.raises(TextError, match="no lesson of this name"):
            shelf.lesson(name)
    with pytest.raises(LookupError):
        shelf.source("../README")


def test_a_long_lesson_is_shared_as_a_file():
    import random

    noise = "".join(random.Random(0).choices("abcdefghijklmnopqrstuvwxyz", k=12_000))
    with pytest.raises(TextError, match="Share the file"):
        shelf.packed(noise)


# ---- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shelf.ORDER)
def test_the_settings_of_the_lessons_here_are_of_their_pages(name: str):
    assert read(shelf.source(name), shared=settings.shared())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("gen_text=mia+found", "gen_text=mia+found&laier=2", "/generation has no setting “laier”. Perhaps “layer”?"),
        ("gen_text=mia+found", "gen_text=a&emb_part=Cut", "/generation has no setting “emb_part”. Copy the link anew"),
        ("Controls: gen_text, layer", "Controls: gen_text, wieghts", "has no setting “wieghts”. Perhaps “weights”?"),
    ],
)
def test_a_name_that_no_setting_has_is_a_fault_with_its_line_when_a_lesson_is_new(old: str, new: str, said: str):
    text = GOOD.replace(old, new)
    line = next(n for n, each in enumerate(text.splitlines(), 1) if new.split("&")[0] in each)
    with pytest.raises(TextError) as error:
        read(text, shared=settings.shared())
    (fault,) = error.value.faults
    assert fault.line == line
    assert said in fault.sentence
    assert read(text), "one that was shared stays readable"


def test_a_button_may_be_named_whatever_it_is_called():
    assert read(
        GOOD.replace("Controls: gen_text, layer", "Controls: gen_text, train, reader-words"), shared=settings.shared()
    )
