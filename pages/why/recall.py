"""How far back a recurrent network remembers, beside attention with as many parameters: stored trainings and gradients.

The trainings are stored; what the last output depends on is computed here, by autograd, on the networks that they left.
"""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared import display, settings
from pages.shared.teaching import Answer, check, code_expander, formula
from pages.shared.view import View
from pages.why import data, figures

if TYPE_CHECKING:
    import numpy as np

KEPT = {"one name": 1, "four names": 4}
BEFORE, AFTER = "before training", "after training"
BUTTON = "why_recall_train"
NAMES = {
    "attention": "one layer of ours", "tanh": "recurrent, Elman 1990", "LSTM": "1997, with three gates",
    "GRU": "2014, with two gates",
}  # fmt: skip


class Settings(NamedTuple):
    """How many names a text holds, whether gradients are those of trained networks, and how often was trained here."""

    n_kept: int
    is_trained: bool
    n_trained: int


class Result(NamedTuple):
    """Stored trainings, how strongly the last output depends on what is far back, and trainings on this machine."""

    stored: data.Recalled
    heard: "dict[str, np.ndarray]"
    own: data.Recalled | None


def ask() -> Settings:
    with settings.place_named("row"):
        kept = settings.choose(
            st.segmented_control, "To remember", "why_kept", KEPT, next(iter(KEPT)),
            help="Names that a text holds, each with a colour. Any of them may be asked for.",
        )  # fmt: skip
        with settings.line():
            when = settings.choose(
                st.segmented_control, "Effect on the last output", "why_heard", (BEFORE, AFTER), AFTER,
                chip="effect {}", help="Of the networks with their first weights, or of the trained ones.",
            )  # fmt: skip
    return Settings(KEPT[kept], when == AFTER, st.session_state.get(f"_{BUTTON}", 0))


def compute(s: Settings) -> Result:
    own = data.trained_here(min(s.n_kept, 2), s.n_trained) if s.n_trained else None
    return Result(data.recalled(s.n_kept), data.heard(s.n_kept, s.is_trained), own)


def draw(s: Settings, result: Result) -> None:
    stored, n_tokens = result.stored, result.stored.setting.n_tokens
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Right answers, by how far back the needed token stands**")
        _accuracy(stored, "why_recalled")
    with right:
        st.markdown(f"**How much the last output depends on that token**, {AFTER if s.is_trained else BEFORE}")
        display.figure(
            figures.heard(data.HEARD, result.heard),
            key="why_heard_figure",
            alt=f"{n_tokens} tokens back, as a share of one back: "
            + ", ".join(f"{name} {norms[-1] / norms[0]:.2g}" for name, norms in result.heard.items()),
        )
    words, numbers = st.columns([6, 5], gap="large")
    with words:
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
    with numbers:
        st.markdown(_table(stored))
        setting = stored.setting
        st.caption(
            f"Lines: the mean of {len(stored.shares['attention'])} trainings with different seeds; grey: from the worst"
            f" to the best. Each trained for {setting.steps} steps of {setting.batch_size} texts, and was asked about"
            f" 1,000 new texts per distance ({stored.made}). `{_command()}` runs it all again. Longer training would"
            " help the recurrent networks: this shows what is easy to learn, not what is possible."
        )
        _train_here(s, result.own)
    code_expander("transformer/inspection/vanishing.py", "jacobian_norms")
    check(
        "A GRU answers almost perfectly at any distance when one name is to be remembered. Now there are four names."
        " What limits it?",
        Answer(
            "All four have to fit into one state of fixed size, whatever is asked in the end",
            "Choose “four names”: its line falls, but it stays level. The distance is not what hurts.",
            right=True,
        ),
        Answer(
            "The distance: news from far back has faded",
            "That is the plain recurrent network. The line of the GRU is nearly level: its gates hold what they hold"
            " over all of the text.",
        ),
        Answer(
            "It has fewer parameters than the others",
            "All four have the same number, within two percent. The table counts them.",
        ),
        key="why-remember",
        try_it={"why_view": "How far back can it remember?", "why_kept": "four names"},
    )


def _accuracy(recalled: data.Recalled, key: str) -> None:
    display.figure(
        figures.recalled(recalled.shares, 1 / recalled.setting.n_colours),
        key=key,
        alt="Right answers one token back, and at the longest distance: "
        + ", ".join(
            f"{name} {share.mean(0)[0]:.0%}, {share.mean(0)[-1]:.0%}" for name, share in recalled.shares.items()
        ),
    )


def _found(stored: data.Recalled) -> str:
    """Which networks remember at every distance, and how far the others get, in Markdown."""
    chance = 1 / stored.setting.n_colours
    half = (1 + chance) / 2
    clauses = []
    for name, shares in stored.shares.items():
        mean = shares.mean(0)
        if mean.min() >= 0.95:
            clauses.append(f"**{name}** is right at every distance ({mean.min():.0%} or more)")
        elif mean.min() >= half:
            clauses.append(f"**{name}** is right {mean.min():.0%} to {mean.max():.0%} of the time")
        else:
            below = next(i for i, share in enumerate(mean, 1) if share < half)
            reach = f"falls below {half:.0%} at distance {below}" if below > 1 else f"never gets above {mean.max():.0%}"
            clauses.append(f"**{name}** {reach}")
    return f"Here {'; '.join(clauses)}. Guessing gives {chance:.0%}."


def _faded(heard: "dict[str, np.ndarray]", n_tokens: int, *, is_trained: bool) -> str:
    shares = {name: norms[-1] / norms[0] for name, norms in heard.items()}
    listed = ", ".join(f"**{name}** {_share(share)}" for name, share in shares.items())
    when = AFTER if is_trained else BEFORE
    return f"Of the effect that a token has one step back, this is left {n_tokens} steps back, {when}: {listed}."


def _share(x: float) -> str:
    """A share as a person writes it: 85%, 0.4%, or a fraction of a million and less."""
    return f"{x:.0%}" if x >= 0.1 else f"{x:.2%}" if x >= 0.0005 else f"one part in {1 / x:,.0f}"


def _table(stored: data.Recalled) -> str:
    lines = ["| network | | parameters |", "|:--|:--|--:|"]
    lines += [f"| **{name}** | {NAMES[name]} | {n:,} |" for name, n in stored.n_parameters.items()]
    return "\n".join(lines)


def _command() -> str:
    from transformer.training.studies.recall import COMMAND

    return COMMAND


def _train_here(s: Settings, own: data.Recalled | None) -> None:
    """A button that trains all four on short texts, and what came of it."""
    if own is not None:
        setting = own.setting
        st.markdown(
            f"**Trained on this machine**: texts of {setting.n_tokens} tokens, {setting.n_kept}"
            f" name{'s' if setting.n_kept > 1 else ''}, {setting.steps} steps, one seed."
        )
        _accuracy(own, "why_recalled_here")
    if not settings.replaying():
        st.button(
            "Train again" if own else "Train a small one here", icon=":material/model_training:", key=BUTTON,
            on_click=_press, help="Four networks on short texts: about ten seconds.",
        )  # fmt: skip


def _press() -> None:
    st.session_state[f"_{BUTTON}"] = st.session_state.get(f"_{BUTTON}", 0) + 1


VIEW = View("How far back can it remember?", ask, compute, draw, height=340)
