"""Which model still works on a longer text? Six that differ only in how they are told the order read on."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.view import View
from lab.kit.words import as_chance
from pages.positions import data
from pages.positions.components.read_on import Line, read_on
from pages.positions.controls import open_way
from transformer.training.studies import far

NAMES = {"none": "no positions", "relative": "T5 relative", "alibi": "ALiBi"}  # where the page calls a scheme otherwise
HOLDS = 0.9  # of a point: a model is said to hold as far as its share of right answers is larger


class Settings(NamedTuple):
    """There is nothing to choose but the way and the position, both in the figure itself."""


def compute(s: Settings) -> data.ReadOn:
    return data.read_on()


def name_of(scheme: str) -> str:
    return NAMES.get(scheme, scheme)


def held(curve: "np.ndarray") -> int:
    """Over how many points from the first on a model is right more often than HOLDS."""
    lower = np.flatnonzero(curve <= HOLDS)
    return int(lower[0]) if len(lower) else len(curve)


def draw(s: Settings, result: data.ReadOn) -> None:
    setting = result.setting
    lines = []
    for scheme, shares in result.shares.items():
        curve = shares.mean(0)
        finding = found(scheme, curve, setting, stops=scheme in result.refusals)
        why = why_of(scheme, setting)
        opens = scheme != "none"
        lines.append(Line(name_of(scheme), curve.tolist(), finding, why, opens))
    read_on(
        lines,
        step=setting.step,
        trained=setting.trained,
        chance=far.CHANCE,
        finding=_found_of_all(result),
        aside=aside(result),
        task="The task: which bracket closes next?",
        on_open=open_way,
        key="pos_read_on",
    )
    with display.prose():
        st.markdown(_read(result))
        st.markdown(_why(result))
        st.caption(_made(result))
        questions.ask("positions-far")
        teaching.code_expander("transformer/training/studies/far_runs.py", "loss_on", "accuracy")


def found(scheme: str, curve: "np.ndarray", setting: "far.Setting", stops: bool) -> str:
    """What one line does, in a sentence with its numbers."""
    name = name_of(scheme)
    subject = "Without positions, a model" if scheme == "none" else name[:1].upper() + name[1:]
    n, end = held(curve), as_chance(curve[-1])
    over, until = f"over {HOLDS:.0%} of the time", f"up to {n * setting.step} tokens"
    if n == len(curve):
        if stops:
            return f"{subject} is right {over} {until}, and there it stops."
        return f"{subject} is right {over} all the way: {end} at {n * setting.step} tokens."
    last = f"stops at {len(curve) * setting.step}" if stops else None
    if not n:
        at_end = last or f"is right {end} at {len(curve) * setting.step} tokens"
        return f"{subject} is never sure: it falls below {HOLDS:.0%} at once, and {at_end}."
    then = last or (f"falls to {end}" if curve[-1] <= HOLDS else f"drops, and ends at {end}")
    return f"{subject} is right {over} {until}, then {then}."


def _found_of_all(result: data.ReadOn) -> str:
    setting = result.setting
    (lowest, worst), (highest, best) = _ends(result)
    stops = [f"{name_of(one)} stops at {result.shares[one].shape[1] * setting.step}" for one in result.refusals]
    return (
        f"At {setting.length} tokens {best} is right {as_chance(highest)} of the time, {worst} {as_chance(lowest)}"
        f"{'; ' if stops else ''}{', '.join(stops)}."
    )


def aside(result: data.ReadOn) -> str:
    """Which ways to tell positions are worse at the end, in each training, than to tell none."""
    told_none = result.shares["none"][:, -1].min()
    reading = {name: shares[:, -1].max() for name, shares in result.shares.items() if name not in result.refusals}
    beaten = [name_of(name) for name, best in reading.items() if best < told_none]
    return f"A model told no positions at all beats {' and '.join(beaten)}." if beaten else ""


def _ends(result: data.ReadOn) -> tuple[tuple[float, str], tuple[float, str]]:
    """The lowest and the highest share at the end, each with its name, of those that read so far."""
    reading = [(curve.mean(0)[-1], name_of(one)) for one, curve in result.shares.items() if one not in result.refusals]
    return min(reading), max(reading)


def why_of(scheme: str, setting: "far.Setting") -> str:
    """Why, in one line; what nobody has tested here says so."""
    usual = "The usual explanation, not tested here: "
    return {
        "none": usual + "by how many tokens it sees, it can tell the order a little.",
        "sinusoidal": "Its codes are new there. We tried it: a short text that begins so far out is read worse, too.",
        "learned": f"Its table has a row for each of {setting.trained} positions, and none for the next.",
        "rotary": usual + "in a long text its slow pairs reach angles that it has never met.",
        "relative": usual + "beyond some distance, it is only told “far”.",
        "alibi": usual + "new distances are long ones, and those count least.",
    }[scheme]


def _read(result: data.ReadOn) -> str:
    setting = result.setting
    known = [shares.mean(0)[setting.trained // setting.step - 1] for shares in result.shares.values()]
    return (
        "**Six models, alike in all but their positions, learned to close the brackets of code**, from texts of"
        f" {setting.trained} tokens. At that length they are right {as_chance(min(known))} to"
        f" {as_chance(max(known))} of the time. Then each reads on."
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
        " brought back: see Other ways, rotary, Longer texts.\n"
        "- **T5** and **ALiBi** tell the model that far is far, and no more.\n"
        "- **No positions**: a model that may not look ahead can tell the order a little, by how many tokens it sees."
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


VIEW = View(Settings, compute, draw)
