"""Every head of a published model on any text, or on two; A | B of two models or two texts."""

import streamlit as st

from attention_view import Packed
from pages.pretrained import text
from pages.shared import catalogue, head_differences, pictures, settings, teaching
from pages.shared.compare import Current, pin
from pages.shared.components.attention_view import attention_view
from pages.shared.pretrained import PretrainedSource, listed
from pages.shared.readings import Reading
from pages.shared.text_input import source_row
from pages.shared.view import View

VIEW_KEY = "pretrained_heads"
OPENS = {"sentence-transformers/all-MiniLM-L6-v2": (5, 11)}  # a head that many look for first


def ask() -> Reading | None:
    return text.ask_reading("encoder", "decoder", pair=True)


def compute(reading: Reading) -> Packed:
    return pictures.heads(*reading)


def draw(reading: Reading, packed: Packed) -> None:
    """The picture, A | B above it, and below it what is known of the model."""
    answers = settings.current()
    assert answers is not None
    comparison = st.container()
    with comparison:
        pinned = pin(Current(reading, ask, answers))
    opens = _opens(reading)
    selection = attention_view(packed, key=VIEW_KEY, report=pinned is not None, opens=opens)
    if pinned is not None and pinned.settings is not None:
        with comparison:
            head_differences.draw(pinned.settings, reading, selection or opens or packed.opens)
    source = reading.ref.resolve()
    source_row(source)
    words, question = st.columns(2, gap="large")
    with words:
        _explain(source)
    with question:
        teaching.check(
            "A head of a published model has earned the name “previous word”. Who gave it that job?",
            ["Its makers", "Training", "The text"],
            1,
            "A name here is a score on this text, no more. Nobody assigned the job: looking one word back made the "
            "model’s answers better, so training kept it.",
            key="pretrained-job",
        )


def _opens(reading: Reading) -> tuple[int, int] | None:
    """The head that is in view first; None: the one whose name is best earned."""
    where = listed(getattr(reading.ref, "where", ""))
    return OPENS.get(where.id) if where else None


def _explain(source: object) -> None:
    """How to read the tokens of this model, and where others come from."""
    if isinstance(source, PretrainedSource):
        st.markdown(
            "A published model reads parts of words. “##ing” continues the word before it, “·the” begins with a space, "
            "and signs such as [CLS] and [SEP] mark the ends of a text. Many heads rest on them when they have nothing "
            "to do."
        )
    else:
        st.markdown(
            "No published model is on this server yet, so you see one that was trained here. The view **Models** says "
            "how to bring one."
        )
    st.page_link(
        catalogue.page("heads").script, label="What a head is, from the beginning", icon=":material/arrow_forward:"
    )


VIEW = View("Heads", ask, compute, draw, height=480)
