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
_SHOW = "_att_show"  # in the session: the stage to go to, and how often one was asked for


def draw(s: Subject, steps: "Steps") -> None:
    attention_steps(
        {"q": steps.q, "k": steps.k, "v": steps.v},
        steps.stages,
        tuple(label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1] + "…" for label in s.labels),
        code_links.attention(from_stream=s.matrices is None),
        key=matrices.KEY,
        start=_start(s, steps),
        show=st.session_state.get(_SHOW),
        limit=matrices.MAX_NUMBER if s.matrices else None,
        on_edit=matrices.take_edit,
    )
    st.markdown(_about(s, steps))
    left, right = st.columns(2, gap="large")
    with left:
        check(
            "One :orange[**key**] changes, and now fits the query better. What happens to the :violet[**attention "
            "weights**] of the *other* keys in that row?",
            Answer(
                "They shrink",
                "The row always adds up to 1, so what one key gains, the others lose.",
                right=True,
            ),
            Answer(
                "They stay as they are",
                "Their *scores* stay. But softmax divides by the sum of the whole row, and that sum has grown.",
            ),
            Answer(
                "They grow, too",
                "Not all can grow: a query has exactly 1 to share out, however well the keys fit.",
            ),
            Answer(
                "They become 0",
                "Softmax is soft: every key keeps some share, however small. Only a mask makes a weight exactly 0.",
            ),
            key="attention-steps",
            try_it=_raise_a_key,
        )
    with right:
        check(
            "*the* occurs twice, so it has the same row of the embedding table twice. No positions are added, and "
            "no mask. How do its two rows of :violet[attention weights] compare?",
            Answer(
                "They are equal",
                "Equal vectors make equal queries, and these meet the same keys. That is why positions are needed.",
                right=True,
            ),
            Answer(
                "The second one looks further back",
                "To look back, a query must know where it stands. Nothing in its vector says so yet.",
            ),
            Answer(
                "Each looks most at its own neighbours",
                "Attention compares queries with keys; which words stand side by side is in neither of them.",
            ),
            Answer(
                "The first one is all zeros",
                "A row adds up to 1 unless a mask blocks every key in it.",
            ),
            key="attention-twice",
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
        f"Head {s.head} in layer {s.layer} of {whose}: on average a word gives **{display.plain(key)}** an"
        f" :violet[attention weight] of **{weight:.2f}**. Three matrices make the queries, keys and values from the"
        f" {source.config.d_model} numbers of each word: see *Make q, k, v*. {width}"
    )


def _raise_a_key() -> None:
    """On the small numbers, make the first key fit the first query better, and show the attention weights."""
    q, k, v = matrices.SMALL
    st.session_state["att_on"] = subject.SMALL
    matrices.set_all((subject.SMALL, 0), (q, ((6.0, *k[0][1:]), *k[1:]), v))
    _, n = st.session_state.get(_SHOW, ("", 0))
    st.session_state[_SHOW] = ("weights", n + 1)


def _weights(s: Subject, steps: "Steps") -> Sheet:
    return subject.sheet(s, steps.stages["weights"], steps)


VIEW = View(
    "Step by step",
    subject.ask,
    subject.steps,
    draw,
    comparison=Comparison("the attention weights", _weights),
    asks="How does a score become an attention weight?",
)
