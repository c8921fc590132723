"""The size of token vectors beside that of the positions that are added to them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from pages.embeddings import data, figures
from pages.embeddings.data import RandomTable
from pages.embeddings.text import ask_row_ids, ask_sentence, labelled
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View, places

if TYPE_CHECKING:
    from transformer.inspection.embeddings import SourceRms

WIDTHS = (8, 16, 32, 64, 128, 256, 512)
INITS = {"N(0, 1/d)": True, "N(0, 1)": False}
SCALES = {"× √d": True, "as they are": False}


class Settings(NamedTuple):
    ids: tuple[int, ...]
    table: RandomTable
    init: str
    scale: str


class Case(NamedTuple):
    """One way to draw and to scale the rows, at every width: as measured, and the ratio that theory expects."""

    measured: list["SourceRms"]
    expected: list[float]


class Result(NamedTuple):
    widths: tuple[int, ...]
    cases: dict[str, Case]  # by _name


def layout() -> Mapping[str, Any]:
    picture, words = st.columns([8, 3], gap="large")
    return {"picture": picture, "words": words}


def ask() -> Settings | None:
    with settings.place_named("sentence"):
        ask_sentence()
    with settings.place_named("row"):
        with labelled("rows from"):
            init = settings.choose(
                st.segmented_control, "Rows drawn from", "emb_init", INITS, "N(0, 1/d)", label_visibility="collapsed",
            )  # fmt: skip
        with labelled("vectors"):
            scale = settings.choose(
                st.segmented_control, "Token vectors", "emb_scale", SCALES, "× √d", label_visibility="collapsed",
            )  # fmt: skip
        answer = ask_row_ids()
    if answer is None:
        return None
    _, ids, table = answer
    return Settings(ids, table, init, scale)


def compute(s: Settings) -> Result:
    V, d_model, seed = s.table
    widths = tuple(sorted({*WIDTHS, d_model}))
    cases = {}
    for init, narrow in INITS.items():
        for scale, scaled in SCALES.items():
            measured = data.rms_by_source(V, widths, seed, narrow, scaled, s.ids)
            expected = [d ** ((scaled - narrow) / 2) * 2**0.5 for d in widths]
            cases[_name(init, scale)] = Case(measured, expected)
    return Result(widths, cases)


def draw(s: Settings, result: Result) -> None:
    d_model, name = s.table.d_model, _name(s.init, s.scale)
    at = result.widths.index(d_model)
    rms, expected = result.cases[name].measured[at], result.cases[name].expected[at]
    with places()["picture"]:
        bars, curve = st.columns([3, 5], gap="small")
    with bars:
        display.figure(
            figures.rms_by_source(rms.tokens, rms.positions, rms.total),
            key="emb-loudness",
            alt=f"rms of token vectors {rms.tokens:.3f}, of positions {rms.positions:.3f}, of the sum {rms.total:.3f}.",
        )
    with curve:
        ratios = {name: ([each.ratio for each in case.measured], case.expected) for name, case in result.cases.items()}
        display.figure(
            figures.rms_ratio_by_width(result.widths, ratios, name, d_model),
            key="emb-loudness-by-width",
            alt=f"How many times louder tokens are than positions, by d_model; at {d_model} it is {rms.ratio:.2f}.",
        )
    with places()["words"]:
        st.markdown(
            "A token's row of the table, W_e[id], is added to PE, a code that says where the token stands. The one "
            "with the larger numbers is **louder**, and may drown the other."
        )
        teaching.formula(r"x = \sqrt{d}\;W_e[\mathrm{id}] + PE")
        st.markdown(
            f"At d_model {d_model} the tokens are **{rms.ratio:.3g} times** as loud as the positions; theory says "
            f"{expected:.3g}."
        )
        st.markdown(_verdict(narrow=INITS[s.init], scaled=SCALES[s.scale]))
        st.caption(
            "N(0, 1/d): random numbers around 0 with variance 1/d. torch's nn.Embedding draws from N(0, 1), this "
            "project from N(0, 1/d). rms: the root of the mean square, the usual size of one number. Positions are "
            "sines and cosines, and sin² + cos² = 1 makes theirs 1/√2 ≈ 0.71 at every width. Dots are measured, "
            "lines are theory."
        )
    check(
        "The rows start large, from N(0, 1), and are multiplied by √d as well. What happens in a wider and wider "
        "model?",
        Answer(
            "The tokens drown the positions",
            "Token numbers grow with √d; positions stay at 0.71. At d_model 512 the ratio is √512 / 0.71 = 32.",
            right=True,
        ),
        Answer(
            "The positions drown the tokens",
            "That happens with small starting values and *no* factor: then the tokens get quieter with every width.",
        ),
        Answer(
            "Both stay equally loud",
            "That needs one of the two, not both: small starting values with the factor, or large ones without it.",
        ),
        Answer(
            "Both get louder",
            "The positions cannot: sines and cosines stay between −1 and 1 at every width.",
        ),
        key="embeddings-drowned",
        try_it={"emb_init": "N(0, 1)", "emb_scale": "× √d"},
    )
    teaching.code_expander("transformer/inspection/embeddings.py", "rms_by_source")


def _name(init: str, scale: str) -> str:
    return f"{init}, {scale}"


def _verdict(*, narrow: bool, scaled: bool) -> str:
    if narrow and scaled:
        return "Both stay audible at every width: the √d cancels out the small starting values. The model does this."
    if narrow:
        return "Without √d the positions drown the **tokens**, and more so the wider the model."
    if scaled:
        return "With large starting values and the factor √d, tokens **drown the positions**, more so if it is wider."
    return "Large starting values without √d come to the same size: both stay audible."


def _ratios(s: Settings, _: Result) -> Curves:
    """The ratio at the same widths on both sides, whatever d_model is."""
    measured = data.rms_by_source(s.table.vocab_size, WIDTHS, s.table.seed, INITS[s.init], SCALES[s.scale], s.ids)
    y = np.array([each.ratio for each in measured])
    return Curves(WIDTHS, {"ratio": y}, ("d_model", "tokens ÷ positions, rms"))


VIEW = View(
    "Scale", ask, compute, draw,
    comparison=Comparison("how much louder tokens are", _ratios),
    layout=layout,
    height=420,
    asks="Which is louder, a token or its position?",
)  # fmt: skip
