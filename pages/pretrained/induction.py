"""Random tokens, read twice: does the model find out that they come again, and which head tells it?"""

import math
from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue, questions, settings, teaching
from lab.kit.controls.hyperparameters import SEED
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import Shipped
from lab.kit.models.source import ModelRef, Source
from lab.kit.view import places
from lab.kit.words import shorten
from pages.pretrained.components.head_finds import head_finds, pack
from pages.pretrained.study import controls, data, figures
from pages.pretrained.study.controls import Light
from transformer import inspection

REPEAT = "trained to repeat"
LENGTHS = (4, 6, 8, 10, 12, 16, 24, 32, 48)  # of a half, in tokens
CLEAR = 0.4  # a head with this share of its attention on the right cells does induction


class Settings(NamedTuple):
    """n: tokens that come twice; head: whose map is shown, None for the strongest."""

    ref: ModelRef
    n: int
    seed: int
    head: tuple[int, int] | None


def ask() -> Settings | None:
    repeat = Shipped("repeat")
    ref = controls.ask_model(default=REPEAT, more={REPEAT: repeat} if repeat.exists else {})
    if ref is None:
        return None
    source = ref.resolve()
    lengths = _lengths(source)
    n = settings.choose(
        st.select_slider,
        "Tokens, twice",
        "pretrained_induction_n",
        lengths,
        _usual(source, lengths),
        follows=True,
        why="2 × {} tokens do not fit this model",
        chip="{} tokens, twice",
    )
    seed = SEED.ask("pretrained_induction_seed")
    head = controls.ask_head(source.n_layers, source.config.n_heads)
    return Settings(ref, n, seed, head)


def _lengths(source: Source) -> tuple[int, ...]:
    """The halves that fit the model."""
    return tuple(n for n in LENGTHS if 2 * n + 1 <= source.max_tokens) or (2,)


def _usual(source: Source, lengths: tuple[int, ...]) -> int:
    """24 tokens; fewer where the model has only ever read shorter texts."""
    longest = source.longest or 2 * 24
    return max((n for n in lengths if 3 * n <= longest + 2 and n <= 24), default=lengths[0])


def compute(s: Settings) -> "inspection.induction.Induction | str":
    return data.induction(s.ref, s.n, s.seed)


def draw(s: Settings, result: "inspection.induction.Induction | str") -> None:
    if isinstance(result, str):
        st.markdown(f"This experiment is not possible here: {result}.")
        return
    source = s.ref.resolve()
    chosen = s.head or result.best
    labels = tuple(source.label(id) for id in result.texts[0])
    with places()["stage"]:
        _draw_stage(s, result, labels, chosen)
    with display.prose():
        st.markdown(_loss(result))
        st.markdown("**How surprised is the model at each token?**")
        guess = math.log(len(data.ordinary_ids(source)))
        display.figure(
            figures.losses(result.losses, s.n, guess),
            key="induction-losses",
            alt=f"Mean loss {result.first:.2f} the first time and {result.second:.2f} the second.",
        )
        questions.ask(
            "pretrained-induction",
            try_it={
                "pretrained_view": "Which head?",
                "pretrained_head_light": "Repetition",
                "pretrained_induction_seed": 1,
            },
        )
        st.page_link(
            catalogue.page("live").script,
            label="See such a head appear while a model learns",
            icon=":material/arrow_forward:",
            query_params={"live_task": "Repeat"},
        )
        teaching.code_expander("transformer/inspection/induction.py", "induction")


def _draw_stage(
    s: Settings, result: "inspection.induction.Induction", labels: tuple[str, ...], chosen: tuple[int, int]
) -> None:
    """All heads with their scores, and the first of the texts on two lines: where one head looks from the second."""
    cells = _cells(len(labels) - 2 * s.n, s.n)
    packed = pack(
        [shorten(label) for label in labels],
        result.weights,
        result.scores,
        "repeats",
        {"chance": result.chance, "clear": CLEAR},
        chosen,
        is_causal=True,
        asked=[(query, (key,)) for query, key in cells],
        found=result.weights[:, :, [query for query, _ in cells]],
        strong=CLEAR,
        again=len(labels) - s.n,
    )
    head_finds(packed, key="head-finds", on_choose=controls.choose_head(*result.scores.shape))


def _cells(start: int, n: int) -> list[tuple[int, int]]:
    """(query, key): from each token of the second half to the one that followed it in the first."""
    return [(start + n + i, start + i + 1) for i in range(n)]


def _loss(result: "inspection.induction.Induction") -> str:
    """What the losses say, in Markdown."""
    if result.first - result.second > 0.2 * result.first:
        return f"The second time, the loss falls from **{result.first:.2f}** to **{result.second:.2f}**."
    return f"The loss stays where it was: {result.first:.2f}, then {result.second:.2f}."


def _sheet(s: Settings, result: "inspection.induction.Induction | str") -> Sheet | None:
    return None if isinstance(result, str) else Sheet(result.scores, "induction score", ("layer", "head"))


LIGHT = Light(
    "Repetition",
    "Random tokens come twice: which head looks at what came next the first time? **Press a head.**",
    "**Which head notices that a text comes again?** Random tokens, and the same again: a head that looks at what came "
    "next the first time, an induction head, knows what comes now.",
    ask,
    compute,
    draw,
    "the score of each head",
    _sheet,
    is_apart=True,
)
