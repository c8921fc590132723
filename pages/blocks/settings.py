"""The controls of the blocks page, as plain values."""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from pages.shared import controls, readers, settings
from pages.shared.controls import choose
from transformer.config import TransformerConfig

EXPANSIONS = (1, 2, 4, 8)
DEPTHS = (1, 2, 4, 8, 16, 24, 32)
MOST_AT_DEPTH = 48  # tokens: at depth 32 a longer text would keep everybody waiting
PLUGS = {"Residual": "residual", "Norm": "norm", "Feed-forward": "feed_forward", "Attention": "attention"}
PLACES = {"weights": "weights", "attention's update": "update", "embedding": "embedding"}


class Choice(NamedTuple):
    """A stack of encoder layers with random weights, or a trained model; and one of its layers (from 0)."""

    config: TransformerConfig
    seed: readers.Seed
    layer: int
    reader: readers.Reader | None = None


def trained(reader: readers.Reader, say: list[str], *, layer: bool = False) -> Choice:
    """A trained model with a line on it; layer: with a choice of the layer to open."""
    n_layers, open_layer = reader.n_layers, 1
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="medium"):
        choice = controls.of_reader(reader)
        if layer and n_layers > 1:
            open_layer = choose(
                st.select_slider,
                "Open layer",
                "blocks_layer",
                range(1, n_layers + 1),
                1,
                say,
                why=f"there are {n_layers} layers, so none is number {{}}",
                help="Which layer is opened; 1 is the lowest.",
                width=150,
            )
    return Choice(choice.config, choice.seed, open_layer - 1, reader)


def stack(say: list[str], *, layer: bool = False, expansion: bool = False, depth: bool = True) -> Choice:
    """The size of the stack in one row. layer, expansion: with a choice of the layer to open and of d_ff; depth=False:
    without the number of layers, where the page goes through many."""
    with settings.place(st.grid, 7, min_column_width=112, gap="small", vertical_alignment="bottom", key="model-row"):
        d_model = choose(
            st.select_slider,
            "d_model",
            "d_model",
            controls.WIDTHS,
            64,
            say,
            help="The width of the stream: how many numbers stand for a word.",
        )
        can = tuple(n for n in range(1, controls.MOST_HEADS + 1) if d_model % n == 0)
        n_heads = min(can, key=lambda n: (abs(n - 4), n))
        if not expansion:  # the feed-forward layer has no heads
            n_heads = choose(
                st.select_slider,
                "Heads",
                "heads",
                can,
                n_heads,
                say,
                why=f"d_model={d_model} cannot be split into {{}} equal heads",
                help=f"The heads share d_model equally: {d_model} can be split into {', '.join(map(str, can))}.",
            )
        n_layers, open_layer, d_ff = 6, 0, 4 * d_model
        if depth:
            n_layers = choose(
                st.select_slider,
                "Layers",
                "layers",
                range(1, controls.MOST_LAYERS + 1),
                6,
                say,
                help="How many layers stand on each other, each with numbers of its own.",
            )
        if layer and n_layers > 1:
            open_layer = -1 + choose(
                st.select_slider,
                "Open layer",
                "blocks_layer",
                range(1, n_layers + 1),
                1,
                say,
                why=f"there are {n_layers} layers, so none is number {{}}",
                help="Which layer is opened; 1 is the lowest.",
            )
        if expansion:
            d_ff = d_model * choose(
                st.select_slider,
                "d_ff / d_model",
                "blocks_ff",
                EXPANSIONS,
                4,
                say,
                help="How many times wider than the stream the hidden layer is.",
            )
        norm = controls.LAYER_NORMS[
            choose(
                st.segmented_control,
                "Layer norm",
                "norm",
                controls.LAYER_NORMS,
                "before (pre)",
                say,
                help="Before each sublayer (as GPT-2) or after each addition (as the paper).",
            )
        ]
        activation = controls.ACTIVATION_NAMES[
            choose(
                st.segmented_control,
                "Feed-forward",
                "activation",
                controls.ACTIVATION_NAMES,
                "ReLU",
                say,
                help="The curve inside the feed-forward layer: see there, The bend.",
            )
        ]
        seed = choose(
            st.select_slider, "Seed", "seed", range(100), 0, say, help="Another seed draws other random weights."
        )
    config = TransformerConfig(
        d_model=d_model,
        n_heads=n_heads,
        d_ff=d_ff,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        norm=norm,
        activation=activation,
        max_len=controls.MAX_TOKENS,
    )
    return Choice(config, seed, open_layer)


def token(tokens: tuple[str, ...], say: list[str], reader: readers.Reader | None = None) -> int:
    """One word of the sentence, by its place and its letters. At first one where a trained model has an answer: a
    decoder at the last word, an encoder at <bos>."""
    names = [f"{place} {word}" for place, word in enumerate(tokens, 1)]
    usual = names[min(1, len(names) - 1)] if reader is None else names[-1 if reader.kind == "decoder" else 0]
    chosen = choose(
        st.selectbox,
        "Follow the word",
        "blocks_token",
        names,
        usual,
        say,
        why="the sentence has no such word: {}",
        follows=True,
    )
    return names.index(chosen)


def plug(_: tuple[str, ...], say: list[str], reader: readers.Reader | None = None) -> str:
    """Which part is pulled out."""
    return choose(
        st.segmented_control,
        "Pull out",
        "blocks_plug",
        PLUGS,
        "Residual",
        say,
        help="Residual: the way round a sublayer, by which what came in is added to what was found. Norm: each word's "
        "numbers brought to mean 0 and standard deviation 1.",
    )


def share(_: tuple[str, ...], say: list[str]) -> int:
    """How much of a mixture is this sentence, in percent."""
    label = "a, the share of this sentence in %; the rest of the mixture is the sentence read backwards"
    return choose(st.select_slider, label, "blocks_mix", range(0, 101, 10), 50, say)


def sizes(say: list[str]) -> tuple[TransformerConfig, int, int]:
    """The sizes of the ledger: (config, batch, length). The usual ones are a batch of 2 x 10 words, 128 wide."""
    with st.grid(6, min_column_width=112, gap="small", vertical_alignment="bottom", key="model-row"):
        batch = choose(st.select_slider, "Batch B", "blocks_batch", range(1, 9), 2, say)
        length = choose(st.select_slider, "Length T", "blocks_length", (1, 2, 5, 10, 20, 50, 100), 10, say)
        d_model = choose(st.select_slider, "d_model D", "blocks_width", (16, 32, 64, 128, 256, 512), 128, say)
        n_heads = choose(st.select_slider, "Heads H", "blocks_heads", (1, 2, 4, 8, 16), 8, say)
        d_ff = choose(st.select_slider, "d_ff F", "blocks_dff", (64, 128, 256, 512, 1024, 2048), 512, say)
        n_layers = choose(st.select_slider, "Layers N", "blocks_layers", range(1, 13), 6, say)
    config = TransformerConfig(d_model=d_model, n_heads=n_heads, d_ff=d_ff, n_encoder_layers=n_layers)
    return config, batch, length


class Dropping(NamedTuple):
    """Where dropout is watched, and how."""

    p: float
    where: str
    training: bool
    draws: int
    draw: int

    def of(self, config: TransformerConfig) -> TransformerConfig:
        """A model of this size that drops so much."""
        return replace(config, dropout=self.p)


def dropping(say: list[str]) -> Dropping:
    """The settings of dropout, in one row."""
    with settings.place(st.grid, 5, min_column_width=150, gap="small", vertical_alignment="bottom"):
        mode = choose(st.segmented_control, "Mode", "blocks_mode", ("training", "evaluation"), "training", say)
        p = choose(st.select_slider, "p, dropped, in %", "blocks_p", range(0, 91, 10), 20, say)  # fmt: skip
        where = choose(st.selectbox, "Dropped from", "blocks_where", PLACES, "weights", say)
        draws = choose(
            st.select_slider,
            "Mean of draws",
            "blocks_draws",
            (1, 10, 100),
            1,
            say,
            help="Every pass in training drops other numbers. Their mean comes back to what was there.",
        )
        draw = choose(st.select_slider, "Draw", "blocks_draw", range(100), 0, say, help="Which numbers are dropped.")
    return Dropping(p / 100, PLACES[where], mode == "training", draws, draw)


def opened(key: str, stages: tuple[str, ...], names: dict[str, str], say: list[str]) -> str:
    """The stage that is open, by button or by a click on the drawing (`open_stage`)."""
    asked = st.session_state.pop("_blocks_open", None)
    if asked in stages:
        st.session_state[key] = names[asked]
    by_name = {names[stage]: stage for stage in stages}
    return by_name[
        choose(st.segmented_control, "Step", key, by_name, names["norm1"], say, label_visibility="collapsed")
    ]


def open_stage(asked: str | None, now: str) -> None:
    """What was clicked on the drawing is opened in the next run."""
    if asked and asked != now:
        st.session_state["_blocks_open"] = asked
        st.rerun()


def sweep(measure, depths: tuple[int, ...] = DEPTHS) -> list:
    """measure(depth) for every depth, with a bar that says how far it is. Leaving the page stops it at the next step;
    what was measured is cached and is not measured again."""
    bar = st.progress(0.0, text="Measuring")
    found = []
    for done, depth in enumerate(depths):
        bar.progress(sum(depths[:done]) / sum(depths), text=f"Building and measuring four stacks, {depth} layers deep")
        found.append(measure(depth))
    bar.empty()
    return found
