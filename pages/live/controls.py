"""Every setting of a training: what each can be, and the control that asks for it.

What a control stands on at first, the recipe of the task says.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from lab.kit.controls.hyperparameters import (
    ACTIVATION,
    ACTIVATIONS,
    D_MODEL,
    LAYER_NORM,
    LAYERS,
    NORM_KIND,
    NORM_KINDS,
    POSITION_SCHEME,
    SCALING,
    SEED,
    Control,
)
from transformer.training.schedules import SCHEDULES
from transformer.training.tasks.own_text import LEVELS
from transformer.training.tasks.pictures import PATCH_SIZES
from transformer.training.tasks.shapes import SIDE

MAX_HEADS = 8
LOOK_AHEAD = {"causal": False, "none: it sees the answer": True}
TIED = {"the embedding again": True, "a table of its own": False}
SCALED_EMBEDDINGS = {"× √d_model": True, "as they are": False}
READING = {"the class token": "class", "the mean of all patches": "mean"}
# Parts of a layer: what the control calls each, and the fields of TransformerConfig that make it.
Parts = dict[str, dict[str, Any]]
WINDOW = 4  # tokens, of a window or a block
ATTENTIONS: Parts = {
    "every pair": {},
    "linear": {"attention": "linear"},
    "window": {"window": WINDOW},
    "dilated": {"window": WINDOW, "pattern": "dilated"},
    "global + local": {"window": WINDOW, "pattern": "global"},
    "block-sparse": {"window": WINDOW, "pattern": "blocks"},
}
NORM_PARTS: Parts = {label: {"norm_kind": kind} for label, kind in (NORM_KINDS | {"none": "none"}).items()}
FEED_FORWARDS: Parts = {
    **{label: {"activation": name} for label, name in ACTIVATIONS.items()},
    "SwiGLU": {"activation": "silu", "gated": True},
    "none": {"has_feed_forward": False},
}
EXPERTS: Parts = {"one": {}, "1 of 4": {"n_experts": 4, "top_k": 1}, "2 of 4": {"n_experts": 4, "top_k": 2}}
# By the name of the setting.
PARTS = {"attention": ATTENTIONS, "norm_kind": NORM_PARTS, "activation": FEED_FORWARDS, "experts": EXPERTS}
KV_HEADS = EACH, FOR_TWO, FOR_ALL = ("one each", "one for two", "one for all")
_SLIDER, _BUTTONS = st.select_slider, st.segmented_control
# By the name of the setting: its control. What it is at first, the recipe of the task says.
CONTROLS: dict[str, Control] = {
    "d_model": replace(D_MODEL, options=(8, 16, 24, 32, 48, 64, 96, 128)),
    "layers": replace(LAYERS, options=(1, 2, 3, 4), help="Where there are an encoder and a decoder: of each."),
    "positions": POSITION_SCHEME,
    "d_ff": Control(
        "d_ff", _SLIDER, (16, 32, 64, 96, 128, 192, 256, 384, 512), 128, "Width of the feed-forward layer."
    ),
    "norm": LAYER_NORM,
    "activation": replace(
        ACTIVATION,
        options=FEED_FORWARDS,
        help="The curve inside the feed-forward layer; SwiGLU adds a gate. With none, layers are attention alone.",
    ),
    "attention": Control(
        "Attention",
        st.selectbox,
        ATTENTIONS,
        "every pair",
        f"Which pairs of tokens meet; windows and blocks have {WINDOW} tokens. Linear attention replaces softmax and "
        "needs sinusoidal or learned positions. The page Why shows each as a picture.",
    ),
    "norm_kind": replace(NORM_KIND, options=NORM_PARTS),
    "kv_heads": Control(
        "Keys and values",
        _BUTTONS,
        KV_HEADS,
        EACH,
        "Heads can share keys and values, which makes the cache smaller while writing.",
    ),
    "experts": Control(
        "Experts",
        _BUTTONS,
        EXPERTS,
        "one",
        "Four feed-forward layers, of which a router picks one or two for every token. See Blocks, Modern blocks.",
    ),
    "scores": SCALING,
    "embedding": Control(
        "Token vectors", _BUTTONS, SCALED_EMBEDDINGS, "as they are", "The original paper multiplies them by √d_model."
    ),
    "output": Control(
        "Output map", _BUTTONS, TIED, "the embedding again", "Which table turns the last vectors into tokens."
    ),
    "dropout": Control(
        "Dropout", _SLIDER, (0.0, 0.05, 0.1, 0.2, 0.3, 0.5), 0.0, "The share of numbers set to 0 at random in training."
    ),
    "longest": Control(
        "Longest text", _SLIDER, (4, 6, 8, 10, 12, 16), 8, "Letters in the longest text of the training."
    ),
    "mask": Control(
        "Mask of the decoder",
        _BUTTONS,
        LOOK_AHEAD,
        "causal",
        "Without it the decoder can read off what it should write.",
    ),
    "steps": Control(
        "Steps",
        _SLIDER,
        (20, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1600, 2000, 3000),
        250,
        "How often the parameters change.",
        "{} steps",
    ),
    "lr": Control(
        "Learning rate",
        _SLIDER,
        (1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 6e-3, 1e-2, 2e-2, 3e-2, 6e-2, 0.1, 0.3, 1.0, 3.0, 10.0),
        1e-2,
        "How far a step goes when the rate is highest. In Noam's schedule it is a factor, usually 1.",
        "learning rate {}",
    ),
    "batch": Control("Batch size", _SLIDER, (8, 16, 32, 64, 128), 64, "Examples per step."),
    "schedule": Control("Schedule", _BUTTONS, SCHEDULES, "one-cycle", "How the learning rate changes over the steps."),
    "warmup": Control(
        "Warm-up",
        _SLIDER,
        (1, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 300, 400, 600),
        25,
        "Steps in which the rate rises; 1 means no warm-up.",
    ),
    "decay": Control(
        "Weight decay",
        _SLIDER,
        (0.0, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0),
        0.01,
        "Pulls every matrix towards 0, a little each step.",
    ),
    "smoothing": Control(
        "Label smoothing",
        _SLIDER,
        (0.0, 0.05, 0.1, 0.2, 0.3),
        0.0,
        "The share of probability that should go to all tokens equally.",
    ),
    "clip": Control(
        "Clip gradients at",
        _SLIDER,
        (0.0, 0.1, 0.3, 1.0, 3.0),
        1.0,
        "Longer gradients are cut to this length; 0 means never.",
    ),
    "examples": Control(
        "Training examples",
        _SLIDER,
        (20, 50, 100, 200, 500, 1000, 2000, 4000, 8000, 20_000, 40_000),
        8000,
        "A small number can be memorised.",
    ),
    "augment": Control(
        "Augmentation", _SLIDER, (0.0, 0.1, 0.3, 0.5, 1.0), 0.0, "Share of examples varied so that the answer holds."
    ),
    "seed": replace(SEED, options=range(20), help="The same seed gives the same film.", chip=""),
    "patch": Control(
        "Patch size",
        _SLIDER,
        PATCH_SIZES,
        4,
        f"Pixels along the side of a patch, of the picture's {SIDE}. Smaller patches are more tokens.",
    ),
    "reads": Control(
        "Answers read from",
        _BUTTONS,
        READING,
        "the class token",
        "The class token shows no part of the picture and is there to collect the answer. The mean of all patches can "
        "take its place.",
    ),
    "level": Control("Cut into", _BUTTONS, LEVELS, "characters"),
    "window": Control("Window", _SLIDER, (16, 32, 48, 64), 32, "How many tokens are read at a time."),
}


# The controls that act on a training while it runs: each with its name among the knobs of a training.
KNOBS = {"lr": "lr", "batch": "batch_size", "dropout": "dropout"}

# Settings that a picture has and a text has not, and those that say nothing of a picture: its models have no decoder,
# no token vectors and nothing to smooth over, and patches that stand near in line need not be near in the picture.
OF_PICTURES = ("patch", "reads")
OF_TEXTS = ("embedding", "output", "mask", "attention", "smoothing")
