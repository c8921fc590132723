"""What is computed once and shared: the only place with caches.

Everything here is keyed on plain values (a frozen config, tokens, a seed), is read-only once made, and is bounded.
Where a seed is a text, it is the key of trained weights: see readers.
torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from threading import Lock
from typing import Literal, NamedTuple

import streamlit as st

from pages.kit import readers
from pages.kit.components.attention_view import Packed, Picture
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids

Kind = Literal["encoder", "decoder"]
VOCABULARY = 4096  # rows of the embedding of an untrained model; words find theirs by hash


class Mask(NamedTuple):
    """A mask by name, and its one number: the window, the length of the prefix, or how many tokens are padding."""

    name: Literal["none", "causal", "window", "prefix", "padding"] = "none"
    span: int = 0


class Answers(NamedTuple):
    """What a trained model puts first, a decoder at the last word and an encoder at <bos>, and how sure it is; and for
    how many of n next words of the text it puts the right one first (n is 0 for an encoder)."""

    word: str
    sure: float
    right: int
    n: int


_CONFIGS = {TransformerConfig: repr}  # how a cache names a config: much quicker than field by field


Seed = int | str  # of random weights; or the key of trained ones, which bring their own kind, sizes and vocabulary


def model(kind: Kind, config: TransformerConfig, seed: Seed):
    """A model with the random weights that this seed gives, or the trained one of this key, in evaluation mode."""
    return readers.of(seed).model if isinstance(seed, str) else _random_model(kind, config, seed)


def _net(kind: Kind, config: TransformerConfig, seed: Seed):
    """The same, for words of any text: random weights know words by their hash."""
    return model(kind, replace(config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY), seed)


def _ids(seed: Seed, tokens: tuple[str, ...]) -> list[int]:
    """The ids by which a model with these weights knows these tokens."""
    return readers.of(seed).ids(tokens) if isinstance(seed, str) else hashed_ids(list(tokens), VOCABULARY)


@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=_CONFIGS)
def _random_model(kind: Kind, config: TransformerConfig, seed: int):
    import torch

    from transformer.model import DecoderModel, EncoderModel

    torch.set_num_threads(1)  # many sessions share few cores: one thread each is faster for all
    build = EncoderModel if kind == "encoder" else DecoderModel
    return build(config, torch.Generator().manual_seed(seed)).eval()


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_CONFIGS)
def heads(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens: tuple[str, ...]) -> Packed:
    """Every head of this model on these tokens, ready for the browser."""
    from transformer.inspection.heads import chance, head_scores
    from transformer.inspection.run import look

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    run = look(subject, ids, tokens, **how)
    seen = run.attention[kind]
    shown = tuple(token if len(token) <= 40 else token[:39] + "…" for token in tokens)
    picture = Picture(
        queries=shown,
        keys=shown,
        weights=seen.weights,
        mask=seen.mask,
        q=seen.q,
        k=seen.k,
        scale=seen.scale,
        bias=seen.bias,
        scores=head_scores(seen.weights),
        chance=chance(len(tokens), len(tokens), seen.mask),
        facts=(*_trained_on(seed), kind, f"{run.n_parameters:,} parameters"),
        untrained=not isinstance(seed, str),
    )
    return Packed(picture)


def _trained_on(seed: Seed) -> tuple[str, ...]:
    return (f"trained: {readers.of(seed).task.title.lower()}",) if isinstance(seed, str) else ()


def _mask(mask: Mask, T: int):
    """The mask (T, T) that comes on top of what the model does by itself, or None."""
    import torch

    from transformer import masks

    match mask:
        case ("window", span):
            return masks.sliding_window(T, span)
        case ("prefix", span):
            return masks.prefix(T, span)
        case ("padding", span):
            return masks.padding(torch.tensor([max(T - span, 0)]), T)[0, 0].expand(T, T)
        case _:
            return None


def _subject(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens: tuple[str, ...]):
    """What the studies of heads share: the model, the ids, and the keyword arguments of its mask."""
    return (
        _net(kind, config, seed),
        _ids(seed, tokens),
        {"mask": _mask(mask, len(tokens)), "is_causal": kind == "decoder" and mask.name != "prefix"},
    )


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_CONFIGS)
def head_unplugged(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """What changes in this model when one head is silenced: inspection.study.Unplugged."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    return study.unplug(subject, ids, layer, head, **how)


@st.cache_resource(max_entries=32, show_spinner=False)
def answers_without_head(seed: str, tokens: tuple[str, ...], layer: int, head: int) -> tuple[Answers, Answers]:
    """What a trained model says as it is, and when one head is silenced."""
    from transformer.inspection import study
    from transformer.taps import ablate

    reader = readers.of(seed)
    ids, cut = reader.ids(tokens), ablate(f"{reader.kind}.{layer}.self_attn", head)
    whole, without = study.run(reader.model, ids), study.run(reader.model, ids, tap=cut)
    return tuple(_answers(seed, tokens, output.logits[0].numpy()) for output in (whole, without))


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_CONFIGS)
def heads_unplugged(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens):
    """How much silencing each head changes, (L, H)."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    return study.unplug_all(subject, ids, **how)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_CONFIGS)
def edges(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int, query: int):
    """One query's edges three ways: inspection.study.Edges."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    return study.edges(subject, ids, layer, head, query, **how)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_CONFIGS)
def parts(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int):
    """What each head of a layer adds to its output, and the layer's W_q as (D, H d_k): (study.HeadParts, W_q)."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    attention = getattr(subject, kind).layers[layer].self_attn
    return study.head_parts(subject, ids, layer, **how), attention.w_q.weight.detach().T.numpy()


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=_CONFIGS)
def alike_and_rolled(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens):
    """How alike the heads look (LH, LH), and where information comes from after each layer (L, T, T)."""
    from transformer.inspection import study
    from transformer.inspection.run import look

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    weights = look(subject, ids, tokens, **how).attention[kind].weights
    return study.similarity(weights), study.rollout(weights)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_CONFIGS)
def one_head(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """The weights of one head, (T, T), and its mask or None."""
    from transformer.inspection.run import look

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    seen = look(subject, ids, tokens, **how).attention[kind]
    return seen.weights[layer, head].copy(), seen.mask


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_CONFIGS)
def heads_difference(a: tuple, b: tuple, most_cells: int):
    """B - A of every head that both have, a and b each (kind, config, seed, mask, tokens), their tokens as many:
    (differences (L, H, t, t), k, the largest). Beyond most_cells each cell is the largest of k x k."""
    import numpy as np

    from pages.kit.figures.benches import pooled
    from transformer.inspection.run import look

    def weights(kind, config, seed, mask, tokens):
        subject, ids, how = _subject(kind, config, seed, mask, tokens)
        return look(subject, ids, tokens, **how).attention[kind].weights

    first = weights(*a)
    second = weights(*b)
    L, H = (min(n) for n in zip(first.shape[:2], second.shape[:2], strict=True))
    small, k = pooled(second[:L, :H] - first[:L, :H], most_cells)
    return small, k, float(np.abs(small).max())


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_CONFIGS)
def plane(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """Queries and keys of one head on the plane that shows most of them: see inspection.study.plane."""
    from transformer.inspection import study
    from transformer.inspection.run import look

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    seen = look(subject, ids, tokens, **how).attention[kind]
    shared_by = seen.q.shape[1] // seen.k.shape[1]
    return study.plane(seen.q[layer, head], seen.k[layer, head // shared_by])


@st.cache_resource(max_entries=32, show_spinner=False)
def cut_into_heads(d_model: int, n_heads: int, T: int):
    """The steps of cutting T tokens into heads (study.split_layout), and the cost (parameters, multiplications)."""
    from transformer.inspection import study

    return study.split_layout(T, d_model, n_heads), study.attention_cost(d_model, n_heads, T)


@st.cache_resource(show_spinner=False)
def built_head():
    """A head whose weight of 1 does nothing: study.head_without_effect."""
    from transformer.inspection import study

    return study.head_without_effect()


@st.cache_resource(max_entries=8, show_spinner=False)
def two_places(n_heads: int, share: float):
    """One head or two that need what stands at two places: (inspection.two_places, its sentences, its words)."""
    from transformer.inspection import two_places

    return two_places.two_places(n_heads, share), two_places.SENTENCES, two_places.WORDS


# ---- positions ----


@st.cache_resource(max_entries=24, show_spinner=False)
def waves(length: int, d_model: int, base: int):
    """The sinusoidal table and its wavelengths, and how far two ways of writing its turns differ in float32."""
    from transformer.inspection import positions

    return positions.waves(length, d_model, float(base)), positions.forms_differ(d_model, float(base))


@st.cache_resource(max_entries=24, show_spinner=False)
def similarity(length: int, d_model: int, base: int):
    """How alike the codes of two positions are: inspection.positions.Similarity."""
    from transformer.inspection import positions

    return positions.similarity(length, d_model, float(base))


@st.cache_resource(max_entries=24, show_spinner=False)
def hands(kind: Literal["code", "rotary"], n_pairs: int, base: int, seed: int, places: int, most: int):
    """The clocks of codes, or of one rotated query and key, as bytes for the browser."""
    from pages.kit.components.clocks import pack
    from transformer.inspection import positions

    width = 2 * n_pairs
    if kind == "code":
        made = positions.sinusoid_hands(places, width, float(base))
    else:
        made = positions.rotary_hands(places, width, float(base), seed)
    turns = positions.waves(1, width, float(base)).wavelengths.tolist()
    return pack(kind, made.first, made.second, turns, most)


@st.cache_resource(max_entries=32, show_spinner=False)
def shuffled(kind: Kind, positions: str, seed: int, tokens: tuple[str, ...], order: tuple[int, ...]):
    """One text in two orders, through a small untrained model: inspection.positions.Shuffled."""
    from transformer.inspection.positions import shuffle

    config = TransformerConfig(
        vocab_size=VOCABULARY, d_model=32, n_encoder_layers=2, n_decoder_layers=2, positions=positions
    )
    return shuffle(model(kind, config, seed), hashed_ids(list(tokens), VOCABULARY), order)


@st.cache_resource(max_entries=32, show_spinner=False)
def summands(positions: str, d_model: int, seed: int, amount: float, batch: int, tokens: tuple[str, ...]):
    """Token vectors, position codes and their sum: inspection.positions.Summands."""
    from transformer.inspection.positions import summands

    config = TransformerConfig(
        vocab_size=VOCABULARY, d_model=d_model, n_heads=1, positions=positions, max_len=max(len(tokens), 1)
    )
    return summands(hashed_ids(list(tokens), VOCABULARY), config, amount=amount, batch=batch, seed=seed)


@st.cache_resource(max_entries=16, show_spinner=False)
def same_word(T: int, head: int, seed: int):
    """(schemes, T, T): where one head of an untrained model looks when every word is the same, under every scheme."""
    import numpy as np

    from transformer.inspection import positions

    return np.stack([positions.same_word(s, T, d_model=64, n_heads=4, seed=seed)[head] for s in positions.MAKES])


@st.cache_resource(max_entries=16, show_spinner=False)
def planes(positions: str, T: int, reach: int, n_heads: int, max_distance: int, seed: int):
    """The bias of T5 or ALiBi on every head: inspection.positions.Planes."""
    from transformer.inspection.positions import planes

    return planes(positions, T, reach, n_heads=n_heads, max_distance=max_distance, seed=seed)


@st.cache_resource(max_entries=16, show_spinner=False)
def learned_table(max_len: int, used: int, seed: int):
    """A learned table before training, and which rows one text trains: inspection.positions.Learned."""
    from transformer.inspection.positions import learned

    return learned(max_len, 32, used, seed)


@st.cache_resource(max_entries=24, show_spinner=False)
def look_back(positions: str, k: int, T: int, d: int, base: int, sharpness: int):
    """A head built by hand to look k places back: (its weights (T, T), (weight on the diagonal, chance))."""
    from transformer.inspection.positions import look_back, on_diagonal

    weights = look_back(positions, k, T, d, base=float(base), sharpness=float(sharpness))
    return weights, on_diagonal(weights, k)


@st.cache_resource(max_entries=24, show_spinner=False)
def beyond(trained: int, length: int, max_distance: int, seed: int):
    """What each scheme gives past the training length: inspection.positions.Beyond."""
    from transformer.inspection.positions import beyond

    return beyond(trained, length, max_distance=max_distance, seed=seed)


# ---- blocks ----


def _block_model(config: TransformerConfig, seed: Seed):
    return _net("encoder", config, seed)


def _block(config: TransformerConfig, seed: Seed, layer: int):
    from transformer.inspection.blocks import stack_of

    return stack_of(_block_model(config, seed))[1].layers[layer]


@st.cache_resource(max_entries=24, show_spinner=False)
def stages(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], layer: int):
    """The stream after every step of one layer: a dict of (T, D), in the layer's own order."""
    from transformer.inspection import blocks

    return blocks.stages(_block_model(config, seed), _ids(seed, tokens), layer)


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

    return blocks.feed_forward(_block_model(config, seed), _ids(seed, tokens), layer)


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

    ids = _ids(seed, tokens)
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
    return _answers(seed, tokens, unplugged(config, seed, tokens, plug).logits)


def _answers(seed: str, tokens: tuple[str, ...], logits) -> Answers:
    """What a trained model says with these logits (T, V)."""
    import numpy as np

    reader, logits = readers.of(seed), logits.astype("f8")
    at = len(tokens) - 1 if reader.kind == "decoder" else 0
    odds = np.exp(logits[at] - logits[at].max())
    best = int(odds.argmax())
    n = len(tokens) - 1 if reader.kind == "decoder" else 0
    right = int((logits[:n].argmax(1) == reader.ids(tokens)[1 : n + 1]).sum()) if n else 0
    return Answers(reader.labels[best], float(odds[best] / odds.sum()), right, n)


@st.cache_resource(max_entries=24, show_spinner=False)
def unplugged(config: TransformerConfig, seed: Seed, tokens: tuple[str, ...], plug: str):
    """The same sentence with a plug pulled ("" for none): inspection.plugs.Heights."""
    from transformer.inspection import plugs

    net = plugs.unplug(_block_model(config, seed), *filter(None, [plug]))
    return plugs.heights(net, _ids(seed, tokens))


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


@st.cache_resource(max_entries=32, show_spinner=False)
def drawn_matrices(seed: int):
    """Q, K and V of random numbers: inspection.steps.drawn."""
    from transformer.inspection.steps import drawn

    return drawn(seed)


@st.cache_resource(max_entries=64, show_spinner=False)
def steps_by_hand(q: tuple, k: tuple, v: tuple, is_causal: bool):
    """Attention on matrices given by hand, stage by stage: inspection.steps.steps."""
    from transformer.inspection.steps import steps
    from transformer.masks import causal

    return steps(q, k, v, causal(len(q)).numpy() if is_causal else None)


@st.cache_resource(max_entries=32, show_spinner=False)
def steps_of_head(config: TransformerConfig, seed: int, tokens: tuple[str, ...], head: int, is_causal: bool):
    """The first layer's attention of an encoder on these tokens, stage by stage: inspection.steps.head_steps."""
    from transformer.inspection.steps import head_steps
    from transformer.masks import causal

    subject = model("encoder", replace(config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY), seed)
    mask = causal(len(tokens)) if is_causal else None
    return head_steps(subject, hashed_ids(list(tokens), VOCABULARY), head, 0, mask)


@st.cache_resource(max_entries=8, show_spinner=False)
def saturation_sweep(seed: int):
    """What the scaling does for every width, with and without it: inspection.saturation.sweep."""
    import torch

    from transformer.inspection.saturation import sweep

    torch.set_num_threads(1)
    return sweep(seed)


class Softmax(NamedTuple):
    """Softmax of one head's scores: weights, what plain softmax gives, the sums of the rows, and which cells may."""

    weights: object
    plain: object
    row_sums: list[float]
    allowed: object


def softmax_of(steps, temperature: float, add: float, along: str) -> Softmax:
    """The softmax of these steps' scores, as asked for: inspection.steps.softmax_of. Not kept: it takes no time."""
    from transformer.inspection import steps as inspection

    scores = steps.stages.get("masked", steps.stages["scaled"])
    weights = inspection.softmax_of(scores, temperature=temperature, add=add, along=along)
    plain = inspection.softmax_of(scores)
    return Softmax(weights, plain, weights.sum(1).tolist(), scores > float("-inf"))


@st.cache_resource(max_entries=64, show_spinner=False)
def guess_puzzle(number: int):
    """A row to guess: inspection.puzzle.puzzle."""
    from transformer.inspection.puzzle import puzzle

    return puzzle(number)


def guess_verdict(number: int, guess: tuple[float, ...]):
    """How far a guess is from the truth, and which step it leaves out: inspection.puzzle.judge."""
    from transformer.inspection.puzzle import judge

    return judge(guess_puzzle(number), guess)


# ---- masks -----------------------------------------------------------------------------------------------------
# A mask goes by its short string (components/mask_brush/code.py), which is also what stands in the link.

PAD = VOCABULARY  # a word's id is below it


def _masked_model(kind: Kind, n_layers: int = 1):
    """A small model with room for padding, and random weights."""
    sizes = {"d_model": 32, "n_heads": 4, "n_encoder_layers": n_layers, "n_decoder_layers": n_layers}
    return model(kind, TransformerConfig(vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, **sizes), 0)


@st.cache_resource(max_entries=256, show_spinner=False)
def mask_named(name: str, T: int, span: int) -> str:
    """A mask by its name, as a short string: inspection.masks.named."""
    from pages.kit.components.mask_brush import pack
    from transformer.inspection import masks

    return pack(masks.named(name, T, span))


@st.cache_resource(max_entries=64, show_spinner=False)
def mask_stages(tokens: tuple[str, ...], code: str, upside_down: bool):
    """Scores, masked scores and weights of one head: inspection.masks.stages. upside_down reads True as blocked."""
    from pages.kit.components.mask_brush import unpack
    from transformer.inspection import masks

    mask = unpack(code)
    return masks.stages(_masked_model("encoder"), hashed_ids(list(tokens), VOCABULARY), ~mask if upside_down else mask)


@st.cache_resource(max_entries=64, show_spinner=False)
def mask_leak(tokens: tuple[str, ...], code: str, position: int, word: str, n_layers: int):
    """What moves when the token at `position` becomes `word`: inspection.masks.leak."""
    from pages.kit.components.mask_brush import unpack
    from transformer.inspection import masks

    # Cut together with the text, the new word cannot take an id away from a word that stays.
    *ids, new = hashed_ids([*tokens, word], VOCABULARY)
    edited = [*ids[:position], new, *ids[position + 1 :]]
    return masks.leak(_masked_model("decoder", n_layers), ids, edited, unpack(code))


@st.cache_resource(max_entries=128, show_spinner=False)
def mask_layers_needed(code: str):
    """After how many layers each token can have heard of each: inspection.masks.layers_needed."""
    from pages.kit.components.mask_brush import unpack
    from transformer.inspection import masks

    return masks.layers_needed(unpack(code))


@st.cache_resource(max_entries=64, show_spinner=False)
def mask_fills(tokens: tuple[str, ...], n_allowed: int, dtype: str):
    """The last row of scores, blocked in three ways: inspection.masks.blocked_row. Only the first n_allowed keys are
    open."""
    from transformer.inspection import masks

    scores = mask_stages(tokens, mask_named("none", len(tokens), 0), False).scores[-1]
    return masks.blocked_row(scores.tolist(), [n < n_allowed for n in range(len(tokens))], dtype)


class Three(NamedTuple):
    """The attentions of an encoder-decoder by kind: the maps, and the same ready for the browser."""

    maps: dict
    packed: dict[str, Packed]


@st.cache_resource(max_entries=64, show_spinner=False)
def wired(queries: str, keys: str, values: str, S: int, T: int):
    """What comes of wiring one attention so: inspection.wiring.Wired."""
    from transformer.inspection import wiring

    return wiring.wire(queries, keys, values, S, T)


@st.cache_resource(max_entries=16, show_spinner=False)
def mask_three(source: tuple[str, ...], target: tuple[str, ...], n_pads: int) -> Three:
    """Encoder self-attention, decoder self-attention, cross-attention: inspection.masks.three_attentions."""
    import torch

    from transformer.inspection import masks
    from transformer.inspection.heads import chance, head_scores
    from transformer.model import Transformer

    config = TransformerConfig(
        vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, n_encoder_layers=2, n_decoder_layers=2, d_model=32
    )
    net = Transformer(config, torch.Generator().manual_seed(0)).eval()
    pads = ("⟨pad⟩",) * n_pads
    src = hashed_ids(list(source), VOCABULARY) + [PAD] * n_pads
    started = ("⟨start⟩", *target)  # the decoder reads one step behind what it predicts
    maps = masks.three_attentions(net, src, hashed_ids(list(started), VOCABULARY), PAD, source + pads, started)
    labels = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention"}
    packed = {}
    for kind, seen in maps.items():
        T, S = seen.weights.shape[-2:]
        scores = {"scores": head_scores(seen.weights), "chance": chance(T, S, seen.mask)}
        parts = {name: getattr(seen, name) for name in ("queries", "keys", "weights", "mask", "q", "k", "scale")}
        packed[kind] = Packed(Picture(**parts, **scores, facts=(kind,), untrained=True, label=labels[kind]))
    return Three(maps, packed)


@st.cache_resource(max_entries=32, show_spinner=False)
def mask_batch(kind: Kind, sentences: tuple[tuple[str, ...], ...], masked: bool):
    """Sentences in one padded batch and each alone: inspection.masks.padded_batch."""
    from transformer.inspection import masks

    ids = [hashed_ids(list(words), VOCABULARY) for words in sentences]
    return masks.padded_batch(_masked_model(kind, 2), ids, PAD, masked=masked)


def statistics(x):
    """Mean and standard deviation of every token: (T,), (T,)."""
    from transformer.inspection import blocks

    return blocks.statistics(x)


def moved(clean, pulled):
    """What a plug did to the logits: (share of the probability that moved, tokens with another first entry)."""
    from transformer.inspection import plugs

    return plugs.moved(clean.logits, pulled.logits)


# ---- embeddings: tokenisers learned from a text, and what an untrained table holds -----------------------------

TokeniserKind = Literal["character", "word", "pairs"]


@st.cache_resource(max_entries=24, show_spinner=False)
def tokeniser(kind: TokeniserKind, learned_from: str, n_merges: int):
    """A tokeniser of this kind, learned from this text; n_merges concerns byte pairs only."""
    from transformer.training import text

    match kind:
        case "character":
            return text.CharacterTokeniser.learn(learned_from, most=1000)
        case "word":
            return text.WordTokeniser.learn(learned_from, most=1000)
        case _:
            return text.BytePairTokeniser.learn(learned_from, n_merges)


@st.cache_resource(max_entries=16, show_spinner=False)
def embedding_table(vocab_size: int, d_model: int, seed: Seed):
    """The table W_e (V, d_model) of these weights, and how the cosines of its rows are spread."""
    import torch

    from transformer.embeddings import TokenEmbedding
    from transformer.inspection.blocks import stack_of
    from transformer.inspection.embeddings import spread

    if isinstance(seed, str):
        embedding = stack_of(readers.of(seed).model)[1].embedding
    else:
        embedding = TokenEmbedding(vocab_size, d_model, generator=torch.Generator().manual_seed(seed))
    return embedding, spread(embedding.weight.detach().numpy())


@st.cache_resource(max_entries=32, show_spinner=False)
def looked_up(vocab_size: int, d_model: int, seed: Seed, ids: tuple[int, ...]):
    """X W_e and the picked rows: inspection.embeddings.lookup."""
    from transformer.inspection.embeddings import lookup

    return lookup(embedding_table(vocab_size, d_model, seed)[0], ids)


@st.cache_resource(max_entries=16, show_spinner=False)
def renamed(vocab_size: int, d_model: int, seed: Seed, ids: tuple[int, ...]):
    """The same model with all ids dealt anew: inspection.embeddings.rename. Its table is that of embedding_table."""
    from transformer.inspection.embeddings import rename

    config = TransformerConfig(vocab_size=vocab_size, d_model=d_model, n_heads=1, n_encoder_layers=2)
    return rename(model("encoder", config, seed), ids, seed)


@st.cache_resource(max_entries=32, show_spinner=False)
def likeness(vocab_size: int, d_model: int, seed: Seed, ids: tuple[int, ...]):
    """Cosines (n, n) of the rows of these ids, their places on a plane, and the plane's share of the variance."""
    from transformer.inspection.embeddings import cosines, plane

    rows = looked_up(vocab_size, d_model, seed, ids).rows
    return cosines(rows), *plane(rows)


@st.cache_resource(max_entries=16, show_spinner=False)
def order(vocab_size: int, d_model: int, seed: Seed, kinds: tuple[tuple[int, ...], ...]):
    """Whether rows of one kind, ids of each given, lie closer to each other: inspection.embeddings.order."""
    from transformer.inspection.embeddings import order

    ids = [id for kind in kinds for id in kind]
    table = embedding_table(vocab_size, d_model, seed)[0].weight.detach().numpy()
    return order(table[ids], [n for n, kind in enumerate(kinds) for _ in kind])


@st.cache_resource(max_entries=64, show_spinner=False)
def nearest(vocab_size: int, d_model: int, seed: Seed, id: int, k: int):
    """The k rows of the whole table nearest to this one: inspection.embeddings.neighbours."""
    from transformer.inspection.embeddings import neighbours

    return neighbours(embedding_table(vocab_size, d_model, seed)[0].weight.detach().numpy(), id, k)


@st.cache_resource(max_entries=32, show_spinner=False)
def loudness(vocab_size: int, widths: tuple[int, ...], seed: int, narrow: bool, scaled: bool, ids: tuple[int, ...]):
    """How loud this text's vectors are beside its positions, at every one of these widths."""
    from transformer.inspection.embeddings import loudness

    return [loudness(ids, vocab_size, d, seed=seed, narrow=narrow, scaled=scaled) for d in widths]


@st.cache_resource(max_entries=16, show_spinner=False)
def lesson(config: TransformerConfig, seed: int, ids: tuple[int, ...]):
    """What this text would teach an untrained encoder-decoder: inspection.embeddings.lesson."""
    from transformer.inspection.embeddings import lesson

    return lesson(config, ids, seed)


# ---- why: paths, costs, and what this machine measures ---------------------------------------------------------


@st.cache_resource(max_entries=64, show_spinner=False)
def way(network: str, n: int, k: int):
    """The shortest way from the first word to the last output: inspection.paths.Way."""
    from transformer.inspection.paths import way

    return way(network, n, k)


@st.cache_resource(max_entries=32, show_spinner=False)
def steps_by_length(lengths: tuple[int, ...], k: int, attention: str):
    """The length of that way by its formula, as (lengths, a line a network); attention sees what its name says."""
    from transformer.inspection.paths import n_steps

    lines = {"recurrent": "recurrent", f"convolution, {k} wide": "convolution", "dilated": "dilated"}
    lines["attention"] = attention
    return lengths, {name: [n_steps(network, n, k) for n in lengths] for name, network in lines.items()}


class Costs(NamedTuple):
    """Costs by the number of words: one layer of attention as multiples of a recurrent one, bytes of weights and of
    states, the lines of the paper's table, and the multiplications with the linear maps."""

    compared: dict[str, list[float]]
    weights: list[int]
    states: list[int]
    lines: list[dict]
    real: dict[str, list[int]]


@st.cache_resource(max_entries=32, show_spinner=False)
def costs(lengths: tuple[int, ...], d: int, n_heads: int, k: int) -> Costs:
    """What layers of this width cost by their formulas: inspection.costs."""
    from transformer.inspection import costs

    lines = [{network: costs.cost(network, n, d, k) for network in costs.KINDS} for n in lengths]
    weights = [costs.weights_bytes(n_heads, n) for n in lengths]
    states = [costs.states_bytes(n, d) for n in lengths]
    compared = {
        "steps that wait": [line["attention"].waiting / line["recurrent"].waiting for line in lines],
        "operations": [line["attention"].operations / line["recurrent"].operations for line in lines],
        "memory": [a / b for a, b in zip(weights, states, strict=True)],
    }
    real = {name: [costs.multiplications(name, n, d, k) for n in lengths] for name in ("attention", "recurrent")}
    return Costs(compared, weights, states, lines, real)


@st.cache_resource(max_entries=16, show_spinner=False)
def operations(d: int):
    """Multiplications at the lengths that are measured: (lengths, a line a way of counting)."""
    from transformer.inspection import costs
    from transformer.inspection.timing import LENGTHS

    lines = {}
    for network in ("attention", "recurrent"):
        lines[f"{network}, really"] = [costs.multiplications(network, n, d, 2) for n in LENGTHS]
        lines[f"{network}, Table 1"] = [costs.cost(network, n, d, 2).operations for n in LENGTHS]
    return LENGTHS, lines


_measuring = Lock()  # two measurements at once would slow each other down


@st.cache_resource(max_entries=16, show_spinner=False)
def time_lengths(d: int, n_heads: int, asked: int):
    """Attention against a recurrent network, in milliseconds: inspection.timing.time_lengths. `asked` measures anew."""
    import torch

    from transformer.inspection.timing import time_lengths

    torch.set_num_threads(1)
    with _measuring:
        return time_lengths(d, n_heads)


@st.cache_resource(max_entries=16, show_spinner=False)
def time_heads(d: int, heads: tuple[int, ...], asked: int):
    """All heads at once against head by head, in milliseconds: inspection.timing.time_heads. `asked` measures anew."""
    import torch

    from transformer.inspection.timing import time_heads

    torch.set_num_threads(1)
    with _measuring:
        return time_heads(d, heads)


@st.cache_resource(max_entries=32, show_spinner=False)
def heads_apart(d: int, n_heads: int):
    """How far all heads at once and head by head differ, and on how many words: inspection.timing.apart."""
    from transformer.inspection import timing

    return timing.apart(d, n_heads), timing.WORDS
