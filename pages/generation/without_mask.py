"""Training with and without the causal mask, and what each model can write."""

from collections.abc import Mapping

import streamlit as st

from pages.generation import data, figures
from pages.shared import display, teaching, training_queue
from pages.shared.teaching import Answer
from pages.shared.training_queue import Job, Refused
from pages.shared.view import View

_NOTHING = "*nothing*"
Jobs = Mapping[str, Job]  # by name, with the mask first


def ask() -> tuple[()]:
    return ()


def compute(_: tuple[()]) -> Jobs | Refused:
    """The two trainings, or why the queue refuses them."""
    try:
        return data.mask_trainings()
    except Refused as error:
        return error


def draw(_: tuple[()], jobs: Jobs | Refused) -> None:
    picture, words = st.columns([6, 5], gap="large")
    with words:
        st.markdown(
            "A model that writes is trained on finished texts: it has to predict the next token at every position, at "
            "all positions at once. The **causal mask** hides what comes after. Without it, the answer is in plain "
            "sight, one position to the right, and copying it is all that is learned.\n\n"
            "Here the same small model learns to reverse letters twice, with the same initial parameters and the same "
            "examples: once with the mask in its decoder, once without. Both are trained on this machine when somebody "
            "first opens this view."
        )
        teaching.check(
            "Without the mask, nearly every token is right in training. Why does the model write nonsense?",
            Answer(
                "What it used to copy from does not exist yet",
                "While it writes, there is nothing to the right. It never learned to look at the source, because it "
                "never had to. A good figure while training can be a leak.",
                right=True,
            ),
            Answer(
                "It needs more training",
                "More of the same would only teach it to copy better.",
            ),
            Answer(
                "It has memorised the training examples",
                "It gets examples right that it has never seen. It does not remember the answers, it *reads* them.",
            ),
            Answer(
                "A decoder without a mask cannot run",
                "It runs, and no error is raised. That is what makes the mistake so hard to notice.",
            ),
            key="generation-leak",
        )
        teaching.code_expander("transformer/inspection/look_ahead.py", "plan", "outcome", icon=None)
    with picture:
        if isinstance(jobs, Refused):
            display.notice(str(jobs))
        else:
            _trainings(jobs)


def _trainings(jobs: Jobs) -> None:
    """The two trainings while they run, what they have learned, or why they broke off."""
    st.markdown("**Right tokens, when fed the true ones**")
    if any(job.is_alive for job in jobs.values()):
        _progress(jobs)
    elif all(job.state == "done" for job in jobs.values()):
        _accuracy(jobs)
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
        place = training_queue.queue().place(job)
        label = f"{name}: waiting, number {place} in line" if place else f"{name}: step {job.step} of {job.steps}"
        st.progress(min(1.0, job.step / job.steps), text=label)


def _accuracy(jobs: Jobs) -> None:
    curves = {
        name: [(snapshot.step, snapshot.accuracy) for snapshot in list(job.snapshots)] for name, job in jobs.items()
    }
    n_steps = max(job.steps for job in jobs.values())
    last = ", ".join(f"{name} {curve[-1][1]:.0%}" for name, curve in curves.items() if curve)
    display.figure(figures.learned(curves, n_steps), key="gen-learned", alt=f"Tokens right by training step: {last}.")


def _outcomes(jobs: Jobs) -> None:
    outcomes = data.mask_outcomes()
    rows = [
        f"| **{name}** | {jobs[name].snapshots[-1].accuracy:.1%} | **{outcome.exactly_right:.0%}** |"
        for name, outcome in outcomes.items()
    ]
    st.markdown(
        "| trained | tokens right, in training | answers right, writing by itself |\n|---|--:|--:|\n" + "\n".join(rows)
    )
    masked, unmasked = outcomes.values()
    rows = [
        f"| {source} | {answer} | {one or _NOTHING} | {other[:40] or _NOTHING} |"
        for (source, answer, one), (_, _, other) in zip(masked.samples, unmasked.samples, strict=True)
    ]
    st.markdown("| read | right answer | with the mask | without |\n|---|---|---|---|\n" + "\n".join(rows))
    seconds = " and ".join(f"{job.seconds:.0f} s" for job in jobs.values())
    st.markdown(f"{masked.n} examples that neither model has seen; {jobs['with the mask'].steps} steps, {seconds}.")


VIEW = View(
    "Without the mask", ask, compute, draw, asks="What if it may look ahead while it learns?",
    lede="Without the causal mask the answer is in plain sight: training looks perfect, and only copying is learned.",
)  # fmt: skip
