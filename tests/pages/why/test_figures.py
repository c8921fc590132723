"""The figures of the page on why carry the numbers they were given."""

from lab.kit.figures.palette import INK, QUIET
from pages.why import figures


def names(figure) -> dict[str, float]:
    """The names beside the lines, and how high they stand."""
    return {note.text: note.y for note in figure.layout.annotations if note.xanchor == "left" and note.xshift}


def test_attention_is_ink_and_every_line_bears_its_name_apart_from_the_others() -> None:
    figure = figures.measured([16, 1024], {"attention": [0.1, 3.0], "recurrent": [0.2, 2.9]}, "words n")
    assert [trace.line.color for trace in figure.data] == [INK, QUIET]
    low, high = figure.layout.yaxis.range
    heights = names(figure)
    assert heights.keys() == {"attention", "recurrent"}
    assert abs(heights["attention"] - heights["recurrent"]) >= 0.05 * (high - low)
    assert not figure.layout.showlegend


def test_measured_ticks_are_where_was_measured() -> None:
    figure = figures.measured([16, 1024], {"a": [0.1, 3.0], "b": [0.2, 2.0]}, "words n", chosen=16)
    assert list(figure.layout.xaxis.ticktext) == ["16", "1,024"]
    assert [list(trace.y) for trace in figure.data] == [[0.1, 3.0], [0.2, 2.0]]
    assert "on this machine" in figure.layout.yaxis.title.text
