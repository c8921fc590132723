"""From the last vector to the logits, in a fold below the ladder: one row of the table, feature by feature."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.words import fixed
from pages.generation import data, figures
from pages.generation.text import Writing
from transformer import inspection

MAX_CHOICES = 100  # the likeliest tokens, one of which can be chosen
MAX_ROWS = 8  # of the table


OPEN = "gen_logits"  # in links: whether the fold is open


class Settings(NamedTuple):
    """token: the id whose logit is taken apart, and its name."""

    writing: Writing
    token: int
    name: str


def ask(writing: Writing) -> Settings:
    names: dict[str, int] = {}
    for id in _likeliest(data.next_token(writing.ref, writing.ids), MAX_CHOICES):
        name = data.token_names(writing.ref)[id]
        names[name if name not in names else f"{name} ({id})"] = id
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Logit of", width="content")
        name = settings.choose(
            st.selectbox,
            "Logit of the token",
            "gen_token",
            names,
            next(iter(names)),
            follows=True,
            why="it is not among the 100 likeliest tokens",
            label_visibility="collapsed",
            width=130,
        )
    return Settings(writing, names[name], name)


def _likeliest(result: "inspection.writing.NextToken", n: int) -> list[int]:
    return [int(id) for id in (-result.logits).argsort(kind="stable")[:n]]


def compute(s: Settings) -> "inspection.writing.NextToken":
    return data.next_token(s.writing.ref, s.writing.ids)


def draw(s: Settings, result: "inspection.writing.NextToken") -> None:
    left, right = st.columns([6, 5], gap="large")
    with left:
        _products(s, result)
    with right:
        _logits(s, result)


def _product(result: "inspection.writing.NextToken", id: int) -> float:
    """The last vector times the row of a token."""
    return float(result.x.astype(float) @ result.rows[id].astype(float))


def _products(s: Settings, result: "inspection.writing.NextToken") -> None:
    """The two vectors of one logit, and their products."""
    row, bias = result.rows[s.token], float(result.bias[s.token])
    last = data.token_names(s.writing.ref)[s.writing.ids[-1]]
    total = _product(result, s.token) + bias
    st.markdown(
        f"**x**, the last vector, of “{display.plain(last)}”, times the **row** of “{display.plain(s.name)}”: "
        f"the logit is the sum, **{fixed(total)}**."
    )
    display.figure(
        figures.logit_sum(result.x, row, bias),
        key="gen-logit",
        alt=f"{len(result.x)} products of features; their sum is {total:.3f}.",
    )
    questions.ask("generation-rows")


def _logits(s: Settings, result: "inspection.writing.NextToken") -> None:
    """The formula with its numbers, and the largest logits."""
    source, bias = s.writing.source, float(result.bias[s.token])
    is_tied, labels = source.config.tie_output, data.token_names(s.writing.ref)
    st.markdown(
        "After the last layer there is one vector per token. The **last** one, x, says what comes next: it is "
        "multiplied by the **row** of every token, feature by feature, and the sum is that token's "
        "logit."
        + (
            " The rows are those of the **embedding table** itself: input and output share it (they are *tied*)."
            if is_tied
            else " The rows belong to a separate output map, which also has a bias."
        )
    )
    teaching.formula(r"\text{logits} = x\,W_e^{\top}" if is_tied else r"\text{logits} = x\,W^{\top} + b")
    st.markdown(
        f"Here: {_product(result, s.token):.4f}" + ("" if is_tied else f" + {bias:.4f}") + ". The model's own logit: "
        f"**{float(result.logits[s.token]):.4f}**."
    )
    rows = "\n".join(
        f"| {display.plain(labels[id])} | {_product(result, id) + float(result.bias[id]):.3f} "
        f"| {float(result.logits[id]):.3f} |"
        for id in _likeliest(result, MAX_ROWS)
    )
    st.markdown(f"| likeliest | x · row | model's logit |\n|---|--:|--:|\n{rows}")
    teaching.code_expander("transformer/core/embeddings.py", "TokenEmbedding.logits", icon=None)
