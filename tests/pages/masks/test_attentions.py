"""Three attentions: the shapes, masks and weights of an encoder-decoder."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.masks.components.mask_brush import MAX_SIDE
from tests.pages.driver import choose, notices, payloads, words
from tests.pages.masks.brush import SIX, panels, visit
from tests.payloads import recomputed, unpack


def three(**link: str) -> AppTest:
    return visit(masks_view="Wiring", mask_target="un deux", **link)


@pytest.mark.parametrize("pads", [0, 1, 4])
def test_three_attentions_and_their_masks(pads: int) -> None:
    by_title = panels(three(masks_pads=str(pads)))
    encoder, decoder, cross = (by_title[title]["values"] for title in ("Encoder self", "Decoder self", "Cross"))
    S, T = 6 + pads, 3
    assert (encoder.shape, decoder.shape, cross.shape) == ((S, S), (T, T), (T, S))
    for weights in (encoder, cross):
        assert np.all(weights[:, :6] > 0)
        assert np.all(weights[:, 6:] == 0)
    assert np.array_equal(decoder > 0, np.tri(T, dtype=bool))
    assert decoder[0].tolist() == [1, 0, 0]
    assert by_title["Cross"]["queries"] == ["⟨start⟩", "un", "deux"]
    assert by_title["Cross"]["keys"] == [*SIX.split(), *["⟨pad⟩"] * pads]


@pytest.mark.parametrize(("which", "shape"), [("Encoder self", (8, 8)), ("Decoder self", (3, 3)), ("Cross", (3, 8))])
def test_one_attention_with_all_its_heads(which: str, shape: tuple[int, int]) -> None:
    at = three(masks_which=which)
    picture = unpack(next(data for data in payloads(at) if isinstance(data, bytes)))
    assert picture.arrays["weights"].shape == (2, 4, *shape)
    assert np.allclose(recomputed(picture), picture.arrays["weights"], atol=1e-5)


def test_no_target_is_a_notice() -> None:
    assert "no target" in notices(choose(three(), mask_target=""))


def test_a_long_target_is_cut_with_a_notice() -> None:
    at = choose(three(), mask_target="la " * 40)
    assert panels(at)["Cross"]["values"].shape == (MAX_SIDE, 8)
    assert f"The first {MAX_SIDE - 1} tokens of the target are shown; 17 are left out." in notices(at)


def test_the_trained_translator_reads_what_it_knows() -> None:
    at = visit("mia found a red hat", masks_view="Wiring")
    assert notices(at) == ""
    cross = panels(at)["Cross"]
    assert cross["queries"][-1] == "⟨end⟩"
    assert cross["queries"][cross["values"][:, cross["keys"].index("hat")].argmax()] == "chapeau", (
        "it looks where it reads"
    )
    assert "the trained translator" in words(at)


def test_an_old_link_to_three_attentions_opens_wiring() -> None:
    at = visit(masks_view="Three attentions", mask_target="un deux", masks_pads="1")
    assert panels(at)["Cross"]["keys"] == [*SIX.split(), "⟨pad⟩"]
    assert "an untrained model" in words(at)
