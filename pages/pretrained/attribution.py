"""Which part of the model wrote the answer? A logit, taken apart into what every part added to it."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.source import ModelRef, Source
from lab.kit.view import places
from lab.kit.words import fixed, shorten
from pages.pretrained.components.head_finds import head_finds, pack
from pages.pretrained.study import controls, data
from pages.pretrained.study.controls import Light
from transformer import inspection

STRONG = 0.25  # of the largest part: from there on a part is framed


class Settings(NamedTuple):
    """answer, other: the next token that is asked about, and against which, or None; head: None for the strongest."""

    ref: ModelRef
    tokens: tuple[str, ...]
    answer: int
    other: int | None
    head: tuple[int, int] | None


def ask() -> Settings | None:
    ref = controls.ask_model()
    if ref is None:
        return None
    source = ref.resolve()
    typed = controls.ask_prompt("Text", "pretrained_patch_clean", controls.text_for(source), chip="text")
    tokens = controls.cut(source, typed, "text")
    if not tokens:
        settings.notify("There is no word to look at yet. Type the beginning of a text.")
        return None
    answers = controls.ask_answers(ref, (tokens, _other_prompt(source, tokens)))
    if answers is None:
        return None
    head = controls.ask_head(source.n_layers, source.config.n_heads)
    return Settings(ref, tokens, *answers, head)


def _other_prompt(source: Source, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The prompt whose answer is asked against at first: that of the example, where the text is the example's."""
    clean, corrupted = (source.cut(prompt) for prompt in controls.pair_for(source))
    return corrupted if tokens == clean else tokens


def compute(s: Settings) -> "inspection.attribution.Attribution | str":
    return data.attribution(s.ref, s.tokens, s.answer, s.other)


def draw(s: Settings, result: "inspection.attribution.Attribution | str") -> None:
    if isinstance(result, str):
        st.markdown(f"Attribution is not possible here: {result}.")
        return
    layer, head = s.head or np.unravel_index(int(np.abs(result.heads).argmax()), result.heads.shape)
    chosen = int(layer), int(head)
    with places()["stage"]:
        _draw_stage(s, result, chosen)
    with display.prose():
        st.markdown(_sum(s, result))
        teaching.formula(
            r"\mathrm{logit} = \Big(x_{\text{token}} + x_{\text{position}} + \sum_{l,h} \mathrm{head}_{l,h} W_o + "
            r"\sum_l \mathrm{FFN}_l\Big) \cdot \frac{g\,w}{\sigma} + b"
        )
        questions.ask("pretrained-attribution")
        teaching.code_expander("transformer/inspection/attribution.py", "attribute")


def _draw_stage(s: Settings, result: "inspection.attribution.Attribution", chosen: tuple[int, int]) -> None:
    """All heads and feed-forward layers with what they add, and in the text where one head read it."""
    source = s.ref.resolve()
    answer = shorten(source.label(s.answer))
    to = f"the score of “{answer}”"
    if s.other is not None:
        to = f"the lead of “{answer}” over “{shorten(source.label(s.other))}”"
    biggest = max(float(np.abs(result.heads).max()), float(np.abs(result.feed_forward).max()))
    packed = pack(
        [shorten(token) for token in s.tokens],
        data.maps(s.ref, s.tokens),
        result.heads,
        "adds",
        {"to": to},
        chosen,
        is_causal=True,
        asked=[(len(s.tokens) - 1, ())],
        found=result.by_key[:, :, None],
        strong=STRONG * biggest,
        feed_forward=result.feed_forward,
    )
    head_finds(packed, key="head-finds", on_choose=controls.choose_head(*result.heads.shape))


def _signed(x: float) -> str:
    return fixed(x, signed=True)


def _matrix(result: "inspection.attribution.Attribution") -> np.ndarray:
    """What every head and every feed-forward layer adds, (L, H + 1)."""
    return np.column_stack([result.heads, result.feed_forward])


def _sum(s: Settings, result: "inspection.attribution.Attribution") -> str:
    """All parts and their sum, in Markdown."""
    label = s.ref.resolve().label
    answer = display.plain(label(s.answer))
    asked = f"the logit of **{answer}**"
    if s.other is not None:
        asked += f" minus that of **{display.plain(label(s.other))}**"
    terms = {
        "heads": float(result.heads.sum()),
        "feed-forward": float(result.feed_forward.sum()),
        "token": result.token,
        "position": result.position,
        "biases": float(result.biases.sum()) + result.constant,
    }
    shown = ", ".join(f"{name} {_signed(value)}" for name, value in terms.items())
    return (
        f"{shown}: together **{_signed(result.total)}**. The model itself gives {_signed(result.logit)} for {asked}. "
        "The parts add up exactly, because this model only ever adds to its stream. (The last norm is held at the "
        "mean and scale that it has on this text.)"
    )


def _sheet(s: Settings, result: "inspection.attribution.Attribution | str") -> Sheet | None:
    if isinstance(result, str):
        return None
    H = result.heads.shape[1]
    columns = (*(str(head) for head in range(H)), "FFN")
    return Sheet(_matrix(result), "added to the logit", ("layer", "head"), columns=columns)


LIGHT = Light(
    "Attribute",
    "Split the score of the next word: what does each head add, and from which words? **Press a head.**",
    "**Which part of the model wrote the answer?** The score is the answer's logit: the sum of what all heads and all "
    "feed-forward layers add.",
    ask,
    compute,
    draw,
    "what each part adds",
    _sheet,
)
