"""What the page on blocks computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace

import streamlit as st

from pages.shared import readers
from pages.shared.readers import (
    VOCABULARY,
    Answers,
    Seed,
    answers_of,
    ids_of,
    net_of,
)
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids


def _block_model(config: TransformerConfig, seed: Seed):
    return net_of("encoder", config, seed)


def _block(config: TransformerConfig, seed: Seed, layer: int):
    from transformer.inspection.blocks import stack_of

    return stack_of(_block_model(config, seed))[1].layers[layer]


@st.cache_resource(max_entries=24, show_spinner=False)
def stages(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], layer: int):
    """The stream after every step of one layer: a dict of (T, D), in the layer's own order."""
    from transformer.inspection import blocks

    return blocks.stages(_block_model(config, seed), ids_of(seed, tokens), layer)


@st.cache_resource(max_entries=24, show_spinner=False)
def company(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], layer: int, batch: int):
    """How much layer norm and batch norm change these tokens' numbers in a batch of random texts of their length."""
    import numpy as np
    import torch

    from transformer.inspection import blocks

    at = "in" if config.norm == "pre" else "add1"
    net = _block_model(config, seed)
    generator = torch.Generator().manual_seed(1 if isinstance(seed, str) else seed + 1)
    texts = torch.randint(net.config.vocab_size, (batch - 1, len(tokens)), generator=generator).tolist()
    others = [blocks.stages(net, ids, layer)[at] for ids in texts]
    x = stages(config, seed, tokens, layer)[at]
    return blocks.company(x, np.stack(others) if others else np.zeros((0, *x.shape), x.dtype))


@st.cache_resource(max_entries=24, show_spinner=False)
def feed_forward(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], layer: int):
    """One feed-forward layer on one sentence: inspection.blocks.FeedForwardRun."""
    from transformer.inspection import blocks

    return blocks.feed_forward(_block_model(config, seed), ids_of(seed, tokens), layer)


@st.cache_resource(max_entries=24, show_spinner=False)
def bend(config: TransformerConfig, seed: Seed, layer: int):
    """What one matrix can do of a feed-forward layer: (inspection.blocks.Bend, the three answers to XOR)."""
    from transformer.inspection import blocks

    return blocks.bend(_block(config, seed, layer).feed_forward), blocks.xor()


@st.cache_resource(max_entries=4, show_spinner=False)
def activations():
    """The bends on a grid: (x, a dict of curves)."""
    import numpy as np

    from transformer.inspection import blocks

    x = np.linspace(-4, 4, 161)
    return x, blocks.curves(x)


@st.cache_resource(max_entries=24, show_spinner=False)
def follow(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], token: int):
    """One token from embedding to logits, read out for some words: (Stream, words, logits, places).

    Of random weights the sentence's words are read out; of trained ones those that the model says, at any height, and
    the one that comes next in the sentence.
    """
    from transformer.inspection import blocks

    ids = ids_of(seed, tokens)
    stream = blocks.follow(_block_model(config, seed), ids, token)
    if isinstance(seed, str):
        said = [*(-stream.logits).argsort()[:8], *stream.lens.argmax(1)[::-1], *ids[token + 1 : token + 2]]
        columns = list(dict.fromkeys(int(id) for id in said))[:12]
        labels = readers.of(seed).labels
        return stream, tuple(labels[id] for id in columns), stream.lens[:, columns], stream.ranks(columns)
    # Each word once: the one that is followed first, then its neighbours, as many as can be read; in reading order.
    near = sorted(range(len(tokens)), key=lambda i: abs(i - token))
    named = dict.fromkeys(tokens[i] for i in near)
    shown = set(list(named)[:12])
    words = tuple(word for word in dict.fromkeys(tokens) if word in shown)
    columns = [ids[tokens.index(word)] for word in words]
    return stream, words, stream.lens[:, columns], stream.ranks(columns)


def gains(seed: str, layer: int) -> tuple[float, float, float, float]:
    """What training made of the first norm of a layer: least and largest γ, least and largest β."""
    from transformer.inspection.blocks import stack_of

    norm = stack_of(readers.of(seed).model)[1].layers[layer].norm1
    gain, bias = norm.weight.detach(), norm.bias.detach()
    return float(gain.min()), float(gain.max()), float(bias.min()), float(bias.max())


@st.cache_resource(max_entries=24, show_spinner=False)
def answers(config: TransformerConfig, seed: str, tokens: tuple[str, ...], plug: str) -> Answers:
    """What a trained model says with this plug pulled ("" for none)."""
    return answers_of(seed, tokens, unplugged(config, seed, tokens, plug).logits)


@st.cache_resource(max_entries=24, show_spinner=False)
def unplugged(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], plug: str):
    """The same sentence with a plug pulled ("" for none): inspection.plugs.Heights."""
    from transformer.inspection import plugs

    net = plugs.unplug(_block_model(config, seed), *filter(None, [plug]))
    return plugs.heights(net, ids_of(seed, tokens))


@st.cache_resource(max_entries=64, show_spinner=False)
def at_depth(config: TransformerConfig, seed: int, tokens: tuple[str, ...], depth: int):
    """A fresh decoder of this depth, forward and back, with and without its residuals and norms.

    -> inspection.plugs.Depth by name: "both", "no residual", "no norm", "neither". The model is not kept.
    """
    import torch

    from transformer.inspection import plugs
    from transformer.model import DecoderModel

    torch.set_num_threads(1)
    config = replace(config, n_decoder_layers=depth, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY)
    net = DecoderModel(config, torch.Generator().manual_seed(seed)).eval()
    ids = hashed_ids(list(tokens), VOCABULARY)
    pulled = {"both": (), "no residual": ("residual",), "no norm": ("norm",), "neither": ("residual", "norm")}
    return {name: plugs.at_depth(plugs.unplug(net, *which), ids) for name, which in pulled.items()}


@st.cache_resource(max_entries=24, show_spinner=False)
def linearity(config: TransformerConfig, seed: int, tokens: tuple[str, ...], percent: int):
    """Attention of a mixture of this sentence and itself read backwards, and of stretched inputs.

    -> (inspection.linearity.Mixed, the stretches, how far off with live weights, how far off with fixed ones)
    """
    import torch

    from transformer.inspection import linearity

    attention = _block_model(config, seed).encoder.layers[0].self_attn
    x = torch.tensor(next(iter(stages(config, seed, tokens, 0).values())))
    by = [n / 4 for n in range(-8, 13)]
    a = percent / 100
    return linearity.mix(attention, x, x.flip(0), a, 1 - a), by, *linearity.stretch(attention, x, by)


@st.cache_resource(max_entries=24, show_spinner=False)
def dropped(
    config: TransformerConfig, seed: int, tokens: tuple[str, ...], where: str, training: bool, draws: int, draw: int
):
    """Dropout at work in the first layer: inspection.dropping.Dropped. `draw` is the seed of what is dropped."""
    from transformer.inspection import dropping

    net = _block_model(config, seed)
    return dropping.drop(net, hashed_ids(list(tokens), VOCABULARY), where, training=training, draws=draws, seed=draw)


@st.cache_resource(max_entries=24, show_spinner=False)
def ledger(config: TransformerConfig, batch: int, length: int):
    """Every tensor of one encoder layer, and the tower of all its layers: (list of Line, Tower)."""
    from transformer.inspection.ledger import ledger, tower

    return ledger(config, batch, length), tower(config, config.n_encoder_layers)


def statistics(x):
    """Mean and standard deviation of every token: (T,), (T,)."""
    from transformer.inspection import blocks

    return blocks.statistics(x)


def moved(clean, pulled):
    """What a plug did to the logits: (share of the probability that moved, tokens with another first entry)."""
    from transformer.inspection import plugs

    return plugs.moved(clean.logits, pulled.logits)
