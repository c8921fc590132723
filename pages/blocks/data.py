"""The numbers of the page on blocks, computed once and shared by all visitors. torch is imported inside the functions:
a page is on screen before it is loaded."""

from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, cast

import numpy as np

import transformer
from lab.kit.answers import Answer, answer
from lab.kit.models.references import VOCABULARY, Untrained
from lab.kit.models.source import ModelRef, Source
from lab.server.caching import cached
from transformer import core, inspection, training
from transformer.core import workload
from transformer.core.workload import Workload

MAX_WORDS_READ_OUT = 12
ABLATIONS = {"both": (), "no residual": ("residual",), "no norm": ("norm",), "neither": ("residual", "norm")}


def model_of(ref: ModelRef) -> "core.model.SingleStack":
    """An encoder or a decoder: the only models that can be chosen on this page."""
    return cast("core.model.SingleStack", ref.resolve().model)


def one_pass(ref: ModelRef, tokens: tuple[str, ...], *_: object) -> Workload:
    """A model on this text; the weights of its layers are not kept."""
    source = ref.resolve()
    return workload.one_pass(source.config, len(tokens), source.n_layers)


def _depth(ref: Untrained, tokens: tuple[str, ...], depth: int) -> Workload:
    """A model of this depth, forward and back with each of ABLATIONS."""
    return workload.training_pass(ref.resolve().config, len(tokens), depth) * len(ABLATIONS)


def _linearity(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> Workload:
    """One layer of attention in float64, for every input that is tried, live and frozen."""
    config = ref.resolve().config
    double = workload.one_pass(config, len(tokens), 1, has_logits=False)
    double = double.keeping(double.n_bytes)
    return one_pass(ref, tokens) + double * 16


def _one_layer(config: "transformer.TransformerConfig", length: int) -> Workload:
    """One layer of an encoder of which every tensor is kept."""
    layer = workload.one_pass(config, length, 1, has_logits=False)
    return layer.keeping(layer.n_bytes)


def _nonlinearity(ref: ModelRef, layer: int) -> Workload:
    """A feed-forward layer on random inputs in float64, three times on two sets of them, and a fit."""
    config, n = ref.resolve().config, 4096
    D, F = config.d_model, config.d_ff
    return Workload(8 * (2 * n * D + 2 * n * F + 4 * D * F + 4 * n * D), 4 * (6 * n * D * F + 2 * n * D * D))


def steps(norm: str) -> tuple[str, ...]:
    """The names of the steps of a layer, in its order, with this placement of the norms."""
    return inspection.blocks.STAGES[norm]


@cached(work=one_pass)
def stages(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> dict[str, np.ndarray]:
    """The stream after every step of one layer, (T, D) each, in the layer's own order."""
    return inspection.blocks.stages(model_of(ref), ref.resolve().ids(tokens), layer)


class Said(NamedTuple):
    """What a model would say at each of T tokens if it stopped as the layer begins, and after each of its additions.

    words, chances  (additions + 1, T) the word that is ranked first, and its probability
    """

    words: tuple[tuple[str, ...], ...]
    chances: np.ndarray


@cached(work=one_pass)
def said_within(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> Said | None:
    """What a trained model would say within one layer; None for one whose words have no names."""
    source = ref.resolve()
    if not source.answers:
        return None
    model, at = model_of(ref), stages(ref, tokens, layer)
    names = list(at)
    ends = [n for n, name in enumerate(names) if name.startswith("add")]
    # After an addition the stream is what comes out of a norm, where one stands there.
    is_normed = model.config.norm == "post"
    heights = ["in", *(names[n + is_normed] for n in ends)]
    read = [inspection.logit_lens.read_out(model, at[name]) for name in heights]
    words = tuple(tuple(source.label(int(id)) for id in said) for said, _ in read)
    return Said(words, np.stack([odds for _, odds in read]))


@cached(work=one_pass)
def telling_layer(ref: ModelRef, tokens: tuple[str, ...], token: int) -> int:
    """The layer in which a trained model comes to the word that it says at this token in the end; 0 where the embedding
    says that word already."""
    since = inspection.logit_lens.logit_lens(model_of(ref), ref.resolve().ids(tokens)).since
    return max(0, int(since[token]) - 1)


@cached(work=one_pass)
def attention_weights(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> np.ndarray:
    """The attention weights of every head of one layer, (H, T, T)."""
    return next(islice(inspection.run.maps_by_layer(model_of(ref), ref.resolve().ids(tokens)), layer, None)).weights


@cached(work=lambda ref, tokens, layer, batch: one_pass(ref, tokens) * batch)
def batch_dependence(ref: ModelRef, tokens: tuple[str, ...], layer: int, batch: int) -> tuple[float, float]:
    """How much layer norm and batch norm change these tokens' numbers in a batch of random texts of their length.

    It is measured where the first norm of the layer stands.
    """
    import torch

    model = model_of(ref)
    at = "in" if model.config.norm == "pre" else "add1"
    generator = torch.Generator().manual_seed(1 + (ref.seed if isinstance(ref, Untrained) else 0))
    texts = torch.randint(model.config.vocab_size, (batch - 1, len(tokens)), generator=generator).tolist()
    others = [inspection.blocks.stages(model, ids, layer)[at] for ids in texts]
    x = stages(ref, tokens, layer)[at]
    return inspection.blocks.batch_dependence(x, np.stack(others) if others else np.zeros((0, *x.shape), x.dtype))


class GainRange(NamedTuple):
    """Least and largest gain γ and bias β of a norm."""

    min_gain: float
    max_gain: float
    min_bias: float
    max_bias: float


def gain_range(ref: ModelRef, layer: int, step: str) -> GainRange:
    """The gains and biases of one norm of a layer, "norm1" or "norm2"."""
    norm = getattr(model_of(ref).stack.layers[layer], step)
    gain, bias = norm.weight.detach(), getattr(norm, "bias", None)
    least, most = (0.0, 0.0) if bias is None else (float(bias.detach().min()), float(bias.detach().max()))
    return GainRange(float(gain.min()), float(gain.max()), least, most)


@cached(work=one_pass)
def feed_forward(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> "inspection.blocks.FeedForwardRun":
    """One feed-forward layer on one sentence."""
    return inspection.blocks.feed_forward(model_of(ref), ref.resolve().ids(tokens), layer)


def unit_shares(ref: ModelRef, layer: int, run: "inspection.blocks.FeedForwardRun") -> np.ndarray:
    """The share (T, F) that each hidden unit has in what feed-forward adds, measured along it; the rest is the bias."""
    w_2 = model_of(ref).stack.layers[layer].feed_forward.w_2.weight.detach().numpy()  # (D, F)
    return run.hidden * (run.out @ w_2) / np.maximum((run.out * run.out).sum(1, keepdims=True), 1e-30)


@cached(work=_nonlinearity)
def nonlinearity(ref: ModelRef, layer: int) -> "inspection.blocks.Nonlinearity":
    """How much of a feed-forward layer one matrix can do."""
    return inspection.blocks.nonlinearity(model_of(ref).stack.layers[layer].feed_forward)


@cached()
def xor() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inputs of XOR, what two ReLU units answer, and what the best affine map answers."""
    return inspection.blocks.xor()


@cached()
def activations() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """A grid, and each activation on it."""
    x = np.linspace(-4, 4, 161)
    return x, inspection.blocks.activation_curves(x)


N_LEADERS = 6  # words of which it is shown how they rise and fall


class Leaders(NamedTuple):
    """What components.stream_way.Leaders says."""

    words: tuple[tuple[str, ...], ...]
    odds: np.ndarray
    answer_ranks: np.ndarray
    answer_odds: np.ndarray


class ReadOut(NamedTuple):
    """One token from embedding to logits, and some words read out at each of its P + 1 heights.

    logits, ranks  (P + 1, words)
    leaders        of a trained model: those of an untrained one have no names
    """

    stream: "inspection.blocks.Stream"
    words: tuple[str, ...]
    logits: np.ndarray
    ranks: np.ndarray
    leaders: Leaders | None


@cached(work=one_pass)
def read_out(ref: ModelRef, tokens: tuple[str, ...], token: int) -> ReadOut:
    """Follow one token through the model.

    Of an untrained model the sentence's words are read out; of a trained one those that it ranks first at any height,
    and the one that comes next in the sentence.
    """
    source = ref.resolve()
    ids = source.ids(tokens)
    stream = inspection.blocks.follow_token(model_of(ref), ids, token)
    if source.answers:
        first = [*(-stream.logits).argsort()[:8], *stream.lens.argmax(1)[::-1], *ids[token + 1 : token + 2]]
        columns = list(dict.fromkeys(int(id) for id in first))[:MAX_WORDS_READ_OUT]
        words = tuple(source.label(id) for id in columns)
    else:
        # Each word once: the one that is followed first, then its neighbours, as many as can be read; in reading order.
        by_distance = sorted(range(len(tokens)), key=lambda i: abs(i - token))
        nearest = set(list(dict.fromkeys(tokens[i] for i in by_distance))[:MAX_WORDS_READ_OUT])
        words = tuple(word for word in dict.fromkeys(tokens) if word in nearest)
        columns = [ids[tokens.index(word)] for word in words]
    leaders = _leaders(source, stream) if source.answers else None
    return ReadOut(stream, words, stream.lens[:, columns], stream.ranks(columns), leaders)


def _leaders(source: Source, stream: "inspection.blocks.Stream") -> Leaders:
    """The words that are ranked first at each height, with their probabilities."""
    odds = np.exp(stream.lens.astype("f8") - stream.lens.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    first = (-stream.lens).argsort(1, kind="stable")[:, :N_LEADERS]
    answer = int(first[-1, 0])
    words = tuple(tuple(source.label(int(id)) for id in row) for row in first)
    return Leaders(words, np.take_along_axis(odds, first, 1), stream.ranks([answer])[:, 0], odds[:, answer])


class Change(NamedTuple):
    """A word of a text, the one in its place, and what the model then answers; "" and "" for the text as it is."""

    old: str
    new: str
    answer: Answer


MAX_CHANGES = 6


@cached(work=lambda ref, tokens: one_pass(ref, tokens) * (1 + MAX_CHANGES))
def one_word_changed(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[Change, ...]:
    """What a trained model answers as it is, and where one word is another of its kind: the first word of each kind,
    and the last of the text. () for a model whose words have no kinds."""
    source = ref.resolve()
    found: dict[int, str] = {}  # by position, the word that comes there
    for kind in source.kinds.values():
        places = [n for n, token in enumerate(tokens) if token in kind]
        for n in dict.fromkeys((*places[:1], *(place for place in places[1:] if place == len(tokens) - 1))):
            new = next((word for word in kind if word not in tokens), None)
            if new is not None:
                found[n] = new
    if not found:
        return ()

    def said(words: tuple[str, ...]) -> Answer:
        return answer(
            source, words, inspection.head_effects.forward(source.single_stack, source.ids(words)).logits[0].numpy()
        )

    edits = [(tokens[n], found[n], (*tokens[:n], found[n], *tokens[n + 1 :])) for n in sorted(found)[:MAX_CHANGES]]
    return tuple(Change(old, new, said(words)) for old, new, words in [("", "", tokens), *edits])


@cached(work=_depth)
def depth_statistics(
    ref: Untrained, tokens: tuple[str, ...], depth: int
) -> "dict[str, inspection.ablations.DepthStatistics]":
    """A decoder of these sizes and this depth, forward and back, with each of ABLATIONS. The model is not kept."""
    import torch

    config = replace(ref.config, n_decoder_layers=depth, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY)
    model = transformer.DecoderModel(config, torch.Generator().manual_seed(ref.seed)).eval()
    ids = ref.resolve().ids(tokens)
    return {
        name: inspection.ablations.depth_statistics(inspection.ablations.ablate(model, *parts), ids)
        for name, parts in ABLATIONS.items()
    }


class Linearity(NamedTuple):
    """How far attention is from linear, as shares of the size of its output: for a mixture of two inputs, and for an
    input that is doubled, with weights that follow the input (live) and with fixed ones (frozen)."""

    mixed_live: float
    mixed_frozen: float
    doubled_live: float
    doubled_frozen: float


@cached(work=_linearity)
def linearity(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> Linearity:
    """How linear the attention of a layer is: what it reads of this text, half and half with the same backwards, and
    doubled."""
    import torch

    model, steps = model_of(ref), stages(ref, tokens, layer)
    names = list(steps)
    x = torch.tensor(steps[names[names.index("attention") - 1]])
    mask = core.masks.causal(len(tokens)) if model.kind == "decoder" else None
    of = model.stack.layers[layer].self_attn, x
    mixture = inspection.linearity.superposition(*of, x.flip(0), 0.5, 0.5, mask, model.stack.positions)
    live, frozen = inspection.linearity.scaling_error(*of, [2.0], mask, model.stack.positions)
    return Linearity(mixture.live_error, mixture.frozen_error, float(live[0]), float(frozen[0]))


@cached(work=lambda ref, tokens, training, draws: _one_layer(ref.resolve().config, len(tokens)) * draws)
def dropout(ref: Untrained, tokens: tuple[str, ...], training: bool, draws: int) -> "inspection.dropout.DropoutRun":
    """Dropout of the attention weights at work in the first layer of an encoder, mean over so many draws."""
    model = cast("transformer.EncoderModel", model_of(ref))
    return inspection.dropout.run_dropout(model, ref.resolve().ids(tokens), "weights", training=training, draws=draws)


@cached(work=lambda config, n_layers, length: _one_layer(config, length))
def shape_table(
    config: "transformer.TransformerConfig", n_layers: int, length: int
) -> "tuple[list[inspection.shape_table.Row], inspection.shape_table.StackCount]":
    """Every tensor of one layer of these sizes on a text of this length, and the count of so many layers."""
    return inspection.shape_table.shape_table(config, 1, length), inspection.shape_table.stack_count(config, n_layers)


# ---- modern blocks -------------------------------------------------------------------------------------------------


class Costs(NamedTuple):
    """What two blocks cost: that of 2017, and another."""

    old: "inspection.block_costs.BlockCost"
    new: "inspection.block_costs.BlockCost"


@cached()
def block_costs(block: "training.block_sweep.Block", width: int, length: int) -> Costs:
    """The block of 2017 and another, this wide, with so many tokens in sight."""
    old, new = (
        inspection.block_costs.block_cost(training.block_sweep.config_of(one, width), length)
        for one in (training.block_sweep.OF_2017, block)
    )
    return Costs(old, new)


def _timed_blocks(block: "training.block_sweep.Block", width: int, length: int, n_measured: int) -> Workload:
    """Two blocks with all that they multiply, a few hundred times."""
    passes = [
        workload.one_pass(training.block_sweep.config_of(one, width), length, 1, has_logits=False)
        for one in (training.block_sweep.OF_2017, block)
    ]
    return replace(passes[0] + passes[1].keeping(passes[0].n_bytes), is_timed=True)


@cached(work=_timed_blocks)
def time_blocks(block: "training.block_sweep.Block", width: int, length: int, n_measured: int) -> tuple[float, float]:
    """Milliseconds of both blocks; another `n_measured` measures anew."""
    times = inspection.block_costs.time_blocks(
        training.block_sweep.config_of(training.block_sweep.OF_2017, width),
        training.block_sweep.config_of(block, width),
        length,
    )
    return times.first[0], times.second[0]


@cached()
def trained_blocks(kind: str = "trained") -> "tuple[training.block_sweep.Trained, ...]":
    """What `python -m pages.blocks.store` measured: 2017's block, each switch alone, and today's; or "towers"."""
    import json

    from pages.blocks.store import FILE

    rows: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))[kind]
    exact: list[dict[str, Any]] = [
        {name: tuple(x) if isinstance(x, list) else x for name, x in row.items()} for row in rows
    ]
    return tuple(training.block_sweep.Trained(**row) for row in exact)


@cached(work=one_pass)
def routing(ref: ModelRef, tokens: tuple[str, ...]) -> "inspection.routing.Routing":
    """Where each token of a sentence goes in every layer."""
    return inspection.routing.route(model_of(ref), ref.resolve().ids(tokens))


N_TALES = 200


@cached(work=lambda ref: workload.one_pass(ref.resolve().config, 64, ref.resolve().n_layers) * N_TALES)
def habits(ref: ModelRef) -> "list[inspection.routing.Habits]":
    """How words and experts go together in every layer, on tales that were held out."""
    from random import Random

    task = training.tasks.make("tales")
    tales = [[training.text.BOS, *tale.target] for tale in task.examples(N_TALES, Random(0), held_out=True)]
    return inspection.routing.habits_by_layer(model_of(ref), tales)
