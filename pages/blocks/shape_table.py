"""Where the parameters are: in one layer, and in whole models up to GPT-3; and every shape that passes."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.blocks import data, figures, ledger, sizes
from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer
from pages.shared.view import View
from transformer.config import TransformerConfig

if TYPE_CHECKING:
    from transformer.inspection.shape_table import Row, StackCount


class Settings(NamedTuple):
    config: TransformerConfig
    batch: int
    length: int


class Result(NamedTuple):
    rows: "list[Row]"
    count: "StackCount"
    models: list[sizes.Model]


def ask() -> Settings:
    choose = settings.choose
    with settings.place_named("row"):
        d_model = choose(st.select_slider, "d_model D", "blocks_width", (16, 32, 64, 128, 256, 512), 128, width=150)
        d_ff = choose(st.select_slider, "d_ff F", "blocks_dff", (64, 128, 256, 512, 1024, 2048), 512, width=150)
        with settings.line():
            n_heads = choose(st.select_slider, "Heads H", "blocks_heads", (1, 2, 4, 8, 16), 8, chip="{} head{s}")
            n_layers = choose(st.select_slider, "Layers N", "blocks_layers", range(1, 13), 6, chip="{} layer{s}")
            batch = choose(st.select_slider, "Batch B", "blocks_batch", range(1, 9), 2, chip="batch of {}")
            length = choose(
                st.select_slider, "Length T", "blocks_length", (1, 2, 5, 10, 20, 50, 100), 10, chip="{} token{s}"
            )
    config = TransformerConfig(d_model=d_model, n_heads=n_heads, d_ff=d_ff, n_encoder_layers=n_layers)
    return Settings(config, batch, length)


def compute(s: Settings) -> Result:
    return Result(*data.shape_table(s.config, s.batch, s.length), sizes.models())


def draw(s: Settings, result: Result) -> None:
    layer, models = st.columns(2, gap="large")
    groups = _by_group(result.rows)
    shares = {name: n / result.count.one for name, n in groups.items()}
    with layer:
        parameters = [(row.name, row.group, row.n_parameters) for row in result.rows if row.n_parameters]
        alt = "The parameters of one layer as areas: " + ", ".join(f"{name} {p:.1%}" for name, p in shares.items())
        display.figure(ledger.areas(parameters), key="blocks_shares", alt=f"{alt}.")
        st.markdown(
            f"**One layer: {result.count.one:,} parameters**, {shares['feed-forward']:.0%} of them in the feed-forward"
            f" layer, {shares['attention']:.0%} in attention, {shares['norm']:.1%} in the norms."
            f" {_layers(result.count, s.config.n_encoder_layers)}"
        )
    with models:
        alt = "; ".join(f"{model.name}: {model.size.total:,} parameters" for model in result.models)
        display.figure(
            figures.sizes([(model.name, model.size) for model in result.models]),
            key="blocks-sizes",
            alt=f"{alt}. Each bar is drawn in a scale of its own.",
        )
        st.markdown(sizes.words(result.models))
    table, others = st.columns(2, gap="large")
    with table:
        st.markdown("**Everything that passes through one layer, in order**")
        st.markdown(_table(result))
        st.caption(
            "**Parameters** are the numbers that training changes. A shape says how many numbers pass: B texts, T "
            "tokens, D numbers per token; H heads of width d_k = D / H (Hkv of them for keys and values); F hidden "
            "units in the feed-forward layer."
        )
    with others:
        st.markdown("**The same parts, more often and wider**")
        st.markdown(sizes.table(result.models))
        _ask_back()
        teaching.code_expander("transformer/inspection/sizes.py", "decoder_size")


def _ask_back() -> None:
    teaching.check(
        "The text becomes twice as long. What happens to the number of parameters?",
        Answer(
            "Nothing",
            "No shape of a parameter has a T in it: the same matrices serve every token. That is why one model can "
            "read short texts and long ones.",
            right=True,
        ),
        Answer("It doubles", "The *vectors* double: there is one per token. The matrices that they pass do not."),
        Answer(
            "It grows fourfold",
            "The *attention weights* do: their shape has T in it twice. But they are computed anew for every text. "
            "They are not parameters.",
        ),
        key="blocks-ledger",
        try_it={"blocks_part": "Parameters", "blocks_length": 20},
    )
    teaching.check(
        "You split attention into 16 heads instead of 8. What happens to the number of parameters?",
        Answer(
            "Nothing: each head becomes half as wide",
            "W_q, W_k, W_v and W_o stay D × D. H only says into how many pieces their results are cut.",
            right=True,
        ),
        Answer(
            "It doubles in attention",
            "It would if every head were D wide. Each is d_k = D / H wide: more heads, narrower heads.",
        ),
        Answer(
            "It shrinks: narrower heads need fewer",
            "Each head has fewer, but there are more heads. The two cancel out exactly.",
        ),
        key="blocks-heads",
        try_it={"blocks_part": "Parameters", "blocks_heads": 16},
    )


def _table(result: Result) -> str:
    """The tensors in Markdown, one per row, and the sum of the parameters."""
    lines = ["| step | letters | shape | parameters |", "|:--|:--|:--|--:|"]
    for row in result.rows:
        shape = " × ".join(map(str, row.shape))
        letters = "\u00a0".join(row.letters.split())  # on one line, on a phone too
        n_parameters = f"{row.n_parameters:,}" if row.n_parameters else ""
        lines.append(f"| {row.name} | {letters} | {shape} | {n_parameters} |")
    return "\n".join([*lines, f"| **one layer** | | | **{result.count.one:,}** |"])


def _by_group(rows: "list[Row]") -> dict[str, int]:
    """Parameters by part of the layer."""
    groups = ("attention", "feed-forward", "norm")
    return {group: sum(row.n_parameters for row in rows if row.group == group) for group in groups}


def _layers(count: "StackCount", n: int) -> str:
    """A stack of layers in numbers."""
    return (
        f"**{n} layer{'s' if n > 1 else ''}**: {n} × {count.one:,} = **{count.all:,}** parameters. All layers have the "
        f"same plan, but each has its own numbers: {count.n_tensors} tensors in {count.n_storages} places in memory, "
        "none of them shared."
    )


VIEW = View(
    "Parameters", ask, compute, draw,
    asks="Where are the parameters, here and in GPT-3, and which shapes pass through?",
    lede="Every area is a share of the parameters: on the left of one layer, on the right of whole models.",
)  # fmt: skip
