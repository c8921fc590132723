"""What a scene is sent: steps of colour are the numbers themselves, rounded, and the strongest are never lost."""

from typing import Any

import numpy as np
import pytest

from attention_view import scene
from attention_view.scenes import signed_steps, steps, strongest
from tests.payloads import explained, unpack


def test_steps_are_numbers_rounded_and_nought_is_always_the_same():
    x = np.random.default_rng(0).normal(size=(3, 4, 5))
    signed = signed_steps(x).astype(int) - 128
    largest = np.abs(x).max((1, 2), keepdims=True)
    np.testing.assert_allclose(signed / 127, x / largest, atol=0.51 / 127)
    assert (signed_steps(np.zeros((2, 3))) == 128).all()
    assert (steps(np.zeros((2, 3))) == 0).all()
    np.testing.assert_allclose(steps(np.abs(x)) / 255, np.abs(x) / largest, atol=0.51 / 255)
    assert steps(-np.abs(x)).max() == 0


def test_of_a_group_of_neighbours_the_strongest_is_seen_with_its_sign():
    assert strongest(np.array([[1.0, -3.0, 2.0, 0.0, -1.0]]), 3).tolist() == [[-3.0, 2.0, -1.0]]
    assert strongest(np.array([1.0, -3.0]), 64).tolist() == [1.0, -3.0]
    x = np.random.default_rng(1).normal(size=(2, 130))
    shown = strongest(x, 64)
    assert shown.shape[-1] <= 64
    np.testing.assert_array_equal(np.abs(shown).max(-1), np.abs(x).max(-1))


def arrays(L: int = 2, H: int = 4, T: int = 5, d: int = 8, shared_by: int = 1) -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {
        "q": random.normal(size=(L, H, T, d)).astype("f4"),
        "k": random.normal(size=(L, H // shared_by, T, d)).astype("f4"),
        "v": random.normal(size=(L, H // shared_by, T, d)).astype("f4"),
    }


WORDS = ("</script>", "mia", "<b>", "ran", ".")


@pytest.mark.parametrize("shared_by", [1, 2])
def test_a_scene_in_a_notebook_is_one_file_with_the_numbers_that_were_recorded(tmp_path, shared_by):
    given = arrays(shared_by=shared_by)
    mask = np.tril(np.ones((5, 5), bool))
    weights = explained(given["q"], given["k"], 8**0.5, mask=mask)
    stream = np.ones((3, 5, 9))
    shown = scene(WORDS, **given, weights=weights, stream=stream, hidden=np.ones((2, 5, 70)), opens=(1, 3))
    sent = unpack(shown.payload)
    assert sent.header["tokens"] == list(WORDS)
    assert sent.header["opens"] == [1, 3]
    for name, array in given.items():
        np.testing.assert_array_equal(sent.arrays[name], array)
    np.testing.assert_allclose(
        explained(sent.arrays["q"], sent.arrays["k"], sent.header["scale"], mask=mask), weights, atol=1e-6
    )
    assert sent.arrays["stream"].shape == (3, 5, 9)
    assert sent.arrays["hidden"].shape[-1] <= 64
    text = shown.save(tmp_path / "scene.html").read_text()
    assert len(text) < 3_000_000
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "<b>" not in text, "words travel in the payload, not in the HTML"
    assert "<iframe srcdoc=" in shown._repr_html_()
    assert repr(shown) == "Scene: 2 layers of 4 heads on 5 tokens"


def test_a_list_by_layer_with_a_batch_of_one_is_the_same_scene():
    given = arrays()
    by_layer: dict[str, Any] = {name: [layer[None] for layer in array] for name, array in given.items()}
    assert scene(WORDS, **by_layer).payload == scene(WORDS, **given).payload


def test_the_stations_of_a_layer_travel_with_the_scene_as_lengths_and_steps_of_colour():
    random = np.random.default_rng(2)
    layers = [[(name, random.normal(size=12)) for name in ("in", "norm", "sum")] for _ in range(2)]
    sent = unpack(scene(WORDS, **arrays(), stations=layers).payload)
    told = [station for layer in sent.header["through"] for station in layer]
    vectors = np.array([vector for layer in layers for _, vector in layer])
    assert [name for name, _ in told] == ["in", "norm", "sum"] * 2
    np.testing.assert_allclose([length for _, length in told], np.linalg.norm(vectors, axis=1), atol=1e-4)
    shares = vectors / np.abs(vectors).max(1, keepdims=True)
    np.testing.assert_allclose((sent.arrays["through"].astype(int) - 128) / 127, shares, atol=0.51 / 127)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"q": np.ones((5, 8))}, "expected \\(layers, heads, tokens, features\\)"),
        ({"k": np.ones((2, 3, 5, 8))}, "does not fit q"),
        ({"v": np.full((2, 4, 5, 8), np.nan)}, "not finite"),
        ({"tokens": ("a", "b")}, "5 queries, and 2 tokens"),
        ({"q": np.ones((2, 4, 0, 8)), "tokens": ()}, "nothing to draw in q"),
        ({"k": np.ones((2, 0, 5, 8))}, "nothing to draw in k"),
        ({"opens": (2, 0)}, "layer 2, head 0 is not among 2 layers"),
        ({"opens": (0, -5)}, "layer 0, head -5 is not among 2 layers"),
        ({"opens": (0,)}, r"two integers, such as \(0, 0\), and not \(0,\)"),
        ({"opens": 0}, "two integers"),
        ({"opens": (0, 0.5)}, "two integers"),
        ({"theme": "drak"}, "theme='drak' is not known"),
        ({"stream": np.ones((2, 5, 8))}, "stream has the shape"),
        ({"stations": [[("in", np.ones(3))]]}, "each of the 2 layers"),
        ({"stations": [[("in", np.ones(3))], [("in", np.ones(4))]]}, "of one length"),
        ({"stations": [[("in", np.full(3, np.inf))], [("in", np.ones(3))]]}, "not finite"),
        ({"weights": np.full((2, 4, 5, 5), 0.2)}, "is not what was recorded"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(change, said):
    with pytest.raises(ValueError, match=said):
        scene(**({"tokens": WORDS, **arrays()} | change))


def test_weights_under_another_scale_or_mask_are_not_what_q_and_k_give():
    given = arrays()
    mask = np.tril(np.ones((5, 5), bool))
    for scale, own in ((8**0.5, mask), (2.0, mask), (8**0.5, None)):
        weights = explained(given["q"], given["k"], scale, mask=own)
        scene(WORDS, **given, weights=weights, scale=scale, causal=own is not None)
    with pytest.raises(ValueError, match="scale and causal"):
        scene(WORDS, **given, weights=explained(given["q"], given["k"], 2.0, mask=mask))
    with pytest.raises(ValueError, match="scale and causal"):
        scene(WORDS, **given, weights=explained(given["q"], given["k"], 8**0.5))


def test_a_model_too_large_for_a_page_is_refused():
    with pytest.raises(ValueError, match="fewer layers"):
        scene(["a"] * 100, **arrays(24, 12, 100, 64))


def test_a_scene_that_is_too_large_says_how_many_tokens_fit():
    large = [np.zeros((12, 12, 60, 64), "f4")] * 3
    with pytest.raises(ValueError, match="of this model 54 tokens"):
        scene([str(n) for n in range(60)], *large)
    small = [array[:, :, :54] for array in large]
    assert scene([str(n) for n in range(54)], *small).size == "12 layers of 12 heads on 54 tokens"
    for layers, advice in ((60, "of this model 2 tokens;"), (80, "of this model 1 token;")):
        with pytest.raises(ValueError, match=advice):
            scene(["a"] * 3, *[np.zeros((layers, 64, 3, 64), "f4")] * 3)
    with pytest.raises(ValueError, match=r"of this model less than a single token; give fewer layers$"):
        scene(["a"], *[np.zeros((80, 64, 1, 128), "f4")] * 3)


def test_a_scene_opens_with_its_last_head_and_its_tokens_can_be_seen():
    for opens in ((-1, -2), tuple(np.array((1, 2)))):
        header = unpack(scene(["\n", "", "\u00a0!", "\u200b", "word"], **arrays(), opens=opens).payload).header
        assert header["opens"] == [1, 2]
        assert header["tokens"] == ["⏎", "∅", "·!", "‹200b›", "word"]


def test_a_scene_is_not_saved_into_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder '.*figures' to save scene.html in; make it"):
        scene(WORDS, **arrays()).save(tmp_path / "figures" / "scene.html")
