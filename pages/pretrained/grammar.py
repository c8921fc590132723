"""Do heads follow grammar? All of them, ranked on sentences whose grammar is known, beside looking a fixed way off."""

from typing import NamedTuple

import streamlit as st

from pages.pretrained import text
from pages.pretrained.study import controls, data, figures
from pages.shared import display, gate, settings, teaching
from pages.shared.models import Shipped
from pages.shared.source import ModelRef
from pages.shared.teaching import Answer
from pages.shared.text_input import STORIES
from pages.shared.view import View, places
from transformer.checks import InputError

HEAD, RELATION = "grammar_head", "grammar"  # in links
TRANSLATOR = "trained to translate"


class Settings(NamedTuple):
    """relation: what connects two words; head: whose map is shown, None for the best."""

    ref: ModelRef
    relation: str
    head: tuple[int, int] | None


def ask() -> Settings | None:
    with settings.place_named("row"), controls.row("grammar"):
        ref = _ask_model()
        result: data.Grammar | str = ""
        with gate.refusals_to(settings.notify):
            result = data.grammar(ref)
        if isinstance(result, str):
            settings.notify(*([f"This cannot be measured here: {result}."] if result else []))
            return None
        names = sorted(result.agreements, key=lambda name: -_gain(result, name))
        relation = settings.choose(
            st.selectbox, "Which words", RELATION, names, names[0], label_visibility="collapsed", width=250,
            follows=True, why="the texts of this model have no such pairs",
        )  # fmt: skip
    L, H = result.agreements[relation].shares.shape
    return Settings(ref, relation, _ask_head(L, H))


def _gain(result: "data.Grammar", name: str) -> float:
    """How far the best head is above the best fixed offset."""
    return result.agreements[name].share - result.agreements[name].baseline


def _ask_model() -> ModelRef:
    translator = Shipped("translator")
    models = {**text.models("encoder", "decoder"), **({TRANSLATOR: translator} if translator.exists else {})}
    default = next((name for name in models if name not in (STORIES, TRANSLATOR)), next(iter(reversed(models))))
    name = settings.choose(
        st.selectbox, "Model", "weights", models, default, why="this view needs one stack that is on this server",
        label_visibility="collapsed", width=190,
    )  # fmt: skip
    try:
        models[name].resolve()
    except InputError as refusal:
        settings.notify(f"{str(refusal).rstrip('.')}. You see “{TRANSLATOR}” in its place.")
        return translator
    return models[name]


def _ask_head(L: int, H: int) -> tuple[int, int] | None:
    """One head by its layer and number; None for the best."""
    heads = {controls.head_name(layer, head): (layer, head) for layer in range(L) for head in range(H)}
    with settings.place_named("close"), controls.row("grammar-head"):
        settings.place(st.markdown, "look at head", width="content")
        name = settings.choose(
            st.selectbox, "Head", HEAD, (controls.STRONGEST, *heads), controls.STRONGEST, width=140,
            label_visibility="collapsed", why="this model has no head {}", quiet=True,
            format_func=lambda name: _named(heads[name]) if name in heads else name,
        )  # fmt: skip
    return heads.get(name)


def _named(head: tuple[int, int]) -> str:
    return controls.head_name(head[0], head[1])


def draw(s: Settings, result: "data.Grammar | str") -> None:
    assert not isinstance(result, str)  # ask has said so
    one = result.agreements[s.relation]
    chosen = s.head or one.best
    L, H = one.shares.shape
    heading = f"{s.relation}: found by each head"
    with places()["picture"]:
        controls.clickable(
            figures.parts(
                one.shares, heading,
                rows=[str(n) for n in range(L)], columns=[str(n) for n in range(H)], axes=("layer", "head"),
                name=controls.part_name, chosen=chosen, above=one.baseline,
            ),
            key="grammar-heads",
            alt=f"Heads by layer, {s.relation}: the best is {_named(one.best)} with {one.share:.0%}; the best fixed "
            f"offset finds {one.baseline:.0%}.",
            choose=lambda layer, head: (HEAD, controls.head_name(layer, head)),
        )  # fmt: skip
        st.markdown(_verdict(s, result))
    with places()["close"]:
        cells = [cell for cell in result.pairs.get(s.relation, []) if max(cell) < len(result.tokens)]
        display.figure(
            figures.one_map(result.weights[chosen], result.tokens, cells, is_causal=_is_causal(s)),
            key="grammar-map",
            alt=f"The map of head {_named(chosen)} on {' '.join(result.tokens)}.",
        )
        st.markdown("Outlined: where it should look. A head is right if its largest attention weight is there.")
    with st.expander("All kinds of pairs, ranked", icon=":material/table_rows:"):
        st.markdown(_table(result))
    teaching.check(
        "A head looks at the noun for 95% of all adjectives, and “one token on” is right for 90%. What do you know?",
        Answer(
            "Little: a head that always looks one token on does nearly as well",
            "Such a head knows positions, and no grammar. What counts is how far it is above the baseline, and where "
            "the "
            "two disagree.",
            right=True,
        ),
        Answer(
            "It has learned what an adjective is",
            "It may have. But 90 of the 95 are won by position alone, so this number does not show it.",
        ),
        Answer(
            "It was built to connect adjectives with nouns",
            "Nobody assigned it a job, and no name on this page is one.",
        ),
        Answer(
            "The model needs it to get adjectives right",
            "Where a head looks does not say what its result is used for. Unplug it, and measure.",
        ),
        key="pretrained-grammar",
        try_it={"pretrained_view": "Unplug"},
    )
    teaching.code_expander("transformer/inspection/agreement.py", "agreement")


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
        f"**{s.relation}**: of {one.n} such words in sentences that took no part in choosing it, head "
        f"**{_named(one.best)}** finds **{one.share:.0%}**; the best fixed offset ({_offset(one.offset)}) finds "
        f"**{one.baseline:.0%}** (heads above that are bold), a token at random {one.chance:.0%}. That is {what}: a "
        f"measurement on {result.n_texts} made-up sentences of one grammar, not a job that the head has everywhere."
    )


def _offset(offset: int) -> str:
    if offset == 0:
        return "itself"
    n = abs(offset)
    return f"{n} token{'' if n == 1 else 's'} {'on' if offset > 0 else 'back'}"


def _table(result: "data.Grammar") -> str:
    lines = [
        "| which words | best head | finds | best fixed offset | finds | at random | measured on |\n"
        "|---|---|---|---|---|---|---|"
    ]
    for name in sorted(result.agreements, key=lambda name: -_gain(result, name)):
        one = result.agreements[name]
        lines.append(
            f"| {name} | {_named(one.best)} | {one.share:.0%} | {_offset(one.offset)} | {one.baseline:.0%} | "
            f"{one.chance:.0%} | {one.n} |"
        )
    return "\n".join(lines)


VIEW = View(
    "Grammar",
    ask,
    lambda s: data.grammar(s.ref),
    draw,
    layout=controls.columns,
    height=420,
    asks="Do heads follow grammar?",
    lede="Do heads find the noun of an article? Each cell says how often; bold: more often than any fixed distance.",
)
