"""Which features turn together: a trained model is read with the pairs of another convention."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import PAIRING, PAIRINGS
from lab.kit.figures import display, plot
from lab.kit.words import NOTHING, is_rounding
from pages.positions import data, rotary_figures
from pages.positions.controls import settings_line
from transformer import inspection

COLUMNS = {"as trained": False, "reordered": True}


class Settings(NamedTuple):
    pairing: str
    columns: str

    @property
    def is_reordered(self) -> bool:
        return COLUMNS[self.columns]


class Result(NamedTuple):
    layout: data.PairLayout
    trained: "inspection.pairings.ReadWith"
    read: "inspection.pairings.ReadWith"

    @property
    def largest(self) -> float:
        """The largest difference of an attention weight."""
        return float(np.abs(self.read.weights - self.trained.weights).max())


def ask() -> Settings:
    with settings_line():
        pairing = PAIRING.ask(default="halves", label="Read as pairs of", width="content", chip="read as {}")
        columns = settings.choose(
            st.segmented_control,
            "Columns of W_q and W_k",
            "pos_rotary_columns",
            COLUMNS,
            "as trained",
            chip="columns {}",
            help="Reordered: in every head first the columns 0, 2, 4, …, then 1, 3, 5, …",
        )
    return Settings(pairing, columns)


def compute(s: Settings) -> Result:
    trained = data.read_with_pairs("interleaved", False)
    read = data.read_with_pairs(PAIRINGS[s.pairing], s.is_reordered)
    return Result(data.pair_layout(PAIRINGS[s.pairing], s.is_reordered), trained, read)


def draw_figure(result: Result) -> None:
    left, right = st.columns([4, 7], gap="small")
    layer, head = data.bracket_head()
    with left:
        display.figure(
            rotary_figures.pairs(*result.layout),
            key="pos_pairs",
            alt="As trained, features "
            + ", ".join(f"{a} and {b}" for a, b in result.layout.trained)
            + " turn together; as read, "
            + ", ".join(f"{a} and {b}" for a, b in result.layout.read)
            + ".",
        )
    with right:
        tokens = len(result.trained.weights)
        above = np.triu(np.ones((tokens, tokens), bool), 1)
        planes = [np.where(above, np.nan, one.weights) for one in (result.trained, result.read)]
        display.figure(
            plot.tiles(
                np.stack(planes),
                ["as trained", "as read"],
                columns=2,
                value="attention weight",
                diverging=False,
                height=430,
            ),
            key="pos_pairs_maps",
            alt=f"Layer {layer}, head {head} on {tokens} tokens, as trained and as read: weights differ by up to"
            f" {result.largest:.2f}.",
        )


def draw_words(s: Settings, result: Result) -> None:
    layer, head = data.bracket_head()
    change = NOTHING if is_rounding(result.largest) else f"{result.largest:.2g}"
    st.markdown(
        "Which two features turn together is a **convention**: neighbours in the paper and in GPT-J, one of each half"
        " in Llama and Pythia. A model that closes **brackets in code** was trained with neighbours. Read it with"
        " either:"
    )
    st.markdown(
        "\n".join(
            (
                "| | as\u00a0trained | as\u00a0read |",
                "|:--|--:|--:|",
                f"| given to the right bracket | {result.trained.p:.1%} | **{result.read.p:.1%}** |",
                f"| largest change of a weight in the maps | | **{change}** |",
            )
        )
    )
    st.markdown(_said(s))
    st.caption(
        "The numbers are the features of a head, the arcs join those that turn together; a dotted arc joins two that"
        f" training never turned together. Layer {layer}, head {head} of the model that ships with this project, on the"
        f" {len(result.trained.weights)} tokens of one text; brackets in {data.N_SHORT} texts of"
        f" {data.trained_length()} tokens."
    )


def _said(s: Settings) -> str:
    """What this reading does."""
    return {
        ("neighbours", False): "These are the pairs of its training, so nothing changes.",
        ("halves", False): "Every pair is torn apart: each feature now turns with one that it never turned with, and"
        " at another pace. Scores change, and **no error is raised**.",
        ("halves", True): "Every pair is together again, at its old pace. The order of features has changed in q and in"
        " k alike, and a dot product does not care: what is left is rounding.",
        ("neighbours", True): "The columns are in the order for halves, but read as neighbours: the pairs are others"
        " again.",
    }[s.pairing, s.is_reordered]


def draw_below() -> None:
    with display.prose():
        st.markdown(
            "**Why converting weights must know it.** A file of weights does not say which features turn together. A"
            " program with the other convention loads it, finds every shape right, and computes other scores. So W_q"
            " and W_k are reordered on the way, once and for all, as Llama’s were for the library `transformers`. Two"
            " untrained models of one seed differ in the same way: choose **halves** under “What later models changed”"
            " on Heads."
        )
        with st.expander("The code that ran", icon=":material/code:"):
            teaching.code("transformer/core/positions.py", "RotaryPositions._turn")
            teaching.code("transformer/inspection/pairings.py", "order_for_halves")
            teaching.code("transformer/inspection/pairings.py", "reordered")
        questions.ask("positions-pairs", try_it={"rotary_pairs": "halves", "pos_rotary_columns": "as trained"})
