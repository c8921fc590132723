"""Ever deeper stacks: what becomes of gradient, size and similarity, with and without residuals and norms."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves
from lab.kit.words import amount
from pages.blocks import data, figures
from pages.blocks.stack import Places, Stack, ask_shallow_stack
from transformer import inspection

DEPTHS = (1, 2, 4, 8, 16, 24, 32)
MAX_TOKENS = 48  # at depth 32 a longer text would keep everybody waiting


class Measure(NamedTuple):
    """What is measured of the stream: a field of DepthStatistics, and the titles of its two axes."""

    field: str
    at_the_end: str
    inside: str
    log: bool


GRADIENT, SIZE, COSINE = "Gradient", "Size of the stream", "How alike words are"
MEASURES = {
    GRADIENT: Measure("gradient", "gradient at the bottom ÷ at the top", "length of ∂loss/∂stream", True),
    SIZE: Measure("rms", "root mean square of the stream at the top", "root mean square of the stream", True),
    COSINE: Measure("cosine", "mean cosine between tokens at the top", "mean cosine between tokens", False),
}
Result = Sequence[Mapping[str, "inspection.ablations.DepthStatistics"]]  # per depth, by the name of the ablation


class Settings(NamedTuple):
    stack: Stack
    measure: str

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens that are used."""
        return self.stack.tokens[:MAX_TOKENS]


def ask(at: Places) -> Settings | None:
    stack = ask_shallow_stack(at)
    if stack is None:
        return None
    with at.primary:
        measure = settings.choose(
            st.segmented_control,
            "Measure",
            "blocks_measure",
            MEASURES,
            GRADIENT,
            common=True,
            label_visibility="collapsed",
        )
    if len(stack.tokens) > MAX_TOKENS:
        settings.notify(f"The first {MAX_TOKENS} tokens are used here, because deep stacks are slow.")
    return Settings(stack, measure)


def compute(s: Settings) -> Result:
    """Every depth, measured one after the other. A visitor who leaves stops it at the next depth; what was measured
    is cached."""
    return [data.depth_statistics(s.stack.untrained, s.tokens, depth) for depth in DEPTHS]


def draw(s: Settings, result: Result, containers: Mapping[str, Any]) -> None:
    """Both figures in the container "picture", and what they show in "words"."""
    measure = MEASURES[s.measure]
    by_depth = _by_depth(measure, result)
    inside = {name: getattr(statistics, measure.field) for name, statistics in result[-1].items()}
    left, right = containers["picture"].columns(2, gap="medium")
    with left:
        x = "layers in the stack"
        drawing = figures.depths(list(DEPTHS), by_depth, measure.at_the_end, x, log=measure.log)
        display.figure(drawing, key="blocks_depth", alt=_alt(by_depth, measure.at_the_end))
    with right:
        x = "layers passed, inside the deepest"
        drawing = figures.depths(list(range(DEPTHS[-1] + 1)), inside, measure.inside, x, log=measure.log)
        display.figure(drawing, key="blocks_inside", alt=_alt(inside, measure.inside))
    with containers["words"]:
        st.markdown(_verdict(by_depth, s.measure))
        questions.ask(
            "blocks-depth",
            try_it={"blocks_part": "Ablation", "blocks_over": "Ever deeper stacks", "blocks_measure": GRADIENT},
        )
        st.markdown(
            "The **gradient** says how much a small change here would change the loss, the model's error. Training "
            "follows it: where it vanishes, nothing is learned; where it explodes, training breaks. These stacks are "
            "untrained."
        )
        teaching.formula(r"\frac{\partial\,(x + F(x))}{\partial x} = I + \frac{\partial F}{\partial x}")
        teaching.code_expander("transformer/inspection/ablations.py", "depth_statistics")


def _by_depth(measure: Measure, result: Result) -> dict[str, np.ndarray]:
    """A number per depth for each ablation: at the last layer, or of the gradient the ratio of its two ends."""

    def at_the_end(statistics: "inspection.ablations.DepthStatistics") -> float:
        y = getattr(statistics, measure.field)
        if measure.field != "gradient":
            return float(y[-1])
        return float(y[0] / y[-1]) if y[-1] > 0 else float("nan")

    return {name: np.array([at_the_end(models[name]) for models in result]) for name in result[0]}


def _alt(lines: Mapping[str, np.ndarray], title: str) -> str:
    """The last number of every line."""
    numbers = ", ".join(f"{name} {amount(float(y[-1]))}" for name, y in lines.items())
    return f"{title}, at the right end: {numbers}."


def _verdict(lines: Mapping[str, np.ndarray], measure: str) -> str:
    """The four models at the greatest depth, in a sentence."""
    end = {name: float(y[-1]) for name, y in lines.items()}
    last = {name: f"**{amount(value)}**" for name, value in end.items()}
    if measure == GRADIENT:
        return (
            "In a stack of 32 layers, divide the gradient at the bottom by the one at the top: with both residual and "
            f"norm it is {last['both']}; with neither {last['neither']}; with the residual alone {last['no norm']}; "
            f"with the norm alone {last['no residual']}, but see how similar the tokens become."
        )
    if measure == SIZE:
        return (
            f"After 32 layers the size of the stream is {last['both']} with both; {last['no residual']} without the "
            f"residual; {last['no norm']} without the norm; {last['neither']} with neither."
        )
    return (
        "A cosine of 1 means that two vectors point the same way: nobody can tell the tokens apart. After 32 layers it "
        f"is **{end['no residual']:.4f}** without the residual, **{end['both']:.2f}** with both."
    )


def curves(s: Settings, result: Result) -> Curves:
    measure = MEASURES[s.measure]
    axes = ("layers in the stack", measure.at_the_end)
    return Curves(DEPTHS, _by_depth(measure, result), axes, measure.log)
