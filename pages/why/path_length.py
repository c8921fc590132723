"""How many steps lie between the first word and the last output, in four kinds of networks."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared import catalogue, display, settings, teaching
from pages.shared.teaching import Answer, check
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
                help="A mask says who may look at whom. A window sees fewer than k words away.",
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
            "How does news of the **first** word reach the **last** output? Words stand at the bottom, outputs at the"
            " top; follow the thick line and count. A recurrent network hands the word on from position to position."
            " A convolution sees k words at once, so it takes a stack of layers; if each layer leaves wider gaps"
            " (*dilated*), fewer. With attention, every word looks at every word, in one step. Each path is the"
            " shortest one, found by search. In the formulas ⌈ ⌉ is rounding up."
        )
        teaching.formula(
            r"\begin{array}{ll}\text{recurrent} & n \\ \text{convolution} & \lceil (n-1) / (k-1) \rceil \\"
            r"\text{dilated} & \lceil \log_k n \rceil \\ \text{attention} & "
            + (r"\lceil (n-1) / (k-1) \rceil" if s.attention == "window" else "1")
            + r"\end{array}"
        )
        _pairs(s, result.paths["Attention"])
        check(
            "The text gets ten times longer (follow the lines of the chart). How much longer is the path from the first"
            " word to the last?",
            Answer("Ten times, in all of them", ""),
            Answer(
                "About ten times if recurrent or convolution; as before with attention",
                "Only a stack of dilated convolutions comes close: each further layer reaches k times as far.",
                right=True,
            ),
            Answer("As before, in all of them", ""),
            key="why-far",
        )
        teaching.code_expander("transformer/inspection/paths.py", "shortest_path", icon=None)


def _pairs(s: Settings, path: "MaximumPath") -> None:
    """Whether every output is connected to every input, in Markdown."""
    if s.attention == "attention":
        st.markdown(
            f"So **every output is connected to every input**: all {path.connected:,} pairs, in one layer. That holds "
            "without a mask only; choose another under “Attention sees”."
        )
    elif s.attention == "causal":
        st.markdown(
            f"Still one step, but no longer every pair: only {path.connected:,} of {s.n * s.n:,}, for nobody may look "
            "ahead. More layers do not change that."
        )
    else:
        st.markdown(
            f"With a window, attention is like a convolution: one layer connects {path.connected:,} of"
            f" {s.n * s.n:,} pairs, and the ends meet after {in_layers(path.n_layers)}."
        )
    st.page_link(
        catalogue.page("masks").script, label="What masks let through, layer by layer", icon=":material/arrow_forward:"
    )


VIEW = View("How far apart are words?", ask, compute, draw, height=350)
