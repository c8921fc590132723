"""Training with and without the causal mask, and what each can write."""

import streamlit as st

from pages.generation import data
from pages.generation import figures as figures
from pages.shared import display, teaching, training_queue
from pages.shared.training_queue import Refused

_NOTHING = "*nothing*"


def without_mask() -> None:
    figure, words = st.columns([6, 5], gap="large")
    with words:
        st.markdown(
            "A model that writes is trained on texts that are already there: at every place it has to say the next "
            "token, all places at once. The **causal mask** hides what comes after. Without it the answer stands in "
            "plain sight, one place to the right, and copying it is all that is learned.\n\n"
            "Here the same small model learns to reverse letters twice, from the same weights and examples: once with "
            "the mask in the decoder, once without. Both are trained on this machine when somebody first opens this."
        )
        teaching.check(
            "Without the mask nearly every token is right while training. Why is what it writes wrong?",
            ["It needs more training", "What it copied from does not exist yet", "The learning rate was too high"],
            1,
            "While writing there is nothing to the right. The model never learned to look at the source, since it "
            "never had to. A good figure while training can be a leak.",
            key="gen-ahead",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/look_ahead.py", "trainer")
            teaching.code("transformer/inspection/look_ahead.py", "outcome")
    with figure:
        try:
            pair = data.with_and_without_mask()
        except Refused as error:
            display.notice(str(error))
            return
        st.markdown("##### Tokens right, while the true ones are shown")
        if any(job.is_alive for job in pair.values()):
            _watch(pair)
        elif all(job.state == "done" for job in pair.values()):
            _learned(pair)
            _written_by_both(pair)
        else:
            display.notice("The training did not come to its end.", *(job.error for job in pair.values() if job.error))
            st.button("Train both again", on_click=data.with_and_without_mask.clear, key="gen-again")


@st.fragment(run_every="0.5s")
def _watch(pair) -> None:
    if not any(job.is_alive for job in pair.values()):
        st.rerun(scope="app")
    for name, job in pair.items():
        place = training_queue.queue().place(job)
        said = f"{name}: waiting, number {place} in the queue" if place else f"{name}: step {job.step} of {job.steps}"
        st.progress(min(1.0, job.step / job.steps), text=said)
    _learned(pair)


def _learned(pair) -> None:
    curves = {
        name: [(snapshot.step, snapshot.accuracy) for snapshot in list(job.snapshots)] for name, job in pair.items()
    }
    most = max(job.steps for job in pair.values())
    last = ", ".join(f"{name} {curve[-1][1]:.0%}" for name, curve in curves.items() if curve)
    display.figure(figures.learned(curves, most), key="gen-learned", alt=f"Tokens right by training step: {last}.")


def _written_by_both(pair) -> None:
    made = data.written_by_both()
    rows = [
        f"| **{name}** | {pair[name].snapshots[-1].accuracy:.1%} | **{outcome.by_itself:.0%}** |"
        for name, outcome in made.items()
    ]
    st.markdown("| trained | tokens right, in training | answers right, by itself |\n|---|--:|--:|\n" + "\n".join(rows))
    masked, unmasked = made.values()
    rows = [
        f"| {read} | {wanted} | {one or _NOTHING} | {other[:40] or _NOTHING} |"
        for (read, wanted, one), (_, _, other) in zip(masked.samples, unmasked.samples, strict=True)
    ]
    st.markdown("| read | right answer | with the mask | without |\n|---|---|---|---|\n" + "\n".join(rows))
    seconds = " and ".join(f"{job.seconds:.0f} s" for job in pair.values())
    st.caption(f"{masked.n} examples that neither was trained on; {pair['with the mask'].steps} steps, {seconds}.")
