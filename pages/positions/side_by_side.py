"""One attention map per scheme, of a text in which every word is the same."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.positions import data
from pages.positions.controls import HEAD_HELP, N_TOKENS, UNTRAINED, ask_seed, picture_and_words, row
from pages.shared import display, plot, settings, teaching
from pages.shared.compare_figures import Tiles
from pages.shared.hyperparameters import POSITIONS
from pages.shared.view import Comparison, View


class Settings(NamedTuple):
    T: int
    head: int
    seed: int


def ask() -> Settings:
    with row(3):
        T = settings.choose(st.select_slider, "Tokens", "pos_tokens", N_TOKENS, 24, help="All the same word.")
        head = settings.choose(st.segmented_control, "Head", "pos_head", range(4), 0, width="stretch", help=HEAD_HELP)
        return Settings(T, head, ask_seed())


def compute(s: Settings) -> np.ndarray:
    return data.same_word(tuple(POSITIONS.values()), s.T, s.head, s.seed)


def draw(s: Settings, maps: np.ndarray) -> None:
    T = s.T
    picture, side = picture_and_words()
    with picture:
        display.figure(
            plot.tiles(maps, list(POSITIONS), columns=3, value="weight", diverging=False, height=470),
            key="pos_tiles",
            alt=f"Six attention maps of {T} equal words, one for each scheme. Without positions all weights are"
            f" {1 / T:.3f}.",
        )
    with side:
        st.markdown(
            f"Six ways, six maps. A row is a token that looks, a column one that is looked at; the darker, the larger"
            f" the :violet[**weight**], its share of the attention. It is one word, {T} times. Every token asks the"
            " same and offers the same, so **all that you see comes from the positions**. Without them each weight is"
            f" 1/{T} = {1 / T:.3f}: nothing to choose by."
        )
        st.markdown(
            "There are three doors into a model. *Sinusoidal* and *learned* are **added** to the tokens. *Rotary*"
            " **turns** :blue[**queries**] and :orange[**keys**]. *T5* and *ALiBi* **add to the score**. The last"
            " three know only the distance, so their pattern runs along the diagonal."
        )
        st.caption(f"An encoder of one layer; head {s.head} of 4. {UNTRAINED} ALiBi is the one that needs no training.")
        teaching.check(
            "Which map would stay as it is if all tokens moved 100 places on?",
            ["sinusoidal", "learned", "ALiBi"],
            2,
            "ALiBi, like rotary and T5, looks at the distance between query and key. Where both stand does not matter.",
            key="pos-schemes",
        )
        teaching.code_expander("transformer/positions.py", "Positions")


def _maps(s: Settings, maps: np.ndarray) -> Tiles:
    return Tiles(maps, "weight", list(POSITIONS), 2, False)


VIEW = View("side by side", ask, compute, draw, comparison=Comparison("every scheme", _maps))
