"""Trains the models of `far`, and lets them read past their training length."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from time import process_time
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.core.checks import InputError
from transformer.core.interruption import check_interruption
from transformer.core.model import DecoderModel
from transformer.training.optimiser import AdamW
from transformer.training.schedules import make_schedule
from transformer.training.studies import far, kept
from transformer.training.studies.far import SCHEMES, SEEDS, Run, Setting, Stored
from transformer.training.tasks.code import PAIRS, CodeTokeniser, beginning

AT_ONCE = 100  # texts that are read at once


def draw(n: int, length: int, seed: int) -> Tensor:
    """n pieces of code (n, length) as ids."""
    rng, vocabulary = Random(seed), CodeTokeniser().vocabulary
    return torch.tensor([[vocabulary.id(token) for token in beginning(rng, length)] for _ in range(n)])


def closing(ids: Tensor) -> Tensor:
    """Where a bracket is closed, as booleans of the shape of ids."""
    vocabulary = CodeTokeniser().vocabulary
    return torch.isin(ids, torch.tensor([vocabulary.id(bracket) for bracket in PAIRS.values()]))


def train(scheme: str, setting: Setting, seed: int, texts: Tensor, tests: Tensor) -> tuple[DecoderModel, Run]:
    """Train one model, and measure it."""
    began = process_time()
    model = DecoderModel(setting.config(scheme), Generator().manual_seed(seed))
    optimiser = AdamW((model.parameters(), 0.01))
    schedule = make_schedule(
        "one-cycle", lr=setting.lr, steps=setting.steps, warmup=max(1, setting.steps // 10), d_model=setting.d_model
    )
    generator = Generator().manual_seed(1_000 + seed)
    for step in range(1, setting.steps + 1):
        check_interruption()
        loss = loss_on(model, texts[torch.randint(len(texts), (setting.batch_size,), generator=generator)])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.param_groups[0]["lr"] = schedule(step)
        optimiser.step()
    shares, refusal = accuracy(model, setting, tests)
    return model, Run(scheme, seed, shares, refusal, round(process_time() - began, 1))


def loss_on(model: DecoderModel, ids: Tensor) -> Tensor:
    """The mean of -log p of the brackets that are closed. The one at t is predicted by the row of t - 1."""
    logits, wanted = model(ids[:, :-1]).logits, ids[:, 1:]  # (B, T - 1, V), (B, T - 1)
    places = closing(wanted)
    return F.cross_entropy(logits[places], wanted[places])


class Answers(NamedTuple):
    """Every bracket that is closed in some texts: its position, and whether the model said it."""

    place: Tensor
    is_right: Tensor


@torch.inference_mode()
def answers(model: DecoderModel, ids: Tensor) -> Answers:
    """What the model says wherever a bracket is closed. Raises InputError where it cannot read so long a text."""
    places, rights = [], []
    for some in ids.split(AT_ONCE):
        said = model(some[:, :-1]).logits.argmax(-1)  # (B, T - 1)
        is_closing = closing(some[:, 1:])
        places.append(is_closing.nonzero()[:, 1])
        rights.append((said == some[:, 1:])[is_closing])
    return Answers(torch.cat(places), torch.cat(rights))


def accuracy(model: DecoderModel, setting: Setting, tests: Tensor) -> tuple[tuple[float, ...], str]:
    """The share of right answers in each `step` positions that the model can read, and what it says of the others.

    A position is that of the token which predicts: the last that the model has to read.
    """
    refusal = ""
    try:
        found = answers(model, tests)
    except InputError as error:
        refusal = str(error)
        found = answers(model, tests[:, : setting.trained + 1])
    steps = found.place // setting.step
    n = int(steps.max()) + 1
    right = torch.bincount(steps, found.is_right.double(), n) / torch.bincount(steps, minlength=n)
    return tuple(round(share, 4) for share in right.tolist()), refusal


def tests_of(setting: Setting) -> Tensor:
    """Texts that no training draws, one token longer than is read: the last is only predicted."""
    return draw(setting.n_tests, setting.length + 1, seed=1)


def run(
    setting: Setting, seeds: Sequence[int], report: Callable[[str], None] = print
) -> tuple[Stored, dict[str, DecoderModel]]:
    """Train every scheme with every seed; `report` takes a line each. -> the runs, and the models of the first seed"""
    texts, tests = draw(setting.n_texts, setting.trained + 1, seed=0), tests_of(setting)
    runs: list[Run] = []
    models: dict[str, DecoderModel] = {}
    for scheme in SCHEMES:
        for seed in seeds:
            model, one = train(scheme, setting, seed, texts, tests)
            runs.append(one)
            models.setdefault(scheme, model)
            first, last = one.accuracy[setting.trained // setting.step - 1], one.accuracy[-1]
            report(
                f"  {scheme}, seed {seed}: {first:.1%} as long as in training, {last:.1%} at the end, {one.seconds} s"
            )
    made = f"{datetime.now(UTC):%d %B %Y}, torch {torch.__version__.partition('+')[0]}".lstrip("0")
    return Stored(setting, tuple(runs), made), models


def store(report: Callable[[str], None] = print) -> None:
    """Train all of them again, and write the two files that come with the project."""
    stored, models = run(Setting(), SEEDS, report)
    far.FILE.write_text(far.written(stored), encoding="utf-8")
    kept.write(far.WEIGHTS, {f"{scheme}.": model for scheme, model in models.items()})


def trained(scheme: str) -> DecoderModel:
    """The model of the first seed, as it was stored after its training."""
    model = DecoderModel(far.stored().setting.config(scheme), Generator().manual_seed(0))
    return kept.read(far.WEIGHTS, f"{scheme}.", model)
