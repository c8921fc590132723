"""show(): whatever a model returned becomes the very weights, or a sentence that says what is wrong."""

import base64
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from attention_view import Kinds, Packed, Picture, Sent, show, to_html
from attention_view.show import layers_of, picture_of
from tests.attention_view.test_standalone import payload_of
from tests.payloads import explained, unpack

ROOT = Path(__file__).parents[2]
WORDS = ("one", "two", "three", "four", "five")


def weights(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(shape[-1]), shape[:-1]).astype("f4")


SEEN = weights(2, 3, 5, 5)  # (L, H, T, S)
CAUSAL = np.tril(SEEN) / np.tril(SEEN).sum(-1, keepdims=True)


@pytest.mark.parametrize(
    "given",
    [
        SEEN,
        SEEN.astype("f8"),
        list(torch.tensor(SEEN, requires_grad=True)),
        list(SEEN),
        tuple(torch.tensor(layer[None]) for layer in SEEN),
        SEEN[:, None],
        SEEN.tolist(),
    ],
    ids=["array", "float64", "tensors", "list", "tuple of batches of one", "five axes", "plain lists"],
)
def test_the_weights_are_the_same_in_every_form(given):
    picture = show(given, WORDS).pictures["attention"]
    np.testing.assert_allclose(np.asarray(picture.weights), SEEN, atol=1e-7)
    assert picture.queries == picture.keys == WORDS


def test_fewer_axes_are_one_layer_and_one_head():
    np.testing.assert_array_equal(picture_of(SEEN[1]).weights, SEEN[1:])
    np.testing.assert_array_equal(picture_of(SEEN[1, 2]).weights, SEEN[1:, 2:])
    assert picture_of(SEEN[1]).queries == ("0", "1", "2", "3", "4")


def test_half_precision_is_read_and_not_complained_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (torch.bfloat16, torch.float16):
            picture = picture_of(list(torch.tensor(SEEN).to(kind)))
            np.testing.assert_allclose(np.asarray(picture.weights), SEEN, atol=4e-3)


def test_a_causal_mask_is_seen():
    causal = np.tril(SEEN)
    causal /= causal.sum(-1, keepdims=True)
    np.testing.assert_array_equal(picture_of(causal).mask, np.tril(np.ones((5, 5), bool)))
    assert picture_of(SEEN).mask is None


def test_steps_of_a_generation_become_one_map():
    whole = np.tril(weights(2, 3, 6, 6))
    whole /= whole.sum(-1, keepdims=True)
    steps = [tuple(torch.tensor(layer[None, :, :4, :4]) for layer in whole)]
    steps += [tuple(torch.tensor(layer[None, :, n : n + 1, : n + 1]) for layer in whole) for n in (4, 5)]
    np.testing.assert_array_equal(np.stack(layers_of(tuple(steps))), whole)


def test_all_tokens_of_a_generation_name_the_steps_though_the_last_was_never_read():
    steps = [tuple(torch.tensor(CAUSAL[:, None, :, :4, :4])), tuple(torch.tensor(CAUSAL[:, None, :, 4:]))]
    picture = show(steps, [*WORDS, "six"]).pictures["attention"]
    assert picture.queries == picture.keys == WORDS
    source = [f"source {n}" for n in range(5)]
    cross = show(cross=steps, target=[*WORDS, "six"], source=source).pictures["cross"]
    assert (cross.queries, cross.keys) == (WORDS, tuple(source))
    with pytest.raises(ValueError, match="the weights have 5 keys, and 6 tokens were given"):
        show(cross=steps, target=WORDS, source=[*source, "source 5"])
    with pytest.raises(ValueError, match="the weights have 5 queries, and 6 tokens were given"):
        show(SEEN, [*WORDS, "six"])


def test_layers_without_attention_are_left_out_and_said():
    picture = picture_of((None, SEEN[0], None, SEEN[1]), WORDS)
    np.testing.assert_array_equal(np.asarray(picture.weights), SEEN)
    assert picture.facts == ("attention in layers 1, 3 of 4 only; counted from 0 here",)
    steps = [(None, torch.tensor(CAUSAL[0, None, :, :4, :4])), (None, torch.tensor(CAUSAL[0, None, :, 4:]))]
    assert picture_of(steps).facts == ("attention in layer 1 of 2 only; counted from 0 here",)
    assert picture_of(tuple(SEEN)).facts == ()


def test_three_kinds_have_their_own_tokens():
    source, target = ["a", "b", "c"], ["d", "e"]
    kinds: Any = {"encoder": weights(1, 2, 3, 3), "decoder": weights(1, 2, 2, 2), "cross": weights(1, 2, 2, 3)}
    shown = show(**kinds, source=source, target=target)
    assert list(shown.pictures) == ["encoder", "decoder", "cross"]
    assert (shown.pictures["cross"].queries, shown.pictures["cross"].keys) == (("d", "e"), ("a", "b", "c"))
    header, arrays = payload_of(shown.html())
    assert header["kinds"] == ["encoder", "decoder", "cross"]
    inner = unpack(arrays["kind:cross"].tobytes())
    np.testing.assert_array_equal(inner.arrays["weights"], kinds["cross"])


def test_a_file_of_the_view_is_drawn_with_all_that_it_holds():
    random = np.random.default_rng(0)
    q, k = (random.normal(size=(1, 2, 3, 4)).astype("f4") for _ in range(2))
    mask = np.tril(np.ones((3, 3), "u1"))
    file = {
        "attention": explained(q, k, 2.0, mask=mask),
        "q": q,
        "k": k,
        "mask": mask,
        "scale": "2",
        "tokens": '["a", "b", "c"]',
    }
    picture = show({f"decoder.{name}": part for name, part in file.items()}).pictures["decoder"]
    np.testing.assert_allclose(np.asarray(picture.weights), file["attention"], atol=1e-7)
    np.testing.assert_array_equal(picture.q, q)
    assert (picture.scale, picture.queries, picture.mask.tolist()) == (2, ("a", "b", "c"), mask.tolist())
    both = show(
        {"cross.attention": weights(1, 1, 2, 3), "cross.queries": '["a", "b"]', "cross.keys": '["c", "d", "e"]'}
    )
    assert both.pictures["cross"].keys == ("c", "d", "e")


def test_a_file_of_numpy_may_have_texts_as_an_array_and_layers_without_a_name(tmp_path):
    np.savez(tmp_path / "named.npz", attention=SEEN, tokens=np.array(WORDS))
    np.savez(tmp_path / "unnamed.npz", *SEEN)
    np.savez(tmp_path / "one.npz", SEEN)
    named = show(np.load(tmp_path / "named.npz")).pictures["attention"]
    np.testing.assert_array_equal(np.asarray(named.weights), SEEN)
    assert named.queries == WORDS
    for name in ("unnamed", "one"):
        picture = show(np.load(tmp_path / f"{name}.npz"), np.array(WORDS), np.array(WORDS)).pictures["attention"]
        np.testing.assert_array_equal(np.asarray(picture.weights), SEEN)
        assert [type(name) for name in picture.keys] == [str] * 5


def test_a_file_holds_the_weights_and_opens_on_the_head(tmp_path):
    path = show(SEEN, WORDS, layer=1, head=2).save(tmp_path / "attention.html")
    header, arrays = payload_of(path.read_text(encoding="utf-8"))
    np.testing.assert_array_equal(arrays["weights"], SEEN)
    assert header["open"] == [1, 2]
    assert set(arrays) >= {"score:entropy", "score:distance", "score:previous", "score:first"}


def test_what_a_notebook_keeps_as_text_is_one_line():
    shown = show(SEEN, WORDS)
    assert repr(shown) == str(shown) == "Shown: 2 layers × 3 heads, 5 × 5"
    both = show(encoder=SEEN, cross=weights(1, 1, 4, 5))
    assert repr(both) == "Shown: encoder, 2 layers × 3 heads, 5 × 5; cross, 1 layer × 1 head, 4 × 5"
    picture = shown.pictures["attention"]
    packed = Packed(picture)
    assert repr(picture) == "Picture: 2 layers × 3 heads, 5 × 5"
    assert repr(packed) == "Packed: 2 layers × 3 heads, 5 × 5"
    assert repr(Sent.of(SEEN, 2)) == "Sent: 2 layers × 3 heads, 5 × 5"
    assert repr(Kinds({"decoder": packed})) == "Kinds: decoder, 2 layers × 3 heads, 5 × 5"


def test_a_notebook_draws_a_frame():
    shown = show(Picture(WORDS, WORDS, SEEN), height=321)
    assert re.search(r"<iframe srcdoc=.*height: 321px", shown._repr_html_(), re.DOTALL)
    untrusted = re.sub(r"<iframe.*</iframe>", "", shown._repr_html_(), flags=re.DOTALL)
    assert "Attention: 2 layers × 3 heads, 5 × 5. Where no picture follows, trust this notebook" in untrusted


class Outputs:
    attentions = (SEEN,)


class Nothing:
    attentions = None


class Both:
    encoder_attentions = decoder_attentions = (SEEN,)


class Ours(NamedTuple):
    encoder: tuple = (SEEN,)
    decoder: tuple = ()
    cross: tuple = ()


EAGER = 'returned no attention. With transformers, load it with attn_implementation="eager"'


@pytest.mark.parametrize(
    ("given", "tokens", "sentence"),
    [
        ((), None, EAGER),
        ((None, None), None, EAGER),
        (None, None, "was given no weights. If they are None, the model returned no attention"),
        (Outputs(), None, "give its field outputs.attentions"),
        (Nothing(), None, EAGER),
        (Both(), None, r"show\(encoder=outputs.encoder_attentions, decoder=outputs.decoder_attentions\)"),
        (Ours(), None, "give its field outputs.attention.encoder"),
        ({"attentions": (SEEN,)}, None, r'give its field outputs\["attentions"\]'),
        ({"weights": SEEN}, None, "none is called attention, but weights; give one of them"),
        ({}, None, "should be arrays by name, and there are none; give weights$"),
        ("weights", None, "str is not an array"),
        (weights(2, 4, 3, 5, 5), None, r"a batch of 4 texts. Give one text"),
        ([weights(4, 3, 5, 5)], None, r"a batch of 4 texts"),
        (
            torch.tensor(SEEN),
            None,
            r"may be 2 layers, or one layer of a batch of 2 texts. .*list\(attention\); .*attention\[0\]",
        ),
        (weights(1, 4, 3, 5, 5), None, r"one text in 4 layers, or 4 texts in one layer. Give list\(attention\[0\]\)"),
        (torch.tensor(SEEN[0]).to_sparse(), None, "give attention.to_dense()"),
        (torch.tensor(SEEN[0]).to("meta"), None, "a shape and no numbers"),
        ({"attention": SEEN, "tokens": "['one', 'two']"}, None, "its tokens cannot be read"),
        (np.ones(5), None, r"the shape \(5,\); expected \(heads, queries, keys\)"),
        ([np.ones((5, 5))], None, r"layer 0 has the shape \(5, 5\)"),
        ([SEEN[0], SEEN[1, :, :4]], None, r"layer 0 has the shape \(3, 5, 5\) and layer 1 \(3, 4, 5\)"),
        (np.ones((1, 0, 5, 5)), None, "nothing to draw"),
        (SEEN, WORDS[:4], "weights have 5 queries, and 4 tokens were given. A model's own tokens"),
        (SEEN, "one two three four five", "a list with a name per row"),
        (SEEN, [1, 2, 3, 4, 5], "convert_ids_to_tokens"),
        (np.log(SEEN), WORDS, "layer 0 has weights below 0, as scores have"),
        (np.where(SEEN[1, 2, 3, 4] == SEEN, np.nan, SEEN), WORDS, "layer 1, head 2 holds numbers that are not finite"),
        (np.array([["a"]]), None, "cannot be read as an array of numbers"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(given, tokens, sentence):
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(") if sentence is EAGER else sentence):
        show(given, tokens)


def test_rows_that_do_not_add_up_are_warned_of():
    dropped = SEEN.copy()
    dropped[0, 0, 0] *= 1.5
    with pytest.warns(
        UserWarning, match=r"1 of 30 rows do not add up to 1 \(from 1.5 to 1.5\). Was the model in training"
    ):
        show(dropped, WORDS)
    with pytest.warns(
        UserWarning, match=r"30 of 30 rows do not add up to 1 .*The rest goes to no token: to an attention"
    ):
        show(SEEN * np.float32(0.9), WORDS)
    dropped[0, 0, 0] = 0  # nothing to look at
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        show(dropped, WORDS)


def test_mixed_kinds_and_heads_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="give either attention and tokens, or encoder"):
        show(SEEN, WORDS, cross=SEEN)
    with pytest.raises(ValueError, match="layer 2, head 0 is not among 2 layers of 3 heads"):
        show(SEEN, layer=2).html()


def test_it_needs_no_torch():
    code = "import sys; from attention_view import show; show([[[[1.0]]]]).html(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.wide
def test_a_page_of_many_numbers_keeps_to_its_size():
    """144 heads of 128 tokens are rounded as little as the page's size allows, and it says by how much: less where a
    mask halves them."""
    n = 128
    full = np.exp(1.5 * np.random.default_rng(0).normal(size=(12, 12, n, n)).astype("f4"))
    for seen, parts in ((np.tril(full), 2**20), (full, 2**11)):
        seen = seen / seen.sum(-1, keepdims=True)
        text = show(seen).html()
        assert len(text.encode()) < 6_000_000
        header, arrays = payload_of(text)
        np.testing.assert_allclose(arrays["weights"], seen, rtol=1 / parts, atol=0)
        assert header["facts"] == [f"rounded: off by 1 part in {parts:,} at most"]


def test_payloads_are_text_that_html_leaves_alone():
    text = show(SEEN, WORDS).html()
    (packed,) = re.findall(r'id="payload">([^<]*)</script>', text)
    assert base64.b64decode(packed, validate=True)


def test_tokens_that_nobody_would_see_are_drawn_as_signs():
    seen = {"\n": "⏎", "": "∅", " ": "·", "\u202eevil": "\ufffdevil", "Ġcat": "Ġcat", "naïve": "naïve"}
    seen |= {"\u00a0!": "·!", " cat": "·cat", "\u3000": "·", "\u200b": "‹200b›", "\ufe0f": "‹fe0f›", "\u3164": "‹3164›"}
    shown = show(np.full((1, 1, len(seen), len(seen)), 1 / len(seen)), list(seen))
    assert shown.pictures["attention"].keys == tuple(seen.values())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"layer": 2}, "layer 2, head 0 is not among 2 layers of 3 heads, counted from 0, or from -1 backwards"),
        ({"head": 3}, "is not among"),
        ({"layer": -3}, "layer -3, head 0 is not among"),
        ({"head": -4}, "is not among"),
        ({"layer": 0.0}, r"two integers, such as \(0, 0\), and not \(0.0, 0\)"),
        ({"layer": 0.5}, "two integers"),
        ({"layer": "0"}, "two integers"),
        ({"head": ""}, "two integers"),
        ({"theme": "drak"}, "is not known"),
        ({"first": "cross"}, "first='cross' is not among the kinds that are given: attention"),
        ({"first": ""}, "is not among the kinds"),
    ],
)
def test_what_is_seen_first_is_checked_at_once(wrong: dict, sentence: str):
    with pytest.raises(ValueError, match=sentence):
        show(np.full((2, 3, 4, 4), 0.25), **wrong)


def test_the_kind_that_is_seen_first_is_checked_at_once_and_has_the_head():
    kinds: Any = {"encoder": weights(2, 3, 4, 4), "cross": weights(1, 1, 4, 4)}
    with pytest.raises(ValueError, match="first='decoder' is not among the kinds that are given: encoder, cross"):
        show(**kinds, first="decoder")
    with pytest.raises(ValueError, match="layer 1, head 0 is not among 1 layers of 1 heads"):
        show(**kinds, first="cross", layer=1)


@pytest.mark.parametrize(
    ("asked", "seen"),
    [
        ({"layer": -1}, [1, 0]),
        ({"layer": -2, "head": -1}, [0, 2]),
        ({"layer": np.int64(1), "head": np.uint8(2)}, [1, 2]),
    ],
)
def test_negative_numbers_count_from_the_end(asked: dict, seen: list[int]):
    assert payload_of(show(SEEN, WORDS, **asked).html())[0]["open"] == seen
    assert payload_of(to_html(Picture(WORDS, WORDS, SEEN), **asked))[0]["open"] == seen


def test_a_picture_may_open_with_its_last_head():
    picture = Picture(WORDS, WORDS, SEEN, opens=(-1, -1))
    assert Packed(picture).opens == (1, 2)
    for drawn in (picture, Kinds({"encoder": Picture(WORDS, WORDS, SEEN), "decoder": picture}, "decoder")):
        header, arrays = payload_of(to_html(drawn))
        own = unpack(arrays["kind:decoder"].tobytes()).header if "kinds" in header else header
        assert own["open"] == [1, 2]
    with pytest.raises(ValueError, match="layer 2, head 0 is not among"):
        show(Picture(WORDS, WORDS, SEEN, opens=(2, 0)))


def test_a_page_is_not_saved_into_a_folder_that_is_not_there(tmp_path):
    shown = show(SEEN, WORDS)
    with pytest.raises(FileNotFoundError, match=r"there is no folder '.*figures' to save attention.html in; make it"):
        shown.save(tmp_path / "figures" / "attention.html")
    assert list(tmp_path.iterdir()) == []
    assert shown.save(str(tmp_path / "attention.html")).read_text(encoding="utf-8").startswith("<!doctype html>")
