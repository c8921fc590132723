"""One head is ablated: which vectors and which maps change, and what a trained model then answers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.answers import Answer
from lab.kit.figures import display, effect_figures
from lab.kit.models import readings
from lab.kit.models.readings import Reading
from lab.kit.view import View, places
from lab.kit.words import as_chance
from pages.heads import data, head_map, pick
from pages.heads.pick import Pick
from pages.heads.subject import Subject
from transformer import inspection


class Settings(NamedTuple):
    """The head that is ablated, and the one that was picked before, where one is to be picked."""

    subject: Subject
    pick: Pick | None


class Result(NamedTuple):
    """The chosen head's ablation, and the change by any head (L, H); of a trained model its answers with and without
    it, the heads without which the answer is another, how far each makes its probability fall, and an example where
    there are some, if here there are none."""

    ablation: "inspection.head_effects.HeadAblation"
    by_head: np.ndarray
    answers: tuple[Answer, Answer] | None
    telling: tuple[tuple[int, int], ...] = ()
    falls: np.ndarray | None = None
    example: str | None = None


def ask(s: Subject) -> Settings:
    with settings.place_named("controls"):
        return Settings(s, pick.ask(s))


def compute(of: Settings) -> Result | None:
    s, picked = of
    if picked is not None and picked.head is None:
        return None  # nothing is shown before the pick
    usual = data.head_ablation(s.reading, s.layer, s.head), readings.each_head_ablated(s.reading)
    if not s.reading.ref.resolve().answers:
        return Result(*usual, None)
    usually, changed, kept = data.answers_without_each_head(s.reading)
    return Result(
        *usual,
        data.answers_without_head(s.reading, s.layer, s.head),
        tuple((int(layer), int(head)) for layer, head in np.argwhere(changed)),
        usually.probability - kept,
        None if changed.any() else data.example_that_hangs_on_a_head(s.reading.ref),
    )


def opens(reading: Reading, *_: int) -> tuple[int, int]:
    """The head that is missed most."""
    return data.telling_head(reading)


def draw(of: Settings, result: Result | None) -> None:
    if result is None:
        return
    s, picked = of
    picture, words = places()["picture"], places()["words"]
    if picked is not None and picked.head is not None:
        with picture:
            st.markdown(pick.reply(picked.head, result.by_head))
    change, by_head = result.ablation, result.by_head
    with picture, st.container(key="result-ablation"):
        if result.answers and result.falls is not None:
            _answer(s, result.answers, result.falls)
            st.markdown(_who_decides(result, by_head.size))
            if result.example:
                st.button(
                    "Take a text where one head decides", key="closer_example", on_click=_take, args=(result.example,)
                )
            _table(*result.answers, f"without layer {s.layer}, head {s.head}", s.tokens)
        _draw_changes(s, change, by_head)
    with words:
        st.markdown(
            "The output of this one head is set to zero before it is mixed with the others; everything after it runs "
            "as usual. A change of 0.1 means that a token’s last vector moved by a tenth of its length. Maps in its "
            "own layer and in earlier ones cannot change: they were made before this head had its say."
        )
        questions.ask("heads-closer-unplug")
        teaching.code_expander("transformer/core/taps.py", "ablate")


def _answer(s: Subject, answers: tuple[Answer, Answer], falls: np.ndarray) -> None:
    """Large what becomes of the answer, and below it how much each head has to do with that."""
    whole, without = (f"{display.plain(one.word)} {as_chance(one.probability)}" for one in answers)
    st.header(f"{whole} → {without}", anchor=False)
    word = display.plain(answers[0].word)
    st.markdown(f"How far the probability of “{word}” falls without each head:")
    display.figure(
        head_map.by_head(falls, "fall", chosen=(s.layer, s.head)),
        key="closer-falls",
        alt=f"Map of heads: without one, the probability falls by {falls.min():.3f} to {falls.max():.3f}.",
    )


def _who_decides(result: Result, n: int) -> str:
    """Which heads alone change the answer."""
    if not result.telling:
        return f"Take out any one of the {n} heads, and the answer stays the same; how sure it is may change."
    names = "; ".join(f"layer {layer}, head {head}" for layer, head in result.telling)
    return (
        f"Of {n} heads, **{len(result.telling)}** change{'s' if len(result.telling) == 1 else ''} the answer: {names}."
    )


def _take(text: str) -> None:
    st.session_state["text"] = text


def _draw_changes(s: Subject, change: "inspection.head_effects.HeadAblation", by_head: np.ndarray) -> None:
    """How far vectors and later maps move, by head and by token."""
    st.markdown("How far the final vectors move without a head, for each head, averaged over the tokens:")
    display.figure(
        head_map.by_head(by_head, "change", chosen=(s.layer, s.head)),
        key="closer-every",
        alt=f"Map of heads: taking one out changes the final vectors by {by_head.min():.3f} to {by_head.max():.3f}.",
    )
    st.markdown("How far each token moves without this one:")
    display.figure(
        effect_figures.moved_tokens(s.tokens, change.tokens),
        key="closer-moved",
        alt=f"Bars: without this head the final vectors move by {change.tokens.min():.3f} to "
        f"{change.tokens.max():.3f} of their length.",
    )
    if change.maps.max() > 0:
        st.markdown("How much later maps change:")
        display.figure(
            head_map.by_head(change.maps, "largest change of an attention weight"),
            key="closer-maps",
            alt=f"Map of heads: the largest change of any attention weight is {change.maps.max():.3f}.",
        )


def _table(whole: Answer, without: Answer, name: str, tokens: Sequence[str]) -> None:
    """Put both answers into a table; `name` says what was ablated."""
    where = f"after “{display.plain(' '.join(tokens[-3:]))}”" if whole.n else "at ⟨start⟩"
    head, rule = f"| {where} | it says | sure |", "|---|---|--:|"
    if whole.n:
        head, rule = f"{head} next words right |", f"{rule}--:|"
    lines = [head, rule]
    for label, answer in (("whole model", whole), (name, without)):
        right = f" {answer.right} of {answer.n} |" if answer.n else ""
        lines.append(f"| {label} | **{display.plain(answer.word)}** | {as_chance(answer.probability)} |{right}")
    st.markdown("\n".join(lines))


VIEW = View(ask, compute, draw, opens=opens)
