"""What the film shows, in words and in a formula; in folds, the model to take away, and what was learned: longer texts,
and vectors that moved."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.texts import passages
from lab.kit.view import View, places
from pages.live import keep_model, longer_texts
from pages.live.models import LearnedModel, models

LEARNED_OPEN = "live_learned"  # in links: whether the fold is open


def layout() -> Mapping[str, Any]:
    keep = st.expander(keep_model.TITLE, key=keep_model.OPEN, bind="query-params", icon=":material/download:")
    words = st.container()
    learned = st.expander(
        "What was learned: longer texts, and vectors that moved", key=LEARNED_OPEN, bind="query-params"
    )
    return {"keep": keep, "words": words, "learned": learned}


def ask() -> tuple[LearnedModel, ...]:
    """The models that the open fold is about; none while it is closed."""
    return tuple(models()) if st.session_state.get(LEARNED_OPEN) else ()


def compute(learned: tuple[LearnedModel, ...]) -> longer_texts.Learned:
    return longer_texts.compute(learned)


def draw(models: tuple[LearnedModel, ...], learned: longer_texts.Learned) -> None:
    if st.session_state.get(keep_model.OPEN):
        with places()["keep"]:
            keep_model.draw()
    if models:
        with places()["learned"]:
            longer_texts.draw(models, learned)
    with places()["words"]:
        _explain()


def _explain() -> None:
    said = passages.of_page("live")["film"]
    with display.prose():
        st.markdown(said["learning"])
        teaching.formula(
            r"\text{loss} = -\frac{1}{n} \sum_{i=1}^{n} \ln p(\text{token}_i \mid \text{all before it})"
            r"\qquad \text{perplexity} = e^{\text{loss}}"
        )
        st.caption(said["formula"])
        _ask_back()


def _ask_back() -> None:
    questions.ask("live-learned")
    questions.ask("live-perplexity")
    questions.ask("live-accuracy")
    questions.ask("live-dropout", try_it={"live_compare": "dropout 0 | 0.3"})


VIEW = View(ask, compute, draw, layout=layout)
