"""Formula, matrix and code: every term is a matrix of a run, and has the right lines of the source."""

from pathlib import Path

import pytest

from lab.kit import teaching
from pages.attention import code_links
from transformer.core.masks import causal
from transformer.inspection.steps import random_matrices, steps

SOURCE = (Path(__file__).parents[3] / code_links.ATTENTION).read_text().splitlines()


def lines_of(term: str, *, from_stream: bool) -> list[str]:
    """The lines of a term in all excerpts, read from the file by their numbers."""
    excerpts = code_links.attention(from_stream=from_stream)
    lines = [line for excerpt in excerpts for line in excerpt["lines"]]
    for line in lines:
        text = "".join(part for part, _ in line["parts"])
        assert SOURCE[line["number"] - 1].strip() == text.strip(), "a line is shown under its own number"
    return [SOURCE[line["number"] - 1].strip().partition("  #")[0] for line in lines if term in line["terms"]]


@pytest.mark.parametrize("from_stream", [True, False])
def test_every_term_has_its_lines(from_stream: bool) -> None:
    expected = {
        "scores": ['scores = tap("scores", q @ k.transpose(-2, -1))'],
        "scaled": ["if scaled:", "scores = scores / math.sqrt(q.shape[-1])", 'scores = tap("scaled", scores)'],
        "weights": ['weights = tap("weights", masked_softmax(scores, mask))'],
        "output": ["return dropout(weights, dropout_p, generator) @ v, weights"],
    }
    for term, lines in expected.items():
        assert lines_of(term, from_stream=from_stream) == lines
    assert "weights = torch.where(mask, scores, floor).softmax(dim=-1)" in lines_of("masked", from_stream=from_stream)


def test_every_stage_of_a_run_is_a_term() -> None:
    for stage in steps(*random_matrices(0), causal(3).numpy()).stages:
        assert lines_of(stage, from_stream=False)
    for matrix in "qkv":
        assert lines_of(matrix, from_stream=False)
        assert any(f"self.w_{matrix}(" in line for line in lines_of(matrix, from_stream=True))


def test_colours_are_those_of_the_names() -> None:
    excerpt = code_links.attention(from_stream=False)[0]
    roles = {(text, role) for line in excerpt["lines"] for text, role in line["parts"] if role and role != "comment"}
    assert roles == {("q", "query"), ("k", "key"), ("v", "value"), ("weights", "weight")}


def test_lines_are_found_by_name_and_not_by_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same function further down, with other lines between, and a tap of that name in another function."""
    moved = tmp_path / "attention.py"
    moved.write_text(
        "def other(tap, x):\n    return tap('scores', x)\n\n\n"
        "def attend(tap, q, k):\n    '''Says nothing.'''\n    # a remark\n    first = 1\n\n"
        "    scores = tap(\n        'scores', q @ k\n    )\n    return first * scores\n"
    )
    monkeypatch.setattr(teaching, "_ROOT", tmp_path)
    excerpt = code_links.excerpt("attention.py", "attend", {"scores": (code_links.taps("scores"),)})
    assert [line["number"] for line in excerpt["lines"] if "scores" in line["terms"]] == [10, 11, 12]
    assert excerpt["lines"][0]["number"] == 8
    with pytest.raises(LookupError, match="no statement of attend stands for mask"):
        code_links.excerpt("attention.py", "attend", {"mask": (code_links.taps("mask"),)})
    with pytest.raises(LookupError, match="there is no attention"):
        code_links.excerpt("attention.py", "attention", {})


def test_the_source_is_read_once():
    assert code_links.attention(from_stream=True) is code_links.attention(from_stream=True)


def test_four_lines_are_of_the_formula_and_the_others_wait_to_be_asked_for() -> None:
    """As `isThought` of reasons.js has it."""
    (excerpt,) = (
        one for one in code_links.attention(from_stream=True) if one["name"] == "scaled_dot_product_attention"
    )
    thought = [
        line for line in excerpt["lines"] if line["terms"] and {role for _, role in line["parts"]} - {"", "comment"}
    ]
    assert [line["terms"] for line in thought] == [["scores"], ["scaled"], ["weights"], ["output"]]
