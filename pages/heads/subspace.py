"""The queries and keys of one head as points: each head sees the tokens in a space of its own."""

from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.heads import data, figures
from pages.heads.study import Study, Subject
from pages.shared import display
from pages.shared.teaching import Answer, check

if TYPE_CHECKING:
    from transformer.inspection.head_effects import QueryKeyPlane


def compute(s: Subject, _: None) -> "QueryKeyPlane":
    return data.query_key_plane(s.reading, s.layer, s.head)


def draw(s: Subject, _: None, plane: "QueryKeyPlane", picture: DeltaGenerator, words: DeltaGenerator) -> None:
    with picture:
        display.figure(
            figures.subspace(s.tokens, s.tokens, plane.q, plane.k), key="closer-plane",
            alt=f"Queries and keys of layer {s.layer}, head {s.head} on a plane that shows {plane.share:.0%} of their "
            "spread.",
        )  # fmt: skip
    with words:
        st.markdown(
            f"Each head sees the tokens in a space of its own, with {len(plane.axes)} features. Here its "
            f":blue[queries] and :orange[keys] lie on the plane that keeps most of their spread: **{plane.share:.0%}** "
            "of it. A query looks most at keys that lie far out in its own direction."
        )
        check(
            "Take another head of the same layer: all points move. Why, since the words are the same?",
            Answer(
                "It makes its own queries and keys",
                "The vectors that come in are the same, but each head multiplies them with a W_q and a W_k of its own.",
                right=True,
            ),
            Answer(
                "The first head has changed the words",
                "Heads of one layer work side by side. What one of them finds, only the next layer gets to read.",
            ),
            Answer(
                "Each word stores one key per head",
                "Nothing is stored per word but its row of the embedding table. Keys are made from the vector.",
            ),
            key="heads-subspace",
        )
        with st.expander("The two axes of the plane, feature by feature"):
            rows = [f"| {i} | {x:.3f} | {y:.3f} |" for i, (x, y) in enumerate(plane.axes)]
            st.markdown("\n".join(["| feature | first axis | second axis |", "|--:|--:|--:|", *rows]))


STUDY = Study("Subspace", compute, draw, question="What is near in the space of one head?")
