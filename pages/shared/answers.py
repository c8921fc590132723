"""What a trained model answers when something is taken from it."""

import streamlit as st

from pages.shared import display
from pages.shared.models import Answer
from pages.shared.readers import Answers


def table(whole: Answer | Answers, without: Answer | Answers, name: str, tokens: tuple[str, ...]) -> None:
    """What it says with everything in and with a part out, which `name` names."""
    where = f"after “{display.plain(' '.join(tokens[-3:]))}”" if whole.n else "at &lt;bos&gt;"
    head, rule = f"| {where} | it says | sure |", "|---|---|--:|"
    if whole.n:
        head, rule = f"{head} next words right |", f"{rule}--:|"
    lines = [head, rule]
    for which, said in (("everything in", whole), (name, without)):
        right = f" {said.right} of {said.n} |" if said.n else ""
        probability = said.probability if isinstance(said, Answer) else said.sure
        lines.append(f"| {which} | **{display.plain(said.word)}** | {probability:.0%} |{right}")
    st.markdown("\n".join(lines))
