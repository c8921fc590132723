"""Every head of a published model on any text, or on two; A | B of two models or two texts.

Of an encoder-decoder, which writes a text as well, it shows encoder, decoder and cross-attention: see exchange.
Where no published model is on the server, a recording of one opens the view: finished, with no network.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from attention_view import Packed
from lab.kit import catalogue, compare, questions, settings
from lab.kit.compare import Current, pin
from lab.kit.components.attention_view import attention_view, head_in_view
from lab.kit.controls.reader import sentence_row, source_row
from lab.kit.controls.text_input import examples_for
from lab.kit.figures import display, head_differences
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models import pictures
from lab.kit.models.published import PretrainedSource, listed, there
from lab.kit.models.python_lines import python_lines
from lab.kit.models.readings import Reading
from lab.kit.view import View
from pages.pretrained import data, exchange, flows, text
from pages.pretrained.data import Flow
from pages.pretrained.exchanges.data import Exchange, Exchanged, exchanged
from transformer.core.config import KINDS

VIEW_KEY = "pretrained_heads"
RECORDED = "MiniLM, recorded"
PRONOUNS = ("it", "its", "he", "him", "his", "she", "her", "they", "them", "their")
OPENS = {"sentence-transformers/all-MiniLM-L6-v2": (3, 1)}  # in which “it” looks at what it stands for


class Recording(NamedTuple):
    """What a model has done with a sentence, by the title of the recording."""

    title: str


class Rollout(NamedTuple):
    """The maps of all layers multiplied, of a text or of a recorded one."""

    of: Reading | Recording


Subject = Reading | Recording | Exchange | Rollout


def ask() -> Subject | None:
    if _is_recorded():
        return _ask_recording()
    with settings.place_named("row"):
        box = sentence_row()
        with settings.line(key="shown"):
            typed = text.ask_text(*KINDS, others=(RECORDED,), box=box)
            if typed.source and typed.source.kind == "encoder-decoder":
                return exchange.ask(typed)
            wants_rollout = flows.is_asked_for(chip="{}")
            second = text.ask_second(typed)
    reading = text.reading(typed, second)
    return Rollout(reading) if wants_rollout and reading else reading


def _is_recorded() -> bool:
    """Whether the recording is asked for, or there is nothing else of a published model."""
    pinned = settings.replaying()
    if pinned is not None:
        asked = (pinned.pinned or {}).get("weights")
    else:
        asked = st.session_state.get("weights") or st.query_params.get("weights")
    return asked == RECORDED or (asked is None and not there(*KINDS))


def _ask_recording() -> Recording | Rollout:
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", key="sentence-row"):
        settings.choose(
            st.selectbox,
            "Model",
            "weights",
            (RECORDED, *text.models(*KINDS)),
            RECORDED,
            label_visibility="collapsed",
            width=190,
        )
        titles = data.recordings()
        title = settings.choose(
            st.selectbox,
            "Sentence",
            "pretrained_recorded",
            titles,
            titles[0],
            label_visibility="collapsed",
            width="stretch",
            why="there is no recording of that sentence",
        )
        return Rollout(Recording(title)) if flows.is_asked_for() else Recording(title)


def compute(subject: Subject) -> Packed | Exchanged | Flow:
    if isinstance(subject, Exchange):
        return exchanged(subject)
    if isinstance(subject, Recording):
        return data.recording(subject.title)
    if isinstance(subject, Rollout):
        return _compute_rollout(subject.of)
    return pictures.heads(*subject, every_score=True)


def _compute_rollout(of: Reading | Recording) -> Flow:
    return data.recorded_rollout(of.title) if isinstance(of, Recording) else data.rollout(of)


def draw(subject: Subject, result: Packed | Exchanged | Flow) -> None:
    """The picture, A | B above it, and below it what is known of the model."""
    if isinstance(result, Exchanged):
        assert isinstance(subject, Exchange)
        exchange.draw(subject, result, _current(subject))
    elif isinstance(subject, Rollout):
        assert isinstance(result, Flow)
        _draw_rollout(subject, result)
    elif isinstance(subject, Recording):
        assert isinstance(result, Packed)
        attention_view(result, key=VIEW_KEY, staged=RECORDED)
        edge = data.recorded_edge(subject.title)
        st.markdown(
            f"In layer {edge.head[0]}, head {edge.head[1]}, :blue[**{edge.query}**] looks at :orange[**{edge.key}**]"
            f" with :violet[**{edge.weight:.2f}**]; all other tokens give it {edge.others:.2f} on average."
        )
        st.caption(
            "Recorded: what MiniLM did with this sentence, number by number. With the model itself you could type your "
            "own; the view **Bring a model** shows how to get it."
        )
    else:
        assert isinstance(subject, Reading)
        assert isinstance(result, Packed)
        _draw_live(subject, result)
    with display.prose():
        _explain(subject)
        _ask_back()


def _draw_rollout(subject: Rollout, flow: Flow) -> None:
    """The rollout, and A | B of the layer in view above it."""
    comparison = st.container()
    with comparison:
        pinned = pin(_current(subject), partial(_fits, subject), first=_other_texts(subject.of))
    selection = attention_view(
        flow.packed, key="pretrained_rollout", url="pretrained_rollout_", report=pinned is not None
    )
    if pinned is not None:
        layer = (
            selection.layer
            if selection
            else head_in_view(flow.packed, key="pretrained_rollout", url="pretrained_rollout_")[0]
        )
        with comparison:
            _compare_rollouts(pinned.settings, flow, layer)
    flows.explain()


def _compare_rollouts(a: object, flow: Flow, layer: int) -> None:
    """A, B and B − A after one layer."""
    if not isinstance(a, Rollout):
        st.markdown("A shows attention weights, and B a rollout. Show the same of both." if a else "A has no words.")
        return
    other = _compute_rollout(a.of)
    if layer >= len(other.shares):
        st.markdown(f"A has no layer {layer}, so there is nothing to subtract. Choose a layer that both have.")
        return
    one, two = (
        Sheet(side.shares[layer], "share", ("token", "source"), side.tokens, side.tokens, side.mask)
        for side in (other, flow)
    )
    compare.draw(one, two, f"rollout after layer {layer}")


def _ask_back() -> None:
    questions.ask("pretrained-job")
    questions.ask("pretrained-same")


def _fits(b: Reading | Rollout, a: Subject) -> bool:
    """Whether each number of B has one of A's to be compared with."""
    if isinstance(b, Rollout):
        return isinstance(a, Rollout) and _fits_reading(a.of, b.of)
    return _fits_reading(a, b)


def _fits_reading(a: Subject, b: Reading | Recording) -> bool:
    return isinstance(a, Reading) and isinstance(b, Reading) and head_differences.can_subtract(a, b)


def _other_texts(of: Reading | Recording) -> Iterator[settings.Answers]:
    """The present answers with another example to read: the model stays, so that its heads can be compared."""
    answers = settings.current()
    if isinstance(of, Recording) or answers is None or "text" not in answers.settings:
        return
    now = answers.settings["text"]
    source = of.ref.resolve()
    for example in examples_for(source):
        if example != now.value and len(source.cut(example)) == len(source.cut(str(now.value))):
            yield replace(answers, settings={**answers.settings, "text": replace(now, value=example)})


def _current(subject: Subject) -> Current[Subject]:
    answers = settings.current()
    assert answers is not None
    return Current(subject, ask, replace(answers, settings=dict(answers.settings)))


def _draw_live(reading: Reading, packed: Packed) -> None:
    comparison = st.container()
    with comparison:
        pinned = pin(_current(reading), partial(_fits, reading), first=_other_texts(reading))
    opens, row = _opens(reading) or packed.opens, _pronoun(reading)
    selection = attention_view(
        packed,
        key=VIEW_KEY,
        report=pinned is not None,
        staged=repr(reading.ref),
        opens=opens if row is None else (*opens, row),
        code=python_lines(reading),
    )
    if pinned is not None and isinstance(pinned.settings, Reading):
        with comparison:
            head_differences.draw(pinned.settings, reading, selection or opens)
    elif pinned is not None:
        names: dict[type, str] = {Recording: "a recording", Rollout: "a rollout of attention, not attention"}
        what = names.get(type(pinned.settings), "a model that also writes a text")
        with comparison:
            st.markdown(
                f"A is {what}, from which nothing can be subtracted. Choose another model and compare again."
                if pinned.settings
                else "A has no words to compare."
            )
    source_row(reading.ref.resolve())


def _opens(reading: Reading) -> tuple[int, int] | None:
    """The head that is in view first; None: the one whose name is best earned."""
    known = listed(getattr(reading.ref, "where", ""))
    return OPENS.get(known.id) if known else None


def _pronoun(reading: Reading) -> int | None:
    """The number of the first pronoun: who that is, is what one wants to know of a text; None where there is none."""
    words = [token.strip("·").lower() for token in reading.tokens]
    return next((n for n, word in enumerate(words) if word in PRONOUNS), None)


def _explain(subject: Subject) -> None:
    """How to read the tokens of this model, and where others come from."""
    subject = subject.of if isinstance(subject, Rollout) else subject
    reading = subject.source if isinstance(subject, Exchange) else subject
    source = None if isinstance(reading, Recording) else reading.ref.resolve()
    if source is None or isinstance(source, PretrainedSource):
        st.markdown(
            "A published model reads pieces of words. “…ing” continues the word before it, “·the” begins with a "
            "space, and tokens such as [CLS] and [SEP] mark the ends of a text. Many heads rest on these when they "
            "have nothing to do: their attention weights must add up to 1 all the same."
        )
    else:
        st.markdown(
            "This model was trained for this project, on short stories. The view **Bring a model** offers others."
        )
    if isinstance(source, PretrainedSource) and source.remarks:
        st.caption(display.plain(" ".join(source.remarks)))
    st.page_link(
        catalogue.page("heads").script, label="What a head is, from the beginning", icon=":material/arrow_forward:"
    )


VIEW = View(ask, compute, draw, height=480)
