"""A head is ablated, or a whole layer of heads: what the model predicts then, and which head would matter most."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, story, teaching
from lab.kit.controls.reader import source_row
from lab.kit.figures import display, effect_figures
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models import readings
from lab.kit.models.published import PretrainedSource
from lab.kit.models.readings import Reading
from lab.kit.models.references import Mask, Shipped
from lab.kit.models.source import Source
from lab.kit.view import places
from lab.kit.words import as_chance, shorten
from lab.server.gate import TooMuch
from pages.pretrained import data, figures, text
from pages.pretrained.components.head_hunt import Answers, head_hunt, pack
from pages.pretrained.data import Cuts, Distributions
from pages.pretrained.study import controls
from pages.pretrained.study import figures as study_figures
from pages.pretrained.study.controls import HEAD, NONE, STRONGEST, Light

TEXT = "pretrained_patch_clean"  # in links; a patch takes from the same
# A text on which the shipped writer needs one head, and can do without any other. For other names it may not be so.
ONE_HEAD = "the lamp belonged to jack. the candle belonged to tina. whose is the lamp? it belongs to"
OTHER = ONE_HEAD.replace("the lamp?", "the candle?")  # on which it needs that head, and others that find the thing


class Settings(NamedTuple):
    """layer, heads: what is ablated; None and () for nothing, or for the head of an encoder that matters most."""

    reading: Reading
    layer: int | None
    heads: tuple[int, ...]


class Result(NamedTuple):
    """by_head (L, H) of every head alone; None, and why, where that would be too much.

    layer, heads  what is ablated
    change        the distributions of a model that predicts; of one that makes vectors, how far each moves (T,); None
                  where nothing is ablated
    cuts          what each head does to what is predicted; None for vectors, or where that would be too much
    """

    layer: int
    heads: tuple[int, ...]
    change: Distributions | np.ndarray | None
    by_head: np.ndarray | None
    refusal: str
    cuts: Cuts | None = None

    @property
    def without(self) -> str:
        """What is ablated."""
        if len(self.heads) > 1:
            return f"without the heads of layer {self.layer}"
        return f"without {controls.part_within(self.layer, self.heads[0])}"


def whole(layer: int) -> str:
    """The name of all heads of a layer, where one head can be chosen."""
    return f"all of layer {layer}"


def ask() -> Settings | None:
    ref = controls.ask_model(kinds=("encoder", "decoder"), default=next(iter(text.models("decoder"))))
    if ref is None:
        return None
    source = ref.resolve()
    typed = controls.ask_prompt("Text", TEXT, text_for(source), chip="text")
    reading = _reading(source, typed)
    if reading is None:
        return None
    L, H = source.n_layers, source.config.n_heads
    heads = {controls.head_name(layer, head): (layer, (head,)) for layer in range(L) for head in range(H)}
    parts = heads | {whole(layer): (layer, tuple(range(H))) for layer in range(L)}
    name = controls.ask_part(tuple(parts), NONE if source.answers else STRONGEST)
    return Settings(reading, *parts.get(name, (None, ())))


def text_for(source: Source) -> str:
    """A text to begin with: one for whose next word a single head is needed, where we know of one."""
    is_writer = isinstance(source.ref, Shipped) and source.ref.name == story.WRITER
    return ONE_HEAD if is_writer else controls.text_for(source)


def _reading(source: Source, typed: str) -> Reading | None:
    """The text as its model reads it, as much of it as can be read once per head."""
    tokens = controls.cut(source, typed, "text")
    if not tokens:
        settings.notify(text.NO_TEXT)
        return None
    if not isinstance(source, PretrainedSource):
        return Reading(source.ref, Mask("causal" if source.kind == "decoder" else "none"), tokens)
    reading = text.encoded(source, typed, tell=False)
    if reading is None or len(reading.tokens) <= controls.MAX_TOKENS:
        return reading
    return reading._replace(tokens=source.first(reading.tokens, controls.MAX_TOKENS), words=())


def compute(s: Settings) -> Result:
    source = s.reading.ref.resolve()
    measure = data.distributions if source.answers else data.moved_vectors
    by_head, refusal, cuts = None, "", None
    try:
        if source.answers:
            cuts = data.cuts(s.reading)
        by_head = readings.each_head_ablated(s.reading) if cuts is None else cuts.moved
    except TooMuch as too_much:
        refusal = str(too_much)
    layer, heads = s.layer, s.heads
    if layer is None:
        at = 0 if by_head is None else int(by_head.argmax())
        layer, head = divmod(at, source.config.n_heads)
        heads = (head,)
    is_whole = s.layer is None and (cuts is not None or by_head is None)
    return Result(layer, heads, None if is_whole else measure(s.reading, layer, heads), by_head, refusal, cuts)


def draw(s: Settings, result: Result) -> None:
    source = s.reading.ref.resolve()
    if result.cuts is not None:
        with places()["stage"]:
            _draw_stage(s, result, result.cuts)
    with places()["picture"]:
        if result.by_head is None:
            st.markdown(result.refusal)
        elif result.cuts is None:
            controls.say_found(_matters_most(result.by_head))
            _draw_every_head(result, result.by_head)
    with places()["close"]:
        if isinstance(result.change, Distributions):
            _draw_distributions(s, result, result.change, is_drawn=result.cuts is not None)
        elif result.change is not None:
            _draw_vectors(s, result, result.change)
    with display.prose():
        source_row(source)
        _ask_back()
        teaching.code_expander("transformer/core/taps.py", "ablate")


def _draw_stage(s: Settings, result: Result, cuts: Cuts) -> None:
    """All heads, of which one is taken out when it is pressed."""
    source, tokens = s.reading.ref.resolve(), s.reading.tokens
    at = range(len(tokens))[source.answer_position(tokens)]
    H = source.config.n_heads

    def on_out(layer: int | None, head: int | None) -> None:
        if layer is None:
            st.session_state[HEAD] = NONE
        elif layer < source.n_layers and (head is None or head < H):
            st.session_state[HEAD] = whole(layer) if head is None else controls.head_name(layer, head)

    is_one = len(s.heads) == 1
    packed = pack(
        [shorten(token) for token in tokens],
        data.small_maps(s.reading),
        at,
        Answers(*cuts),
        None if s.layer is None else (s.layer, s.heads[0] if is_one else None),
        next=source.kind == "decoder",
        further="Ask about the candle" if (text_for(source), tokens) == (ONE_HEAD, source.cut(ONE_HEAD)) else "",
    )
    head_hunt(packed, key="unplug-stage", on_out=on_out, on_further=_ask_other)


def _ask_other() -> None:
    st.session_state[TEXT], st.session_state[HEAD] = OTHER, NONE


def _ask_back() -> None:
    questions.ask(
        "pretrained-unplug",
        try_it={"pretrained_view": "Which head?", "pretrained_head_light": "Ablate", "pretrained_study_head": whole(0)},
    )


def _draw_distributions(s: Settings, result: Result, change: Distributions, *, is_drawn: bool) -> None:
    """is_drawn: whether the stage shows it already."""
    best = change.labels[int(change.after.argmax())]
    if not is_drawn:
        display.figure(
            figures.two_distributions(change.labels, change.before, change.after, result.without),
            key="unplug-predictions",
            alt=f"{change.labels[0]} had {as_chance(change.before[0])} and has {as_chance(change.after[0])}; first is"
            f" now {best}.",
        )
        was, now = (display.plain(label) for label in (change.labels[0], best))
        verdict = f"it still says **{now}**" if was == now else f"it said **{was}** and says **{now}**"
        st.markdown(f"{_where(s)}, {verdict} {result.without}.")
    st.markdown(f"{_where(s)}, **{as_chance(change.moved)}** of the probability goes to other tokens {result.without}.")


def _where(s: Settings) -> str:
    """The place of the text that is predicted, in Markdown."""
    source, tokens = s.reading.ref.resolve(), s.reading.tokens
    at = source.answer_position(tokens)
    if source.kind == "decoder":
        return f"After “{display.plain(' '.join(tokens[-3:]))}”"
    return f"At “{display.plain(tokens[at])}”"


def _draw_vectors(s: Settings, result: Result, change: np.ndarray) -> None:
    display.figure(
        effect_figures.moved_tokens(s.reading.tokens, change),
        key="unplug-vectors",
        alt=f"The final vectors move by {change.min():.2f} to {change.max():.2f} of their length.",
    )
    st.markdown(
        f"How far each token's final vector moves {result.without}, as a share of its length. This model predicts no "
        "words: it was trained to turn whole texts into vectors."
    )


def _draw_every_head(result: Result, by_head: np.ndarray) -> None:
    L, H = by_head.shape
    controls.clickable(
        study_figures.parts(
            by_head,
            "change of the vectors",
            rows=[str(n) for n in range(L)],
            columns=[str(n) for n in range(H)],
            axes=("layer", "head"),
            name=controls.part_name,
            chosen=(result.layer, result.heads[0]) if len(result.heads) == 1 else None,
            is_share=True,
        ),
        key="unplug-heads",
        alt=f"Map of heads: ablating one changes {by_head.min():.3f} to {by_head.max():.3f}.",
        choose=lambda layer, head: (HEAD, controls.head_name(layer, head)),
    )


def _matters_most(by_head: np.ndarray) -> str:
    best = controls.part_within(*divmod(int(by_head.argmax()), by_head.shape[1]))
    return f"Without {best}, the vectors move most: by {as_chance(by_head.max())} of their length."


def _sheet(_: Settings, result: Result) -> Sheet | None:
    return None if result.by_head is None else Sheet(result.by_head, "effect of the ablation", ("layer", "head"))


def _instead(s: Settings, result: Result) -> tuple[str, str] | None:
    """Where no answer is read, or no head can be pressed."""
    if result.cuts is not None:
        return None
    if result.by_head is not None:
        return "Take one head out: how far do the vectors move without it? **Press a head.**", SEEN
    reads = "read what the model says" if s.reading.ref.resolve().answers else "see how far the vectors move"
    return f"**Choose a head** to take it out, and {reads} without it.", "**Which head would be missed most?**"


SEEN = "**Which head would be missed most?** Each one alone is taken out (ablated), and the model reads the text again."
LIGHT = Light(
    "Ablate",
    "**Point at a head** to see where it looks; **press** to take it out.",
    SEEN,
    ask,
    compute,
    draw,
    "the effect of each head",
    _sheet,
    _instead,
)
