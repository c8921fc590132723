"""The race: five ways to teach a trained model something new, by the steps that they take."""

import math
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.finetuning import figures
from pages.finetuning.controls import Taught, ask_taught, origin, trained
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View
from transformer.training.ways import ALL, LORA, OUTPUT, SCRATCH, TARGET

if TYPE_CHECKING:
    from transformer.training.finetuning import Tuned

NUMBERS = ("one", "two", "three", "four", "five")
ACCURACY, LOSS = CURVES = ("facts kept", "loss")
LEARNS = {
    "from scratch": "everything, from random numbers",
    "output only": "the output map, on a frozen body",
    "last layer": "the last layer and the output map",
    "all weights": "everything",
    "LoRA": "a small update of every matrix",
}


class Settings(NamedTuple):
    taught: Taught
    curve: str


def ask() -> Settings:
    with settings.place_named("row"):
        curve = settings.choose(
            st.segmented_control, "Curve", "fine_curve", CURVES, ACCURACY, label_visibility="collapsed"
        )
        taught = ask_taught()
    return Settings(taught, curve)


def compute(s: Settings) -> "dict[str, Tuned]":
    return trained(s.taught)


def draw(s: Settings, tuned: "dict[str, Tuned]") -> None:
    st.markdown(f"### {headline(tuned)}")
    left, right = st.columns([11, 9], gap="large")
    with left:
        is_share = s.curve == ACCURACY
        lines = {way: (one.steps, one.accuracies if is_share else one.losses) for way, one in tuned.items()}
        arrivals = {way: one.steps_to_target for way, one in tuned.items() if one.steps_to_target is not None}
        title = "facts kept in talks" if is_share else "loss (nats per word)"
        display.figure(
            figures.curves(
                lines,
                title,
                target=TARGET if is_share else None,
                share=is_share,
                arrivals=arrivals if is_share else {},
            ),
            key="fine-race",
            alt=f"{title} at the last step: "
            + ", ".join(f"{way} {values[-1]:.2f}" for way, (_, values) in lines.items()),
        )
    with right:
        st.markdown(table(tuned))
        st.caption(f"Steps: until {TARGET:.0%} of the facts are kept. Seconds: of processor time. {origin(tuned)}")
    st.markdown(
        "A story writer has never read a talk such as *“mia : i found a red ball in the park. ben : where was the ball"
        " ?”* But whoever writes either has to keep to what was said: it was a **ball**, and it was **red**. Measured"
        " are the words that the text has given away before. Each counts as right if the model ranks it first among"
        " all its words."
    )
    st.markdown(_findings(tuned))
    with st.expander("What each way trains, and the code that ran", icon=":material/code:"):
        st.markdown("\n".join(f"- **{way}**: {what}" for way, what in LEARNS.items()))
        st.markdown(
            "Two things were added to the trained model, which change none of its numbers. The words that only talks"
            " have got rows in its table, drawn at random. And its output map, which was that same table, became a"
            " matrix of its own. LoRA leaves both as they are."
        )
        teaching.code("transformer/training/ways.py", "learns")
        teaching.code("transformer/training/finetuning.py", "tune")
    check(
        "Why does the trained model keep some facts of a talk before its first step, when it has never read one?",
        Answer(
            "It has learned to look back for names and things in stories, and that works in talks too",
            "What a head does for one kind of text it does for another that uses the same words. That is why"
            " fine-tuning needs so few steps.",
            right=True,
        ),
        Answer(
            "It was trained on a few of these talks by accident",
            "The words “i”, “you” and “:” were not even in its vocabulary: their rows are random numbers.",
        ),
        Answer(
            "It guesses, and some guesses are right",
            "A guess among all words would nearly always be wrong. See the model with random weights at step 0.",
        ),
        key="finetuning-before",
        try_it={"fine_view": "The race", "fine_curve": ACCURACY},
    )


def ranked(tuned: "dict[str, Tuned]") -> list[str]:
    """The ways in the order in which they reach the target; those that never do last, the better end first."""

    def place(way: str) -> tuple[float, float]:
        steps = tuned[way].steps_to_target
        return (math.inf if steps is None else steps, -float(tuned[way].accuracies[-1]))

    return sorted(tuned, key=place)


def headline(tuned: "dict[str, Tuned]") -> str:
    """Who is there first, and who follows, in one sentence."""
    there = [way for way in ranked(tuned) if tuned[way].steps_to_target is not None]
    if not there:
        best = ranked(tuned)[0]
        return f"None keeps {TARGET:.0%} of the facts; {best} comes closest, with {tuned[best].accuracies[-1]:.0%}"
    first, *others = there
    steps = tuned[first].steps_to_target
    result = f"{first[0].upper()}{first[1:]} first: {TARGET:.0%} of the facts kept after {steps} steps"
    followers = [f"{way} after {tuned[way].steps_to_target}" for way in others]
    never = len(tuned) - len(there)
    if never:
        followers.append(f"{NUMBERS[never - 1]} never")
    return f"{result}; {', '.join(followers)}" if followers else result


def table(tuned: "dict[str, Tuned]") -> str:
    """How soon each way was there, how well it ended and what it trained, in Markdown; the first one on top."""
    rows = [
        "| | way | steps | at the end | trained | seconds |",
        "|--:|---|--:|--:|--:|--:|",
    ]
    for place, way in enumerate(ranked(tuned), 1):
        one = tuned[way]
        steps, share = one.steps_to_target, one.n_trained / one.n_parameters
        rows.append(
            f"| {'' if steps is None else f'{place}.'} | **{way}** | {'never' if steps is None else f'**{steps}**'} | "
            f"{one.accuracies[-1]:.0%} | {one.n_trained:,} ({share:.0%}) | {one.seconds:.1f} |"
        )
    return "\n".join(rows)


def _findings(tuned: "dict[str, Tuned]") -> str:
    """What these five show, in words that their numbers choose."""
    end = {way: one.accuracies[-1] for way, one in tuned.items()}
    best = max(end, key=lambda way: end[way])
    gap = end[ALL] - end[SCRATCH]
    share = tuned[LORA].n_trained / tuned[LORA].n_parameters
    helps = "what it knew before helps" if gap > 0.02 else "here, what it knew before does not help"
    return (
        f"After {tuned[ALL].lesson.steps} steps, training **all weights** keeps {end[ALL]:.0%} of the facts, and the"
        f" same model **from scratch** {end[SCRATCH]:.0%}: {helps}. **LoRA** keeps {end[LORA]:.0%}, and trains"
        f" {share:.0%} as many numbers.{_speed(tuned)} The **output** alone, on a frozen body, gets to"
        f" {end[OUTPUT]:.0%}: it can only read what is worked out already. Best here: {best}. This is one small model"
        " and one new task; with others the order may differ."
    )


def _speed(tuned: "dict[str, Tuned]") -> str:
    """Whether LoRA's steps are faster, in a sentence."""
    lora, everything = (1000 * tuned[way].seconds / tuned[way].lesson.steps for way in (LORA, ALL))
    if lora < everything:
        return f" Its steps take {lora:.0f} ms instead of {everything:.0f}."
    return (
        f" Its steps are no faster ({lora:.0f} ms, all weights {everything:.0f}): every text still runs through the"
        " whole model, forward and back. What LoRA saves is the optimiser’s memory, and room for the result."
    )


def _compared(s: Settings, tuned: "dict[str, Tuned]") -> Curves:
    is_share = s.curve == ACCURACY
    lines = {way: one.accuracies if is_share else one.losses for way, one in tuned.items()}
    return Curves(tuple(tuned[ALL].steps.tolist()), lines, ("step of training", s.curve))


VIEW = View(
    "The race",
    ask,
    compute,
    draw,
    height=380,
    comparison=Comparison("five ways", _compared),
    asks="Which way needs the fewest steps?",
)
