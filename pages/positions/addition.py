"""Token vectors plus position codes, and in some models segments and a norm: what the model reads, and which part is
louder, at every width."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.positions import data, figures, loudness_figures
from pages.positions.controls import settings_line
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import D_MODEL, NORM_KINDS, POSITION_SCHEME, POSITIONS
from pages.shared.teaching import Answer, check
from pages.shared.text_input import EXAMPLES, sentence
from pages.shared.view import Comparison, View, places

if TYPE_CHECKING:
    import numpy as np

    from transformer.inspection.embeddings import SourceRms
    from transformer.inspection.positions import OwnText, Summands

MAX_ROWS = 64
ADDED = ("sinusoidal", "learned")  # the schemes that are added to the tokens
NORMS = {"none": "none", **NORM_KINDS}
WIDTHS = (8, 16, 32, 64, 128, 256, 512)
INITS = {"N(0, 1/d)": True, "N(0, 1)": False}
SCALES = {"× √d": True, "as they are": False}


class Settings(NamedTuple):
    words: tuple[str, ...]
    positions: str
    d_model: int
    amount: float
    batch: int
    second_from: int
    norm: str
    init: str  # how the rows of the table are drawn, one of INITS
    scale: str  # one of SCALES

    @property
    def has_norm(self) -> bool:
        return NORMS[self.norm] != "none"


class Case(NamedTuple):
    """One way to draw and to scale the rows, at every width: as measured, and the ratio that theory expects."""

    measured: "list[SourceRms]"
    expected: list[float]


class Result(NamedTuple):
    summands: "Summands"
    widths: tuple[int, ...]
    cases: dict[str, Case]  # by _name
    own_text: "OwnText | None"  # where there are two texts


def layout() -> Mapping[str, Any]:
    picture, loudness = st.columns([5, 4], gap="medium")
    return {
        "picture": picture,
        "by width": loudness.container(),
        "ways": loudness.container(horizontal=True, gap="medium"),
        "verdict": loudness.container(),
    }


def ask() -> Settings | None:
    with settings.place_named("row"):
        typed = sentence(EXAMPLES[1])
    settings.notify(*typed.notices)
    words = typed.tokens[:MAX_ROWS]
    with settings.place_named("ways"):
        init = _ask("rows from", "Rows drawn from", "emb_init", INITS)
        scale = _ask("vectors", "Token vectors", "emb_scale", SCALES)
    with settings_line():
        second_from = settings.choose(
            st.select_slider, "A second text from token", "pos_second", range(max(len(words), 1)), 0, follows=True,
            why="the text has no token {} to begin with", format_func=_second,
            help="BERT reads two texts as one: a segment vector, the same for all tokens of a text, tells them apart.",
        )  # fmt: skip
        norm = settings.choose(
            st.segmented_control, "Norm of the sum", "pos_norm", NORMS, "none",
            help="BERT and BART normalise what is read, before the first layer.",
        )  # fmt: skip
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
    if len(typed.tokens) > MAX_ROWS:
        settings.notify(f"The first {MAX_ROWS} tokens are drawn, of {len(typed.tokens)}.")
    if not words:
        settings.notify("There is no token to add a position to. Type a sentence, or pick one of the examples.")
        return None
    return Settings(words, positions, d_model, amount, batch, second_from, norm, init, scale)


def _second(token: int) -> str:
    return str(token) if token else "none"


def _ask(words: str, label: str, key: str, options: dict[str, bool]) -> str:
    """One of two, with what it is for in a line with it."""
    with settings.place(
        st.container, horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"for-{key}"
    ):
        settings.place(st.caption, words, width="content")
        return settings.choose(
            st.segmented_control, label, key, options, next(iter(options)), label_visibility="collapsed"
        )


def compute(s: Settings) -> Result:
    widths = tuple(sorted({*WIDTHS, s.d_model}))
    cases = {}
    for init, narrow in INITS.items():
        for scale, scaled in SCALES.items():
            measured = data.loudness(widths, 0, narrow, scaled, s.words)
            cases[_name(init, scale)] = Case(measured, [d ** ((scaled - narrow) / 2) * 2**0.5 for d in widths])
    read = (
        POSITIONS[s.positions], s.d_model, 0, s.amount, s.batch, INITS[s.init], SCALES[s.scale], s.words,
        s.second_from, NORMS[s.norm],
    )  # fmt: skip
    own_text = data.own_text(*read) if s.second_from else None
    return Result(data.summands(*read), widths, cases, own_text)


def _name(init: str, scale: str) -> str:
    return f"{init}, {scale}"


def draw(s: Settings, result: Result) -> None:
    summands, name = result.summands, _name(s.init, s.scale)
    at = result.widths.index(s.d_model)
    here, expected = result.cases[name].measured[at], result.cases[name].expected[at]
    with places()["by width"]:
        ratios = {name: ([each.ratio for each in case.measured], case.expected) for name, case in result.cases.items()}
        display.figure(
            loudness_figures.ratio_by_width(result.widths, ratios, name, s.d_model),
            key="pos_loudness",
            alt=f"How many times louder tokens are than sinusoidal codes, by d_model; at {s.d_model} it is"
            f" {here.ratio:.2f}.",
        )
    with places()["verdict"]:
        st.markdown(
            f"At d_model {s.d_model} the tokens are **{here.ratio:.3g} times** as loud as sinusoidal codes; theory says"
            f" {expected:.3g}. {_verdict(narrow=INITS[s.init], scaled=SCALES[s.scale])}"
        )
    with places()["picture"]:
        times = "" if s.amount == 1 else f"{s.amount:g} × "
        parts = [("token", summands.tokens), (f"{times}position", summands.added)]
        if summands.segments is not None:
            parts.append(("segment", summands.segments))
        display.figure(
            figures.summands(s.words, [*parts, ("what is read", _read_in(summands))], s.norm if s.has_norm else ""),
            key="pos_sum",
            alt=f"{'Four' if s.second_from else 'Three'} heatmaps of {len(s.words)} tokens by {s.d_model} features: "
            f"the token vectors, {times}the position codes, {'the segments, ' if s.second_from else ''}and their sum"
            f"{f' after {s.norm}' if s.has_norm else ''}.",
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
    left, right = st.columns(2, gap="large")
    with left:
        teaching.formula(_formula(s))
        st.markdown(
            "Every word is a row of numbers, its **features**; so is every position, and the two are added number by"
            " number. A word has the same row on the left wherever it stands; the rows in the middle do not know the"
            " words. Only the sum knows both. Whichever has the larger numbers is **louder**, and may drown the other."
        )
        if s.second_from:
            st.markdown(
                f"All tokens before “{display.plain(s.words[s.second_from])}” get one **segment** vector, all others"
                " the second: two bands."
            )
            st.markdown(_own_text(result.own_text))
        if s.has_norm:
            st.markdown(_normed(s, summands))
        st.caption(
            f"{_loudness(s, summands)} The token vectors are random"
            f"{', and so are the codes' if s.positions == 'learned' else ''}."
            + ("" if s.second_from and s.has_norm else " BERT adds segments and a norm: both are in the settings.")
        )
        st.caption(
            "N(0, 1/d): random numbers around 0 with variance 1/d. torch's nn.Embedding draws from N(0, 1), this "
            "project from N(0, 1/d). rms: the root of the mean square, the usual size of one number. Positions are "
            "sines and cosines, and sin² + cos² = 1 makes theirs 1/√2 ≈ 0.71 at every width. Dots are measured, "
            "lines are theory."
        )
    with right:
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
        check(
            "A model without segments reads two texts as one. What does it know of where the second begins?",
            Answer(
                "Only what the tokens say",
                "Positions run on through both. BERT also puts a separator between the two; RoBERTa has nothing else.",
                right=True,
            ),
            Answer(
                "Nothing at all can tell it",
                "A token can: a separator, or a full stop. It has to be looked at, like any other.",
            ),
            Answer(
                "The positions begin again at 0",
                "They run on: the second text only has later ones, as the end of a long text would have.",
            ),
            Answer(
                "The mask hides each text from the other",
                "A mask could, but then neither would know the other. Here every token may look at both.",
            ),
            key="positions-segments",
            try_it={"pos_second": 3},
        )
        _ask_who_drowns()
        teaching.code_expander(
            "transformer/positions.py",
            "SinusoidalPositions.add" if s.positions == "sinusoidal" else "LearnedPositions.add",
        )
        teaching.code_expander("transformer/inspection/embeddings.py", "rms_by_source")


def _ask_who_drowns() -> None:
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
        key="positions-drowned",
        try_it={"emb_init": "N(0, 1)", "emb_scale": "× √d"},
    )


def _verdict(*, narrow: bool, scaled: bool) -> str:
    if narrow and scaled:
        return "Both stay audible at every width: the √d cancels out the small starting values. The model does this."
    if narrow:
        return "Without √d the positions drown the **tokens**, and more so the wider the model."
    if scaled:
        return "With large starting values and the factor √d, tokens **drown the positions**, more so if it is wider."
    return "Large starting values without √d come to the same size: both stay audible."


def _formula(s: Settings) -> str:
    scaled = r"\sqrt{d}\; " if SCALES[s.scale] else ""
    parts = scaled + r"E_{token} + PE_{pos}" + (" + S_{text}" if s.second_from else "")
    return rf"x_{{pos}} = \mathrm{{Norm}}({parts})" if s.has_norm else rf"x_{{pos}} = {parts}"


def _read_in(summands: "Summands") -> "np.ndarray":
    """What the first layer reads."""
    return summands.sum if summands.normed is None else summands.normed


def _own_text(found: "OwnText | None") -> str:
    """What a head can make of segments, in Markdown."""
    assert found is not None
    verdict = (
        "A model has to learn such a head."
        if found.built > max(found.without, found.even) + 0.2
        else "In so narrow a model the words are as loud in that direction as the segments."
    )
    return (
        "What they are good for: a head built by hand, which reads nothing of the sum but the direction in which these"
        f" two vectors differ, gives **{found.built:.0%}** of its attention to its own text. Without segments the same"
        f" head gives it {found.without:.0%}, and one that looks at all tokens alike {found.even:.0%}. {verdict} What"
        " BERT made of its segments is on Pretrained, with a pair of texts."
    )


def _normed(s: Settings, summands: "Summands") -> str:
    """What the norm changes, and what it leaves."""
    before, after = ((x**2).mean(-1) ** 0.5 for x in (summands.sum, _read_in(summands)))
    return (
        f"{s.norm} brings every row to one size: from {before.min():.2f} to {before.max():.2f} before, from"
        f" {after.min():.2f} to {after.max():.2f} after. It sees only the sum, so which part is louder stays as it was."
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
    segments = "" if summands.segments is None else f", segments {(summands.segments**2).mean() ** 0.5:.2f}"
    return (
        f"Loudness is the root mean square, the usual size of a number: tokens {token:.2f}, codes {code:.2f}{segments}."
        f" {louder}"
    )


def _read(s: Settings, result: Result) -> Sheet:
    return Sheet(_read_in(result.summands), "value", ("token", "feature"), s.words)


VIEW = View(
    "Added to the words", ask, compute, draw,
    question="The code is added to the words: which of the two is louder?",
    comparison=Comparison("what is read", _read),
    layout=layout,
    height=420,
    lede="The model reads the sum of a word's vector and its position's. Which of the two is louder?",
)  # fmt: skip
