"""A race of models in training: what each has learned and kept at every step, and how it goes on with a beginning."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lab.kit.components import component

if TYPE_CHECKING:
    from pages.finetuning.data import Continued, Sample
    from transformer import training

_mount = component("continuations", Path(__file__).parent)
_SIGNS = frozenset(".,?!:;")  # stand at the word before them


def payload(
    talk: "Continued", story: "Sample", tuned: "Mapping[str, training.finetuning.Tuned]", *, is_usual: bool
) -> dict:
    """What the browser is sent. is_usual: whether `talk` has the beginning that the page opens with."""
    trained = {way: [one.n_trained, one.n_parameters] for way, one in tuned.items()}
    return {
        "race": race(tuned),
        "trained": trained,
        "talk": _plain(talk) | {"is_usual": is_usual},
        "typical": _typical(story, tuned),
    }


def race(tuned: "Mapping[str, training.finetuning.Tuned]") -> dict:
    """What each way has learned of the new task and kept of the old one at every measured step."""
    return {
        "steps": next(iter(tuned.values())).steps.tolist(),
        "ways": [
            {
                "way": way,
                "learned": [round(share, 4) for share in one.accuracies.tolist()],
                "kept": [round(share, 4) for share in one.old.tolist()],
            }
            for way, one in tuned.items()
        ],
    }


def continuations(data: dict, *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)


def _typical(sample: "Sample", ways: Mapping[str, object]) -> dict:
    """text: [what stands before a word, the word, whether it is a fact]; ways: what is said in place of each fact by
    step, null where that is right."""
    return {
        "text": [[_gap(one.word), one.word, one.fact is not None] for one in sample.text],
        "ways": {way: sample.ways[way] for way in ways},
    }


def _gap(word: str) -> str:
    return "" if word in _SIGNS else " "


def _plain(continued: "Continued") -> dict:
    return {
        "begins": continued.beginning,
        "steps": list(continued.steps),
        "ways": [
            {"way": way, "texts": [[[_gap(word), word, keeps] for word, keeps in words] for words in texts]}
            for way, texts in continued.ways.items()
        ],
    }
