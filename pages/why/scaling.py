"""Whether bigger helps: losses of stored trainings by parameters, tales and computation. A fold of the costs."""

from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue, questions, settings
from lab.kit.figures import display
from lab.kit.teaching import formula
from lab.kit.words import in_words
from pages.why import data, figures
from transformer import training

# By what: the title of the axis, and its letter in the law.
AXES = {
    data.PARAMETERS: ("parameters of the model", "N"),
    data.TALES: ("different tales to learn from", "D"),
    data.COMPUTE: ("multiplications and additions in training", "C"),
}

STRAIGHT = 0.15  # a law that misses no point by more, as a share of what it has above the floor


class Settings(NamedTuple):
    by: str


def ask() -> Settings:
    by = settings.choose(
        st.segmented_control, "Loss by", "why_scale", AXES, data.PARAMETERS, label_visibility="collapsed"
    )
    return Settings(by)


def compute(s: Settings) -> data.Scaled:
    return data.scaled(s.by)


def draw(s: Settings, result: data.Scaled) -> None:
    title, letter = AXES[s.by]
    law, floor = result.fit.law, result.sweep.floor
    display.figure(
        figures.scaled(result.lines, law, result.x, title),
        key="why_scaled",
        alt=f"Loss at the largest size, {title}: "
        + ", ".join(f"{name} {losses[-1]:.3f}" for name, (_, losses) in result.lines.items())
        + f". The grammar's own is {floor:.3f}.",
    )
    with display.prose():
        st.markdown(_summary(s.by, result))
        formula(rf"L({letter}) = a \, {letter}^{{-b}} + c, \quad b = {law.b:.2f}")
        sweep = result.sweep.sweep
        st.markdown(
            f"c is not fitted: these tales come from a grammar, which knows how likely each is. On the"
            f" {sweep.n_tests} tales of this test its own loss is {floor:.3f} nats per token; on others it is a"
            f" little more or less. And b has no error bars: {len(sweep.seeds)} trainings per size are too few for an"
            f" interval. Those of one size differ by up to {result.apart:.0%} of what they have above the grammar’s."
        )
        st.markdown(f"**Where it does not hold.** {_limits(s.by, result)}")
        st.caption(
            f"{len(result.sweep.runs)} trainings of {sweep.steps} steps of {sweep.batch_size} tales,"
            f" {len(sweep.seeds)} seeds each, measured on {sweep.n_tests} new tales ({result.sweep.made})."
            f" `{_command()}` runs them again."
        )
        st.markdown(
            "Large models were built because such laws held over many powers of ten: Kaplan et al. 2020 measured them"
            " up to a billion parameters, Hoffmann et al. 2022 corrected how much text a model of a given size needs. A"
            " law like this says what a *loss* will be. It does not say what a model can do with it, and it knows"
            " nothing beyond the sizes that were measured."
        )
        st.page_link(
            catalogue.page("blocks").script,
            label="From the model here to GPT-3, part by part",
            icon=":material/arrow_forward:",
            query_params={"blocks_part": "Modern blocks"},
        )
        questions.ask("why-bigger", try_it={"why_scale": data.TALES})


def _summary(by: str, result: data.Scaled) -> str:
    """What the line in ink shows, in Markdown."""
    name, (x, losses) = next(reversed(result.lines.items()))
    floor = result.sweep.floor
    times, shrinks = x[-1] / x[0], (losses[0] - floor) / (losses[-1] - floor)
    if by == data.COMPUTE:
        first, last = result.x[0], result.x[-1]
        halving = 2 ** (1 / result.fit.law.b)
        return (
            "Every line is one model in training. The law runs along the lowest points of all, from"
            f" {in_words(round(first))} to {in_words(round(last))} operations: to halve what is left above the grammar,"
            f" it takes **{halving:.1f} times** as much computation."
        )
    what = "parameters" if by == data.PARAMETERS else "tales"
    return (
        f"**Yes, here.** With {name}, {times:,.0f} times as many {what} leave **1/{shrinks:.1f}** of the loss above the"
        f" grammar’s own: {losses[0]:.3f} becomes {losses[-1]:.3f}. On logarithmic axes that is"
        f" {'nearly' if result.fit.worst < STRAIGHT else 'far from'} a straight line."
    )


def _limits(by: str, result: data.Scaled) -> str:
    """Where the law fails among these very runs, in Markdown."""
    worst = f"The law misses its own points by up to {result.fit.worst:.0%} of what they have above the floor."
    name, (x, losses) = next(iter(result.lines.items()))
    end = float(result.fit.law.at(x[-1]))
    if by == data.PARAMETERS:
        return (
            f"With only {name}, the largest model has {losses[-1]:.2f}, where the law of those with the most tales"
            f" says {end:.2f}: a larger model needs more to learn from. {worst}"
        )
    if by == data.TALES:
        sweep, (sizes, best) = result.sweep.sweep, next(reversed(result.lines.values()))
        n_read = sweep.steps * sweep.batch_size
        return (
            f"In {sweep.steps} steps a model reads {n_read:,} tales. From {sizes[-2]:,.0f} to {sizes[-1]:,.0f}"
            f" different ones, even the largest gains only {best[-2] - best[-1]:.3f}: computation is what it lacks."
            f" {worst}"
        )
    return (
        f"The law is for a model of the right size: that of {name}, trained to the end, has {losses[-1]:.2f}, where"
        f" the law promises {end:.2f} for as much computation. {worst}"
    )


def _command() -> str:
    return training.studies.scaling.COMMAND
