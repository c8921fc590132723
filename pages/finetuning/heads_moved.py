"""Every head before and after fine-tuning, and how much of its attention weight each puts elsewhere."""

from typing import NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.figures import display
from pages.finetuning import data, figures
from pages.finetuning.controls import Taught, trained
from transformer.training.ways import ALL, WAYS

OPEN = "fine_heads"  # in links: whether the fold is open
TUNED = WAYS[1:]  # the ways that begin with a trained model
TEXTS = {"dialogues" if kind == "talks" else kind: text for text, kind in data.TEXTS.items()}


class Settings(NamedTuple):
    way: str
    text: str


def ask() -> Settings:
    with settings.place(st.container, horizontal=True, gap="small"):
        way = settings.choose(
            st.segmented_control, "Heads of", "fine_way", TUNED, ALL, label_visibility="collapsed", wrap=True
        )
        kind = settings.choose(
            st.segmented_control, "Reading", "fine_text", tuple(TEXTS), "stories", label_visibility="collapsed"
        )
    return Settings(way, TEXTS[kind])


def compute(s: Settings, taught: Taught) -> data.Heads:
    tuned = trained(taught, (s.way,))[s.way]
    return data.heads(s.way, tuned.lesson, s.text, tuned)


def draw(s: Settings, heads: data.Heads) -> None:
    layer, head = divmod(int(heads.moved.argmax()), heads.moved.shape[1])
    display.figure(
        figures.heads(heads.before, heads.after, heads.moved),
        key="fine-heads",
        alt=f"Every head of {s.way} on “{s.text}”, before and after. Head {layer}.{head} moved the"
        f" most: {heads.moved.max():.0%} of its attention weight.",
    )
    st.caption(
        f"**{s.way}**, reading “{s.text}” For each layer: before, and below it after. Head 1.2 is head 2 of layer 1,"
        " both counted from 0. *Moved*: the share of its :violet[**attention weight**] that a head puts elsewhere, in"
        f" the mean over held-out {data.TEXTS[s.text]}."
    )
