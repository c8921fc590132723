"""Rotary positions stretched for longer texts: every pair of a trained model's heads, and how sure it then is."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, teaching
from lab.kit.controls.hyperparameters import STRETCH, STRETCH_FACTOR, STRETCHES
from lab.kit.figures import display
from pages.positions import data, rotary_figures
from pages.positions.controls import settings_line
from transformer import core, inspection


class Settings(NamedTuple):
    kind: str
    factor: int


class Result(NamedTuple):
    pairs: "inspection.stretching.Pairs"
    before: "inspection.stretching.Answers"
    after: "inspection.stretching.Answers"


def ask() -> Settings:
    with settings_line():
        return Settings(STRETCH.ask(chip="{}"), STRETCH_FACTOR.ask(format_func="× {}".format, chip="× {}"))


def compute(s: Settings) -> Result:
    kind = STRETCHES[s.kind] if s.factor > 1 else data.AS_TRAINED
    pairs = data.stretched_pairs(kind, s.factor)
    return Result(pairs, data.closing_answers(data.AS_TRAINED, 1), data.closing_answers(kind, s.factor))


def draw_figure(result: Result) -> None:
    left, right = st.columns([4, 5], gap="medium")
    pairs, trained = result.pairs, data.trained_length()
    with left:
        display.figure(
            rotary_figures.stretched(*pairs),
            key="pos_stretched_pairs",
            alt="; ".join(
                f"pair {n}: pace {pace:.0%}, new angles {new:.0%}, before {before:.0%}"
                for n, (_, pace, new, before) in enumerate(zip(*pairs, strict=True))
            ),
        )
    with right:
        edges = list(range(0, data.LONG + 1, data.STEP))
        before, after = (_means(answers, edges) for answers in (result.before, result.after))
        display.figure(
            rotary_figures.by_place(np.array(edges), before, after, trained),
            key="pos_stretched_answers",
            alt=f"Probability of the right bracket in steps of {data.STEP} tokens, as trained "
            f"{', '.join(f'{p:.0%}' for p in before)}; stretched {', '.join(f'{p:.0%}' for p in after)}.",
        )


def _means(answers: "inspection.stretching.Answers", edges: list[int]) -> np.ndarray:
    return inspection.stretching.by_place(answers, edges)


def draw_words(s: Settings, result: Result) -> None:
    trained = data.trained_length()
    st.markdown(
        f"A model that closes **brackets in code** was trained on texts of {trained} tokens. In longer ones its slow"
        " pairs of features reach angles that it has never met. **Stretching** turns them more slowly; nothing is"
        " trained again. Wide bars: without the stretch."
    )
    st.markdown(_table(result, trained))
    st.markdown(_kind(s, result))


def _table(result: Result, trained: int) -> str:
    edges = [0, trained, 2 * trained, data.LONG]
    before, after = (_means(answers, edges) for answers in (result.before, result.after))
    rows = [
        f"| {low} to {high - 1} | {old:.1%} | **{new:.1%}** |"
        for low, high, old, new in zip(edges[:-1], edges[1:], before, after, strict=True)
    ]
    return "\n".join(["| at token | as trained | stretched |", "|:--|--:|--:|", *rows])


def _kind(s: Settings, result: Result) -> str:
    """What this stretch does."""
    if s.factor == 1:
        return "A factor of 1 stretches nothing."
    said = {
        "linear": f"**Linear** slows all pairs alike. Every distance up to {s.factor} times as far has known angles,"
        f" but neighbours are told apart by 1/{s.factor} of the angle they had.",
        "NTK": "**NTK** takes a larger base: the fastest pair keeps its pace, so near tokens stay apart, the slowest"
        f" turns 1/{s.factor} as fast, and those between them are slowed in part.",
        "Llama 3": "**Llama 3** slows fully what turns less than once in a text of training, not at all what turns more"
        " than 4 times, and the rest in part.",
        "YaRN": "**YaRN** does much the same, from pair to pair, and with longer arrows: all scores are multiplied by"
        f" {_gain(s.factor) ** 2:.2f}, which makes attention a little sharper.",
    }
    return said[s.kind]


def _gain(factor: int) -> float:
    return core.stretching.yarn_gain(factor)


def draw_below() -> None:
    with display.prose():
        st.caption(
            f"Computed now by the model that ships with this project: {data.N_CODES} made-up pieces of code of"
            f" {data.LONG} tokens, every closing bracket in them, by its place. A guess among three kinds of brackets"
            " would give 33%. Longer than its training also means deeper: not all that is lost there is lost to"
            " positions. It is one small model with 6 pairs per head; which stretch is best differs from model to"
            " model, and published models are usually trained a little further after it."
        )
        teaching.code_expander(
            "transformer/core/positions.py",
            "stretched",
            "stretched_by_base",
            "stretched_by_length",
            "stretched_by_pair",
        )
        questions.ask("positions-stretch", try_it={"rotary_stretch": "linear", "rotary_factor": 8})
