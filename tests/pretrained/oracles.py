"""Tiny random models of `transformers`, saved as published ones are, and the same weights in our own classes."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import torch
import transformers as hf
from safetensors.torch import load_file

from tests.transformer.oracles import rng
from transformer.core.model import Model
from transformer.pretrained import convert

V, PAD = 40, 1  # RoBERTa counts positions from the id of its padding


hf.utils.logging.disable_progress_bar()


class Twins(NamedTuple):
    """One model twice: theirs, ours, and the files that it was read from."""

    theirs: Any
    ours: Model
    settings: dict[str, Any]
    tensors: dict[str, torch.Tensor]


Maker = Callable[[], hf.PreTrainedModel]
_SPECIAL: dict[str, Any] = {"pad_token_id": PAD, "bos_token_id": 0, "eos_token_id": 2}
_BERT: dict[str, Any] = {
    "vocab_size": V,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 37,
    "max_position_embeddings": 30,
    **_SPECIAL,
}
_GPT2: dict[str, Any] = {"vocab_size": V, "n_embd": 24, "n_layer": 3, "n_head": 4, "n_positions": 30, **_SPECIAL}
_LLAMA: dict[str, Any] = {**_BERT, "num_key_value_heads": 2, "max_position_embeddings": 64}
_NEOX: dict[str, Any] = {
    **_BERT,
    "max_position_embeddings": 64,
    "hidden_size": 32,
}  # a quarter of a head of 8 is one pair
_T5: dict[str, Any] = {
    "vocab_size": V,
    "d_model": 24,
    "d_kv": 5,
    "d_ff": 37,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "num_heads": 4,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 12,
    "decoder_start_token_id": PAD,
    **_SPECIAL,
}
_BART: dict[str, Any] = {
    "vocab_size": V,
    "d_model": 24,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 37,
    "decoder_ffn_dim": 37,
    "max_position_embeddings": 30,
    "decoder_start_token_id": 2,
    **_SPECIAL,
}


def _rope(kind: str, **more: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 500.0, **more}}


_LLAMA3 = _rope("llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)
_YARN = _rope("yarn", factor=4.0, original_max_position_embeddings=300)
_WHOLE: dict[str, Any] = {**_LLAMA, "head_dim": 8, **_rope("default", partial_rotary_factor=0.5)}

ENCODERS: dict[str, Maker] = {
    "bert": lambda: hf.BertForMaskedLM(hf.BertConfig(**_BERT)),
    "bert tanh, 3 segments": lambda: hf.BertForMaskedLM(
        hf.BertConfig(**_BERT | {"hidden_act": "gelu_new", "type_vocab_size": 3})
    ),
    "bert with two heads": lambda: hf.BertForPreTraining(hf.BertConfig(**_BERT)),
    "bert, one head, relu": lambda: hf.BertForMaskedLM(
        hf.BertConfig(**_BERT | {"num_attention_heads": 1, "hidden_size": 7, "hidden_act": "relu"})
    ),
    "bert untied": lambda: hf.BertForMaskedLM(hf.BertConfig(**_BERT, tie_word_embeddings=False)),
    "roberta untied": lambda: hf.RobertaForMaskedLM(
        hf.RobertaConfig(**_BERT | {"type_vocab_size": 1}, tie_word_embeddings=False)
    ),
    "distilbert untied": lambda: hf.DistilBertForMaskedLM(
        hf.DistilBertConfig(
            vocab_size=V,
            dim=24,
            n_layers=3,
            n_heads=4,
            hidden_dim=37,
            max_position_embeddings=30,
            tie_word_embeddings=False,
        )
    ),
    "distilbert": lambda: hf.DistilBertForMaskedLM(
        hf.DistilBertConfig(vocab_size=V, dim=24, n_layers=3, n_heads=4, hidden_dim=37, max_position_embeddings=30)
    ),
    "roberta": lambda: hf.RobertaForMaskedLM(hf.RobertaConfig(**_BERT | {"type_vocab_size": 1})),
    "xlm-roberta": lambda: hf.XLMRobertaForMaskedLM(hf.XLMRobertaConfig(**_BERT | {"type_vocab_size": 1})),
}
BODIES: dict[str, Maker] = {
    "minilm": lambda: hf.BertModel(hf.BertConfig(**_BERT)),
    "distilbert body": lambda: hf.DistilBertModel(
        hf.DistilBertConfig(vocab_size=V, dim=24, n_layers=2, n_heads=4, hidden_dim=37, max_position_embeddings=30)
    ),
    "roberta body": lambda: hf.RobertaModel(hf.RobertaConfig(**_BERT)),
    "bert for classes": lambda: hf.BertForSequenceClassification(hf.BertConfig(**_BERT)),
}
DECODERS: dict[str, Maker] = {
    "gpt2": lambda: hf.GPT2LMHeadModel(hf.GPT2Config(**_GPT2)),
    "gpt2 unscaled, wide": lambda: hf.GPT2LMHeadModel(
        hf.GPT2Config(**_GPT2, scale_attn_weights=False, n_inner=29, activation_function="relu")
    ),
    "gpt2, one head": lambda: hf.GPT2LMHeadModel(hf.GPT2Config(**_GPT2 | {"n_head": 1, "n_embd": 7})),
    "llama": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(**_LLAMA)),
    "llama tied, biases": lambda: hf.LlamaForCausalLM(
        hf.LlamaConfig(**_LLAMA, tie_word_embeddings=True, attention_bias=True, mlp_bias=True)
    ),
    "llama wide heads, linear": lambda: hf.LlamaForCausalLM(
        hf.LlamaConfig(**_LLAMA, head_dim=10, **_rope("linear", factor=3.0))
    ),
    "llama multi-query, llama3": lambda: hf.LlamaForCausalLM(
        hf.LlamaConfig(**_LLAMA | {"num_key_value_heads": 1}, **_LLAMA3)
    ),
    "llama, a share that is ignored": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(**_WHOLE)),
    "mistral, a share that is ignored": lambda: hf.MistralForCausalLM(hf.MistralConfig(**_WHOLE)),
    "qwen2, a share that is ignored": lambda: hf.Qwen2ForCausalLM(hf.Qwen2Config(**_WHOLE)),
    "qwen3, a share that is ignored": lambda: hf.Qwen3ForCausalLM(hf.Qwen3Config(**_WHOLE)),
    "mistral": lambda: hf.MistralForCausalLM(hf.MistralConfig(**_LLAMA, sliding_window=None)),
    "mistral window": lambda: hf.MistralForCausalLM(hf.MistralConfig(**_LLAMA, sliding_window=3)),
    "qwen2 tied": lambda: hf.Qwen2ForCausalLM(hf.Qwen2Config(**_LLAMA, tie_word_embeddings=True)),
    "qwen2 windows by layer": lambda: hf.Qwen2ForCausalLM(
        hf.Qwen2Config(**_LLAMA, use_sliding_window=True, sliding_window=4, max_window_layers=1)
    ),
    "qwen3": lambda: hf.Qwen3ForCausalLM(hf.Qwen3Config(**_LLAMA, head_dim=6)),
    "qwen3 biases, windows by layer": lambda: hf.Qwen3ForCausalLM(
        hf.Qwen3Config(
            **_LLAMA, head_dim=10, attention_bias=True, use_sliding_window=True, sliding_window=4, max_window_layers=1
        )
    ),
    "llama yarn": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(**_LLAMA, head_dim=16, **_YARN)),
    "qwen3 yarn, gains": lambda: hf.Qwen3ForCausalLM(
        hf.Qwen3Config(
            **_LLAMA,
            head_dim=16,
            **_rope(
                "yarn",
                factor=2.5,
                beta_fast=5.0,
                beta_slow=0.5,
                mscale=1.5,
                mscale_all_dim=0.5,
                original_max_position_embeddings=40,
            ),
        )
    ),
    "neox parallel": lambda: hf.GPTNeoXForCausalLM(hf.GPTNeoXConfig(**_NEOX)),
    "neox sequential": lambda: hf.GPTNeoXForCausalLM(
        hf.GPTNeoXConfig(
            **_NEOX, use_parallel_residual=False, attention_bias=False, **_rope("default", partial_rotary_factor=0.6)
        )
    ),
    "neox tied": lambda: hf.GPTNeoXForCausalLM(
        hf.GPTNeoXConfig(**_NEOX, tie_word_embeddings=True, **_rope("default", partial_rotary_factor=1.0))
    ),
}
TRANSLATORS: dict[str, Maker] = {
    "t5": lambda: hf.T5ForConditionalGeneration(hf.T5Config(**_T5)),
    "t5 v1.1": lambda: hf.T5ForConditionalGeneration(
        hf.T5Config(**_T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False})
    ),
    "t5 gated silu": lambda: hf.T5ForConditionalGeneration(hf.T5Config(**_T5, feed_forward_proj="gated-silu")),
    "mt5": lambda: hf.MT5ForConditionalGeneration(hf.MT5Config(**_T5, feed_forward_proj="gated-gelu")),
    "bart": lambda: hf.BartForConditionalGeneration(hf.BartConfig(**_BART)),
    "bart untied": lambda: hf.BartForConditionalGeneration(hf.BartConfig(**_BART, tie_word_embeddings=False)),
    "bart scaled": lambda: hf.BartForConditionalGeneration(
        hf.BartConfig(**_BART, scale_embedding=True, activation_function="relu")
    ),
}
_VIT: dict[str, Any] = {
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 37,
    "image_size": 12,
    "patch_size": 4,
    "num_labels": 5,
}
IMAGES: dict[str, Maker] = {
    "vit": lambda: hf.ViTForImageClassification(hf.ViTConfig(**_VIT)),
    "vit grey, no biases": lambda: hf.ViTForImageClassification(
        hf.ViTConfig(**_VIT | {"num_channels": 1, "qkv_bias": False, "patch_size": 6})
    ),
    "deit": lambda: hf.DeiTForImageClassification(hf.DeiTConfig(**_VIT)),
}
MAKERS = ENCODERS | BODIES | DECODERS | TRANSLATORS | IMAGES


def shake(model: torch.nn.Module, seed: int = 0) -> None:
    """Draw every parameter anew, so that no bias stays 0, no norm the identity and no distribution flat."""
    generator = rng(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=generator) * (0.1 if p.dim() == 1 else 0.25))
            if p.dim() == 1 and name.endswith("weight"):
                p.add_(1.0)
        for name, buffer in model.named_buffers():
            if name == "final_logits_bias":
                buffer.copy_(torch.randn(buffer.shape, generator=generator))


def files(model: hf.PreTrainedModel) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """What save_pretrained writes: config.json and the tensors."""
    with TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        settings = json.loads((Path(folder) / "config.json").read_text())
        return settings, load_file(Path(folder) / "model.safetensors")


@cache
def twins(name: str) -> Twins:
    """The model of this name, theirs and ours. Nobody may change them."""
    theirs = MAKERS[name]()
    theirs.set_attn_implementation("eager")
    shake(theirs)
    settings, tensors = files(theirs.eval())
    return Twins(theirs, convert.to_model(settings, tensors), settings, tensors)


def shapes(tensors: Mapping[str, torch.Tensor]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}
