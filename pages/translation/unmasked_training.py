"""A translator trained on the spot without the causal mask: right when it is shown the answer, lost when it is not."""

import streamlit as st

from pages.shared import display, teaching
from pages.shared.teaching import Answer
from pages.shared.training_queue import Refused
from pages.shared.trainings import Training
from pages.translation import data, sentence
from pages.translation.sentence import Sentence


def draw(s: Sentence) -> None:
    """The shipped translator beside one that may look ahead while it learns; a button trains that one."""
    shipped = sentence.shipped_for(s.ref)
    task = shipped.resolve().task.name
    left, right = st.columns([7, 5], gap="large")
    with left:
        card = shipped.resolve().checkpoint.card
        st.markdown(
            f"**With the mask** (the shipped translator): {card['accuracy, token by token']:.0%} of words right when "
            f"it is given the right words before them; {card['exactly right, written by itself']:.1%} of sentences "
            "right when it writes by itself."
        )
    with right:
        st.markdown(
            "In training, the decoder is given the right translation and asked for the next word at every position. "
            "Without the causal mask it can simply **look at that word**. It learns to copy it, and nothing else. "
            "When it has to write by itself, there is nothing to copy."
        )
        st.markdown(
            f"The button trains a translator of the same size for {data.UNMASKED_STEPS} steps: about 10 seconds on an "
            "idle machine. It is yours alone, in all tabs of this browser."
        )
        teaching.check(
            "In training, a translator predicts 99% of all words. Is it a good translator?",
            Answer(
                "One cannot tell until it writes by itself",
                "Whether a model is good shows only when it works as it will be used: building on its own words.",
                right=True,
            ),
            Answer(
                "Yes: 99% is almost perfect",
                "It may have seen the answers. Then 99% says how well it copies.",
            ),
            Answer(
                "No: it has memorised its training sentences",
                "These may be sentences that it has never seen, and copying still works: the answer is in plain sight.",
            ),
            Answer(
                "No: one word in a hundred makes every sentence wrong",
                "If the words were its own work, most sentences would be right. The question is whose work they are.",
            ),
            key="translation-mask",
        )
    with left:
        _draw_training(task, s.words)


def _draw_training(task: str, words: tuple[str, ...]) -> None:
    """The button that begins it, how far it is, or what came of it."""
    mine = data.unmasked()
    display.notice(*mine.notices)
    training = data.unmasked_training(task)
    if training is None or training.job.state in ("stopped", "failed"):
        if st.button("Train one that may look ahead", type="primary", key="maskless"):
            try:
                data.train_unmasked(task)
                st.rerun()
            except Refused as refusal:
                display.notice(str(refusal))
    elif training.job.state == "done":
        _draw_outcome(training, words)
    else:
        _watch(task, training.job.state)


@st.fragment(run_every="0.5s")
def _watch(task: str, state: str) -> None:
    """How far the training is; the page is drawn anew when it comes to rest or goes on."""
    mine, training = data.unmasked(), data.unmasked_training(task)
    if training is None or training.job.state != state:
        st.rerun()
    job = training.job
    place = job.queue.place(job)
    if place:
        progress = f"Waiting: number {place} in line, about {job.queue.wait_left(job):.0f} s"
    else:
        share = f"{data.unmasked_accuracy(training):.0%} of words right"
        progress = f"Step {job.step} of {job.steps}: {share} when it can see the answer"
    st.progress(min(1.0, job.step / job.steps), progress)
    with st.container(horizontal=True):
        if state == "paused" and st.button("Continue", key="maskless_continue"):
            mine.resume([job])
        if st.button("Stop", key="maskless_stop"):
            mine.stop([job])


def _draw_outcome(training: Training, words: tuple[str, ...]) -> None:
    st.markdown("**Without the mask**, on sentences that were not in its training:")
    shown_the_answer, by_itself = st.columns(2)
    shown_the_answer.metric("words right, seeing the answer", f"{data.unmasked_accuracy(training):.0%}")
    by_itself.metric("sentences right, writing by itself", f"{data.unmasked_share(training.id, training):.0%}")
    text = data.unmasked_text(training.id, " ".join(words), training)
    st.markdown(f"Your sentence becomes: :blue[**{display.plain(text) or '(nothing: it ends at once)'}**]")
