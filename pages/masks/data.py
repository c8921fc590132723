"""What the masks page computes.

Masks are keyed by their short strings: components/mask_brush/code.py.
"""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import numpy as np

import transformer
from attention_view import Packed, Picture
from lab.kit.controls.hyperparameters import MASKS
from lab.kit.models import pictures
from lab.kit.models.references import VOCABULARY, BeforeTraining, Mask, Shipped, untrained_model
from lab.kit.models.source import Kind, ModelRef
from lab.server.caching import cached
from pages.masks.components.mask_brush import pack, unpack
from transformer import core, inspection
from transformer.core import workload
from transformer.core.config import TransformerConfig
from transformer.training.text import BOS, NAMES, hashed_ids
from transformer.training.text import PAD as TRAINED_PAD

PAD = VOCABULARY  # the ids of words are below it
PAD_TOKEN, START_TOKEN = NAMES[TRAINED_PAD], NAMES[BOS]
TRANSLATOR = Shipped("translator")
_CONFIG = TransformerConfig(vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, d_model=32, n_heads=4)


def _model(
    kind: Kind, n_layers: int, **more: Any
) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
    """A small model with random weights and an id for padding; more: fields of its config."""
    return untrained_model(kind, replace(_CONFIG, n_encoder_layers=n_layers, n_decoder_layers=n_layers, **more), 0)


def cells(code: str) -> np.ndarray:
    """The mask (T, T) of a short string. Raises ValueError if it is none."""
    mask = unpack(code)
    if mask is None:
        raise ValueError(f"{code!r} is no mask")
    return mask


@cached()
def named_mask(name: str, T: int, span: int) -> str:
    """The mask for T tokens with this name of MASKS, as a short string. Raises KeyError if there is none."""
    named = {mask.name: mask for mask in MASKS}[name]
    # A decoder is causal by itself, but for a prefix, which opens some of the future.
    own = core.masks.causal(T) if "decoder" in named.kinds and named.value != "prefix" else None
    mask = core.masks.all_of(Mask(named.value, span).tensor(T), own)
    return pack(np.ones((T, T), bool) if mask is None else mask.numpy())


@cached()
def stages(
    tokens: tuple[str, ...], code: str, is_inverted: bool, ref: ModelRef | None = None, layer: int = 0, head: int = 0
) -> "inspection.masks.Stages":
    """Scores, masked scores and weights of one head of this model, by default a small untrained encoder, with this mask
    in every layer. is_inverted reads True of the mask as blocked."""
    mask = cells(code)
    if ref is not None:
        source = ref.resolve()
        model, ids = source.single_stack, source.ids(tokens)
    else:
        model, ids = _model("encoder", 1), hashed_ids(list(tokens), VOCABULARY)
        assert isinstance(model, core.model.SingleStack)
    return inspection.masks.stages(model, ids, ~mask if is_inverted else mask, head, layer)


@cached(work=lambda ref, tokens: workload.one_pass(ref.resolve().config, len(tokens), ref.resolve().n_layers) * 150)
def turning_cells(ref: Shipped, tokens: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The cells of the causal mask any of which, blocked alone, changes the word that comes next."""
    source = ref.resolve()
    assert isinstance(source.model, core.model.DecoderModel)
    return inspection.masks.turning_cells(source.model, source.ids(tokens))


def telling_head(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[int, int]:
    """(layer, head) that has earned its name most on these tokens, which the page on heads opens, too."""
    trained = ref.of if isinstance(ref, BeforeTraining) else ref
    return pictures.heads(trained, Mask(), tokens).opens if len(tokens) > 1 else (0, 0)


@cached()
def sharpest_head(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> int:
    """The head of this layer whose queries look most at one key each; resting on the first token, as idle heads do, is
    no looking."""
    source = ref.resolve()
    layers = inspection.run.maps_by_layer(
        source.single_stack, source.ids(tokens), None, is_causal=source.kind == "decoder"
    )
    weights = next(islice(layers, layer, None)).weights[:, 1:, 1:]  # (H, T - 1, T - 1)
    return int(weights.max(-1).mean(-1).argmax()) if weights.size else 0


@cached()
def leak(
    tokens: tuple[str, ...],
    code: str,
    position: int,
    word: str,
    n_layers: int,
    ref: ModelRef | None = None,
    window: int | None = None,
    window_layers: tuple[int, ...] | None = None,
) -> "inspection.masks.Leak":
    """What moves in this model, by default an untrained decoder of so many layers, if the token at `position` becomes
    `word`. window, window_layers: of the untrained decoder, on top of the mask."""
    if ref is not None:
        source = ref.resolve()
        ids = source.ids(tokens)
        edited = source.ids([*tokens[:position], word, *tokens[position + 1 :]])
        return inspection.masks.leak(source.single_stack, ids, edited, cells(code))
    # Hashed together with the text, the new word cannot take the id of a word that stays.
    *ids, new = hashed_ids([*tokens, word], VOCABULARY)
    edited = [*ids[:position], new, *ids[position + 1 :]]
    model = _model("decoder", n_layers, window=window, window_layers=window_layers)
    assert isinstance(model, transformer.DecoderModel)
    return inspection.masks.leak(model, ids, edited, cells(code))


class Reach(NamedTuple):
    """How far news travels.

    needed  (T, T) after how many layers query i can have heard of key j
    far     how many tokens away the farthest key is after each layer, from the first to the last
    sight   how many tokens away the farthest key is that a single layer looks at
    masks   (L, T, T) of every layer
    """

    needed: np.ndarray
    far: tuple[int, ...]
    sight: int
    masks: np.ndarray


@cached()
def reach(code: str, n_layers: int, others: str = "", windowed: tuple[int, ...] = ()) -> Reach:
    """How far news travels in so many layers with this mask. others: that of the layers which are not `windowed`, where
    they have another."""
    mask = cells(code)
    in_layers = np.stack([mask if layer in windowed or not others else cells(others) for layer in range(n_layers)])
    return Reach(
        # Only where one mask is in all layers can it be said of deeper models as well.
        inspection.masks.layers_needed(in_layers if others else mask),
        tuple(inspection.masks.farthest(inspection.masks.reach(in_layers, n)) for n in range(1, n_layers + 1)),
        max(inspection.masks.farthest(one) for one in in_layers),
        in_layers,
    )


@cached()
def fills(
    tokens: tuple[str, ...], n_allowed: int, dtype: str, ref: ModelRef | None = None
) -> "list[inspection.masks.Fill]":
    """The last row of scores, blocked in three ways; only the first n_allowed keys are open."""
    scores = stages(tokens, named_mask("none", len(tokens), 0), False, ref).scores[-1]
    return inspection.masks.blocked_row(scores.tolist(), [n < n_allowed for n in range(len(tokens))], dtype)


class Attentions(NamedTuple):
    """The three attentions of an encoder-decoder by kind: as maps, and packed for the browser."""

    maps: "dict[str, inspection.run.AttentionMap]"
    packed: dict[str, Packed]


class Translation(NamedTuple):
    """A sentence as the trained translator reads it, and what it writes; `unknown` are words that it has never read."""

    source: tuple[str, ...]
    written: tuple[str, ...]
    unknown: tuple[str, ...]


@cached()
def translation(text: str, limit: int) -> Translation:
    """The trained translator's own translation of the first `limit` tokens of a text."""
    source = TRANSLATOR.resolve()
    typed = inspection.translation.tokenise_source(source.task, text, limit)
    written = _translate(typed.ids).written if typed.ids else ()
    return Translation(typed.words, inspection.translation.token_labels(source.task.target, written), typed.unknown)


def _translate(ids: tuple[int, ...]) -> "inspection.translation.Translation":
    model = TRANSLATOR.resolve().model
    assert isinstance(model, transformer.Transformer)
    return inspection.translation.translate(model, ids)


# Shares of what attention brings, close together where the words change.
ARRIVES = (*(n / 50 for n in range(31)), 0.65, 0.7, 0.8, 0.9, 1)


class Faded(NamedTuple):
    """What the translator writes, and how likely it thinks each word."""

    words: tuple[str, ...]
    likely: tuple[float, ...]


@cached()
def faded(words: tuple[str, ...]) -> list[Faded]:
    """What the trained translator writes for a sentence if these shares of its cross-attentions arrive."""
    source = TRANSLATOR.resolve()
    assert isinstance(source.model, transformer.Transformer)
    ids = inspection.translation.read_words(source.task, words).ids
    rows = inspection.translation.faded(source.model, ids, ARRIVES)
    return [Faded(inspection.translation.token_labels(source.task.target, row), likely) for row, likely in rows]


@cached()
def in_english() -> dict[str, str]:
    """The English word that each French word of the task mostly comes from, by the alignments of its examples."""
    task, random = TRANSLATOR.resolve().task, Random(0)
    known: dict[str, Counter[str]] = {}
    for example in (task.draw(random) for _ in range(1500)):
        french, english = (
            inspection.translation.token_labels(language, ids)
            for language, ids in ((task.target, example.target), (task.source, example.source))
        )
        for i, j in example.alignment:
            known.setdefault(french[i], Counter())[english[j]] += 1
    most = {word: counts.most_common(1)[0] for word, counts in known.items()}
    return {
        word: by for word, (by, n) in most.items() if n > known[word].total() / 2 and by not in ("do", "does", "did")
    }


@cached()
def translator_attentions(text: str, n_pads: int, limit: int) -> Attentions:
    """The three attentions of the trained translator over a text and its translation; a row of the decoder is named
    for the word that it writes."""
    source = TRANSLATOR.resolve()
    typed = inspection.translation.tokenise_source(source.task, text, limit)
    model = source.model
    assert isinstance(model, transformer.Transformer)
    maps = inspection.translation.attention_maps(model, source.task, typed, _translate(typed.ids).written, n_pads)
    # Both maps of the decoder have the same rows, so they have the same names here: those of the words that it writes.
    maps |= {"decoder": replace(maps["decoder"], queries=maps["cross"].queries)}
    return _attentions(maps, untrained=False)


@cached()
def attentions(source: tuple[str, ...], target: tuple[str, ...], n_pads: int) -> Attentions:
    """The three attentions of a small untrained model; n_pads padding tokens follow the source."""
    pads = (PAD_TOKEN,) * n_pads
    source_ids = hashed_ids(list(source), VOCABULARY) + [PAD] * n_pads
    target = (START_TOKEN, *target)  # the decoder reads one step behind what it predicts
    model = _model("encoder-decoder", 2)
    assert isinstance(model, transformer.Transformer)
    maps = inspection.masks.three_attentions(
        model, source_ids, hashed_ids(list(target), VOCABULARY), PAD, source + pads, target
    )
    return _attentions(maps, untrained=True)


def _attentions(maps: "dict[str, inspection.run.AttentionMap]", *, untrained: bool) -> Attentions:
    labels = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention"}
    return Attentions(
        maps, {kind: Packed(_picture(maps[kind], kind, label, untrained=untrained)) for kind, label in labels.items()}
    )


def _picture(m: "inspection.run.AttentionMap", kind: str, label: str, *, untrained: bool) -> Picture:
    T, S = m.weights.shape[-2:]
    return Picture(
        queries=m.queries,
        keys=m.keys,
        weights=m.weights,
        mask=m.mask,
        q=m.q,
        k=m.k,
        scale=m.scale,
        scores=inspection.heads.head_scores(m.weights),
        chance=inspection.heads.chance(T, S, m.mask),
        facts=(kind,),
        untrained=untrained,
        label=label,
    )


@cached()
def batch(ref: ModelRef, sentences: tuple[tuple[str, ...], ...], is_masked: bool) -> "inspection.masks.Batch":
    """Sentences in one padded batch, with a padding mask or without it, and each of them alone."""
    source = ref.resolve()
    ids = [source.ids(sentence) for sentence in sentences]
    return inspection.masks.padded_batch(source.single_stack, ids, TRAINED_PAD, masked=is_masked)
