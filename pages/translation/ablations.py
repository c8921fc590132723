"""Parts that are taken out while the model runs, or while one is trained; and padding, with its mask and without."""

import numpy as np
import streamlit as st

from pages.shared import display, teaching
from pages.shared.components.attention_view import attention_view
from pages.shared.controls import choose
from pages.shared.training_queue import Refused
from pages.translation import data
from pages.translation import figures as figures

# ---- plugs -----------------------------------------------------------------------------------------------------

PLUGS = {
    "none": None, "memory": "memory", "where to look": "focus", "positions": "positions", "one head": "head",
    "the mask in training": "mask",
}  # fmt: skip
_PULLED = {
    None: "All plugs are in: this is the model as it was trained, bit for bit.",
    "memory": "The decoder reads zeros where the encoder's memory should be. It still puts words in a row, for "
    "it knows how they follow each other. But it has not read your sentence: it writes this **whatever you type**.",
    "focus": "Every word of the sentence is looked at alike, so what comes in is an average of all: which words there "
    "are can be guessed from it, but not which one is meant now.",
    "positions": "Nobody is told where a word stands. For the encoder the sentence is a bag of words; the decoder has "
    "its mask, but loses count of what it has written.",
    "head": "One head says nothing any more; everything after it runs as before. Some heads carry the translation, "
    "others can be spared.",
}
SIDES = {"cross-attention": "cross", "encoder self": "encoder", "decoder self": "decoder"}


def plugs(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    say: list[str] = []
    name = choose(
        st.segmented_control, "Pull", "translation_plug", PLUGS, "memory", say,
        help="What is taken out of the trained model while it runs. Nothing is trained again, but for the mask.",
    )  # fmt: skip
    plug = PLUGS[name]
    if plug == "mask":
        display.notice(*say)
        _maskless(words)
        return
    config = subject.checkpoint.config
    head = None
    if plug == "head":
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            side = SIDES[choose(st.segmented_control, "of", "plug_side", SIDES, "decoder self", say)]
            L = config.n_encoder_layers if side == "encoder" else config.n_decoder_layers
            why = "this model has no layer {}"
            layer = (
                choose(st.select_slider, "Layer", "plug_layer", range(L), 0, say, why=why, width=140) if L > 1 else 0
            )
            H = config.n_heads
            number = choose(st.select_slider, "Head", "plug_head", range(H), 1, say, width=160) if H > 1 else 0
        head = (side, layer, number)
    display.notice(*say)
    with display.loading(300):
        becomes = data.pulled(subject, words, plug, head)
        usual, share = data.share(subject, None), data.share(subject, plug, head)
    figure, thread = st.columns([7, 5], gap="large")
    with figure:
        st.markdown(f"With all plugs in: :blue[{display.plain(told.text) or '(nothing)'}]")
        st.markdown(f"##### Without: :blue[{display.plain(becomes) or '(nothing)'}]")
        st.caption(f"Measured on {data.TESTS} sentences that it was not trained on, written by itself:")
        if plug == "head":
            _every_head(subject, head, usual)
        names = [said for said, which in PLUGS.items() if which in (None, "memory", "focus", "positions")]
        values = [data.share(subject, PLUGS[said]) for said in names]
        if plug == "head":
            names, values = [names[0], "this head"], [values[0], share]
        chosen = names.index(name) if name in names else 1
        display.figure(
            figures.shares(tuple(names), tuple(values), chosen), key="plug_shares",
            alt="Exactly right: " + ", ".join(f"{n} {v:.0%}" for n, v in zip(names, values, strict=True)),
        )  # fmt: skip
    with thread:
        st.markdown(_PULLED[plug])
        if plug is None:
            same = becomes == told.text
            st.markdown(
                "The translation is the same, letter for letter." if same else "**It differs**, which is a bug."
            )
        if plug == "head":
            teaching.check(
                "A head is silenced, and all 100 sentences are still right. Was it useless?",
                ["Yes", "Not necessarily: others can do its work, and 100 sentences are few"],
                1,
                "Heads overlap: what one brings, another may bring too. Silencing both can hurt where one did not.",
                key="translation-head",
            )
        else:
            teaching.check(
                "Without the memory, words still follow each other almost as in French. What does that show?",
                [
                    "The decoder alone is a language model",
                    "The memory is not needed",
                    "It learned the sentence by heart",
                ],
                0,
                "It learned how French goes on from French. What to say, it can only hear from the encoder.",
                key="translation-plugs",
            )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/translation.py", "pull")


def _every_head(subject: data.Subject, head: tuple[str, int, int], usual: float) -> None:
    """The share left without each head of one side; measured once, with a bar while it lasts."""
    side, layer, number = head
    config = subject.checkpoint.config
    L = config.n_encoder_layers if side == "encoder" else config.n_decoder_layers
    bar = st.progress(0.0, "Silencing one head after the other")
    values = np.zeros((L, config.n_heads))
    for n, (i, h) in enumerate(np.ndindex(values.shape), start=1):
        values[i, h] = data.share(subject, "head", (side, i, h))
        bar.progress(n / values.size, "Silencing one head after the other")
    bar.empty()
    display.figure(
        figures.silenced(values, usual, chosen=(layer, number)), key="plug_heads",
        alt=f"Exactly right without each head: from {values.min():.0%} to {values.max():.0%}; with all, {usual:.0%}.",
    )  # fmt: skip


def _maskless(words: tuple[str, ...]) -> None:
    """Train one that may look ahead, on the spot: right when it is told the answer, lost when it is not."""
    job = data.maskless()
    left, right = st.columns([7, 5], gap="large")
    with left:
        card = data.subject(mine=False).checkpoint.card
        st.markdown(
            f"**With the mask** (the shipped translator): {card['accuracy, token by token']:.0%} of words right when "
            f"it is shown the words before; {card['exactly right, written by itself']:.1%} of sentences when it writes "
            "by itself."
        )
    with right:
        st.markdown(
            "While it learns, the decoder is given the right translation and asked, at every place, for the next word. "
            "Without the causal mask it can simply **look at that word**. It learns to copy it, and nothing else. "
            "When it has to write by itself there is nothing to copy."
        )
        st.caption(
            f"This trains a translator of the same size for {data.MASKLESS_STEPS} steps, about 10 "
            "seconds where it is alone. It is yours alone and ends with your visit."
        )
        teaching.check(
            "In training it predicts 99% of all words. Is it a good translator?",
            ["Yes", "Not if it was shown the answers"],
            1,
            "Whether a model is good shows only where it works as it will be used: writing on top of its own words.",
            key="translation-mask",
        )
    with left:
        if job is None or job.state in ("stopped", "failed"):
            if job is not None and job.error:
                display.notice(job.error)
            if st.button("Train one that may look ahead", type="primary", key="maskless"):
                try:
                    data.train_maskless()
                    st.rerun()
                except Refused as refusal:
                    display.notice(str(refusal))
        elif job.state == "done":
            _blind(job, words)
        else:
            _watch_maskless()


@st.fragment(run_every="0.5s")
def _watch_maskless() -> None:
    job = data.maskless()
    if job is None or not job.is_alive:
        st.rerun()
    place = job.queue.place(job)
    if place:
        said = f"Waiting: number {place} in the queue, about {job.queue.wait_left(job):.0f} s"
    else:
        accuracy = job.snapshots[-1].accuracy if job.snapshots else 0.0
        said = f"Step {job.step} of {job.steps}: {accuracy:.0%} of all words right when it is shown the answer"
    st.progress(job.step / job.steps, said)
    if st.button("Stop", key="maskless_stop"):
        job.stop()


def _blind(job, words: tuple[str, ...]) -> None:
    seen = data.blind(job, words)
    st.markdown("**Without the mask**, on words and sentences that it was not trained on:")
    one, other = st.columns(2)
    one.metric("words right, shown the answer", f"{seen.told:.0%}")
    other.metric("sentences right, writing by itself", f"{seen.alone:.0%}")
    st.markdown(f"Your sentence becomes: :blue[**{display.plain(seen.text) or '(nothing: it ends at once)'}**]")


# ---- padding ---------------------------------------------------------------------------------------------------


def padding(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    say: list[str] = []
    most = min(8, data.room(subject, words))
    if most < 1:
        display.notice(
            "This model has learned as many positions as there are words, so padding has no room behind them."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        n_pads = choose(
            st.select_slider, "The other sentence is longer by", "translation_pads", range(1, most + 1), min(3, most),
            say, width=260, follows=True,
        ) if most > 1 else 1  # fmt: skip
        on = choose(st.segmented_control, "Padding mask", "translation_mask", ("on", "off"), "on", say) == "on"
    display.notice(*say)
    seen = data.padded(subject, words, n_pads, masked=on)
    attention_view(seen.packed, key="translation_padded", url="tr_")
    same = "the same translation as alone" if seen.text == told.text else f"now: *{display.plain(seen.text)}*"
    thread, check = st.columns([1, 1], gap="large")
    with thread:
        largest = "exactly **0**" if seen.on_pads == 0 else f"**{seen.on_pads:.2f}**"
        st.markdown(
            f"In a batch all sentences are as long as the longest; the rest is filled with ⟨pad⟩. The largest weight on"
            f" a pad, of any word in any head, is {largest}. Result: {same}. Of {data.TESTS} held-out sentences "
            f"with padding behind them, **{seen.share:.0%}** are exactly right."
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/masks.py", "padding_of")
            teaching.code("transformer/inspection/translation.py", "pad")
    with check:
        teaching.check(
            "Which attentions need the padding mask of the source?",
            ["The encoder's own only", "The encoder's own and the cross-attention", "The decoder's own"],
            1,
            "Both look at the source. The decoder's own attention looks at the translation, which has padding of its "
            "own behind it, where nobody looks anyway.",
            key="translation-padding",
        )
