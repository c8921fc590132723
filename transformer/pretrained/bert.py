"""BERT (Devlin et al. 2019) and what is built like it: MiniLM, DistilBERT, RoBERTa. Post-norm encoders with learned
positions and a norm after the embeddings; those with a masked-token head have logits of their own.
"""

from dataclasses import replace
from typing import Any

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, MAX_TOKENS, MAX_VOCAB, Family, Settings, named


def _encoder(settings: Settings, **sizes: Any) -> tuple[Kind, TransformerConfig]:
    """What all of them have in common. Without a masked-token head the model was never made to predict tokens."""
    has_head = settings.was_made_for("MaskedLM", "PreTraining")
    is_tied = settings.flag("tie_word_embeddings", True) or not has_head
    return "encoder", TransformerConfig(
        vocab_size=settings.whole("vocab_size", most=MAX_VOCAB),
        n_decoder_layers=0,
        positions="learned",
        norm="post",
        embedding_norm=True,
        scale_embeddings=False,
        tie_output=is_tied,
        output_transform=has_head,
        output_bias=has_head,
        predicts=has_head,
        **sizes,
    )


def _bert(settings: Settings) -> tuple[Kind, TransformerConfig]:
    settings.refuse("is_decoder", default=False)
    settings.refuse("position_embedding_type", default="absolute")
    return _encoder(
        settings,
        d_model=settings.whole("hidden_size"),
        n_heads=settings.whole("num_attention_heads"),
        d_ff=settings.whole("intermediate_size", most=1_000_000),
        n_encoder_layers=settings.whole("num_hidden_layers", most=MAX_LAYERS),
        max_len=settings.whole("max_position_embeddings", most=MAX_TOKENS),
        n_segments=settings.whole("type_vocab_size", 2),
        activation=settings.activation("hidden_act", "gelu"),
        norm_eps=settings.number("layer_norm_eps", 1e-12),
    )


def _roberta(settings: Settings) -> tuple[Kind, TransformerConfig]:
    kind, config = _bert(settings)
    if config.output_transform and config.activation != "gelu":
        settings.refuse("hidden_act", default="gelu")  # the head has GELU in any case
    # The first rows of its table are those of padding: positions are counted from there.
    offset = settings.whole("pad_token_id", 1, MAX_TOKENS) + 1
    if config.max_len <= offset:
        raise InputError(
            f"the model's config.json has max_position_embeddings={config.max_len}, and the first {offset} are not for"
            f" tokens, as pad_token_id={offset - 1} says"
        )
    return kind, replace(config, position_offset=offset, max_len=config.max_len - offset)


def _distilbert(settings: Settings) -> tuple[Kind, TransformerConfig]:
    return _encoder(
        settings,
        d_model=settings.whole("dim", 768),
        n_heads=settings.whole("n_heads", 12),
        d_ff=settings.whole("hidden_dim", 4 * 768, most=1_000_000),
        n_encoder_layers=settings.whole("n_layers", 6, MAX_LAYERS),
        max_len=settings.whole("max_position_embeddings", 512, MAX_TOKENS),
        activation=settings.activation("activation", "gelu"),
        norm_eps=1e-12,
    )


_BODY = {
    "encoder.embedding": named("embeddings.word_embeddings"),
    "encoder.positions": named("embeddings.position_embeddings"),
    "encoder.segments": named("embeddings.token_type_embeddings"),
    "encoder.embedding_norm": named("embeddings.LayerNorm"),
    "encoder.layers.{}.self_attn.w_q": named("encoder.layer.{}.attention.self.query"),
    "encoder.layers.{}.self_attn.w_k": named("encoder.layer.{}.attention.self.key"),
    "encoder.layers.{}.self_attn.w_v": named("encoder.layer.{}.attention.self.value"),
    "encoder.layers.{}.self_attn.w_o": named("encoder.layer.{}.attention.output.dense"),
    "encoder.layers.{}.norm1": named("encoder.layer.{}.attention.output.LayerNorm"),
    "encoder.layers.{}.feed_forward.w_1": named("encoder.layer.{}.intermediate.dense"),
    "encoder.layers.{}.feed_forward.w_2": named("encoder.layer.{}.output.dense"),
    "encoder.layers.{}.norm2": named("encoder.layer.{}.output.LayerNorm"),
}
_OTHER_TASKS = r"embeddings\.(position_ids|token_type_ids)|pooler\..*|classifier\..*|qa_outputs\..*"

BERT = Family(
    name="BERT",
    describe=_bert,
    prefix="bert.",
    table=_BODY
    | {
        "output.transform.linear": named("cls.predictions.transform.dense"),
        "output.transform.norm": named("cls.predictions.transform.LayerNorm"),
        "output.linear.weight": named("cls.predictions.decoder.weight"),
        "output.linear.bias": named("cls.predictions.decoder.bias", "cls.predictions.bias"),  # of its own, if untied
        "output.bias": named("cls.predictions.bias", "cls.predictions.decoder.bias"),
    },
    ignored=rf"cls\..*|{_OTHER_TASKS}",
)

ROBERTA = Family(
    name="RoBERTa",
    describe=_roberta,
    prefix="roberta.",
    table=_BODY
    | {
        "output.transform.linear": named("lm_head.dense"),
        "output.transform.norm": named("lm_head.layer_norm"),
        "output.linear.weight": named("lm_head.decoder.weight"),
        "output.linear.bias": named("lm_head.decoder.bias", "lm_head.bias"),
        "output.bias": named("lm_head.bias", "lm_head.decoder.bias"),
    },
    ignored=rf"lm_head\..*|{_OTHER_TASKS}",
)

DISTILBERT = Family(
    name="DistilBERT",
    describe=_distilbert,
    prefix="distilbert.",
    table={
        "encoder.embedding": named("embeddings.word_embeddings"),
        "encoder.positions": named("embeddings.position_embeddings"),
        "encoder.embedding_norm": named("embeddings.LayerNorm"),
        "encoder.layers.{}.self_attn.w_q": named("transformer.layer.{}.attention.q_lin"),
        "encoder.layers.{}.self_attn.w_k": named("transformer.layer.{}.attention.k_lin"),
        "encoder.layers.{}.self_attn.w_v": named("transformer.layer.{}.attention.v_lin"),
        "encoder.layers.{}.self_attn.w_o": named("transformer.layer.{}.attention.out_lin"),
        "encoder.layers.{}.norm1": named("transformer.layer.{}.sa_layer_norm"),
        "encoder.layers.{}.feed_forward.w_1": named("transformer.layer.{}.ffn.lin1"),
        "encoder.layers.{}.feed_forward.w_2": named("transformer.layer.{}.ffn.lin2"),
        "encoder.layers.{}.norm2": named("transformer.layer.{}.output_layer_norm"),
        "output.transform.linear": named("vocab_transform"),
        "output.transform.norm": named("vocab_layer_norm"),
        "output.linear": named("vocab_projector"),
        "output": named("vocab_projector"),
    },
    ignored=rf"vocab_.*|pre_classifier\..*|{_OTHER_TASKS}",
)
