"""A class that nobody has sat in, for the rehearsal: answers drawn by chance around the model's own.

Wherever they are shown, they are called invented: they say what a vote looks like, and nothing about any class.
"""

from random import Random
from typing import Any

from lab.server.rooms.plan import CHOSEN, Plan, Step

N_SEATS = 24
N_CHOSEN = 8  # labels or cells that anybody chooses: those to which the model gives most
ROUNDS = 2  # before and after talking


def of_plan(plan: Plan) -> list[list[list[Any]]]:
    """The answers of each question in each round; [] where a class sends none, or all know that there is no model."""
    return [[answers(step, n) for n in range(ROUNDS)] for step in plan.steps]


def answers(step: Step, n: int = 0) -> list[Any]:
    """The nth round of a question, the same whenever it is asked. After talking, more agree with the model."""
    rng = Random(f"{step.heading} {step.ask} {n}")
    if not step.truth or step.kind == "test":
        return []
    if step.kind == "number":
        spread = 0.2 * (step.high - step.low) / (1 + n)
        return [round(_within(step, rng.gauss(step.truth[0], spread)), 2) for _ in range(N_SEATS)]
    if step.kind == "curve":
        return [_curve(step, rng, 1 + n) for _ in range(N_SEATS // 2)]
    if step.kind not in (*CHOSEN, "map"):
        return []
    places = sorted((n for n, w in enumerate(step.truth) if w >= 0), key=lambda n: -step.truth[n])[:N_CHOSEN]
    doubt = 0.9 / len(places) / (1 + 2 * n)
    drawn = rng.choices(places, [step.truth[place] ** 0.5 + doubt for place in places], k=N_SEATS)
    n_labels = len(step.labels)
    return [list(divmod(place, n_labels)) for place in drawn] if step.kind == "map" else drawn


def _curve(step: Step, rng: Random, certain: int) -> list[float]:
    """The model's curve, made flatter and moved: who draws one by hand is surprised less often than the model."""
    middle, flat = sum(step.truth) / len(step.truth), rng.uniform(0.2, 0.9)
    shift = rng.gauss(0, 0.12 / certain) * (step.high - step.low)
    return [round(_within(step, middle + flat * (value - middle) + shift), 3) for value in step.truth]


def _within(step: Step, value: float) -> float:
    return min(max(value, step.low), step.high)
