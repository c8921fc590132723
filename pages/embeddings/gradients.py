"""The rows of the tables that one text would change in training, with tables shared and separate."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.embeddings import data, figures
from pages.embeddings.data import RandomTable
from pages.embeddings.text import Tokens, ask_row_ids, ask_sentence, labelled
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View, places
from transformer.config import TransformerConfig

if TYPE_CHECKING:
    from transformer.inspection.embeddings import Gradients

OUTPUTS = {"W_e again": True, "a table of its own": False}
SOURCES = {"one table": True, "two tables": False}


class Settings(NamedTuple):
    tokens: Tokens
    ids: tuple[int, ...]
    table: RandomTable
    output: str
    source: str


def layout() -> Mapping[str, Any]:
    picture, words = st.columns([7, 3], gap="large")
    return {"picture": picture, "words": words}


def ask() -> Settings | None:
    with settings.place_named("sentence"):
        ask_sentence()
    with settings.place_named("row"):
        with labelled("source and target"):
            source = settings.choose(
                st.segmented_control, "Source and target", "emb_source", SOURCES, "two tables",
                label_visibility="collapsed",
            )  # fmt: skip
        with labelled("output map"):
            output = settings.choose(
                st.segmented_control, "Output map", "emb_output", OUTPUTS, "a table of its own",
                label_visibility="collapsed",
            )  # fmt: skip
        answer = ask_row_ids()
    if answer is None:
        return None
    tokens, ids, table = answer
    return Settings(tokens, ids, table, output, source)


def compute(s: Settings) -> "Gradients":
    config = TransformerConfig(
        vocab_size=s.table.vocab_size,
        d_model=s.table.d_model,
        n_heads=1,
        n_encoder_layers=1,
        n_decoder_layers=1,
        tie_output=OUTPUTS[s.output],
        tie_source=SOURCES[s.source],
    )
    return data.gradient_by_row(config, s.table.seed, s.ids)


def draw(s: Settings, gradients: "Gradients") -> None:
    V = s.table.vocab_size
    names = [" = ".join(table.names) for table in gradients.tables]
    n_rows = [int((table.gradient > 0).sum()) for table in gradients.tables]
    with places()["picture"]:
        strips = [(name, table.gradient) for name, table in zip(names, gradients.tables, strict=True)]
        display.figure(
            figures.gradients(strips, s.tokens.labels),
            key="emb-gradients",
            alt="; ".join(f"{name}: {n} of {V} rows get a gradient" for name, n in zip(names, n_rows, strict=True))
            + ".",
        )
        st.markdown(
            "| table | rows that learn from this text | numbers |\n|---|--:|--:|\n"
            + "\n".join(
                f"| {name} | {n:,} of {V:,} | {table.n_parameters:,} |"
                for name, n, table in zip(names, n_rows, gradients.tables, strict=True)
            )
            + f"\n| the whole model | | **{gradients.n_parameters:,}** |"
        )
    with places()["words"]:
        st.markdown(
            "A model that translates has up to three tables: for the text that it reads (source), for the one that it "
            "writes (target), and for the scores of what comes next (output; the scores are called *logits*)."
        )
        teaching.formula(r"\text{logits} = x\,W_e^{\top}")
        st.markdown(
            "Training moves a row of W_e only by its **gradient**, which says which way and how far each number should "
            "move. Here the task is to repeat this sentence; the gradient comes from autograd, on an untrained model. "
            "In a table that is only **read**, rows of tokens that are not in the text get exactly none: their places "
            "in the figure stay empty."
        )
        st.markdown(
            "Used as the **output map**, a table gives every token a score, so every row learns from every text. "
            "Tables can be tied: then they are one and the same table, stored once and counted once."
        )
        check(
            "One table is both read from and used as the output map (tied). A token is not in the text. Does its row "
            "learn?",
            Answer(
                "Yes: its score should have been lower",
                "As output map the table scores every token, so each one that was wrong is pushed down a little.",
                right=True,
            ),
            Answer(
                "No: only rows of the text learn",
                "That is true of a table that is only *read*. This one also gives every token a score.",
            ),
            Answer(
                "No: a row learns only from its own word",
                "A wrong answer is a lesson as well: training lowers the scores of the tokens that did not come.",
            ),
            Answer(
                "Yes, as much as any other row",
                "Look at the strengths: rows of the text get more, for they are read as well as scored.",
            ),
            key="embeddings-gradient",
            try_it={"emb_output": "W_e again", "emb_source": "one table"},
        )
    teaching.code_expander("transformer/inspection/embeddings.py", "gradient_by_row")


def _first_table(s: Settings, gradients: "Gradients") -> Curves:
    gradient = gradients.tables[0].gradient
    return Curves(tuple(range(s.table.vocab_size)), {"gradient": gradient}, ("id of the row", "gradient"))


VIEW = View(
    "What learns", ask, compute, draw,
    comparison=Comparison("what each row of the first table learns", _first_table),
    layout=layout,
    height=420,
    asks="Which rows of the tables does one text train?",
    lede="A stripe is a row of a table that learns from this one text; where nothing is drawn, nothing is learned.",
)  # fmt: skip
