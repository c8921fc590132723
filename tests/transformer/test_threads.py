"""One model serves many sessions at once: no thread ever gets a number of another one."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch

from tests.transformer.oracles import ids, rng
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.model import DecoderModel, Transformer
from transformer.core.positions import RotaryPositions, SinusoidalPositions
from transformer.core.taps import Recorder, ablate, compose

THREADS = 6
# Around and past the first table, in an order that makes every thread grow it under the eyes of another.
LENGTHS = [70, 5, 150, 33, 90, 200]


@pytest.fixture(autouse=True)
def _restless():
    """Change threads as often as the interpreter can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def together(job):
    """job(0), ..., job(THREADS - 1), each in a thread of its own, all set off at one moment."""
    barrier = Barrier(THREADS)

    def start(i):
        torch.set_num_threads(1)
        barrier.wait()
        return job(i)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(start, range(THREADS)))


def build(positions, kind=Transformer):
    config = TransformerConfig(
        vocab_size=50, d_model=12, n_heads=3, n_encoder_layers=1, n_decoder_layers=1, positions=positions, dropout=0.2
    )
    return kind(config, rng()).eval()


def session(model, i):
    """Everything that one user sees: logits, returned weights, every tap; every other user has silenced a head."""
    src, tgt = ids(1, LENGTHS[i], seed=i), ids(1, LENGTHS[-i - 1], seed=i + 10)
    seen = Recorder()
    with torch.no_grad():
        tap = compose(ablate("encoder.0.self_attn", i % 3), seen) if i % 2 else seen
        output = model(src, tgt, tap=tap)
    return {"returned": output.logits, "weights": output.attention.cross[0], **seen}


@pytest.mark.slow
@pytest.mark.few(3)
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_threads_do_not_mix(positions):
    alone = [session(build(positions), i) for i in range(THREADS)]
    for _ in range(3):
        model = build(positions)  # with a short table again
        for i, seen in enumerate(together(lambda i, model=model: session(model, i))):
            assert seen.keys() == alone[i].keys()
            for path, tensor in seen.items():
                assert torch.equal(tensor, alone[i][path]), (i, path)


def test_dropout_of_one_thread_does_not_draw_from_another():
    model = build("sinusoidal", DecoderModel).train()

    def job(i):
        generator = rng(i)
        with torch.no_grad():
            return torch.cat([model(ids(1, 9, seed=i), generator=generator).logits for _ in range(5)])

    alone = [job(i) for i in range(THREADS)]
    assert all(torch.equal(a, b) for a, b in zip(together(job), alone, strict=True))


def test_models_built_at_once_are_those_built_one_after_the_other():
    def job(i):
        model = DecoderModel(TransformerConfig(d_model=12, n_heads=3, vocab_size=50, positions="learned"), rng(i))
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    alone = [job(i) for i in range(THREADS)]
    assert all(torch.equal(a, b) for a, b in zip(together(job), alone, strict=True))


@pytest.mark.parametrize("kind", [SinusoidalPositions, RotaryPositions])
def test_a_table_that_another_thread_replaces_in_the_meantime(kind):
    # The race without the luck: while the table grows for one, it is grown, less far, for another.
    class Raced(kind):
        rivals = False

        def _formula(self, length):
            table = super()._formula(length)
            if self.rivals and length > 150:
                assert len(self.rows(0, 100)) == 100
            return table

        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "table" and self.rivals and len(value) > 150:
                super().__setattr__(name, value[:100])

    positions = Raced(8)
    expected = positions._formula(300).to(positions.table)
    positions.rivals = True
    assert torch.equal(positions.rows(0, 300), expected)
    assert torch.equal(positions.rows(50, 200), expected[50:200])
