"""The puzzle on the page Live: a small loss with few numbers."""

from dataclasses import replace
from typing import Any

from lab.kit.words import brief
from pages.challenges import data
from pages.challenges.challenge import Challenge, Gauge, Verdict, beside
from pages.challenges.links import Link
from pages.challenges.page import MAX_LOSS, PAGE, WIDTH
from transformer.core.checks import InputError
from transformer.training import tasks
from transformer.training.plan import Plan, check_size, task_of

MAX_STEPS = 400
TASK = "reverse"

_FREE = {  # what may be changed: by its name in links, the values that it may have
    "live_heads": (1, 2, 4, 8),
    "live_layers": (1, 2),
    "live_steps": (20, 50, 100, 150, 200, 250, 300, 400),
    "live_lr": (1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 6e-3, 1e-2, 2e-2, 3e-2, 6e-2, 0.1, 0.3, 1.0),
    "live_batch": (8, 16, 32, 64),
    "live_longest": (8, 10, 12, 16),
    "live_seed": tuple(range(20)),
}
_NAMES = "heads, layers, steps, learning rate, batch size, longest text and seed"
_FIXED = (  # what may not
    "positions",
    "d_ff",
    "norm",
    "activation",
    "scores",
    "embedding",
    "output",
    "dropout",
    "mask",
    "schedule",
    "warmup",
    "decay",
    "smoothing",
    "clip",
    "examples",
    "augment",
    "attention",
    "norm_kind",
    "kv_heads",
    "experts",
)


def plan(link: Link) -> Plan:
    """The training that a link to the page Live describes. Raises InputError where the puzzle does not allow it."""
    if link.page != "live":
        raise InputError("this puzzle is solved on the page Live")
    declaration = tasks.TASKS[TASK]
    if link.settings.get("live_task", declaration.label) != declaration.label:
        raise InputError(f"this puzzle is about the task {declaration.label}")
    if link.settings.get("live_d_model") != str(WIDTH):
        raise InputError(f"this model is not {WIDTH} wide: set d_model to {WIDTH}")
    recipe = declaration.recipe
    usual = {
        "live_heads": recipe.config.n_heads,
        "live_layers": recipe.config.n_encoder_layers,
        "live_steps": recipe.settings.steps,
        "live_lr": recipe.settings.lr,
        "live_batch": recipe.settings.batch_size,
        "live_longest": 8,
        "live_seed": 0,
    }
    values = {name: _value(link, name, options, usual[name]) for name, options in _FREE.items()}
    derived = {"d_ff": str(4 * WIDTH), "warmup": str(max(1, values["live_steps"] // 10))}  # they follow the others
    for name in _FIXED:
        if link.settings.get(f"live_{name}", derived.get(name)) != derived.get(name):
            raise InputError(f"here only {_NAMES} may be changed; put {name} back")
    config = replace(
        recipe.config,
        d_model=WIDTH,
        d_ff=4 * WIDTH,
        n_heads=values["live_heads"],
        n_kv_heads=values["live_heads"],
        n_encoder_layers=values["live_layers"],
        n_decoder_layers=values["live_layers"],
    )
    steps = values["live_steps"]
    training = replace(
        recipe.settings,
        steps=steps,
        lr=values["live_lr"],
        batch_size=values["live_batch"],
        seed=values["live_seed"],
        warmup=max(1, steps // 10),
        every=max(1, steps // 10),
    )
    made = Plan(TASK, {"longest": values["live_longest"]}, config, training, "a puzzle")
    check_size(task_of(made), config, training)
    return made


def _value(link: Link, name: str, options: tuple, usual: Any) -> Any:
    """The value of a setting: one of its options."""
    text = link.settings.get(name)
    if text is None:
        return usual
    fitting = [option for option in options if str(option) == text]
    if not fitting:
        label = name.removeprefix("live_")
        raise InputError(f"{label} cannot be {brief(text)} here; try one of {', '.join(map(str, options))}")
    return fitting[0]


def judged(outcome: data.Trained, name: str) -> Verdict:
    """The verdict on a training, by its last loss."""
    last = outcome.losses[-1]
    is_reached = last < MAX_LOSS
    loss = beside(last, MAX_LOSS, 3)
    sentence = f"After {outcome.steps[-1]} steps {name} has a loss of **{loss}** on examples that it never saw"
    sentence += "." if is_reached else f"; wanted: less than {MAX_LOSS}."
    return Verdict(is_reached, sentence, last)


def check_small(link: Link) -> Verdict:
    """Whether this training of a model 16 wide ends with a small loss: it is carried out again."""
    wanted = plan(link)
    return judged(data.trained(repr(wanted), wanted), f"a model {WIDTH} wide")


SMALL = Challenge(
    PAGE.view("Small"),
    words=f"Train a model with {WIDTH} numbers per token to write letters backwards, up to 8 or more of them. You may"
    f" change {_NAMES}, with {MAX_STEPS} steps at most. Press *Check* whether or not you have trained it yourself:"
    " the server trains it again with exactly these settings, which takes some seconds.",
    hint="More heads cost nothing. And it can take larger steps than the recipe does.",
    gauge=Gauge("loss, to fall below", MAX_LOSS),
    check=check_small,
    is_slow=True,
)
