"""One word of the sentence exchanged for another: its two controls, and what two translations have in common."""

from difflib import SequenceMatcher
from typing import NamedTuple

import streamlit as st

from pages.shared import display, settings
from pages.translation.sentence import Sentence
from transformer.training.tasks import french
from transformer.training.tasks.task import Task


class Edit(NamedTuple):
    """The words after an edit, and the place of the word that was exchanged."""

    words: tuple[str, ...]
    place: int


def ask_edit(sentence: Sentence) -> Edit:
    """The sentence with one word exchanged, chosen by two controls."""
    words, task = sentence.words, sentence.ref.resolve().task
    number = settings.choose(
        st.select_slider, "Change word number", "edit_place", range(1, len(words) + 1), _default_place(words, task) + 1,
        follows=True, width=220, why=f"the sentence has {len(words)} words, so there is no word {{}}",
    )  # fmt: skip
    old = words[number - 1]
    others = _replacements(old, task)
    new = settings.choose(
        st.selectbox, f"{shown(old)} becomes", "edit_word", others, _default_replacement(old, others),
        follows=True, width=200, why="that is not a word of this kind",
    )  # fmt: skip
    return Edit((*words[: number - 1], new, *words[number:]), number - 1)


def _default_place(words: tuple[str, ...], task: Task) -> int:
    """The first noun, or the middle of the sentence."""
    nouns = [n for n, word in enumerate(words) if word in task.kinds.get("nouns", ())]
    return nouns[0] if nouns else len(words) // 2


def _replacements(old: str, task: Task) -> tuple[str, ...]:
    """Words that can stand in its place: of its kind, or of the task's first kind for an unknown word."""
    kinds = [kind for kind in task.kinds.values() if old in kind] or [*task.kinds.values()]
    return tuple(word for word in kinds[0] if word != old) or (old,)


def _default_replacement(old: str, others: tuple[str, ...]) -> str:
    """A noun of the other gender, which changes the words around it, or the first that there is."""
    return french.noun_of_other_gender(old) or others[0]


def shown(word: str) -> str:
    """A word, not too long, for a place that reads Markdown."""
    return display.plain(settings.shortened(word))


def highlighted(words: tuple[str, ...], changed: set[int], colour: str) -> str:
    """The words in Markdown, those at the places in `changed` on a coloured ground."""
    return " ".join(
        f":{colour}-background[{shown(word)}]" if n in changed else shown(word) for n, word in enumerate(words)
    )


def matched(a: tuple[str, ...], b: tuple[str, ...]) -> list[tuple[int, int]]:
    """Which words of two translations stand for each other: equal ones, and runs of one length between them."""
    pairs: list[tuple[int, int]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            pairs += zip(range(i1, i2), range(j1, j2), strict=True)
    return pairs


def unchanged(a: tuple[str, ...], b: tuple[str, ...]) -> set[int]:
    """The places in b of words that are the same in a."""
    return {j for i, j in matched(a, b) if a[i] == b[j]}
