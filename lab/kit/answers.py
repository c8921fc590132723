"""What a trained model answers, and its answers as it is and after an ablation, side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from lab.kit.figures import display
from lab.kit.models.source import Source

if TYPE_CHECKING:
    import numpy as np


class Answer(NamedTuple):
    """What a trained model ranks first at its answer position, and with which probability; and for how many of n next
    words of the text it ranks the right one first (n is 0 for an encoder)."""

    word: str
    probability: float
    right: int
    n: int


def answer(source: Source, tokens: Sequence[str], logits: "np.ndarray") -> Answer:
    """What these logits (T, V) of a trained model say."""
    import numpy as np

    logits = logits.astype("f8")
    at = source.answer_position(tokens)
    odds = np.exp(logits[at] - logits[at].max())
    best = int(odds.argmax())
    n = len(tokens) - 1 if source.kind == "decoder" else 0
    right = int((logits[:n].argmax(1) == source.ids(tokens)[1 : n + 1]).sum()) if n else 0
    return Answer(source.label(best), float(odds[best] / odds.sum()), right, n)


def table(whole: Answer, without: Answer, name: str, tokens: Sequence[str]) -> None:
    """Put both answers into a table; `name` says what was ablated."""
    where = f"after “{display.plain(' '.join(tokens[-3:]))}”" if whole.n else "at ⟨start⟩"
    head, rule = f"| {where} | it says | sure |", "|---|---|--:|"
    if whole.n:
        head, rule = f"{head} next words right |", f"{rule}--:|"
    lines = [head, rule]
    for label, answer in (("whole model", whole), (name, without)):
        right = f" {answer.right} of {answer.n} |" if answer.n else ""
        lines.append(f"| {label} | **{display.plain(answer.word)}** | {answer.probability:.0%} |{right}")
    st.markdown("\n".join(lines))
