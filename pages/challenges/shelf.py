"""The puzzles: the first is solved where it stands, and the others show what is so now, with the way to their pages."""

from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue
from lab.kit import view as views
from lab.kit.page import Page
from lab.kit.questions import DOTS
from lab.kit.view import View
from pages.challenges import bar, data, heads, pictures, texts, training
from pages.challenges.challenge import Challenge
from pages.challenges.challenges import CHALLENGES
from pages.challenges.components.one_head import one_head, pack
from pages.challenges.page import MAX_LOSS, WIDTH
from transformer.training.text import clean

FIRST, *OTHERS = CHALLENGES


class Shelf(NamedTuple):
    """The first puzzle, and the pictures of the others in HTML, by their keys."""

    heads: heads.Heads
    pictures: dict[str, str]


def show(here: Page) -> None:
    """The page of puzzles."""
    views.heading(here)
    n = len(CHALLENGES)
    st.html(DOTS.format(page=here.url, noun="puzzle", dots="<i></i>" * n, text=f"{n} puzzles"))
    views.show(VIEW)
    solved = "\n".join(
        f'[data-solved~="challenges-{challenge.key}"] .st-key-puzzle-{challenge.key} h2::before'
        ' { content: "✓ " / "solved: "; }'
        for challenge in CHALLENGES
    )
    st.html(f"<style>{solved}</style>")


def ask() -> tuple[()]:
    return ()


def compute(_: tuple[()]) -> Shelf:
    drawn = {texts.UNDECIDED_STORY.key: _undecided, texts.FRENCH.key: _french, training.SMALL.key: _small}
    return Shelf(heads.heads(), {challenge.key: drawn[challenge.key]() for challenge in OTHERS})


def draw(_: tuple[()], shelf: Shelf) -> None:
    with st.container(key=f"puzzle-{FIRST.key}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"## {FIRST.goal}", width="content")
            st.space("stretch")
            _way(FIRST)
        _play(shelf.heads)
    with st.container(key="puzzles-more"):
        for challenge in OTHERS:
            with st.container(key=f"puzzle-{challenge.key}"):
                st.markdown(f"## {challenge.goal}")
                st.html(shelf.pictures[challenge.key])
                _way(challenge)


def _play(found: heads.Heads) -> None:
    """The puzzle itself. What the reader's browser keeps as solved is judged here, as on the page Heads."""
    L, H = found.weights.shape[:2]
    silenced = one_head(pack(found.tokens, found.weights, (heads.HE, heads.SHE), found.shares), key="one-head")
    is_one = silenced is not None and 0 <= silenced < L * H
    is_reached = is_one and bool(FIRST.check(heads.silenced(silenced, H)).is_reached)
    st.html(bar.marker(FIRST, "right" if is_reached else "open"))


def _way(challenge: Challenge) -> None:
    """To the page where it is played."""
    page = catalogue.page(challenge.start.page)
    st.page_link(
        page.script,
        label=f"**Play on {page.title}**",
        icon=":material/arrow_forward:",
        query_params=challenge.tab.opens,
        width="content",
    )


def _undecided() -> str:
    text = clean(texts.UNDECIDED_STORY.start.settings["gen_text"])
    he, she = texts.undecided(data.STORIES.resolve().cut(text))
    return pictures.two_bars(text, {heads.HE: he, heads.SHE: she}, texts.UNDECIDED)


def _french() -> str:
    words = tuple(clean(texts.FRENCH.start.settings["tr_english"]).split())
    translated = data.translated(words)
    assert translated is not None, "a sentence of its grammar"
    return pictures.right_so_far(words, translated.written, translated.right)


def _small() -> str:
    falling = data.falling(training.TASK)
    return pictures.falling_loss(falling.steps, falling.losses, MAX_LOSS, (falling.width, WIDTH))


VIEW = View(ask, compute, draw)
