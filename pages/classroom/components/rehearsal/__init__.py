"""A rehearsal: the projector's page and a phone's side by side, with a class of one whose room is in the browser."""

from pathlib import Path

from lab.kit.components import component
from lab.server.rooms.plan import Plan

_mount = component("rehearsal", Path(__file__).parent)
PAGES = {"projector": "./projector?rehearsal", "phone": "./join?rehearsal"}


def rehearsal(plan: Plan, *, key: str) -> None:
    """Put it on the page: what a room with this plan would ask."""
    _mount(data={"title": plan.title, "steps": [step._asdict() for step in plan.steps], "pages": PAGES}, key=key)
