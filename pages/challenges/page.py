"""Challenges: a goal each, and a link that proves that it was reached."""

import streamlit as st

from pages.challenges import rail
from pages.challenges.challenges import CHALLENGES
from pages.challenges.proof import view
from pages.shared.view import heading, render

heading(
    "challenges",
    f"{len(CHALLENGES)} puzzles. Solve one on another page of this app and paste its **link** here: the server checks"
    " the proof.",
)
with st.container(key="puzzles"):
    rail.head()
    render([view(challenge) for challenge in CHALLENGES], "challenge")
