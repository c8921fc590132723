"""What has to be said first of a translation that went wrong, or that nobody can check: from its words and weights."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lab.kit.words import brief, counted, listed
from transformer import inspection, training

LEAST = 0.03  # of an attention weight, as in thread_lines.js: below it, no thread is drawn
_NAMED = 4  # words, at most


class Fault(NamedTuple):
    """What has to be said first, in one sentence, and what may follow it; both "" for a translation that is right."""

    first: str = ""
    then: str = ""


class Mistake(NamedTuple):
    """Where a translation leaves the right one: the place, what is written there, and what should be.

    written, right  "" where the text has ended there
    """

    place: int
    written: str
    right: str


def mistake(
    written: Sequence[int], right: Sequence[int], names: Sequence[str], right_names: Sequence[str]
) -> Mistake | None:
    """The first place where two texts differ, in the spelling that all right answers share; None if they are equal.

    names, right_names  of their words on screen
    """
    for n in range(max(len(written), len(right))):
        if written[n : n + 1] != right[n : n + 1]:
            return Mistake(n, "".join(names[n : n + 1]), "".join(right_names[n : n + 1]))
    return None


def first_mistake(
    task: "training.tasks.task.Task",
    translation: "inspection.translation.Translation",
    answer: "training.tasks.task.Example | None",
) -> Mistake | None:
    """Where a translation leaves the right one; None for one that is right, or where nobody knows."""
    if answer is None:
        return None
    written, right = translation.answer, answer.target
    names = (inspection.translation.token_labels(task.target, ids) for ids in (written, right))
    return mistake(task.canonical(written), task.canonical(right), *names)


def fault(
    source: Sequence[str],
    unread: Sequence[bool],
    weights: np.ndarray,
    *,
    is_checked: bool,
    mistake: Mistake | None,
    has_ended: bool,
    unit: str = "word",
) -> Fault:
    """What is wrong with a translation.

    unread      which words of the source the model does not know
    weights     (T, S) of the words that it wrote, without the end
    is_checked  whether there is a right answer; mistake: where it leaves that
    has_ended   whether it came to an end by itself
    unit        what the model reads and writes: words, or letters
    """
    unknown = list(dict.fromkeys(word for word, is_unread in zip(source, unread, strict=True) if is_unread))
    wrong = _said(mistake, unit) if mistake else ""
    if unknown:
        instead = "⟨unknown⟩ in its place" if len(unknown) == 1 else "⟨unknown⟩ for each of them"
        first = f"It does not know {_quoted(unknown, unit)} and reads {instead}."
    elif wrong:
        first, wrong = wrong, ""
    elif not is_checked:
        first = "Nobody can check this translation: the grammar has no such sentence."
    else:
        return Fault()
    then = wrong or _left(source, weights, unit) if has_ended else _endless(len(weights), unit)
    return Fault(first, then)


def _quoted(words: Sequence[str], unit: str) -> str:
    """Words in quotation marks; of many, the first ones."""
    names = [f"“{brief(word)}”" for word in words]
    return listed(names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more {unit}s"])


def _said(mistake: Mistake, unit: str) -> str:
    place, written, right = mistake
    if not written:
        return f"It stops too early: “{right}” is missing."
    if not right:
        return f"It does not stop in time: “{written}” is too much."
    return f"It goes wrong at {unit} {place + 1}: “{written}” should be “{right}”."


def _left(source: Sequence[str], weights: np.ndarray, unit: str) -> str:
    """The words of the source that no word of the translation looks at."""
    seen = [n for n in range(len(source)) if (weights[:, n] >= LEAST).any()]
    if len(seen) == len(source):
        return ""
    if not seen:
        return "Nothing that it wrote looks at your sentence."
    if seen == list(range(len(seen))):
        return f"It stops after “{brief(source[seen[-1]])}”: no {unit} that it wrote looks any further."
    unseen = [word for n, word in enumerate(source) if n not in seen]
    return f"No {unit} that it wrote looks at {_quoted(unseen, unit)}."


def _endless(n: int, unit: str) -> str:
    return f"It finds no end: it was stopped after {counted(n, unit)}."
