"""Puzzles: a goal each, to be reached on another page of the app."""

from pathlib import Path

import streamlit as st

from lab.frame.foot import DOTS
from lab.kit import catalogue
from lab.kit.view import heading
from pages.challenges.bar import PARAMETER
from pages.challenges.challenges import CHALLENGES

STYLE = Path(__file__).with_name("page.css")

heading(
    "challenges",
    "Each is played on another page of this app. Its goal stands there above the figure; the server computes whether"
    " you have reached it.",
)
st.html(STYLE)
n = len(CHALLENGES)
st.html(DOTS.format(page="challenges", noun="puzzle", dots="<i></i>" * n, text=f"{n} puzzles"))
puzzles = st.container(key="figure-puzzles")
for challenge in CHALLENGES:
    page = catalogue.page(challenge.start.page)
    with puzzles.container(key=f"puzzle-{challenge.key}"):
        st.markdown(f"## {challenge.goal}")
        st.markdown(challenge.words)
        st.page_link(
            page.script, label=f"**Play on {page.title}**", icon=":material/arrow_forward:",
            query_params={**challenge.start.settings, PARAMETER: challenge.key},
        )  # fmt: skip
solved = "\n".join(
    f'[data-solved~="challenges-{challenge.key}"] .st-key-puzzle-{challenge.key} h2::before'
    ' { content: "✓ " / "solved: "; }'
    for challenge in CHALLENGES
)
st.html(f"<style>{solved}</style>")
