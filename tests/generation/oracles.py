"""Tiny models with opinions, to be asked for texts; and a search without shortcuts."""

import itertools
from typing import Any, TypeVar

import torch

from tests.transformer.oracles import rng, shaken
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, Transformer

V, BOS, EOS, PAD = 14, 1, 2, 0
_SETTINGS: dict[str, Any] = {
    "vocab_size": V,
    "d_model": 16,
    "n_heads": 4,
    "d_ff": 24,
    "activation": "gelu",
    "tie_output": False,
}
Ours = TypeVar("Ours", DecoderModel, Transformer)


def decoder(seed: int = 0, dtype: torch.dtype = torch.float64, **settings: Any) -> DecoderModel:
    """A tiny GPT-2 with opinions: random, but far from uniform."""
    shape: dict[str, Any] = {"positions": "learned", "max_len": 64, "norm": "pre", "scale_embeddings": False}
    model = DecoderModel(TransformerConfig(**_SETTINGS | shape | settings), rng(seed))
    return _with_opinions(model, dtype, seed)


def translator(seed: int = 0, dtype: torch.dtype = torch.float64, **settings: Any) -> Transformer:
    """A tiny Transformer as in the paper: post-norm, sinusoids, one embedding everywhere."""
    shape: dict[str, Any] = {"positions": "sinusoidal", "norm": "post", "tie_source": True}
    model = Transformer(TransformerConfig(**_SETTINGS | shape | settings), rng(seed))
    return _with_opinions(model, dtype, seed)


def _with_opinions(model: Ours, dtype: torch.dtype, seed: int) -> Ours:
    model = shaken(model, dtype, seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() == 1:  # a bias that all positions share would make them all say the same
                p.sub_(-0.5 if "norm" in name and name.endswith("weight") else 0.5)
            if ".w_q." in name or ".w_k." in name or ".w_2." in name:
                p.mul_(2)  # so that it matters where a head looks, and what came last is not all that counts
        if isinstance(model, DecoderModel):
            model.decoder.embedding.weight.mul_(3)  # as large as sqrt(d_model) makes those of a translator
        model.output.linear.weight.mul_(2)  # some tokens almost sure, others a matter of taste
        model.output.linear.bias.zero_()  # GPT-2 has none
        model.output.linear.bias[PAD] = -40 if isinstance(model, Transformer) else 0.0
    return model


def every_text(log_probs, max_new: int, eos: int | None) -> list[tuple[tuple[int, ...], float]]:
    """All texts that end on eos or have max_new tokens, with the sum of their log-probabilities: no search at all.

    log_probs(ids) -> a list, one number a token: how likely it is to come after the new tokens `ids`.
    """
    texts = []
    for length in range(1, max_new + 1):
        for ids in itertools.product(range(V), repeat=length):
            if eos in ids[:-1] or (length < max_new and ids[-1] != eos):
                continue
            texts.append((ids, sum(log_probs(ids[:i])[ids[i]] for i in range(length))))
    return texts
