"""Trains the networks of `recall`, and measures them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import process_time, thread_time
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.core.interruption import check_interruption
from transformer.core.model import DecoderModel
from transformer.core.recurrent import RecurrentModel
from transformer.inspection.timing import TRAINED_LENGTHS, time_training
from transformer.training.optimiser import AdamW
from transformer.training.schedules import make_schedule
from transformer.training.studies import kept, recall
from transformer.training.studies.recall import KEPT, NETWORKS, SEEDS, Network, Run, Setting, Stored, width_of

N_TESTS = 1000  # texts that are asked about at every distance


class Texts(NamedTuple):
    """Some texts of the task.

    ids       (B, n_tokens + n_kept) the text, then the questions
    wanted    (B, n_kept) the colours that the questions ask for
    distance  (B, n_kept) how many tokens before each question the needed one stands
    """

    ids: Tensor
    wanted: Tensor
    distance: Tensor


def draw(setting: Setting, n: int, generator: Generator, distance: int | None = None) -> Texts:
    """n texts, all drawn at once. The first question of all may be given a `distance`, 1 to n_tokens."""
    N, C, T, K = setting.n_names, setting.n_colours, setting.n_tokens, setting.n_kept
    order = torch.rand(n, T, generator=generator)
    if distance is not None:
        order[:, T - distance] = -1.0  # it comes first
    places = order.argsort(1)[:, :K]
    names = torch.rand(n, N, generator=generator).argsort(1)[:, :K]
    colours = torch.randint(C, (n, K), generator=generator)
    ids = N * C + N + C + torch.randint(setting.n_fillers, (n, T), generator=generator)
    ids.scatter_(1, places, names * C + colours)
    distances = T + torch.arange(K) - places
    return Texts(torch.cat([ids, N * C + names], dim=1), N * C + N + colours, distances)


def ending_at_the_question(setting: Setting, distances: Sequence[int], n: int) -> Tensor:
    """n texts (distances, n, n_tokens + 1) for each of the distances, up to the first question."""
    generator = Generator().manual_seed(0)
    texts = [draw(setting, n, generator, distance).ids[:, : setting.n_tokens + 1] for distance in distances]
    return torch.stack(texts)


def build(network: Network, setting: Setting, seed: int) -> nn.Module:
    """The network with fresh weights, as wide as has about as many parameters as attention: ids (B, T) -> Output."""
    generator = Generator().manual_seed(seed)
    if network == "attention":
        return DecoderModel(setting.config, generator)
    return RecurrentModel(network, setting.vocab_size, width_of(network, setting), generator)


def train(network: Network, setting: Setting, seed: int) -> tuple[nn.Module, Run]:
    """Train one network on fresh texts at every step, and measure it."""
    began = process_time()
    model = build(network, setting, seed)
    optimiser = AdamW((model.parameters(), 0.01))
    schedule = make_schedule(
        "one-cycle",
        lr=setting.lr[NETWORKS.index(network)],
        steps=setting.steps,
        warmup=max(1, setting.steps // 10),
        d_model=setting.d_model,
    )
    generator, losses = Generator().manual_seed(1_000 + seed), []
    for step in range(1, setting.steps + 1):
        check_interruption()
        loss = loss_on(model, draw(setting, setting.batch_size, generator))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.param_groups[0]["lr"] = schedule(step)
        optimiser.step()
        losses.append(loss.item())
    tenths = tuple(round(float(part.mean()), 4) for part in np.array_split(losses, min(10, len(losses))))
    return model, Run(network, setting.n_kept, seed, accuracy(model, setting), tenths, round(process_time() - began, 1))


def loss_on(model: nn.Module, texts: Texts) -> Tensor:
    """The mean of -log p of the colours that are asked for."""
    logits = model(texts.ids).logits[:, -texts.wanted.shape[1] :]  # (B, n_questions, V)
    return F.cross_entropy(logits.flatten(0, 1), texts.wanted.flatten())


@torch.inference_mode()
def accuracy(model: nn.Module, setting: Setting, n: int = N_TESTS) -> tuple[float, ...]:
    """The share of right answers at every distance 1 to n_tokens, on n texts each that no training draws."""
    generator, shares = Generator().manual_seed(0), []
    for distance in range(1, setting.n_tokens + 1):
        texts = draw(setting, n, generator, distance)
        answers = model(texts.ids[:, : setting.n_tokens + 1]).logits[:, -1].argmax(-1)
        shares.append(round(float((answers == texts.wanted[:, 0]).float().mean()), 4))
    return tuple(shares)


def run(
    setting: Setting, kept: Sequence[int], seeds: Sequence[int], report: Callable[[str], None] = print
) -> tuple[Stored, dict[str, nn.Module]]:
    """Train every network with every n_kept and every seed; `report` takes a line each.

    -> the runs, and the networks of the first seed by their names in the file: see `_prefix`
    """
    runs, models = [], {}
    for n_kept in kept:
        for network in NETWORKS:
            for seed in seeds:
                model, one = train(network, replace(setting, n_kept=n_kept), seed)
                runs.append(one)
                models.setdefault(_prefix(network, n_kept), model)
                mean = sum(one.accuracy) / len(one.accuracy)
                report(f"  {network}, {n_kept} to keep, seed {seed}: {mean:.3f} right, after {one.seconds} s")
    made = f"{datetime.now(UTC):%d %B %Y}, torch {torch.__version__.partition('+')[0]}".lstrip("0")
    # The processor's time for this: what else the machine does takes no part.
    fresh: dict[str, nn.Module] = {network: build(network, setting, 0) for network in NETWORKS}
    speeds = time_training(fresh, setting.vocab_size, TRAINED_LENGTHS, 12.0, thread_time)
    rounded = {network: tuple(float(f"{value:.3g}") for value in values) for network, values in speeds.items()}
    return Stored(setting, tuple(runs), TRAINED_LENGTHS, rounded, made), models


def store(report: Callable[[str], None] = print) -> None:
    """Train all of them again, and write the two files that come with the project."""
    stored, models = run(Setting(), KEPT, SEEDS, report)
    recall.FILE.write_text(recall.written(stored), encoding="utf-8")
    kept.write(recall.WEIGHTS, models)


def trained(network: Network, n_kept: int) -> nn.Module:
    """The network of the first seed, as it was stored after its training. Raises KeyError for another n_kept."""
    return kept.read(recall.WEIGHTS, _prefix(network, n_kept), build(network, recall.stored().setting, 0))


def _prefix(network: Network, n_kept: int) -> str:
    return f"{network}.{n_kept}."
