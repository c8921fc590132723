"""The same word in two sentences: how its vectors part on the way up the encoder, and what one of them carries."""

from typing import NamedTuple

import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer
from pages.shared.view import View
from pages.translation import data, figures, sentence
from pages.translation.edit import Edit, ask_edit, ask_word, highlighted, shown, unchanged
from pages.translation.sentence import Sentence

CODE = "transformer/inspection/translation.py"


class Settings(NamedTuple):
    """The sentence, its edit, the place of the word to follow, and whether its vector is swapped."""

    sentence: Sentence
    edit: Edit
    word: int
    swap: bool


class Result(NamedTuple):
    """How similar both sentences are, and the three translations with and without the swap, or None without one."""

    similarity: data.Similarity
    swapped: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None


def ask() -> Settings | None:
    text = sentence.current()
    with settings.place_named("row"):
        edit = ask_edit(text)
        shared = _shared_places(edit)
        if edit.words == text.words or not shared:
            settings.notify("The two sentences have no word in common. Type a longer sentence.")
            return None
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            st.markdown("and follow", width="content")
            word = ask_word("Follow word", "follow", text.words, shared, _default_word(text, edit, shared))
        swap = st.toggle("Swap its vector", key="graft", bind="query-params")
    return Settings(text, edit, word, swap)


def _shared_places(edit: Edit) -> list[int]:
    """The places that hold the same word in both sentences."""
    return [n for n in range(len(edit.words)) if n != edit.place]


def _default_word(text: Sentence, edit: Edit, shared: list[int]) -> int:
    """The adjective whose vector changes most; where there is no adjective, the word."""
    adjectives = text.ref.resolve().task.kinds.get("adjectives", ())
    cosines = data.similarity(text.ref, text.words, edit.words).cosines
    candidates = [n for n in shared if text.words[n] in adjectives] or shared
    return min(candidates, key=lambda n: cosines[-1, n])


def compute(s: Settings) -> Result:
    ref, words = s.sentence
    similarity = data.similarity(ref, words, s.edit.words)
    if not s.swap:
        return Result(similarity, None)
    a, b = (data.translated(ref, side).words for side in (words, s.edit.words))
    return Result(similarity, (a, b, data.memory_swapped(ref, words, s.edit.words, s.word)))


def draw(s: Settings, result: Result) -> None:
    words, edit, shared = s.sentence.words, s.edit, _shared_places(s.edit)
    stages, cosines = result.similarity
    line = cosines[:, s.word]
    chart, notes = st.columns([7, 5], gap="large")
    with chart:
        display.figure(
            figures.similarity(stages, _told_apart(words, shared), cosines[:, shared], shared.index(s.word)),
            key="context",
            alt=f"How similar the vectors of “{words[s.word]}” are in both sentences: "
            + ", ".join(f"{stage} {value:.3f}" for stage, value in zip(stages, line, strict=True)),
        )
        st.markdown(
            f"**A** &ensp; {highlighted(words, {edit.place}, 'orange')}\n\n"
            f"**B** &ensp; {highlighted(edit.words, {edit.place}, 'orange')}"
        )
        if result.swapped:
            _draw_swap(s, result.swapped)
    with notes:
        start = "are **exactly equal**" if line[1] == 1 else f"have a cosine of {line[1]:.3f}"
        st.markdown(
            f"**{shown(words[s.word])}** has the same position in both sentences. Before the first layer, its two "
            f"vectors {start}: the same row of the table, the same position. Then each takes in its neighbours, and in "
            f"the memory their cosine is **{line[-1]:.2f}**. That is a *contextual* embedding: no longer the word by "
            "itself, but the word in this sentence."
        )
        teaching.check(
            "Take A’s memory, and replace this one vector in it with the one from B. What can change in the "
            "translation?",
            Answer(
                "Words that look at it, such as an adjective and its ending",
                "They now read something of the other sentence. Everything that looks elsewhere reads A, as before.",
                right=True,
            ),
            Answer(
                "Nothing: the word is the same in both sentences",
                "The *word* is the same, its vector is not: on the way up it has taken in its neighbours.",
            ),
            Answer(
                "The word that differs between A and B",
                "That word has a vector of its own in the memory, which is untouched. Its translation stays.",
            ),
            Answer(
                "Everything: it becomes the translation of B",
                "All the other vectors are still those of A. One vector carries only what has got into it.",
            ),
            key="translation-context",
            try_it={"translation_view": "In context", "graft": True},
        )
        teaching.code_expander(CODE, "residual_stream", "memory_swap", icon=None)


def _told_apart(words: tuple[str, ...], places: list[int]) -> tuple[str, ...]:
    """The words at these places; one that comes twice has its number, as in the controls."""
    return tuple(words[n] if words.count(words[n]) == 1 else f"{n + 1} {words[n]}" for n in places)


def _draw_swap(s: Settings, translations: tuple[tuple[str, ...], ...]) -> None:
    """What is written from the memory of A, from that of B, and from that of A with one vector of B."""
    a, b, swapped = translations
    changed = set(range(len(swapped))) - unchanged(a, swapped)
    written = highlighted(swapped, changed, "blue") or "(nothing)"
    st.markdown(
        f"| memory | written |\n|---|---|\n| of A | {highlighted(a[:-1], set(), 'blue')} |\n"
        f"| of B | {highlighted(b[:-1], set(), 'blue')} |\n"
        f"| of A, but **{shown(s.sentence.words[s.word])}** from B | {written} |"
    )


VIEW = View(
    "In context", ask, compute, draw, asks="Is a word the same in another sentence?",
    lede="One word in two sentences: its vectors are equal at first, then every layer mixes its neighbours in.",
)  # fmt: skip
