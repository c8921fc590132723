"""A rehearsal: the board as the projector shows it, with an invented class whose room is in the browser."""

from pathlib import Path
from typing import Any

from lab.kit.components import component
from lab.server.rooms.plan import Plan

_mount = component("rehearsal", Path(__file__).parent)
PAGE = "./projector?rehearsal"


def rehearsal(plan: Plan, invented: list[list[list[Any]]], *, key: str) -> None:
    """Put it on the page: what a room with this plan would ask, and what an invented class answers in each round."""
    steps = [step._asdict() for step in plan.steps]
    _mount(data={"title": plan.title, "steps": steps, "invented": invented, "page": PAGE}, key=key)
