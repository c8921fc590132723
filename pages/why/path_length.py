"""How many steps lie between the first word and the last output, in four kinds of networks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import catalogue, questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View, places
from lab.kit.words import counted
from pages.why import data, recall
from pages.why.components.race import race
from pages.why.controls import ask_k
from transformer import inspection

WORDS = (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32)  # of the drawn networks
SEES: "dict[str, inspection.paths.Network]" = {
    "every word": "attention",
    "what came before": "causal",
    "a window": "window",
}


# What the networks read: its last word needs its first, as it does where it is cut off after 12, 16, 20 or 24 words.
SENTENCE = (
    "Anna lost the key to the old garden shed and blamed herself but soon after her brother Tom gave her another one "
    "of her own and she kept that one for herself"
)

RECALL_OPEN = "why_recall"  # the key of the fold on how far back networks remember


class Settings(NamedTuple):
    """recall: what the fold on trained networks is set to; None while it is closed."""

    n: int
    k: int
    sees: str
    recall: recall.Settings | None

    @property
    def attention(self) -> "inspection.paths.Network":
        return SEES[self.sees]


class Result(NamedTuple):
    """The path through each network by its name."""

    paths: "dict[str, inspection.paths.MaximumPath]"
    recall: recall.Result | None


def layout() -> Mapping[str, Any]:
    picture, words = st.container(), display.prose()
    fold = st.expander(
        "How far back can it remember? Four networks that were trained", key=RECALL_OPEN, bind="query-params"
    )
    return {"picture": picture, "words": words, "recall": fold}


def ask() -> Settings:
    with settings.place_named("row"), settings.line():
        n = settings.choose(st.select_slider, "Number of words n", "why_n", WORDS, 12, chip="{} words")
        k = ask_k()
        sees = settings.choose(
            st.segmented_control,
            "Attention sees",
            "why_sees",
            SEES,
            next(iter(SEES)),
            chip="attention sees {}",
            help="A mask says who may look at whom. With a window, a word sees itself and k − 1 words to either side.",
        )
    asked = None
    if st.session_state.get(RECALL_OPEN):
        with settings.place_named("recall"):
            asked = recall.ask()
    return Settings(n, k, sees, asked)


def compute(s: Settings) -> Result:
    networks: dict[str, inspection.paths.Network] = {
        "Recurrent": "recurrent",
        "Convolution": "convolution",
        "Dilated": "dilated",
        "Attention": s.attention,
    }
    paths = {name: data.maximum_path(network, s.n, s.k) for name, network in networks.items()}
    return Result(paths, recall.compute(s.recall) if s.recall else None)


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        within = " in a window" if s.attention == "window" else ""
        race(result.paths, k=s.k, words=_words(s), sees=_seen(s), within=within, key="why_race")
    with places()["words"]:
        st.markdown("Words are below, outputs above. The thick line is the shortest way from one to the other.")
        st.markdown(
            "A recurrent network passes news from one position to the next. A"
            " convolution sees k words at once, so it needs a stack of layers; with wider gaps in each layer"
            f" (*dilated*) it needs fewer. {_reaches(s)} The lines are found by search. In the formulas, ⌈ ⌉ means"
            " rounding up."
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
    if s.recall and result.recall:
        with places()["recall"]:
            recall.draw(s.recall, result.recall)


def _reaches(s: Settings) -> str:
    """How far attention looks in one step, in a sentence."""
    if s.attention == "window":
        if s.k - 1 >= s.n - 1:
            return f"This window covers all {s.n} words, so with attention one step is enough."
        return (
            f"With a window, attention sees {2 * s.k - 1} words at once, the word itself and {s.k - 1} to either side,"
            " so it needs a stack of layers, too."
        )
    seen = "every word" if s.attention == "attention" else "every word before it"
    return f"With attention, a word looks at {seen} in one step."


def _words(s: Settings) -> Sequence[str]:
    return SENTENCE.split()[: s.n]


def _seen(s: Settings) -> dict[str, str]:
    """How many words each network sees in a step."""
    at_once = f"{s.k} words at a time"
    window = f"{2 * s.k - 1} words at a time"
    seen = {"every word": "all words at once", "what came before": "all earlier words at once", "a window": window}
    return {
        "Recurrent": "one word after another",
        "Convolution": at_once,
        "Dilated": f"{at_once}, with gaps",
        "Attention": seen[s.sees],
    }


def _ask_back() -> None:
    questions.ask("why-back", try_it={"why_view": "How far apart are words?", "why_sees": "what came before"})


def _pairs(s: Settings, path: "inspection.paths.MaximumPath") -> None:
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
            f" {s.n * s.n:,} pairs, and the two ends meet after {counted(path.n_layers, 'layer')}."
        )
    st.page_link(
        catalogue.page("masks").script,
        label="What a mask lets through, layer by layer",
        icon=":material/arrow_forward:",
    )


VIEW = View(ask, compute, draw, layout=layout, height=350)
