"""Variants beside full attention: what a model reads with them, and their costs, which are counted."""

import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.masks import sliding_window
from transformer.core.model import EncoderModel
from transformer.inspection import variants
from transformer.inspection.variants import FULL, GROUPED, IN_BLOCKS, LINEAR, LOW_RANK, NAMES, TIMED, Sizes

SIZES = Sizes(4, 2)


def test_each_saves_what_it_is_for():
    def share(name: str, of: str) -> float:
        cost = variants.cost(name, 24, 8, 4, SIZES)
        assert cost.of == of
        return cost.share

    for name in NAMES[:4]:
        mask = variants.mask_of(name, 24, SIZES)
        assert mask is not None
        assert share(name, variants.WORK) == mask.double().mean()
    assert share(LINEAR, variants.WORK) == (2 * 24 * 8 * 8 + 24 * 8) / (2 * 24 * 24 * 8)
    assert share(LOW_RANK, variants.WORK) == share(IN_BLOCKS, variants.MEMORY) == 4 / 24
    assert share(GROUPED, variants.CACHE) == 1 / 4
    assert variants.multiplications(IN_BLOCKS, 24, 8, SIZES) == variants.multiplications(FULL, 24, 8, SIZES)


@pytest.mark.slow
def test_what_is_held_grows_as_it_is_said():
    def held(name: str, n: int) -> int:
        return variants.numbers_held(name, n, 8, SIZES)

    assert held(FULL, 64) == held(GROUPED, 64) == 64 * 64
    assert held(LINEAR, 64) == held(LINEAR, 640) == 8 * 9
    assert held(LOW_RANK, 640) == held(IN_BLOCKS, 640) == 640 * 4
    for name in NAMES[:3]:
        assert held(name, 1280) < 2.1 * held(name, 640) < 640 * 25
    assert variants.bytes_held(FULL, 10, 8, SIZES) == torch.zeros(10, 10).nbytes


@pytest.mark.parametrize("name", NAMES[:4])
@pytest.mark.parametrize("sizes", [Sizes(2, 0), Sizes(3, 2), Sizes(4, 1), Sizes(6, 3), Sizes(12, 3), Sizes(40, 40)])
def test_open_cells_are_those_of_the_mask(name: str, sizes: Sizes):
    for n in (1, 2, 5, 12, 29, 30):
        mask = variants.mask_of(name, n, sizes)
        assert mask is not None
        assert variants.numbers_held(name, n, 8, sizes) == int(mask.sum())
        assert mask.diagonal().all()


def test_no_mask_of_thousands_of_words_is_made_to_count_its_cells(monkeypatch: pytest.MonkeyPatch):
    """One of 4,096 words is made of offsets in 64 bits: 134 MB, several times over."""
    monkeypatch.setattr(variants, "mask_of", None)
    assert all(variants.numbers_held(name, 4096, 8, SIZES) <= 4096 * 4096 for name in (FULL, *NAMES))


def test_all_are_timed_at_every_length():
    times = variants.time_lengths(4, 2, SIZES, lengths=(8, 16), seconds=0.01)
    assert tuple(times) == TIMED
    assert all(len(line) == 2 and min(line) > 0 for line in times.values())


@torch.inference_mode()
def test_a_model_reads_with_a_variant_in_the_place_of_its_heads():
    config = TransformerConfig(vocab_size=20, d_model=16, n_heads=2, n_encoder_layers=2, n_decoder_layers=0)
    model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    ids = torch.arange(1, 13).reshape(2, 6)
    usual = model(ids).logits
    for name in (FULL, IN_BLOCKS, variants.WINDOW):  # a window as wide as the text
        size = 2 if name == IN_BLOCKS else 6
        found = variants.logits_with(model, ids, name, Sizes(size, 0))
        torch.testing.assert_close(found, usual, atol=1e-5, rtol=1e-5)
    narrow = variants.logits_with(model, ids, variants.WINDOW, Sizes(2, 0))
    torch.testing.assert_close(narrow, model(ids, sliding_window(6, 2)).logits, atol=1e-5, rtol=1e-5)
    for name in (LINEAR, LOW_RANK, GROUPED):
        assert (variants.logits_with(model, ids, name, Sizes(2, 0)) - usual).abs().max() > 1e-3
    torch.testing.assert_close(variants.logits_under(model, ids, sliding_window(6, 2)), narrow, atol=1e-5, rtol=1e-5)
