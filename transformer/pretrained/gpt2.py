"""GPT-2 (Radford et al. 2019) and DistilGPT-2: a pre-norm decoder with learned positions and a tied output."""

from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, MAX_TOKENS, MAX_VOCAB, Family, Settings, named


def _config(settings: Settings) -> tuple[Kind, TransformerConfig]:
    settings.refuse("scale_attn_by_inverse_layer_idx", default=False)
    settings.refuse("add_cross_attention", default=False)
    D = settings.whole("n_embd", 768)
    return "decoder", TransformerConfig(
        vocab_size=settings.whole("vocab_size", 50_257, MAX_VOCAB),
        d_model=D,
        n_heads=settings.whole("n_head", 12),
        d_ff=settings.whole("n_inner", 4 * D, 1_000_000),
        n_encoder_layers=0,
        n_decoder_layers=settings.whole("n_layer", 12, MAX_LAYERS),
        positions="learned",
        max_len=settings.whole("n_positions", 1024, MAX_TOKENS),
        activation=settings.activation("activation_function", "gelu_new"),
        scaled=settings.flag("scale_attn_weights", True),
        scale_embeddings=False,
        tie_output=settings.flag("tie_word_embeddings", True),
        output_bias=False,
        norm_eps=settings.number("layer_norm_epsilon", 1e-5),
    )


GPT2 = Family(
    name="GPT-2",
    describe=_config,
    prefix="transformer.",
    table={
        "decoder.embedding": named("wte"),
        "decoder.positions": named("wpe"),
        "decoder.layers.{}.norm1": named("h.{}.ln_1"),
        "decoder.layers.{}.self_attn.w_q": named("h.{}.attn.c_attn", transposed=True, part=0, parts=3),
        "decoder.layers.{}.self_attn.w_k": named("h.{}.attn.c_attn", transposed=True, part=1, parts=3),
        "decoder.layers.{}.self_attn.w_v": named("h.{}.attn.c_attn", transposed=True, part=2, parts=3),
        "decoder.layers.{}.self_attn.w_o": named("h.{}.attn.c_proj", transposed=True),
        "decoder.layers.{}.norm2": named("h.{}.ln_2"),
        "decoder.layers.{}.feed_forward.w_1": named("h.{}.mlp.c_fc", transposed=True),
        "decoder.layers.{}.feed_forward.w_2": named("h.{}.mlp.c_proj", transposed=True),
        "decoder.final_norm": named("ln_f"),
        "output.linear": named("lm_head"),
    },
    ignored=r"h\.\d+\.attn\.(bias|masked_bias)|lm_head\.weight|score\.weight|multiple_choice_head\..*",
)
