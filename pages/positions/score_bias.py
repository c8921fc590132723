"""What the views of T5 and of ALiBi share: controls, figures and A | B of a bias on the scores."""

import streamlit as st

from lab.kit import settings
from lab.kit.figures import display, plot
from lab.kit.figures.compare_figures import Tiles
from pages.positions import figures
from pages.positions.controls import HEAD_HELP, N_TOKENS
from transformer import inspection

COMPARED = "the bias of every head"


def ask_size() -> tuple[int, int]:
    """(number of tokens, number of heads)."""
    T = settings.choose(st.select_slider, "Tokens", "pos_tokens", N_TOKENS, 24, chip="{} tokens")
    n_heads = settings.choose(
        st.select_slider, "Heads", "heads", (1, 2, 3, 4, 6, 8, 12, 16), 8, help=HEAD_HELP, chip="{} head{s}"
    )
    return T, n_heads


def draw_maps(bias: "inspection.positions.ScoreBias", name: str) -> None:
    """The bias of every head as maps, and by distance."""
    n_heads = len(bias.maps)
    maps, curves = st.columns(2, gap="medium")
    with maps:
        display.figure(
            plot.tiles(
                bias.maps,
                titles(bias),
                columns=min(4, n_heads),
                value="bias",
                diverging=True,
                height=figures.BIAS_HEIGHT if n_heads < 9 else 620,
            ),
            key="pos_planes",
            alt=f"The {name} bias of {n_heads} heads, each constant along its diagonals.",
        )
    by_distance = figures.bias_strips if bias.slopes is None else figures.bias_curves
    with curves:
        display.figure(
            by_distance(bias.by_offset, bias.reach),
            key="pos_bias",
            alt=f"The {name} bias of every head by the distance from query to key, to {bias.reach} places either way.",
        )


def tiles(bias: "inspection.positions.ScoreBias") -> Tiles:
    """The maps as A | B compares them."""
    return Tiles(bias.maps, "bias", titles(bias), min(4, len(bias.maps)), True)


def titles(bias: "inspection.positions.ScoreBias") -> list[str]:
    return [f"head {h}" for h in range(len(bias.maps))]
