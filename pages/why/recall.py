"""How far back a recurrent network remembers, beside attention with as many parameters. A fold of the paths.

The trainings are stored; what the last output depends on is computed here, by autograd, on the networks that they left.
"""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from lab.kit import questions, settings
from lab.kit.figures import display
from lab.kit.teaching import formula
from lab.kit.words import as_chance, part
from pages.why import data, figures, lights
from transformer import training

if TYPE_CHECKING:
    import numpy as np

KEPT = {"one name": 1, "four names": 4}  # to remember
BEFORE, AFTER = "before training", "after training"
NAMES = {
    "attention": "one layer of ours",
    "tanh": "recurrent, Elman 1990",
    "LSTM": "1997, with three gates",
    "GRU": "2014, with two gates",
}


class Settings(NamedTuple):
    """How many names a text holds, and whether gradients are those of trained networks."""

    n_kept: int
    is_trained: bool


class Result(NamedTuple):
    """Stored trainings, and how strongly the last output depends on what is far back.

    tree  the share of right answers of a decision tree
    """

    stored: data.Recalled
    heard: "dict[str, np.ndarray]"
    tree: float


def ask() -> Settings:
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        kept = settings.choose(st.segmented_control, "To remember", "why_kept", KEPT, next(iter(KEPT)))
        when = settings.choose(
            st.segmented_control,
            "Effect on the last output",
            "why_heard",
            (BEFORE, AFTER),
            AFTER,
            help="Of the networks with their first weights, or of the trained ones.",
        )
    return Settings(KEPT[kept], when == AFTER)


def compute(s: Settings) -> Result:
    return Result(data.recalled(s.n_kept), data.heard(s.n_kept, s.is_trained), data.decision_tree(s.n_kept))


def draw(s: Settings, result: Result) -> None:
    _draw_lights(result.stored)
    _draw_lines(s, result)
    stored, n_tokens = result.stored, result.stored.setting.n_tokens
    with display.prose():
        st.markdown(
            f"A text of {n_tokens} tokens holds {'one name' if s.n_kept == 1 else f'{s.n_kept} names'} with a colour,"
            " *anna=red*, among words that mean nothing. Then comes the question, *anna?*. A recurrent network"
            " has to carry the answer through every token in between; attention looks back at it."
        )
        st.markdown(_found(stored))
        st.markdown(_faded(result.heard, n_tokens, is_trained=s.is_trained))
        formula(
            r"\frac{\partial\, h_T}{\partial\, x_t} = \frac{\partial\, h_T}{\partial\, h_{T-1}} \cdots"
            r" \frac{\partial\, h_{t+1}}{\partial\, h_t} \; \frac{\partial\, h_t}{\partial\, x_t}"
        )
        st.markdown(
            "In a recurrent network this is one factor per token. If the factors shrink what they multiply, the effect"
            " **vanishes** with distance, and with it the hint from which training could learn. Gates were invented to"
            " keep a factor near 1. With attention, a single step leads from any token to the last."
        )
        st.markdown(
            "And a **decision tree**? It asks about fixed places, one yes or no at a time, while the name may stand"
            f" anywhere. One that was just grown on {data.N_GROWN:,} of these texts, with up to {data.DEPTH} questions"
            f" in a row, answers {as_chance(result.tree)} of new ones right."
        )
        st.markdown(_table(stored))
        st.markdown(_speeds(stored))
        setting = stored.setting
        st.caption(
            f"Thick: the mean of {len(stored.shares['attention'])} trainings with different seeds (thin)."
            f" Each trained for {setting.steps} steps of {setting.batch_size} texts, and was asked about"
            f" 1,000 new texts per distance ({stored.made}). `{_command()}` runs it all again. Longer training would"
            " help the recurrent networks: this shows what is easy to learn, not what is possible."
        )
        questions.ask("why-remember", try_it={"why_heard": BEFORE})


def _draw_lights(stored: data.Recalled) -> None:
    chance = 1 / stored.setting.n_colours
    st.markdown(
        "**Who still knows the name?** A light for each network and each place where it may stand: the larger, the more"
        " often the answer is right; with a ring, nearer to always than to guessing."
    )
    knowing = [name for name, share in stored.shares.items() if share.mean(0)[-1] >= (1 + chance) / 2]
    display.figure(
        lights.strip(stored.shares, chance),
        key="why_lights",
        alt=f"Networks that still know the name at the longest distance: {', '.join(knowing) or 'none'}.",
    )


def _draw_lines(s: Settings, result: Result) -> None:
    """Right answers, and what the last output depends on, by distance."""
    stored, n_tokens = result.stored, result.stored.setting.n_tokens
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Right answers, by how far back the needed token stands**")
        display.figure(
            figures.recalled(stored.shares, 1 / stored.setting.n_colours),
            key="why_recalled",
            alt="Right answers one token back, and at the longest distance: "
            + ", ".join(
                f"{name} {as_chance(share.mean(0)[0])}, {as_chance(share.mean(0)[-1])}"
                for name, share in stored.shares.items()
            ),
        )
    with right:
        st.markdown(f"**How much the last output depends on that token**, {AFTER if s.is_trained else BEFORE}")
        display.figure(
            figures.heard(data.HEARD, result.heard),
            key="why_heard_figure",
            alt=f"{n_tokens} tokens back, as a share of one back: "
            + ", ".join(f"{name} {norms[-1] / norms[0]:.2g}" for name, norms in result.heard.items()),
        )


def _found(stored: data.Recalled) -> str:
    """Which networks remember at every distance, and how far the others get, in Markdown."""
    chance = 1 / stored.setting.n_colours
    half = (1 + chance) / 2
    clauses = []
    for name, shares in stored.shares.items():
        n_learned, mean = int((shares.min(1) >= 0.95).sum()), shares.mean(0)
        if n_learned == len(shares):
            clauses.append(f"**{name}** is right at every distance")
        elif n_learned:
            rest = shares[shares.min(1) < 0.95].mean()
            clauses.append(
                f"**{name}** is right at every distance in {n_learned} of {len(shares)} trainings, else"
                f" {as_chance(rest)} of the time"
            )
        elif mean.min() >= half:
            clauses.append(f"**{name}** is right {as_chance(mean.min())} to {as_chance(mean.max())} of the time")
        elif mean[0] >= half:
            below = next(i for i, share in enumerate(mean, 1) if share < half)
            clauses.append(f"**{name}** falls below {half:.0%} at distance {below}")
        else:
            clauses.append(f"**{name}** never gets above {as_chance(mean.max())}")
    return f"Here {'; '.join(clauses)}. Guessing gives {chance:.0%}."


def _faded(heard: "dict[str, np.ndarray]", n_tokens: int, *, is_trained: bool) -> str:
    shares = {name: norms[-1] / norms[0] for name, norms in heard.items()}
    listed = ", ".join(f"**{name}** {part(share)}" for name, share in shares.items())
    when = f"{AFTER} (the first of each)" if is_trained else BEFORE
    return f"Of the effect that a token has one step back, this is left {n_tokens} steps back, {when}: {listed}."


def _table(stored: data.Recalled) -> str:
    lines = ["| network | what it is | parameters |", "|:--|:--|--:|"]
    lines += [f"| **{name}** | {NAMES[name]} | {n:,} |" for name, n in stored.n_parameters.items()]
    return "\n".join(lines)


def _command() -> str:
    return training.studies.recall.COMMAND


def _speeds(stored: data.Recalled) -> str:
    """How fast attention trained beside the fastest of the others, at the shortest and the longest texts."""
    lengths, speeds = stored.lengths, stored.speeds
    others = [max(line[i] for name, line in speeds.items() if name != "attention") for i in range(len(lengths))]
    first, last = speeds["attention"][0] / others[0], speeds["attention"][-1] / others[-1]
    return (
        f"**How fast do they train?** On one core of the machine that ran the trainings, attention reads **{first:.2g}"
        f" times** as many tokens per second as the fastest of the others if texts have {lengths[0]} tokens, and"
        f" **{last:.2g} times** as many if they have {lengths[-1]}. One core gains nothing from work that need not"
        " wait. That attention trains faster is said of hardware that does thousands of multiplications side by side;"
        " this page has not measured it there."
    )
