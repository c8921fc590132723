"""The film on screen: a recorded one, or this visitor's trainings, of which new frames come while they run."""

import math
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import streamlit as st

from lab.kit import settings, teaching
from lab.kit.figures import display
from lab.kit.models.references import Shipped
from pages.live import data, trainings, wording
from pages.live.components.training_film import Side, film_feed, film_view, pack
from pages.live.register import Training, plan_of
from pages.live.values import values_of
from transformer.core.checks import InputError
from transformer.training import shipped
from transformer.training.plan import Plan
from transformer.training.settings import knobs_of
from transformer.training.tasks import TASKS
from transformer.training.tasks.shapes import QUESTIONS

if TYPE_CHECKING:
    from transformer.training.film import Film
    from transformer.training.settings import Settings

YOURS, BEFORE = "your training", "before training"
PICTURES = "pictures"  # the task
_SENT = "_live_sent"  # in st.session_state: the frames that this tab has, by the id of their training
RECORDED = ", recorded"
SETTLED = 3.0  # seconds after which the time that is left can be told
DEFAULT_FILM = "reverse"  # of the shipped model with this name
LOOP = "transformer/training/trainer.py"
# What a line of the loop makes, recognised by its words: a curve of the film, or a value that does not change.
LOOP_VALUES = {
    "step = self.step + 1": "step",
    "batch = self._batch(step)": "batch",
    "loss = cross_entropy(": "loss",
    "norm = torch.nn.utils.get_total_norm(": "grad_norm",
    "clip_grads_with_norm_(": "clip",
    "= self.schedule(step)": "lr",
    "self.optimiser.step()": "weight_norm",
}
_ORDINALS = {1: "next", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def recorded_films() -> dict[str, str]:
    """The recorded films: name on screen and in links -> name of the shipped model."""
    return {f"{model.title}{RECORDED}": name for name, model in shipped.available().items()}


def film_of_task(task: str) -> str:
    """The name on screen of the film of this task that is there at once: recorded, or else before any training."""
    names = [film for film, name in recorded_films().items() if shipped.SHIPPED[name].task == task]
    return (names or [BEFORE])[0]


def task_of(name: str, plans: Mapping[str, Plan]) -> str:
    """The task of the film of this name; "" where nobody knows."""
    if name in recorded_films():
        return shipped.SHIPPED[recorded_films()[name]].task
    mine = [training.plan for training in trainings.trainings().by_place.values()]
    known = [*(mine if name == YOURS else plans.values())]
    return known[0].task if known else ""


def what_to_watch(task: str) -> str:
    """What is to be seen in the film of a task, in Markdown."""
    declaration = TASKS.get(task)
    if declaration is None or declaration.needs_text:
        return (
            "In a text no cell is the right one: nobody knows what its next token depends on. Watch where the"
            " :violet[**attention weights**] go."
        )
    if task == PICTURES:
        return (
            "The outlined patches hold what is asked about. Nobody tells the model: watch its"
            " :violet[**attention weights**] find them."
        )
    example = f"**{display.plain(declaration.sketch)}**: nobody" if declaration.sketch else "Nobody"
    return f"{example} tells the model where an answer comes from. Watch its :violet[**attention weights**] find out."


def show(name: str, plans: Mapping[str, Plan], states: tuple[str, ...]) -> None:
    """The film of this name: recorded, or the models of these plans before training, or this visitor's trainings,
    of which new frames come by themselves.

    states  of the trainings, as the rest of the page shows them
    """
    mine = trainings.trainings()
    if name == YOURS:
        _resend()
        sides = _sides(plans)
    elif name == BEFORE:
        sides = _untrained_sides(plans)
    else:
        shown = recorded_films()[name]
        probes = [plan.probe for plan in plans.values() if plan.task == shipped.SHIPPED[shown].task]
        sides = [_recorded_side(shown, probes[-1] if probes else "")]
    steps = max((plan.settings.steps for plan in plans.values()), default=0)
    task = task_of(name, plans)
    trains = name == film_of_task(task) and task in {plan.task for plan in plans.values()}
    packet = pack(sides, *_loop(), alive=name == YOURS and mine.is_busy, to_train=steps, trains=trains)
    with st.container(key="live-film"):
        film_view(packet, key="live_view", on_missing=_resend)
    interval = 0.3 if "running" in mine.states else 0.8  # seconds
    with st.container(key="live-feed"):
        notices = tuple(mine.notices)
        st.fragment(_feed, run_every=interval if mine.is_busy else None)(states, notices, name == YOURS)


def _untrained_sides(plans: Mapping[str, Plan]) -> list[Side]:
    sides = []
    for place, plan in plans.items():
        key, name = _key(plan), place if len(plans) > 1 else ""
        try:
            film = data.before_training(key, plan)
        except InputError as error:
            settings.notify(data.sentence(error))
            return []
        sides.append(_untrained(key, plan, film, name=name, state="untrained", status="before training"))
    return sides


def about(plan: Plan | None) -> str:
    """The model of a plan in a few words."""
    return wording.named(values_of(plan)) if plan else ""


def _feed(states: tuple[str, ...], notices: tuple[str, ...], is_shown: bool) -> None:
    """Send the new frames of this visitor's trainings. The whole page follows when one of them changes its state, or
    when something has happened to it."""
    mine = trainings.trainings()
    if (mine.states, tuple(mine.notices)) != (states, notices):
        st.rerun()
    film_feed(pack(_sides(), alive=True) if is_shown and mine.is_busy else None, key="live_feed")


def _resend() -> None:
    """Have the browser sent everything again."""
    st.session_state[_SENT] = {}


def _sides(plans: Mapping[str, Plan] | None = None) -> list[Side]:
    """This visitor's trainings. At rest, each reads an input that has been typed since, as these plans have it."""
    mine = trainings.trainings()
    probes = {} if mine.is_busy else {plan.task: plan.probe for plan in (plans or {}).values()}
    sides = []
    for place, training in mine.by_place.items():
        name, probe = place if len(mine.by_place) > 1 else "", probes.get(training.plan.task, "")
        is_new = probe and probe != training.plan.probe
        sides.append((_asked_side(name, training, probe) if is_new else None) or _side(name, training))
    return sides


def _asked_side(name: str, training: Training, probe: str) -> Side | None:
    """What the model of a training makes of an input that it was not watched with; None where it cannot read it."""
    if not training.rests:
        return None
    plan, state = training.plan, training.job.state
    try:
        checkpoint = training.checkpoint()
        key = f"{training.id} {checkpoint.step}"
        film = data.asked(key, checkpoint, probe)
    except InputError as error:
        settings.notify(f"Your model cannot read your input: {str(error).rstrip('.')}.")
        return None
    at = "your trained model" if state == "done" else f"your model, at step {checkpoint.step},"
    return Side(
        id=f"{key}, asked {probe}",
        name=name,
        label=plan.label,
        state=state,
        status=f"{at} reads your input",
        planned=plan.settings.steps,
        film=film,
        about=about(plan),
        **(_constants(plan.task, training.vocabulary, plan.settings) | _turns(training)),
    )


def _side(name: str, training: Training) -> Side:
    """What the browser does not have yet of a training."""
    sent: dict[str, int] = st.session_state.setdefault(_SENT, {})
    first = sent.get(training.id, 0)
    film, plan = training.film(first), training.plan
    if film is None and first == 0:
        return _waiting_side(name, training)
    sent[training.id] = first + (len(film) if film else 0)
    constants = _constants(plan.task, training.vocabulary, plan.settings) if film and first == 0 else {}
    return Side(
        id=training.id,
        name=name,
        label=plan.label,
        state=training.job.state,
        status=_status(training),
        planned=plan.settings.steps,
        film=film,
        first=first,
        about=about(plan),
        **(constants | _turns(training)),
    )


def _turns(training: Training) -> dict[str, Any]:
    """Where its knobs were turned, and what has changed since, as Side calls it."""
    job, plan = training.job, training.plan
    if not job.turns:
        return {}
    first = knobs_of(plan.settings, plan.config)
    marks = wording.turns_in_words(job.turns, first, plan.settings.steps // 40)
    return {"turns": marks, "values": _values(plan.settings, job.turns[-1].knobs.batch_size)}


# The curves whose values are shown large, each with its name: by the name of the task, or for most of them.
TILES = {
    "val_loss": "Validation loss",
    "perplexity": "Perplexity",
    "accuracy": "Tokens right",
    "exact": "Answers right",
}
_GOES_ON = {"val_loss": "Validation loss", "perplexity": "Perplexity", "accuracy": "Next tokens right"}
TILES_OF = {
    "tales": _GOES_ON,
    "text": _GOES_ON,
    "pictures": {"val_loss": "Validation loss", **{q: f"{q.capitalize()} right" for q in QUESTIONS}},
    "sentiment": {"val_loss": "Validation loss", "perplexity": "Perplexity", "exact": "Reviews right"},
}

# What the weight on the true alignment is called in the literature, by the name of the task.
SCORES = {"repeat": "Induction score"}


def _waiting_side(name: str, training: Training) -> Side:
    """A training without a frame yet: what it begins with is known already."""
    sent: dict[str, int] = st.session_state.setdefault(_SENT, {})
    plan, key = training.plan, _key(training.plan)
    film = None if sent.get(key) else data.before_training(key, plan)
    sent[key] = 1
    return _untrained(key, plan, film, name=name, state=training.job.state, status=_status(training))


def _untrained(key: str, plan: Plan, film: "Film | None", **more: Any) -> Side:
    words = film.script.n_choices if film and film.script else 0
    return Side(
        id=f"before {key}",
        label=plan.label,
        planned=plan.settings.steps,
        film=film,
        about=about(plan),
        **_constants(plan.task, words, plan.settings) if film else {},
        **more,
    )


def _key(plan: Plan) -> str:
    """What tells plans apart, in caches."""
    return sha256(repr(plan).encode()).hexdigest()[:16]


def _constants(task: str, vocabulary: int, settings: "Settings") -> dict[str, Any]:
    """What does not change during a training, as Side calls it."""
    return {
        "tiles": TILES_OF.get(task, TILES),
        "score": SCORES.get(task, ""),
        "guess": math.log(vocabulary),
        "causal": not settings.look_ahead,
        "values": _values(settings, settings.batch_size),
    }


def _values(settings: "Settings", batch_size: int) -> dict[str, str]:
    return {"batch": f"{batch_size} examples", "clip": f"at {settings.clip:g}" if settings.clip else "off"}


def _status(training: Training) -> str:
    """The state of a training in a few words."""
    job = training.job
    match job.state:
        case "waiting":
            if job.queue.waits_for_own(job):
                return "setting up: your previous training is stopping"
            place = job.queue.place(job)
            return f"You are {_ORDINALS.get(place, f'number {place}')} in line: about {_time(job.queue.wait_left(job))}"
        case "running":
            if not job.snapshots:
                return f"setting up: drawing {training.plan.settings.n_examples:,} examples"
            return f"learning, {_roughly(job.left)} left" if job.seconds > SETTLED else "learning"
        case "paused":
            reason = " to let others have a turn" if job.gave_way else ""
            return f"paused at step {job.step}{reason}"
        case "stopped":
            return f"stopped at step {job.step}"
        case "failed":
            return f"ended at step {job.step}"
    return f"{job.steps} steps in {_time(job.seconds)}"


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"{max(seconds, 0.1):.1f} s"
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _roughly(seconds: float) -> str:
    """A time that does not hop: in steps that are larger, the longer it is."""
    step = 1 if seconds < 10 else 5 if seconds < 60 else 15
    rounded = max(1, math.ceil(seconds / step) * step)
    return f"{rounded} s" if rounded < 120 else f"{math.ceil(seconds / 60)} min"


def _recorded_side(name: str, probe: str = "") -> Side:
    """The recorded film of this model; with an input of the visitor's own, what the trained model makes of that."""
    checkpoint = Shipped(name).resolve().checkpoint
    film = checkpoint.film
    assert film is not None  # every shipped model has one
    id, status = f"shipped {name}", f"recorded; the training took {_time(float(film.curves['seconds'][-1]))}"
    if probe:
        try:
            film = data.asked(id, checkpoint, probe)
            id, status = f"{id}, asked {probe}", "the trained model reads your input"
        except InputError as error:
            settings.notify(f"The recorded model cannot read your input: {str(error).rstrip('.')}.")
    return Side(
        id=id,
        state="recorded",
        label=checkpoint.task.title,
        status=status,
        planned=checkpoint.step,
        film=film,
        about=about(plan_of(checkpoint)),
        **_constants(checkpoint.task.name, checkpoint.task.n_choices, checkpoint.settings),
    )


def _loop() -> tuple[list[tuple[str, str]], str]:
    """The lines of one step of the training, each with the name of the value that it makes; and where they are."""
    source, line = teaching.source_of(LOOP, "Trainer._learn")
    lines = [
        (text, next((name for words, name in LOOP_VALUES.items() if words in text), "")) for text in source.splitlines()
    ]
    return lines, f"{LOOP}, line {line}; the loss is the mean since the frame before"
