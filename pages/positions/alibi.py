"""ALiBi: a penalty on the score for every step of distance."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.controls.text_input import EXAMPLES
from lab.kit.figures.compare_figures import Tiles
from lab.kit.words import at_most
from pages.positions import data, score_bias
from pages.positions.controls import Scheme, picture_and_words, settings_line
from transformer import inspection


class Settings(NamedTuple):
    T: int
    n_heads: int


class Result(NamedTuple):
    """The bias, and a text read forwards and backwards with it."""

    bias: "inspection.positions.ScoreBias"
    reversal: "inspection.positions.Shuffled"

    @property
    def slopes(self) -> Sequence[float]:
        return () if self.bias.slopes is None else self.bias.slopes.tolist()


def ask() -> Settings:
    with settings_line():
        return Settings(*score_bias.ask_size())


def compute(s: Settings) -> Result:
    words = tuple(EXAMPLES[1].split())
    backwards = tuple(reversed(range(len(words))))
    return Result(
        data.score_bias("alibi", s.T, s.T, s.n_heads, 128),
        data.shuffled(data.small_model("encoder", "alibi", 0), words, backwards),
    )


def draw(s: Settings, result: Result) -> None:
    picture, side = picture_and_words()
    with picture:
        score_bias.draw_maps(result.bias, "ALiBi")
    with side:
        teaching.formula(
            r"\text{score}_{ij} = \frac{\q{q}_i \cdot \k{k}_j}{\sqrt{d_k}} - m_h\,|i-j| \qquad m_h = 2^{-8h/H}"
        )
        st.markdown(
            "Each head takes something off the score (the **bias**) for every step of distance: the farther, the"
            " fainter. The price of a step is the head's **slope**, m; nothing is learned. A head with a steep slope"
            " sees its neighbours; one with a flat slope sees far."
        )
        is_power_of_two = s.n_heads & (s.n_heads - 1) == 0
        st.caption(
            f"Slopes of {s.n_heads} heads, from head 0: {', '.join(f'{slope:.3g}' for slope in result.slopes)}. "
            + (
                "In the formula h counts from 1."
                if is_power_of_two
                else "The formula is for 1, 2, 4, 8, … heads; for other numbers, the next larger power fills the gaps."
            )
        )
        st.caption(
            "Ahead and behind count the same, so in an encoder ALiBi cannot tell a text from its reversal: read "
            f"“{EXAMPLES[1]}” backwards, and what comes out for each word differs by"
            f" {at_most(result.reversal.moved.max())}. A decoder sees one side only, so there it can."
        )
        questions.ask("positions-alibi", try_it={"heads": 8})
        teaching.code_expander("transformer/core/positions.py", "alibi_slopes", "AlibiPositions.bias")


def _tiles(s: Settings, result: Result) -> Tiles:
    return score_bias.tiles(result.bias)


SCHEME = Scheme("ALiBi", ask, compute, draw, score_bias.COMPARED, _tiles)
