"""The hyperparameters of a training, checked; none of this needs torch."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from transformer.core.checks import InputError, check_choice, check_flag, check_number, is_whole
from transformer.core.config import DERIVED, TransformerConfig
from transformer.training.schedules import SCHEDULES

OPTIMISERS = ("AdamW", "Muon")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every hyperparameter of a training that is not the model's (those, dropout too, are in TransformerConfig).

    Checked when made; a setting that cannot be used raises InputError.

    steps, batch_size      how often the weights change, and on how many examples each time
    n_examples, n_tests    size of the training set, and of the held-out set that the validation runs on
    lr, schedule, warmup   one of SCHEDULES; lr is the highest learning rate (for Noam a factor, usually 1); steps of
                           warm-up (None: a tenth of all, for Noam a fifth)
    optimiser              one of OPTIMISERS; Muon steps the matrices of the layers, and AdamW all the rest
    weight_decay           of the optimiser, on matrices only
    clip                   the largest norm of the gradient; longer ones are scaled down to it (0: no clipping)
    label_smoothing        share of the target probability that is spread evenly over all tokens
    stress, stressed       how much more an answer counts in the loss than another token (1: the same), in the first
                           share of the steps: a target token of which is known where it comes from
    drill, drilled         share of the training set that is drawn by the drill of the task, where it has one; how much
                           each of its answers counts, and nothing else of it (0: it counts as any other example)
    expected               learn how probable each token is, where the task knows it, in place of the one that was drawn
    augment                share of the examples that are replaced by a variant
    look_ahead             train without the causal mask, to see what it is for
    every                  steps between two snapshots (None: so that there are about a hundred)
    seed                   of the first weights, the order of the examples, and the dropout
    """

    steps: int = 300
    batch_size: int = 64
    n_examples: int = 8000
    n_tests: int = 200
    lr: float = 3e-3
    schedule: str = "one-cycle"
    warmup: int = DERIVED
    optimiser: str = "AdamW"
    weight_decay: float = 0.01
    clip: float = 1.0
    label_smoothing: float = 0.0
    stress: float = 1.0
    stressed: float = 0.5
    drill: float = 0.0
    drilled: float = 0.0
    expected: bool = False
    augment: float = 0.0
    look_ahead: bool = False
    every: int = DERIVED
    seed: int = 0

    def __post_init__(self) -> None:
        for name, maximum in {"steps": 100_000, "batch_size": 1024, "n_examples": 500_000, "n_tests": 5000}.items():
            _check_from_1(name, getattr(self, name), maximum)
        if self.warmup is not None:
            _check_from_1("warmup", self.warmup, 100_000)
        if self.every is not None:
            _check_from_1("every", self.every, 100_000)
        is_seed = is_whole(self.seed) and 0 <= self.seed < 2**31
        if not is_seed:
            raise InputError(f"seed={self.seed!r} must be a whole number from 0")
        check_number("lr", self.lr, lambda x: 0 < x <= 100, "a number above 0, such as 0.003")
        check_number("clip", self.clip, lambda x: 0 <= x <= 1e6, "a number from 0 (no clipping), such as 1")
        check_number("weight_decay", self.weight_decay, lambda x: 0 <= x <= 10, "a number from 0 to 10, such as 0.01")
        check_number("stress", self.stress, lambda x: 1 <= x <= 1000, "a number from 1 to 1000, such as 10")
        check_number("stressed", self.stressed, lambda x: 0 <= x <= 1, "a number from 0 to 1, such as 0.5")
        check_number("drill", self.drill, lambda x: 0 <= x <= 1, "a number from 0 to 1, such as 0.4")
        check_number("drilled", self.drilled, lambda x: 0 <= x <= 1000, "a number from 0 to 1000, such as 30")
        check_number("augment", self.augment, lambda x: 0 <= x <= 1, "a number from 0 to 1, such as 0.3")
        check_number(
            "label_smoothing", self.label_smoothing, lambda x: 0 <= x < 1, "a number from 0 to below 1, such as 0.1"
        )
        if self.lr * self.weight_decay > 1:
            raise InputError(
                f"lr={self.lr!r} times weight_decay={self.weight_decay!r} is the share of itself that a weight loses"
                " at a step: it must not be above 1"
            )
        check_choice("optimiser", self.optimiser, OPTIMISERS)
        if self.schedule not in SCHEDULES:
            raise InputError(f"schedule={self.schedule!r} is not known; try {', '.join(SCHEDULES)}")
        check_flag("look_ahead", self.look_ahead)
        check_flag("expected", self.expected)
        if self.warmup is None:
            object.__setattr__(self, "warmup", max(1, self.steps // (5 if self.schedule == "Noam" else 10)))
        if self.every is None:
            object.__setattr__(self, "every", max(1, round(self.steps / 100)))


class Knobs(NamedTuple):
    """The hyperparameters that can change while a training runs: two of Settings, and the dropout of the model."""

    lr: float
    batch_size: int
    dropout: float


class Turn(NamedTuple):
    """Somebody turned the knobs: from the step after `step` on they are as here."""

    step: int
    knobs: Knobs


def knobs_of(settings: Settings, config: TransformerConfig) -> Knobs:
    """The knobs as a training begins with them."""
    return Knobs(settings.lr, settings.batch_size, config.dropout)


def turned(settings: Settings, config: TransformerConfig, knobs: Knobs) -> tuple[Settings, TransformerConfig]:
    """The same training with these knobs. Raises InputError for what they cannot be set to."""
    lr, batch_size, dropout = knobs
    return replace(settings, lr=lr, batch_size=batch_size), replace(config, dropout=dropout)


def in_force(turns: Sequence[Turn], step: int, first: Knobs) -> Knobs:
    """The knobs at a step, counted from 1: as they were turned last before it, or else as they were at first."""
    return next((knobs for since, knobs in reversed(turns) if since < step), first)


def _check_from_1(name: str, value: object, maximum: int) -> None:
    if not is_whole(value) or not 1 <= value <= maximum:
        raise InputError(f"{name}={value!r} must be a whole number from 1 to {maximum:,}")


def settings_from(values: dict) -> Settings:
    """Settings from plain values, as a file holds them. Raises InputError for an unknown name or a wrong value."""
    known = {field.name for field in fields(Settings)}
    unknown = [name for name in values if name not in known]
    if unknown:
        raise InputError(f"a training has no setting {unknown[0]!r}")
    return Settings(**values)
