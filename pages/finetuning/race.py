"""The race: five ways to teach a trained model something new, by what they write and what they forget."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls import text_input
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves
from lab.kit.view import Comparison, View, places
from lab.kit.words import as_chance
from pages.finetuning import data, heads_moved, moved
from pages.finetuning.components.continuations import continuations, payload
from pages.finetuning.controls import Taught, ask_taught, origin, trained
from transformer import training
from transformer.training.ways import ALL, LORA, OUTPUT, SCRATCH, TALKS_BEGUN, TARGET

MAX_LETTERS = 400  # of a beginning
LEARNS = {
    "from scratch": "everything, from random numbers",
    "output only": "the output map, on a frozen body",
    "last layer": "the last layer and the output map",
    "all weights": "everything",
    "LoRA": "a small update of every matrix",
}


class Settings(NamedTuple):
    beginning: str
    taught: Taught
    heads: heads_moved.Settings | None  # None while their fold is closed
    moved: moved.Settings | None  # the same


class Result(NamedTuple):
    tuned: "dict[str, training.finetuning.Tuned]"
    talk: data.Continued
    story: data.Sample
    heads: data.Heads | None
    moved: moved.Result | None


def layout() -> Mapping[str, Any]:
    picture = st.container()
    beginning = st.container(horizontal=True, vertical_alignment="center", gap="small")
    words = display.prose()
    findings = display.prose()
    fold = st.expander("Every head, before and after", key=heads_moved.OPEN, bind="query-params")
    matrices = st.expander(
        "Which matrices moved, and the two thin ones that LoRA learns", key=moved.OPEN, bind="query-params"
    )
    return {
        "picture": picture,
        "beginning": beginning,
        "words": words,
        "findings": findings,
        "heads": fold,
        "moved": matrices,
        "code": display.prose(),
    }


def ask() -> Settings:
    with settings.place_named("row"):
        taught = ask_taught()
    with settings.place_named("beginning"):  # below what goes on with it: a whole dialogue fits in no line of tools
        beginning = text_input.ask_text(TALKS_BEGUN[0], TALKS_BEGUN, is_carried=False)
    if len(beginning) > MAX_LETTERS:
        settings.notify(f"The first {MAX_LETTERS} letters are read. Type a shorter beginning.")
    heads = None
    if st.session_state.get(heads_moved.OPEN):
        with settings.place_named("heads"):
            heads = heads_moved.ask()
    matrix = None
    if st.session_state.get(moved.OPEN):
        with settings.place_named("moved"):
            matrix = moved.ask()
    return Settings(beginning.strip()[:MAX_LETTERS] or TALKS_BEGUN[0], taught, heads, matrix)


def compute(s: Settings) -> Result:
    tuned = trained(s.taught)
    heads = heads_moved.compute(s.heads, s.taught) if s.heads else None
    return Result(
        tuned,
        data.talk(s.beginning, s.taught.lesson, tuned),
        data.story(s.taught.lesson, tuned),
        heads,
        moved.compute(s.moved, tuned) if s.moved else None,
    )


def draw(s: Settings, result: Result) -> None:
    tuned = result.tuned
    with places()["picture"]:
        order = ranked(tuned)
        runners = {way: tuned[way] for way in order if way != SCRATCH}  # which has no story to forget
        talk, is_usual = _ordered(result.talk, [*runners]), s.beginning == TALKS_BEGUN[0]
        shown = payload(talk, result.story, runners, is_usual=is_usual)
        continuations(shown, key="fine-continued")
    with places()["words"]:
        _say_what_was_seen(s, tuned)
    with places()["findings"]:
        _explain(tuned)
    if s.heads and result.heads:
        with places()["heads"]:
            heads_moved.draw(s.heads, result.heads)
    if s.moved and result.moved:
        with places()["moved"]:
            moved.draw(s.moved, tuned, result.moved)
    with places()["code"]:
        _show_code()


def _ordered(continued: data.Continued, order: list[str]) -> data.Continued:
    return continued._replace(ways={way: continued.ways[way] for way in order})


def _say_what_was_seen(s: Settings, tuned: "dict[str, training.finetuning.Tuned]") -> None:
    n = int(tuned[ALL].steps[-1])
    own = f" Your own beginning is continued before step 1 and after step {n}: the models between were not kept."
    own = "" if s.beginning in TALKS_BEGUN else own
    st.markdown(
        f"**The plane**: the share of names and things that each model ranks first, in {training.ways.N_TESTS} held-out"
        " dialogues (to the right) and in as many stories (upward). A dot goes where its training went, step by step;"
        " the amber bar is what it has lost of the stories. Below the dot are two lines: how it goes on with the"
        " beginning above (**struck**: what does not fit that), and a question of a story in which what is right is"
        " nearest to these shares: the one that most ways lose (**struck**: what it ranks first in place of the right"
        f" word).{own}"
    )


def _explain(tuned: "dict[str, training.finetuning.Tuned]") -> None:
    questions.ask("finetuning-before", try_it={"fine_view": "The race"})
    st.markdown(f"**{headline(tuned)}.** {_findings(tuned)}")
    st.markdown(table(tuned))
    st.caption(
        f"Steps: until {TARGET:.0%} of the names and things are right. Seconds: of processor time. {origin(tuned)}"
    )
    st.markdown(f"**{price(tuned)}.** {_lost(tuned)}")
    questions.ask("finetuning-back", try_it={"fine_view": "The race", heads_moved.OPEN: True, "fine_way": LORA})


def _show_code() -> None:
    with st.expander("What each way trains, and the code that ran", icon=":material/code:"):
        st.markdown("\n".join(f"- **{way}**: {what}" for way, what in LEARNS.items()))
        st.markdown(
            "One thing was changed in the trained model, which alters none of its numbers: its output map, which was"
            " its table of embeddings, became a matrix of its own. LoRA leaves both as they are."
        )
        teaching.code("transformer/training/ways.py", "learns")
        teaching.code("transformer/training/finetuning.py", "tune")
        teaching.code("transformer/inspection/tuning.py", "heads_moved")


def ranked(tuned: "dict[str, training.finetuning.Tuned]") -> list[str]:
    """The ways in the order in which they reach the target; those that never do last, the better end first."""

    def place(way: str) -> tuple[float, float]:
        steps = tuned[way].steps_to_target
        return (math.inf if steps is None else steps, -float(tuned[way].accuracies[-1]))

    return sorted(tuned, key=place)


def headline(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """Who has learned first, in one sentence."""
    first = ranked(tuned)[0]
    steps = tuned[first].steps_to_target
    if steps is None:
        return f"None gets {TARGET:.0%} right; {first} comes closest"
    return f"Quickest: {first}, with {TARGET:.0%} right after {steps} steps"


def least_forgotten(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """The way that has kept most of the old task, of those that knew it."""
    return max((way for way in tuned if way != SCRATCH), key=lambda way: tuned[way].old[-1])


def price(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """Who has forgotten least, in one sentence."""
    least = least_forgotten(tuned)
    old = tuned[least].old
    return f"Forgets least: {least}, with {as_chance(old[-1])} still right in stories"


def table(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """How soon each way was there, how well it ended and what it trained, in Markdown; the first one on top."""
    rows = ["| place | way | steps | at the end | trained | seconds |", "|--:|---|--:|--:|--:|--:|"]
    for place, way in enumerate(ranked(tuned), 1):
        one = tuned[way]
        steps, share = one.steps_to_target, one.n_trained / one.n_parameters
        rows.append(
            f"| {'' if steps is None else f'{place}.'} | **{way}** | {'never' if steps is None else f'**{steps}**'} | "
            f"{as_chance(one.accuracies[-1])} | {one.n_trained:,} ({as_chance(share)}) | {one.seconds:.1f} |"
        )
    return "\n".join(rows)


def _findings(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """What these five show, in words that their numbers choose."""
    end = {way: one.accuracies[-1] for way, one in tuned.items()}
    best = max(end, key=lambda way: end[way])
    gap = end[ALL] - end[SCRATCH]
    share = tuned[LORA].n_trained / tuned[LORA].n_parameters
    helps = "what it knew before helps" if gap > 0.02 else "here, what it knew before does not help"
    return (
        f"After {tuned[ALL].lesson.steps} steps, training **all weights** gets {as_chance(end[ALL])} of the names"
        f" and things right, and the same model **from scratch** {as_chance(end[SCRATCH])}: {helps}. **LoRA** gets"
        f" {as_chance(end[LORA])}, and trains"
        f" {as_chance(share)} as many numbers.{_speed(tuned)} The **output** alone, on a frozen body, gets to"
        f" {as_chance(end[OUTPUT])}: it can only read what is worked out already. Best here: {best}."
        " This is one small model and one new task; with others the order may differ."
    )


def _lost(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """What was forgotten, in words."""
    before = as_chance(tuned[ALL].old[0])
    after = {way: as_chance(one.old[-1]) for way, one in tuned.items()}
    least = least_forgotten(tuned)
    return (
        f"Before, the writer got **{before}** of the names and things in held-out stories right. It then read"
        f" nothing but dialogues. Training all weights left **{after[ALL]}**, and LoRA **{after[LORA]}**:"
        f" {_small_update(tuned)}. The least was lost with {least} (**{after[least]}**). This is called *catastrophic"
        " forgetting*. A frozen body protects less than one might hope: a changed output alone says other words. But"
        " with LoRA and with “output only” the old model is still in there: take the update away, or put the old output"
        f" map back, and it is **{before}** again, bit for bit."
    )


def _small_update(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """Whether LoRA has kept more of the old task than training all weights, in words; of other ways that train few
    numbers nothing follows from it."""
    gap = round(100 * float(tuned[LORA].old[-1])) - round(100 * float(tuned[ALL].old[-1]))
    share = as_chance(tuned[LORA].n_trained / tuned[LORA].n_parameters)
    if gap > 0:
        return f"LoRA trains only {share} as many numbers, and forgot less"
    return f"LoRA trains only {share} as many numbers and still forgot {'more' if gap else 'as much'}"


def _speed(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """Whether LoRA's steps are faster, in a sentence."""
    lora, everything = (1000 * tuned[way].seconds / tuned[way].lesson.steps for way in (LORA, ALL))
    if lora < everything:
        return f" Its steps take {lora:.0f} ms instead of {everything:.0f}."
    return (
        f" Its steps are no faster ({lora:.0f} ms, all weights {everything:.0f}): every text still runs through the"
        " whole model, forward and back. What LoRA saves is the optimiser’s memory, and room for the result."
    )


def _compared(s: Settings, result: Result) -> Curves:
    tuned = result.tuned
    lines = {way: one.accuracies for way, one in tuned.items()}
    return Curves(tuple(tuned[ALL].steps.tolist()), lines, ("step of training", "names and things right"))


def _is_trained(s: Settings) -> bool:
    """Whether all five come with the project: one press on Compare trains nothing."""
    return all(data.is_stored(way, s.taught.lesson) for way in training.ways.WAYS)


VIEW = View(
    ask,
    compute,
    draw,
    layout=layout,
    height=470,
    comparison=Comparison("five ways", _compared, telling=("fine_rank",), is_ready=_is_trained),
)
