"""Models of Hugging Face filled with the weights of ours, to be asked for texts; and a search without shortcuts."""

import itertools
from typing import Any, TypeVar

import torch
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel, MarianConfig, MarianMTModel

from tests.transformer.oracles import Module, rng, shaken
from transformer.attention import MultiHeadAttention
from transformer.config import TransformerConfig
from transformer.layers import DecoderLayer
from transformer.model import DecoderModel, Transformer

V, BOS, EOS, PAD = 14, 1, 2, 0
_SETTINGS: dict[str, Any] = {
    "vocab_size": V, "d_model": 16, "n_heads": 4, "d_ff": 24, "activation": "gelu", "tie_output": False,
}  # fmt: skip
_EAGER: dict[str, Any] = {"attn_implementation": "eager"}  # the signatures of Hugging Face's configs leave it out
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


def gpt2(ours: DecoderModel) -> GPT2LMHeadModel:
    c = ours.config
    theirs = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=c.vocab_size, n_positions=c.max_len, n_embd=c.d_model, n_layer=c.n_decoder_layers,
            n_head=c.n_heads, n_inner=c.d_ff, activation_function="gelu", layer_norm_epsilon=c.norm_eps,
            bos_token_id=BOS, eos_token_id=EOS, pad_token_id=PAD, tie_word_embeddings=False,
            **_EAGER,
        )
    )  # fmt: skip
    stack = ours.decoder
    state: dict[str, Any] = {
        "transformer.wte.weight": stack.embedding.weight,
        "lm_head.weight": ours.output.linear.weight,
        "transformer.wpe.weight": stack.positions.weight,
        "transformer.ln_f.weight": stack.final_norm.weight,
        "transformer.ln_f.bias": stack.final_norm.bias,
    }
    for i, layer in enumerate(stack.layers):
        attn, name = layer.self_attn, f"transformer.h.{i}"
        maps = (attn.w_q, attn.w_k, attn.w_v)
        state |= {
            f"{name}.attn.c_attn.weight": torch.cat([m.weight for m in maps]).T,
            f"{name}.attn.c_attn.bias": torch.cat([m.bias for m in maps]),
        }
        for part, ours_map in (
            ("attn.c_proj", attn.w_o),
            ("mlp.c_fc", layer.feed_forward.w_1),
            ("mlp.c_proj", layer.feed_forward.w_2),
        ):
            state |= {f"{name}.{part}.weight": ours_map.weight.T, f"{name}.{part}.bias": ours_map.bias}
        for part, norm in (("ln_1", layer.norm1), ("ln_2", layer.norm2)):
            state |= {f"{name}.{part}.weight": norm.weight, f"{name}.{part}.bias": norm.bias}
    return _filled(theirs, state, stack.embedding.weight.dtype)


def marian(ours: Transformer) -> MarianMTModel:
    c = ours.config
    theirs = MarianMTModel(
        MarianConfig(
            vocab_size=c.vocab_size, d_model=c.d_model, max_position_embeddings=64, scale_embedding=True,
            encoder_layers=c.n_encoder_layers, decoder_layers=c.n_decoder_layers, activation_function=c.activation,
            encoder_attention_heads=c.n_heads, decoder_attention_heads=c.n_heads, encoder_ffn_dim=c.d_ff,
            decoder_ffn_dim=c.d_ff, share_encoder_decoder_embeddings=True, decoder_start_token_id=BOS,
            eos_token_id=EOS, pad_token_id=PAD, bos_token_id=BOS, forced_eos_token_id=None,
            tie_word_embeddings=False,
            **_EAGER,
        )
    )  # fmt: skip
    weight = ours.decoder.embedding.weight
    state: dict[str, Any] = {"model.shared.weight": weight, "lm_head.weight": ours.output.linear.weight}
    state["final_logits_bias"] = ours.output.linear.bias[None]
    state |= {f"model.{side}.embed_tokens.weight": weight for side in ("encoder", "decoder")}
    for side, stack in (("encoder", ours.encoder), ("decoder", ours.decoder)):
        # Theirs puts all sines before all cosines; ours is the table of the paper.
        state[f"model.{side}.embed_positions.weight"] = stack.positions.rows(0, 64)
        for i, layer in enumerate(stack.layers):
            name = f"model.{side}.layers.{i}"
            parts = {"fc1": layer.feed_forward.w_1, "fc2": layer.feed_forward.w_2, "self_attn_layer_norm": layer.norm1}
            parts |= _marian_attention("self_attn", layer.self_attn)
            if isinstance(layer, DecoderLayer):
                parts |= _marian_attention("encoder_attn", layer.cross_attn)
                parts |= {"encoder_attn_layer_norm": layer.norm2, "final_layer_norm": layer.norm3}
            else:
                parts |= {"final_layer_norm": layer.norm2}
            for part, module in parts.items():
                state |= {f"{name}.{part}.weight": module.weight, f"{name}.{part}.bias": module.bias}
    return _filled(theirs, state, weight.dtype)


def _marian_attention(name: str, ours: MultiHeadAttention) -> dict[str, nn.Module]:
    maps = {"q_proj": ours.w_q, "k_proj": ours.w_k, "v_proj": ours.w_v, "out_proj": ours.w_o}
    return {f"{name}.{part}": module for part, module in maps.items()}


def _filled(theirs: Module, state: dict[str, torch.Tensor], dtype: torch.dtype) -> Module:
    missing, unexpected = theirs.to(dtype).load_state_dict(state, strict=False)
    assert unexpected == []
    assert missing == []
    return theirs.eval()


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
