import gc
import sys

import plotly.graph_objects as go
import pytest

from pages.shared import display, plot


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
