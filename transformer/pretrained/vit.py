"""ViT (Dosovitskiy et al. 2021) and DeiT (Touvron et al. 2021): a pre-norm encoder that reads an image as a text of
patches. Its logits are those of the classes, and what counts is the row of the class token.
"""

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.pretrained.family import MAX_LAYERS, Family, Settings, named

_ONE_HEAD = "of image models, ViT and DeiT with one output head can be opened, such as facebook/deit-tiny-patch16-224"


def _config(settings: Settings) -> tuple[Kind, TransformerConfig]:
    if settings.was_made_for("ForImageClassificationWithTeacher"):
        raise InputError(
            "it is a DeiT with two output heads, one of which learned from a teacher; it answers with the mean of both,"
            f" which is not built here; {_ONE_HEAD}"
        )
    if not settings.was_made_for("ForImageClassification"):
        raise InputError(f"it does not name what an image shows; {_ONE_HEAD}")
    side, patch = settings.whole("image_size", 224, 4096), settings.whole("patch_size", 16, 4096)
    is_distilled = settings.get("model_type") == "deit"
    config = TransformerConfig(
        vocab_size=_n_classes(settings),
        d_model=settings.whole("hidden_size", 768),
        n_heads=settings.whole("num_attention_heads", 12),
        d_ff=settings.whole("intermediate_size", 3072, 1_000_000),
        n_encoder_layers=settings.whole("num_hidden_layers", 12, MAX_LAYERS),
        n_decoder_layers=0,
        image_size=side,
        patch_size=patch,
        n_channels=settings.whole("num_channels", 3, 1024),
        distilled=is_distilled,
        positions="learned",
        max_len=(side // max(1, patch)) ** 2 + 1 + is_distilled,
        activation=settings.activation("hidden_act", "gelu"),
        qkv_bias=settings.flag("qkv_bias", True),
        norm_eps=settings.number("layer_norm_eps", 1e-12),
        scale_embeddings=False,
        tie_output=False,
    )
    return "encoder", config


def _n_classes(settings: Settings) -> int:
    labels = settings.get("id2label")
    return len(labels) if isinstance(labels, dict) else settings.whole("num_labels", 2, 4_000_000)


_LAYER = "encoder.layer.{}."
_LATER = "layers.{}."  # since version 5 of transformers, in memory; files keep the names above
VIT = Family(
    name="ViT",
    describe=_config,
    prefix="vit.",
    table={
        "encoder.embedding": named("embeddings.patch_embeddings.projection"),
        "encoder.embedding.class_token": named("embeddings.cls_token", n_ones=2),
        "encoder.embedding.distilled_token": named("embeddings.distillation_token", n_ones=2),
        "encoder.positions.weight": named("embeddings.position_embeddings", n_ones=1),
        "encoder.layers.{}.norm1": named(f"{_LAYER}layernorm_before", f"{_LATER}layernorm_before"),
        "encoder.layers.{}.self_attn.w_q": named(f"{_LAYER}attention.attention.query", f"{_LATER}attention.q_proj"),
        "encoder.layers.{}.self_attn.w_k": named(f"{_LAYER}attention.attention.key", f"{_LATER}attention.k_proj"),
        "encoder.layers.{}.self_attn.w_v": named(f"{_LAYER}attention.attention.value", f"{_LATER}attention.v_proj"),
        "encoder.layers.{}.self_attn.w_o": named(f"{_LAYER}attention.output.dense", f"{_LATER}attention.o_proj"),
        "encoder.layers.{}.norm2": named(f"{_LAYER}layernorm_after", f"{_LATER}layernorm_after"),
        "encoder.layers.{}.feed_forward.w_1": named(f"{_LAYER}intermediate.dense", f"{_LATER}mlp.fc1"),
        "encoder.layers.{}.feed_forward.w_2": named(f"{_LAYER}output.dense", f"{_LATER}mlp.fc2"),
        "encoder.final_norm": named("layernorm"),
        "output.linear": named("classifier"),
    },
    ignored=r"embeddings\.mask_token|pooler\..*",
)
DEIT = Family("DeiT", VIT.describe, VIT.table, "deit.", VIT.ignored)
