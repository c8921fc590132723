"""Does bigger help? Models of several sizes, trained on three amounts of tales.

Losses are measured on the same tales for all, which no training has seen. How low a loss can get is known: the
grammar that tells the tales knows how likely each of them is.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from transformer.core.checks import check_whole

FILE = Path(__file__).with_name("scaling.json")
COMMAND = "python -m transformer.training.studies scaling"
FLOPS = 6  # multiplications and additions per parameter and token, forward and back (Kaplan et al. 2020, section 2.1)


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """What is trained: every width on every number of tales, with every seed.

    widths     d_model; heads are 8 wide (or d_model), and there are n_layers layers
    tales      different ones to learn from
    lr         of a model 64 wide; others have lr sqrt(64 / d_model)
    n_tests    tales on which all are measured
    """

    widths: tuple[int, ...] = (4, 8, 16, 32)
    n_layers: int = 2
    tales: tuple[int, ...] = (100, 1000, 10_000)
    seeds: tuple[int, ...] = (0, 1)
    steps: int = 200
    batch_size: int = 32
    every: int = 50
    lr: float = 3e-3
    n_tests: int = 200

    def __post_init__(self) -> None:
        for name in ("n_layers", "steps", "batch_size", "every", "n_tests"):
            check_whole(name, getattr(self, name))


class Run(NamedTuple):
    """One training.

    parameters  of the model; width: its d_model
    tales       how many different ones it learned from
    tokens      that it had read at each of its measurements
    losses      on the common test tales, in nats per token, at each of them
    seconds     of processor time
    """

    width: int
    parameters: int
    tales: int
    seed: int
    tokens: tuple[int, ...]
    losses: tuple[float, ...]
    seconds: float


class Stored(NamedTuple):
    """A whole sweep.

    floor  the loss of the grammar itself on the test tales
    made   the date, and the version of torch
    """

    sweep: Sweep
    floor: float
    runs: tuple[Run, ...]
    made: str


class Point(NamedTuple):
    """One size, and the losses of the trainings of that size, by seed."""

    x: float
    losses: tuple[float, ...]


def lines(stored: Stored, by: str) -> dict[str, list[Point]]:
    """Losses by one kind of size, a line per value of another, from the smallest to the largest.

    by  "parameters": at the end, a line per number of tales
        "tales": at the end, a line per size of model
        "computation": all along the training with the most tales, a line per size of model; x is FLOPS times
        parameters times tokens

    Raises ValueError for another.
    """
    if by not in ("parameters", "tales", "computation"):
        raise ValueError(f"there is no size called {by!r}")
    found: dict[str, dict[float, list[float]]] = {}
    most = max(run.tales for run in stored.runs)
    for run in sorted(stored.runs, key=lambda run: (run.tales, run.parameters)):
        name = f"{run.tales:,} tales" if by == "parameters" else f"{run.parameters:,} parameters"
        if by == "computation":
            if run.tales == most:
                for n, loss in zip(run.tokens, run.losses, strict=True):
                    found.setdefault(name, {}).setdefault(float(FLOPS * run.parameters * n), []).append(loss)
        else:
            x = run.parameters if by == "parameters" else run.tales
            found.setdefault(name, {}).setdefault(float(x), []).append(run.losses[-1])
    return {name: [Point(x, tuple(losses)) for x, losses in points.items()] for name, points in found.items()}


def frontier(lines: dict[str, list[Point]]) -> list[Point]:
    """The points that none with as little computation beats, from the least computation on."""
    best: list[Point] = []
    for point in sorted((point for line in lines.values() for point in line), key=lambda point: point.x):
        if not best or fmean(point.losses) < fmean(best[-1].losses):
            best.append(point)
    return best


def written(stored: Stored) -> str:
    """A sweep as JSON, a line per training."""
    runs = ",\n".join(f"    {json.dumps(run._asdict())}" for run in stored.runs)
    head = {"command": COMMAND, "made": stored.made, "sweep": asdict(stored.sweep), "floor": stored.floor}
    return f'{json.dumps(head, indent=2)[:-2]},\n  "runs": [\n{runs}\n  ]\n}}\n'


def read(text: str) -> Stored:
    """What `written` wrote."""
    data = json.loads(text)
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data["sweep"].items()}
    sweep = Sweep(**values)
    runs = [Run(**run | {name: tuple(run[name]) for name in ("tokens", "losses")}) for run in data["runs"]]
    return Stored(sweep, data["floor"], tuple(runs), data["made"])


def stored() -> Stored:
    """The sweep that comes with the project."""
    return read(FILE.read_text(encoding="utf-8"))
