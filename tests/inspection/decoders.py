"""Small decoders of every make, for tests of what is asked of any of them."""

from typing import Any

import torch

from transformer import DecoderModel, TransformerConfig

MAKES = {
    "as it comes": {},
    "one key/value head": {"n_kv_heads": 1},
    "no biases": {"bias": False},
    "rotary": {"positions": "rotary"},
    "ALiBi": {"positions": "alibi"},
    "learned": {"positions": "learned", "max_len": 32},
    "its own output map": {"tie_output": False},
    "GELU, no scaling": {"activation": "gelu", "scale_embeddings": False},
    "RMSNorm and a gate": {"norm_kind": "rms", "gated": True, "activation": "silu"},
    "parallel sublayers": {"parallel": True, "head_width": 6},
    "a norm of the embeddings": {"embedding_norm": True, "output_scale": 0.3},
    "a window, and no last norm": {"window": 4, "final_norm": False},
}


def decoder(kind=DecoderModel, *, seed=1, **changes):
    """A decoder of 2 layers and 3 heads in float64, with biases that are not zero: one counted twice would show."""
    usual: dict[str, Any] = {
        "vocab_size": 12,
        "d_model": 12,
        "n_heads": 3,
        "n_encoder_layers": 2,
        "n_decoder_layers": 2,
    }
    config = TransformerConfig(**usual | changes)
    model = kind(config, torch.Generator().manual_seed(seed)).double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias"):
                parameter.uniform_(-1, 1, generator=torch.Generator().manual_seed(len(name)))
            if "norm" in name and name.endswith("weight"):
                parameter.uniform_(0.5, 1.5, generator=torch.Generator().manual_seed(len(name)))
    return model
