"""The film on screen: a recorded one, or this visitor's trainings, of which new frames come while they run."""

import math
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.live import trainings
from pages.live.components.training_film import Side, film_feed, film_view, pack
from pages.shared import teaching
from pages.shared.models import Shipped
from pages.shared.trainings import Training
from transformer.training import shipped

if TYPE_CHECKING:
    from transformer.training.settings import Settings

YOURS = "your training"
_SENT = "_live_sent"  # in st.session_state: the frames that this tab has, by the id of their training
RECORDED = ", recorded"
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
    """The name on screen of the recorded film of this task, or of the default one."""
    films = recorded_films()
    names = [film for film, name in films.items() if shipped.SHIPPED[name].task == task]
    return (names or [film for film, name in films.items() if name == DEFAULT_FILM])[0]


def show(recorded: str | None, states: tuple[str, ...]) -> None:
    """The film of a shipped model, or all there is of this visitor's trainings; new frames then come by themselves.

    states  of the trainings, as the rest of the page shows them
    """
    mine = trainings.trainings()
    if recorded is not None:
        sides = [_recorded_side(recorded)]
    else:
        _resend()
        sides = _sides()
    packet = pack(sides, *_loop(), alive=recorded is None and mine.is_busy)
    film_view(packet, key="live_view", on_missing=_resend)
    interval = 0.3 if "running" in mine.states else 0.8  # seconds
    with st.container(key="live-feed"):
        st.fragment(_feed, run_every=interval if mine.is_busy else None)(states, recorded is None)


def _feed(states: tuple[str, ...], is_shown: bool) -> None:
    """Send the new frames of this visitor's trainings. When one of them changes its state, the whole page follows."""
    mine = trainings.trainings()
    if mine.states != states:
        st.rerun()
    film_feed(pack(_sides(), alive=True) if is_shown and mine.is_busy else None, key="live_feed")


def _resend() -> None:
    """Have the browser sent everything again."""
    st.session_state[_SENT] = {}


def _sides() -> list[Side]:
    mine = trainings.trainings().by_place
    return [_side(place if len(mine) > 1 else "", training) for place, training in mine.items()]


def _side(name: str, training: Training) -> Side:
    """What the browser does not have yet of a training."""
    sent: dict[str, int] = st.session_state.setdefault(_SENT, {})
    first = sent.get(training.id, 0)
    film = training.film(first)
    sent[training.id] = first + (len(film) if film else 0)
    return Side(
        id=training.id,
        name=name,
        label=training.label,
        state=training.job.state,
        status=_status(training),
        planned=training.settings.steps,
        film=film,
        first=first,
        **(_constants(training.vocabulary, training.settings) if film and first == 0 else {}),
    )


def _constants(vocabulary: int, settings: "Settings") -> dict[str, Any]:
    """What does not change during a training, as Side calls it."""
    return {
        "guess": math.log(vocabulary),
        "causal": not settings.look_ahead,
        "values": {
            "batch": f"{settings.batch_size} examples",
            "clip": f"at {settings.clip:g}" if settings.clip else "off",
        },
    }


def _status(training: Training) -> str:
    """The state of a training in a few words."""
    job = training.job
    match job.state:
        case "waiting":
            place = job.queue.place(job)
            return f"You are {_ORDINALS.get(place, f'number {place}')} in line, about {_time(job.queue.wait_left(job))}"
        case "running":
            return f"learning, {_time(job.left)} left" if job.snapshots else "setting up"
        case "paused":
            reason = ", so that others get their turn" if job.gave_way else ""
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


def _recorded_side(name: str) -> Side:
    checkpoint = Shipped(name).resolve().checkpoint
    film = checkpoint.film
    assert film is not None  # every shipped model has one
    return Side(
        id=f"shipped {name}",
        state="recorded",
        label=checkpoint.task.title,
        status=f"a recorded film of {_time(float(film.curves['seconds'][-1]))}",
        planned=checkpoint.step,
        film=film,
        **_constants(len(checkpoint.task.target), checkpoint.settings),
    )


def _loop() -> tuple[list[tuple[str, str]], str]:
    """The lines of one step of the training, each with the name of the value that it makes; and where they are."""
    source, line = teaching.source_of(LOOP, "Trainer._learn")
    lines = [
        (text, next((name for words, name in LOOP_VALUES.items() if words in text), "")) for text in source.splitlines()
    ]
    return lines, f"{LOOP}, line {line}; the loss is the mean since the frame before"
