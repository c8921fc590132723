"""T5 (Raffel et al. 2020), its version 1.1 and mT5: pre-norm encoder-decoders with RMSNorm, one relative bias per stack
in place of positions, scores that are not divided by sqrt(d_k), and no bias in any linear map.
"""

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, MAX_TOKENS, MAX_VOCAB, Family, Settings, named


def _config(settings: Settings) -> tuple[Kind, TransformerConfig]:
    D, L = settings.whole("d_model", 512), settings.whole("num_layers", 6, MAX_LAYERS)
    gate, _, activation = str(settings.get("feed_forward_proj", "relu")).rpartition("-")
    if gate not in ("", "gated"):
        raise InputError(f"the model's config.json has feed_forward_proj={gate}-{activation}, which is not built here")
    if gate and activation == "gelu":
        activation = "gelu_new"  # what version 1.1 calls GELU is its tanh form
    # The first version ties its output and scales the stream down before it; those after it have a map of their own.
    is_first = settings.flag("scale_decoder_outputs", settings.flag("tie_word_embeddings", True))
    is_first = is_first and settings.get("model_type") != "mt5"
    return "encoder-decoder", TransformerConfig(
        vocab_size=settings.whole("vocab_size", 32_128, MAX_VOCAB),
        d_model=D,
        n_heads=settings.whole("num_heads", 8),
        head_width=settings.whole("d_kv", 64),
        d_ff=settings.whole("d_ff", 2048, 1_000_000),
        n_encoder_layers=L,
        n_decoder_layers=settings.whole("num_decoder_layers", L, MAX_LAYERS),
        positions="relative",
        n_buckets=settings.whole("relative_attention_num_buckets", 32),
        max_distance=settings.whole("relative_attention_max_distance", 128, MAX_TOKENS),
        max_len=settings.whole("n_positions", 512, MAX_TOKENS),
        activation=Settings({"feed_forward_proj": activation}).activation("feed_forward_proj", "relu"),
        gated=bool(gate),
        bias=False,
        norm_kind="rms",
        norm_eps=settings.number("layer_norm_epsilon", 1e-6),
        scaled=False,
        scale_embeddings=False,
        tie_source=True,
        tie_output=is_first,
        output_bias=False,
        output_scale=D**-0.5 if is_first else 1.0,
    )


def _attention(ours: str, theirs: str) -> dict:
    return {f"{ours}.w_{letter}": named(f"{theirs}.{letter}") for letter in "qkvo"}


def _feed_forward(ours: str, theirs: str) -> dict:
    dense = f"{theirs}.DenseReluDense"
    return {
        f"{ours}.w_1": named(f"{dense}.wi_0", f"{dense}.wi"),  # with a gate, and without
        f"{ours}.w_3": named(f"{dense}.wi_1"),
        f"{ours}.w_2": named(f"{dense}.wo"),
    }


T5 = Family(
    name="T5",
    start="pad",
    describe=_config,
    table={
        "encoder.embedding": named("shared", "encoder.embed_tokens", "decoder.embed_tokens"),
        "encoder.positions": named("encoder.block.0.layer.0.SelfAttention.relative_attention_bias"),
        "encoder.layers.{}.norm1": named("encoder.block.{}.layer.0.layer_norm"),
        **_attention("encoder.layers.{}.self_attn", "encoder.block.{}.layer.0.SelfAttention"),
        "encoder.layers.{}.norm2": named("encoder.block.{}.layer.1.layer_norm"),
        **_feed_forward("encoder.layers.{}.feed_forward", "encoder.block.{}.layer.1"),
        "encoder.final_norm": named("encoder.final_layer_norm"),
        "decoder.positions": named("decoder.block.0.layer.0.SelfAttention.relative_attention_bias"),
        "decoder.layers.{}.norm1": named("decoder.block.{}.layer.0.layer_norm"),
        **_attention("decoder.layers.{}.self_attn", "decoder.block.{}.layer.0.SelfAttention"),
        "decoder.layers.{}.norm2": named("decoder.block.{}.layer.1.layer_norm"),
        **_attention("decoder.layers.{}.cross_attn", "decoder.block.{}.layer.1.EncDecAttention"),
        "decoder.layers.{}.norm3": named("decoder.block.{}.layer.2.layer_norm"),
        **_feed_forward("decoder.layers.{}.feed_forward", "decoder.block.{}.layer.2"),
        "decoder.final_norm": named("decoder.final_layer_norm"),
        "output.linear": named("lm_head", "shared"),
    },
    lacking={
        "decoder.": "this is half a T5, the encoder alone; a whole one can be opened, such as google-t5/t5-small",
        "encoder.": "this is half a T5, the decoder alone; a whole one can be opened, such as google-t5/t5-small",
    },
    # An early version gave its cross-attention a bias of positions as well, and never used it.
    ignored=r"(en|de)coder\.embed_tokens\.weight|lm_head\.weight"
    r"|decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight",
)
