"""The card of the model at hand: its sizes, what was measured, and its tables of embeddings."""

from math import isfinite

import streamlit as st

from lab.kit import catalogue
from lab.kit.figures import display
from pages.translation import data, model_tables, sentence
from transformer import training


def show(ref: data.Ref) -> None:
    """The card, folded away."""
    source, tables = ref.resolve(), model_tables.tables(ref)
    config, card = source.config, source.checkpoint.card or _from_film(source.checkpoint)
    score = _score(card)
    if source.step < source.checkpoint.step:  # what was measured at the end is not its own
        losses = {stage.step: stage.loss for stage in source.checkpoint.stages}
        card = {"training steps": source.step}
        card |= {"validation loss": losses[source.step]} if source.step in losses else {}
        score = f"after {source.step:,} steps of training" if source.step else "before its first step of training"
    with st.expander(f"About this model: {tables.n_parameters:,} parameters, {score}"):
        facts, words = st.columns([1, 1], gap="large")
        with facts:
            rows = {
                "layers": f"{config.n_encoder_layers} encoder, {config.n_decoder_layers} decoder",
                "heads, d_model": f"{config.n_heads}, {config.d_model}",
                **card,
            }
            st.markdown(
                "| what | value |\n|---|---|\n"
                + "\n".join(f"| {display.plain(str(name))} | {_formatted(value)} |" for name, value in rows.items())
            )
        with words:
            if tables.shared:
                st.markdown(
                    f"Source and target share **one table** of {tables.source} rows of {tables.width} numbers, "
                    f"{tables.n_embedding:,} parameters."
                )
            else:
                st.markdown(
                    f"Each side has a table of its own: **{tables.source}** source tokens and **{tables.target}** "
                    f"target tokens, {tables.width} numbers each. That is {tables.n_embedding:,} of "
                    f"{tables.n_parameters:,} parameters."
                    + (
                        " “orange” the fruit has one row here and another there; only training links them."
                        if {*source.task.languages} == {"English", "French"}
                        else ""
                    )
                )
            if source.task.grammar:
                st.markdown(source.task.grammar)
            st.page_link(
                catalogue.page("live").script,
                label="Watch how it was trained",
                icon=":material/arrow_forward:",
                query_params={"live_film": sentence.shipped_for(ref).resolve().film},
            )


def _from_film(checkpoint: "training.checkpoints.Checkpoint") -> dict:
    """The last measurements of the film that a file brought along; nothing where it brought none."""
    curves = checkpoint.film.curves if checkpoint.film else {}
    names = {"accuracy": "accuracy, token by token", "exact": "exactly right, written by itself"}
    return {
        name: round(float(curves[curve][-1]), 4)
        for curve, name in names.items()
        if curve in curves and isfinite(curves[curve][-1])
    }


def _score(card: dict) -> str:
    """The score that says most about the model, in words."""
    exactly_right = card.get("exactly right, written by itself")
    if isinstance(exactly_right, float):
        return f"{exactly_right:.1%} of held-out sentences exactly right"
    accuracy = card.get("accuracy, token by token")
    return f"{accuracy:.1%} of words right" if isinstance(accuracy, float) else "not measured yet"


def _formatted(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else display.plain(str(value))
