"""A computation can be ended from outside, between two layers, and nobody else's is."""

import threading

import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.interruption import check_interruption, interruptible
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.taps import Recorder
from transformer.inspection import head_effects, linearity

CONFIG = TransformerConfig(vocab_size=20, d_model=8, n_heads=2, n_encoder_layers=4, n_decoder_layers=4)
IDS = torch.tensor([[3, 1, 4]])


class Ended(BaseException):
    """What a check raises."""


class Check:
    """Raises at its n-th call."""

    def __init__(self, n: int):
        self.n_calls, self.n = 0, n

    def __call__(self) -> None:
        self.n_calls += 1
        if self.n_calls == self.n:
            raise Ended


@pytest.mark.parametrize("kind", [EncoderModel, DecoderModel, Transformer])
def test_a_forward_pass_ends_between_two_layers(kind):
    model, recorder = kind(CONFIG, torch.Generator().manual_seed(0)).eval(), Recorder()
    inputs = (IDS, IDS) if kind is Transformer else (IDS,)
    counting = Check(-1)
    with interruptible(counting):
        whole = model(*inputs)
    n_layers = 8 if kind is Transformer else 4
    assert counting.n_calls >= n_layers
    with interruptible(Check(counting.n_calls // 2)), pytest.raises(Ended):
        model(*inputs, tap=recorder)
    assert recorder, "it had begun"
    assert "logits" not in recorder, "and did not come to its end"
    assert torch.equal(model(*inputs).logits, whole.logits), "the next call knows nothing of it"


def test_studies_end_between_two_cases():
    model = EncoderModel(CONFIG, torch.Generator().manual_seed(0)).eval()
    for study in (
        lambda: head_effects.ablate_each_head(model, [3, 1, 4]),
        lambda: linearity.scaling_error(model.stack.layers[0].self_attn, torch.ones(3, 8), [0.5, 2.0]),
    ):
        counting = Check(-1)
        with interruptible(counting):
            study()
        with interruptible(Check(counting.n_calls - 1)), pytest.raises(Ended):
            study()


def test_a_check_is_for_its_own_thread_and_its_own_block():
    check_interruption()
    with interruptible(Check(1)):
        thread = threading.Thread(target=check_interruption)
        thread.start()
        thread.join()
        with pytest.raises(Ended):
            check_interruption()
    check_interruption()
