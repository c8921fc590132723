"""The card of the model at hand: how it was measured, and its tables."""

import streamlit as st

from pages.shared import catalogue, display
from pages.translation import data


def card(subject: data.Subject) -> None:
    """What this model is: how it was measured, its tables, and its film."""
    checkpoint, tables = subject.checkpoint, data.tables(subject)
    config = checkpoint.config
    with st.expander(f"The model: {tables.all:,} parameters, {_measured(checkpoint.card)}"):
        one, other = st.columns([1, 1], gap="large")
        with one:
            rows = {
                "layers": f"{config.n_encoder_layers} encoder, {config.n_decoder_layers} decoder",
                "heads, d_model": f"{config.n_heads}, {config.d_model}",
                **checkpoint.card,
            }
            st.markdown(
                "| | |\n|---|---|\n" + "\n".join(f"| {display.plain(str(k))} | {_figure(v)} |" for k, v in rows.items())
            )
        with other:
            if tables.shared:
                st.markdown(
                    f"Source and target share **one table** of {tables.source} rows of {tables.width} numbers, "
                    f"{tables.embeddings:,} parameters."
                )
            else:
                st.markdown(
                    f"Each side has a table of its own: **{tables.source}** source tokens and **{tables.target}** "
                    f"target tokens, {tables.width} numbers each. That is {tables.embeddings:,} of {tables.all:,} "
                    "parameters. “orange” the fruit is one row here and another row there; nothing ties them but "
                    "training."
                )
            if catalogue.page("live").script.exists():
                st.page_link(
                    catalogue.page("live").script, label="Watch it being trained", icon=":material/arrow_forward:",
                    query_params={"live_film": "English to French, recorded"},
                )  # fmt: skip


def _measured(card: dict) -> str:
    right = card.get("exactly right, written by itself")
    if isinstance(right, float):
        return f"{right:.1%} of held-out sentences exactly right"
    accuracy = card.get("accuracy, token by token")
    return f"{accuracy:.1%} of words right" if isinstance(accuracy, float) else "not measured yet"


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else display.plain(str(value))
