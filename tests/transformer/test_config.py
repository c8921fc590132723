import dataclasses
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transformer.oracles import quick, rng
from transformer.core.config import PRESETS, TransformerConfig
from transformer.core.model import Transformer


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"d_model": 10, "n_heads": 3}, "d_model=10 cannot be split into 3 equal heads; try 9 or 12"),
        ({"d_model": 2, "n_heads": 3}, "d_model=2 cannot be split into 3 equal heads; try 3"),
        ({"n_heads": 4, "n_kv_heads": 3}, "4 heads cannot share 3 key/value heads equally; try 1, 2 or 4"),
        ({"n_heads": 4, "n_kv_heads": 8}, "4 heads cannot share 8 key/value heads equally; try 1, 2 or 4"),
        ({"d_model": 5, "n_heads": 1, "n_kv_heads": 2}, "1 heads cannot share 2 key/value heads equally; try 1"),
        ({"d_model": 0}, "d_model=0 must be a whole number of at least 1"),
        ({"d_model": 64.0}, "d_model=64.0 must be a whole number of at least 1"),
        ({"d_model": "64"}, "d_model='64' must be a whole number of at least 1"),
        ({"n_heads": True}, "n_heads=True must be a whole number of at least 1"),
        ({"n_heads": -2}, "n_heads=-2 must be a whole number of at least 1"),
        ({"n_kv_heads": 0}, "n_kv_heads=0 must be a whole number of at least 1"),
        ({"vocab_size": 0}, "vocab_size=0 must be a whole number of at least 1"),
        ({"tgt_vocab_size": 0}, "tgt_vocab_size=0 must be a whole number of at least 1"),
        ({"d_ff": 0}, "d_ff=0 must be a whole number of at least 1"),
        ({"max_len": 0}, "max_len=0 must be a whole number of at least 1"),
        ({"n_encoder_layers": -1}, "n_encoder_layers=-1 must be a whole number of at least 0"),
        ({"n_decoder_layers": 1.5}, "n_decoder_layers=1.5 must be a whole number of at least 0"),
        (
            {"positions": "sine"},
            "positions='sine' is not known; try none, sinusoidal, learned, rotary, relative or alibi",
        ),
        ({"norm": "both"}, "norm='both' is not known; try pre or post"),
        ({"activation": "tanh"}, "activation='tanh' is not known; try relu, gelu, gelu_tanh or silu"),
        ({"base": 1}, "base=1 must be a number above 1, such as 10000"),
        ({"base": float("inf")}, "base=inf must be a number above 1, such as 10000"),
        ({"dropout": 10**400}, f"dropout={10**400!r} must be at least 0 and below 1, such as 0.1"),
        ({"base": "10000"}, "base='10000' must be a number above 1, such as 10000"),
        ({"dropout": 1.0}, "dropout=1.0 must be at least 0 and below 1, such as 0.1"),
        ({"dropout": -0.1}, "dropout=-0.1 must be at least 0 and below 1, such as 0.1"),
        ({"dropout": float("nan")}, "dropout=nan must be at least 0 and below 1, such as 0.1"),
        ({"dropout": False}, "dropout=False must be at least 0 and below 1, such as 0.1"),
        ({"norm_eps": 0.0}, "norm_eps=0.0 must be a small number above 0, such as 1e-5"),
        ({"scaled": 1}, "scaled is switched on with True or off with False"),
        ({"bias": "yes"}, "bias is switched on with True or off with False"),
        ({"scale_embeddings": None}, "scale_embeddings is switched on with True or off with False"),
        ({"tie_output": 0}, "tie_output is switched on with True or off with False"),
        ({"head_width": 0}, "head_width=0 must be a whole number of at least 1"),
        ({"head_width": 4, "n_kv_heads": 3}, "4 heads cannot share 3 key/value heads equally; try 1, 2 or 4"),
        ({"qkv_bias": 1}, "qkv_bias is switched on with True or off with False"),
        ({"final_norm": "yes"}, "final_norm is switched on with True or off with False"),
        ({"norm_kind": "batch"}, "norm_kind='batch' is not known; try layer, rms or none"),
        ({"pairing": "third"}, "pairing='third' is not known; try interleaved or half"),
        ({"rotary_scaling": "sqrt"}, "rotary_scaling='sqrt' is not known; try none, linear, ntk, llama3 or yarn"),
        ({"rotary_share": 0}, "rotary_share=0 must be above 0 and at most 1; 1 turns all"),
        ({"rotary_factor": 0.5}, "rotary_factor=0.5 must be at least 1; 1 changes nothing"),
        ({"rotary_low": 0}, "rotary_low=0 must be a number above 0, such as 1"),
        ({"rotary_high": 1}, "rotary_high=1 must be above rotary_low=1.0, such as 4"),
        ({"rotary_len": 0}, "rotary_len=0 must be a number of tokens, such as 8192"),
        ({"window": 0}, "window=0 must be a whole number of at least 1"),
        ({"window_layers": 3}, "window_layers=3 must be the numbers of layers, such as (0, 2)"),
        ({"window_layers": (0, "1")}, "a layer of window_layers='1' must be a whole number of at least 0"),
        ({"n_segments": -1}, "n_segments=-1 must be a whole number of at least 0"),
        ({"position_offset": None}, "position_offset=None must be a whole number of at least 0"),
        ({"image_size": 0}, "image_size=0 must be a whole number of at least 1"),
        ({"image_size": 9}, "an image 9 pixels wide cannot be cut into patches of 16"),
        ({"image_size": 32}, "an image has no token embeddings that its output could be tied to; set tie_output=False"),
        ({"output_scale": 0}, "output_scale=0 must be a number above 0; 1 changes nothing"),
        (
            {"parallel": True, "norm": "post"},
            "parallel sublayers need norm='pre': there is no place for a norm after each of them",
        ),
        ({"tie_source": 0}, "tie_source is switched on with True or off with False"),
        ({"positions": "relative", "n_buckets": 2}, "n_buckets=2 must be a whole number of at least 4"),
        ({"positions": "relative", "max_distance": 1}, "max_distance=1 must be a whole number of at least 2"),
        ({"positions": "relative", "n_buckets": 7}, "n_buckets=7 must be even: half look back, half look ahead"),
        (
            {"positions": "relative", "n_buckets": 32, "max_distance": 16},
            "max_distance=16 must be above 16, half of n_buckets",
        ),
        (
            {"tie_source": True, "vocab_size": 10, "tgt_vocab_size": 20},
            "one embedding cannot serve 10 source and 20 target tokens;"
            " make the two vocabularies the same size, or set tie_source=False",
        ),
    ],
)
def test_every_error_is_a_sentence(settings, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        TransformerConfig(**settings)


def test_buckets_matter_to_the_relative_scheme_only():
    assert TransformerConfig(n_buckets=7, max_distance=1).n_buckets == 7
    assert TransformerConfig(positions="relative", n_buckets=32, max_distance=17).max_distance == 17


def test_what_is_left_out_is_derived():
    config = TransformerConfig(vocab_size=30, d_model=12, n_heads=3)
    assert (config.tgt_vocab_size, config.n_kv_heads, config.d_ff, config.d_k) == (30, 3, 48, 4)
    given = TransformerConfig(vocab_size=30, tgt_vocab_size=7, d_model=12, n_heads=4, n_kv_heads=2, d_ff=5)
    assert (given.tgt_vocab_size, given.n_kv_heads, given.d_ff, given.d_k) == (7, 2, 5, 3)


def test_equal_models_are_equal_keys():
    said = TransformerConfig(vocab_size=30, tgt_vocab_size=30, d_model=12, n_heads=3, n_kv_heads=3, d_ff=48)
    meant = TransformerConfig(vocab_size=30, d_model=12, n_heads=3)
    other = TransformerConfig(vocab_size=30, d_model=12, n_heads=3, norm="post")
    assert said == meant
    assert hash(said) == hash(meant)
    assert {said: "a", meant: "b", other: "c"} == {meant: "b", other: "c"}


def test_a_config_survives_json():
    config = TransformerConfig(window=5, window_layers=(0, 2), head_width=7, qkv_bias=False, rotary_factor=2.0)
    again = TransformerConfig(**json.loads(json.dumps(dataclasses.asdict(config))))
    assert again == config
    assert hash(again) == hash(config)


def test_a_head_width_of_its_own_frees_d_model():
    config = TransformerConfig(d_model=10, n_heads=3, head_width=4)
    assert config.d_k == 4
    assert dataclasses.replace(config, d_model=11).d_k == 4
    assert dataclasses.replace(TransformerConfig(d_model=12, n_heads=3), d_model=6).d_k == 2


def test_a_config_is_frozen_and_takes_names_only():
    config = TransformerConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.d_model = 128  # pyrefly: ignore[read-only]: that is the test
    with pytest.raises(TypeError):
        TransformerConfig(1000)  # pyrefly: ignore[bad-argument-count]: that is the test


def test_a_changed_copy_is_checked_too():
    config = TransformerConfig(d_model=12, n_heads=3)
    assert dataclasses.replace(config, norm="post").norm == "post"
    with pytest.raises(ValueError, match="d_model=10 cannot be split"):
        dataclasses.replace(config, d_model=10)


@quick
@given(d_model=st.integers(1, 40), n_heads=st.integers(1, 12), n_kv_heads=st.none() | st.integers(1, 12))
def test_a_config_is_made_exactly_when_heads_divide(d_model, n_heads, n_kv_heads):
    fits = d_model % n_heads == 0
    shares = n_heads % (n_kv_heads or n_heads) == 0
    if fits and shares:
        config = TransformerConfig(d_model=d_model, n_heads=n_heads, n_kv_heads=n_kv_heads)
        assert config.d_k * config.n_heads == d_model
        return
    with pytest.raises(ValueError, match=r"; try \d") as error:
        TransformerConfig(d_model=d_model, n_heads=n_heads, n_kv_heads=n_kv_heads)
    for advice in re.findall(r"\d+", str(error.value).split("; try ")[1]):
        if fits:
            TransformerConfig(d_model=d_model, n_heads=n_heads, n_kv_heads=int(advice))
        else:  # the width that is proposed works, and is the nearest on its side
            assert int(advice) % n_heads == 0
            assert abs(int(advice) - d_model) < n_heads


def count(config) -> int:
    """Parameters of an encoder-decoder with one table for everything and no final norms, by the shapes of the paper."""
    D, F = config.d_model, config.d_ff
    attention, feed_forward, norm = 4 * (D * D + D), 2 * D * F + F + D, 2 * D
    encoder = config.n_encoder_layers * (attention + feed_forward + 2 * norm)
    decoder = config.n_decoder_layers * (2 * attention + feed_forward + 3 * norm)
    return config.vocab_size * D + encoder + decoder


@pytest.mark.slow
def test_paper_base_is_the_base_model_of_the_paper():
    config = PRESETS["paper_base"]
    assert (config.d_model, config.n_heads, config.d_k, config.d_ff) == (512, 8, 64, 2048)
    assert (config.n_encoder_layers, config.n_decoder_layers) == (6, 6)
    assert (config.norm, config.activation, config.dropout) == ("post", "relu", 0.1)
    assert (config.positions, config.base) == ("sinusoidal", 10_000)
    parameters = sum(p.numel() for p in Transformer(config, rng()).parameters())
    assert parameters == count(config) == 63_082_496  # "65 million" in Table 3, row "base"


@pytest.mark.parametrize("name", ["tiny", "classroom"])
def test_small_presets(name):
    config = PRESETS[name]
    parameters = sum(p.numel() for p in Transformer(config, rng()).parameters())
    # Pre-norm closes both stacks with a norm, and the source has a table of its own.
    assert parameters == count(config) + 2 * 2 * config.d_model + config.vocab_size * config.d_model
    assert hash(config) == hash(dataclasses.replace(config))


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8])
def test_the_number_of_heads_costs_nothing(n_heads):
    config = TransformerConfig(d_model=8, n_heads=n_heads, vocab_size=11, norm="post", tie_source=True)
    assert sum(p.numel() for p in Transformer(config, rng()).parameters()) == count(config)
