"""One head is ablated: which vectors and which maps change, and what a trained model then answers."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.heads import data, figures
from pages.heads.study import Study, Subject
from pages.shared import answers, display, teaching
from pages.shared.models import Answer

if TYPE_CHECKING:
    from transformer.inspection.head_effects import HeadAblation


class Result(NamedTuple):
    """The chosen head's ablation, the change by any head (L, H), and a trained model's answers with and without it."""

    ablation: "HeadAblation"
    by_head: np.ndarray
    answers: tuple[Answer, Answer] | None


def compute(s: Subject, _: None) -> Result:
    is_trained = s.reading.ref.resolve().is_trained
    return Result(
        data.head_ablation(s.reading, s.layer, s.head),
        data.each_head_ablated(s.reading),
        data.answers_without_head(s.reading, s.layer, s.head) if is_trained else None,
    )


def draw(s: Subject, _: None, result: Result, picture: DeltaGenerator, words: DeltaGenerator) -> None:
    change, by_head = result.ablation, result.by_head
    with picture:
        st.markdown(f"##### How far each token ends up from where it was, without layer {s.layer}, head {s.head}")
        display.figure(
            figures.moved_tokens(s.tokens, change.tokens),
            key="closer-moved",
            alt=f"Bars: without this head the final vectors move by {change.tokens.min():.3f} to "
            f"{change.tokens.max():.3f} of their length.",
        )
        st.markdown("##### The same for every head, averaged over the tokens")
        display.figure(
            figures.by_head(by_head, "change", chosen=(s.layer, s.head)),
            key="closer-every",
            alt=f"Map of heads: silencing one changes the final vectors by {by_head.min():.3f} to {by_head.max():.3f}.",
        )
        if change.maps.max() > 0:
            st.markdown("##### How much later maps change")
            display.figure(
                figures.by_head(change.maps, "largest change of a weight"),
                key="closer-maps",
                alt=f"Map of heads: the largest change of any weight is {change.maps.max():.3f}.",
            )
    with words:
        if result.answers:
            answers.table(*result.answers, f"without layer {s.layer}, head {s.head}", s.tokens)
        st.markdown(
            "A plug is pulled: the output of this one head is set to zero before it is mixed with the others. "
            "Everything after it runs as before. The bars compare the token's last vector with and without the head; "
            "0.1 means it moved by a tenth of its length.\n\nMaps of its own layer and of earlier ones cannot change: "
            "they were made before this head had spoken."
        )
        teaching.code("transformer/taps.py", "ablate")
        teaching.check(
            "You silence a head in the last layer. Which attention maps change?",
            ["All of them", "Those of its own layer", "None"],
            2,
            "A map is made from what came in from below. After the last layer's attention there is no other map.",
            key="closer-unplug",
        )


STUDY = Study("unplug", compute, draw)
