"""GPT-NeoX (Black et al. 2022) and Pythia (Biderman et al. 2023): a pre-norm decoder whose two sublayers read the same
stream, with rotary positions on a part of each head and q, k and v stored as one matrix.
"""

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, MAX_TOKENS, MAX_VOCAB, Family, Settings, named, rotary


def _config(settings: Settings) -> tuple[Kind, TransformerConfig]:
    positions = rotary(settings, share=settings.number("rotary_pct", 0.25))
    if settings.get("rope_parameters") is None and settings.get("rope_theta") is None:
        positions["base"] = settings.number("rotary_emb_base", 10_000.0)
    has_bias = settings.flag("attention_bias", True)
    config = TransformerConfig(
        vocab_size=settings.whole("vocab_size", most=MAX_VOCAB),
        d_model=settings.whole("hidden_size"),
        n_heads=settings.whole("num_attention_heads"),
        d_ff=settings.whole("intermediate_size", most=1_000_000),
        n_encoder_layers=0,
        n_decoder_layers=settings.whole("num_hidden_layers", most=MAX_LAYERS),
        max_len=settings.whole("max_position_embeddings", 2048, MAX_TOKENS),
        activation=settings.activation("hidden_act", "gelu"),
        parallel=settings.flag("use_parallel_residual", True),
        qkv_bias=has_bias,
        o_bias=has_bias,
        norm_eps=settings.number("layer_norm_eps", 1e-5),
        scale_embeddings=False,
        tie_output=settings.flag("tie_word_embeddings", False),
        output_bias=False,
        **positions,
    )
    if int(config.d_k * config.rotary_share) % 2:
        raise InputError("its rotary positions turn an odd number of features of each head, which is not built here")
    return "decoder", config


GPT_NEOX = Family(
    name="GPT-NeoX",
    describe=_config,
    prefix="gpt_neox.",
    table={
        "decoder.embedding": named("embed_in"),
        "decoder.layers.{}.norm1": named("layers.{}.input_layernorm"),
        "decoder.layers.{}.self_attn.w_q": named("layers.{}.attention.query_key_value", part=0, parts=3, by_head=True),
        "decoder.layers.{}.self_attn.w_k": named("layers.{}.attention.query_key_value", part=1, parts=3, by_head=True),
        "decoder.layers.{}.self_attn.w_v": named("layers.{}.attention.query_key_value", part=2, parts=3, by_head=True),
        "decoder.layers.{}.self_attn.w_o": named("layers.{}.attention.dense"),
        "decoder.layers.{}.norm2": named("layers.{}.post_attention_layernorm"),
        "decoder.layers.{}.feed_forward.w_1": named("layers.{}.mlp.dense_h_to_4h"),
        "decoder.layers.{}.feed_forward.w_2": named("layers.{}.mlp.dense_4h_to_h"),
        "decoder.final_norm": named("final_layer_norm"),
        "output.linear": named("embed_out", "lm_head"),
    },
    lacking={
        "embed_out.": "this has no output head, so it predicts nothing; one with a head (…ForCausalLM) can be opened,"
        " such as EleutherAI/pythia-70m"
    },
    ignored=r"layers\.\d+\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)|rotary_emb\.inv_freq|embed_out\.weight"
    r"|lm_head\.weight|score\.weight",
)
