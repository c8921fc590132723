"""One attention map per scheme, of a text in which every word is the same."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import POSITIONS
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Tiles
from lab.kit.words import BOUND
from pages.positions import data
from pages.positions.components.moved_words import moved_words
from pages.positions.components.position_maps import FAR, Way, pack, position_maps
from pages.positions.controls import HEAD_HELP, N_TOKENS, UNTRAINED, Scheme, ask_seed, open_way, settings_line

WAYS = (
    Way("none", "order unknown", opens=False),
    Way("sinusoidal", "waves added"),
    Way("learned", "a vector per position"),
    Way("rotary", "queries and keys turn"),
    Way("T5 relative", "a bias per distance"),
    Way("ALiBi", "distance costs"),
)


SAME, PLACE, DISTANCE, NEAR = (
    "No order",
    "The position counts",
    "Only the distance counts",
    "Only the distance counts, near words most",
)
SLIGHT = 1e-3  # a difference of two logarithms of weights that rounding can make


class Settings(NamedTuple):
    T: int
    head: int
    seed: int


class Result(NamedTuple):
    """moved: a few words that can be moved on, as bytes for the browser; maps: (schemes, T, T) of a longer text."""

    moved: bytes
    maps: np.ndarray


def ask() -> Settings:
    with settings_line():
        T = settings.choose(
            st.select_slider, "Tokens", "pos_tokens", N_TOKENS, 24, help="Of the map below: all the same word.", chip=""
        )
        head = settings.choose(
            st.segmented_control, "Head", "pos_head", range(4), 0, width="stretch", help=HEAD_HELP, chip="head {}"
        )
        return Settings(T, head, ask_seed())


def compute(s: Settings) -> Result:
    maps = data.same_word(tuple(POSITIONS.values()), s.T, s.head, s.seed)
    return Result(data.moved_words(s.head, s.seed), maps)


def verdict(weights: np.ndarray) -> str:
    """What a map of attention weights (T, T) shows of a text in which every word is the same.

    A row shares 1 among its keys, so weights are compared within a row: how much more has a key than the one before it?
    If that is the same wherever the two are equally far back, only the distance counts.
    """
    step = np.diff(np.log(weights.astype(float)), axis=1)
    if np.abs(step).max() < SLIGHT:
        return SAME
    T = len(weights)
    if max(np.ptp(np.diagonal(step, offset)) for offset in range(1 - T, T - 1)) > SLIGHT:
        return PLACE
    query, key = np.indices(step.shape)
    return NEAR if (np.where(key < query, step, -step) > 0).all() else DISTANCE


def telling(weights: np.ndarray) -> int:
    """How many words ahead, below 0 for back, the map is told by: where most is looked at, or, where near words count
    most, the farthest back. Of distances that at least half of the positions have."""
    half = max(1, len(weights) // 2)
    if verdict(weights) == NEAR:
        return -half
    return max((k for k in range(-half, half + 1) if k), key=lambda k: float(beside_itself(weights, k).mean()))


def beside_itself(weights: np.ndarray, ahead: int) -> np.ndarray:
    """What each word gives the one so many words ahead, in shares of what it gives itself."""
    return np.diagonal(weights / np.diagonal(weights)[:, None], ahead)


def finding(weights: np.ndarray, ahead: int) -> str:
    """What a map shows, in a sentence with its numbers at one distance."""
    shown = verdict(weights)
    if shown == SAME:
        return f"Every word gives every word the same attention: 1/{len(weights)} = {1 / len(weights):.3f}."
    gives = f"A word gives the word {abs(ahead)} {'ahead' if ahead > 0 else 'back'}"
    times = beside_itself(weights, ahead)
    if shown == PLACE:
        low, high = (f"{one:.1f}" for one in (times.min(), times.max()))
        below = "less than 0.1" if high == "0.0" else f"up to {high}"  # no weight is 0
        span = below if low == "0.0" else f"{low} to {high}"
        return f"{gives} {span} times the attention that it gives itself, depending on where it is."
    share = f"{times.min():.2f}"
    if share == "0.00":
        share = "less than 0.01"
    return f"{gives} {share} times the attention that it gives itself, wherever it is."


def draw(s: Settings, result: Result) -> None:
    moved_words(result.moved, on_open=_open, key="pos_moved")
    T, maps = s.T, result.maps
    # Where the position counts, look at the same distance as in the map that it is compared with.
    usual = telling(maps[[way.name for way in WAYS].index("rotary")])
    ways = []
    for way, weights in zip(WAYS, maps, strict=True):
        shown = verdict(weights)
        ahead = 0 if shown == SAME else usual if shown == PLACE else telling(weights)
        ways.append(way._replace(verdict=shown, finding=finding(weights, ahead), ahead=ahead))
    with display.prose():
        st.markdown(
            "There are three ways in. *Sinusoidal* and *learned* are **added** to the tokens: another position, another"
            " code. *Rotary* **turns** :blue[**queries**] and :orange[**keys**], and a move turns both by the same"
            " angle. *ALiBi* and *T5* change the score by a number per distance: below zero it is a **price**, above"
            " zero a bonus. The last three know only how far apart two tokens are."
        )
        st.caption(
            f"To the model all {data.N_WORDS} words are the same token. A bar is the :violet[**attention weight**]"
            f" among these {data.N_WORDS}: what comes before and after them is masked. The tags show every other one of"
            f" the first {data.DRAWN} numbers of the code. The hands are those of pair {data.TURNED}; {data.PAIRS}"
            " pairs turn, each at a speed of its own. Each way has a scale of its own. The ruler ends at"
            f" position {data.N_PLACES - 1}. A change below {BOUND:.5f} is called rounding."
        )
    position_maps(pack(maps, ways), on_open=_open, key="pos_maps")
    with display.prose():
        st.markdown(
            f"The text is one word, {T} times, so all tokens ask the same and offer the same, and **everything you see"
            " comes from the positions**. The curve is one row of the map: each :violet[**attention weight**] beside"
            " the one that the word gives itself. Every row shares 1 among its keys, and that division cancels it out:"
            " where all curves coincide, only the distance counts."
            f" Without positions every weight is 1/{T} = {1 / T:.3f}: there is no reason to prefer any."
        )
        st.caption(
            f"The six small maps share one scale; the large one has its own. Both begin at 0. An encoder"
            f" with one layer, head {s.head} of 4."
            f" {UNTRAINED} Even so, ALiBi favours near tokens."
        )
        questions.ask("positions-schemes")
        teaching.code_expander("transformer/core/positions.py", "Positions")


def _open(name: str) -> None:
    """Open this way in the place of the maps, or how far all of them reach."""
    if name == FAR:
        st.session_state["pos_view"] = "Too far"
    else:
        open_way(name)


def _maps(s: Settings, result: Result) -> Tiles:
    return Tiles(result.maps, "weight", list(POSITIONS), 2, False)


SCHEME = Scheme("side by side", ask, compute, draw, "every scheme", _maps)
