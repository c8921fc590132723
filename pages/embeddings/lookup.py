"""A one-hot row times the table copies a row of it, and ids are only names."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.reader import ReadBy, read_by, sentence_row, source_row
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.source import ModelRef, Source
from lab.kit.view import Comparison, View, places
from lab.kit.words import at_most
from pages.embeddings import data
from pages.embeddings.components.row_roll import row_roll
from pages.embeddings.components.token_machine import Signs
from pages.embeddings.data import RandomTable, Table
from pages.embeddings.lines import Lines
from pages.embeddings.text import NO_TEXT, ask_table, first_ids
from transformer import inspection
from transformer.core.config import TransformerConfig
from transformer.training.text import GLUE, UNKNOWN

MAX_ROWS = 48  # that A | B compares
MAX_TABLE = 4096  # rows that are multiplied, shuffled and trained; of a larger table, rows are only looked up
LEARNS_OPEN = "emb_learns"  # the key of the fold on the rows that one text trains
# Which tables a model has, and whether source and target share one, and the output map is that table again.
TABLES = {
    "Three tables: read, written, output": (False, False),
    "Source and target share one": (True, False),
    "One table for all three (tied)": (True, True),
}


class Settings(NamedTuple):
    """labels: of every id of the table; ids: of the tokens of the text; glue: what a label without a space before it
    begins with; source: of a trained model, or as it was before training."""

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    table: Table
    glue: str
    source: Source | None
    learns: bool  # whether the fold on the rows that learn is open

    @property
    def is_large(self) -> bool:
        """Whether the table is only looked up in."""
        return len(self.labels) > MAX_TABLE


class Result(NamedTuple):
    """lookup and shuffled are None for a large table; gradients, of this text in the tables of untrained models, by
    TABLES, is None while the fold is closed, too."""

    lines: Lines
    lookup: "inspection.embeddings.Lookup | None"
    shuffled: "inspection.embeddings.ShuffledIds | None"
    gradients: "dict[str, inspection.embeddings.Gradients] | None"


def layout() -> Mapping[str, Any]:
    picture, column = st.container(), display.prose()
    words = column.container()
    fold = column.expander("Which rows learn from this text?", key=LEARNS_OPEN, bind="query-params")
    return {"picture": picture, "words": words, "learns": fold, "code": column}


def ask() -> Settings | None:
    with settings.place_named("row"):
        box = sentence_row()
        with settings.line(key="read"):
            reading = read_by(box=box, chip="{}")
        if reading.ref:
            return _of_trained(reading, reading.ref)
        settings.notify(*reading.sentence.notices)
        answer = ask_table()
    if answer is None:
        return None
    tokens, table = answer
    glue = GLUE if tokens.kind == "word" else ""
    return Settings(tokens.labels, first_ids(tokens), table, glue, None, _learns())


def _of_trained(reading: ReadBy, ref: ModelRef) -> Settings | None:
    source = ref.resolve()
    ids = tuple(source.ids(source.of_text(reading.sentence.tokens)))
    settings.notify(*reading.sentence.notices)
    if not ids:
        settings.notify(NO_TEXT)
        return None
    return Settings(source.labels, ids, ref, "", source, _learns())


def _learns() -> bool:
    return bool(st.session_state.get(LEARNS_OPEN))


def compute(s: Settings) -> Result:
    lines = data.lines(s.table, s.ids)
    if s.is_large:
        return Result(lines, None, None, None)
    gradients = {name: _gradients(s, *shared) for name, shared in TABLES.items()} if s.learns else None
    return Result(lines, data.lookup(s.table, s.ids), data.shuffled_ids(s.table, s.ids), gradients)


def _gradients(s: Settings, tie_source: bool, tie_output: bool) -> "inspection.embeddings.Gradients":
    """What this text would change in the tables of an untrained model with tables of this size."""
    table = s.table
    if isinstance(table, RandomTable):
        d_model, seed = table.d_model, table.seed
    else:
        d_model, seed = table.resolve().config.d_model, 0
    config = TransformerConfig(
        vocab_size=len(s.labels),
        d_model=d_model,
        n_heads=1,
        n_encoder_layers=1,
        n_decoder_layers=1,
        tie_source=tie_source,
        tie_output=tie_output,
    )
    return data.gradient_by_row(config, seed, s.ids)


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        _draw_roll(s, result)
    with places()["learns"]:
        if result.gradients:
            _draw_gradients(len(s.labels), result.gradients)
        elif s.is_large and s.learns:
            st.caption(f"A table of {len(s.labels):,} rows is too large to be trained here: choose a smaller model.")
    with places()["words"]:
        _describe(s, result)
        if s.source:
            source_row(s.source)
        questions.ask("embeddings-twice")
        questions.ask("embeddings-ids")
    with places()["code"]:
        teaching.code_expander("transformer/core/embeddings.py", "TokenEmbedding")


def _draw_gradients(V: int, by_tables: "dict[str, inspection.embeddings.Gradients]") -> None:
    """How many rows of every table have a gradient, in a table."""
    st.markdown(
        "Training moves a row of W_e only by its **gradient**, which says which way and how far each number should"
        " move. In a table that is only **read**, only rows of tokens in the text have one. Used as the **output map**,"
        " a table gives every token a score, so every row learns from every text. Tables can be **tied**: then they are"
        " one and the same, stored once and counted once."
    )
    rows = []
    for name, gradients in by_tables.items():
        learn = [f"{' = '.join(t.names)}: {int((t.gradient > 0).sum()):,} of {V:,}" for t in gradients.tables]
        numbers = sum(table.n_parameters for table in gradients.tables)
        rows.append(f"| {name} | {'; '.join(learn)} | {numbers:,} of {gradients.n_parameters:,} |")
    st.markdown(
        "| tables of a model that translates | rows that learn from this text | numbers in them, of the whole model |\n"
        "|---|---|--:|\n" + "\n".join(rows)
    )
    teaching.formula(r"\text{logits} = x\,W_e^{\top} \quad \text{(tied)}")
    st.caption(
        "The gradient comes from autograd, on untrained models with tables of this size; the task is to repeat this"
        " sentence. Logits are the scores of what comes next."
    )


def _draw_roll(s: Settings, result: Result) -> None:
    lines = result.lines
    row_roll(
        s.ids,
        {id: s.labels[id] for id in lines.ids.tolist()},
        lines,
        "learned" if s.source and s.source.is_trained else "untrained",
        signs=Signs(UNKNOWN, glue=s.glue),
        key="emb_roll",
        token_url="emb_token",
    )


def _describe(s: Settings, result: Result) -> None:
    (V, d_model), n = result.lines.size, len(s.ids)
    teaching.formula(r"E = X\, W_e")
    if result.lookup is None or result.shuffled is None:
        st.markdown(
            "Every row of X is **one-hot**: a 1 in the token's column, 0 everywhere else. So the product copies one"
            f" row of W_e. This table has {V:,} rows, too many to check the product and to shuffle the ids here: choose"
            " a smaller model for that."
        )
    else:
        _check(s, result.lookup, result.shuffled)
    st.caption(
        f"Easily confused: W_e ({V:,} × {d_model}) is the embedding matrix, one row per token in the vocabulary; "
        f"E = X W_e ({n:,} × {d_model}) is your text, one row per token in it."
    )


def _check(s: Settings, lookup: "inspection.embeddings.Lookup", shuffled: "inspection.embeddings.ShuffledIds") -> None:
    """What the model itself says of both claims."""
    (V, d_model), n = lookup.table.shape, len(s.ids)
    st.markdown(
        f"Every row of X is **one-hot**: a 1 in the token's column, 0 everywhere else. So the product copies one row "
        f"of W_e. Checked on all {n:,} × {d_model} numbers: the product and the copied rows differ by"
        f" {at_most(lookup.difference)}."
    )
    st.markdown(
        f"**Ids are only names.** Shuffle the {V:,} ids and move each row with its id: the model's scores for this "
        f"text (its *logits*, a score for every token that may come next, up to {shuffled.largest:.1f}) change by "
        f"{at_most(shuffled.change)}. The row is everything the model knows about a token"
        + ("." if s.source and s.source.is_trained else "; this table is untrained, so it knows nothing yet.")
    )


def _rows(s: Settings, result: Result) -> Sheet:
    """The rows of the first tokens."""
    ids = s.ids[:MAX_ROWS]
    labels = tuple(s.labels[id] for id in ids)
    rows = result.lines.rows[np.searchsorted(result.lines.own, ids)]
    return Sheet(rows, "value", ("token", "feature"), labels)


VIEW = View(
    ask,
    compute,
    draw,
    comparison=Comparison(f"the rows of the first {MAX_ROWS} tokens", _rows),
    layout=layout,
    height=420,
)
