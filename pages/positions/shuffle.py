"""The words of a text in another order: does the model notice?"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import KINDS, MODEL, POSITION_SCHEME, POSITIONS
from lab.kit.controls.text_input import sentence
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View, places
from lab.kit.words import BOUND, is_rounding
from pages.positions import addition, data
from pages.positions.components.word_shuffler import chosen_order, word_shuffler
from pages.positions.controls import UNTRAINED, ask_seed, picture_and_words
from transformer import inspection

MAX_WORDS = 6  # more would be strips too thin to read
TOLD = "sinusoidal"  # what the button of the figure adds to who has chosen no scheme yet
_SCHEME = "_positions_scheme"  # of the session: the scheme that was last chosen, which the button puts back
ADDED_OPEN = "pos_added"  # the key of the fold on what is added to the words


class Settings(NamedTuple):
    """is_cut: whether more words were typed; added: what the fold on what is added to the words is set to, None while
    it is closed."""

    words: tuple[str, ...]
    is_cut: bool
    order: tuple[int, ...]
    positions: str
    kind: str
    seed: int
    added: addition.Settings | None


class Result(NamedTuple):
    shuffled: "inspection.positions.Shuffled"
    added: addition.Result | None


def layout() -> Mapping[str, Any]:
    picture, side = picture_and_words()
    fold = st.expander("What is added to the words? Token + position", key=ADDED_OPEN, bind="query-params")
    return {"picture": picture, "side": side, "added": fold}


def ask() -> Settings | None:
    with settings.place_named("row"):
        typed = sentence()
        with settings.line():
            kind = MODEL.ask(
                help="In an encoder every word sees all the others. In a decoder it sees only itself and what came"
                " before it; that alone tells it something about the order.",
                chip="{}",
            )
            positions = POSITION_SCHEME.ask(default="none", help="How the model is told the order.", chip="")
            seed = ask_seed()
    if positions != "none" and not settings.replaying():
        st.session_state[_SCHEME] = positions
    words = typed.tokens[:MAX_WORDS]
    settings.notify(*typed.notices)
    if not words:
        settings.notify("There is no word to move yet. Type a sentence, or choose one of the examples.")
        return None
    added = None
    if st.session_state.get(ADDED_OPEN):
        with settings.place_named("added"):
            added = addition.ask(words, positions)
    is_cut = len(typed.tokens) > MAX_WORDS
    return Settings(words, is_cut, chosen_order("pos_machine", len(words)), positions, kind, seed, added)


def compute(s: Settings) -> Result:
    ref = data.small_model(KINDS[s.kind], POSITIONS[s.positions], s.seed)
    return Result(data.shuffled(ref, s.words, s.order), addition.compute(s.added) if s.added else None)


def draw(s: Settings, result: Result) -> None:
    shuffled = result.shuffled
    says, why = _verdict(s, shuffled)
    if s.added and result.added:
        with places()["added"]:
            addition.draw(s.added, result.added)
    with places()["picture"]:
        word_shuffler(
            s.words,
            s.order,
            shuffled.before,
            shuffled.after,
            shuffled.moved,
            same=BOUND,
            n_changed=int((np.abs(shuffled.after - shuffled.before[list(s.order)]) >= BOUND).sum()),
            says=says,
            told=s.positions,
            heading=f"The first {len(s.words)} words" if s.is_cut else "As typed",
            on_told=_tell,
            key="pos_machine",
        )
    with places()["side"]:
        st.markdown(why)
        one, two = st.columns(2)
        one.metric(
            "Largest change in any word", _size(shuffled.moved.max()), help="Between its two outputs, before and after."
        )
        two.metric(
            "Change in the mean", _size(shuffled.pooled), help="The mean over all words; many classifiers read it."
        )
        st.caption(f"Anything below {BOUND:.5f} is rounding error. {UNTRAINED}")
        teaching.formula(r"f(P\,X) = P\,f(X) \quad\text{without positions}")
        st.markdown(
            "f is the model; X has one row per word; P reorders the rows. Without positions it makes no difference"
            " which comes first, P or f."
        )
        questions.ask("positions-shuffle")
        teaching.code_expander("transformer/inspection/positions.py", "shuffle")


def _verdict(s: Settings, shuffled: "inspection.positions.Shuffled") -> tuple[str, str]:
    """What the model noticed, in a sentence, and why, in Markdown; while nothing has moved, what to do."""
    n, width = shuffled.before.shape
    n_changed = int((shuffled.moved >= BOUND).sum())
    changed = f"{n_changed} of {n} words change" if n_changed < n else f"all {n} words change"
    if n == 1:
        return (
            "One word has no order. Type a second one.",
            "The strip beside the word is its output: what the model made of it.",
        )
    if s.order == tuple(range(n)):
        return "Swap two words on the right: will their numbers change?", (
            "A line joins a word with itself; the strip beside it is its output, what the model made of it. Drag a word"
            " on the right onto another, or press **Swap two words**."
        )
    if not n_changed and s.positions != "none":
        return f"With {s.positions} positions, no word changes in this order.", (
            f"{s.positions} positions tell this model how far apart two words are. In this order every word has the"
            " same words at the same distances. Press **Shuffle all**: in most orders words change."
        )
    if not n_changed:
        return f"Not one number changed: every word keeps its own {width}, so the order is lost.", (
            "Every word keeps its output; only its position changed. To this model a sentence is a bag of words. Now"
            " press **Add positions**, and watch the strips change."
        )
    if s.positions == "none":
        return f"Without positions, {changed}: a decoder sees only what came before.", (
            "In a decoder a mask hides the words that come later, so a new order changes what there is to see."
        )
    return f"With {s.positions} positions, {changed}: now the model sees the order.", (
        f"With {s.positions} positions, what a word becomes depends on where it is and on where the others are. A"
        " dashed line joins two different outputs, and at its end is the largest change in any of their numbers."
    )


def _size(change: float) -> str:
    """A change; what only rounding makes is none."""
    return f"{change:.2f}" if change >= 0.005 else "0 (rounding)" if is_rounding(change) else "<0.01"


def _tell(is_told: bool) -> None:
    """The button of the figure sets the control among the settings; positions that come back are those there were."""
    settings.turn("positions", st.session_state.get(_SCHEME, TOLD) if is_told else "none")


def _outputs(s: Settings, result: Result) -> Sheet:
    """What the model made of each word, in the order that is read: they differ before any word has moved, too."""
    words = tuple(s.words[word] for word in s.order)
    return Sheet(np.asarray(result.shuffled.after), "value", ("word", "feature"), words)


VIEW = View(ask, compute, draw, comparison=Comparison("the output of each word", _outputs), layout=layout, height=300)
