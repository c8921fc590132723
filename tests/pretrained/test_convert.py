"""Settings and tensors come from strangers: what is wrong with them is named, and costs nothing."""

import re
from typing import Any

import pytest
import torch

from tests.pretrained.oracles import MAKERS, TRANSLATORS, V, shapes, twins
from tests.transformer.oracles import ids
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.model import EncoderModel
from transformer.pretrained import convert
from transformer.pretrained.family import CAN_BE_OPENED, FAMILIES, Settings, Theirs, family_of

SOME = [
    "bert",
    "minilm",
    "distilbert",
    "roberta",
    "gpt2",
    "llama",
    "qwen2 windows by layer",
    "neox parallel",
    "t5",
    "t5 v1.1",
    "bart",
    "vit",
    "deit",
]
FEW = ("bert", "gpt2", "t5")  # an encoder, a decoder, and both: a check names what is wrong in the same way everywhere
FIRST_FEW = [name if name in FEW else pytest.param(name, marks=pytest.mark.wide) for name in SOME]


@pytest.mark.parametrize("name", FIRST_FEW)
def test_every_tensor_that_is_needed_is_named_if_it_is_missing(name):
    _, _, settings, tensors = twins(name)
    family = family_of(settings)
    all_shapes = shapes(tensors)
    needed = set(all_shapes) - set(convert.check(settings, all_shapes))
    for one in needed - {"final_logits_bias"}:
        if re.search(r"\.[1-9]\d*\.", one):
            continue  # the layers after the first are like it
        rest = {other: shape for other, shape in all_shapes.items() if other != one}
        with pytest.raises(InputError, match=f"lack the tensor .*{re.escape(family.bare(one))}"):
            convert.check(settings, rest)


@pytest.mark.parametrize("name", FIRST_FEW)
def test_a_tensor_of_another_shape_is_named_with_both(name):
    _, _, settings, tensors = twins(name)
    all_shapes = shapes(tensors)
    left = convert.check(settings, all_shapes)
    for one in [one for one in tensors if one not in left and not re.search(r"\.[1-9]\d*\.", one)]:
        wrong = (*tensors[one].shape[:-1], tensors[one].shape[-1] + 1)
        sentence = f"{one} has the shape {wrong}; config.json asks for {tuple(tensors[one].shape)}"
        with pytest.raises(InputError, match=re.escape(sentence)):
            convert.check(settings, all_shapes | {one: wrong})
    with pytest.raises(InputError, match=re.escape(sentence)):
        convert.to_model(settings, tensors | {one: torch.zeros(wrong)})


@pytest.mark.parametrize("name", SOME)
def test_what_is_expected_is_what_is_saved(name):
    _, _, settings, tensors = twins(name)
    bare = family_of(settings).bare
    saved = {bare(one): shape for one, shape in shapes(tensors).items()}
    for one, shape in convert.expected(settings).items():
        if one in saved:  # or it has one of its other names there
            assert saved[one] == shape
    # And no parameter of ours is left as it was made.
    model = twins(name).ours
    assert not any(p.is_meta or not p.isfinite().all() for p in [*model.parameters(), *model.buffers()])
    assert not model.training


def test_a_tensor_without_a_place_is_named():
    _, _, settings, tensors = twins("llama")
    with pytest.raises(InputError, match=r"hold a tensor model.layers.0.self_attn.q_norm.weight, which no Llama"):
        convert.check(settings, shapes(tensors) | {"model.layers.0.self_attn.q_norm.weight": (6,)})
    with pytest.raises(InputError, match="which no Llama"):
        convert.to_model(settings, tensors | {"x" * 10_000: torch.zeros(1)})


def test_heads_for_other_tasks_are_left_out_and_listed():
    _, _, settings, tensors = twins("bert for classes")
    left = convert.check(settings, shapes(tensors))
    assert set(left) == {"classifier.weight", "classifier.bias", "bert.pooler.dense.weight", "bert.pooler.dense.bias"}
    facts = " ".join(convert.facts(settings, shapes(tensors)))
    assert "Not used here: " in facts
    assert "classifier.bias" in facts
    assert "predicts no tokens" in facts
    assert "predicts no tokens" not in " ".join(convert.facts(*_files("bert")))
    constants = shapes(tensors) | {"bert.embeddings.position_ids": (1, 30)}
    assert "bert.embeddings.position_ids" in convert.check(settings, constants)


def _files(name: str) -> tuple[dict[str, Any], dict[str, tuple[int, ...]]]:
    return twins(name).settings, shapes(twins(name).tensors)


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama", "neox parallel", "roberta", "distilbert", "bart"])
def test_names_may_come_without_the_prefix_of_the_family(name):
    _, ours, settings, tensors = twins(name)
    family = family_of(settings)
    bare = {family.bare(one): tensor for one, tensor in tensors.items()}
    assert set(bare) != set(tensors)
    for a, b in zip(ours.parameters(), convert.to_model(settings, bare).parameters(), strict=True):
        assert torch.equal(a, b)


def test_tensorflows_names_of_the_norms_are_known():
    _, ours, settings, tensors = twins("bert")
    old = {"weight": "gamma", "bias": "beta"}
    renamed = {re.sub(r"(?<=LayerNorm\.)\w+$", lambda m: old[m[0]], one): tensor for one, tensor in tensors.items()}
    assert any(name.endswith("gamma") for name in renamed)
    for a, b in zip(ours.parameters(), convert.to_model(settings, renamed).parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_later_t5_has_an_output_map_of_its_own_or_shares_its_embedding():
    for name in ("t5 v1.1", "mt5"):
        _, ours, settings, tensors = twins(name)
        own = torch.randn(V, 24)
        model = convert.to_model(settings, tensors | {"lm_head.weight": own})
        src, tgt = ids(2, 5, vocab=V), ids(2, 4, vocab=V)
        memory, _ = model.encode(src)
        x, *_ = model.decoder(tgt, memory, torch.ones(4, 4).tril().bool())
        torch.testing.assert_close(model(src, tgt).logits, x @ own.T)
        torch.testing.assert_close(ours(src, tgt).logits, x @ ours.decoder.embedding.weight.T)


@torch.no_grad()
@pytest.mark.parametrize(
    ("name", "used", "unused"),
    [
        ("bert untied", "cls.predictions.decoder.bias", "cls.predictions.bias"),
        ("bert", "cls.predictions.bias", "cls.predictions.decoder.bias"),
        ("roberta untied", "lm_head.decoder.bias", "lm_head.bias"),
        ("roberta", "lm_head.bias", "lm_head.decoder.bias"),
    ],
)
def test_of_two_biases_only_the_right_one_counts(name, used, unused):
    """The one is added to the logits, number by number; the other may be anything, or missing."""
    _, ours, settings, tensors = twins(name)
    text, nudge = ids(2, 5, vocab=V), torch.randn(V)
    for bias, moves in ((used, nudge), (unused, torch.zeros(V))):
        changed = convert.to_model(settings, {**tensors, bias: tensors.get(bias, torch.zeros(V)) + nudge})
        torch.testing.assert_close(changed(text).logits, ours(text).logits + moves)
    alone = {one: tensor for one, tensor in tensors.items() if one != used} | {unused: tensors[used]}
    torch.testing.assert_close(convert.to_model(settings, alone)(text).logits, ours(text).logits)


@torch.no_grad()
def test_an_untied_bart_has_three_tables_of_its_own_and_needs_no_fourth():
    _, ours, settings, tensors = twins("bart untied")
    src, tgt = ids(2, 5, vocab=V), ids(2, 4, vocab=V, seed=1)
    before = ours(src, tgt)
    moved = {}
    for name in ("model.encoder.embed_tokens", "model.decoder.embed_tokens", "lm_head", "model.shared"):
        nudged = tensors[f"{name}.weight"] + torch.randn(V, 24)
        after = convert.to_model(settings, {**tensors, f"{name}.weight": nudged})(src, tgt)
        moved[name] = (
            not torch.equal(after.attention.encoder[0], before.attention.encoder[0]),
            not torch.equal(after.attention.decoder[0], before.attention.decoder[0]),
            not torch.equal(after.logits, before.logits),
        )
    assert moved == {
        "model.encoder.embed_tokens": (True, False, True),
        "model.decoder.embed_tokens": (False, True, True),
        "lm_head": (False, False, True),
        "model.shared": (False, False, False),
    }
    shared = {name: t for name, t in tensors.items() if "embed_tokens" not in name}  # as older versions saved it
    assert convert.to_model(settings, shared)(src, tgt).logits.isfinite().all()


def test_weights_keep_their_precision():
    _, ours, settings, tensors = twins("llama")
    for dtype in (torch.bfloat16, torch.float64):
        model = convert.to_model(settings, {name: tensor.to(dtype) for name, tensor in tensors.items()})
        assert {t.dtype for t in [*model.parameters(), *model.buffers()]} == {dtype}
        text = ids(2, 7, vocab=V)
        tolerance = 0.3 if dtype == torch.bfloat16 else 1e-5
        torch.testing.assert_close(model(text).logits.float(), ours(text).logits, rtol=0, atol=tolerance)


def test_each_tensor_is_asked_for_once():
    class Counting(dict):
        def __getitem__(self, name: str) -> torch.Tensor:
            asked.append(name)
            return super().__getitem__(name)

    for name in ("gpt2", "minilm", "t5"):
        _, _, settings, tensors = twins(name)
        asked: list[str] = []
        convert.to_model(settings, Counting(tensors))
        assert len(asked) == len(set(asked))
        assert set(asked) == set(tensors) - set(convert.check(settings, shapes(tensors)))


# Settings


@pytest.mark.parametrize("name", ["llama wide heads, linear", "llama multi-query, llama3", "neox sequential", "llama"])
def test_rotary_settings_as_older_versions_wrote_them(name):
    settings = dict(twins(name).settings)
    new = family_of(settings).config(settings)
    given = dict(settings.pop("rope_parameters"))
    base, share = given.pop("rope_theta"), given.pop("partial_rotary_factor", None)
    if name.startswith("neox"):
        settings |= {"rotary_emb_base": base, "rotary_pct": share}
    else:
        settings |= {"rope_theta": base}
    kind = given.pop("rope_type")
    settings["rope_scaling"] = None if kind == "default" else {"type": kind, **given}
    assert family_of(settings).config(settings) == new


def test_settings_reach_the_config():
    def config(name: str) -> TransformerConfig:
        return twins(name).ours.config

    assert (config("llama").n_kv_heads, config("llama wide heads, linear").d_k) == (2, 10)
    assert (config("mistral").window, config("mistral window").window) == (None, 3)
    assert [config("qwen2 windows by layer").window_of(i) for i in range(3)] == [None, 4, 4]
    assert (config("roberta").position_offset, config("roberta").max_len) == (2, 28)
    assert config("minilm").n_segments == 2
    assert config("neox parallel").parallel
    assert not config("neox sequential").parallel
    for name in TRANSLATORS:
        assert config(name).tie_source == (name != "bart untied")


WRONG = [
    (
        "bert",
        {"model_type": "deberta"},
        "the model is of the type 'deberta', which cannot be opened here; these can: BERT, ",
    ),
    (
        "bert",
        {"model_type": ["bert"]},
        "of a type that config.json does not name, which cannot be opened here; these can: BERT, ",
    ),
    ("bert", {"model_type": None}, "of a type that config.json does not name"),
    ("bert", {"hidden_size": None}, "does not say what hidden_size is"),
    ("bert", {"hidden_size": "24"}, "has hidden_size='24', which should be a whole number up to 65,536"),
    ("bert", {"hidden_size": 10**9}, "has hidden_size=1000000000, which should be a whole number up to 65,536"),
    ("bert", {"num_hidden_layers": 10**9}, "num_hidden_layers=1000000000, which should be a whole number up to 512"),
    ("bert", {"hidden_size": 25}, "the model's config.json: hidden_size=25 cannot be split into 4 equal heads"),
    (
        "bert",
        {"num_attention_heads": 0},
        "the model's config.json: num_attention_heads=0 must be a whole number of at least 1",
    ),
    ("bert", {"hidden_act": "mish"}, "has hidden_act='mish', which should be relu, gelu"),
    ("bert", {"hidden_act": ["gelu"]}, "has hidden_act=['gelu'], which should be relu, gelu"),
    ("bert", {"position_embedding_type": "relative_key"}, "which is not built here"),
    ("bert", {"is_decoder": True}, "has is_decoder=True, which is not built here"),
    ("bert", {"layer_norm_eps": "x" * 200}, "which should be a number"),
    ("bert", {"layer_norm_eps": -1}, "the model's config.json: layer_norm_eps=-1 must be a small number above 0"),
    ("bert", {"tie_word_embeddings": "no"}, "has tie_word_embeddings='no', which should be true or false"),
    (
        "roberta",
        {"pad_token_id": 40},
        "max_position_embeddings=30, and the first 41 are not for tokens, as pad_token_id=40 says",
    ),
    ("roberta", {"hidden_act": "relu"}, "has hidden_act='relu', which is not built here"),
    ("gpt2", {"n_embd": 30}, "the model's config.json: n_embd=30 cannot be split into 4 equal heads"),
    ("gpt2", {"n_head": 0}, "the model's config.json: n_head=0 must be"),
    ("distilbert", {"dim": 30}, "the model's config.json: dim=30 cannot be split into 4 equal heads"),
    ("bart", {"d_model": 30}, "d_model=30 cannot be split into 4 equal heads"),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "which is not built here"),
    ("llama", {"rope_parameters": {"rope_type": "longrope"}}, "are stretched by 'longrope', which is not built here"),
    ("llama yarn", {"rope_parameters": {"rope_type": "yarn", "truncate": False}}, "has truncate=False, which is not"),
    (
        "llama yarn",
        {"rope_parameters": {"rope_type": "yarn", "factor": 0.5}},
        "the model's config.json: factor=0.5 must be at least 1",
    ),
    ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 0.5}}, "turn 0.5 of"),
    ("qwen3", {"head_dim": "wide"}, "has head_dim='wide', which should be a whole number"),
    ("llama", {"rope_parameters": {"rope_type": "linear"}}, "does not say what factor is"),
    ("llama", {"rope_parameters": 7}, "holds no settings"),
    ("llama", {"num_key_value_heads": 3}, "the model's config.json: 4 heads cannot share 3 key/value heads equally"),
    ("qwen2 windows by layer", {"layer_types": ["full_attention", "chunked_attention"]}, "layer_types"),
    ("qwen2 windows by layer", {"layer_types": [[], {}]}, "layer_types"),
    ("neox parallel", {"rope_parameters": {"partial_rotary_factor": 0.4}}, "an odd number of features"),
    ("t5", {"feed_forward_proj": "gated-swish-gelu"}, "which is not built here"),
    ("vit", {"architectures": ["ViTModel"]}, "it does not name what an image shows; of image models, ViT and DeiT"),
    ("vit", {"patch_size": 5}, "an image 12 pixels wide cannot be cut into patches of 5"),
    ("vit", {"patch_size": 0}, "patch_size=0 must be a whole number of at least 1"),
    (
        "t5",
        {"relative_attention_num_buckets": 7},
        "the model's config.json: relative_attention_num_buckets=7 must be even",
    ),
    ("bart", {"decoder_ffn_dim": 38}, "its encoder and decoder differ in ffn_dim, which is not built here"),
]


@pytest.mark.parametrize(("name", "changes", "sentence"), WRONG, ids=[f"{n} {c}"[:60] for n, c, _ in WRONG])
def test_settings_that_cannot_be_are_refused_with_a_sentence(name, changes, sentence):
    _, _, settings, tensors = twins(name)
    for refuse in (convert.expected, lambda s: convert.to_model(s, tensors)):
        with pytest.raises(InputError, match=re.escape(sentence)) as error:
            refuse(settings | changes)
        assert len(str(error.value)) < 300


def test_what_can_be_opened_is_said_of_every_family():
    named = re.sub(r"[^a-z0-9]", "", CAN_BE_OPENED.lower())
    assert all(re.sub(r"[^a-z0-9]", "", name.replace("xlm-", "")) in named for name in FAMILIES)
    assert CAN_BE_OPENED.count(",") + 2 == len(FAMILIES)


def test_settings_that_are_none():
    with pytest.raises(InputError, match="holds no settings"):
        family_of([])  # pyrefly: ignore[bad-argument-type]: that is the test
    assert Settings({}).whole("n", 3) == 3


def test_a_model_beyond_all_memory_is_looked_at_without_any():
    settings = twins("llama").settings | {"hidden_size": 65_536, "intermediate_size": 1_000_000, "head_dim": 128}
    needs = convert.expected(settings)
    assert needs["layers.0.mlp.gate_proj.weight"] == (1_000_000, 65_536)  # 262 GB


def test_every_family_is_tested():
    assert {twins(name).settings["model_type"] for name in MAKERS} == FAMILIES.keys() - {"camembert"}


def test_parts_of_one_tensor():
    stored = torch.arange(12.0).reshape(6, 2)
    parts = [Theirs(("a",), part=i, parts=3).take(stored, n_heads=2) for i in range(3)]
    assert torch.equal(torch.cat(parts), stored)
    first, second = (Theirs(("a",), part=i, parts=2, by_head=True).take(stored[:4], n_heads=2) for i in range(2))
    assert first[:, 0].tolist() == [0, 4]
    assert second[:, 0].tolist() == [2, 6]
    assert Theirs(("a",), transposed=True, parts=3).shape((4, 5)) == (5, 12)
    assert Theirs(("a",), transposed=True, parts=3).shape((4,)) == (12,)
    assert Theirs(("a",), n_ones=1).shape((4,)) == (1, 4)
    assert Theirs(("a",), n_ones=1).take(torch.ones(1, 4), 1).shape == (4,)


def test_a_folder_without_architectures_is_a_body():
    _, _, settings, tensors = twins("minilm")
    model = convert.to_model({k: v for k, v in settings.items() if k != "architectures"}, tensors)
    assert isinstance(model, EncoderModel)
    assert not model.config.predicts
    settings = settings | {"architectures": ["BertForMaskedLM"]}
    with pytest.raises(InputError, match=r"lack the tensor cls.predictions"):
        convert.to_model(settings, tensors)
