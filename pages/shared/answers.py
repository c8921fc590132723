"""A trained model's answers as it is and after an ablation, side by side."""

from collections.abc import Sequence

import streamlit as st

from pages.shared import display
from pages.shared.models import Answer


def table(whole: Answer, without: Answer, name: str, tokens: Sequence[str]) -> None:
    """Put both answers into a table; `name` says what was ablated."""
    where = f"after “{display.plain(' '.join(tokens[-3:]))}”" if whole.n else "at &lt;bos&gt;"
    head, rule = f"| {where} | it says | sure |", "|---|---|--:|"
    if whole.n:
        head, rule = f"{head} next words right |", f"{rule}--:|"
    lines = [head, rule]
    for label, answer in (("everything in", whole), (name, without)):
        right = f" {answer.right} of {answer.n} |" if answer.n else ""
        lines.append(f"| {label} | **{display.plain(answer.word)}** | {answer.probability:.0%} |{right}")
    st.markdown("\n".join(lines))
