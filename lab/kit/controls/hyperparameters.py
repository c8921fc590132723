"""Every hyperparameter's control, declared once.

    width = D_MODEL.ask()                                # as declared
    width = D_MODEL.ask("live_d_model", options=(8, 16), default=16)  # the same control, another choice

Names on screen and in links are the keys of the tables below; their values are the model's own words.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.models.references import Mask, MaskName
from lab.kit.models.source import Kind, ModelRef
from transformer.core.stretching import stretch_fields

WIDTHS = (4, 6, 8, 9, 12, 15, 16, 24, 32, 36, 48, 60, 64, 96, 120, 128, 144, 192, 256)
MAX_HEADS = 16
MAX_LAYERS = 12
BASES = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
SEEDS = range(100)

KINDS: dict[str, Kind] = {"Encoder": "encoder", "Decoder": "decoder"}
POSITIONS = {
    "none": "none",
    "sinusoidal": "sinusoidal",
    "learned": "learned",
    "rotary": "rotary",
    "T5 relative": "relative",
    "ALiBi": "alibi",
}
LAYER_NORMS = {"before (pre)": "pre", "after (post)": "post"}
ACTIVATIONS = {"ReLU": "relu", "GELU": "gelu", "GELU (tanh)": "gelu_tanh", "SiLU": "silu"}
NORM_KINDS = {"LayerNorm": "layer", "RMSNorm": "rms"}
GATES = {"none": False, "gated": True}
ORDERS = {"one after the other": False, "side by side": True}
BIASES: dict[str, dict[str, bool]] = {
    "everywhere": {},
    "for q, k, v": {"bias": False, "qkv_bias": True},
    "nowhere": {"bias": False, "norm_bias": False},
}
HEAD_NORMS = {"as they are": False, "normalised": True}
D_KS = (0, 4, 8, 16, 32, 64)  # 0: d_model / heads
NORMED = {"as they are": False, "normalised": True}
OUTPUT_HEADS = {"nothing": False, "a transform": True}
WINDOW_LAYERS: dict[str, Callable[[int], Iterable[int]]] = {  # which of n layers have the window
    "every layer": range,
    "every other layer": lambda n: range(0, n, 2),
    "all but the last layer": lambda n: range(n - 1),
    "the upper half": lambda n: range(n // 2, n),
}
PAIRINGS = {"neighbours": "interleaved", "halves": "half"}
STRETCHED_FROM = 32  # tokens of the texts that a model is taken to be trained on, where it is not trained
STRETCHES = {"linear": "linear", "NTK": "ntk", "Llama 3": "llama3", "YaRN": "yarn"}
FACTORS = (1, 2, 4, 8)
SCALINGS = {"divided by √d_k": True, "not divided": False}


class NamedMask(NamedTuple):
    """A mask that can be chosen by name.

    name      on screen and in links
    value     the model's word for it
    kinds     which models it is for
    span      the name of its one number, "" for none
    made_by   the function of transformer/core/masks.py behind it, "" for none
    """

    name: str
    value: MaskName
    kinds: tuple[Kind, ...]
    span: str = ""
    made_by: str = ""


MASKS = (
    NamedMask("none", "none", ("encoder",)),
    NamedMask("causal", "causal", ("decoder",), made_by="causal"),
    NamedMask("window", "window", ("encoder",), "window", "sliding_window"),
    NamedMask("causal window", "window", ("decoder",), "window", "sliding_window"),
    NamedMask("causal prefix", "prefix", ("decoder",), "prefix", "prefix"),
    NamedMask("padding", "padding", ("encoder",), "padding", "padding"),
)


# ---- controls ------------------------------------------------------------------------------------------------------


KEYS: set[str] = set()  # of an untrained model, in links


@dataclass(frozen=True)
class Control:
    """One hyperparameter's control: its label, widget, options, default, and the help that says what it does.

    chip  how the quiet line of settings says its value; "" where it says it only if it is not the default
    key   its name in links, on all pages that have it; a page may ask for it under a name of its own
    """

    label: str
    widget: Callable[..., Any]
    options: Iterable
    default: Any
    help: str = ""
    chip: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        if self.key:
            settings.share(self.key)
            KEYS.add(self.key)

    def ask(self, key: str = "", *, options: Iterable | None = None, default: Any = None, **more: Any) -> Any:
        """The answer under this key of the link, its own if none is named.

        Options, default, label and help can differ from the declared ones.
        """
        more = {"help": self.help or None, "chip": self.chip, **more}
        label = more.pop("label", self.label)
        default = self.default if default is None else default
        return settings.choose(
            self.widget, label, key or self.key, self.options if options is None else options, default, **more
        )


MODEL = Control(
    "Model",
    st.segmented_control,
    KINDS,
    "Encoder",
    "In an encoder every token sees all; in a decoder it sees itself and what came before it.",
    "{}",
    key="model",
)
D_MODEL = Control(
    "d_model",
    st.select_slider,
    WIDTHS,
    64,
    "The width of the stream: how many numbers stand for a token.",
    "{} wide",
    key="d_model",
)
HEADS = Control("Heads", st.select_slider, (), 4, "", "{} head{s}", key="heads")
KV_HEADS = Control(
    "Key/value heads",
    st.select_slider,
    (),
    1,
    "Fewer than heads: groups of heads share keys and values. 1 is multi-query attention.",
    key="kv_heads",
)
MASK = Control("Mask", st.selectbox, (), "none", "Which tokens may be looked at.", "mask: {}", key="mask")
LAYERS = Control(
    "Layers",
    st.select_slider,
    range(1, MAX_LAYERS + 1),
    3,
    "How many layers stand on each other; each looks at what the one below made of the text.",
    "{} layer{s}",
    key="layers",
)
POSITION_SCHEME = Control(
    "Positions",
    st.selectbox,
    POSITIONS,
    "sinusoidal",
    "How the model learns where a token stands.",
    "positions: {}",
    key="positions",
)
SCALING = Control(
    "Scores",
    st.segmented_control,
    SCALINGS,
    "divided by √d_k",
    "Without the division large d_k makes softmax pick a single key.",
    key="scores",
)
LAYER_NORM = Control(
    "Layer norm",
    st.segmented_control,
    LAYER_NORMS,
    "before (pre)",
    "Where a layer normalises: before each sublayer (as GPT-2) or after it (as the paper).",
    key="norm",
)
ACTIVATION = Control(
    "Feed-forward",
    st.segmented_control,
    ACTIVATIONS,
    "ReLU",
    "The curve inside the feed-forward layer: see Blocks.",
    key="activation",
)
NORM_KIND = Control(
    "Norm",
    st.segmented_control,
    NORM_KINDS,
    "LayerNorm",
    "LayerNorm brings each vector to mean 0 and deviation 1; RMSNorm (Llama, T5) only to size 1.",
    key="norm_kind",
)
GATE = Control(
    "Gate",
    st.segmented_control,
    GATES,
    "none",
    "In a gated feed-forward layer a second map says how much of each unit passes: SwiGLU (Llama) with SiLU.",
    key="gate",
)
ORDER = Control(
    "Sublayers",
    st.segmented_control,
    ORDERS,
    "one after the other",
    "Side by side (Pythia): attention and feed-forward read the same stream, and both are added to it.",
    key="sublayers",
)
BIAS = Control(
    "Biases",
    st.segmented_control,
    BIASES,
    "everywhere",
    "The numbers that are added after a map: everywhere (BERT), for q, k and v only (Qwen2), or nowhere (Llama).",
    key="biases",
)
HEAD_NORM = Control(
    "q and k",
    st.segmented_control,
    HEAD_NORMS,
    "as they are",
    "Normalised (Qwen3): in each head q and k are brought to one size, so no score grows just because they are long.",
    key="head_norm",
)
D_K = Control(
    "d_k", st.select_slider, D_KS, 0, "The width of a head, where it is not d_model / heads (0), as in T5.", key="d_k"
)
ROTARY_SHARE = Control(
    "Share that turns",
    st.select_slider,
    (0.25, 0.5, 0.75, 1.0),
    1.0,
    "The share of each head whose features turn with the position; the rest (in Pythia three quarters) does not.",
    key="rotary_share",
)
EMBEDDING_NORM = Control(
    "Embeddings",
    st.segmented_control,
    NORMED,
    "as they are",
    "Normalised (BERT, BART): a norm between the sum of token and position and the first layer.",
    key="embedding_norm",
)
OUTPUT_HEAD = Control(
    "Before the logits",
    st.segmented_control,
    OUTPUT_HEADS,
    "nothing",
    "A transform (BERT): one more matrix, a bend and a norm between the last layer and the logits.",
    key="output_head",
)
PAIRING = Control(
    "Pairs that turn",
    st.segmented_control,
    PAIRINGS,
    "neighbours",
    "Which two features of a head turn together: neighbours, 0 and 1 (the paper, GPT-J), or one of each half, 0 and"
    " d_k / 2 (Llama, Pythia).",
    key="rotary_pairs",
)
STRETCH = Control(
    "Stretch",
    st.segmented_control,
    STRETCHES,
    "linear",
    "How rotary positions are made to turn more slowly in a model that is to read texts longer than those of training.",
    key="rotary_stretch",
)
STRETCH_FACTOR = Control(
    "Factor",
    st.segmented_control,
    FACTORS,
    4,
    "How many times longer the slowest turn takes; 1 stretches nothing.",
    key="rotary_factor",
)
BASE = Control(
    "Base of the wavelengths",
    st.select_slider,
    BASES,
    10_000,
    "The larger, the slower the slowest sine turns; the paper has 10000.",
    key="base",
)
SEED = Control(
    "Seed", st.select_slider, SEEDS, 0, "Another seed draws other numbers to begin with.", "random seed {}", key="seed"
)
SPANS = {
    "window": Control(
        "Window", st.select_slider, range(1, 33), 3, "How far a token may look, itself included.", key="span"
    ),
    "prefix": Control(
        "Prefix", st.select_slider, range(1, 33), 3, "How many first tokens everybody may look at.", key="span"
    ),
    "padding": Control(
        "Padding",
        st.select_slider,
        range(1, 33),
        3,
        "How many of the last tokens are padding, which nobody may look at.",
        key="span",
    ),
}


WINDOWED = Control(
    "Layers with the window",
    st.selectbox,
    WINDOW_LAYERS,
    "every layer",
    "The other layers look as far as they may. Mistral has a window in every layer, Gemma 2 in every other one, a Qwen2"
    " that has one in its upper layers.",
    key="window_layers",
)


def ask_window_layers(n_layers: int) -> tuple[int, ...] | None:
    """The layers that have the window, numbered from 0; None where all of them do."""
    if n_layers == 1:
        return None
    layers = tuple(WINDOW_LAYERS[WINDOWED.ask(why="there is no choice of layers called “{}”")](n_layers))
    return None if len(layers) == n_layers else layers


def divisors(n: int, limit: int) -> tuple[int, ...]:
    """The whole numbers up to `limit` that divide n."""
    return tuple(d for d in range(1, min(n, limit) + 1) if n % d == 0)


def ask_heads(d_model: int, key: str = "", *, limit: int = MAX_HEADS, default: int = 4, **more: Any) -> int:
    """The number of heads: those that d_model can be split into, by default the one nearest to `default`."""
    options = divisors(d_model, limit)
    more = {
        "why": f"d_model={d_model} cannot be split into {{}} equal heads",
        "help": f"The heads share d_model equally: {d_model} can be split into {', '.join(map(str, options))}.",
        **more,
    }
    return HEADS.ask(key, options=options, default=settings.nearest(default, options), **more)


def ask_later_parts(
    *, norm: str, positions: str, n_heads: int, d_model: int, has_logits: bool = False
) -> dict[str, Any]:
    """What models after the first Transformer changed, folded away -> fields of TransformerConfig by name.

    norm, positions, n_heads, d_model  what was chosen for these, on which some of the parts depend
    has_logits                         whether the page shows logits, which alone the head before them changes
    """
    with settings.place(st.expander, "What later models changed"):
        fields: dict[str, Any] = {"norm_kind": NORM_KINDS[NORM_KIND.ask()], "gated": GATES[GATE.ask()]}
        if norm == "pre":
            fields["parallel"] = ORDERS[ORDER.ask()]
        fields |= BIASES[BIAS.ask()]
        fields["embedding_norm"] = NORMED[EMBEDDING_NORM.ask()]
        if has_logits:
            fields["output_transform"] = OUTPUT_HEADS[OUTPUT_HEAD.ask()]
        fields["head_norm"] = HEAD_NORMS[HEAD_NORM.ask()]
        d_k = D_K.ask()
        if d_k and d_k * n_heads != d_model:
            fields["head_width"] = d_k
        if positions == "rotary":
            fields["pairing"] = PAIRINGS[PAIRING.ask()]
            fields["rotary_share"] = _whole_pairs(ROTARY_SHARE.ask(), d_k or d_model // n_heads)
            stretch = STRETCH.ask(
                options=("none", *STRETCHES),
                default="none",
                help="Rotary positions that turn more slowly, for texts longer than those of training: here as if they"
                f" had had {STRETCHED_FROM} tokens. What that does to a trained model: see Positions, Other ways.",
            )
            if stretch != "none":
                fields |= stretch_fields(STRETCHES[stretch], STRETCH_FACTOR.ask(), STRETCHED_FROM)
    return fields


def _whole_pairs(share: float, d_k: int) -> float:
    """The share of a head that turns, of which whole pairs of features are made: at least one."""
    return 1.0 if share == 1 else min(1.0, max(2, 2 * round(share * d_k / 2)) / d_k)


class ModelChoice(NamedTuple):
    """The model that was chosen, and the mask on top of it."""

    ref: ModelRef
    mask: Mask
