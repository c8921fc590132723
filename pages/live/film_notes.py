"""What the film shows, in words and in a formula; in a fold, what was learned: longer texts, and vectors that moved."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from lab.kit import teaching
from lab.kit.teaching import Answer
from lab.kit.view import View, places
from pages.live import longer_texts
from pages.live.models import LearnedModel, models

LEARNED_OPEN = "live_learned"  # in links: whether the fold is open


def layout() -> Mapping[str, Any]:
    words = st.container()
    learned = st.expander(
        "What was learned: longer texts, and vectors that moved", key=LEARNED_OPEN, bind="query-params"
    )
    return {"words": words, "learned": learned}


def ask() -> tuple[LearnedModel, ...]:
    """The models that the open fold is about; none while it is closed."""
    return tuple(models()) if st.session_state.get(LEARNED_OPEN) else ()


def compute(learned: tuple[LearnedModel, ...]) -> longer_texts.Learned:
    return longer_texts.compute(learned)


def draw(models: tuple[LearnedModel, ...], learned: longer_texts.Learned) -> None:
    if models:
        with places()["learned"]:
            longer_texts.draw(models, learned)
    with places()["words"]:
        _explain()


def _explain() -> None:
    thread, question = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "Nobody tells a head where to look. The model is only asked for the next token, and every step nudges its "
            "parameters so that the right one would have been slightly likelier. Which way to nudge, the **gradient** "
            "says: followed backwards from the answer through every matrix, it tells of each parameter whether raising "
            "it would make the mistake larger or smaller, and how much. So the parameters that had most to do with the "
            "mistake move most.\n\n"
            "What the model **writes** above, it writes by itself, each token built on its own previous output: a "
            "wrong one is struck through, an unsure one is faint. **Loss** measures how surprised it was, per token; "
            "**perplexity** says the same as a number of choices: 4 means as unsure as among 4 equally likely tokens. "
            "**Validation** uses examples that it never trained on: if that loss rises while the training loss falls, "
            "the model is memorising. **Warm-up** begins with small steps, because the first gradients point in all "
            "directions."
            "\n\n"
            "Of **pictures** the model answers four questions at once, each among four answers: the loss is the mean "
            "over the questions, ln 4 before anything is learned. The outlined patches are those that hold a thing."
        )
        teaching.formula(
            r"\text{loss} = -\frac{1}{n} \sum_{i=1}^{n} \ln p(\text{token}_i \mid \text{all before it})"
            r"\qquad \text{perplexity} = e^{\text{loss}}"
        )
        st.caption(
            "n: the number of tokens asked for, without padding. p: the probability that softmax gives to the right "
            "one. Before anything is learned, all V tokens are about equally likely, and the loss is about ln V."
        )
    with question:
        _ask_back()
    perplexity, dropout = st.columns([1, 1], gap="large")
    with perplexity:
        _ask_about_perplexity()
    with dropout:
        _ask_about_dropout()


def _ask_back() -> None:
    teaching.check(
        "The film shows numbers that change with training. Which numbers does a step of training itself change?",
        Answer(
            "The parameters: W_q, W_k, W_v and the others",
            "All matrices and tables, and nothing else. The attention weights follow: they are computed from the "
            "parameters, anew for every text.",
            right=True,
        ),
        Answer(
            "The attention weights of every head",
            "No training step touches them. They look learned because the matrices that make them are. Type an input "
            "of your own above, and it has attention weights at once.",
        ),
        Answer(
            "The outlined cells of the answer",
            "They are the right answer, drawn for you. The model never sees them.",
        ),
        Answer(
            "The vectors of the words, and nothing else",
            "The rows of the table do move, but if the matrices stayed as chance has made them, no head would find "
            "anything.",
        ),
        key="live-learned",
    )
    teaching.check(
        "A model has learned nothing yet, and its vocabulary has 16 tokens. What is its perplexity, roughly?",
        Answer("16", "It hesitates among all 16 equally. Its loss is ln 16 = 2.77.", right=True),
        Answer("0", "Perplexity is a number of choices, and there is always at least one: the lowest is 1."),
        Answer("1", "That is no doubt at all: one choice left. A model reaches it at the *end* of a good training."),
        Answer("2.77", "That is its *loss*, ln 16. Perplexity is e to the power of that."),
        key="live-perplexity",
    )


def _ask_about_perplexity() -> None:
    teaching.check(
        "A model has a perplexity of 2. Does that mean that every second token is wrong?",
        Answer(
            "No: all of them may be right",
            "It may give each right token half of the probability, and no other as much. Perplexity measures how "
            "*sure* it was of the right token; accuracy only asks whether that token came first.",
            right=True,
        ),
        Answer(
            "Yes: one of two choices is wrong",
            "It hesitates as if between two tokens, but that says nothing about which of them it puts first.",
        ),
        Answer(
            "Yes: perplexity 2 is an accuracy of 50%",
            "There is no such conversion. A model can be right every time and unsure, or sure and wrong.",
        ),
        Answer(
            "No: it means that 2% are wrong",
            "Perplexity is no share at all. It counts choices, from 1 up to the size of the vocabulary.",
        ),
        key="live-accuracy",
    )


def _ask_about_dropout() -> None:
    teaching.check(
        "Recall dropout, from Blocks. Train with it, and the training loss can lie *above* the validation loss. How?",
        Answer(
            "Numbers are dropped only while it trains",
            "The training loss is measured under that handicap, the validation loss without it.",
            right=True,
        ),
        Answer(
            "The examples of the validation are easier",
            "They are drawn like the others and held back. What differs is the state of the model.",
        ),
        Answer(
            "The model has memorised the validation examples",
            "It never trains on them: no gradient ever comes from there.",
        ),
        Answer(
            "Dropout removes the hard examples",
            "It drops numbers *inside* the model, at random. Every example is still trained on.",
        ),
        key="live-dropout",
        try_it={"live_compare": "dropout 0 | 0.3"},
    )


VIEW = View(ask, compute, draw, layout=layout)
