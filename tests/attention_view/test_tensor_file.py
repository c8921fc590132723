"""One's own tensors: what is read is what was written, every fault is one sentence, and no file takes much memory."""

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save as save_safetensors
from safetensors.torch import save as save_torch

from attention_view import Packed, Picture, npz, stored, tensor_file
from attention_view.names import label
from attention_view.stored import BadTensors
from attention_view.tensor_file import TensorFile, read
from lab.kit.models.recordings import scored
from tests.further import examples
from tests.payloads import unpack

L, H, T, D = 2, 4, 5, 3
TOKENS = list("abcde")


def softmax(scores: np.ndarray) -> np.ndarray:
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)).astype("<f4")


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype("<f4")


Q, K = numbers(L, H, T, D), numbers(L, 2, T, D, seed=1)
WEIGHTS = softmax(Q @ np.repeat(K, 2, axis=1).swapaxes(-1, -2) / np.sqrt(D))
CAUSAL = softmax(np.where(np.tri(T), numbers(L, H, T, T), -np.inf))
CROSS = softmax(numbers(L, H, T, 7))


def as_npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def packed_npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def as_safetensors(**arrays: Any) -> bytes:
    texts = {name: value for name, value in arrays.items() if isinstance(value, str)}
    return save_safetensors({name: a for name, a in arrays.items() if name not in texts}, texts)


FORMATS = [as_npz, packed_npz, as_safetensors]
every_format = pytest.mark.parametrize("save", FORMATS, ids=lambda save: save.__name__)


def only(data: bytes) -> Picture:
    (picture,) = read(data).values()
    return picture


def fault(data: bytes) -> str:
    """The sentence that this file is refused with."""
    with pytest.raises(BadTensors) as error:
        read(data)
    sentence = str(error.value)
    assert sentence.startswith("This file cannot be shown: ")
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert len(sentence) < 300
    return sentence


# ---- what is read --------------------------------------------------------------------------------------------------


@every_format
def test_attention_and_tokens_come_out_as_they_went_in(save: Callable[..., bytes]):
    picture = only(save(attention=WEIGHTS, tokens=json.dumps(TOKENS)))
    np.testing.assert_array_equal(picture.weights, WEIGHTS)
    assert picture.queries == picture.keys == tuple(TOKENS)
    assert picture.mask is None
    assert picture.facts == ()


@every_format
def test_keys_that_groups_of_heads_share_are_kept_if_they_make_the_weights(save: Callable[..., bytes]):
    picture = only(save(attention=WEIGHTS, q=Q, k=K, v=K))
    assert picture.scale == pytest.approx(np.sqrt(D))
    for name, array in (("q", Q), ("k", K), ("v", K)):
        np.testing.assert_array_equal(getattr(picture, name), array)


@every_format
def test_vectors_that_do_not_make_the_weights_are_left_out_with_a_remark(save: Callable[..., bytes]):
    other = save(attention=WEIGHTS, q=Q, k=-K, tokens=json.dumps(TOKENS))
    picture = only(other)
    assert picture.q is picture.k is picture.v is None
    assert picture.facts[0].startswith("q and k left out")
    Packed(picture)(1, 2)
    assert only(save(attention=WEIGHTS, q=2 * Q, k=K, scale=json.dumps(2 * np.sqrt(D)))).q is not None


@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_precision_and_order_of_numpy(dtype: str, order: Any):
    array = np.array(WEIGHTS, dtype=dtype, order=order)
    picture = only(as_npz(attention=array))
    np.testing.assert_array_equal(picture.weights, array.astype("<f2" if dtype[1:] == "f2" else "<f4"))
    assert picture.weights.dtype == ("<f2" if dtype[1:] == "f2" else "<f4")


def test_bfloat16_is_read_exactly():
    half = torch.from_numpy(WEIGHTS).bfloat16()
    picture = only(save_torch({"attention": half}))
    np.testing.assert_array_equal(picture.weights, half.float().numpy())


def test_a_npy_file_is_attention():
    file = io.BytesIO()
    np.save(file, WEIGHTS)
    np.testing.assert_array_equal(only(file.getvalue()).weights, WEIGHTS)


@pytest.mark.parametrize(
    "arrays",
    [
        {"attention": WEIGHTS[:, None]},  # torch.stack of a batch of one
        {f"attention.{n}": WEIGHTS[n] for n in range(L)},
        {f"attention_{n + 1}": WEIGHTS[n] for n in range(L)},
        {f"attentions.{n}": WEIGHTS[n][None] for n in range(L)},  # as transformers returns them
        {f"arr_{n}": WEIGHTS[n] for n in range(L)},  # numpy.savez(file, *layers)
        {"encoder.attention": WEIGHTS},
        {"encoder_attentions": WEIGHTS},
        {"attention": WEIGHTS, "hidden_states": np.zeros(3, complex), "note": np.array(["anything"])},
    ],
    ids=lambda arrays: ", ".join(arrays),
)
@pytest.mark.parametrize("save", [as_npz, packed_npz])
def test_every_way_to_call_the_layers(save: Callable[..., bytes], arrays: dict[str, np.ndarray]):
    pictures = read(save(**arrays))
    assert list(pictures) == ["encoder"]
    np.testing.assert_array_equal(pictures["encoder"].weights, WEIGHTS)


def test_one_layer_without_its_axis():
    np.testing.assert_array_equal(only(as_npz(attention=WEIGHTS[1])).weights, WEIGHTS[1:])


@pytest.mark.parametrize(
    "tokens",
    [json.dumps(TOKENS), np.array(TOKENS), np.array(TOKENS, "S"), np.frombuffer(json.dumps(TOKENS).encode(), np.uint8)],
    ids=["JSON", "texts", "bytes", "JSON as bytes"],
)
def test_every_way_to_save_tokens(tokens: Any):
    assert only(as_npz(attention=WEIGHTS, tokens=tokens)).queries == tuple(TOKENS)


def test_without_tokens_positions_are_shown_and_it_is_said():
    picture = only(as_npz(attention=WEIGHTS))
    assert picture.keys == ("0", "1", "2", "3", "4")
    assert "no tokens in the file" in picture.facts[0]


# ---- which attention it is -----------------------------------------------------------------------------------------


def test_attention_that_never_looks_ahead_is_a_decoders_and_its_mask_is_found():
    ((kind, picture),) = read(as_npz(attention=CAUSAL)).items()
    assert kind == "decoder"
    np.testing.assert_array_equal(picture.mask, np.tri(T, dtype=bool))


def test_attention_between_two_texts_is_cross():
    ((kind, picture),) = read(as_npz(attention=CROSS, queries=np.array(TOKENS), keys=np.array(list("uvwxyz!")))).items()
    assert (kind, picture.label) == ("cross", "cross-attention")
    assert picture.queries == tuple(TOKENS)
    assert picture.keys == tuple("uvwxyz!")


@every_format
def test_three_kinds_in_one_file_share_their_tokens(save: Callable[..., bytes]):
    big = softmax(numbers(L, H, 7, 7))
    file = {"cross.attention": CROSS, "decoder.attention": CAUSAL, "encoder.attention": big}
    texts = {"encoder.tokens": json.dumps(list("uvwxyz!")), "decoder.tokens": json.dumps(TOKENS)}
    pictures = read(save(**file, **texts))
    assert list(pictures) == ["encoder", "decoder", "cross"]
    assert (pictures["cross"].queries, pictures["cross"].keys) == (tuple(TOKENS), tuple("uvwxyz!"))
    assert pictures["encoder"].queries == tuple("uvwxyz!")
    assert pictures["decoder"].keys == tuple(TOKENS)
    np.testing.assert_array_equal(pictures["cross"].weights, CROSS)


def test_a_decoder_with_a_cache_is_asked_for_its_last_tokens():
    picture = read(as_npz(**{"decoder.attention": CAUSAL[:, :, -2:], "decoder.tokens": np.array(TOKENS)}))["decoder"]
    assert picture.queries == ("d", "e")
    np.testing.assert_array_equal(picture.mask, np.tri(2, T, 3, dtype=bool))


def test_padding_that_nobody_looks_at_is_masked():
    weights = softmax(np.where(np.arange(T) < 3, numbers(L, H, T, T), -np.inf))
    np.testing.assert_array_equal(only(as_npz(attention=weights)).mask, np.broadcast_to(np.arange(T) < 3, (T, T)))


def test_rows_of_zeros_are_blocked_not_wrong():
    weights = WEIGHTS.copy()
    weights[:, :, 2] = 0
    assert only(as_npz(attention=weights)).mask is None


@pytest.mark.parametrize("dtype", [bool, "u1", "f4"])
def test_a_mask_of_the_file_is_taken(dtype: Any):
    mask = np.tri(T, dtype=bool)
    np.testing.assert_array_equal(only(as_npz(attention=CAUSAL, mask=mask.astype(dtype))).mask, mask)
    assert "forbids query 1 to look at key 0" in fault(as_npz(attention=CAUSAL, mask=np.eye(T)))
    assert "needed" in fault(as_npz(attention=CAUSAL, mask=np.ones(T, bool)))


def test_layers_may_have_masks_of_their_own():
    near = np.tri(T, dtype=bool) & ~np.tri(T, k=-2, dtype=bool)
    masks = np.stack([np.tri(T, dtype=bool), near])
    scores = Q @ np.repeat(K, 2, axis=1).swapaxes(-1, -2) / np.sqrt(D)
    weights = softmax(np.where(masks[:, None], scores, -np.inf))
    picture = only(as_npz(attention=weights, q=Q, k=K, mask=masks))
    assert picture.q is not None, "q and k make the weights of each layer, under its own mask"
    np.testing.assert_array_equal(picture.mask, masks)
    np.testing.assert_array_equal(picture.mask_of(1), near)
    sent = unpack(Packed(picture)())
    np.testing.assert_array_equal(sent.arrays["mask"][sent.header["masks"]], masks)
    assert "masks" not in unpack(Packed(replace(picture, mask=np.stack([near, near])))()).header
    assert scored(picture).chance == {}, "there is no one level of chance"
    assert "forbids query 2 to look at key 0" in fault(as_npz(attention=weights, mask=masks[[1, 1]]))


# ---- any sizes -----------------------------------------------------------------------------------------------------


@given(
    sizes=st.tuples(*[st.integers(1, 4)] * 4),
    seed=st.integers(0, 9999),
    half=st.booleans(),
    has_vectors=st.booleans(),
    tokens=st.lists(st.text(max_size=8), min_size=4, max_size=4),
)
def test_what_safetensors_writes_is_read(sizes, seed: int, half: bool, has_vectors: bool, tokens: list[str]):
    n_layers, n_heads, n_queries, n_keys = sizes
    q, k = numbers(n_layers, n_heads, n_queries, D, seed=seed), numbers(n_layers, n_heads, n_keys, D, seed=seed + 1)
    weights = softmax(q @ k.swapaxes(-1, -2) / 1.5)
    arrays = {"attention": weights} | ({"q": q, "k": k, "v": k} if has_vectors else {})
    arrays = {name: array.astype("<f2" if half else "<f4") for name, array in arrays.items()}
    texts: dict[str, Any] = {"queries": tokens[:n_queries], "keys": tokens[:n_keys], "facts": ["by hand"]}
    texts |= {"opens": [n_layers - 1, n_heads - 1], "scale": 1.5}
    said = arrays | {name: json.dumps(text) for name, text in texts.items()}
    picture = read(as_safetensors(**{f"cross.{name}": value for name, value in said.items()}))["cross"]
    assert picture.queries == tuple(map(label, texts["queries"]))
    assert picture.keys == tuple(map(label, texts["keys"]))
    assert (picture.facts, picture.opens) == (("by hand",), (n_layers - 1, n_heads - 1))
    for name, array in arrays.items():
        np.testing.assert_array_equal(getattr(picture, "weights" if name == "attention" else name), array)
    assert picture.scale == (1.5 if has_vectors else 1.0)


# ---- numbers that are no attention ---------------------------------------------------------------------------------


def changed(value: float, at: tuple[int, ...] = (1, 2, 3, 0)) -> np.ndarray:
    weights = WEIGHTS.copy()
    weights[at] = value
    return weights


@every_format
@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"attention": changed(np.nan)}, "layer 1, head 2: a value is no number"),
        ({"attention": changed(np.inf)}, "layer 1, head 2: a value is no number"),
        ({"attention": WEIGHTS.astype("<f8") * 1e200}, "a value is no number"),
        ({"attention": changed(-0.25)}, "layer 1, head 2: a weight is -0.25, below 0; these look like scores"),
        ({"attention": changed(1.5)}, "layer 1, head 2: row 3 adds up to "),
        ({"attention": WEIGHTS * np.float32(0.98)}, "adds up to 0.98, not to 1; save what comes out of softmax"),
        ({"attention": np.ascontiguousarray(WEIGHTS.swapaxes(-1, -2))}, "its columns do, so swap the last two axes"),
        ({"attention": WEIGHTS.astype("<i4")}, "save it as float16 or float32"),
        ({"attention": WEIGHTS[..., :0]}, "there is nothing to draw"),
        ({"attention": WEIGHTS[0, 0]}, "layers × heads × queries × keys is needed"),
        ({"attention": np.stack([WEIGHTS] * 2, 1)}, "take one text of the batch, attention[:, 0]"),
        ({"attention": np.stack([WEIGHTS])}, "attention[0] if the 2 are layers, or attention[:, 0] if they are texts"),
        ({"attention.0": WEIGHTS[0], "attention.2": WEIGHTS[1]}, "gaps between its layers"),
        ({"attention.0": WEIGHTS[0], "attention.1": WEIGHTS[1, :2]}, "all layers need the same"),
        ({"attention.0": WEIGHTS[0], "attention": WEIGHTS}, "leave one of them out"),
        ({"attention": WEIGHTS, "attentions": WEIGHTS}, "mean the same"),
        ({"attention": WEIGHTS, "cross.attention": CROSS}, "call it encoder.attention"),
        ({"weights": WEIGHTS, "other": Q}, "no array called attention, but "),
        ({"attention": np.zeros((64, 64, 1, 1), "<f2")}, "4,096 heads"),
        ({"attention": np.zeros((1, 1, 1, 3000), "<f2")}, "2,048 tokens is the most"),
        ({"attention": WEIGHTS, "tokens": json.dumps(TOKENS[:4])}, "it has 4 tokens for 5 queries"),
        ({"attention": WEIGHTS, "tokens": json.dumps({"a": 1})}, "not a list of texts"),
        ({"attention": WEIGHTS, "tokens": json.dumps([1, 2, 3, 4, 5])}, "not a list of texts"),
        ({"attention": WEIGHTS, "tokens": "['a', 'b']"}, "write it with json.dumps"),
        ({"attention": WEIGHTS, "tokens": "[" * 100_000}, "write it with json.dumps"),
        ({"attention": WEIGHTS, "tokens": np.array([[255]], "u1")}, "tokens are not texts"),
        ({"attention": WEIGHTS, "tokens": np.array([255, 255], "u1")}, "not in UTF-8"),
        ({"attention": WEIGHTS, "facts": "3"}, "facts are not a list"),
        ({"attention": WEIGHTS, "opens": "[9, 9]"}, "not among 2 layers of 4 heads"),
        ({"attention": WEIGHTS, "opens": "[true, 0]"}, "not among 2 layers of 4 heads"),
        ({"attention": WEIGHTS, "q": Q, "k": K[:1]}, "does not go with attention of 2 × 4 × 5 × 5"),
        ({"attention": WEIGHTS, "q": Q, "k": K[..., :2]}, "both need the same width"),
        ({"attention": WEIGHTS, "q": Q * np.nan, "k": K}, "q has a value that is no number"),
        ({"attention": WEIGHTS, "q": Q, "k": K, "scale": "0"}, "not one positive number"),
        ({"attention": WEIGHTS, "q": Q, "k": K, "scale": np.array([1.0, 2.0])}, "not one positive number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_fault_is_one_sentence_that_says_what_to_do(save: Callable[..., bytes], arrays: Any, reason: str):
    assert reason in fault(save(**arrays))


@pytest.mark.parametrize("dtype", [np.float16, torch.bfloat16])
def test_rounding_to_half_precision_is_no_fault(dtype: Any):
    weights = torch.full((1, 1, 2, 1000), 1 / 1000)  # every weight is off in the same direction
    rounded = weights.bfloat16() if dtype is torch.bfloat16 else weights.half()
    assert (rounded.float().sum(-1) - 1).abs().max() > 1e-5
    only(save_torch({"attention": rounded}))


# ---- tokens of strangers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # text: nothing ever makes HTML of it
        ("a\x00b\x1b[31m", "a\ufffdb\ufffd[31m"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("\ud800", "\ufffd"),
        ("one\ntwo\t", "one⏎two⇥"),
        ("Ġcat", "·cat"),
        ("▁cat", "·cat"),
        (" cat", "·cat"),
        ("##ing", "##ing"),
        ("👩‍🚀", "👩‍🚀"),
        ("x" * 100, "x" * 39 + "…"),
        ("x" * 40, "x" * 40),
        ("", ""),
        ("\u00a0!", "·!"),
        ("10\u202f000\u00a0€", "10 000 €"),
        ("\u3000", "·"),
        ("\u2009", "·"),
        ("  ", "··"),
        ("▁▁▁", "···"),
        ("cat ", "cat·"),
        (" " * 100, "·" * 39 + "…"),
        ("x" * 40 + " ", "x" * 39 + "…"),
        ("x\u00adyz", "xyz"),
        ("x\u00ad" * 40, "x" * 40),
        ("\ufeff cat", "·cat"),
        ("\u200b", "‹200b›"),
        ("\u200d", "‹200d›"),
        ("\ufe0f", "‹fe0f›"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("\u2028", "⏎"),
        ("\u200fa", "\ufffda"),
    ],
)
def test_tokens_are_shown_as_they_can_be(token: str, shown: str):
    assert label(token) == shown
    picture = only(as_npz(attention=np.ones((1, 1, 1, 1)), tokens=json.dumps([token])))
    assert picture.queries == (shown,)


# ---- files that lie ------------------------------------------------------------------------------------------------


def member(name: str, header: str, body: bytes = b"") -> tuple[str, bytes]:
    """A .npy file with this header, true or not."""
    text = header.encode()
    return f"{name}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


def archive(*members: tuple[str, bytes], method: int = zipfile.ZIP_STORED) -> bytearray:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as whole:
        for name, data in members:
            whole.writestr(name, data)
    return bytearray(file.getvalue())


def npy(shape: str, descr: str = "'<f4'", fortran: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n"


ROW = np.ones((1, 1, 1, 1), "<f4").tobytes()


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (npy("(1, 1, 1, 1)"), ""),
        (npy("(1,1,1,1)").replace(" ", ""), ""),
        ("{'shape': (1, 1, 1, 1), 'fortran_order': True, 'descr': '|u1'}", "cannot be in 4 bytes"),
        (npy("(99999, 99999, 99999, 99999)"), "cannot be in 4 bytes"),
        (npy("(999999999999999, 999999999999999)"), "cannot be in 4 bytes"),
        (npy("(-1, 1, 1, 1)"), "no header of NumPy"),
        (npy("(" + "9" * 16 + ",)"), "no header of NumPy"),
        (npy("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "no header of NumPy"),
        (npy("(1.5,)"), "no header of NumPy"),
        (npy("(1, 1, 1, 1)", "'|O'"), "holds Python objects, a pickle"),
        (npy("(1, 1, 1, 1)", "'O8'"), "holds Python objects, a pickle"),
        (npy("(1, 1, 1, 1)", "[('a', '<f4')]"), "columns with names"),
        (npy("(1, 1, 1, 1)", "'<c8'"), "of type “<c8”"),
        (npy("(1, 1, 1, 1)", "'<M8[s]'"), "of type “<M8[s]”"),
        (npy("(1,)", "'<U0'"), "of type “<U0”"),
        (npy("(1,)", "'<U9999999'"), "cannot be in 4 bytes"),
        (npy("(1, 1, 1, 1)", "'<f4'", "__import__('os')"), "no header of NumPy"),
        (npy("(1, 1, 1, 1)") + npy("(2,)"), "no header of NumPy"),
        ("[" * 3000, "no header of NumPy"),
        (" " * 4096 + npy("(1, 1, 1, 1)"), "no header of NumPy"),
        ("'descr':" * 500, "no header of NumPy"),
    ],
)
def test_headers_of_numpy_that_lie(header: str, reason: str):
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        data = bytes(archive(member("attention", header, ROW), method=method))
        if reason:
            assert reason in fault(data)
        else:
            assert only(data).weights == 1


def patched(data: bytearray, at: int, value: int, form: str = "<I") -> bytes:
    struct.pack_into(form, data, at, value)
    return bytes(data)


def test_archives_that_lie():
    honest = member("attention", npy("(1, 1, 1, 1)"), ROW)
    n = len(honest[1])
    plain, packed = archive(honest), archive(honest, method=zipfile.ZIP_DEFLATED)
    directory, end = plain.rindex(b"PK\x01\x02"), plain.rindex(b"PK\x05\x06")
    assert "end of the archive is missing" in fault(bytes(plain[:-30]))
    assert "claims to be longer" in fault(patched(plain[:], directory + 24, n + 1))  # stored, but not of its size
    assert "claims to be longer" in fault(patched(plain[:], directory + 20, 2**32 - 1))  # packed size
    assert "damaged" in fault(patched(plain[:], directory + 42, 2**31))  # place of the local header
    assert "damaged" in fault(patched(plain[:], directory + 16, 7))  # checksum
    many = plain[:end] + 4096 * (b"PK\x01\x02" + bytes(42)) + plain[end:]
    assert "more than 4,096 files" in fault(bytes(many))
    assert "end of the archive" in fault(patched(plain[:], end + 12, 2**31))  # bytes of the directory
    assert "encrypted" in fault(patched(plain[:], directory + 8, 1, "<H"))
    assert "encrypted or packed in a rare way" in fault(patched(plain[:], directory + 10, 14, "<H"))
    directory = packed.rindex(b"PK\x01\x02")
    assert "claims to be longer" in fault(patched(packed[:], directory + 24, 2**31))  # more than deflate can pack
    assert "cannot be in" in fault(patched(packed[:], directory + 24, n + 4))  # size, unpacked
    assert "damaged" in fault(patched(packed[:], directory + 24, 20))  # longer than the archive says
    assert "damaged" in fault(bytes(packed).replace(bytes(packed[50:60]), b"\xff" * 10))


def test_two_members_in_the_same_bytes_are_refused():
    one = member("attention", npy("(1, 1, 1, 1)"), ROW)
    data = archive(one, (member("q", npy("(1, 1, 1, 1)"), ROW)))
    first, second = data.index(b"PK\x01\x02"), data.rindex(b"PK\x01\x02")
    assert first != second
    assert "“q” is damaged" in fault(patched(data[:], second + 42, 0))


def test_the_same_name_twice_is_refused():
    one = member("attention", npy("(1, 1, 1, 1)"), ROW)
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = archive(one, one)
    assert "same name" in fault(bytes(data))


@pytest.mark.parametrize("data", [b"\x80\x04\x95pickle.", b"\x80\x02}q\x00."])
def test_pickles_are_called_what_they_are(data: bytes):
    assert "pickle" in fault(data)


def test_a_file_of_torch_save_is_called_what_it_is():
    file = io.BytesIO()
    torch.save({"attention": torch.from_numpy(WEIGHTS)}, file)
    assert "a pickle of torch.save" in fault(file.getvalue())


@pytest.mark.parametrize("data", [b"", b"x", b"PK", b"\x93NUMPY", b"{}" * 50, bytes(100), b"PK\x05\x06" + bytes(18)])
def test_whatever_it_is_it_is_one_sentence(data: bytes):
    fault(data)


# ---- safetensors that lie ------------------------------------------------------------------------------------------


def tensors(header: Any, body: bytes = b"", *, length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + body


def entry(shape: Any = (1, 1, 1, 1), dtype: Any = "F32", offsets: Any = (0, 4), **more: Any) -> dict:
    return {"attention": {"dtype": dtype, "shape": shape, "data_offsets": offsets, **more}}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (tensors(entry(), ROW), ""),
        (tensors(entry(), ROW, length=2**62), "longer than the file"),
        (tensors(entry(), ROW, length=400), "longer than the file"),
        (tensors(b"{" + b" " * 2**20 + b"}"), "1,048,576 is the most"),
        (tensors(entry(shape=[2**40, 1, 1, 1]), ROW), "cannot be in 4 bytes"),
        (tensors(entry(shape=[2**52] * 8), ROW), "cannot be in 4 bytes"),
        (tensors(entry(shape=[2**60, 1, 1, 1]), ROW), "does not describe"),
        (tensors(entry(shape=[1] * 9), ROW), "does not describe"),
        (tensors(entry(shape=[True, 1, 1, 1]), ROW), "does not describe"),
        (tensors(entry(shape="1111"), ROW), "does not describe"),
        (tensors(entry(offsets=[4, 0]), ROW), "does not describe"),
        (tensors(entry(offsets=[-4, 0]), ROW), "does not describe"),
        (tensors(entry(offsets=[0]), ROW), "does not describe"),
        (tensors(entry(offsets=[0.0, 4.0]), ROW), "does not describe"),
        (tensors(entry(offsets=[0, 2**62]), ROW), "does not describe"),
        (tensors(entry(shape=[2.0, 1]), ROW), "does not describe"),
        (tensors(entry(shape=[3]), ROW), "cannot be in 4 bytes"),
        (tensors({"attention": 1}), "does not describe"),
        (tensors(entry(offsets=[0, 8]), ROW), "cannot be in 8 bytes"),
        (tensors(entry(shape=[1, 1, 1, 2], offsets=[0, 8]), ROW), "need 8 bytes and 4 are there"),
        (tensors(entry(), ROW + b"more"), "need 4 bytes and 8 are there"),
        (tensors(entry(dtype="I64", offsets=[0, 8]), ROW * 2), "of type “I64”"),
        (tensors(entry(dtype="F31"), ROW), "of type “F31”"),
        (tensors(entry(dtype=[1]), ROW), "does not describe"),
        (tensors(entry(more=1), ROW), "does not describe"),
        (tensors(entry() | {"q": entry()["attention"]}, ROW), "do not begin where those before it end"),
        (tensors(entry(offsets=[4, 8]), ROW * 2), "do not begin where"),
        (tensors([1, 2]), "neither .npz nor .npy nor .safetensors"),
        (tensors(b"{" * 50_000), "cannot be read as JSON"),
        (tensors(b'{"a": ' * 50_000), "cannot be read as JSON"),
        (tensors(b'{"attention": {}, "attention": {}}'), "cannot be read as JSON"),
        (tensors(b'{"attention": NaN}'), "cannot be read as JSON"),
        (tensors(b'{"attention": ' + b"9" * 5000 + b"}"), "cannot be read as JSON"),
        (tensors(b'{"\xff": 1}'), "cannot be read as JSON"),
        (tensors({"__metadata__": 3}), "not that of a safetensors file"),
        (tensors({"__metadata__": {"attention": "x"}}), "attention is text"),
        (tensors({}), "no array called attention, but nothing"),
        (tensors({"\ud800<b>\n": entry()["attention"]}, ROW), "but “\ufffd<b>\ufffd”"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_safetensors_that_lie(data: bytes, reason: str):
    if reason:
        assert reason in fault(data)
    else:
        assert only(data).weights == 1


# ---- memory --------------------------------------------------------------------------------------------------------


def peak(data: bytes) -> int:
    """The most bytes that are held while this file is read."""
    tracemalloc.start()
    try:
        read(data)
    except BadTensors:
        pass
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most


@pytest.mark.slow
def test_a_bomb_is_refused_before_it_goes_off():
    zeros = member("attention", npy("(12, 1, 2048, 2048)"), bytes(4 * 12 * 2048 * 2048))  # 192 MB of them in 200 kB
    bomb = bytes(archive(zeros, method=zipfile.ZIP_DEFLATED))
    assert len(bomb) < 300_000
    assert peak(bomb) < 2_000_000
    assert "192 MB, and 96 MB is the most" in fault(bomb)


@pytest.mark.slow
def test_many_small_members_together_are_counted():
    layers = {f"attention.{n}": np.zeros((1, 2048, 2048), "<f2") for n in range(13)}  # 8 MB each
    data = packed_npz(**layers)
    assert peak(data) < 2_000_000
    assert "104 MB, and 96 MB is the most" in fault(data)


def test_a_file_that_is_too_large_is_not_looked_at():
    assert "65 MB, and 64 MB is the most" in fault(bytes(65 * 2**20))


@every_format
def test_reading_takes_little_more_than_what_is_read(save: Callable[..., bytes]):
    weights = np.zeros((4, 4, 256, 256), "<f4")
    weights[..., 0] = 1
    data = save(attention=weights)
    expected = TensorFile(data).n_bytes
    assert expected == weights.nbytes
    assert peak(data) < 1.5 * expected + 2_000_000


# ---- any bytes at all ----------------------------------------------------------------------------------------------

VALID = [
    save(attention=WEIGHTS.astype(dtype), q=Q, k=K, tokens=json.dumps(TOKENS), mask=np.ones((T, T), "u1"))
    for save in FORMATS
    for dtype in ("<f2", "<f4")
]
MOST = 4_000_000  # bytes that any file of a few kB may take


def check(data: bytes) -> None:
    """Read it: it is shown, or there is one sentence; and what is shown can be packed for the browser."""
    try:
        pictures = read(data)
    except BadTensors:
        return
    for picture in pictures.values():
        sums = picture.weights.astype("<f8").sum(-1)
        assert ((np.abs(sums - 1) <= 0.0101) | (sums == 0)).all()
        json.dumps([picture.queries, picture.keys, picture.facts]).encode()
        Packed(picture)()


@given(data=st.data())
def test_changed_bytes(data):
    file = bytearray(data.draw(st.sampled_from(VALID)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(file) - 1))
        file[at] = data.draw(st.integers(0, 255))
    check(bytes(file))


@given(data=st.data())
def test_bytes_left_out_put_in_or_doubled(data):
    file = data.draw(st.sampled_from(VALID))
    a, b = sorted(data.draw(st.tuples(st.integers(0, len(file)), st.integers(0, len(file)))))
    middle = data.draw(st.sampled_from([b"", file[a:b] * 2, b"\xff" * 8, bytes(64), b"PK\x01\x02", b"PK\x05\x06"]))
    check(file[:a] + middle + file[b:])


@given(data=st.data())
def test_numbers_in_headers_changed(data):
    """The four-byte numbers of the directory of an archive, and the JSON of safetensors, with other values in them."""
    file = bytearray(data.draw(st.sampled_from(VALID[:4])))
    begin = file.index(b"PK\x01\x02")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(begin, len(file) - 4))
        struct.pack_into("<I", file, at, data.draw(st.sampled_from([0, 1, 22, 2**16, 2**31, 2**32 - 1, len(file)])))
    check(bytes(file))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4),
)


@given(
    dtype=st.sampled_from(["F16", "F32", "F64", "BF16", "U8", "BOOL", "I8"]) | _JSON,
    shape=st.lists(st.integers(0, 5), max_size=6) | _JSON,
    offsets=st.tuples(st.integers(0, 9), st.integers(0, 99)).map(list) | _JSON,
    body=st.binary(max_size=99),
    texts=st.dictionaries(st.sampled_from([*tensor_file.TEXTS, "cross.keys"]), _JSON.map(str) | _JSON.map(json.dumps)),
)
def test_any_header_of_safetensors(dtype, shape, offsets, body, texts):
    check(tensors({"__metadata__": texts, **entry(shape, dtype, offsets)}, body))


@given(
    data=st.binary(max_size=300),
    start=st.sampled_from([b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00", b"\x10" + bytes(7) + b"{"]),
)
def test_any_bytes(data: bytes, start: bytes):
    check(start + data)


@given(data=st.data())
@examples(25)
def test_no_small_file_takes_much_memory(data):
    file = bytearray(data.draw(st.sampled_from(VALID)))
    for _ in range(data.draw(st.integers(1, 6))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    assert peak(bytes(file)) < MOST


def test_the_limits_are_those_that_the_server_has():
    assert stored.MAX_FILE == 64 * 2**20
    assert npz.MAX_PACKED == 1032  # of zlib: two bits can stand for 258 bytes


# ---- marks of tokens -----------------------------------------------------------------------------------------------

MARKS = {"special": [True, False, False, False, True], "words": [None, 0, 0, 1, None], "segments": [0, 0, 0, 1, 1]}


@every_format
def test_marks_of_tokens_are_taken(save: Callable[..., bytes]):
    picture = only(save(attention=WEIGHTS, tokens=json.dumps(TOKENS), marks=json.dumps(MARKS)))
    for side in (picture.query_marks, picture.key_marks):
        assert side.plain(T) == MARKS
    Packed(picture)()


def test_marks_of_another_length_are_left_out():
    picture = only(as_npz(attention=WEIGHTS, tokens=np.array(TOKENS), marks=json.dumps({"special": [True]})))
    assert picture.query_marks.plain(T) == {}


@pytest.mark.parametrize(
    "marks",
    [3, {"bold": []}, {"special": [1]}, {"words": [-1]}, {"words": [10**9]}, {"segments": [True]}, {"words": 3}],
)
def test_marks_that_are_none(marks: Any):
    assert "marks are not lists" in fault(as_npz(attention=WEIGHTS, tokens=np.array(TOKENS), marks=json.dumps(marks)))
