"""What later models changed, as controls of an untrained model: each reaches it, and is quiet until it is used."""

from typing import Any

import numpy as np
import pytest
import torch

from pages.shared.hyperparameters import BIASES
from tests.pages import driver
from tests.payloads import recomputed, unpack
from transformer.config import TransformerConfig
from transformer.inspection.run import run_with_maps
from transformer.model import DecoderModel
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
    ({"positions": "rotary", "rotary_share": "0.25"}, {"positions": "rotary", "rotary_share": 0.25}),
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
    assert "rotary_share" in driver.values(driver.visit("heads", weights="untrained", positions="rotary"))


@pytest.mark.parametrize("d_model", [4, 9, 15, 64])
def test_any_share_of_any_width_turns_whole_pairs(d_model: int) -> None:
    for share in ("0.25", "0.5", "0.75"):
        at = driver.visit(
            "heads", weights="untrained", text=TEXT, positions="rotary", d_model=d_model, heads=1, rotary_share=share
        )
        assert driver.notices(at) == ""


def test_on_blocks_they_are_the_same_controls() -> None:
    at = driver.visit(
        "blocks", weights="untrained", text=TEXT, gate="gated", norm_kind="RMSNorm", sublayers="side by side"
    )
    assert driver.notices(at) == ""
