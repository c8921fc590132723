"""Token vectors plus position codes: what the model reads."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.positions import data, figures
from pages.positions.controls import picture_and_words, settings_line
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import D_MODEL, POSITION_SCHEME, POSITIONS
from pages.shared.teaching import Answer, check
from pages.shared.text_input import EXAMPLES, sentence
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.positions import Summands

MAX_ROWS = 64
ADDED = ("sinusoidal", "learned")  # the schemes that are added to the tokens


class Settings(NamedTuple):
    words: tuple[str, ...]
    positions: str
    d_model: int
    amount: float
    batch: int


def ask() -> Settings | None:
    with settings.place_named("row"):
        typed = sentence(EXAMPLES[1])
    settings.notify(*typed.notices)
    with settings_line():
        positions = POSITION_SCHEME.ask(
            "positions", options=ADDED,
            why="{} positions are not added to the tokens", help="The other schemes add nothing here: see Other ways.",
        )  # fmt: skip
        d_model = D_MODEL.ask("d_model", default=32)
        amount = settings.choose(
            st.select_slider, "Amount", "pos_amount", tuple(n / 4 for n in range(9)), 1.0,
            help="The model adds them once. More or less shows how loud the positions are.", chip="positions × {}",
        )  # fmt: skip
        batch = settings.choose(
            st.select_slider, "Texts", "pos_batch", range(1, 9), 2,
            help="A model reads a batch of texts. All of them get the same position codes.", chip="{} text{s}",
        )  # fmt: skip
    words = typed.tokens[:MAX_ROWS]
    if len(typed.tokens) > MAX_ROWS:
        settings.notify(f"The first {MAX_ROWS} tokens are drawn, of {len(typed.tokens)}.")
    if not words:
        settings.notify("There is no token to add a position to. Type a sentence, or pick one of the examples.")
        return None
    return Settings(words, positions, d_model, amount, batch)


def compute(s: Settings) -> "Summands":
    return data.summands(POSITIONS[s.positions], s.d_model, 0, s.amount, s.batch, s.words)


def draw(s: Settings, summands: "Summands") -> None:
    picture, side = picture_and_words()
    with picture:
        times = "" if s.amount == 1 else f"{s.amount:g} × "
        display.figure(
            figures.summands(
                s.words,
                [("token", summands.tokens), (f"{times}position", summands.added), ("what is read", summands.sum)],
            ),
            key="pos_sum",
            alt=f"Three heatmaps of {len(s.words)} tokens by {s.d_model} features: the token vectors, {times}the"
            " position codes, and their sum.",
        )
        tokens, table, total = (" × ".join(map(str, shape)) for shape in summands.shapes)
        st.markdown(
            f"Shapes (texts × tokens × features): tokens **{tokens}** + positions **{table}** = **{total}**. "
            + (
                f"All {s.batch} texts get the same position codes."
                if summands.shared and s.batch > 1
                else "There is one table for any number of texts."
            )
        )
    with side:
        teaching.formula(r"x_{pos} = E_{token} + PE_{pos}")
        st.markdown(
            "Every word is a row of numbers, its **features**; so is every position, and the two are added number by"
            " number. A word has the same row on the left wherever it stands; the rows in the middle do not know the"
            " words. Only the sum knows both."
        )
        st.caption(
            f"{_loudness(s, summands)} The token vectors are random"
            f"{', and so are the codes' if s.positions == 'learned' else ''}."
        )
        check(
            "*cat* is at position 1 in one text and at position 5 in another. What does the model read for it?",
            Answer(
                "The same vector both times",
                "Its token vector is the same. But the code that is added belongs to the position, so the sums differ.",
            ),
            Answer(
                "Two vectors with nothing in common",
                "They share the token vector: take each position’s code away, and the same row is left.",
            ),
            Answer(
                "The same row, plus another code",
                "The table gives the row, the position gives the code, and the sum knows both.",
                right=True,
            ),
            Answer(
                "Another row of the embedding table",
                "The table has one row per token, whatever its position. Positions have a table of their own.",
            ),
            key="positions-sum",
            try_it={"text": "the cat saw that the cat sat"},
        )
        teaching.code_expander(
            "transformer/positions.py",
            "SinusoidalPositions.add" if s.positions == "sinusoidal" else "LearnedPositions.add",
        )


def _loudness(s: Settings, summands: "Summands") -> str:
    """Who is louder, in sentences."""
    token, code = summands.rms[0], s.amount * summands.rms[1]
    quiet, loud = sorted((token, code))
    louder = (
        "Neither drowns the other."
        if loud < 2 * quiet
        else f"The {'tokens' if token > code else 'codes'} are much louder."
    )
    return (
        f"Loudness is the root mean square, the usual size of a number: tokens {token:.2f}, codes {code:.2f}. {louder}"
    )


def _read(s: Settings, summands: "Summands") -> Sheet:
    return Sheet(summands.sum, "value", ("token", "feature"), s.words)


VIEW = View(
    "Added to the words", ask, compute, draw,
    question="The code is added to the words: which of the two is louder?",
    comparison=Comparison("what is read", _read),
    formerly={"Sum": {}},
)  # fmt: skip
