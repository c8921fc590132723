"""Ablation: a part of the model is taken out while it runs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.view import View, places
from lab.kit.words import as_chance
from pages.translation import data, figures, sentence
from pages.translation.components import taken_apart, without_part
from pages.translation.sentence import Sentence
from transformer import inspection

PARTS: "dict[str, inspection.translation.Part | None]" = {
    taken_apart.NOTHING: None,
    "positions": "positions",
    "memory": "memory",
    "cross-attention": "focus",
    taken_apart.ONE_HEAD: "head",
}
PART, PICTURE = "translation_plug", "translation_parts"  # in links: what is out; in st.session_state: the picture of it
SIDE, LAYER, HEAD = "tr_plug_side", "tr_plug_layer", "tr_plug_head"  # in links: which head
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
_LEFT_OUT: "dict[inspection.translation.Part | None, str]" = {
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
    """The translation by the whole model, those without each part, and the shares of held-out sentences that are then
    exactly right: by what is out. Without one head only where one is out. heads: see without_heads()."""

    whole: data.Translated
    ablated: dict[str, data.Ablated]
    shares: dict[str, float]
    heads: "dict[inspection.translation.Head | None, tuple[str, ...]]"


def layout() -> Mapping[str, Any]:
    return {"picture": st.container(), "words": display.prose()}


def ask() -> Settings:
    text = sentence.current()
    with settings.place_named("row"), settings.line():
        name = settings.choose(
            st.segmented_control, "Taken out", PART, PARTS, taken_apart.NOTHING, chip="{} out", wrap=True
        )
        head = None
        if PARTS[name] == "head":
            head = _ask_head(text)
    return Settings(text, name, head)


def _ask_head(text: Sentence) -> "inspection.translation.Head":
    H = text.ref.resolve().config.n_heads
    # No chips: the picture says which head is out, and the line stays one line.
    kind = KINDS[settings.choose(st.segmented_control, "of", SIDE, KINDS, "decoder self", chip=None)]
    L = _n_layers(text, kind)
    layer = head = 0
    if L > 1:
        layer = settings.choose(
            st.select_slider, "Layer", LAYER, range(L), 0, why="this model has no layer {}", chip=None
        )
    if H > 1:
        head = settings.choose(st.select_slider, "Head", HEAD, range(H), min(2, H - 1), chip=None)
    return kind, layer, head


def _n_layers(text: Sentence, kind: str) -> int:
    config = text.ref.resolve().config
    return config.n_encoder_layers if kind == "encoder" else config.n_decoder_layers


def compute(s: Settings) -> Result:
    ref, words = s.sentence
    parts = {name: part for name, part in PARTS.items() if part != "head" or name == s.name}
    heads = {name: s.head if part == "head" else None for name, part in parts.items()}
    return Result(
        data.translated(ref, words),
        {name: data.ablated(ref, words, part, heads[name]) for name, part in parts.items()},
        {name: data.ablated_share(ref, part, heads[name]) for name, part in parts.items()},
        without_heads(ref, words),
    )


def every_head(ref: data.Ref) -> "list[inspection.translation.Head]":
    """All heads of a translator: of the encoder, of the decoder, and of the cross-attention."""
    config = ref.resolve().config
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers, "cross": config.n_decoder_layers}
    return [(kind, layer, head) for kind, L in layers.items() for layer in range(L) for head in range(config.n_heads)]


def without_heads(ref: data.Ref, words: tuple[str, ...]) -> "dict[inspection.translation.Head | None, tuple[str, ...]]":
    """What is written, token by token, without each head that this translation needs; None: without all others."""
    heads, whole = every_head(ref), data.translated(ref, words).words
    written = dict(zip(heads, data.written_without(ref, words, tuple((head,) for head in heads)), strict=True))
    needed = {head: text for head, text in written.items() if text != whole}
    others = tuple(head for head in heads if head not in needed)
    return {**needed, None: data.written_without(ref, words, (others,))[0]}


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        taken_apart.taken_apart(_payload(s, result), key=PICTURE, on_press=_press)
    with places()["words"]:
        st.markdown(f"{_EFFECTS[PARTS[s.name]]} This is called an *ablation*: take a part out and measure.")
        if PARTS[s.name] is None:
            same = result.ablated[s.name].text == result.whole.text
            st.markdown(
                "The translation is the same, letter for letter." if same else "**It differs**, which is a bug."
            )
        st.markdown(f"Measured on {data.N_TESTS} sentences that were not in its training; it writes by itself:")
        if s.head:
            _draw_every_head(s.sentence, s.head, result.shares[taken_apart.NOTHING])
        _draw_shares(s, result)
        st.markdown("**Where both look**")
        _draw_threads(s, result)
        teaching.code_expander("transformer/inspection/translation.py", "ablate_part", icon=None)
        _check(s)


def _press() -> None:
    """A part of the picture was pressed: it says what is to be out, and which head."""
    name, *head = (sent(PICTURE, "press", str) or "").split(":")
    if name not in PARTS:
        return
    st.session_state[PART] = name
    if len(head) == 3 and head[0] in KINDS.values() and head[1].isdecimal() and head[2].isdecimal():
        side = next(side for side, kind in KINDS.items() if kind == head[0])
        for key, value in ((SIDE, side), (LAYER, int(head[1])), (HEAD, int(head[2]))):
            if key not in st.session_state:  # a control that this press brings takes its value from the link
                st.query_params[key] = str(value)
            st.session_state[key] = value


def _payload(s: Settings, result: Result) -> dict[str, Any]:
    """The sentence without each part, and what the parts hold for it."""
    whole, config = result.whole, s.sentence.ref.resolve().config
    texts = {
        name: taken_apart.Written(
            ablated.words[: -1 if ablated.ended else None], ablated.ended, round(data.N_TESTS * result.shares[name])
        )
        for name, ablated in result.ablated.items()
    }
    return taken_apart.payload(
        s.sentence.words,
        texts,
        s.name,
        n=data.N_TESTS,
        ordered=config.positions != "none",
        memory=whole.translation.memory,
        weights=whole.maps["cross"].weights[-1].mean(0),
        even=result.ablated["cross-attention"].weights[-1].mean(0),
        heads=[(kind, _n_layers(s.sentence, kind), config.n_heads) for kind in ("encoder", "decoder", "cross")],
        head=s.head,
        without=result.heads,
        fault=whole.fault.first,
    )


def _draw_threads(s: Settings, result: Result) -> None:
    """The sentence between its translations by the whole model and without this part, with their threads."""
    part, whole, ablated = PARTS[s.name], result.whole.maps["cross"].weights, result.ablated[s.name]
    layer = len(whole) - 1
    without_part.without_part(
        without_part.payload(
            s.sentence.words,
            (result.whole.words, whole[layer].mean(0)),
            (ablated.words, ablated.weights[layer].mean(0)),
            part=_LEFT_OUT[part],
            layer=layer,
            carries=part != "memory",
        ),
        key="plug_picture",
    )


def _draw_shares(s: Settings, result: Result) -> None:
    """The share of held-out sentences exactly right, without each part or without this head."""
    shares = {name: share for name, share in result.shares.items() if name != taken_apart.ONE_HEAD}
    if s.head:
        shares = {taken_apart.NOTHING: shares[taken_apart.NOTHING], "this head": result.shares[s.name]}
    chosen = 1 if s.head else tuple(shares).index(s.name)
    display.figure(
        figures.shares(tuple(shares), tuple(shares.values()), chosen),
        key="plug_shares",
        alt="Exactly right without " + ", ".join(f"{name} {as_chance(share)}" for name, share in shares.items()),
    )


def _draw_every_head(text: Sentence, head: "inspection.translation.Head", share: float) -> None:
    """The share left without each head of one kind; a bar shows how far the measurement is, when it is the first."""
    kind, layer, number = head
    shares = np.zeros((_n_layers(text, kind), text.ref.resolve().config.n_heads))
    bar = st.progress(0.0, "Taking out one head after the other")
    for n, (i, h) in enumerate(np.ndindex(shares.shape), start=1):
        shares[i, h] = data.ablated_share(text.ref, "head", (kind, i, h))
        bar.progress(n / shares.size, "Taking out one head after the other")
    bar.empty()
    display.figure(
        figures.head_ablations(shares, share, chosen=(layer, number)),
        key="plug_heads",
        alt=f"Exactly right without each head: from {as_chance(shares.min())} to {as_chance(shares.max())}; "
        f"with all, {as_chance(share)}.",
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


VIEW = View(ask, compute, draw, layout=layout)
