"""The three attentions of an encoder-decoder, and their masks. A part of Wiring."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, story
from lab.kit.components.attention_view import attention_view
from lab.kit.controls.text_input import ask_text, quoted, read
from lab.kit.figures.compare_figures import Sheet
from pages.masks import data
from pages.masks.components.mask_brush import MAX_SIDE, Panel, mask_brush
from pages.masks.controls import ask_target, first_tokens
from pages.masks.data import START_TOKEN, Attentions

ALL = "All three"
KINDS = {"Encoder self": "encoder", "Decoder self": "decoder", "Cross": "cross"}
BLOCKED = {"encoder": "padding, 0", "decoder": "the future, 0", "cross": "padding, 0"}


class Texts(NamedTuple):
    """What the two streams hold, token by token, without padding.

    text  as it was typed, for the trained translator; None where an untrained model reads
    """

    text: str | None
    source: tuple[str, ...]
    target: tuple[str, ...]
    n_pads: int


def _examples() -> tuple[str, ...]:
    first = story.SENTENCE
    others = (text for text in data.TRANSLATOR.resolve().examples if text.lower().rstrip(".") != first)
    return (first, *others)


def take_another() -> None:
    """Put another example into the box: the one after that which is there, or the first."""
    examples, text = _examples(), st.session_state.get("text")
    n = examples.index(text) + 1 if text in examples else 0
    st.session_state["text"] = examples[n % len(examples)]


def ask_texts() -> Texts | None:
    """A sentence, and what the decoder has written: the trained translator's own translation where it knows the words,
    else a target of one's own for an untrained model."""
    translator, examples = data.TRANSLATOR.resolve(), _examples()
    with settings.place_named("row"):
        typed = read(ask_text(examples[0], examples, home=examples[0]), None)
    tokens = first_tokens(typed)
    if not tokens:
        return None
    text = " ".join(typed.tokens)
    unknown = translator.unknown(text)
    pinned = settings.replaying()
    has_target = "mask_target" in ((pinned.pinned or {}) if pinned else st.query_params)
    is_trained = not unknown and not has_target
    both = data.translation(text, MAX_SIDE) if is_trained else None
    if both and not both.source:  # signs alone, which the translator drops
        settings.notify("There is no word to translate. Type a sentence, or choose one of the examples.")
        return None
    with settings.place_named("shown"), settings.line("" if is_trained else "untrained", key="texts"):
        n_pads = settings.choose(
            st.select_slider,
            "Padding after the source",
            "masks_pads",
            range(5),
            2,
            chip="padding: {}",
            help="In a batch, shorter sentences are filled up with padding. Nobody may look at it.",
        )
        target = () if is_trained else ask_target()
    if both:
        return Texts(text, both.source, both.written, n_pads)
    if not target:
        settings.notify("There is no target yet. Type one.")
        return None
    if unknown:
        settings.notify(
            f"The trained translator has never read {quoted(unknown[:5])}. It guesses all the same; the three"
            " attentions below are those of an untrained model."
        )
    return Texts(None, tokens, (START_TOKEN, *target), n_pads)


def ask_shown() -> str:
    """Which of the attentions are shown."""
    with settings.place_named("shown"):
        return settings.choose(st.segmented_control, "Show", "masks_which", (ALL, *KINDS), ALL, wrap=True)


def compute(texts: Texts) -> Attentions:
    if texts.text is None:
        return data.attentions(texts.source, texts.target[1:], texts.n_pads)
    return data.translator_attentions(texts.text, texts.n_pads, MAX_SIDE)


def draw(texts: Texts, shown: str, result: Attentions) -> None:
    if shown == ALL:
        panels = [
            Panel(title, "weights", m.queries, m.keys, m.weights[-1, 0], m.mask, BLOCKED[kind])
            for title, kind in KINDS.items()
            for m in [result.maps[kind]]
        ]
        alt = (
            f"Three attentions of an encoder-decoder that reads {len(texts.source)} words and has written"
            f" {len(texts.target)}."
        )
        mask_brush(panels, key="mask_three", alt=alt)
    else:
        kind = KINDS[shown]
        attention_view(result.packed[kind], key=f"masks_{kind}", url="masks_")
    shapes = {kind: m.weights.shape[1:] for kind, m in result.maps.items()}
    one, two, three = st.columns(3, gap="large")
    one.markdown(
        f"**Encoder self-attention** {shapes['encoder']}. Every source word looks at every other, before and after it. "
        "Only padding is blocked."
    )
    two.markdown(
        f"**Decoder self-attention** {shapes['decoder']}. Every row looks at what is there already, and at nothing"
        " that comes later; the first row is 1, then zeros."
    )
    three.markdown(
        f"**Cross-attention** {shapes['cross']}. :blue[Queries] from the target, :orange[keys] and :green[values] "
        "from the encoder, so every row sees the whole source. The map need not be square, and nobody looks at padding."
    )
    who = "the trained translator, head 0 of its last layer" if texts.text else "an untrained model, head 0"
    rows = " A row of the decoder is named for the word that it writes; its columns are what it has read."
    named = rows if texts.text else ""
    st.caption(f"Sizes are (heads, queries, keys). The attention weights are those of {who}.{named}")
    questions.ask("masks-cross")


def sheet(shown: str, result: Attentions) -> Sheet:
    """The attention weights that A | B compares."""
    m = result.maps[KINDS.get(shown, "cross")]
    return Sheet(m.weights[-1, 0], "attention weight", ("query", "key"), tuple(m.queries), tuple(m.keys), m.mask)


def compared_title(shown: str) -> str:
    return f"{KINDS.get(shown, 'cross')} attention, last layer, head 0"
