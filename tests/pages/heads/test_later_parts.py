"""What later models changed, as controls of an untrained model: each reaches it, and is quiet until it is used."""

from typing import Any

import numpy as np
import pytest
import torch

from lab.kit.controls.hyperparameters import BIASES
from tests.pages import driver
from tests.payloads import explained, recomputed, unpack
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.stretching import stretch_fields
from transformer.inspection import blocks
from transformer.inspection.run import run_with_maps
from transformer.training.text import hashed_ids

TEXT = "one two three four five six"
TOKENS = tuple(TEXT.split())
PARTS: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({"norm_kind": "RMSNorm"}, {"norm_kind": "rms"}),
    ({"gate": "gated"}, {"gated": True}),
    ({"sublayers": "side by side"}, {"parallel": True}),
    ({"activation": "SiLU", "gate": "gated"}, {"activation": "silu", "gated": True}),
    ({"activation": "GELU (tanh)"}, {"activation": "gelu_tanh"}),
    ({"head_norm": "normalised"}, {"head_norm": True}),
    ({"d_k": "32"}, {"head_width": 32}),
    ({"d_k": "16"}, {}),  # what 64 / 4 is anyway
    *(({"biases": name}, fields) for name, fields in BIASES.items()),
    ({"embedding_norm": "normalised"}, {"embedding_norm": True}),
    (
        {"positions": "rotary", "rotary_stretch": "YaRN", "rotary_factor": "4"},
        {"positions": "rotary", **stretch_fields("yarn", 4, 32)},
    ),
    ({"positions": "rotary", "rotary_share": "0.25"}, {"positions": "rotary", "rotary_share": 0.25}),
    ({"positions": "rotary", "rotary_pairs": "halves"}, {"positions": "rotary", "pairing": "half"}),
]


@pytest.mark.few(5)
@pytest.mark.parametrize(("link", "fields"), PARTS, ids=lambda part: " ".join(map(str, part.values())) or "none")
def test_each_part_reaches_the_model(link: dict[str, Any], fields: dict[str, Any]) -> None:
    at = driver.visit("heads", weights="untrained", model="Decoder", text=TEXT, **link)
    assert driver.notices(at) == ""
    picture = unpack(driver.payload(at))
    config = TransformerConfig(vocab_size=4096, n_decoder_layers=3, max_len=512, **fields)
    model = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    maps = run_with_maps(model, hashed_ids(list(TOKENS), 4096), TOKENS).attention["decoder"]
    np.testing.assert_allclose(picture.arrays["weights"], maps.weights, atol=1e-6)
    assert np.abs(recomputed(picture) - maps.weights).max() < 1e-5
    plain = DecoderModel(
        TransformerConfig(vocab_size=4096, n_decoder_layers=3), torch.Generator().manual_seed(0)
    ).eval()
    usual = run_with_maps(plain, hashed_ids(list(TOKENS), 4096), TOKENS).attention["decoder"]
    is_same = maps.weights.shape == usual.weights.shape and np.allclose(maps.weights, usual.weights, atol=1e-6)
    # At the start biases are zero, so a model without them is the same but for their absence.
    assert is_same == (not fields or "bias" in fields)


def test_windows_by_layer_reach_the_model_and_each_map_has_its_own_mask() -> None:
    link: dict[str, Any] = {
        "weights": "untrained",
        "model": "Decoder",
        "text": TEXT,
        "mask": "causal window",
        "span": "2",
    }
    at = driver.visit("heads", **link, window_layers="every other layer")
    assert driver.notices(at) == ""
    picture = unpack(driver.payload(at))
    full = np.tri(6, dtype=bool)
    near = full & ~np.tri(6, k=-2, dtype=bool)
    masks = picture.arrays["mask"][picture.header["masks"]]
    np.testing.assert_array_equal(masks, [near, full, near])
    weights = picture.arrays["weights"]
    assert np.array_equal(weights > 0, np.broadcast_to(masks[:, None], weights.shape))
    for layer in range(3):  # in float64, from the q and k that were sent
        q, k = picture.arrays["q"][layer], picture.arrays["k"][layer]
        ours = explained(q, k, picture.header["scale"], None, masks[layer])
        np.testing.assert_allclose(weights[layer], ours, atol=1e-5)
    config = TransformerConfig(vocab_size=4096, n_decoder_layers=3, max_len=512, window=2, window_layers=(0, 2))
    model = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    maps = run_with_maps(model, hashed_ids(list(TOKENS), 4096), TOKENS).attention["decoder"]
    np.testing.assert_allclose(weights, maps.weights, atol=1e-6)
    everywhere = unpack(driver.payload(driver.visit("heads", **link)))
    assert "masks" not in everywhere.header
    np.testing.assert_array_equal(everywhere.arrays["mask"], near)
    assert "window_layers" not in driver.values(driver.visit("heads", **link | {"layers": 1}))


def test_what_is_left_alone_is_not_said() -> None:
    quiet = driver.visit("heads", weights="untrained", text=TEXT)
    chips = " ".join(html.value for html in quiet.get("html") if "chips" in str(html.value))
    for label in ("Norm", "Gate", "Sublayers", "Biases", "d_k"):
        assert f"<span>{label}" not in chips
    said = driver.visit("heads", weights="untrained", text=TEXT, gate="gated", norm_kind="RMSNorm")
    chips = " ".join(html.value for html in said.get("html") if "chips" in str(html.value))
    assert "<span>Gate: gated</span>" in chips
    assert "<span>Norm: RMSNorm</span>" in chips


def test_a_part_is_offered_only_where_it_can_be() -> None:
    after = driver.visit("heads", weights="untrained", norm="after (post)")
    assert "sublayers" not in driver.values(after)
    assert "rotary_share" not in driver.values(after)
    assert "rotary_stretch" not in driver.values(after)
    assert "output_head" not in driver.values(after), "it changes logits alone, and none are shown here"
    assert "rotary_share" in driver.values(driver.visit("heads", weights="untrained", positions="rotary"))


@pytest.mark.parametrize("d_model", [4, 9, 15, 64])
def test_any_share_of_any_width_turns_whole_pairs(d_model: int) -> None:
    for share in ("0.25", "0.5", "0.75"):
        at = driver.visit(
            "heads", weights="untrained", text=TEXT, positions="rotary", d_model=d_model, heads=1, rotary_share=share
        )
        assert driver.notices(at) == ""


def test_a_transform_before_the_logits_is_read_out_on_blocks() -> None:
    link = {"weights": "untrained", "text": TEXT, "blocks_part": "The stream"}
    for name, has_transform in (("nothing", False), ("a transform", True)):
        at = driver.visit("blocks", **link, output_head=name)
        assert driver.notices(at) == ""
        config = TransformerConfig(vocab_size=4096, max_len=512, n_encoder_layers=6, output_transform=has_transform)
        model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
        stream = blocks.follow_token(model, hashed_ids(list(TOKENS), 4096), 1)
        assert ("but the transform before it" in driver.words(at)) is has_transform
        shown = np.array(driver.charts(at)[0]["data"][0]["z"])
        column = hashed_ids(list(TOKENS), 4096)
        np.testing.assert_allclose(shown[-1], stream.logits[column], atol=1e-4)


def test_on_blocks_they_are_the_same_controls() -> None:
    at = driver.visit(
        "blocks", weights="untrained", text=TEXT, gate="gated", norm_kind="RMSNorm", sublayers="side by side"
    )
    assert driver.notices(at) == ""
