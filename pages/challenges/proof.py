"""A challenge as a view: the way to where it is solved, a box for the link that proves it, and the verdict."""

from contextlib import nullcontext
from typing import NamedTuple

import streamlit as st

from pages.challenges import figures
from pages.challenges.challenge import Bars, Challenge, Curve, Texts, Verdict
from pages.challenges.links import MAX_LETTERS, parse
from pages.shared import catalogue, display, settings, teaching
from pages.shared.view import View
from transformer.checks import InputError


class Settings(NamedTuple):
    """What was pasted; "" before anything was."""

    text: str


class Judged(NamedTuple):
    """The verdict on what was pasted, or, with a sentence why that cannot be judged, on where the challenge starts."""

    verdict: Verdict
    refusal: str = ""


def view(challenge: Challenge) -> View:
    """The view of a challenge."""
    return View(
        challenge.name,
        lambda: _ask(challenge),
        lambda s: judged(challenge, s.text),
        lambda s, found: _draw(challenge, s, found),
        question=challenge.goal,
        height=220,
    )


def judged(challenge: Challenge, text: str) -> Judged:
    """The verdict on the link in this text."""
    if text:
        try:
            with st.spinner("Training it again with your settings …") if challenge.is_slow else nullcontext():
                return Judged(challenge.check(parse(text)))
        except InputError as refusal:
            return Judged(_first(challenge), f"{str(refusal)[:1].upper()}{str(refusal)[1:].rstrip('.')}.")
    return Judged(_first(challenge))


def _first(challenge: Challenge) -> Verdict:
    return challenge.example() if challenge.example else challenge.check(challenge.start)


def _ask(challenge: Challenge) -> Settings:
    """The box for the link, which is a setting of this page's own link."""
    page = catalogue.page(challenge.start.page)
    with settings.place_named("row"):
        st.page_link(
            page.script, label=f"Start on {page.title}", icon=":material/arrow_forward:", width="content",
            query_params=challenge.start.settings,
        )  # fmt: skip
        text = st.text_input(
            "Link to your solution", key=f"proof_{challenge.key}", bind="query-params", width=430,
            label_visibility="collapsed", icon=":material/link:", placeholder="Paste the link of your solution, Enter",
        )  # fmt: skip
    return Settings((text or "").strip()[: MAX_LETTERS + 1])


def _draw(challenge: Challenge, s: Settings, found: Judged) -> None:
    picture, words = st.columns([7, 5], gap="large")
    verdict, refusal = found
    with picture:
        _draw_picture(challenge, verdict)
    with words:
        if refusal:
            st.markdown(f"**This link cannot be judged.** {display.plain(refusal)}")
        elif not s.text:
            st.markdown(f"**Where you start.** {verdict.sentence}")
        elif verdict.is_reached:
            st.markdown(f":material/check_circle: **Solved.** {verdict.sentence}")
        else:
            st.markdown(f"**Not yet.** {verdict.sentence}")
        st.markdown(challenge.words)
        with st.expander("A hint", key=f"hint-{challenge.key}"):
            st.markdown(challenge.hint)
        with st.expander("The code that judges", icon=":material/code:"):
            teaching.code(*challenge.code)
    state = "open" if not s.text or refusal else "right" if verdict.is_reached else "wrong"
    # The page's script reads this and keeps what is solved in the reader's own browser.
    st.html(f'<span data-check="challenges-{challenge.key}" data-state="{state}" hidden></span>')


def _draw_picture(challenge: Challenge, verdict: Verdict) -> None:
    match verdict.picture:
        case Bars(values, axis, goal, is_weight, marked, about):
            figure = figures.bars(values, axis, goal, is_weight=is_weight, marked=marked, title=about)
            alt = f"Bars, {axis}: {', '.join(f'{name} {value:.2f}' for name, value in values)}."
            display.figure(figure, key=f"proof-{challenge.key}", alt=alt)
        case Curve(x, y, axes, goal, is_log):
            figure = figures.curve(x, y, axes, goal, is_log=is_log)
            alt = f"Curve, {axes[1]}: from {y[0]:.3f} to {y[-1]:.3f}; the line is at {goal:g}."
            display.figure(figure, key=f"proof-{challenge.key}", alt=alt)
        case Texts() as texts:
            with st.container(key=f"figure-proof-{challenge.key}"):
                st.markdown(_table(texts))


def _table(texts: Texts) -> str:
    """Both texts as rows of a table; where they part, the words are bold."""
    n = max(map(len, texts.words))
    padded = [(*words, *[""] * (n - len(words))) for words in texts.words]
    parting = next((i for i, (a, b) in enumerate(zip(*padded, strict=True)) if a != b), n)
    rows = []
    for name, words in zip(texts.names, padded, strict=True):
        cells = [display.plain(word) for word in words]
        if parting < n:
            cells[parting] = f"**{cells[parting] or '(nothing)'}**"
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([f"| | {' | '.join(str(i + 1) for i in range(n))} |", "|---" * (n + 1) + "|", *rows])
