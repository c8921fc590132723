import gc
import re
import sys

import plotly.graph_objects as go
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest

from lab.kit.figures import display, plot
from lab.kit.texts import inline
from tests.pages.driver import visit


@pytest.fixture
def without_torch(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)


@pytest.mark.parametrize("fails", [False, True])
def test_garbage_is_left_alone_while_torch_is_loaded_and_no_longer(without_torch, fails):
    try:
        with display.loading(100):
            assert not gc.isenabled()
            if fails:
                raise LookupError
    except LookupError:
        assert fails
    assert gc.isenabled()


def test_later_visits_change_nothing_for_the_others():
    pytest.importorskip("torch")
    with display.loading(100):
        assert gc.isenabled()


def test_plotly_is_told_the_size_of_every_text_that_the_figure_leaves_open(monkeypatch):
    shown = []
    monkeypatch.setattr(display.st, "plotly_chart", lambda drawing, **_: shown.append(drawing))
    traces = [go.Heatmap(z=[[1.0]]), go.Scatter(y=[1.0], name="line", xaxis="x2", yaxis="y2")]
    drawing = go.Figure(traces, layout={"xaxis2": {}, "yaxis2": {"tickfont": {"size": 15}}, "showlegend": True})
    display.figure(drawing, key="sizes", alt="one cell and one point")
    display.figure(drawing, key="again", alt="the same figure on another page")
    layout = shown[-1].layout
    ticks = [layout.xaxis, layout.yaxis, layout.xaxis2, layout.yaxis2, shown[-1].data[0].colorbar]
    assert [axis.tickfont.size for axis in ticks] == [plot.TICK_SIZE] * 3 + [15, plot.TICK_SIZE]
    assert layout.legend.font.size == layout.font.size == plot.TICK_SIZE
    assert layout.yaxis.title.font.size == plot.FONT_SIZE


def test_a_hand_that_drags_over_a_chart_zooms_only_where_the_chart_says_so(monkeypatch):
    shown = []
    monkeypatch.setattr(display.st, "plotly_chart", lambda drawing, **_: shown.append(drawing))
    display.figure(go.Figure(go.Scatter(y=[1.0])), key="held", alt="a point")
    display.figure(go.Figure(go.Scatter(y=[1.0]), layout={"dragmode": "zoom"}), key="zooms", alt="a point")
    assert [one.layout.dragmode for one in shown] == [False, "zoom"]


def script_of_notices() -> None:
    """Notices as several parts of a page say them, run by AppTest as a script of its own."""
    from lab.kit.figures import display

    display.notice("One of nine.", "Two.")
    display.notice("Six of nine.", "Ten.")  # as long as the ones before
    display.notice()
    display.notice("One of nine.", "Two.")


def test_notices_of_equal_length_are_all_said_and_the_same_one_once():
    at = AppTest.from_function(script_of_notices).run()
    assert not at.exception
    assert [text.value for text in at.text] == ["One of nine.\nTwo.", "Six of nine.\nTen."]


def test_a_link_with_two_faults_opens_its_page_with_a_notice_for_each():
    assert len(visit("masks", mask="-1", lesson="-1").text) == 2


@given(st.text('`ab $:\\[]()!<>&#-.1"~|', max_size=30).map(str.strip))
@example("**a** *b* _c_ ***d*** `*e*` **f *g***h")
@example("*a* 2 * 3, _b_c and **$**, snake_case")
def test_markdown_reads_in_a_line_the_marks_of_lessons_and_nothing_else(line):
    assume(not re.search(r":(blue|orange|green|violet)\[", line))
    assert MarkdownIt("commonmark").renderInline(display.marked(line)) == as_html(inline.html(line))


def as_html(html):
    """As a reader of Markdown names the marks."""
    for own, usual in (("b", "strong"), ("i", "em")):
        html = html.replace(f"<{own}>", f"<{usual}>").replace(f"</{own}>", f"</{usual}>")
    return html


def test_a_colour_stays_one_and_a_sign_within_it_has_no_meaning():
    assert display.marked("to :violet[*$1*], :smile:") == r"to :violet[*\$1*]\, \:smile\:"
