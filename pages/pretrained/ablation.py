"""Heads are ablated, any of them together: what the model says then, and how many it can do without."""

from collections.abc import Sequence
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
    """out: the heads that are ablated, (layer, head); () for none, or for the head of an encoder that matters most."""

    reading: Reading
    out: tuple[tuple[int, int], ...]


class Result(NamedTuple):
    """by_head (L, H) of every head alone; None, and why, where that would be too much.

    layer, heads  what is ablated
    change        the distributions of a model that predicts; of one that makes vectors, how far each moves (T,); None
                  where the stage tells of it, or nothing is ablated
    cuts          what the model says without heads; None for vectors, or where that would be too much
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
    heads = {controls.head_name(layer, head): ((layer, head),) for layer in range(L) for head in range(H)}
    parts = heads | {whole(layer): tuple((layer, head) for head in range(H)) for layer in range(L)}
    if several := " ".join(name for name in _asked().split() if name in heads):
        parts |= {several: tuple(dict.fromkeys(place for name in several.split() for place in heads[name]))}
    name = controls.ask_part(tuple(parts), NONE if source.answers else STRONGEST)
    return Settings(reading, parts.get(name, ()))


def _asked() -> str:
    """What is out, as the link or the picture says it: heads of any layers have their names in a row."""
    pinned = settings.replaying()
    asked = (pinned.pinned or {}).get(HEAD) if pinned else st.session_state.get(HEAD) or st.query_params.get(HEAD)
    return str(asked or "")


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
    if cuts is not None or (not s.out and by_head is None):
        return Result(0, (), None, by_head, refusal, cuts)
    most = 0 if by_head is None else int(by_head.argmax())
    layer, head = s.out[0] if s.out else divmod(most, source.config.n_heads)
    heads = tuple(head for at, head in s.out if at == layer) or (head,)
    return Result(layer, heads, measure(s.reading, layer, heads), by_head, refusal, cuts)


def draw(s: Settings, result: Result) -> None:
    source = s.reading.ref.resolve()
    if result.cuts is not None:
        with places()["stage"]:
            _draw_stage(s, result.cuts)
    with places()["picture"]:
        if result.by_head is None:
            st.markdown(result.refusal)
        elif result.cuts is None:
            controls.say_found(_matters_most(result.by_head))
            _draw_every_head(result, result.by_head)
    with places()["close"]:
        if isinstance(result.change, Distributions):
            _draw_distributions(s, result, result.change)
        elif result.change is not None:
            _draw_vectors(s, result, result.change)
    with display.prose():
        source_row(source)
        _ask_back()
        teaching.code_expander("transformer/core/taps.py", "ablate")


def _draw_stage(s: Settings, cuts: Cuts) -> None:
    """All heads; those that are pressed are taken out."""
    source, tokens = s.reading.ref.resolve(), s.reading.tokens
    L, H = source.n_layers, source.config.n_heads

    def on_out(heads: Sequence[int]) -> None:
        names = [controls.head_name(*divmod(at, H)) for at in heads if at < L * H]
        st.session_state[HEAD] = " ".join(names) or NONE

    packed = pack(
        [shorten(token) for token in tokens],
        data.small_maps(s.reading),
        range(len(tokens))[source.answer_position(tokens)],
        Answers(*cuts),
        [layer * H + head for layer, head in s.out],
        further="Ask about the candle" if (text_for(source), tokens) == (ONE_HEAD, source.cut(ONE_HEAD)) else "",
        is_causal=source.kind == "decoder",
    )
    head_hunt(packed, key="unplug-stage", on_out=on_out, on_further=_ask_other)


def _ask_other() -> None:
    st.session_state[TEXT], st.session_state[HEAD] = OTHER, NONE


def _ask_back() -> None:
    questions.ask(
        "pretrained-unplug",
        try_it={"pretrained_view": "Which head?", "pretrained_head_light": "Ablate", "pretrained_study_head": whole(0)},
    )


def _draw_distributions(s: Settings, result: Result, change: Distributions) -> None:
    best = change.labels[int(change.after.argmax())]
    display.figure(
        figures.two_distributions(change.labels, change.before, change.after, result.without),
        key="unplug-predictions",
        alt=f"{change.labels[0]} had {as_chance(change.before[0])} and has {as_chance(change.after[0])}; first is"
        f" now {best}.",
    )
    was, now = (display.plain(label) for label in (change.labels[0], best))
    verdict = f"it still says **{now}**" if was == now else f"it said **{was}** and says **{now}**"
    moved = f"**{as_chance(change.moved)}** of the probability goes to other tokens"
    st.markdown(f"{_where(s)}, {verdict} {result.without}; {moved}.")


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


SEEN = "**Which head would be missed most?** What is out (ablated) adds nothing, and the model reads the text again."
LIGHT = Light(
    "Ablate",
    "**Press heads** to take them out, as many as you like.",
    SEEN,
    ask,
    compute,
    draw,
    "the effect of each head",
    _sheet,
    _instead,
)
