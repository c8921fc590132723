"""Files there and back; and whatever a stranger may send, one sentence, in little time and memory."""

import io
import json
import math
import pickle
import re
import struct
import tracemalloc
import zipfile
from copy import deepcopy
from dataclasses import asdict, replace
from functools import cache
from random import Random
from zlib import crc32

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator
from torch.nn.utils import parameters_to_vector

from tests.further import further
from tests.training.toys import config
from transformer.core.config import TransformerConfig
from transformer.training import checkpoints, shipped, tasks
from transformer.training.batches import build
from transformer.training.checkpoints import (
    MAX_BYTES,
    MAX_FILM,
    MAX_HEADER,
    BadCheckpoint,
    checkpoint_of,
    load,
    save,
    with_film,
)
from transformer.training.claims import MAX_FRAMES, MAX_PARAMETERS, min_parameters
from transformer.training.film import CURVES, film_of
from transformer.training.settings import Knobs, Settings, Turn
from transformer.training.stages import Stage
from transformer.training.trainer import Trainer
from transformer.training.writing import Written

MATRIX = "encoder.layers.0.self_attn.w_q.weight"
KINDS = {"encoder-decoder": "reverse", "decoder": "brackets", "encoder": "sentiment"}


@cache
def trained(kind: str = "encoder-decoder", **changes):
    trainer = Trainer(
        tasks.make(KINDS[kind]),
        config(**changes),
        Settings(steps=7, batch_size=4, n_examples=40, n_tests=5, every=3, label_smoothing=0.1),
    )
    snapshots = list(trainer.run(lambda: trainer.step < 5))
    return checkpoint_of(trainer, film_of(trainer.task, list(trainer.parts), snapshots), {"exact": 0.5, "of": "toy"})


@cache
def trained_by_muon():
    settings = Settings(steps=4, batch_size=4, n_examples=20, n_tests=5, optimiser="Muon", stress=2.0)
    trainer = Trainer(tasks.make("reverse"), config(), settings)
    list(trainer.run(lambda: trainer.step < 2))
    return checkpoint_of(trainer)


@cache
def whole_file() -> bytes:
    return save(trained())


def refused(data: bytes) -> str:
    """The sentence with which it is refused; without much memory."""
    tracemalloc.start()
    try:
        with pytest.raises(BadCheckpoint) as error:
            load(data)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 150e6
    return plain(error.value)


def plain(error: BadCheckpoint) -> str:
    """The sentence of a refusal; there is one, and no jargon in it."""
    sentence = str(error)
    assert re.fullmatch(r"[A-Z][^\n]{20,300}\.", sentence), sentence
    sentence.encode()  # it can be sent: a file may hold half a surrogate pair
    for jargon in ("object", "Error", "0x", "NoneType", "subscript", "torch.", "<class"):
        assert jargon not in sentence, sentence
    return sentence


# ---- there and back ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"positions": "learned", "norm": "post"},
        {"positions": "relative"},
        {"tie_output": False, "bias": False},
        {"n_encoder_layers": 0, "dropout": 0.1},
        {"n_decoder_layers": 0, "d_ff": 3},
    ],
)
@pytest.mark.parametrize(
    "kind", ["decoder", *(pytest.param(k, marks=pytest.mark.wide) for k in ("encoder-decoder", "encoder"))]
)
def test_everything_comes_back(kind, changes):
    if changes.get(f"n_{kind}_layers") == 0:
        assert "no layers" in refused(save(trained(kind, **changes)))
        return
    before = trained(kind, **changes)
    after = load(save(before))
    for name in ("config", "settings", "step", "seconds", "losses", "card"):
        assert getattr(after, name) == getattr(before, name)
    assert len(after.losses) == 2  # of steps 4 and 5
    assert (after.task.name, after.task.settings) == (before.task.name, before.task.settings)
    for name in ("weights", "moments"):
        old, new = getattr(before, name), getattr(after, name)
        assert old.keys() == new.keys()
        assert all(torch.equal(old[key], new[key]) and new[key].dtype == torch.float32 for key in old)
    model = after.model()
    assert not model.training
    assert all(torch.equal(before.weights[name], p) for name, p in model.named_parameters())
    old, new = before.film, after.film
    assert new.steps.tolist() == old.steps.tolist() == [0, 3]
    assert (new.parts, new.axes) == (old.parts, old.axes)
    for name in CURVES:
        np.testing.assert_allclose(new.curves[name], old.curves[name], rtol=1e-4)
    np.testing.assert_allclose(new.grad_norms, old.grad_norms, rtol=1e-4)
    for a, b in zip(old.frames, new.frames, strict=True):
        assert a.keys() == b.keys()
        for key in a:
            np.testing.assert_array_equal(a[key], b[key])


def test_what_muon_remembers_comes_back():
    before, after = trained_by_muon(), load(save(trained_by_muon()))
    assert after.settings == before.settings
    assert after.moments.keys() == before.moments.keys()
    assert f"momentum_buffer.{MATRIX}" in after.moments
    assert f"exp_avg.{MATRIX}" not in after.moments
    assert all(torch.equal(before.moments[name], moment) for name, moment in after.moments.items())


def test_a_file_from_before_there_was_a_choice_of_optimiser_is_of_adamw():
    def change(said):
        del said["settings"]["optimiser"], said["settings"]["stress"]

    assert load(with_said(change)).settings == trained().settings


@pytest.mark.slow
def test_a_checkpoint_is_a_copy():
    trainer = Trainer(tasks.make("copy"), config(), Settings(steps=4, batch_size=4, n_examples=20, n_tests=5))
    list(trainer.run(lambda: trainer.step < 2))
    kept = checkpoint_of(trainer)
    before = save(kept)
    list(trainer.run())
    assert save(kept) == before


def test_half_the_bits():
    small = load(save(trained(), half=True, moments=False))
    assert small.moments == {}
    assert small.losses == ()
    for name, weight in trained().weights.items():
        assert torch.equal(small.weights[name], weight.half().float())
    assert len(save(trained(), half=True, moments=False)) < len(whole_file()) / 2


def test_weights_too_large_for_16_bits_keep_32():
    large = replace(trained(), weights={name: w * 1e6 for name, w in trained().weights.items()})
    for name, weight in load(save(large, half=True)).weights.items():
        fits = large.weights[name].abs().max() <= 65504
        assert torch.equal(weight, large.weights[name].half().float() if fits else large.weights[name])


def test_without_a_film():
    assert load(save(replace(trained(), film=None))).film is None


def test_curves_beyond_any_scale_are_left_out():
    film = trained().film
    assert film is not None
    wild = replace(film, curves=film.curves | {"grad_norm": np.array([1.0, 1e35])})
    after = load(save(replace(trained(), film=wild))).film
    assert after is not None
    np.testing.assert_array_equal(after.curves["grad_norm"], [1.0, np.nan])


@pytest.mark.slow
def test_a_film_is_added_as_if_it_had_been_there():
    whole = trained()
    bare = save(replace(whole, film=None, card={}))
    assert with_film(bare, whole.film, whole.card) == save(whole) == with_film(save(whole), whole.film, whole.card)
    assert with_film(bare, None, {}) == bare


def test_a_film_that_is_ahead_of_the_weights_is_cut():
    whole = trained()
    assert whole.film.steps.tolist() == [0, 3]
    behind = with_film(save(replace(whole, film=None, step=2)), whole.film, {})
    assert load(behind).film.steps.tolist() == [0]


def test_a_long_film_is_thinned_until_it_fits():
    film = trained().film
    assert film is not None
    for repeats in (MAX_FRAMES, 700):
        n = 2 * repeats
        many = replace(
            film,
            steps=np.arange(n),
            curves={name: np.tile(curve, repeats) for name, curve in film.curves.items()},
            grad_norms=np.tile(film.grad_norms, (repeats, 1)),
            frames=tuple({k: np.tile(m, (repeats, 1, 1, 1, 1)) for k, m in probe.items()} for probe in film.frames),
            written=tuple(Written(*(np.tile(part, (repeats, 1)) for part in w)) for w in film.written),
        )
        data = save(replace(trained(), film=many, step=n))
        thinned = load(data).film
        assert thinned is not None
        assert 100 < len(thinned) <= MAX_FRAMES
        assert len(data) < len(whole_file()) + MAX_FILM + 500_000
        assert (thinned.steps[0], thinned.steps[-1]) == (0, n - 1)


def test_a_text_of_ones_own_comes_back_whole():
    text = "".join(Random(0).choices('Où est "le" chat?\n\t\x01𝄞', k=60_000))
    task = tasks.make("text", text=text, length=16)
    trainer = Trainer(task, config(), Settings(steps=1, batch_size=2, n_examples=5, n_tests=3))
    data = save(checkpoint_of(trainer))
    assert load(data).task.settings == task.settings
    worst = tasks.make("text", text="\x01\x02" * 99_999 + "\x03", length=16)
    assert len(save(replace(checkpoint_of(trainer), task=worst))) < MAX_BYTES  # its header fits as well


def test_what_could_not_be_read_again_is_not_written(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "MAX_BYTES", len(whole_file()) - 1)
        with pytest.raises(ValueError, match="too large to be kept"):
            save(trained())
    monkeypatch.setattr(checkpoints, "MAX_HEADER", 1000)
    with pytest.raises(ValueError, match="too large to be kept"):
        save(trained())


@pytest.mark.parametrize("size", further([*range(0, 256, 64), *(n for n in range(0, 256, 8) if n % 64)], 4))
def test_any_length_of_header(size):
    """Its first byte is the length: it must not be taken for a sign of something else, as of a pickle."""
    data = save(replace(trained(), film=None, card={"note": "x" * size}))
    assert load(data).card == {"note": "x" * size}


def test_a_header_as_long_as_a_zip_s_first_letters():
    plain = save(replace(trained(), card={}))
    (size,) = struct.unpack("<Q", plain[:8])
    data = (0x4B50).to_bytes(8, "little") + plain[8 : 8 + size].ljust(0x4B50) + plain[8 + size :]
    assert data[:2] == b"PK"
    assert load(data).step == 5


@pytest.mark.parametrize("name", shipped.SHIPPED)
def test_shipped_files_can_be_read(name):
    if not (shipped.FOLDER / f"{name}.safetensors").exists():
        pytest.skip("not made yet")
    kept = shipped.load(name)
    assert kept.film is not None
    assert kept.card


@given(
    kind=st.sampled_from([*KINDS]),
    positions=st.sampled_from(["none", "learned", "relative", "rotary"]),
    heads=st.sampled_from([1, 2, 4]),
    d_k=st.integers(1, 8),
    d_ff=st.integers(1, 64),
    encoder=st.integers(0, 3),
    decoder=st.integers(0, 3),
    max_len=st.integers(1, 300),
    tie_output=st.booleans(),
    tie_source=st.booleans(),
    multi_query=st.booleans(),
)
def test_the_count_made_before_building_is_never_too_high(kind, heads, d_k, encoder, decoder, multi_query, **more):
    asked = TransformerConfig(
        vocab_size=40,
        d_model=heads * d_k,
        n_heads=heads,
        n_kv_heads=1 if multi_query else heads,
        n_encoder_layers=encoder,
        n_decoder_layers=decoder,
        **more,
    )
    has = sum(p.numel() for p in build(kind, asked, Generator()).parameters())
    vectors = sum(p.numel() for p in build(kind, asked, Generator()).parameters() if p.dim() == 1)
    assert has - vectors == min_parameters(asked, kind)


# ---- hostile files ---------------------------------------------------------------------------------------------


def taken_apart(data: bytes) -> tuple[dict, dict, bytes]:
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    return header, json.loads(header["__metadata__"]["attention_lab"]), data[8 + size :]


def put_together(header: dict | bytes, said: object, body: bytes) -> bytes:
    if isinstance(header, dict):
        said = said if isinstance(said, str) else json.dumps(said)
        header = json.dumps(header | {"__metadata__": {"attention_lab": said}}).encode()
    return struct.pack("<Q", len(header)) + header + body


def with_said(change) -> bytes:
    """The file, after `change` was done to what it says of itself."""
    header, said, body = taken_apart(whole_file())
    change(said)
    return put_together(header, said, body)


def with_tensors(change) -> bytes:
    kept = trained()
    tensors = {f"weights.{n}": w.clone() for n, w in kept.weights.items()}
    tensors |= {f"moments.{n}": m.clone() for n, m in kept.moments.items()}
    tensors |= {f"film.{p}.{k}": torch.tensor(m) for p, probe in enumerate(kept.film.frames) for k, m in probe.items()}
    change(tensors)
    _, said, _ = taken_apart(whole_file())
    return checkpoints.write_tensors(tensors, {"attention_lab": json.dumps(said)})


def test_taken_apart_and_put_together_it_is_still_good():
    assert load(with_said(lambda said: None)).step == load(with_tensors(lambda tensors: None)).step == 5


def test_tales_that_were_saved_as_stories_are_tales():
    header, said, body = taken_apart(shipped.file_of("experts").read_bytes())
    old = load(put_together(header, {**said, "task": {**said["task"], "name": "stories"}}, body))
    assert old.task.name == said["task"]["name"] == "tales"
    more = {**said["config"], "vocab_size": 1500}
    refused(put_together(header, {**said, "config": more, "task": {**said["task"], "name": "stories"}}, body))


@given(st.binary(max_size=400))
def test_random_bytes(data):
    refused(data)


@given(st.binary(max_size=200))
def test_random_bytes_for_a_header(header):
    refused(struct.pack("<Q", len(header)) + header + b"\0" * 64)


@pytest.mark.slow
def test_cut_off_anywhere():
    data = whole_file()
    for length in [*range(0, len(data), 997), len(data) - 1]:
        with pytest.raises(BadCheckpoint):
            load(data[:length])
    assert "bring the whole file again" in refused(data[: len(data) // 2])
    assert "cut off" in refused(data[:100])
    assert "cut off" in refused(b"")
    refused(data + b"\0")


@given(st.data())
def test_flipped_bits(data):
    """Refused, or still a sound checkpoint: a bit of a weight is another weight."""
    file = bytearray(whole_file())
    (size,) = struct.unpack("<Q", file[:8])
    last = data.draw(st.sampled_from([8, 8 + size, len(file)]))
    for _ in range(data.draw(st.integers(1, 3))):
        file[data.draw(st.integers(0, last - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = load(bytes(file))
    except BadCheckpoint:
        refused(bytes(file))
    else:
        assert all(torch.isfinite(w).all() for w in found.weights.values())


class _Bomb:
    fired = False

    def __reduce__(self):
        return (setattr, (_Bomb, "fired", True))


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_pickles_are_not_opened(protocol):
    zipped = io.BytesIO()
    torch.save({"x": torch.zeros(9)}, zipped)
    assert "pickle" in refused(zipped.getvalue())
    sentence = refused(pickle.dumps({"weights": _Bomb(), "more": [0] * 100}, protocol))
    assert protocol == 0 or "pickle" in sentence
    assert not _Bomb.fired


@pytest.mark.parametrize("save_arrays", [np.savez, np.savez_compressed, np.save])
def test_arrays_of_numpy_are_called_what_they_are(save_arrays):
    file = io.BytesIO()
    save_arrays(file, np.zeros(1000))
    sentence = refused(file.getvalue())
    assert "NumPy" in sentence
    assert "pickle" not in sentence


def test_an_archive_is_not_unpacked():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mine.safetensors", whole_file())
    assert "it is a zip archive" in refused(file.getvalue())
    refused(b"PK\x03\x04")


@pytest.mark.parametrize("size", [0, 1, 2**31, 2**63, 2**64 - 1, MAX_HEADER + 8])
def test_lying_header_sizes(size):
    refused(struct.pack("<Q", size) + whole_file()[8:])


def test_too_many_bytes_are_not_looked_at():
    assert "64 MB" in refused(bytes(MAX_BYTES + 1))


@pytest.mark.slow
def test_json_that_is_deep_or_long_or_says_a_thing_twice():
    deep = b"[" * 100_000
    refused(put_together(deep, None, b""))
    refused(put_together(b'{"__metadata__":' + b'{"a":' * 100_000, None, b""))
    header, said, body = taken_apart(whole_file())
    refused(put_together(header, "[" * 100_000, body))
    refused(put_together(header, "[" * 900 + "]" * 900, body))
    filling = '{"":0}'
    n = (MAX_HEADER - 1000) // (len(filling) + 1)
    refused(put_together(('{"__metadata__":[' + ",".join([filling] * n) + "]}").encode(), None, b""))
    inner = json.dumps(said)
    assert load(put_together(header, inner, body)).step == 5
    refused(put_together(header, inner[:-1] + ', "step": 3}', body))
    outer = json.dumps(header | {"__metadata__": {"attention_lab": inner}})
    refused(put_together((outer[:-1] + ', "__metadata__": {}}').encode(), None, body))
    refused(put_together(header, inner.replace('"step": 5', '"step": NaN'), body))
    refused(put_together(header, inner.replace('"step": 5', '"step": 1e999'), body))
    refused(put_together(header, inner.replace('"step": 5', '"step": ' + "9" * 5000), body))
    for odd in ("null", "3", "[]", '"x"', "{}", "true"):
        refused(put_together(header, odd, body))
        refused(put_together(odd.encode(), None, body))


_MISSING = object()
_ODD = [None, True, -1, 0, 1.5, 10**9, 10**300, "", "x", "9", [], [1], {}, {"a": 1}, [[[]]], 1e308, "\ud800", _MISSING]


def _paths(said, at=()):
    for name, value in said.items():
        yield (*at, name)
        if isinstance(value, dict):
            yield from _paths(value, (*at, name))


@pytest.mark.slow
@pytest.mark.parametrize("third", further(range(3)))
def test_odd_values_everywhere(third):
    """Each thing that a file says, replaced by odd values: refused, or taken where it is of the right kind."""
    header, said, body = taken_apart(whole_file())
    for path in list(_paths(said))[third::3]:
        harmless = 0
        n, own = len(_ODD), crc32(".".join(path).encode())
        for odd in (_ODD[(own + k) % n] for k in (0, 4, 7, 11, 15)):
            changed = deepcopy(said)
            *outer, last = path
            part = changed
            for name in outer:
                part = part[name]
            if odd is _MISSING:
                del part[last]
            else:
                part[last] = odd
            try:
                load(put_together(header, changed, body))
                harmless += 1
            except BadCheckpoint as error:
                plain(error)
        # A smoothing may be 0 or absent, a seed 10**9; but what says what the model is has few other values.
        assert harmless <= (4 if path[0] in ("config", "settings", "card") else 2), path


@pytest.mark.few(15)
@pytest.mark.parametrize(
    "changes",
    [
        {"n_encoder_layers": 10**9},
        {"n_encoder_layers": 25},
        {"d_model": 10**9},
        {"d_model": 1024, "n_encoder_layers": 24},
        {"n_heads": 32, "n_kv_heads": 32, "n_encoder_layers": 7},
        {"n_heads": 0},
        {"n_heads": 3},
        {"n_kv_heads": 10**9},
        {"d_ff": 10**9},
        {"d_ff": 8192, "d_model": 1024},
        {"max_len": 10**9, "positions": "learned"},
        {"max_len": 8192, "positions": "learned", "d_model": 1024, "n_heads": 1},
        {"n_buckets": 10**9, "positions": "relative"},
        {"max_distance": 10**12, "positions": "relative"},
        {"vocab_size": 60_000},
        {"tgt_vocab_size": 60_000},
        {"vocab_size": 10**9},
        {"positions": "other"},
        {"positions": ["none"]},
        {"norm": {}},
        {"activation": None},
        {"bias": 1},
        {"dropout": 1},
        {"base": 10**300},
        {"norm_eps": 0},
        {"extra": 1},
        {"d_model": True},
        {"d_model": 32.0},
        {"d_model": "32"},
    ],
)
def test_hostile_sizes_are_refused_before_anything_is_built(changes, monkeypatch):
    built = []
    monkeypatch.setattr(checkpoints, "build", lambda *a: built.append(1) or build(*a))
    if not {"base"} & changes.keys():  # sound as a number, but not for torch
        monkeypatch.setattr(checkpoints, "read_tensors", lambda data: pytest.fail("the tensors were read"))
    refused(with_said(lambda said: said["config"].update(changes)))
    assert len(built) == ("base" in changes)


def test_the_largest_that_is_built_is_small():
    """What passes the count has no more than that in matrices, and vectors are few beside them."""
    most = TransformerConfig(
        **asdict(config())
        | {"d_model": 256, "n_heads": 4, "n_kv_heads": 4, "d_ff": 256, "n_encoder_layers": 6, "n_decoder_layers": 3}
    )
    assert min_parameters(most, "encoder-decoder") < MAX_PARAMETERS
    thinnest = replace(most, d_model=1, n_heads=1, n_kv_heads=1, n_encoder_layers=24, n_decoder_layers=24, d_ff=8192)
    has = sum(p.numel() for p in build("encoder-decoder", thinnest, Generator()).parameters())
    assert min_parameters(thinnest, "encoder-decoder") < has < 2 * MAX_PARAMETERS


@pytest.mark.parametrize(
    "task",
    [
        None,
        3,
        {},
        {"name": "reverse"},
        {"name": "nothing", "settings": {}},
        {"name": ["reverse"], "settings": {}},
        {"name": "reverse", "settings": []},
        {"name": "reverse", "settings": {"longest": 10**9}},
        {"name": "reverse", "settings": {"longest": 10**400}},
        {"name": "reverse", "settings": {"symbols": "x" * 10**5}},
        {"name": "reverse", "settings": {"n": 1}},
        {"name": "reverse", "settings": {"__class__": 1}},
        {"name": "addition", "settings": {"digits": 10**6}},
        {"name": "french", "settings": {"draw": None}},
        {"name": "sort", "settings": {"shortest": 64, "longest": 64, "symbols": 26}},
        {"name": "text", "settings": {"text": ["a"] * 500}},
        {"name": "text", "settings": {"text": "ab" * 10**5 + "c"}},
        {"name": "text", "settings": {"text": "abcd " * 2000, "level": "byte pairs", "n_merges": 10**9}},
        {"name": "text", "settings": {"text": "abcd " * 2000, "length": True}},
        {"name": "\ud800", "settings": {}},
    ],
)
def test_hostile_tasks(task):
    refused(with_said(lambda said: said.update(task=task)))


@pytest.mark.slow
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "settings_"),
    [
        ("brackets", {"shortest": 1, "longest": 1, "kinds": 1}),
        ("copy", {"shortest": 1, "longest": 1, "symbols": 2}),
        ("repeat", {"shortest": 1, "longest": 1, "length": 2, "symbols": 5}),
        *further(
            [
                ("brackets", {"shortest": 1, "longest": 1, "kinds": 3}),
                ("reverse", {"shortest": 1, "longest": 1, "symbols": 2}),
                ("sort", {"shortest": 1, "longest": 1, "symbols": 2}),
                ("repeat", {"shortest": 1, "longest": 1, "length": 64, "symbols": 2}),
            ],
            0,
        ),
    ],
)
def test_a_task_without_an_example_to_show_is_refused(name, settings_):
    """Every page that such a model was used on broke."""
    assert not tasks.make(name, **settings_).probes
    sentence = refused(with_said(lambda said: said.update(task={"name": name, "settings": settings_})))
    assert "nothing to show" in sentence


def test_a_card_that_could_not_be_saved_again_is_refused():
    for card in ({"note": "\ud800"}, {"\udfff": 1}):
        assert "card" in refused(with_said(lambda said, card=card: said.update(card=card)))


def test_a_long_text_costs_little():
    words = " ".join(f"w{n * n % 9973}" for n in range(26_000))[:200_000]
    settings_ = {"text": words, "level": "byte pairs", "n_merges": 2000, "length": 256}
    refused(with_said(lambda said: said.update(task={"name": "text", "settings": settings_})))


@pytest.mark.few(12)
@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.pop("weights.encoder.final_norm.weight"),
        lambda t: t.update({"weights.more": torch.zeros(1)}),
        lambda t: t.update({"anything": torch.zeros(1)}),
        lambda t: t.update({"film.9.cross": torch.zeros(1)}),
        lambda t: t.update({"film.0.other": torch.zeros(1)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.ones(17)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.ones(16, 1)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.ones(16, dtype=torch.float64)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.ones(16, dtype=torch.int32)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.ones(16, dtype=torch.complex64)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.full((16,), math.nan)}),
        lambda t: t.update({"weights.encoder.final_norm.weight": torch.full((16,), -math.inf)}),
        lambda t: t.update({"weights.decoder.final_norm.weight": torch.full((16,), 3e38)}),
        lambda t: t.pop("moments.exp_avg.encoder.final_norm.weight"),
        lambda t: t.pop("moments.exp_avg_sq.encoder.final_norm.weight"),
        lambda t: t["moments.exp_avg_sq.encoder.final_norm.weight"].fill_(-1),
        lambda t: t["moments.exp_avg.encoder.final_norm.weight"].fill_(math.nan),
        lambda t: t.update({"moments.exp_avg.encoder.final_norm.weight": torch.zeros(3)}),
        lambda t: t.update({"moments.exp_avg.encoder.final_norm.weight": torch.zeros(16).half()}),
        lambda t: t.pop("film.0.cross"),
        lambda t: t.update({"film.0.cross": t["film.0.cross"][:1]}),
        lambda t: t.update({"film.0.cross": t["film.0.cross"][..., :-1].contiguous()}),
        lambda t: t.update({"film.0.cross": t["film.0.cross"].float()}),
    ],
)
def test_hostile_tensors(change):
    refused(with_tensors(change))


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.update({f"momentum_buffer.{MATRIX}": torch.zeros(3)}),
        lambda m: m.update({f"momentum_buffer.{MATRIX}": torch.full((16, 16), math.inf)}),
        lambda m: m.update({f"momentum_buffer.{MATRIX}": torch.zeros(16, 16).half()}),
        lambda m: m.update({f"exp_avg.{MATRIX}": torch.zeros(16, 16), f"exp_avg_sq.{MATRIX}": torch.zeros(16, 16)}),
        lambda m: m.update({"momentum_buffer.encoder.embedding.weight": m["exp_avg.encoder.embedding.weight"] + 1}),
        lambda m: m.update({"momentum_buffer.none": torch.zeros(16, 16)}),
        lambda m: m.pop("exp_avg.encoder.final_norm.weight"),
    ],
)
def test_hostile_memories_of_muon(change):
    moments = dict(trained_by_muon().moments)
    change(moments)
    assert "what the optimiser remembers does not fit" in refused(save(replace(trained_by_muon(), moments=moments)))


def test_an_optimiser_remembers_what_it_needs_and_nothing_of_another():
    for kept, other in ((trained_by_muon(), "AdamW"), (trained(), "Muon")):
        changed = replace(kept, settings=replace(kept.settings, optimiser=other))
        assert "what the optimiser remembers does not fit" in refused(save(changed))
    unknown = refused(with_said(lambda said: said["settings"].update(optimiser="SGD")))
    assert "optimiser='SGD' is not known; try AdamW or Muon" in unknown


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry",
    [
        {"shape": [2**40]},
        {"shape": [2**62, 4]},
        {"shape": [-1]},
        {"shape": [0]},
        {"shape": "x"},
        {"dtype": "F64"},
        {"dtype": "BF16"},
        {"dtype": "X"},
        {"dtype": "F8_E4M3"},
        {"data_offsets": [0, 2**63]},
        {"data_offsets": [0, 0]},
        {"data_offsets": [64, 0]},
        {"data_offsets": [-64, 0]},
        {"data_offsets": []},
        {"shape": [0, 2**62]},
    ],
)
def test_hostile_entries_of_the_header(entry):
    header, said, body = taken_apart(whole_file())
    header["weights.encoder.final_norm.weight"].update(entry)
    refused(put_together(header, said, body))


@pytest.mark.slow
@pytest.mark.few(12)
@pytest.mark.parametrize(
    "change",
    [
        lambda film: film.update(steps=list(range(100_000))),
        lambda film: film.update(steps=[3, 0]),
        lambda film: film.update(steps=[0, 0]),
        lambda film: film.update(steps=[-1, 3]),
        lambda film: film.update(steps=[0, 6]),  # the training stood at 5
        lambda film: film.update(steps=[]),
        lambda film: film.update(steps=[[0, 3]]),
        lambda film: film.update(steps=[0, 10**30]),
        lambda film: film.update(steps={"0": 3}),
        lambda film: film.update(parts=["<b>"] * 4),
        lambda film: film.update(parts=[]),
        lambda film: film.update(parts=None),
        lambda film: film.update(grad_norms=[[1.0] * 4]),
        lambda film: film.update(grad_norms=[[1.0] * 4, [1.0]]),
        lambda film: film["curves"].update(loss=[1.0]),
        lambda film: film["curves"].update(loss=[1.0, "x"]),
        lambda film: film["curves"].update(loss=[[1.0], [2.0]]),
        lambda film: film["curves"].__delitem__("exact"),
        lambda film: film["curves"].update(loss=[1.0, 1e300]),
        lambda film: film["curves"].update(lr=[1.0, 1e31]),
        lambda film: film["curves"].update(grad_norm=[1.0, -1e300]),
        lambda film: film["curves"].update(accuracy=[0.5, 1.5]),
        lambda film: film["curves"].update(exact=[0.5, -1.0]),
        lambda film: film["curves"].update(seconds=[0.0, 1e10]),
        lambda film: film.update(grad_norms=[[1.0] * 4, [1e300] * 4]),
    ],
)
def test_hostile_films(change):
    assert "film" in refused(with_said(lambda said: change(said["film"])))


def test_a_curve_without_end():
    header, said, body = taken_apart(whole_file())
    said["film"]["curves"]["loss"] = [1.0, "@"]
    assert "film" in refused(put_together(header, json.dumps(said).replace('"@"', "1e999"), body))


@pytest.mark.parametrize(
    "card",
    [
        None,
        [],
        3,
        {"x" * 61: 1},
        {"x": "y" * 501},
        {"x": [1]},
        {"x": None},
        {"x": 10**30},
        {str(n): n for n in range(41)},
    ],
)
def test_hostile_cards(card):
    assert "card" in refused(with_said(lambda said: said.update(card=card)))


@pytest.mark.parametrize("losses", [None, {}, "12", [1], ["1.0"], [None], [[1.0]]])
def test_hostile_losses(losses):
    assert "losses" in refused(with_said(lambda said: said.update(losses=losses)))


@pytest.mark.few(12)
@pytest.mark.parametrize(
    "turns",
    [
        None,
        {},
        3,
        [1],
        [[1]],
        [[1, 2]],
        [[1, [0.1, 4]]],
        [[1, [0.1, 4, 0.0, 1]]],
        [[1, [0.1, 4, 0.0], 5]],
        ["ab"],
        [[1, "abc"]],
        [[6, [0.1, 4, 0.0]]],
        [[-1, [0.1, 4, 0.0]]],
        [[1.0, [0.1, 4, 0.0]]],
        [[True, [0.1, 4, 0.0]]],
        [[2, [0.1, 4, 0.0]], [1, [0.1, 4, 0.0]]],
        [[2, [0.1, 4, 0.0]]] * 2,
        [[1, [0, 4, 0.0]]],
        [[1, [1e9, 4, 0.0]]],
        [[1, ["0.1", 4, 0.0]]],
        [[1, [0.1, 10**6, 0.0]]],
        [[1, [0.1, 4.5, 0.0]]],
        [[1, [0.1, 4, 1.0]]],
        [[1, [0.1, 4, None]]],
        [[1, {"lr": 0.1}]],
        [[n, [0.1, 4, 0.0]] for n in range(201)],
    ],
)
def test_hostile_turns_of_knobs(turns):
    refused(with_said(lambda said: said.update(turns=turns)))


def with_stages():
    n = sum(weight.numel() for weight in trained().weights.values())
    rows = np.random.default_rng(0).normal(size=(2, n)).astype(np.float16)
    return replace(trained(), stages=(Stage(2, 1.5, rows[0]), Stage(4, 0.5, rows[1])))


@pytest.mark.slow
def test_stages_come_back():
    before = with_stages()
    for after in (load(save(before)), load(with_film(save(trained()), None, {}, stages=before.stages))):
        assert [stage[:2] for stage in after.stages] == [(2, 1.5), (4, 0.5)]
        assert after.stops == (0, 2, 4, 5)
        for old, new in zip(before.stages, after.stages, strict=True):
            np.testing.assert_array_equal(old.weights, new.weights)
            held = parameters_to_vector(after.model_at(new.step).parameters())
            np.testing.assert_array_equal(held.detach(), old.weights.astype(np.float32))
        for step, model in ((0, after.model_before()), (5, after.model())):
            pairs = zip(model.parameters(), after.model_at(step).parameters(), strict=True)
            assert all(torch.equal(a, b) for a, b in pairs)
        with pytest.raises(KeyError):
            after.model_at(3)


@pytest.mark.slow
@pytest.mark.few(8)
@pytest.mark.parametrize(
    "stages",
    [
        None,
        [],
        {},
        3,
        [[2, 1.5]],
        [[2, 1.5]] * 2,
        [[4, 1.5], [2, 0.5]],
        [[0, 1.5], [4, 0.5]],
        [[2, 1.5], [6, 0.5]],
        [[2.0, 1.5], [4, 0.5]],
        [[2, "1"], [4, 0.5]],
        [[2, 1.5, 1], [4, 0.5, 1]],
        [2, 4],
        [[True, 1.5], [4, 0.5]],
        [[n, 1.0] for n in range(1, 40)],
    ],
)
def test_hostile_stages(stages):
    header, said, body = taken_apart(save(with_stages()))
    said["stages"] = stages
    refused(put_together(header, json.dumps(said), body))


def test_stages_that_are_no_numbers_or_that_nobody_announced_are_refused():
    broken = with_stages()
    broken.stages[1].weights[3] = np.inf
    assert "stages" in refused(save(broken))
    header, said, body = taken_apart(save(with_stages()))
    del said["stages"]
    assert "called stages" in refused(put_together(header, json.dumps(said), body))


def test_turns_of_knobs_come_back():
    before = replace(trained(), turns=(Turn(0, Knobs(0.1, 4, 0.0)), Turn(5, Knobs(0.2, 8, 0.5))))
    assert load(save(before)).turns == before.turns == load(with_film(save(before), None, {})).turns
    later = (*before.turns, Turn(6, Knobs(0.3, 8, 0.5)))
    assert load(with_film(save(trained()), None, {}, later)).turns == before.turns  # it stands at step 5


def test_another_version_is_named():
    assert "version 2" in refused(with_said(lambda said: said.update(version=2)))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_weights_that_are_no_numbers_are_named(value):
    """Also a single one in a row of the table that no probe reads."""
    name = "encoder.embedding.weight"
    sentence = refused(with_tensors(lambda t: t[f"weights.{name}"].select(0, 3).fill_(value)))
    assert name in sentence
    assert "no numbers" in sentence


def test_a_full_size_file_needs_little_more_than_itself():
    """Tensors of 60 MB that belong to no model."""
    _, said, _ = taken_apart(whole_file())
    junk = {"weights.junk": {"dtype": "F32", "shape": [15_000_000], "data_offsets": [0, 60_000_000]}}
    refused(put_together(junk, said, bytes(60_000_000)))
