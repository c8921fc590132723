"""Every shape that passes through a layer, and where its parameters are. A fold of One layer."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions
from lab.kit.figures import display
from pages.blocks import data, ledger
from pages.blocks.stack import Stack
from transformer import inspection

OPEN, TITLE = "blocks_shapes", "Which shapes pass through, and where are the parameters?"


class Result(NamedTuple):
    rows: "list[inspection.shape_table.Row]"
    count: "inspection.shape_table.StackCount"


def compute(stack: Stack) -> Result:
    return Result(*data.shape_table(stack.config, stack.source.n_layers, len(stack.tokens)))


def draw(stack: Stack, result: Result) -> None:
    areas, table = st.columns(2, gap="large")
    shares = {name: n / result.count.one for name, n in _by_group(result.rows).items()}
    with areas:
        parameters = [(row.name, row.group, row.n_parameters) for row in result.rows if row.n_parameters]
        alt = "The parameters of one layer as areas: " + ", ".join(f"{name} {p:.1%}" for name, p in shares.items())
        display.figure(ledger.areas(parameters), key="blocks_shares", alt=f"{alt}.")
        st.markdown(
            f"**One layer of this model: {result.count.one:,} parameters**, {shares['feed-forward']:.0%} of them in the"
            f" feed-forward layer, {shares['attention']:.0%} in attention, {shares['norm']:.1%} in the norms."
            f" {_layers(result.count, stack.source.n_layers)}"
        )
        _ask_back()
    with table:
        st.markdown(_table(result))
        st.caption(
            "**Parameters** are the numbers that training changes. A shape says how many numbers pass: B texts, T "
            "tokens, D numbers per token; H heads of width d_k = D / H (Hkv of them for keys and values); F hidden "
            "units in the feed-forward layer."
        )


def _ask_back() -> None:
    questions.ask("blocks-ledger")


def _table(result: Result) -> str:
    """The tensors in Markdown, one per row, and the sum of the parameters."""
    lines = ["| step | letters | shape | parameters |", "|:--|:--|:--|--:|"]
    for row in result.rows:
        shape = " × ".join(map(str, row.shape))
        letters = "\u00a0".join(row.letters.split())  # on one line, on a phone too
        n_parameters = f"{row.n_parameters:,}" if row.n_parameters else ""
        lines.append(f"| {row.name} | {letters} | {shape} | {n_parameters} |")
    return "\n".join([*lines, f"| **one layer** | | | **{result.count.one:,}** |"])


def _by_group(rows: "list[inspection.shape_table.Row]") -> dict[str, int]:
    """Parameters by part of the layer."""
    groups = ("attention", "feed-forward", "norm")
    return {group: sum(row.n_parameters for row in rows if row.group == group) for group in groups}


def _layers(count: "inspection.shape_table.StackCount", n: int) -> str:
    """A stack of layers in numbers."""
    return (
        f"**{n} layer{'s' if n > 1 else ''}**: {n} × {count.one:,} = **{count.all:,}** parameters. All layers have the "
        f"same plan, but each has its own numbers: {count.n_tensors} tensors in {count.n_storages} places in memory, "
        "none of them shared."
    )
