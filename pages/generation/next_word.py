"""Choose the next word: the tree of texts, the bars, the draw."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.generation import data, text
from pages.generation.components.next_word import (
    MAX_NODES,
    ROOT,
    SEEDS,
    Action,
    Tree,
    Words,
    next_word,
    parse_knobs,
    received_action,
)
from pages.generation.text import Writing
from pages.shared import display, settings, teaching
from pages.shared.models import TrainedSource
from pages.shared.text_input import words_popover
from pages.shared.view import View

if TYPE_CHECKING:
    from transformer.inspection.writing import NextToken, TreeScores

MAX_WRITTEN = 64  # tokens of one "write to the end"
KNOBS = ("temperature", "top_k", "top_p", "penalty", "seed")
ACTION = "_gen_action"  # in st.session_state: what was done in the component, for the next run
_KEY = "gen_words"


class Settings(NamedTuple):
    writing: Writing


class Result(NamedTuple):
    next: "NextToken"
    scores: "TreeScores"


def ask() -> Settings | None:
    with display.loading(420):
        answer = text.ask_writing()
    if answer is None:
        return None
    writing, container = answer
    with container:
        _words_popover(writing.source)
    action = st.session_state.pop(ACTION, None)
    if action:
        tree, at = _after(writing, action)
        writing = writing._replace(tree=tree, at=at)
    text.mirror(writing)
    return Settings(writing)


def compute(s: Settings) -> Result:
    ref, given, tree, _ = s.writing
    return Result(data.next_token(ref, s.writing.ids), data.score_tree(ref, given, tree.nodes))


def draw(s: Settings, result: Result) -> None:
    _component(s.writing, result)
    words, more = st.columns([1, 1], gap="large")
    with words:
        st.markdown(
            "The last vector of the text, $x$, is compared with the row of every token; each comparison gives a "
            "**logit** $z$. Divided by the temperature $T$ and through softmax, the logits are probabilities. Filters "
            "take tokens out, and what is left is scaled up to 1. Then a random number between 0 and 1 decides."
        )
        teaching.formula(r"z_i = \q{x} \cdot \k{w_i} \qquad p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}")
        with st.expander("The code that ran"):
            teaching.code("transformer/generation/sampling.py", "distribution")
            teaching.code("transformer/generation/slices.py", "drawn")
            st.markdown("The sliders work in your browser, by the same rules; a test compares the two.")
    with more:
        teaching.check(
            "At temperature 2 the probabilities move closer together. What happens to their ranking?",
            ["It is reversed", "It stays the same", "It becomes random"],
            1,
            "All logits are divided by the same number, so the larger stays the larger. Only the distances shrink; "
            "the draw is what can now fall on more tokens.",
            key="gen-order",
        )
        _model_card(s.writing.source)


def _component(writing: Writing, result: Result) -> None:
    """The tree, the bars and the draw, in the browser."""
    from transformer.training.text import EOS

    source, ids = writing.source, writing.ids
    in_link = {name: st.query_params[text.URL + name] for name in KNOBS if text.URL + name in st.query_params}
    next_word(
        Words(
            labels=data.token_names(writing.ref),
            given=writing.given,
            tree=writing.tree,
            at=writing.at,
            probs=result.scores.probs,
            ranks=result.scores.ranks,
            logits=result.next.logits,
            draws=data.random_numbers(len(ids), SEEDS),
            attention=result.next.attention,
            glue=source.task.separator,
            end=EOS,
            full=len(writing.tree.nodes) >= MAX_NODES or len(ids) >= writing.max_tokens,
        ),
        parse_knobs(in_link),
        key=_KEY,
        url=text.URL,
        on_act=_keep_action,
    )


def _keep_action() -> None:
    action = received_action(_KEY)
    if action:
        st.session_state[ACTION] = action


def _after(writing: Writing, action: Action) -> tuple[Tree, int]:
    """The tree and the place after an action; an impossible one changes nothing."""
    from transformer.training.text import EOS

    tree, at = writing.tree, writing.at
    has_ended = at >= 0 and tree.nodes[at][1] == EOS
    has_room = len(tree.nodes) < MAX_NODES and len(writing.ids) < writing.max_tokens
    match action.do:
        case "anew":
            return Tree(), ROOT
        case "go" if ROOT <= action.number < len(tree.nodes):
            return tree, action.number
        case "pick" if not has_ended and 0 <= action.number < len(writing.source.task.target) and has_room:
            return tree.with_token(at, action.number)
        case "write" if not has_ended:
            return _written(writing, action)
    return tree, at


def _written(writing: Writing, action: Action) -> tuple[Tree, int]:
    """Token after token, each drawn by the number of its place, until the end comes."""
    from transformer.generation import Sampling, begin
    from transformer.generation.slices import drawn, number
    from transformer.training.text import EOS

    tree, at, knobs = writing.tree, writing.at, action.knobs
    sampling = Sampling(
        temperature=knobs.temperature,
        top_k=knobs.top_k or None,
        top_p=knobs.top_p,
        repetition_penalty=knobs.penalty,
    )
    state = begin(data.model_of(writing.ref), writing.ids)
    for _ in range(MAX_WRITTEN):
        if len(tree.nodes) >= MAX_NODES or len(state.ids) >= writing.max_tokens:
            break
        final = state.next(sampling).final
        token = drawn(final, number(knobs.seed, len(state.ids))).id
        tree, at = tree.with_token(at, token)
        if token == EOS:
            return tree, at
        state = state.take(token)
    if len(tree.nodes) >= MAX_NODES:
        settings.notify("The tree is full. Clear it to write more.")
    elif len(state.ids) >= writing.max_tokens:
        settings.notify(f"This model has learned {writing.max_tokens} positions, and all of them are taken.")
    else:
        settings.notify(f"{MAX_WRITTEN} tokens are written, and no end has come. Write on from here if you like.")
    return tree, at


def _words_popover(source: TrainedSource) -> None:
    """What the model can read and write; words can be tapped, to go on with the beginning."""
    if source.task.separator:
        words_popover(source.vocabulary, "gen_text")
        return
    with st.popover("Tokens", help="What the model can read and write."):
        st.text(" ".join(source.labels)[:6000])


def _model_card(source: TrainedSource) -> None:
    """What the model is, and what was measured on it."""
    with st.expander(f"About this model: {source.task.title.lower()}, {source.step:,} steps of training"):
        st.text(source.task.about)
        if source.step < source.checkpoint.step:
            return
        card = source.checkpoint.card
        st.table({"measured": {display.plain(name): display.plain(str(value)) for name, value in card.items()}})


VIEW = View("Choose the next word", ask, compute, draw)
