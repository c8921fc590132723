"""The similarity of every two heads' maps, and whether training made the heads differ."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.heads import data, figures
from pages.heads.study import Study, Subject
from pages.shared import display
from pages.shared.models import Untrained


class Result(NamedTuple):
    """Cosines of every two heads' maps (LH, LH); those of an untrained model beside a trained one, else None."""

    cosines: np.ndarray
    untrained: np.ndarray | None


def compute(s: Subject, answer: None) -> Result:
    source = s.reading.ref.resolve()
    cosines, _ = data.similarity_and_rollout(s.reading)
    if not source.is_trained or len(cosines) < 2:
        return Result(cosines, None)
    # The same words, read by as many heads of the same sizes.
    random = s.reading._replace(ref=Untrained(source.kind, source.config, seed=0))
    return Result(cosines, data.similarity_and_rollout(random)[0])


def draw(s: Subject, _: None, result: Result, picture: DeltaGenerator, words: DeltaGenerator) -> None:
    n_heads = s.reading.ref.resolve().config.n_heads
    with picture:
        display.figure(
            figures.similarity(result.cosines, n_heads), key="closer-alike",
            alt=f"Every two heads compared: cosines from {result.cosines.min():.2f} to 1.",
        )  # fmt: skip
    with words:
        st.markdown(
            "Do heads look at different things? Each cell compares two heads' maps: 1 means the same map, 0 that they "
            "never look at the same place."
        )
        st.markdown(_verdict(result))


def _verdict(result: Result) -> str:
    """Trained heads beside as many untrained ones on the same words, in Markdown."""
    if len(result.cosines) < 2:
        return "There is only one head, and nothing to compare it with."
    if result.untrained is None:
        return (
            "Untrained heads are alike because all are close to even. Whether training makes them differ is a thing to "
            "measure, not to believe: choose trained weights above."
        )
    trained, untrained = (_mean_of_pairs(cosines) for cosines in (result.cosines, result.untrained))
    verdict = (
        "Here training made them look at different places."
        if trained < untrained
        else "Here training did **not** make them differ."
    )
    return (
        f"Measured on this text: two of these trained heads have a likeness of **{trained:.2f}** on average; two heads "
        f"of a random model of this size **{untrained:.2f}**. {verdict}"
    )


def _mean_of_pairs(cosines: np.ndarray) -> float:
    return float(cosines[np.triu_indices(len(cosines), 1)].mean())


STUDY = Study("likeness", compute, draw)
