"""One head cannot look at two places and keep them apart; two heads can. Built by hand."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.heads import data, figures
from pages.heads.study import Study, Subject
from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer, check

if TYPE_CHECKING:
    from transformer.inspection.two_places import TwoPlaces


class Result(NamedTuple):
    one_head: "TwoPlaces"
    two_heads: "TwoPlaces"
    sentences: tuple[tuple[str, ...], ...]
    vocabulary: tuple[str, ...]


def ask(_: Subject) -> int:
    """The share of its attention that a single head gives to the first place, in %."""
    return settings.choose(
        st.select_slider, "One head gives to the first word, in %", "closer_share", range(10, 91, 10), 50,
        why="a share goes from 10 to 90 in tens, so it cannot be {}",
        help="The rest goes to the third word. Two heads need not share.",
    )  # fmt: skip


def compute(_: Subject, share: int) -> Result:
    one, sentences, vocabulary = data.two_places(1, share / 100)
    two = data.two_places(2, 0.5)[0]
    return Result(one, two, sentences, vocabulary)


def draw(_: Subject, share: int, result: Result, picture: DeltaGenerator, words: DeltaGenerator) -> None:
    with picture:
        st.markdown("**Who thanked whom?** The question mark needs two words at once")
        with st.container(key="result-two-places"):
            for name, heads in (("One head", result.one_head), ("Two heads", result.two_heads)):
                _draw_side(name, heads, result)
    with words:
        st.markdown(
            "One head has 1 to give away. If it splits that evenly, its output is the average of Ann and Bob, and that "
            "is the same whoever thanked: nothing later can tell the two sentences apart. If it looks more at one "
            "word, it hears less of the other.\n\nTwo heads look at one word each. Their outputs are put **side by "
            "side**, so nothing is mixed, and both words are there in full."
        )
        check(
            "Both models are 8 numbers wide. What do two heads have that one has not?",
            Answer(
                "More parameters",
                "As many: each of the two is half as wide.",
            ),
            Answer(
                "Two rows of attention weights per query",
                "Each head has a softmax of its own, and so a whole 1 of its own to give away.",
                right=True,
            ),
            Answer(
                "Longer values",
                "Shorter, in fact: 4 numbers each. What counts is that they are not mixed with each other.",
            ),
            Answer(
                "A second look, after the first",
                "That would be a second *layer*. Heads of one layer look at the same time.",
            ),
            key="heads-closer-two",
        )
        st.caption("These heads are built by hand; they are not those on the left.")
        teaching.code_expander("transformer/inspection/two_places.py", "two_places")


def _draw_side(name: str, heads: "TwoPlaces", result: Result) -> None:
    """Where the question mark looks in both sentences, what comes out, and how far apart that is."""
    with st.container(key=f"result-{name.lower().replace(' ', '-')}"):
        st.markdown(f"**{name}**: the two sentences come out :green[**{heads.apart:.2g}**] apart")
        display.figure(
            figures.two_places(heads.weights, heads.output, result.sentences, result.vocabulary),
            key=f"closer-{name}",
            alt=f"{name}: where the question mark looks in “Ann thanked Bob” and in “Bob thanked Ann”, and what comes "
            f"out; the outputs differ by at most {heads.apart:.2g}.",
        )


STUDY = Study("Two places", compute, draw, ask, question="Can one head keep two places apart?")
