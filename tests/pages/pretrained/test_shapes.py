"""The shapes of published models: as many heads as they have, and what each of them sees."""

import re

from pages.pretrained import shapes
from transformer.pretrained.offers import LISTED, Heads, Listed


def listed(*stacks: Heads) -> Listed:
    return LISTED[0]._replace(stacks=stacks)


def test_a_mark_stands_for_each_head_a_square_or_the_half_that_looks_back():
    one = listed(Heads(3, 4), Heads(2, 5, looks_back=True))
    marks = re.findall(r"M[^Z]+Z", shapes.path(one))
    assert len(marks) == 3 * 4 + 2 * 5
    assert sum(mark.count("H") == 2 for mark in marks) == 3 * 4, "a square has two level edges"
    across = [int(x) for x in re.findall(r"[MLH](\d+)", shapes.path(one))]
    assert max(across) < shapes.size(one)[0] <= max(across) + shapes.PITCH
    assert shapes.spoken(one) == "3 layers of 4 heads and 2 layers of 5 heads; some look back only"


def test_every_listed_model_fits_and_says_what_it_is():
    for one in LISTED:
        assert max(stack.layers for stack in one.stacks) <= shapes.TALLEST
        assert str(one.stacks[0].heads) in shapes.spoken(one)
    assert "all look back only" in shapes.spoken(listed(Heads(6, 12, looks_back=True)))
    assert shapes.spoken(listed(Heads(6, 12))) == "6 layers of 12 heads"
