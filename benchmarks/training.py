"""Steps of training a second: our loop on our model, in turn with the same loop on torch's nn.Transformer.

Both compute in one thread, and what is taken is the time that this thread worked: what else a machine does, which hits
single steps of a few milliseconds by chance, is left out.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import thread_time

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.size import Size
from benchmarks.table import Line
from transformer.core.config import TransformerConfig
from transformer.core.positions import sinusoids
from transformer.training import tasks
from transformer.training.batches import Batch
from transformer.training.settings import Settings
from transformer.training.text import PAD
from transformer.training.trainer import Trainer

SIZES = {
    "reverse": TransformerConfig(d_model=32, n_heads=2, n_encoder_layers=1, n_decoder_layers=1),
    "french": TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=2, n_decoder_layers=2),
}


class Theirs(nn.Module):
    """nn.Transformer of the same size between the same embeddings and output map."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        D = config.d_model
        self.source, self.target = nn.Embedding(config.vocab_size, D), nn.Embedding(config.tgt_vocab_size, D)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nested tensors do not go with norm_first
            self.transformer = nn.Transformer(
                D,
                config.n_heads,
                config.n_encoder_layers,
                config.n_decoder_layers,
                config.d_ff,
                config.dropout,
                norm_first=config.norm == "pre",
                batch_first=True,
            )
        self.register_buffer("places", sinusoids(64, D).float())
        self.scale = math.sqrt(D)
        self.dropout = nn.Dropout(config.dropout)

    def embed(self, table: nn.Embedding, ids: Tensor) -> Tensor:
        return self.dropout(table(ids) * self.scale + self.places[: ids.shape[1]])

    def forward(self, batch: Batch) -> Tensor:
        assert batch.source is not None, "only tasks with a source are measured"
        is_padding = batch.source == PAD
        T = batch.text.shape[1]
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        x = self.transformer(
            self.embed(self.source, batch.source),
            self.embed(self.target, batch.text),
            tgt_mask=future,
            src_key_padding_mask=is_padding,
            memory_key_padding_mask=is_padding,
            tgt_is_causal=True,
        )
        return x @ self.target.weight.T


def their_step(trainer: Trainer) -> Callable[[], None]:
    """The loop that one writes with nn.Transformer: the same batches, loss, clipping and optimiser as the trainer's."""
    model = Theirs(trainer.config).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9, fused=True)
    at = 0

    def step() -> None:
        nonlocal at
        at += 1
        batch = trainer._batch(at)
        logits = model(batch)
        loss = F.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=PAD)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), trainer.settings.clip)
        if not math.isfinite(loss.item() + norm.item()):
            raise ArithmeticError("nn.Transformer diverged")
        optimiser.step()

    return step


def our_step(trainer: Trainer) -> Callable[[], object]:
    """One step of the trainer as it runs on the page, without its snapshots, which the other loop does not take."""
    run = trainer.run()
    next(run)
    return trainer._learn


def steps(size: Size) -> list[Line]:
    """A line for each loop, size and dropout; the note gives the ratio of the medians."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as the app has it
    try:
        every = [(name, dropout) for name in SIZES for dropout in (0.0, 0.1)]
        tried, n = size.of(every, every, every[:1]), size.of(60, 10, 1)
        return [line for name, dropout in tried for line in _pair(name, dropout, n)]
    finally:
        torch.set_num_threads(threads)


def _pair(name: str, dropout: float, n: int) -> list[Line]:
    task = tasks.make(name)
    settings = Settings(steps=100_000, every=100_000, lr=1e-3, n_examples=2000, n_tests=50)
    trainer = Trainer(task, replace(SIZES[name], dropout=dropout), settings)
    ours, theirs = our_step(trainer), their_step(trainer)
    times: tuple[list[float], list[float]] = ([], [])
    for at in range(n + 5):
        for step, taken in zip((ours, theirs), times, strict=True):
            start = thread_time()
            step()
            if at >= 5:
                taken.append(1000 * (thread_time() - start))
    ratio = median(times[1]) / median(times[0])
    size = f"{name}, dropout {dropout:g}"
    note = f"{1000 / median(times[0]):.0f} steps/s; {ratio:.2f} x as many as nn.Transformer"
    return [
        Line(f"training step, {size}", times[0], note, budget=median(times[1]), comparable=False),
        Line(
            f"  the same with nn.Transformer, {size}",
            times[1],
            f"{1000 / median(times[1]):.0f} steps/s",
            comparable=False,
        ),
    ]


if __name__ == "__main__":
    from benchmarks.table import table

    print(table(steps(Size.FULL), 1.0))
