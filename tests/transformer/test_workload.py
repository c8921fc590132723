"""What a computation is said to take is what torch allocates and counts."""

import dataclasses
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

import transformer
from transformer.core import workload
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.workload import Workload
from transformer.inspection import ablations
from transformer.inspection.run import last_layer, maps_by_layer

SHAPES = [  # d_model, heads, key/value heads, layers, tokens
    (16, 2, 2, 1, 64),
    (64, 4, 4, 3, 24),
    (64, 16, 4, 2, 128),
    (128, 16, 16, 6, 96),
    (256, 2, 1, 4, 32),
]
V = 50


class Allocations(TorchDispatchMode):
    """Bytes of all tensors that torch has made within the block and that are alive, and the most there were."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.peak = 0
        self._known: set[int] = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        given = {t.untyped_storage().data_ptr() for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)}
        result = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, torch.Tensor):
                storage = tensor.untyped_storage()
                if storage.data_ptr() not in given | self._known and storage.nbytes():
                    self._made(storage)
        return result

    def _made(self, storage: torch.UntypedStorage) -> None:
        at, n_bytes = storage.data_ptr(), storage.nbytes()
        self._known.add(at)
        self.now += n_bytes
        self.peak = max(self.peak, self.now)

        def gone() -> None:
            self._known.discard(at)
            self.now -= n_bytes

        weakref.finalize(storage, gone)


def taken(run: Callable[[], object]) -> tuple[int, int]:
    """(most bytes at a time, multiplications) of a run."""
    with Allocations() as allocations:
        run()
    with FlopCounterMode(display=False) as counter:
        run()
    return allocations.peak, counter.get_total_flops() // 2


def built(shape: tuple[int, ...], kind=EncoderModel) -> tuple[TransformerConfig, EncoderModel | DecoderModel]:
    D, H, Hkv, L, _ = shape
    config = TransformerConfig(
        vocab_size=V, d_model=D, n_heads=H, n_kv_heads=Hkv, n_encoder_layers=L, n_decoder_layers=L
    )
    return config, kind(config, torch.Generator().manual_seed(0)).eval()


def check(estimate: Workload, peak: int, multiplications: int) -> None:
    assert peak <= estimate.n_bytes <= 2.5 * peak, f"{estimate.n_bytes / peak:.2f} times what it takes"
    assert multiplications <= estimate.multiplications <= 1.1 * multiplications


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_pass_layer_by_layer(shape):
    config, model = built(shape)
    L, T = shape[3:]
    weights = sum(p.numel() * p.element_size() for p in model.parameters())

    @torch.inference_mode()
    def run() -> None:
        model.output(last_layer(model, [i % V for i in range(T)])[0], model.stack.embedding)

    peak, multiplications = taken(run)
    check(workload.one_pass(config, T, L), peak + weights, multiplications)
    kept = workload.one_pass(config, T, L, keeps_maps=True)

    @torch.inference_mode()
    def run_whole() -> None:
        model(torch.tensor([[i % V for i in range(T)]]))

    peak, multiplications = taken(run_whole)
    check(kept, peak + weights, multiplications)


@pytest.mark.slow
def test_the_maps_of_one_layer_at_a_time_take_a_fraction():
    config, model = built((64, 8, 8, 12, 128))

    def run() -> None:
        for layer in maps_by_layer(model, [i % V for i in range(128)]):
            del layer

    peak, _ = taken(run)
    assert peak < 3 * (8 * 128 * 128 * 4), "of the maps of twelve layers never three at a time"
    assert peak < workload.one_pass(config, 128, 12, has_logits=False).n_bytes


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_pass_forward_and_back(shape):
    config, model = built(shape, DecoderModel)
    L, T = shape[3:]
    assert isinstance(model, DecoderModel)
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    peak, multiplications = taken(lambda: ablations.depth_statistics(model, [i % V for i in range(T)]))
    estimate = workload.training_pass(config, T, L)
    assert peak + weights <= estimate.n_bytes <= 3 * (peak + weights)
    assert 0.6 * estimate.multiplications <= multiplications <= estimate.multiplications


LATER = [{"gated": True}, {"head_width": 24, "n_kv_heads": 2}, {"gated": True, "norm_kind": "rms", "bias": False}]


@pytest.mark.parametrize("later", LATER, ids=str)
def test_gates_and_wide_heads_are_counted(later):
    config = TransformerConfig(vocab_size=V, d_model=64, n_heads=4, n_encoder_layers=3, **later)
    model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    n = sum(p.numel() for p in model.parameters())
    assert workload.parameters(config, 3) == pytest.approx(n, rel=0.02)

    @torch.inference_mode()
    def run() -> None:
        model(torch.tensor([[i % V for i in range(64)]]))

    peak, multiplications = taken(run)
    check(workload.one_pass(config, 64, 3, keeps_maps=True), peak + 4 * n, multiplications)


@pytest.mark.parametrize("shape", SHAPES)
def test_parameters_are_counted(shape):
    config, model = built(shape)
    n = sum(p.numel() for p in model.parameters())
    assert workload.parameters(config, shape[3]) == pytest.approx(n, rel=0.01)


def test_one_after_the_other_and_many_times():
    first, second = Workload(10, 2, 3), Workload(4, 5, 6)
    assert first + second == Workload(10, 7, 9)
    assert first * 3 == Workload(10, 6, 9)
    assert first.keeping(5).n_bytes == 15
    assert first.advised("Try less.") == dataclasses.replace(first, advice="Try less.")
    assert (first * 2).seconds == 2 * first.seconds > 0


def test_an_estimate_costs_no_torch():
    code = "import sys, transformer.core.workload; sys.exit('torch' in sys.modules)"
    root = Path(transformer.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
