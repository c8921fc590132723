"""Do heads follow grammar? All of them, ranked on sentences whose grammar is known, beside looking a fixed way off."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.reader import STORIES
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import Shipped
from lab.kit.models.source import ModelRef
from lab.kit.view import places
from lab.kit.words import as_chance, shorten
from lab.server import gate
from pages.pretrained import text
from pages.pretrained.components.head_finds import head_finds, pack
from pages.pretrained.study import controls, data
from pages.pretrained.study.controls import Light
from transformer.inspection.agreement import by_query

RELATION = "pretrained_grammar"  # in links
TRANSLATOR = "trained to translate"


class Settings(NamedTuple):
    """relation: what connects two words; head: whose map is shown, None for the best."""

    ref: ModelRef
    relation: str
    head: tuple[int, int] | None


def ask() -> Settings | None:
    translator = Shipped("translator")
    more: dict[str, ModelRef] = {TRANSLATOR: translator} if translator.exists else {}
    published = [name for name in text.models("encoder", "decoder") if name != STORIES]
    ref = controls.ask_model(kinds=("encoder", "decoder"), default=next(iter(published), TRANSLATOR), more=more)
    if ref is None:
        return None
    result: data.Grammar | str = ""
    with gate.refusals_to(settings.notify):
        result = data.grammar(ref)
    if isinstance(result, str):
        settings.notify(*([f"This cannot be measured here: {result}."] if result else []))
        return None
    names = _ranked(result)
    relation = settings.choose(
        st.selectbox,
        "Which words",
        RELATION,
        names,
        names[0],
        follows=True,
        why="the texts of this model have no such pairs",
        chip="{}",
    )
    L, H = result.agreements[relation].shares.shape
    return Settings(ref, relation, controls.ask_head(L, H))


def _gain(result: "data.Grammar", name: str) -> float:
    """How far the best head is above the best fixed offset."""
    return result.agreements[name].share - result.agreements[name].baseline


def draw(s: Settings, result: "data.Grammar | str") -> None:
    assert not isinstance(result, str)  # ask has said so
    one = result.agreements[s.relation]
    chosen = s.head or one.best
    with places()["stage"]:
        _draw_stage(s, result, chosen)
    with display.prose():
        st.markdown(_verdict(s, result))
        with st.expander("All kinds of pairs, ranked", icon=":material/table_rows:"):
            st.markdown(_table(result))
        questions.ask(
            "pretrained-grammar", try_it={"pretrained_view": "Which head?", "pretrained_head_light": "Ablate"}
        )
        teaching.code_expander("transformer/inspection/agreement.py", "agreement")


def _draw_stage(s: Settings, result: "data.Grammar", chosen: tuple[int, int]) -> None:
    """All heads with how often they find the word, and one sentence: where one head looks from such words."""
    one = result.agreements[s.relation]

    def on_next(relation: str) -> None:
        if relation in result.agreements:
            settings.turn(RELATION, relation)
            settings.turn(controls.HEAD, controls.STRONGEST)  # of these words, another

    right = by_query([cell for cell in result.pairs.get(s.relation, []) if max(cell) < len(result.tokens)])
    packed = pack(
        [shorten(token) for token in result.tokens],
        result.weights,
        one.shares,
        "agrees",
        {
            "does": _does(s.relation),
            "n": one.n,
            "offset": _offset(one.offset),
            "baseline": one.baseline,
            "chance": one.chance,
            "next": _next(result, s.relation),
        },
        chosen,
        is_causal=_is_causal(s),
        asked=[(query, sorted(keys)) for query, keys in right.items()],
        found=result.weights[:, :, list(right)],
        strong=one.baseline,
    )
    head_finds(packed, key="head-finds", on_choose=controls.choose_head(*one.shares.shape), on_next=on_next)


def _ranked(result: "data.Grammar") -> list[str]:
    """What connects two words, first where a head is farthest above any fixed offset."""
    return sorted(result.agreements, key=lambda name: -_gain(result, name))


def _next(result: "data.Grammar", relation: str) -> str:
    """The one that comes after it, in turn; "" where there is no other."""
    names = _ranked(result)
    return names[(names.index(relation) + 1) % len(names)] if len(names) > 1 else ""


def _does(relation: str) -> str:
    """What a head does that finds these words, after its name: "looks from an article to its noun"."""
    first, arrow, last = relation.partition(" → ")
    if arrow:
        return f"looks from {'an' if first[0] in 'aeiou' else 'a'} {first} to {last}"
    return f"looks {relation}" if relation.startswith("from ") else relation


def _is_causal(s: Settings) -> bool:
    return s.ref.resolve().kind == "decoder"


def _verdict(s: Settings, result: "data.Grammar") -> str:
    """What was measured of these pairs, in Markdown."""
    one = result.agreements[s.relation]
    gain = one.share - one.baseline
    what = (
        "more than position alone can explain"
        if gain > 0.1
        else "no more than position alone explains"
        if gain <= 0.02
        else "a little more than position alone explains"
    )
    return (
        f"**{s.relation}**: **{controls.part_name(*one.best)}** finds **{as_chance(one.share)}** of {one.n} such "
        f"words. {_always(one.offset)} would find **{as_chance(one.baseline)}** (heads that find more are framed), "
        f"guessing {one.chance:.0%}. That is {what}: a measurement on {result.n_texts} made-up sentences of one "
        "grammar, half of them to choose the head and half to measure it, not a job that the head has everywhere."
    )


def _always(offset: int) -> str:
    """What a head does that knows nothing but this distance, as the beginning of a sentence."""
    return "Always looking at itself" if offset == 0 else f"Always looking {_offset(offset)}"


def _offset(offset: int) -> str:
    if offset == 0:
        return "itself"
    n = abs(offset)
    return f"{n} token{'' if n == 1 else 's'} {'ahead' if offset > 0 else 'back'}"


def _table(result: "data.Grammar") -> str:
    lines = [
        "| which words | best head | finds | best fixed offset | finds | at random | measured on |\n"
        "|---|---|---|---|---|---|---|"
    ]
    for name in _ranked(result):
        one = result.agreements[name]
        lines.append(
            f"| {name} | {controls.part_name(*one.best)} | {as_chance(one.share)} | {_offset(one.offset)} | "
            f"{as_chance(one.baseline)} | {one.chance:.0%} | {one.n} |"
        )
    return "\n".join(lines)


def _sheet(s: Settings, result: "data.Grammar | str") -> Sheet | None:
    shares = None if isinstance(result, str) else result.agreements[s.relation].shares
    return None if shares is None else Sheet(shares, "share that is found", ("layer", "head"))


LIGHT = Light(
    "Grammar",
    "Grammar ties an article, say, to its noun: which head looks from one to the other? **Press a head.**",
    "",
    ask,
    lambda s: data.grammar(s.ref),
    draw,
    "what each head finds",
    _sheet,
    is_apart=True,
)
