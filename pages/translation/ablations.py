"""Ablation: a part of the model is taken out while it runs."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View
from pages.translation import data, figures, sentence
from pages.translation.components.pulled_plug import payload, pulled_plug
from pages.translation.sentence import Sentence
from transformer import inspection

PARTS: "dict[str, inspection.translation.Part | None]" = {
    "none": None,
    "memory": "memory",
    "where to look": "focus",
    "positions": "positions",
    "one head": "head",
}
KINDS = {"cross-attention": "cross", "encoder self": "encoder", "decoder self": "decoder"}
_EFFECTS: "dict[inspection.translation.Part | None, str]" = {
    None: "Nothing is taken out: this is the model as it was trained, bit for bit.",
    "memory": "The decoder reads zeros where the encoder's memory should be. It still strings words together, "
    "because it knows how they follow one another. But it has not read your sentence: it writes this **whatever you "
    "type**.",
    "focus": "The decoder looks at all words of your sentence equally, so it receives their average. It can guess "
    "which words there are, but not which one is needed now.",
    "positions": "The model is not told any positions. To the encoder, your sentence is a bag of words; the decoder "
    "still has its mask, but loses count of what it has written.",
    "head": "The output of one head is set to zero; everything after it runs as before. Some heads carry the "
    "translation, others can be spared.",
}
_PULLED: "dict[inspection.translation.Part | None, str]" = {
    None: "",
    "memory": "the memory",
    "focus": "a choice of where to look",
    "positions": "positions",
    "head": "one head",
}


class Settings(NamedTuple):
    """What is ablated by its name on screen, and the head where that is "one head"."""

    sentence: Sentence
    name: str
    head: "inspection.translation.Head | None"


class Result(NamedTuple):
    """The translations with and without the part, and the shares of held-out sentences that are exactly right."""

    whole: data.Translated
    ablated: data.Ablated
    share: float
    ablated_share: float


def ask() -> Settings:
    text = sentence.current()
    with settings.place_named("row"):
        name = settings.choose(
            st.segmented_control,
            "Take out",
            "translation_plug",
            PARTS,
            "memory",
            label_visibility="collapsed",
            wrap=True,
        )
        head = None
        if PARTS[name] == "head":
            with settings.line():
                head = _ask_head(text)
    return Settings(text, name, head)


def _ask_head(text: Sentence) -> "inspection.translation.Head":
    H = text.ref.resolve().config.n_heads
    kind = KINDS[settings.choose(st.segmented_control, "of", "tr_plug_side", KINDS, "decoder self", chip="{}")]
    L = _n_layers(text, kind)
    layer = head = 0
    if L > 1:
        layer = settings.choose(
            st.select_slider, "Layer", "tr_plug_layer", range(L), 0, why="this model has no layer {}", chip="layer {}"
        )
    if H > 1:
        head = settings.choose(st.select_slider, "Head", "tr_plug_head", range(H), min(2, H - 1), chip="head {}")
    return kind, layer, head


def _n_layers(text: Sentence, kind: str) -> int:
    config = text.ref.resolve().config
    return config.n_encoder_layers if kind == "encoder" else config.n_decoder_layers


def compute(s: Settings) -> Result:
    (ref, words), part = s.sentence, PARTS[s.name]
    return Result(
        data.translated(ref, words),
        data.ablated(ref, words, part, s.head),
        data.ablated_share(ref, None),
        data.ablated_share(ref, part, s.head),
    )


def draw(s: Settings, result: Result) -> None:
    _draw_picture(s, result)
    with display.prose():
        st.markdown(f"Measured on {data.N_TESTS} sentences that were not in its training; it writes by itself:")
        if s.head:
            _draw_every_head(s.sentence, s.head, result.share)
        _draw_shares(s, result)
        st.markdown(f"{_EFFECTS[PARTS[s.name]]} This is called an *ablation*: take a part out and measure.")
        if PARTS[s.name] is None:
            same = result.ablated.text == result.whole.text
            st.markdown(
                "The translation is the same, letter for letter." if same else "**It differs**, which is a bug."
            )
        teaching.code_expander("transformer/inspection/translation.py", "ablate_part", icon=None)
        _check(s)


def _draw_picture(s: Settings, result: Result) -> None:
    """The sentence between its translations by the whole model and without this part, with their threads."""
    part, whole = PARTS[s.name], result.whole.maps["cross"].weights
    layer = len(whole) - 1
    pulled_plug(
        payload(
            s.sentence.words,
            (result.whole.words, whole[layer].mean(0)),
            (result.ablated.words, result.ablated.weights[layer].mean(0)),
            plug=_PULLED[part],
            layer=layer,
            carries=part != "memory",
        ),
        key="plug_picture",
    )


def _draw_shares(s: Settings, result: Result) -> None:
    """The share of held-out sentences exactly right, without each part or without this head."""
    if s.head:
        shares, chosen = {"none": result.share, "this head": result.ablated_share}, 1
    else:
        names = [name for name, part in PARTS.items() if part != "head"]
        shares = {name: data.ablated_share(s.sentence.ref, PARTS[name]) for name in names}
        chosen = names.index(s.name)
    display.figure(
        figures.shares(tuple(shares), tuple(shares.values()), chosen),
        key="plug_shares",
        alt="Exactly right: " + ", ".join(f"{name} {share:.0%}" for name, share in shares.items()),
    )


def _draw_every_head(text: Sentence, head: "inspection.translation.Head", share: float) -> None:
    """The share left without each head of one kind; a bar shows how far the measurement is, when it is the first."""
    kind, layer, number = head
    shares = np.zeros((_n_layers(text, kind), text.ref.resolve().config.n_heads))
    bar = st.progress(0.0, "Silencing one head after the other")
    for n, (i, h) in enumerate(np.ndindex(shares.shape), start=1):
        shares[i, h] = data.ablated_share(text.ref, "head", (kind, i, h))
        bar.progress(n / shares.size, "Silencing one head after the other")
    bar.empty()
    display.figure(
        figures.head_ablations(shares, share, chosen=(layer, number)),
        key="plug_heads",
        alt=f"Exactly right without each head: from {shares.min():.0%} to {shares.max():.0%}; with all, {share:.0%}.",
    )


def _check(s: Settings) -> None:
    if s.head:
        questions.ask("translation-head")
        return
    language = sentence.language(s.sentence.ref)
    if not language:
        return
    questions.ask(
        "translation-plugs",
        try_it={
            "translation_view": "Ablation",
            "translation_plug": "memory",
            **sentence.link(s.sentence.ref, "The cat sleeps", "Le chat dort"),
        },
        language=language,
    )


VIEW = View(ask, compute, draw)
