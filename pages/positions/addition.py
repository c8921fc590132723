"""Token vectors plus position codes: what the model reads, and which part is louder. A fold of why they are needed."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import D_MODEL, POSITIONS
from lab.kit.figures import display
from pages.positions import data, figures
from transformer import inspection

ADDED = ("sinusoidal", "learned")  # the schemes that are added to the tokens
WIDTHS = (32, 512)  # at which loudness is told
# How the rows of the table are drawn, and whether they are multiplied by the root of d_model.
CASES = {
    "N(0, 1/d), times √d: this project": (True, True),
    "N(0, 1/d), as they are": (True, False),
    "N(0, 1), times √d": (False, True),
    "N(0, 1), as they are": (False, False),
}


class Settings(NamedTuple):
    words: tuple[str, ...]
    positions: str
    d_model: int
    amount: float
    batch: int


class Result(NamedTuple):
    """loudness: how many times louder tokens are than sinusoidal codes, by CASES, at each of WIDTHS."""

    summands: "inspection.positions.Summands"
    loudness: dict[str, list[float]]


def ask(words: tuple[str, ...], positions: str) -> Settings:
    """What is added to these words: the chosen positions, or sinusoidal ones where the scheme adds nothing."""
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        amount = settings.choose(
            st.select_slider,
            "Amount",
            "pos_amount",
            tuple(n / 4 for n in range(9)),
            1.0,
            width=220,
            help="The model adds them once. More or less shows how loud the positions are.",
        )
        d_model = D_MODEL.ask(default=32, width=220)
        batch = settings.choose(
            st.select_slider,
            "Texts",
            "pos_batch",
            range(1, 9),
            2,
            width=220,
            help="A model reads a batch of texts. All of them get the same position codes.",
        )
    return Settings(words, positions if positions in ADDED else ADDED[0], d_model, amount, batch)


def compute(s: Settings) -> Result:
    return Result(
        data.summands(POSITIONS[s.positions], s.d_model, 0, s.amount, s.batch, s.words),
        {name: [rms.ratio for rms in data.loudness(WIDTHS, 0, *case, s.words)] for name, case in CASES.items()},
    )


def draw(s: Settings, result: Result) -> None:
    summands = result.summands
    times = "" if s.amount == 1 else f"{s.amount:g} × "
    parts = [("token", summands.tokens), (f"{times}position", summands.added), ("what is read", summands.sum)]
    display.figure(
        figures.summands(s.words, parts),
        key="pos_sum",
        alt=f"Three heatmaps of {len(s.words)} tokens by {s.d_model} features: the token vectors, {times}the position"
        " codes, and their sum.",
    )
    with display.prose():
        teaching.formula(r"x_{pos} = \sqrt{d}\; E_{token} + PE_{pos}")
        st.markdown(
            "Every word is a row of numbers, its **features**; so is every position, and the two are added number by"
            " number. A word has the same row on the left wherever it stands; the rows in the middle do not know the"
            " words. Only the sum knows both."
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
        st.caption(
            f"{_louder(s, summands)} The token vectors are random"
            f"{', and so are the codes' if s.positions == 'learned' else ''}."
        )
        questions.ask("positions-sum", try_it={"text": "the cat saw that the cat sat"})
    st.markdown(_loudness(result.loudness))
    st.caption(
        "Measured on these words, with sinusoidal positions: sin² + cos² = 1 makes their usual size 1/√2 ≈ 0.71 at"
        " every width. Where tokens get louder with the width, they drown the positions; where they get quieter, the"
        " positions drown them. N(0, 1/d) stands for random numbers around 0 with variance 1/d; torch's nn.Embedding"
        " draws from N(0, 1)."
    )


def _louder(s: Settings, summands: "inspection.positions.Summands") -> str:
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


def _loudness(ratios: dict[str, list[float]]) -> str:
    """How much louder tokens are, by how their rows are made, in a table."""
    head = "| rows of the token table | " + " | ".join(f"{d} wide" for d in WIDTHS) + " |\n|:--|" + "--:|" * len(WIDTHS)
    rows = [f"| {name} | " + " | ".join(f"{ratio:.2g} ×" for ratio in line) + " |" for name, line in ratios.items()]
    return "**How loud are tokens beside their positions?**\n\n" + "\n".join([head, *rows])
