"""One attention, stage by stage: the formula, the matrices and the code, linked."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.attention import code_links, matrices, subject
from pages.attention.components.attention_steps import attention_steps
from pages.attention.subject import CONFIG, Subject
from pages.shared import teaching
from pages.shared.compare_figures import Sheet
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.steps import Steps

MAX_LABEL = 40  # letters


def draw(s: Subject, steps: "Steps") -> None:
    attention_steps(
        {"q": steps.q, "k": steps.k, "v": steps.v},
        steps.stages,
        tuple(label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1] + "…" for label in s.labels),
        code_links.attention(from_stream=s.matrices is None),
        key=matrices.KEY,
        limit=matrices.MAX_NUMBER if s.matrices else None,
        on_edit=matrices.take_edit,
    )
    if s.matrices:
        st.caption(
            "You see the first stage, the scores; choose the next above. d_k is the width: how many numbers a query"
            " has, here 4. Change any number of Q, K or V; Enter, and every stage follows. Point at a term of the"
            " formula, or choose it: the matrix that it makes and the lines that made it light up."
        )
    else:
        st.caption(
            f"One head of a model with random weights, seed chosen above: it has learned nothing yet. Every word is"
            f" {CONFIG.d_model} numbers wide; three learned maps make its query, key and value, {CONFIG.d_k} wide each."
        )
    teaching.check(
        "You raise a number of one **key**, and it fits the query better. What happens to the **weights** of the"
        " *other* keys in that row?",
        ["They shrink", "They stay as they are", "They grow"],
        0,
        "The row always adds up to 1, so what one key gains the others lose. Try it: choose “weights” above, and raise"
        " the first number of k1.",
        key="att-steps",
    )


def _weights(s: Subject, steps: "Steps") -> Sheet:
    return subject.sheet(s, steps.stages["weights"], steps)


VIEW = View("Step by step", subject.ask, subject.steps, draw, comparison=Comparison("the weights", _weights))
