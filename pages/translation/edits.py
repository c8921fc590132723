"""One word is changed: what is written now, where the heads look now, and what became of the other words' vectors."""

from difflib import SequenceMatcher

import numpy as np
import streamlit as st

from pages.shared import display, teaching
from pages.shared.controls import choose
from pages.translation import data
from pages.translation import figures as figures
from pages.translation.sentence import short
from transformer.training.tasks import french

# ---- change a word ---------------------------------------------------------------------------------------------


def _edit(subject: data.Subject, words: tuple[str, ...], say: list[str]) -> tuple[tuple[str, ...], int]:
    """The sentence with one word exchanged, and which one: chosen by two widgets, both in the link."""
    place = _first_noun(words)
    number = choose(
        st.select_slider, "Change word number", "edit_place", range(1, len(words) + 1), place + 1, say, follows=True,
        width=220, why=f"the sentence has {len(words)} words, so there is no word {{}}",
    )  # fmt: skip
    old = words[number - 1]
    others = _others(subject, old)
    new = choose(
        st.selectbox, f"{display.plain(short(old))} becomes", "edit_word", others, _other_gender(old, others), say,
        follows=True, width=200, why="that is not a word of this kind",
    )  # fmt: skip
    return (*words[: number - 1], new, *words[number:]), number - 1


def _first_noun(words: tuple[str, ...]) -> int:
    nouns = [n for n, word in enumerate(words) if word in french.KINDS["nouns"]]
    return nouns[0] if nouns else len(words) // 2


def _others(subject: data.Subject, old: str) -> tuple[str, ...]:
    """Words that can stand in its place: of the same kind, or any letter."""
    if subject.task.name != "french":
        known = tuple(token for token in "abcdefghijklmnopqrstuvwxyz" if token in subject.task.source.vocabulary)
    else:
        kinds = [kind for kind in french.KINDS.values() if old in kind]
        known = kinds[0] if kinds else french.KINDS["nouns"]
    return tuple(word for word in known if word != old) or (old,)


def _other_gender(old: str, others: tuple[str, ...]) -> str:
    """A noun of the other gender, where there is one: it changes the words around it."""
    for noun in french.NOUNS:
        if old in (noun.one, noun.many):
            name = "house" if noun.gender == "m" else "garden"
            return name if old == noun.one else f"{name}s"
    return others[0]


def change(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    say: list[str] = []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        edited, place = _edit(subject, words, say)
        layer, head, name = _head(subject, say)
    display.notice(*say)
    after = data.tell(subject, edited)
    pairs = _matched(told.words, after.words)
    kept = {b for a, b in pairs if told.words[a] == after.words[b]}
    gone = {a for a, b in pairs if told.words[a] == after.words[b]}
    for side, english, seen, same in (("A", words, told, gone), ("B", edited, after, kept)):
        others = set(range(len(seen.words))) - same
        st.markdown(f"**{side}** {_marked(english, {place}, 'orange')} → {_marked(seen.words[:-1], others, 'blue')}")
    a, b = (_weights(seen.maps["cross"].weights, layer, head) for seen in (told, after))
    gap = np.full(b.shape, np.nan)
    for i, j in pairs:
        gap[j] = b[j] - a[i]
    largest = float(max(a.max(), b.max()))
    left, middle, right = st.columns(3, gap="medium")
    for column, title, seen, english, map_ in ((left, "A", told, words, a), (middle, "B", after, edited, b)):
        with column:
            st.markdown(f"##### {title}: {name}")
            display.figure(
                figures.cross(seen.words, english, map_, largest), key=f"edit_{title}",
                alt=f"Cross-attention of {title}, {name}: {len(seen.words)} by {len(english)}, up to {map_.max():.2f}.",
            )  # fmt: skip
    moved = float(np.nanmax(np.abs(gap), initial=0.0))
    with right:
        st.markdown("##### B − A, cell by cell")
        display.figure(
            figures.change(after.words, edited, gap), key="edit_gap",
            alt=f"What changed from A to B: at most {moved:.3f} in a cell.",
        )  # fmt: skip
    n_words, n_rows = len(after.words) - len(kept), int((np.nan_to_num(np.abs(gap), nan=1.0).max(-1) > 0.05).sum())
    st.markdown(
        f"One English word changed. Of {len(after.words)} tokens written, :blue[**{n_words}**] are others now, and "
        f"**{n_rows}** look elsewhere by more than .05 in some cell; the largest change of a weight is "
        f":violet[**{moved:.2f}**]."
        + (" A word that stands in one of the two only is left blank." if len(pairs) < len(after.words) else "")
        if edited != words
        else "Nothing was changed."
    )
    teaching.check(
        "“the little cat” gives “petit”, “the little house” “petite”, and in the last layer both look at “little” "
        "almost alone. How does it know which to write?",
        ["It guesses", "“little” has heard of the noun, in the encoder", "French has no such rule"],
        1,
        "What it looks at is not the bare word “little” but its vector in the memory, and there the encoder has mixed "
        "in the noun. “In context” proves it: put that one vector into the other sentence, and see.",
        key="translation-change",
    )


def _head(subject: data.Subject, say: list[str]) -> tuple[int, int | None, str]:
    """The layer and head of the maps: the mean over a layer's heads at first."""
    config = subject.checkpoint.config
    L = config.n_decoder_layers
    layer = L - 1
    if L > 1:
        layer = choose(st.select_slider, "Layer", "edit_layer", range(L), L - 1, say, width=140, follows=True)
    heads = ("mean", *map(str, range(config.n_heads)))
    head = choose(st.select_slider, "Head", "edit_head", heads, "mean", say, width=200)
    return (
        layer,
        None if head == "mean" else int(head),
        f"layer {layer}, {'mean' if head == 'mean' else f'head {head}'}",
    )


def _weights(weights: np.ndarray, layer: int, head: int | None) -> np.ndarray:
    return weights[layer].mean(0) if head is None else weights[layer, head]


def _matched(a: tuple[str, ...], b: tuple[str, ...]) -> list[tuple[int, int]]:
    """Which words of two translations stand for each other: equal ones, and runs of one length between them."""
    pairs = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            pairs += zip(range(i1, i2), range(j1, j2), strict=True)
    return pairs


def _marked(words: tuple[str, ...], changed: set[int], colour: str) -> str:
    return " ".join(
        f":{colour}-background[{display.plain(short(word))}]" if n in changed else display.plain(short(word))
        for n, word in enumerate(words)
    )


# ---- in context ------------------------------------------------------------------------------------------------


def context(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    say: list[str] = []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        edited, place = _edit(subject, words, say)
        same = [n for n in range(len(words)) if n != place]
        if edited == words or not same:
            display.notice(*say, "There is no word that stands in both sentences. Type a longer sentence.")
            return
        with display.loading(300):
            heights, cosines = data.likeness(subject, words, edited)
        usual = _adjective(words, same, cosines) + 1
        number = choose(
            st.select_slider, "Follow word number", "follow", [n + 1 for n in same], usual, say, follows=True,
            width=220, why="that word is not in both sentences",
        )  # fmt: skip
    display.notice(*say)
    word = number - 1
    chart, thread = st.columns([7, 5], gap="large")
    line = cosines[:, word]
    with chart:
        st.markdown(
            f"**A** &ensp; {_marked(words, {place}, 'orange')}\n\n**B** &ensp; {_marked(edited, {place}, 'orange')}"
        )
        display.figure(
            figures.likeness(heights, tuple(words[n] for n in same), cosines[:, same], same.index(word)),
            key="context",
            alt=f"How alike the vectors of “{words[word]}” are in both sentences: "
            + ", ".join(f"{height} {value:.3f}" for height, value in zip(heights, line, strict=True)),
        )
    with thread:
        start = "**exactly equal**" if line[1] == 1 else f"alike by {line[1]:.3f}"
        st.markdown(
            f"**{display.plain(short(words[word]))}** stands at the same place in both sentences. Before the first "
            f"layer its two vectors are {start}: the same row of the table, the same position. Then it hears of "
            f"its neighbours, and in the memory their cosine is :violet[**{line[-1]:.2f}**]. That is a *contextual* "
            "embedding: no longer the word alone, but the word in this sentence."
        )
        teaching.check(
            "Take A's memory, and in it exchange this one vector for the one from B. What can change?",
            ["Nothing: the rest is still A", "Words that look at it, such as an adjective's ending", "The noun itself"],
            1,
            "The changed word's own vector is untouched, so its translation stays. But who looks at this vector now "
            "hears of the other noun. Try it.",
            key="translation-context",
        )
        name = display.plain(short(words[word]))
        if st.toggle(f"Exchange the vector of “{name}”", key="graft", bind="query-params"):
            _graft(subject, words, edited, word, told)
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/translation.py", "heights")
            teaching.code("transformer/inspection/translation.py", "graft")


def _adjective(words: tuple[str, ...], same: list[int], cosines: np.ndarray) -> int:
    """What is worth following: an adjective of the sentence, and of several the one that changed most."""
    adjectives = [n for n in same if words[n] in french.KINDS["adjectives"]]
    return min(adjectives or same, key=lambda n: cosines[-1, n])


def _graft(subject: data.Subject, words, edited, word: int, told: data.Told) -> None:
    """The proof: one vector of B in A's memory, and what is written then."""
    made = data.grafted(subject, words, edited, word)
    after = data.tell(subject, edited).words[:-1]
    others = set(range(len(made))) - {j for i, j in _matched(told.words, made) if told.words[i] == made[j]}
    name = display.plain(short(words[word]))
    st.markdown(
        f"| memory | written |\n|---|---|\n| of A | {_marked(told.words[:-1], set(), 'blue')} |\n"
        f"| of B | {_marked(after, set(), 'blue')} |\n"
        f"| of A, but **{name}** from B | {_marked(made, others, 'blue') or '(nothing)'} |"
    )
