"""How far matrices and heads moved, against sums written out."""

import numpy as np
import pytest
import torch
from torch import Generator

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.inspection.tuning import heads_moved, largest_difference, maps, matrices_moved, singular_values
from transformer.training.batches import collate
from transformer.training.tasks.task import Example

CONFIG = TransformerConfig(vocab_size=12, d_model=8, n_heads=2, n_decoder_layers=2)
BATCH = collate("decoder", [Example((), (5, 6, 7)), Example((), (8, 9, 10, 11, 5))])


def drawn(seed: int) -> DecoderModel:
    return DecoderModel(CONFIG, Generator().manual_seed(seed)).eval()


def test_nothing_has_moved_in_the_same_model():
    assert set(matrices_moved(drawn(0), drawn(0)).values()) == {0.0}
    assert not heads_moved(drawn(0), drawn(0), BATCH).any()
    assert largest_difference(drawn(0), drawn(0), BATCH) == 0


def test_a_matrix_that_grows_by_a_tenth_moved_by_a_tenth():
    after = drawn(0)
    after.decoder.layers[0].self_attn.w_q.weight.data *= 1.1
    far = matrices_moved(drawn(0), after)
    assert far.pop("decoder.layers.0.self_attn.w_q.weight") == pytest.approx(0.1, rel=1e-5)
    assert set(far.values()) == {0.0}
    assert largest_difference(drawn(0), after, BATCH) > 0


def test_the_share_that_heads_put_elsewhere_is_counted_text_by_text():
    before, after = drawn(0), drawn(1)
    moved, n = np.zeros((2, 2)), 0
    for ids in ((5, 6, 7), (8, 9, 10, 11, 5)):  # each alone, so there is no padding
        batch = collate("decoder", [Example((), ids)])
        old, new = maps(before, batch), maps(after, batch)
        assert old.shape == (2, 2, len(ids) + 1, len(ids) + 1)
        moved += np.abs(new - old).sum((2, 3)) / 2
        n += len(ids) + 1
    np.testing.assert_allclose(heads_moved(before, after, BATCH), moved / n, atol=1e-6)


def test_singular_values_count_the_rank():
    b, a = torch.randn(6, 2, generator=Generator().manual_seed(0)), torch.randn(2, 5)
    values = singular_values(b @ a)
    assert (values[:2] > 1e-3).all()
    assert (values[2:] < 1e-5).all()
