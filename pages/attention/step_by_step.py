"""One attention, stage by stage: the formula, the matrices and the code, linked."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Numbers
from lab.kit.view import Comparison, View, places
from lab.kit.words import shorten
from pages.attention import code_links, matrices, saturation, subject
from pages.attention.components.attention_steps import attention_steps
from pages.attention.subject import Subject
from transformer import inspection

MAX_LABEL = 40  # letters
WIDTHS_OPEN = "att_widths"  # the key of the fold on the width of vectors
_SHOW = "_attention_show"  # in the session: the stage to go to, and how often one was asked for


class Settings(NamedTuple):
    """widths: what the fold on wide vectors is set to; None while it is closed."""

    subject: Subject
    widths: saturation.Settings | None


class Result(NamedTuple):
    steps: "inspection.steps.Steps"
    widths: saturation.Result | None


def layout() -> Mapping[str, Any]:
    picture = st.container()
    widths = st.expander(
        "Why √d_k? What softmax does if queries and keys are 1 to 1,024 numbers wide",
        key=WIDTHS_OPEN,
        bind="query-params",
    )
    return {"picture": picture, "widths": widths, "questions": st.container()}


def ask() -> Settings | None:
    shown_on = subject.ask()
    if shown_on is None:
        return None
    widths = None
    if st.session_state.get(WIDTHS_OPEN):
        with settings.place_named("widths"):
            widths = saturation.ask()
    return Settings(shown_on, widths)


def compute(s: Settings) -> Result:
    return Result(subject.steps(s.subject), saturation.compute(s.widths) if s.widths else None)


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        _show(s.subject, result.steps)
    if s.widths and result.widths:
        with places()["widths"]:
            saturation.draw(s.widths, result.widths)
    with places()["questions"]:
        _ask_back()


def _show(s: Subject, steps: "inspection.steps.Steps") -> None:
    attention_steps(
        {"q": steps.q, "k": steps.k, "v": steps.v},
        steps.stages,
        tuple(shorten(label, MAX_LABEL) for label in s.labels),
        code_links.attention(from_stream=s.matrices is None),
        key=matrices.KEY,
        start=_start(s, steps),
        show=st.session_state.get(_SHOW),
        limit=matrices.MAX_NUMBER if s.matrices else None,
        unread=s.ref.resolve().unread(s.labels) if s.ref else (),
        on_edit=matrices.take_edit,
    )
    st.markdown(_about(s, steps))


def _ask_back() -> None:
    with display.prose():
        questions.ask("attention-steps", try_it=_raise_a_key)
        questions.ask("attention-twice")
        questions.ask("attention-softmax")


def _start(s: Subject, steps: "inspection.steps.Steps") -> tuple[int, int]:
    """The row and the key that are held at first: of a sentence its last word, and what that looks at most."""
    if s.matrices:
        return 0, 0
    return len(s.labels) - 1, int(steps.stages["weights"][-1].argmax())


def _about(s: Subject, steps: "inspection.steps.Steps") -> str:
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


def _numbers(s: Settings, result: Result) -> Numbers | None:
    if s.widths and result.widths:
        return saturation.ranked(result.widths)
    return subject.sheet(s.subject, result.steps.stages["weights"], result.steps)


VIEW = View(
    ask,
    compute,
    draw,
    layout=layout,
    comparison=Comparison(
        lambda s: "the mean attention weights of a row" if s.widths else "the attention weights", _numbers
    ),
)
