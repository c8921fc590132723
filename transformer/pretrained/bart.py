"""BART (Lewis et al. 2020): a post-norm encoder-decoder with learned positions and a norm after the embeddings."""

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, MAX_TOKENS, MAX_VOCAB, Family, Settings, Table, named

_OFFSET = 2  # the rows of its position tables before the first token's


def _config(settings: Settings) -> tuple[Kind, TransformerConfig]:
    for size in ("attention_heads", "ffn_dim"):
        if settings.get(f"encoder_{size}") != settings.get(f"decoder_{size}"):
            raise InputError(f"its encoder and decoder differ in {size}, which is not built here")
    # Versions before the first release could have other norms and positions.
    for name, default in {
        "normalize_before": False,
        "normalize_embedding": True,
        "add_final_layer_norm": False,
        "static_position_embeddings": False,
        "add_bias_logits": False,
    }.items():
        settings.refuse(name, default)
    is_tied = settings.flag("tie_word_embeddings", True)
    return "encoder-decoder", TransformerConfig(
        vocab_size=settings.whole("vocab_size", 50_265, MAX_VOCAB),
        d_model=settings.whole("d_model", 1024),
        n_heads=settings.whole("encoder_attention_heads", 16),
        d_ff=settings.whole("encoder_ffn_dim", 4096, 1_000_000),
        n_encoder_layers=settings.whole("encoder_layers", 12, MAX_LAYERS),
        n_decoder_layers=settings.whole("decoder_layers", 12, MAX_LAYERS),
        positions="learned",
        position_offset=_OFFSET,
        max_len=settings.whole("max_position_embeddings", 1024, MAX_TOKENS),
        norm="post",
        embedding_norm=True,
        activation=settings.activation("activation_function", "gelu"),
        scale_embeddings=settings.flag("scale_embedding", False),
        tie_source=is_tied,
        tie_output=is_tied,
        output_bias=True,
    )


def _stack(kind: str) -> Table:
    return {
        f"{kind}.positions": named(f"{kind}.embed_positions"),
        f"{kind}.embedding_norm": named(f"{kind}.layernorm_embedding"),
        **_attention(f"{kind}.layers.{{}}.self_attn", f"{kind}.layers.{{}}.self_attn"),
        f"{kind}.layers.{{}}.norm1": named(f"{kind}.layers.{{}}.self_attn_layer_norm"),
        f"{kind}.layers.{{}}.feed_forward.w_1": named(f"{kind}.layers.{{}}.fc1"),
        f"{kind}.layers.{{}}.feed_forward.w_2": named(f"{kind}.layers.{{}}.fc2"),
    }


def _attention(ours: str, theirs: str) -> Table:
    maps = {"w_q": "q_proj", "w_k": "k_proj", "w_v": "v_proj", "w_o": "out_proj"}
    return {f"{ours}.{name}": named(f"{theirs}.{other}") for name, other in maps.items()}


BART = Family(
    name="BART",
    describe=_config,
    prefix="model.",
    start="eos",
    table={
        "encoder.embedding": named("shared", "encoder.embed_tokens", "decoder.embed_tokens"),
        **_stack("encoder"),
        "encoder.layers.{}.norm2": named("encoder.layers.{}.final_layer_norm"),
        **_stack("decoder"),
        **_attention("decoder.layers.{}.cross_attn", "decoder.layers.{}.encoder_attn"),
        "decoder.layers.{}.norm2": named("decoder.layers.{}.encoder_attn_layer_norm"),
        "decoder.layers.{}.norm3": named("decoder.layers.{}.final_layer_norm"),
        "output.linear.weight": named("lm_head.weight"),
        "output.linear.bias": named("final_logits_bias", n_ones=1, optional=True),
        "output.bias": named("final_logits_bias", n_ones=1, optional=True),
    },
    untied={
        "encoder.embedding": named("encoder.embed_tokens", "shared"),
        "decoder.embedding": named("decoder.embed_tokens", "shared"),
    },
    ignored=r"shared\.weight|(en|de)coder\.embed_tokens\.weight|lm_head\.weight|classification_head\..*|qa_outputs\..*",
)
