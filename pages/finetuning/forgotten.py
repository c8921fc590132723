"""What was forgotten: the old task while the new one is learned, and every head before and after."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.finetuning import data, figures
from pages.finetuning.controls import Taught, ask_taught, origin, trained
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Tiles
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View
from transformer.training.ways import ALL, LORA, SCRATCH, WAYS

if TYPE_CHECKING:
    from transformer.training.finetuning import Tuned

TUNED = WAYS[1:]  # the ways that begin with a trained model
TEXTS = {kind: text for text, kind in data.TEXTS.items()}


class Settings(NamedTuple):
    taught: Taught
    way: str
    text: str


class Result(NamedTuple):
    tuned: "dict[str, Tuned]"
    heads: data.Heads


def ask() -> Settings:
    with settings.place_named("row"):
        way = settings.choose(
            st.segmented_control, "Heads of", "fine_way", TUNED, ALL, label_visibility="collapsed", wrap=True
        )
        kind = settings.choose(
            st.segmented_control, "Reading", "fine_text", tuple(TEXTS), "stories", label_visibility="collapsed"
        )
        taught = ask_taught()
    return Settings(taught, way, TEXTS[kind])


def compute(s: Settings) -> Result:
    tuned = trained(s.taught)
    return Result(tuned, data.heads(s.way, tuned[s.way].lesson, s.text, tuned[s.way]))


def draw(s: Settings, result: Result) -> None:
    left, right = st.columns([4, 5], gap="large")
    lines = {way: (one.steps, one.old) for way, one in result.tuned.items() if way != SCRATCH}
    with left:
        display.figure(
            figures.curves(lines, "facts kept in stories"),
            key="fine-forgotten",
            alt="Facts kept in stories before and after: "
            + ", ".join(f"{way} {values[0]:.2f}, {values[-1]:.2f}" for way, (_, values) in lines.items()),
        )
        st.markdown(_words(result.tuned))
    with right:
        heads = result.heads
        layer, head = divmod(int(heads.moved.argmax()), heads.moved.shape[1])
        display.figure(
            figures.heads(heads.before, heads.after, heads.moved),
            key="fine-heads",
            alt=f"Every head of {s.way} on “{s.text}”, before and after. Head {layer}.{head} moved the"
            f" most: {heads.moved.max():.0%} of its attention weight.",
        )
        st.caption(
            f"**{s.way}**, reading “{s.text}” For each layer: before, and below it after."
            " Head 1.2 is head 2 of layer 1, both counted from 0. *Moved*: the share of its"
            " :violet[**attention weight**] that a head puts elsewhere, in the mean over held-out"
            f" {data.TEXTS[s.text]}. {origin(result.tuned)}"
        )
    check(
        "A model was fine-tuned with LoRA and has forgotten much. How do you get the old model back?",
        Answer(
            "Take the update away",
            "W was never touched. Without B A the model is the old one, bit for bit, and the update is a small file"
            " that can be put back at any time.",
            right=True,
        ),
        Answer("Train it again on the old texts", "That would work for all weights too, and cost a training."),
        Answer("Not at all: what is forgotten is gone", "With all weights trained it is, unless one kept a copy."),
        Answer("Merge the update into the weights", "That is the opposite: merged, it can no longer be taken away."),
        key="finetuning-back",
        try_it={"fine_view": "What was forgotten", "fine_way": LORA},
    )
    with st.expander("The code that ran", icon=":material/code:"):
        teaching.code("transformer/inspection/tuning.py", "heads_moved")


def _words(tuned: "dict[str, Tuned]") -> str:
    """What was forgotten, in words."""
    before = tuned[ALL].old[0]
    after = {way: tuned[way].old[-1] for way in TUNED}
    least = max(after, key=lambda way: after[way])
    return (
        f"Before, the writer kept **{before:.0%}** of the facts of held-out stories. It then read nothing but talks."
        f" Training all weights left **{after[ALL]:.0%}**; the least was lost with {least} (**{after[least]:.0%}**)."
        " This is called *catastrophic forgetting*. A frozen body protects less than one might hope: a changed"
        " output alone says other words. But with LoRA and with “output only” the old model is still in there: take the"
        f" update away, or put the old output map back, and it is **{before:.0%}** again, bit for bit."
    )


def _compared(s: Settings, result: Result) -> Tiles:
    after = result.heads.after
    L, H, T, _ = after.shape
    titles = [f"head {layer}.{head}" for layer in range(L) for head in range(H)]
    return Tiles(after.reshape(L * H, T, T), "attention weight", titles, H, False)


VIEW = View(
    "What was forgotten", ask, compute, draw, height=430,
    comparison=Comparison(lambda s: f"heads after training, {s.way}", _compared),
    asks="What does it lose while it learns?",
)  # fmt: skip
