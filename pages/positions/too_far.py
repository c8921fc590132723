"""What is an encoding worth past the training length? Six models that differ in nothing else read on."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.words import as_chance
from pages.positions import data
from pages.positions.components.read_on import Line, read_on
from pages.positions.controls import Scheme
from transformer.training.studies import far

NAMES = {"relative": "T5 relative", "alibi": "ALiBi"}  # of a scheme, where the page calls it otherwise


class Settings(NamedTuple):
    """There is nothing to choose but the position, in the figure itself."""


def ask() -> Settings:
    return Settings()


def compute(s: Settings) -> data.ReadOn:
    return data.read_on()


def name_of(scheme: str) -> str:
    return NAMES.get(scheme, scheme)


def draw(s: Settings, result: data.ReadOn) -> None:
    setting = result.setting
    read_on(
        [Line(name_of(scheme), shares.mean(0).tolist()) for scheme, shares in result.shares.items()],
        step=setting.step,
        trained=setting.trained,
        chance=far.CHANCE,
        key="pos_read_on",
    )
    with display.prose():
        st.markdown(_found(result))
        st.markdown(_why(result))
        st.caption(_made(result))
        questions.ask("positions-far")
        teaching.code_expander("transformer/training/studies/far_runs.py", "loss_on", "accuracy")


def _found(result: data.ReadOn) -> str:
    setting = result.setting
    means = {scheme: shares.mean(0) for scheme, shares in result.shares.items()}
    known = [curve[setting.trained // setting.step - 1] for curve in means.values()]
    ends = sorted((curve[-1], name_of(scheme)) for scheme, curve in means.items() if scheme not in result.refusals)
    (lowest, worst), (highest, best) = ends[0], ends[-1]
    return (
        "**Six models, alike in all but their positions, learned to close the brackets of code**, from texts of"
        f" {setting.trained} tokens. At that length they are right {as_chance(min(known))} to"
        f" {as_chance(max(known))} of the time. Then each reads on. At {setting.length} tokens **{best}** is right"
        f" {as_chance(highest)} of the time, **{worst}**"
        f" {as_chance(lowest)}; guessing among three kinds of brackets gives {far.CHANCE:.0%}."
    )


def _why(result: data.ReadOn) -> str:
    n, message = result.setting.trained, display.plain(result.refusals["learned"])
    return (
        "Why? For the sines we have tried it: texts as short as in training, moved far out, are read worse at once. For"
        " the others it is the usual explanation, which we have not tested.\n\n"
        f"- **Learned** has no row {n}, and stops. Its own words: “{message}.”\n"
        "- **Sinusoidal** has a code for every position, but its slow waves take values there that the model"
        " has never met.\n"
        "- **Rotary** knows only distances, but a long text has longer ones: its slow angles are new. They can be"
        " brought back: see rotary, Longer texts.\n"
        "- **T5** and **ALiBi** tell the model that far is far, and no more.\n"
        "- **None**: a model that may not look ahead can tell the order a little, by how many tokens it sees."
    )


def _made(result: data.ReadOn) -> str:
    setting, n = result.setting, len(next(iter(result.shares.values())))
    spread = {scheme: float(shares[:, -1].max() - shares[:, -1].min()) for scheme, shares in result.shares.items()}
    widest = max(spread, key=lambda scheme: spread[scheme])
    return (
        f"The mean of {n} trainings per scheme, {setting.steps:,} steps each; at the last position two of them differ"
        f" by up to {100 * spread[widest]:.0f} points ({name_of(widest)}). Measured on {setting.n_tests:,} new texts,"
        f" the same for all, at every closing bracket ({result.made}). Longer code is nested deeper, so not all that is"
        f" lost out there is lost to positions. `{far.COMMAND}` runs it all again."
    )


SCHEME = Scheme("too far", ask, compute, draw)
