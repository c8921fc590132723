"""Tables, formulas and pictures on the board of a stop."""

import io
import re
from base64 import b64encode

import pytest
from PIL import Image

from lab.kit.lessons.board import MAX_PICTURE, MAX_SIDE, Formula, Picture, Shown, Table, as_html
from lab.kit.lessons.reader import read
from lab.kit.texts.markdown import TextError
from pages.lessons.data import made as made_small

LESSON = """---
title: Small
minutes: 1
for: a test
---

## A stop

[A view](/heads)

Say: Something.

### Board

"""
BEGINS = 1 + LESSON.count("\n")  # the line of what stands first on the board


def board(text: str) -> tuple[Shown, ...]:
    return read(LESSON + text).stops[0].board


def faults(text: str) -> list[tuple[int, str]]:
    with pytest.raises(TextError) as error:
        read(LESSON + text)
    return list(error.value.faults)


def picture(image: Image.Image, kind: str = "WEBP") -> str:
    out = io.BytesIO()
    image.save(out, kind)
    return f"![A square](data:image/{kind.lower()};base64,{b64encode(out.getvalue()).decode()})"


def test_a_board_has_tables_formulas_and_pictures_in_their_order():
    square = picture(Image.new("RGB", (9, 9), "red"))
    formula = "$$\n\\frac{q k^\\top}{\\sqrt{d_k}}\n$$"
    text = f"| word | chance |\n|---|:-:|\n| *hat* | 0.9 |\n| ball | 0.1 |\n\n{formula}\n\n{square}\n"
    table, tex, shown = board(text)
    assert table == Table(("word", "chance"), (("*hat*", "0.9"), ("ball", "0.1")))
    assert tex == Formula(r"\frac{q k^\top}{\sqrt{d_k}}")
    assert isinstance(shown, Picture)
    assert shown.line == square
    assert as_html(table).count("<td>") == 4
    assert "<i>hat</i>" in as_html(table)
    assert 'alt="A square"' in as_html(shown)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", -2, "empty"),
        ("Some prose.", 0, "does not go on a board"),
        ("- a list", 0, "does not go on a board"),
        ("```\ncode\n```", 0, "does not go on a board"),
        ("| a | b |\n| 1 | 2 |", 0, "second line"),
        ("| a | b |\n|---|---|\n| 1 |", 2, "another number of cells"),
        ("| a " * 7 + "|\n" + "|---" * 7 + "|", 0, "6 columns"),
        ("| a |\n|---|" + "\n| 1 |" * 13, 0, "12 rows"),
        ("| a |\n|---|\n| <b>x</b> |", 2, "HTML"),
        (f"| a |\n|---|\n| {'x' * 81} |", 2, "81 characters"),
        (f"$$ {'x' * 301} $$", 0, "301 characters"),
        ("$$ a $$ and $$ b $$", 0, "does not go on a board"),
        ("\n\n".join(["$$ a $$"] * 7), -2, "room for 6"),
        (f"![]({picture(Image.new('RGB', (9, 9)))[len('![A square](') :]}", 0, "Say what the picture shows"),
    ],
)
def test_what_does_not_belong_on_a_board_is_a_fault_with_its_line(text: str, line: int, words: str):
    (found,) = faults(text)
    assert found[0] == BEGINS + line
    assert words in found[1]


@pytest.mark.parametrize(
    "line",
    [
        "![A cat](cat.png)",
        "![A cat](https://example.org/cat.webp)",
        "![A cat](data:image/svg+xml;base64,PHN2Zy8+)",
        "![A cat](data:image/webp;base64,????)",
        "![A cat](data:image/webp;base64,UklGRg==)",
        f"![A cat](data:image/webp;base64,{'A' * 30_000})",
        picture(Image.new("RGB", (9, 9)), "PNG").replace("image/png", "image/webp"),
        picture(Image.new("RGB", (MAX_SIDE + 1, 9))),
    ],
    ids=lambda line: line[:40],
)
def test_what_is_no_small_picture_is_a_fault(line: str):
    (found,) = faults(line)
    assert "Let the page Lessons make its line" in found[1]


def test_a_lesson_has_so_many_pictures():
    line = picture(Image.new("RGB", (9, 9)))
    assert len(board("\n\n".join([line] * 3))) == 3
    assert "3 pictures" in faults("\n\n".join([line] * 4))[0][1]


@pytest.mark.parametrize("size", [(30, 20), (3000, 700)])
def test_a_file_becomes_a_line_that_the_reader_takes(size: tuple[int, int]):
    out = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(out, "JPEG")  # nothing is harder to make small
    made = made_small(out.getvalue())
    assert board(made.line) == (made,)
    assert len(made.webp) <= MAX_PICTURE * 4 / 3 + 4


def test_nothing_that_its_author_wrote_is_read_as_html():
    for thing in (Formula("<script>"), Table(("<script>",), (("<img>",),)), Picture('"><script>', '"><script>')):
        assert not re.search("<script|<img>", as_html(thing))
