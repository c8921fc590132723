"""One beginning, continued by models in training: a row per model, a slider for the step, and the old story below."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lab.kit.components import component

if TYPE_CHECKING:
    from pages.finetuning.data import Continued

_mount = component("continuations", Path(__file__).parent)
_SIGNS = frozenset(".,?!:;")  # stand at the word before them


def payload(talk: "Continued", story: "Continued", trained: Mapping[str, int], n_tests: int) -> dict:
    """What the browser is sent. trained: how many parameters are, in each way; n_tests: held-out texts of each kind."""
    return {"trained": dict(trained), "tests": n_tests, "talk": _plain(talk), "story": _plain(story)}


def continuations(data: dict, *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)


def _plain(continued: "Continued") -> dict:
    return {
        "begins": continued.beginning,
        "steps": list(continued.steps),
        "ways": [
            {
                "way": way,
                "shares": [round(share, 4) for share in one.shares],
                "texts": [
                    [["" if word in _SIGNS else " ", word, keeps] for word, keeps in words] for words in one.texts
                ],
            }
            for way, one in continued.ways.items()
        ],
    }
