"""From the last vector to the logits: one row of the table, feature by feature."""

import streamlit as st

from pages.generation import figures as figures
from pages.generation import text
from pages.shared import display, teaching
from pages.shared.controls import choose


def logits() -> None:
    say: list[str] = []
    with display.loading(420):
        opened = text.opened()
    if opened is None:
        return
    subject, given, place = opened
    ids = text.text_of(subject, given, say)
    behind = subject.next(ids)
    order = [int(id) for id in (-behind.logits).argsort(kind="stable")[:100]]
    names = {}
    for id in order:
        name = subject.label(id)
        names[name if name not in names else f"{name} ({id})"] = id
    with place:
        name = choose(
            st.selectbox, "Logit of the token", "gen_token", names, next(iter(names)), say, follows=True,
            why="it is not among the 100 likeliest",
        )  # fmt: skip
    display.notice(*say)
    id, tied = names[name], subject.checkpoint.config.tie_output
    x, w, bias = behind.x, behind.rows[id], float(behind.bias[id])
    product = float(x.astype(float) @ w.astype(float))
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown(
            f"##### :blue[x] of “{display.plain(subject.label(ids[-1]))}” · :orange[row] of “{display.plain(name)}”"
        )
        display.figure(
            figures.logit_sum(x, w, bias),
            key="gen-logit",
            alt=f"{len(x)} products of features; their sum is {product + bias:.3f}.",
        )
        teaching.check(
            "Two tokens have the same row in the table. What can the model not do?",
            ["Give them different logits", "Write either of them", "Read them"],
            0,
            "Each logit is the same vector times the row, so the same row gives the same logit, in every text.",
            key="gen-rows",
        )
    with right:
        st.markdown(
            "After the last layer stands one vector a token. The :blue[**last**] one says what comes next: it is "
            "multiplied with the :orange[**row**] of every token, feature by feature, and the sum is that token's "
            "logit."
            + (
                " The rows are those of the **embedding table** itself: the way in and the way out share it (tied)."
                if tied
                else " The rows are those of a map of its own, with a bias."
            )
        )
        teaching.formula(
            r"\text{logits} = \q{x}\,\k{W_e^{\top}}" if tied else r"\text{logits} = \q{x}\,\k{W^{\top}} + b"
        )
        st.markdown(
            f"Here: {product:.4f}" + ("" if tied else f" + {bias:.4f}") + f". The model's own logit: "
            f"**{float(behind.logits[id]):.4f}**."
        )
        rows = "\n".join(
            f"| {display.plain(subject.label(i))} | {float(x.astype(float) @ behind.rows[i] + behind.bias[i]):.3f} "
            f"| {float(behind.logits[i]):.3f} |"
            for i in order[:8]
        )
        st.markdown(f"| likeliest | :blue[x] · :orange[row] | model's logit |\n|---|--:|--:|\n{rows}")
        with st.expander("The code that ran"):
            teaching.code("transformer/embeddings.py", "TokenEmbedding.logits")
