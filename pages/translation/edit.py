"""One word of the sentence exchanged for another: its two controls, and what two translations have in common."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.figures import display
from lab.kit.words import brief
from pages.translation.sentence import Sentence
from transformer.training.tasks import english, french
from transformer.training.tasks.task import Task


class Edit(NamedTuple):
    """The words after an edit, and the place of the word that was exchanged."""

    words: tuple[str, ...]
    place: int


PLACE, WORD = "tr_edit_place", "tr_edit_word"
FOLLOW, GRAFT = "tr_follow", "tr_graft"


def ask_edit(sentence: Sentence) -> Edit:
    """The sentence with one word exchanged, chosen by two controls; as it is until another word is chosen."""
    words, task = sentence.words, sentence.ref.resolve().task
    is_named = any(key in st.query_params for key in (PLACE, FOLLOW, GRAFT))
    place = ask_word("Change word", PLACE, words, range(len(words)), _default_place(words, task), visible=True)
    old = words[place]
    others = replacements(old, task)
    if is_named and WORD not in st.session_state and WORD not in st.query_params:
        st.session_state[WORD] = default_replacement(old, others)  # as links say it that name no word
    new = settings.choose(
        st.selectbox,
        f"{shown(old)} becomes",
        WORD,
        tuple(dict.fromkeys((old, *others))),
        old,
        follows=True,
        width=160,
        chip=lambda word: "" if word == brief(old) else f"{brief(old)} → {word}",
        why="that is not a word of this kind",
    )
    return Edit((*words[:place], new, *words[place + 1 :]), place)


def name_of(words: tuple[str, ...], n: int) -> str:
    """A word with its number, which a sentence may need to tell two of them apart: "4 cat"."""
    return f"{n + 1} {words[n]}"


def ask_word(
    label: str, key: str, words: tuple[str, ...], places: Iterable[int], default: int, *, visible: bool = False
) -> int:
    """One of the words at these places, each offered with its number, "4 cat". In a link the number is enough.
    visible: with its label."""
    named = {name_of(words, n): n for n in places}
    first = next(name for name, n in named.items() if n == default)
    given = str(st.session_state.get(key) or st.query_params.get(key) or "")
    if given not in named:
        number = given.split(" ")[0]
        for name, n in named.items():
            if str(n + 1) == number:
                st.session_state[key] = name
    name = settings.choose(
        st.selectbox,
        label,
        key,
        tuple(named),
        first,
        follows=True,
        width=160 if visible else 112,
        label_visibility="visible" if visible else "collapsed",
        chip=None,  # what becomes of it says which word it is
        why="there is no such word in this sentence",
    )
    return named[name]


def _default_place(words: tuple[str, ...], task: Task) -> int:
    """The first noun, or the middle of the sentence."""
    nouns = [n for n, word in enumerate(words) if word in task.kinds.get("nouns", ())]
    return nouns[0] if nouns else len(words) // 2


def replacements(old: str, task: Task) -> tuple[str, ...]:
    """Words that can stand in its place: of its kind, or of the task's first kind for an unknown word."""
    kinds = [kind for kind in task.kinds.values() if old in kind] or [*task.kinds.values()]
    return tuple(word for word in kinds[0] if word != old) or (old,)


def changes(words: tuple[str, ...], task: Task) -> list[tuple[int, str]]:
    """For each word for which another can stand in a sentence that the task can check, its place and that other."""
    found = []
    for n, old in enumerate(words):
        others = replacements(old, task)
        for other in (default_replacement(old, others), *others):
            if other != old and task.answer((*words[:n], other, *words[n + 1 :])):
                found.append((n, other))
                break
    return found


def default_replacement(old: str, others: tuple[str, ...]) -> str:
    """A noun of the other gender, which changes the words around it; in French, where it would have to change them
    itself, one of the same; or the first word that there is."""
    other = french.noun_of_other_gender(old) or english.similar_noun(old)
    return other if other in others else others[0]


def shown(word: str) -> str:
    """A word, not too long, for a place that reads Markdown."""
    return display.plain(brief(word))


def highlighted(words: tuple[str, ...], changed: set[int]) -> str:
    """The words in Markdown, those at the places in `changed` on a blue ground."""
    return " ".join(f":blue-background[{shown(word)}]" if n in changed else shown(word) for n, word in enumerate(words))


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
