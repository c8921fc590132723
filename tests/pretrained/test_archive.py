"""A zip is checked before it is unpacked: bombs, paths, links and damage are one sentence, and nothing is written."""

import io
import os
import random
import tracemalloc
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pretrained import makers
from tests.pretrained.sentences import refusal
from tests.pretrained.stores import unpack
from transformer.pretrained import archive
from transformer.pretrained.archive import MAX_FILES, Archive, Excerpt, Missing, fetching
from transformer.pretrained.files import Folder, Tensors, check


def zipped(files: Mapping[Any, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def model_files(prefix: str = "") -> dict[str, bytes]:
    return {prefix + file.name: file.read_bytes() for file in makers.bert_folder().iterdir()}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("prefix", ["", "model/", "a/b/c/"])
def test_a_zip_of_a_folder_is_that_folder(method: int, prefix: str):
    others = {"__MACOSX/._config.json": b"x", "readme.md": b"y" * 5000, prefix + "deeper/config.json": b"{}"}
    unpacked = check(unpack(zipped(model_files(prefix) | others, method), "own"))
    folder = check(Folder(makers.bert_folder()))
    assert unpacked.settings == folder.settings
    assert unpacked.estimate == folder.estimate
    assert unpacked.store.name == "own"
    for name, tensor in Tensors(folder).items():
        assert Tensors(unpacked)[name].equal(tensor)


def test_only_what_is_needed_is_unpacked():
    extra = {"pytorch_model.bin": b"a pickle", "other.safetensors": bytes(100)}
    assert unpack(zipped(model_files() | extra)).sizes().keys() == model_files().keys() - {"training_args.bin"}


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"\x1f\x8b", b"x" * 1000,
                                  b"PK\x03\x04" + bytes(1000)])  # fmt: skip
def test_what_is_no_zip(data: bytes):
    refusal(lambda: unpack(data))


@pytest.mark.parametrize("name", ["../config.json", "/config.json", "a/../../config.json", "C:/config.json",
                                  "..\\config.json", "C:config.json"])  # fmt: skip
def test_paths_that_lead_out(name: str):
    assert "leads out" in refusal(lambda: unpack(zipped(model_files() | {name: b"{}"})))


def test_links_are_refused():
    link = zipfile.ZipInfo("model.safetensors")
    link.external_attr = 0o120777 << 16
    files = model_files()
    del files["model.safetensors"]
    assert "link" in refusal(lambda: unpack(zipped({**files, link: b"/etc/passwd"})))


def test_a_bomb_of_zeros():
    data = zipped(model_files() | {"model.safetensors": bytes(40_000_000)})
    assert len(data) < 200_000
    tracemalloc.start()
    assert "far more than it holds" in refusal(lambda: unpack(data))
    assert tracemalloc.get_traced_memory()[1] < 2e6
    tracemalloc.stop()


def test_a_bomb_that_is_not_needed_is_not_unpacked():
    data = zipped(model_files() | {"bomb.bin": bytes(20_000_000)})
    tracemalloc.start()
    unpack(data)
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


def test_an_archive_that_lies_about_its_sizes():
    """No more is unpacked than its list says, and then it is found to be damaged."""
    data = zipped(model_files() | {"model.safetensors": bytes(40_000_000)})
    size = (40_000_000).to_bytes(4, "little")
    assert data.count(size) >= 1
    lying = data.replace(size, (1000).to_bytes(4, "little"))
    tracemalloc.start()
    refusal(lambda: unpack(lying))
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


def test_a_total_that_is_too_large(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "MAX_TOTAL", 1000)
    assert "at most 1.0 kB" in refusal(lambda: unpack(zipped(model_files())))


def test_an_excerpt_is_the_file_as_far_as_it_is_at_hand():
    rng = random.Random(5)
    whole = rng.randbytes(500)
    excerpt, there = Excerpt(len(whole), io.BytesIO()), set[int]()
    while len(there) < len(whole):
        start = rng.randrange(len(whole))
        stop = min(len(whole), start + rng.randint(1, 40))
        if there & {*range(start, stop)}:
            with pytest.raises(ValueError, match="not missing"):
                excerpt.add(start, whole[start:stop])
        for first, last in excerpt.gaps(start, stop):
            assert there.isdisjoint(range(first, last))
            excerpt.add(first, whole[first:last])
        there |= {*range(start, stop)}
        assert excerpt.n_kept == len(there)
        for at in (rng.randrange(len(whole)) for _ in range(20)):
            excerpt.seek(at)
            if at in there:
                data = excerpt.read(30)
                assert data == whole[at : at + len(data)]
            else:
                with pytest.raises(Missing):
                    excerpt.read(30)
                assert excerpt.missed == at
    assert excerpt.gaps(0, len(whole)) == []
    for start, data in ((-1, b"ab"), (499, b"ab"), (3, b"")):
        with pytest.raises(ValueError, match="not missing"):
            excerpt.add(start, data)


def fetched(data: bytes) -> tuple[Archive, Excerpt]:
    """The archive, of which no more has been fetched than was asked for to know its model."""
    excerpt = Excerpt(len(data), io.BytesIO())

    def asked() -> Iterator[tuple[int, int]]:
        made = yield from fetching(lambda: Archive(excerpt), excerpt)
        yield from fetching(lambda: check(made.store), excerpt)
        archives.append(made)

    archives: list[Archive] = []
    for start, stop in asked():
        excerpt.add(start, data[start:stop])
    return archives[0], excerpt


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_model_is_known_before_its_weights_are_there(method: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "_CHUNK", 2000)
    monkeypatch.setattr(archive, "MAX_TAIL", 2000)
    noise = {"pytorch_model.bin": random.Random(0).randbytes(200_000)}
    data = zipped(noise | model_files("model/") | {"onnx/x": noise["pytorch_model.bin"]}, method)
    made, excerpt = fetched(data)
    weights = (makers.bert_folder() / "model.safetensors").stat().st_size
    assert excerpt.n_kept < weights / 2
    with pytest.raises(Missing):
        made.unpack(io.BytesIO())
    for start, stop in made.ranges():
        for first, last in excerpt.gaps(start, stop):
            excerpt.add(first, data[first:last])
    assert excerpt.n_kept < len(data) - 2 * len(noise["pytorch_model.bin"]) + 10_000
    out = io.BytesIO()
    tensors = Tensors(check(made.unpack(out)))
    for name, tensor in Tensors(check(Folder(makers.bert_folder()))).items():
        assert tensors[name].equal(tensor)


def test_too_many_files_are_not_even_listed():
    data = zipped({f"{n}.txt": b"" for n in range(MAX_FILES + 1)})
    assert "1,000 files" in refusal(lambda: unpack(data))


def test_two_files_of_one_name():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("config.json", b"{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            made.writestr("config.json", b"[]")
    assert "two files of one name" in refusal(lambda: unpack(out.getvalue()))


def test_encrypted_and_unusual_archives():
    data = bytearray(zipped(model_files(), zipfile.ZIP_STORED))
    for at in (data.find(b"PK\x03\x04") + 6, data.find(b"PK\x01\x02") + 8):
        data[at] |= 1
    assert "encrypted" in refusal(lambda: unpack(bytes(data)))
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        assert "unusual" in refusal(lambda method=method: unpack(zipped(model_files(), method)))


def test_no_model_or_several():
    assert "no config.json" in refusal(lambda: unpack(zipped({"a.txt": b""})))
    assert "several models" in refusal(lambda: unpack(zipped(model_files("a/") | model_files("b/"))))


def test_a_flipped_byte_is_one_sentence_or_nothing_at_all():
    data = zipped(model_files())
    whole = unpack(data)
    for at in range(0, len(data), max(1, len(data) // 300)):
        spoilt = bytearray(data)
        spoilt[at] ^= 0xFF
        try:
            found = unpack(bytes(spoilt))
        except archive.InputError:
            continue
        for file, size in found.sizes().items():
            assert found.read(file, 0, size) == whole.read(file, 0, size)


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    check(unpack(zipped(model_files("folder/"))))
    assert os.listdir(tmp_path) == []
