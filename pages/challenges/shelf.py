"""The list of puzzles, each with the way to the page where it is played."""

import streamlit as st

from lab.kit import catalogue, frames
from lab.kit.page import Page
from lab.kit.questions import DOTS
from lab.kit.view import heading
from pages.challenges.challenges import CHALLENGES


def show(here: Page) -> None:
    """The page of puzzles."""
    heading(here)
    n = len(CHALLENGES)
    st.html(DOTS.format(page=here.url, noun="puzzle", dots="<i></i>" * n, text=f"{n} puzzles"))
    puzzles = st.container(key="figure-puzzles")
    for challenge in CHALLENGES:
        page = catalogue.page(challenge.start.page)
        with puzzles.container(key=f"puzzle-{challenge.key}"):
            st.html(frames.picture(challenge.address))
            st.markdown(f"## {challenge.goal}")
            st.markdown(challenge.words)
            st.page_link(
                page.script,
                label=f"**Play on {page.title}**",
                icon=":material/arrow_forward:",
                query_params=challenge.tab.opens,
            )
    solved = "\n".join(
        f'[data-solved~="challenges-{challenge.key}"] .st-key-puzzle-{challenge.key} h2::before'
        ' { content: "✓ " / "solved: "; }'
        for challenge in CHALLENGES
    )
    st.html(f"<style>{solved}</style>")
