"""The station "feed-forward": which of its units fire, its activation, and what it could not do without."""

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import places
from lab.kit.words import amount, at_most
from pages.blocks import data, figures, station_figures
from pages.blocks.stations import Result, Settings
from transformer import inspection

TANH = "GELU, tanh form"
FIRING, ACTIVATION, WITHOUT = FIGURES = ("Which units fire", "The bend", "Without the bend")


def ask_figure() -> str:
    return settings.choose(
        st.segmented_control, "View", "blocks_view", FIGURES, FIRING, common=True, label_visibility="collapsed"
    )


def draw(s: Settings, result: Result) -> None:
    {FIRING: _draw_firing, ACTIVATION: _draw_activation, WITHOUT: _draw_without}[s.figure](s, result.fed)


def _draw_firing(s: Settings, run: "inspection.blocks.FeedForwardRun") -> None:
    with places()["picture"]:
        alt = "Hidden units of the feed-forward layer for every token; those that stay silent are empty."
        display.figure(station_figures.firing(run.hidden, run.firing, s.stack.tokens), key="blocks_firing", alt=alt)
    with places()["below"]:
        if s.stack.config.gated:
            teaching.formula(rf"\mathrm{{FFN}}(x) = (\mathrm{{{s.activation}}}(x W_1) \odot x W_3)\,W_2")
            st.markdown("Each token passes on its own, and all pass through the same three matrices.")
        else:
            teaching.formula(rf"\mathrm{{FFN}}(x) = \mathrm{{{s.activation}}}(x W_1 + b_1)\,W_2 + b_2")
            st.markdown("Each token passes on its own, and all pass through the same two matrices.")
        st.markdown(_sizes(s, run))
        questions.ask("blocks-order", difference=at_most(max(run.reversal_change, run.isolation_change)))
        teaching.code_expander("transformer/core/layers.py", "FeedForward")


def _draw_activation(s: Settings, run: "inspection.blocks.FeedForwardRun") -> None:
    x, curves = data.activations()
    shown = {name: curves[name] for name in dict.fromkeys(("ReLU", "GELU", s.activation))}
    with places()["picture"]:
        alt = f"ReLU and GELU as curves, and how often this sentence's numbers fall where; {s.activation} is in use."
        display.figure(station_figures.activation(x, shown, s.activation, run.before), key="blocks_bend", alt=alt)
    with places()["below"]:
        teaching.formula(r"\begin{aligned}\mathrm{ReLU}(x) &= \max(0, x)\\ \mathrm{GELU}(x) &= x\,\Phi(x)\end{aligned}")
        st.markdown(
            "Between the two matrices sits a curve with a bend. Φ(x) is the share of a bell curve to the left of x."
        )
        st.markdown(_passed_on(run, float(np.abs(curves[TANH] - curves["GELU"]).max()), s.stack.config.activation))
        questions.ask("blocks-relu", try_it={"blocks_part": "One layer", "blocks_view": FIRING})


def _draw_without(s: Settings, run: "inspection.blocks.FeedForwardRun") -> None:
    inputs, answers, linear_answers = data.xor()
    with places()["picture"]:
        alt = "XOR: two ReLU units answer 0, 1, 1, 0; the best straight map answers one half to all."
        display.figure(station_figures.xor(inputs, answers, linear_answers), key="blocks_xor", alt=alt)
    with places()["below"]:
        teaching.formula(r"(x W_1) W_2 = x\,(W_1 W_2)")
        if s.stack.config.gated:
            st.markdown(
                "This model's layer has a gate: it multiplies two maps with each other, which no single matrix can do."
            )
        else:
            st.markdown(_one_matrix(data.nonlinearity(s.stack.ref, s.stack.layer), s.activation))
        questions.ask("blocks-straight")
        untrained = "" if s.stack.is_trained else "; nothing here is trained"
        st.caption(f"The four parameters for XOR are set by hand{untrained}.")


def _sizes(s: Settings, run: "inspection.blocks.FeedForwardRun") -> str:
    """The sizes of a feed-forward layer, its parameters, and how many units fire."""
    d_model, d_ff = s.stack.config.d_model, s.stack.config.d_ff
    share = 100 * run.n_parameters / run.layer_parameters
    cut = f" The first {figures.MAX_UNITS} are shown." if d_ff > figures.MAX_UNITS else ""
    return (
        f"{d_model} → **{d_ff}** → {d_model} numbers per token; the {d_ff} in the middle are the hidden **units**."
        f"{cut} {_count(s)} = **{run.n_parameters:,}** parameters, {share:.0f}% of the layer. On average "
        f"**{100 * run.firing.mean():.0f}%** of the units fire, which means that their input is above zero."
    )


def _count(s: Settings) -> str:
    """The number of parameters of a feed-forward layer as a sum."""
    config = s.stack.config
    D, F, n_maps = config.d_model, config.d_ff, 3 if config.gated else 2
    biases = f" + {f'{n_maps - 1}·' if n_maps == 3 else ''}{F} + {D}" if config.has_bias("ff") else ""
    return f"{n_maps}·{D}·{F}{biases}"


def _passed_on(run: "inspection.blocks.FeedForwardRun", short_cut: float, activation: str) -> str:
    """What the activation lets through."""
    share = float(np.abs(run.hidden).sum() / max(float(np.abs(run.before).sum()), 1e-30))
    return (
        f"**{100 * run.firing.mean():.0f}%** of this sentence's {run.before.size:,} numbers are above zero; "
        f"**{100 * share:.0f}%** of their total size passes. Some models compute GELU with tanh, a shortcut that is "
        f"off by at most {amount(short_cut)}; this one uses {'that' if activation == 'gelu_tanh' else 'the exact'} "
        "form."
    )


def _one_matrix(worth: "inspection.blocks.Nonlinearity", activation: str) -> str:
    """What one matrix can do of the layer."""
    return (
        f"Take away the {activation} of this layer, and one matrix does the same job: the two differ by "
        f"{at_most(worth.linear_error)}. With the bend, the best single "
        f"matrix misses **{100 * worth.unexplained:.0f}%**. The chart asks for something no single matrix can do: say "
        "1 when exactly one input is 1."
    )
