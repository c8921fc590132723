"""Experts: which feed-forward layer each word goes to in a small trained model, and whether the word decides it. A fold
of Modern blocks."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.text_input import examples_for, sentence
from lab.kit.figures import display
from lab.kit.models.references import BeforeTraining, Shipped
from lab.kit.models.source import ModelRef
from pages.blocks import data, expert_figures
from transformer import inspection

MODEL = Shipped("experts")
TRAINED, BEFORE = STATES = ("trained", "before training")
OPEN, TITLE = "blocks_experts", "Experts: which feed-forward layer does each word go to?"


class Settings(NamedTuple):
    """The model, and the tokens that it reads."""

    ref: ModelRef
    tokens: tuple[str, ...]


class Result(NamedTuple):
    routing: "inspection.routing.Routing"
    habits: "list[inspection.routing.Habits]"


def ask() -> Settings | None:
    source = MODEL.resolve()
    typed = sentence(examples_for(source), source=source)
    state = settings.choose(
        st.segmented_control, "State", "blocks_router", STATES, TRAINED, label_visibility="collapsed"
    )
    settings.notify(*typed.notices)
    if not typed.tokens:
        settings.notify("There is no word to follow. Type one, or take an example.")
        return None
    return Settings(BeforeTraining(MODEL) if state == BEFORE else MODEL, typed.tokens)


def compute(s: Settings) -> Result:
    return Result(data.routing(s.ref, s.tokens), data.habits(s.ref))


def draw(s: Settings, result: Result) -> None:
    routing, habits = result
    config = s.ref.resolve().config
    picture, words = st.columns([7, 4], gap="large")
    with picture:
        display.figure(
            expert_figures.routing(*routing, s.tokens),
            key="blocks_routing",
            alt="; ".join(
                f"layer {n}: "
                + ", ".join(f"{token} to {chosen[0]}" for token, chosen in zip(s.tokens, layer, strict=True))
                for n, layer in enumerate(routing.experts)
            ),
        )
        teaching.formula(
            r"\mathrm{MoE}(x) = \sum_{e\,\in\,\text{top}\,k} g_e(x)\,\mathrm{FFN}_e(x), "
            r"\quad g = \mathrm{softmax}(x W_r)"
        )
    with words:
        st.markdown(
            "In each layer a **router** looks at a token’s vector and sends it to one of"
            f" {config.n_experts} experts, each a feed-forward layer of its own. A ring marks the choice, the colour"
            " how sure the router was. Nobody told it which word belongs where; it was only asked not to send"
            " everything to one expert."
        )
        st.markdown(_sameness(habits))
        st.markdown(_loads(habits))
        st.caption(f"The model: {' · '.join(s.ref.resolve().facts)}. Small, so that its map can be read.")
        _ask_back()


def _sameness(habits: "list[inspection.routing.Habits]") -> str:
    """How much words and experts go together."""
    lines = ["| the same word, twice | to the same expert | by chance |", "|:--|--:|--:|"]
    lines += [f"| layer {n} | **{one.same:.0%}** | {one.chance:.0%} |" for n, one in enumerate(habits)]
    note = (
        f"Over all pairs of tokens in {data.N_TALES} tales that it never saw. At 100% an expert would be a list of"
        " words; at chance, words would not matter."
    )
    return "\n".join(lines) + f"\n\n{note}"


def _loads(habits: "list[inspection.routing.Habits]") -> str:
    loads = "; ".join(f"in layer {n} {', '.join(f'{load:.0%}' for load in one.load)}" for n, one in enumerate(habits))
    return (
        f"Of all tokens the experts get {loads}. The names that people give experts (“the one for verbs”) are readings"
        " of maps like this one. And this is a model of a few dozen words: in Mixtral, a large one, no expert was found"
        " for a topic, only some order in syntax (Jiang et al. 2024)."
    )


def _ask_back() -> None:
    questions.ask("blocks-experts", try_it={"blocks_router": BEFORE})
