"""One attention, stage by stage: the formula, the matrices and the code, linked."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.attention import code_links, matrices, subject
from pages.attention.components.attention_steps import attention_steps
from pages.attention.subject import Subject
from pages.shared import display
from pages.shared.compare_figures import Sheet
from pages.shared.teaching import Answer, check
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
        start=_start(s, steps),
        limit=matrices.MAX_NUMBER if s.matrices else None,
        on_edit=matrices.take_edit,
    )
    st.markdown(_about(s, steps))
    check(
        "One **key** changes, and fits the query better. What happens to the attention **weights** of the *other* keys"
        " in that row?",
        Answer(
            "They shrink",
            (
                "The row always adds up to 1, so what one key gains the others lose. Try it on “small numbers”: choose"
                " “weights”, and raise the first number of k1."
            ),
            right=True,
        ),
        Answer("They stay as they are", ""),
        Answer("They grow", ""),
        key="attention-steps",
    )


def _start(s: Subject, steps: "Steps") -> tuple[int, int]:
    """The row and the key that are held at first: of a sentence its last word, and what that looks at most."""
    if s.matrices:
        return 0, 0
    return len(s.labels) - 1, int(steps.stages["weights"][-1].argmax())


def _about(s: Subject, steps: "Steps") -> str:
    """Whose numbers these are, in Markdown."""
    width = f"Each :blue[query], :orange[key] and :green[value] is {steps.q.shape[1]} numbers wide ($d_k$)."
    if s.matrices:
        return f"Three words, in numbers small enough to follow by hand. {width}"
    assert s.ref is not None
    source, (key, weight) = s.ref.resolve(), subject.most_looked_at(s, steps.stages["weights"])
    whose = "a trained model" if source.is_trained else "an untrained model, which has learned nothing yet"
    return (
        f"Head {s.head} in layer {s.layer + 1} of {whose}: on average a word gives **{display.plain(key)}** an"
        f" :violet[attention weight] of **{weight:.2f}**. Three learned matrices make the queries, keys and values of"
        f" {source.config.d_model} numbers per word. {width}"
    )


def _weights(s: Subject, steps: "Steps") -> Sheet:
    return subject.sheet(s, steps.stages["weights"], steps)


VIEW = View("Step by step", subject.ask, subject.steps, draw, comparison=Comparison("the attention weights", _weights))
