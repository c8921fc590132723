"""How many steps lie between the first word and the last output, in four kinds of networks."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared import catalogue, display, settings, teaching
from pages.shared.teaching import Answer
from pages.shared.view import View
from pages.why import data, figures
from pages.why.components.race import race
from pages.why.controls import LENGTHS, SLIDER, ask_k, in_layers

if TYPE_CHECKING:
    from transformer.inspection.paths import MaximumPath, Network

WORDS = (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32)  # of the drawn networks
SEES: "dict[str, Network]" = {"every word": "attention", "what came before": "causal", "a window": "window"}


class Settings(NamedTuple):
    n: int
    k: int
    sees: str

    @property
    def attention(self) -> "Network":
        return SEES[self.sees]


class Result(NamedTuple):
    """The path through each network by its name, and its length by the number of words."""

    paths: "dict[str, MaximumPath]"
    by_length: data.Lines


def ask() -> Settings:
    with settings.place_named("row"):
        n = settings.choose(
            st.select_slider, "Words n", "why_n", WORDS, 12, help="How long the text is.", width=SLIDER
        )  # fmt: skip
        with settings.line():
            k = ask_k()
            sees = settings.choose(
                st.segmented_control, "Attention sees", "why_sees", SEES, next(iter(SEES)), chip="attention sees {}",
                help="A mask says who may look at whom. With a window, a word sees only words less than k away.",
            )  # fmt: skip
    return Settings(n, k, sees)


def compute(s: Settings) -> Result:
    networks: dict[str, Network] = {
        "Recurrent": "recurrent", "Convolution": "convolution", "Dilated": "dilated", "Attention": s.attention,
    }  # fmt: skip
    paths = {name: data.maximum_path(network, s.n, s.k) for name, network in networks.items()}
    return Result(paths, data.path_lengths(LENGTHS, s.k, s.attention))


def draw(s: Settings, result: Result) -> None:
    race(result.paths, key="why_race")
    chart, words = st.columns([6, 5], gap="large")
    with chart:
        lengths, lines = result.by_length
        st.markdown("**The longest path, by the number of words**")
        display.figure(
            figures.steps_by_length(lengths, lines, s.n),
            key="why_steps",
            alt="The longest path by the number of words: " + ", ".join(f"{a} {b[-1]:,}" for a, b in lines.items()),
        )
    with words:
        st.markdown(
            "How does the **first** word reach the **last** output? The words are at the bottom, the outputs at the "
            "top; follow the thick line and count. A recurrent network passes news from one position to the next. A"
            " convolution sees k words at once, so it needs a stack of layers; with wider gaps in each layer"
            " (*dilated*) it needs fewer. With attention, every word looks at every word, in one step. Each line is"
            " the shortest path, found by search. In the formulas, ⌈ ⌉ means rounding up."
        )
        teaching.formula(
            r"\begin{array}{ll}\text{recurrent} & n \\ \text{convolution} & \lceil (n-1) / (k-1) \rceil \\"
            r"\text{dilated} & \lceil \log_k n \rceil \\ \text{attention} & "
            + (r"\lceil (n-1) / (k-1) \rceil" if s.attention == "window" else "1")
            + r"\end{array}"
        )
        _pairs(s, result.paths["Attention"])
        _ask_back()
        teaching.code_expander("transformer/inspection/paths.py", "shortest_path", icon=None)


def _ask_back() -> None:
    teaching.check(
        "A name stands at the very beginning of a text. The text grows from 12 words to 24. With attention, how many "
        "more steps does the name need to reach the last output?",
        Answer(
            "None", "Attention looks straight at it, however far away it is: one step before, one step now.", right=True
        ),
        Answer(
            "12, one for each new word",
            "That is the recurrent network, which passes the name from word to word.",
        ),
        Answer(
            "6, half of the new words",
            "That is the convolution with k = 3: every layer covers two more words.",
        ),
        Answer(
            "One more, as its reach doubles",
            "Dilated convolutions come close to that: their reach grows by a factor in every layer. Attention has no "
            "reach that could run out.",
        ),
        key="why-path",
        try_it={"why_view": "How far apart are words?", "why_n": 24},
    )
    teaching.check(
        "On the first page, the model guesses the next word from a name at the beginning of the text. Let attention "
        "look back only, as it does in that model. What gets lost?",
        Answer(
            "Nothing, as far as the last word goes",
            "It still sees all the others in one step: everything is behind it. Only pairs that look ahead are lost.",
            right=True,
        ),
        Answer(
            "The name is now many steps away",
            "Looking back is no slower than looking anywhere: the last word still reaches the first in one step.",
        ),
        Answer(
            "The last word no longer sees the first",
            "The first word is behind it, and looking back is just what is allowed.",
        ),
        Answer(
            "Nothing at all: every pair is still connected",
            "The first word can no longer see the last. Nearly half of the pairs are gone; read their number beside "
            "the figure.",
        ),
        key="why-back",
        try_it={"why_view": "How far apart are words?", "why_sees": "what came before"},
    )


def _pairs(s: Settings, path: "MaximumPath") -> None:
    """Whether every output is connected to every input, in Markdown."""
    if s.attention == "attention":
        st.markdown(
            f"So **every output is connected to every input**: all {path.connected:,} pairs, in one layer. That is "
            "only true without a mask; try another under “Attention sees”."
        )
    elif s.attention == "causal":
        st.markdown(
            f"Still one step, but no longer for every pair: only for {path.connected:,} of {s.n * s.n:,}, because "
            "nobody may look ahead. More layers do not change that."
        )
    else:
        st.markdown(
            f"With a window, attention behaves like a convolution: one layer connects {path.connected:,} of"
            f" {s.n * s.n:,} pairs, and the two ends meet after {in_layers(path.n_layers)}."
        )
    st.page_link(
        catalogue.page("masks").script,
        label="What a mask lets through, layer by layer",
        icon=":material/arrow_forward:",
    )


VIEW = View("How far apart are words?", ask, compute, draw, height=350)
