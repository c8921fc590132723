"""Training with and without the causal mask, and what each model can write."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.view import View
from lab.server.jobs import Job, Refused
from lab.server.trainings import queue
from pages.generation import data, figures
from pages.generation.components.two_writers import Writer, payload, two_writers
from transformer import inspection, training

OPENS_AT = 2  # of the stored tales: the first that the mask's model finishes well after guessing another colour
_TRAIN = "_generation_train_both"  # in st.session_state: whether this visitor wants to see both trained here
Jobs = Mapping[str, Job]  # by name, with the mask first


class Settings(NamedTuple):
    """is_stored: what is shown is the trainings that come with the project, not those of this machine."""

    is_stored: bool


def ask() -> Settings:
    return Settings(not st.session_state.get(_TRAIN, False))


def compute(s: Settings) -> "Mapping[str, training.studies.mask.Run] | Jobs | Refused":
    """The two trainings, or why the queue refuses them."""
    if s.is_stored:
        return data.stored_mask_trainings()
    try:
        return data.mask_trainings()
    except Refused as error:
        return error


def draw(s: Settings, trainings: "Mapping[str, training.studies.mask.Run] | Jobs | Refused") -> None:
    if isinstance(trainings, Refused):
        display.notice(str(trainings))
        with display.prose():
            _explain()
    elif s.is_stored:
        _stored(cast("Mapping[str, training.studies.mask.Run]", trainings))
    else:
        _trainings(cast("Jobs", trainings))
    with display.prose():
        questions.ask("generation-leak")
        teaching.code_expander("transformer/inspection/look_ahead.py", "plan", "outcome", icon=None)


def _explain() -> None:
    st.markdown(
        "A model that writes is trained on finished texts: it has to predict the next token at every position, at "
        "all positions at once. The **causal mask** hides what comes after. Without it, the answer is in plain "
        "sight, one position to the right, and copying it is all that is learned: whichever colour we put there, the "
        "model says that colour.\n\n"
        "The same small model learns to tell tales twice, with the same initial parameters and the same examples: "
        "once with the mask in its decoder, once without. No model can know which colour a tale will name, so the one "
        "with the mask cannot reach 100%. A score that is too good is a warning."
    )


def _want() -> None:
    st.session_state[_TRAIN] = True


def _stored(runs: "Mapping[str, training.studies.mask.Run]") -> None:
    """The two trainings that come with the project."""
    _write(runs, {name: run.curve[-1][1] for name, run in runs.items()})
    n = next(iter(runs.values())).n
    seconds = " and ".join(f"{run.seconds:.0f} s" for run in runs.values())
    with display.prose():
        _explain()
        _draw_accuracy({name: run.curve for name, run in runs.items()}, max(run.curve[-1][0] for run in runs.values()))
        st.markdown(
            f"{n} tales that neither model has seen. Stored, after {seconds} of training; "
            f"`{data.MASK_COMMAND}` trains both again, and so does this:"
        )
        st.button("Train both here", icon=":material/play_arrow:", on_click=_want, key="gen-train-both")


def _trainings(jobs: Jobs) -> None:
    """The two trainings while they run, what they have learned, or why they broke off."""
    if any(job.is_alive for job in jobs.values()):
        _progress(jobs)
    elif all(job.state == "done" for job in jobs.values()):
        _outcomes(jobs)
    else:
        display.notice("The training broke off before its end.", *(job.error for job in jobs.values() if job.error))
        st.button("Train both again", on_click=data.forget_mask_trainings, key="gen-again")


@st.fragment(run_every="0.5s")
def _progress(jobs: Jobs) -> None:
    if not any(job.is_alive for job in jobs.values()):
        st.rerun(scope="app")
    _accuracy(jobs)
    for name, job in jobs.items():
        place = queue().place(job)
        label = f"{name}: waiting, number {place} in line" if place else f"{name}: step {job.step} of {job.steps}"
        st.progress(min(1.0, job.step / job.steps), text=label)


def _accuracy(jobs: Jobs) -> None:
    _draw_accuracy(
        {name: [(snapshot.step, snapshot.accuracy) for snapshot in list(job.snapshots)] for name, job in jobs.items()},
        max(job.steps for job in jobs.values()),
    )


def _draw_accuracy(curves: Mapping[str, Sequence[tuple[int, float]]], n_steps: int) -> None:
    st.markdown("**Right words in training**")
    last = ", ".join(f"{name} {curve[-1][1]:.0%}" for name, curve in curves.items() if curve)
    display.figure(figures.learned(curves, n_steps), key="gen-learned", alt=f"Tokens right by training step: {last}.")


def _outcomes(jobs: Jobs) -> None:
    outcomes = data.mask_outcomes()
    _write(outcomes, {name: jobs[name].snapshots[-1].accuracy for name in outcomes})
    seconds = " and ".join(f"{job.seconds:.0f} s" for job in jobs.values())
    n = next(iter(outcomes.values())).n
    with display.prose():
        _explain()
        _accuracy(jobs)
        st.markdown(f"{n} tales that neither model has seen; {jobs['with the mask'].steps} steps, {seconds}.")


def _write(
    outcomes: "Mapping[str, training.studies.mask.Run] | Mapping[str, inspection.look_ahead.Outcome]",
    accuracies: Mapping[str, float],
) -> None:
    """Both models in training and writing, at the same word of the same tale."""
    writers = [
        Writer(name, accuracies[name], outcome.right, outcome.copied, sees_ahead=n > 0)  # the mask's comes first
        for n, (name, outcome) in enumerate(outcomes.items())
    ]
    tales = list(zip(*(outcome.samples for outcome in outcomes.values()), strict=True))
    two_writers(payload(writers, tales[OPENS_AT:] + tales[:OPENS_AT]), key="gen-writers")


VIEW = View(ask, compute, draw)
