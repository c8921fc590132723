"""The station "layer norm": every number of each token before the norm and after it, and whether the batch matters."""

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import places
from lab.kit.words import at_most
from pages.blocks import data, station_figures
from pages.blocks.data import GainRange
from pages.blocks.stations import Result, Settings

BATCH = 8


def ask_batch() -> int:
    return settings.choose(
        st.select_slider,
        "Sentences in the batch",
        "blocks_company",
        (1, 2, 4, 8, 16),
        BATCH,
        common=True,
        help="How many sentences are computed together. The others are random texts of the same length.",
    )


def draw(s: Settings, result: Result) -> None:
    containers = places()
    learned = data.gain_range(s.stack.ref, s.stack.layer, s.step) if s.stack.is_trained else None
    with containers["picture"]:
        before, after = result.stages[result.before(s.step)], result.stages[s.step]
        names = ("before", "after: mean 0, deviation 1" + (", then × γ + β" if learned else ""))
        alt = "The numbers of every token's vector before layer norm, and after it" + (
            ", where γ and β have moved them." if learned else ": mean 0 and standard deviation 1 for all."
        )
        drawing = station_figures.normalised(before, after, s.stack.tokens, names)
        display.figure(drawing, key="blocks_norm_stats", alt=alt)
    with containers["above"]:
        teaching.formula(r"\frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \varepsilon}}\;\gamma + \beta")
        st.markdown(
            "Each row is one token, and each tick one number of its vector; the dot is their mean, the bar their "
            "standard deviation. The norm takes both from this *one* token. " + _gains(learned)
        )
    with containers["below"]:
        if result.batch:
            _company(*result.batch)
        teaching.code_expander("transformer/core/layers.py", "AddNorm")


def _company(under_layer_norm: float, under_batch_norm: float) -> None:
    """What the other sentences of the batch change."""
    st.markdown(
        f"With other sentences in the batch and without, the numbers here differ by {at_most(under_layer_norm)}."
        " If the norm took its mean over the whole batch instead (batch norm), they would differ by"
        f" {at_most(under_batch_norm)}."
    )
    questions.ask("blocks-norm")


def _gains(learned: GainRange | None) -> str:
    """What γ and β are; `learned` of a trained model."""
    if not learned:
        return "In an untrained model γ is 1 and β is 0; training moves them."
    return (
        f"γ was 1 and β was 0 before training. Now γ lies from {learned.min_gain:.2f} to "
        f"{learned.max_gain:.2f} and β from {learned.min_bias:.2f} to {learned.max_bias:.2f}, so the result has "
        "means and deviations other than 0 and 1."
    ).replace("-", "−")
