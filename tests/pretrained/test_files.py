"""A folder is checked before memory is taken: whatever is missing, damaged or a lie is one sentence."""

import json
import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import torch
from safetensors import safe_open

from tests.pretrained import makers
from tests.pretrained.sentences import refusal
from tests.pretrained.stores import Memory
from transformer.pretrained import files, load_from
from transformer.pretrained.files import (
    CONFIG,
    INDEX,
    MAX_CONFIG,
    WEIGHTS,
    Checked,
    Folder,
    Tensors,
    check,
    header,
    needed,
    settings_of,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole model, to be spoilt."""
    return makers.copied(makers.bert_folder(), tmp_path / "model")


def headed(data: bytes) -> dict:
    """The header of these bytes as a file; without much memory."""
    tracemalloc.start()
    try:
        return header(Memory({WEIGHTS: data}, "model"), WEIGHTS, len(data))
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20e6


# ---- what is right ---------------------------------------------------------------------------------------------------


def test_the_header_says_where_each_tensor_lies(folder: Path):
    checked = check(Folder(folder))
    with safe_open(folder / WEIGHTS, "np") as theirs:
        assert checked.entries.keys() == set(theirs.keys())
        for name, entry in checked.entries.items():
            assert entry.shape == tuple(theirs.get_slice(name).get_shape())
            assert entry.dtype == theirs.get_slice(name).get_dtype()
            assert torch.equal(Tensors(checked)[name], torch.from_numpy(theirs.get_tensor(name)))


def test_the_estimate_is_what_there_is(folder: Path):
    checked = check(Folder(folder))
    model = load_from(Folder(folder)).model
    assert checked.estimate.parameters == sum(parameter.numel() for parameter in model.parameters())
    assert checked.estimate.download == sum(file.stat().st_size for file in folder.iterdir())
    assert 4 * checked.estimate.parameters < checked.estimate.full
    assert checked.estimate.half < checked.estimate.full
    assert "parameters" in str(checked.estimate)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_every_type_of_weights_is_read_as_numbers_of_32_or_16_bits(dtype: torch.dtype):
    tensors = {
        "a": torch.randn(3, 5).to(dtype),
        "none": torch.zeros(0, 4).to(dtype),
        "one": torch.tensor(1.5).to(dtype),
    }
    found = read(tensors)
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert torch.equal(found[name], tensor.float())
        assert torch.equal(read(tensors, half=True)[name], tensor.to(torch.bfloat16))


def read(tensors: dict[str, torch.Tensor], half: bool = False) -> Tensors:
    data = safetensors.torch.save(tensors)
    store = Memory({WEIGHTS: data}, "model")
    return Tensors(Checked(store, "any", {}, header(store, WEIGHTS, len(data)), files._estimate(0, [])), half)


def test_masks_and_counters_are_no_weights():
    tensors = {"position_ids": torch.arange(4), "bias": torch.ones(2, 2, dtype=torch.bool), "w": torch.ones(2)}
    assert list(read(tensors)) == ["w"]
    with pytest.raises(KeyError):
        read(tensors)["position_ids"]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(bad: float):
    tensors = read({"good": torch.ones(2), "w": torch.tensor([1.0, bad])})
    assert torch.equal(tensors["good"], torch.ones(2))
    assert "w holds values" in refusal(lambda: tensors["w"])


def test_weights_in_several_files(folder: Path):
    whole = dict(Tensors(check(Folder(folder))).items())
    sharded(folder)
    checked = check(Folder(folder))
    assert len({entry.file for entry in checked.entries.values()}) == 2
    found = Tensors(checked)
    assert found.keys() == whole.keys()
    assert all(torch.equal(found[name], whole[name]) for name in whole)
    (folder / "consolidated.safetensors").write_bytes(b"not named by the index")
    assert check(Folder(folder)).estimate.download == checked.estimate.download
    assert "consolidated.safetensors" not in needed(Folder(folder))


def sharded(folder: Path, **renamed: str) -> None:
    """Its weights in two files, with an index; renamed: how the index calls a file instead."""
    tensors = safetensors.numpy.load_file(folder / WEIGHTS)
    names = sorted(tensors)
    places = {}
    for n, part in enumerate((names[: len(names) // 2], names[len(names) // 2 :]), 1):
        file = f"model-0000{n}-of-00002.safetensors"
        safetensors.numpy.save_file({name: tensors[name] for name in part}, folder / file)
        places |= dict.fromkeys(part, renamed.get(f"file{n}", file))
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": places}))
    (folder / WEIGHTS).unlink()


# ---- what is missing -------------------------------------------------------------------------------------------------


def test_no_folder(tmp_path: Path):
    assert "no such folder" in refusal(lambda: check(Folder(tmp_path / "nowhere")))
    assert "config.json" in refusal(lambda: check(Folder(tmp_path)))


def test_pickles_are_not_opened(folder: Path, tmp_path: Path):
    (folder / WEIGHTS).unlink()
    marker = tmp_path / "opened"
    (folder / "pytorch_model.bin").write_bytes(f"cos\nsystem\n(S'touch {marker}'\ntR.".encode())
    sentence = refusal(lambda: check(Folder(folder)))
    assert "pytorch_model.bin" in sentence
    assert "save_pretrained" in sentence
    (folder / WEIGHTS).write_bytes((folder / "pytorch_model.bin").read_bytes())
    refusal(lambda: check(Folder(folder)))
    (folder / WEIGHTS).write_bytes(b"\x80\x04" + b"x" * 100)
    assert "pickle" in refusal(lambda: check(Folder(folder)))
    assert not marker.exists()


@pytest.mark.parametrize("other", ["model.gguf", "tf_model.h5", "flax_model.msgpack", "model.onnx"])
def test_other_formats_are_named(folder: Path, other: str):
    (folder / WEIGHTS).rename(folder / other)
    assert other in refusal(lambda: check(Folder(folder)))


@pytest.mark.parametrize("half", ["model.safetensors.part", "model.safetensors.crdownload", "abc.incomplete"])
def test_half_a_download_is_named(folder: Path, half: str):
    (folder / WEIGHTS).rename(folder / half)
    assert half in refusal(lambda: check(Folder(folder)))


def test_a_file_that_was_cut_off(folder: Path):
    data = (folder / WEIGHTS).read_bytes()
    for length in (0, 5, 9, 40, 400, len(data) - 1):
        (folder / WEIGHTS).write_bytes(data[:length])
        sentence = refusal(lambda: check(Folder(folder)))
        assert "bring it again" in sentence or "bring the whole file again" in sentence


def test_a_pointer_of_git_is_no_model(folder: Path):
    (folder / WEIGHTS).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
    assert "git lfs pull" in refusal(lambda: check(Folder(folder)))


def test_a_missing_shard_is_named(folder: Path):
    sharded(folder)
    (folder / "model-00002-of-00002.safetensors").unlink()
    sentence = refusal(lambda: check(Folder(folder)))
    assert "1 of the model's 2 files" in sentence
    assert "model-00002" in sentence


# ---- what lies -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "../secret.safetensors",
        "/etc/passwd",
        "a/b.safetensors",
        "..",
        "a.bin",
        ".safetensors",
        "a\\b.safetensors",
        "a.safetensors\n",
        "",
        "C:a.safetensors",
    ],
)
def test_an_index_leads_nowhere_else(folder: Path, name: str):
    (folder.parent / "secret.safetensors").write_bytes(makers.small_weights())
    sharded(folder, file2=name)
    assert "no plain name" in refusal(lambda: check(Folder(folder)))


@pytest.mark.parametrize("index", [{}, {"weight_map": {}}, {"weight_map": ["a"]}, {"weight_map": {"a": 1}}, []])
def test_an_odd_index(folder: Path, index: object):
    sharded(folder)
    (folder / INDEX).write_text(json.dumps(index))
    refusal(lambda: check(Folder(folder)))


def test_a_tensor_in_two_files(folder: Path):
    sharded(folder)
    first, second = sorted(folder.glob("model-*.safetensors"))
    second.write_bytes(first.read_bytes())
    assert "in two" in refusal(lambda: check(Folder(folder)))


@pytest.mark.parametrize(
    "data", [b"", b"{", b"null", b"[" * 100_000, b'{"a": {"dtype": "F32"}}', b'{"\\ud800": 1}', b"{}"]
)
def test_lying_headers(data: bytes):
    """What the one reader of headers refuses, after the file's name; the tests of attention_view have more of it."""
    assert refusal(lambda: headed(makers.packed_header(data, bytes(8)))).startswith(WEIGHTS)


@pytest.mark.parametrize("size", [0, 2**20, 2**27, 2**63, 2**64 - 1])
def test_lying_header_sizes(size: int):
    refusal(lambda: headed(struct.pack("<Q", size) + b"{}" + bytes(100)))


def test_too_many_tensors():
    many = {f"t{n}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for n in range(files.MAX_TENSORS + 1)}
    refusal(lambda: header(Memory({WEIGHTS: makers.packed_header(many)}, ""), WEIGHTS, len(makers.packed_header(many))))


# ---- config.json -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "intermediate_size",
        "vocab_size",
        "max_position_embeddings",
        "type_vocab_size",
    ],
)
@pytest.mark.parametrize("value", [0, -1, 10**9, 2**80, 1.5, True, "12", [], [1, 2, 3], {}, "\ud800"])
def test_sizes_are_whole_numbers_within_limits(folder: Path, name: str, value: object):
    if value == []:
        value = [0]
    makers.changed(folder, **{name: value})
    assert name in refusal(lambda: check(Folder(folder)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"\xff\xfe",
        b'{"a": 1, "a": 2}',
        b'{"a": Infinity}',
        b"[" * 10**5,
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": 1e999}',
    ],
)
def test_what_is_no_config(folder: Path, data: bytes):
    (folder / CONFIG).write_bytes(data)
    refusal(lambda: check(Folder(folder)))


def test_a_large_config_is_not_read(folder: Path):
    os.truncate(folder / CONFIG, MAX_CONFIG + 1)
    tracemalloc.start()
    assert "the most that is read" in refusal(lambda: check(Folder(folder)))
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def test_an_unknown_family_hears_which_there_are(folder: Path):
    for type in ("mamba", 5, ["bert"], None, "\ud800", "b" * 1000):
        makers.changed(folder, model_type=type)
        said = refusal(lambda: check(Folder(folder)))
        assert all(name in said for name in ("BERT", "GPT-2", "Llama", "T5"))
        assert "gpt_neox" not in said


def test_quantised_weights_are_refused(folder: Path):
    makers.changed(folder, quantization_config={"bits": 4})
    assert "quantised" in refusal(lambda: check(Folder(folder)))


def test_tensors_that_are_not_those_of_the_config(folder: Path):
    """What config.json asks for, and what the header has: nothing is built from either before they agree."""
    tracemalloc.start()
    for name, value in {"vocab_size": 290_000, "num_hidden_layers": 200}.items():
        spoilt = makers.changed(makers.copied(makers.bert_folder(), folder.parent / name), **{name: value})
        sentence = refusal(lambda spoilt=spoilt: check(Folder(spoilt)))
        assert "tensor" in sentence
        assert sentence[0].isupper()
        assert sentence.endswith(".")
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_code_of_a_model_is_never_run(folder: Path):
    (folder / "modeling_own.py").write_text("raise SystemExit")
    makers.changed(folder, auto_map={"AutoModel": "modeling_own.Own"})
    check(Folder(folder))  # a known family needs no code
    makers.changed(folder, model_type=...)
    assert "code of its own" in refusal(lambda: check(Folder(folder)))


def test_settings_of_a_vision_model_may_be_pairs():
    assert settings_of(b'{"model_type": "vit", "image_size": [224, 224]}')["image_size"] == [224, 224]


# ---- what the system holds -------------------------------------------------------------------------------------------


def test_only_ordinary_files_are_opened(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.safetensors")
    (tmp_path / "folder.safetensors").mkdir()
    (tmp_path / "file").write_bytes(b"12345")
    store = Folder(tmp_path)
    assert store.sizes() == {"file": 5}
    assert store.read("file", 1, 4) == b"234"
    for file in ("pipe.safetensors", "folder.safetensors", "missing"):
        refusal(lambda file=file: store.read(file, 0, 1))


def test_a_file_that_shrinks_meanwhile(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"12345")
    assert "shorter" in refusal(lambda: Folder(tmp_path).read("file", 0, 6))


def test_sizes_in_words():
    from transformer.pretrained.reading import megabytes

    assert [megabytes(n) for n in (5, 1500, 90_868_376, 354_182_000, 2.5e9)] == [
        "5 bytes",
        "1.5 kB",
        "90.9 MB",
        "354 MB",
        "2.5 GB",
    ]
    assert np.isfinite(files.MAX_HEADER)
