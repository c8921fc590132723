"""Stretched rotary positions against plain loops, and what a trained model makes of them."""

import math

import numpy as np
import pytest
import torch

from lab.kit.models.references import Shipped
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.core.stretching import stretch_fields
from transformer.inspection import closing, stretching

KINDS = ("linear", "ntk", "llama3", "yarn")
CONFIG = TransformerConfig(d_model=24, n_heads=2, positions="rotary", base=500.0)  # 6 pairs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_pairs_against_a_plain_loop(kind: str, factor: float) -> None:
    trained, length = 20, 70
    pairs = stretching.stretched_pairs(CONFIG, kind, factor, trained, length)
    for i in range(6):
        angle = 500.0 ** (-i / 6)
        if kind == "linear":
            slower = angle / factor
        elif kind == "ntk":
            slower = (500.0 * factor ** (6 / 5)) ** (-i / 6)
        else:
            slower = angle * pairs.pace[i]
            assert 1 / factor <= pairs.pace[i] + 1e-12
        assert pairs.wavelengths[i] == pytest.approx(2 * math.pi / angle)
        assert pairs.pace[i] == pytest.approx(slower / angle)
        for shares, step in ((pairs.new_before, angle), (pairs.new, slower)):
            known = trained * angle
            met = [known >= 2 * math.pi or (d * step) % (2 * math.pi) <= known + 1e-9 for d in range(1, length + 1)]
            assert shares[i] == pytest.approx(1 - sum(met) / length)
    if factor > 1:
        assert pairs.pace[-1] == pytest.approx(1 / factor), "the slowest turns that much more slowly"
        assert (pairs.pace[0] < 1 - 1e-9) == (kind in ("linear", "llama3")), "20 tokens are 3 turns of the fastest pair"
    # Squeezed by as much as the text is longer, no distance is new.
    assert not stretching.stretched_pairs(CONFIG, "linear", length / trained, trained, length).new.any()


def test_nothing_is_stretched_by_one() -> None:
    assert all(stretch_fields(kind, 1, 48) == {} for kind in KINDS)
    assert stretch_fields("none", 4, 48) == {}
    assert stretch_fields("yarn", 4, 48)["rotary_gain"] == pytest.approx(1 + 0.1 * math.log(4))


def test_a_trained_model_gains_far_away_and_loses_near_by() -> None:
    source = Shipped("code").resolve()
    model = source.model
    assert isinstance(model, DecoderModel)
    codes = stretching.long_codes(16, 192)
    plain = stretching.closing_answers(model, source.task, codes)
    # The probabilities are those that another function reads one text at a time.
    one = closing.read(model, source.task, codes[0]).closings
    np.testing.assert_allclose(plain.p[: len(one)], [c.p for c in one], atol=1e-5)
    assert plain.place[: len(one)].tolist() == [c.at for c in one]
    edges, means = [0, 48, 96, 192], {}
    for kind in ("linear", "ntk"):
        stretched = stretching.stretched_model(model, kind, 4.0, 48)
        means[kind] = stretching.by_place(stretching.closing_answers(stretched, source.task, codes), edges)
    before = stretching.by_place(plain, edges)
    for after in means.values():
        assert after[0] < before[0]
        assert after[2] > before[2] + 0.03
    assert before[0] - means["ntk"][0] < (before[0] - means["linear"][0]) / 2, "NTK keeps the near tokens apart"
    # The model that was given is as it was.
    assert np.array_equal(stretching.closing_answers(model, source.task, codes).p, plain.p)
    same = stretching.stretched_model(model, "yarn", 1.0, 48)
    assert torch.equal(same(torch.tensor([[1, 7, 8]])).logits, model(torch.tensor([[1, 7, 8]])).logits)
    assert math.isnan(stretching.by_place(plain, [200, 201])[0])
