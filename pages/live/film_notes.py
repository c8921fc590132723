"""What the film shows, in words and in a formula."""

import streamlit as st

from pages.shared import teaching
from pages.shared.teaching import Answer, check
from pages.shared.view import View


def ask() -> tuple[()]:
    return ()


def compute(_: tuple[()]) -> None:
    pass


def draw(_: tuple[()], __: None) -> None:
    thread, question = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "Nobody tells a head where to look. The model is only asked for the next token, and every step nudges "
            "its parameters, so that the right one would have been slightly likelier. What it **writes** above, it "
            "writes by itself, each new token built on its own previous output: a wrong one is struck through, and "
            "one that it is unsure of is faint. "
            "**Loss** is how surprised it was, per token; **perplexity** says the same as a number of choices: 4 is as "
            "unsure as among 4 equally likely tokens. **Validation** asks about examples that it never trained on: "
            "where that loss rises while the training loss falls, the model is memorising.\n\n"
            "**Warm-up** begins with small steps, as the first gradients point in all directions. The outlined cells "
            "are the answer's own alignment, which the model is never shown."
        )
        teaching.formula(
            r"\text{loss} = -\frac{1}{n} \sum_{i=1}^{n} \ln p(\text{token}_i \mid \text{all before it})"
            r"\qquad \text{perplexity} = e^{\text{loss}}"
        )
        st.caption(
            "n: the tokens that are asked for, padding left out. p: what softmax gives the right one. Before anything "
            "is learned all V tokens are about equally likely, and the loss is about ln V."
        )
    with question:
        check(
            "A model has learned nothing yet, and its vocabulary has 16 tokens. What is its perplexity, about?",
            Answer("0", ""),
            Answer("1", ""),
            Answer("2.77", ""),
            Answer(
                "16",
                (
                    "It hesitates among all 16 alike. Its loss is ln 16 = 2.77; a perplexity of 1 would be no doubt "
                    "at all."
                ),
                right=True,
            ),
            key="live-perplexity",
        )
        check(
            "With positions off, can an encoder-decoder learn to reverse a text?",
            Answer("Yes, only slower", ""),
            Answer(
                "No: it sees a bag of letters",
                (
                    "The encoder cannot tell the first letter from the last. Choose “positions off | on” above, and "
                    "watch its "
                    "heads stay near chance."
                ),
                right=True,
            ),
            Answer("Yes, with more heads", ""),
            key="live-positions",
        )


VIEW = View("What is to be seen", ask, compute, draw)
