"""A head is unplugged, or a whole layer of heads: what the model predicts then, and which head would matter most."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.pretrained import data, figures, text
from pages.pretrained.data import Distributions
from pages.shared import display, effect_figures, readings, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.gate import TooMuch
from pages.shared.readings import Reading
from pages.shared.teaching import Answer
from pages.shared.text_input import source_row
from pages.shared.view import Comparison, View

ALL = "all heads"
MAX_TOKENS = 64  # the model is run once per head


class Settings(NamedTuple):
    """heads: those of the layer that are unplugged."""

    reading: Reading
    layer: int
    heads: tuple[int, ...]

    @property
    def name(self) -> str:
        """What is unplugged."""
        if len(self.heads) > 1:
            return f"without the heads of layer {self.layer}"
        return f"without layer {self.layer}, head {self.heads[0]}"


class Result(NamedTuple):
    """by_head (L, H) of every head alone; None, and why, where that would be too much.

    change  the distributions of a model that predicts; of one that makes vectors, how far each of them moves (T,)
    """

    change: Distributions | np.ndarray
    by_head: np.ndarray | None
    refusal: str


def ask() -> Settings | None:
    reading = text.ask_reading("encoder", "decoder")
    if reading is None:
        return None
    if len(reading.tokens) > MAX_TOKENS:
        settings.notify(f"The model runs once per head here, so only the first {MAX_TOKENS} tokens are read.")
        reading = reading._replace(tokens=reading.ref.resolve().first(reading.tokens, MAX_TOKENS), words=())
    source = reading.ref.resolve()
    L, H = source.n_layers, source.config.n_heads
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", key="unplug-row"):
        settings.place(st.markdown, "Unplug layer", width="content")
        layer = settings.choose(
            st.selectbox, "Layer", "unplug_layer", range(L), L - 1, follows=True, width=90,
            label_visibility="collapsed", why=f"layers are numbered from 0 to {L - 1}, so there is no layer {{}}",
        )  # fmt: skip
        names = (ALL, *(f"head {head}" for head in range(H)))
        name = settings.choose(
            st.selectbox, "Heads", "unplug_head", names, ALL, width=130, label_visibility="collapsed",
            why="this model has no {}",
        )  # fmt: skip
    heads = tuple(range(H)) if name == ALL else (names.index(name) - 1,)
    return Settings(reading, layer, heads)


def compute(s: Settings) -> Result:
    source = s.reading.ref.resolve()
    measure = data.distributions if source.answers else data.moved_vectors
    change = measure(s.reading, s.layer, s.heads)
    try:
        every = data.each_head_unplugged if source.answers else readings.each_head_ablated
        return Result(change, every(s.reading), "")
    except TooMuch as refusal:
        return Result(change, None, str(refusal))


def draw(s: Settings, result: Result) -> None:
    source = s.reading.ref.resolve()
    left, right = st.columns([6, 5], gap="large")
    with left:
        if isinstance(result.change, Distributions):
            _draw_distributions(s, result.change)
        else:
            _draw_vectors(s, result.change)
    with right:
        if result.by_head is None:
            st.markdown(result.refusal)
        else:
            _draw_every_head(s, result.by_head, source.answers)
        source_row(source)
    teaching.check(
        "You unplug one head, and the prediction stays the same. What follows?",
        Answer(
            "On this text, the others can do without it",
            "Another head may do the same job, or step in for it. Unplug the whole layer and see whether the answer "
            "still holds.",
            right=True,
        ),
        Answer(
            "The head does nothing",
            "It may be one of two that do the same. Each can be spared, but not both.",
        ),
        Answer(
            "The head could be deleted for good",
            "You have tried one text. On another it may be the head that matters.",
        ),
        Answer(
            "Its attention map must be blurred",
            "A head can look very sharply at something that nothing above makes use of.",
        ),
        key="pretrained-unplug",
        try_it={"pretrained_view": "Unplug", "unplug_head": ALL},
    )
    teaching.code_expander("transformer/taps.py", "ablate")


def _draw_distributions(s: Settings, change: Distributions) -> None:
    best = change.labels[int(change.after.argmax())]
    display.figure(
        figures.two_distributions(change.labels, change.before, change.after, s.name),
        key="unplug-predictions",
        alt=f"{change.labels[0]} had {change.before[0]:.0%} and has {change.after[0]:.0%}; first is now {best}.",
    )
    was, now = (display.plain(label) for label in (change.labels[0], best))
    verdict = f"it still says **{now}**" if was == now else f"it said **{was}** and says **{now}**"
    st.markdown(f"{_where(s)}, {verdict} {s.name}. **{change.moved:.0%}** of the probability went to other tokens.")


def _where(s: Settings) -> str:
    """The place of the text that is predicted, in Markdown."""
    source, tokens = s.reading.ref.resolve(), s.reading.tokens
    at = source.answer_position(tokens)
    if source.kind == "decoder":
        return f"After “{display.plain(' '.join(tokens[-3:]))}”"
    return f"At “{display.plain(tokens[at])}”"


def _draw_vectors(s: Settings, change: np.ndarray) -> None:
    display.figure(
        effect_figures.moved_tokens(s.reading.tokens, change),
        key="unplug-vectors",
        alt=f"The final vectors move by {change.min():.2f} to {change.max():.2f} of their length.",
    )
    st.markdown(
        f"How far each token's final vector moves {s.name}, as a share of its length. This model predicts no words: it "
        "was trained to turn whole texts into vectors."
    )


def _draw_every_head(s: Settings, by_head: np.ndarray, answers: bool) -> None:
    name = "probability that moves" if answers else "change of the vectors"
    display.figure(
        effect_figures.by_head(by_head, name, chosen=(s.layer, s.heads[0]) if len(s.heads) == 1 else None),
        key="unplug-heads",
        alt=f"Map of heads: unplugging one changes {by_head.min():.3f} to {by_head.max():.3f}.",
    )
    layer, head = np.unravel_index(int(by_head.argmax()), by_head.shape)
    st.markdown(
        f"Each head unplugged alone. On this text layer {layer}, head {head} matters most: it moves "
        + (f"**{by_head.max():.0%}** of the probability." if answers else f"vectors by **{by_head.max():.0%}**.")
    )


def _curves(s: Settings, result: Result) -> Curves | None:
    """The effect of every head of the layer, for A | B."""
    if result.by_head is None:
        return None
    H = result.by_head.shape[1]
    return Curves(tuple(range(H)), {f"layer {s.layer}": result.by_head[s.layer]}, ("head", "effect if unplugged"))


VIEW = View(
    "Unplug", ask, compute, draw,
    comparison=Comparison("the effect of each head of the layer", _curves),
    height=420,
    asks="Which head would be missed most?",
    lede="Take heads out of a real model, and see what moves: on the left at each token, on the right for each head.",
)  # fmt: skip
