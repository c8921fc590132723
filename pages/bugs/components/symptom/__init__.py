"""What a healthy model answers and, below it, what the model with the wrong line answers, until the line is cured."""

from pathlib import Path

from lab.kit.components import component
from pages.bugs.data import Symptom

_mount = component("symptom", Path(__file__).parent)


def symptom(shown: Symptom, *, is_cured: bool, key: str) -> None:
    """Put both answers on the page."""
    _mount(data={**shown._asdict(), "cured": is_cured}, key=key)
