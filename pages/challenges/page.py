"""Challenges: a goal each, and a link that proves that it was reached."""

from pages.challenges.challenges import CHALLENGES
from pages.challenges.proof import view
from pages.shared.view import heading, render

heading(
    "challenges",
    "Every state of this app is a link, so a link can be a proof. Reach the goal, paste your link here, and the server"
    " computes it again.",
)
render([view(challenge) for challenge in CHALLENGES], "challenge")
