"""Parameters counted from a configuration are those of the model that is built from it."""

from typing import Any

import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.inspection.sizes import GPT2, GPT3, decoder_size
from transformer.training import shipped

SMALL: dict[str, Any] = {"vocab_size": 50, "d_model": 16, "n_heads": 4, "n_decoder_layers": 2, "max_len": 20}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"positions": "learned"},
        {"positions": "relative"},
        {"n_kv_heads": 2},
        {"head_width": 8},
        {"gated": True, "activation": "silu"},
        {"gated": True, "bias": False},
        {"norm": "post"},
        {"norm_kind": "rms"},
        {"norm_bias": False},
        {"bias": False},
        {"ff_bias": False},
        {"tie_output": False},
        {"embedding_norm": True},
        {"norm_kind": "none"},
        {"head_norm": True},
        {"has_feed_forward": False},
        {"n_experts": 3, "top_k": 2, "gated": True},
    ],
    ids=str,
)
def test_it_counts_what_is_there(more: dict):
    config = TransformerConfig(**{**SMALL, **more})
    model = DecoderModel(config)
    size = decoder_size(config)
    assert size.total == sum(p.numel() for p in model.parameters())
    assert size.attention == sum(p.numel() for name, p in model.named_parameters() if "attn" in name)
    assert size.feed_forward == sum(p.numel() for name, p in model.named_parameters() if "feed_forward" in name)


def test_published_models_have_the_sizes_that_were_published():
    assert decoder_size(GPT2).total == 124_439_808
    assert round(decoder_size(GPT3).total / 1e9) == 175
    with torch.device("meta"):  # shapes without memory
        assert sum(p.numel() for p in DecoderModel(GPT2).parameters()) == decoder_size(GPT2).total


def test_our_model_is_counted_as_it_ships():
    model = shipped.load("stories").model()
    assert decoder_size(model.config).total == sum(p.numel() for p in model.parameters()) == 851_072
