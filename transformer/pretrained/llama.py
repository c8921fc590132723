"""Llama (Touvron et al. 2023) and what is built like it: SmolLM, Mistral, Qwen2 and Qwen3. Pre-norm decoders with
RMSNorm, rotary positions, SwiGLU, and key/value heads that groups of query heads share; they differ in biases and
windows, and in the norms of q and k that Qwen3 has in each head.
"""

from collections.abc import Mapping
from typing import Any

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, MAX_TOKENS, MAX_VOCAB, Family, Settings, named, rotary


def _decoder(settings: Settings, **more: Any) -> tuple[Kind, TransformerConfig]:
    """What all of them have in common."""
    H = settings.whole("num_attention_heads")
    fields: dict[str, Any] = {
        "vocab_size": settings.whole("vocab_size", most=MAX_VOCAB),
        "d_model": settings.whole("hidden_size"),
        "n_heads": H,
        "n_kv_heads": settings.whole("num_key_value_heads", H),
        "head_width": None if settings.get("head_dim") is None else settings.whole("head_dim"),
        "d_ff": settings.whole("intermediate_size", most=1_000_000),
        "n_encoder_layers": 0,
        "n_decoder_layers": settings.whole("num_hidden_layers", most=MAX_LAYERS),
        "max_len": settings.whole("max_position_embeddings", most=MAX_TOKENS),
        "activation": settings.activation("hidden_act", "silu"),
        "gated": True,
        "norm_kind": "rms",
        "norm_eps": settings.number("rms_norm_eps", 1e-6),
        "scale_embeddings": False,
        "tie_output": settings.flag("tie_word_embeddings", False),
        "output_bias": False,
    }
    return "decoder", TransformerConfig(**fields | rotary(settings) | more)


def _llama(settings: Settings) -> tuple[Kind, TransformerConfig]:
    has_bias = settings.flag("attention_bias", False)
    ff_bias = settings.flag("mlp_bias", False)
    return _decoder(settings, qkv_bias=has_bias, o_bias=has_bias, ff_bias=ff_bias)


def _mistral(settings: Settings) -> tuple[Kind, TransformerConfig]:
    window = _window(settings) if settings.get("sliding_window") is not None else None
    return _decoder(settings, bias=False, window=window)


def _qwen2(settings: Settings) -> tuple[Kind, TransformerConfig]:
    return _decoder(settings, bias=False, qkv_bias=True, **_windows(settings))


def _qwen3(settings: Settings) -> tuple[Kind, TransformerConfig]:
    has_bias = settings.flag("attention_bias", False)
    return _decoder(
        settings,
        bias=False,
        qkv_bias=has_bias,
        o_bias=has_bias,
        head_width=settings.whole("head_dim", 128),
        head_norm=True,
        **_windows(settings),
    )


def _windows(settings: Settings) -> Mapping[str, Any]:
    if not settings.flag("use_sliding_window", False):
        return {}
    n_layers = settings.whole("num_hidden_layers", most=MAX_LAYERS)
    return {"window": _window(settings), "window_layers": _window_layers(settings, n_layers)}


def _window(settings: Settings) -> int:
    return settings.whole("sliding_window", 4096, MAX_TOKENS)


def _window_layers(settings: Settings, n_layers: int) -> tuple[int, ...]:
    """The layers with a window: those that are named, or all from max_window_layers on."""
    types = settings.get("layer_types")
    if types is None:
        return tuple(range(settings.whole("max_window_layers", 28), n_layers))
    if not isinstance(types, list) or any(name not in ("full_attention", "sliding_attention") for name in types):
        raise InputError("the model's config.json has layer_types that are not built here")
    return tuple(i for i, name in enumerate(types) if name == "sliding_attention")


_TABLE = {
    "decoder.embedding": named("embed_tokens"),
    "decoder.layers.{}.norm1": named("layers.{}.input_layernorm"),
    "decoder.layers.{}.self_attn.w_q": named("layers.{}.self_attn.q_proj"),
    "decoder.layers.{}.self_attn.w_k": named("layers.{}.self_attn.k_proj"),
    "decoder.layers.{}.self_attn.norm_q": named("layers.{}.self_attn.q_norm"),
    "decoder.layers.{}.self_attn.norm_k": named("layers.{}.self_attn.k_norm"),
    "decoder.layers.{}.self_attn.w_v": named("layers.{}.self_attn.v_proj"),
    "decoder.layers.{}.self_attn.w_o": named("layers.{}.self_attn.o_proj"),
    "decoder.layers.{}.norm2": named("layers.{}.post_attention_layernorm"),
    "decoder.layers.{}.feed_forward.w_1": named("layers.{}.mlp.gate_proj"),
    "decoder.layers.{}.feed_forward.w_3": named("layers.{}.mlp.up_proj"),
    "decoder.layers.{}.feed_forward.w_2": named("layers.{}.mlp.down_proj"),
    "decoder.final_norm": named("norm"),
    "output.linear": named("lm_head"),
}
_IGNORED = r"layers\.\d+\.self_attn\.rotary_emb\.inv_freq|rotary_emb\.inv_freq|lm_head\.weight|score\.weight"

_LACKING = {
    "lm_head.": "this has no output head, so it predicts nothing; one with a head (…ForCausalLM) can be opened, such as"
    " HuggingFaceTB/SmolLM2-135M"
}
LLAMA = Family("Llama", _llama, _TABLE, "model.", _IGNORED, lacking=_LACKING)
MISTRAL = Family("Mistral", _mistral, _TABLE, "model.", _IGNORED, lacking=_LACKING)
QWEN2 = Family("Qwen2", _qwen2, _TABLE, "model.", _IGNORED, lacking=_LACKING)
QWEN3 = Family("Qwen3", _qwen3, _TABLE, "model.", _IGNORED, lacking=_LACKING)
