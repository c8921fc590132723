"""Choose the next word: the tree of texts, the bars, the draw; in folds, one logit, and a hundred whole texts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, story, teaching
from lab.kit.figures import display
from lab.kit.models.published import PretrainedSource
from lab.kit.models.references import Shipped, TrainedSource
from lab.kit.models.word_choices import known_words
from lab.kit.view import View, places
from lab.kit.words import is_piece
from lab.server import gate
from pages.generation import data, hundred, logits, text
from pages.generation.components.next_word import (
    MAX_NODES,
    ROOT,
    SEEDS,
    Action,
    Knobs,
    Ladder,
    Tree,
    Words,
    next_word,
    parse_knobs,
    received_action,
)
from pages.generation.text import Writing
from pages.generation.writers import Ref, is_published, model_of, trained
from transformer import generation, inspection, training
from transformer.core import workload
from transformer.core.workload import Workload

if TYPE_CHECKING:
    from lab.kit.models.source import Source

MAX_WRITTEN = 64  # tokens of one "write to the end"
KNOBS = ("temperature", "top_k", "top_p", "penalty", "seed")
ACTION = "_generation_action"  # in st.session_state: what was done in the component, for the next run
_TURNED = "_generation_turned"  # in st.session_state: the knobs that came with the last action
_NOTE = "_generation_note"  # in st.session_state: what the component says of the last action
_KEY = "gen_words"
_TRAINED_ONLY = "This needs one of the models that come with the app, or one of your own."


class Settings(NamedTuple):
    """is_large: whether the vocabulary is too large for the browser, so that the server applies the knobs.

    logit, texts  of the folds with one logit and with a hundred texts; None while they are closed
    """

    writing: Writing
    knobs: Knobs
    is_large: bool = False
    logit: logits.Settings | None = None
    texts: hundred.Settings | None = None


class Result(NamedTuple):
    """logits (V,) of the next token, or their ladder; attention (L, H, S) of the last; the scores of the tree; which
    tokens are whole words there, if that is known; the hundred texts, if they are to be seen."""

    logits: "np.ndarray | Ladder"
    attention: np.ndarray
    scores: "inspection.writing.TreeScores"
    whole: frozenset[int] | None = None
    hundred: "data.Hundred | None" = None


def layout() -> Mapping[str, Any]:
    picture = st.container()
    one = st.expander("Where a probability comes from: one logit as a sum", key=logits.OPEN, bind="query-params")
    many = st.expander("A hundred whole texts: how far are they right?", key=hundred.OPEN, bind="query-params")
    return {"picture": picture, "logits": one, "hundred": many, "words": st.container()}


def ask() -> Settings | None:
    with settings.place_named("picture"), display.loading(420):
        answer = text.ask_writing(takes_published=True, opens_early=True)
    if answer is None:
        return None
    writing, container = answer
    is_large = is_published(writing.ref)
    if not is_large:
        with container:
            _tokens_popover(trained(writing.ref))
    action = st.session_state.pop(ACTION, None)
    if action:
        writing = _after(writing, action)
        st.session_state[_TURNED] = action.knobs
    text.mirror(writing)
    if is_large:
        return Settings(writing, st.session_state.get(_TURNED, _knobs_of_link()), is_large)
    whole = writing._replace(given=writing.whole)
    folds = _of_fold(logits, "logits", writing), _of_fold(hundred, "hundred", whole)
    return Settings(writing, _knobs_of_link(), is_large, *folds)


def _of_fold(part: Any, place: str, writing: Writing) -> Any:
    """The settings of a fold; None while it is closed."""
    if not st.session_state.get(part.OPEN):
        return None
    with settings.place_named(place):
        return part.ask(writing)


def _knobs_of_link() -> Knobs:
    return parse_knobs({name: st.query_params[text.URL + name] for name in KNOBS if text.URL + name in st.query_params})


def compute(s: Settings) -> Result:
    (ref, given, tree, _, _), ids = s.writing, s.writing.ids
    sampling = _sampling(s.knobs)
    scores = data.score_tree(ref, given, tree.nodes, sampling)
    if s.is_large:
        return Result(data.ladder_of(ref, ids, sampling), data.expected(ref, ids).attention, scores)
    expected = data.next_token(ref, ids)
    whole = _whole_after(ref, ids, expected.logits, s.writing.max_tokens)
    texts = hundred.compute(s.texts) if s.texts else None
    return Result(expected.logits, expected.attention, scores, whole, texts)


def _whole_after(ref: Ref, ids: tuple[int, ...], logits: np.ndarray, limit: int) -> frozenset[int] | None:
    """The whole words after this text. Of the likeliest next token, which is spoken of, the model itself says whether
    it is one: by what it would write after it. A penalty puts back what the text has already: then the likeliest of the
    others is spoken of. limit: tokens that the model can read."""
    whole = data.whole_words(ref)
    if whole is None or len(ids) >= limit:
        return whole
    fresh = logits.copy()
    fresh[list(ids)] = -np.inf
    for likeliest in {int(logits.argmax()), int(fresh.argmax())} - {training.text.EOS}:
        after = int(data.expected(ref, (*ids, likeliest)).logits.argmax())
        whole = whole - {likeliest} if is_piece(data.token_names(ref)[after]) else whole | {likeliest}
    return whole


def _sampling(knobs: Knobs) -> "generation.Sampling":
    return generation.Sampling(
        temperature=knobs.temperature, top_k=knobs.top_k or None, top_p=knobs.top_p, repetition_penalty=knobs.penalty
    )


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        _component(s, result)
    with places()["logits"]:
        if s.logit:
            logits.draw(s.logit, logits.compute(s.logit))
        elif s.is_large:
            st.markdown(_TRAINED_ONLY)
    with places()["hundred"]:
        if s.texts and result.hundred:
            hundred.draw(s.texts, result.hundred)
        elif s.is_large:
            st.markdown(_TRAINED_ONLY)
    with places()["words"]:
        _explain(s)


def _explain(s: Settings) -> None:
    with display.prose():
        st.markdown(
            "The next word has no vector yet, so it cannot look at anything. It is the **last token** that looks back. "
            "Its vector $x$, with all that it has taken in, is compared with the row of every token; each comparison "
            "gives a **logit** $z$. Divided by the temperature $T$ and put through softmax, the logits become "
            "probabilities. Filters take tokens out, and what is left is scaled up to 1. Then a random number between "
            "0 and 1 decides."
        )
        teaching.formula(r"z_i = \q{x} \cdot \k{w_i} \qquad p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}")
        with st.expander("The code that ran"):
            teaching.code("transformer/generation/sampling.py", "distribution")
            teaching.code("transformer/generation/slices.py", "fallen")
            if not s.is_large:
                st.markdown("The sliders work in your browser, by the same rules; a test compares the two.")
            else:
                st.markdown("It runs here for every token of the vocabulary; your browser has the likeliest of them.")
        _ask_about_reading()
        _ask_about_cause(s)
        st.markdown(_bridge(s.writing.source))
        _ask_about_temperature()
        _model_card(s.writing.ref)


def _bridge(source: "Source") -> str:
    """What this model has in common with the large ones, and by how much they are larger, in Markdown.

    Layers and parameters of GPT-2 small: Radford et al. 2019; of GPT-3: Brown et al. 2020, table 2.1.
    """
    n_parameters = sum(parameter.numel() for parameter in source.model.parameters())
    return (
        "**Is this how ChatGPT writes?** Yes: one token after another, with the same parts. This model has "
        f"{source.n_layers} layers and {n_parameters:,} parameters. GPT-2 small has 12 layers and 124 million, GPT-3 "
        "has 96 layers and 175 billion, and they have read texts from all over the web. ChatGPT is such a model, "
        "trained further on conversations."
    )


def _ask_about_temperature() -> None:
    questions.ask("generation-order")


def _ask_about_reading() -> None:
    questions.ask("generation-reads")


def _ask_about_cause(s: Settings) -> None:
    """Only beside the sentence that it is about, with the model in which it was tried: a test holds it to that."""
    writing = s.writing
    if writing.ref != Shipped(story.WRITER) or not _is_the_story(writing):
        return
    questions.ask("generation-cause")


def _is_the_story(writing: Writing) -> bool:
    """Whether the text is the one that the page opens on, and nothing else was written into it."""
    told = tuple(trained(writing.ref).task.source.encode(story.TEXT))
    return writing.whole[1:] == told and writing.ids == writing.whole[: len(writing.ids)]


def _component(s: Settings, result: Result) -> None:
    """The tree, the bars and the draw, in the browser."""
    writing, writes, ids = s.writing, s.writing.writer, s.writing.ids
    source, given, nodes = writing.source, writing.given, writing.tree.nodes
    if isinstance(result.logits, Ladder):
        labels = data.labels_of(writing.ref, {*result.logits.ids, *writing.whole, *(id for _, id in nodes)})
        starts = bool(given) and not source.of_text([labels[given[0]]])
    else:
        labels, starts = data.token_names(writing.ref), given[:1] == (training.text.BOS,)
    next_word(
        Words(
            labels=labels,
            given=given,
            later=writing.later,
            typed=writing.whole[len(given) :],
            starts=starts,
            tree=writing.tree,
            at=writing.at,
            probs=result.scores.probs,
            ranks=result.scores.ranks,
            logits=result.logits,
            draws=data.random_numbers(len(ids), SEEDS),
            attention=result.attention,
            whole=result.whole,
            glue=writes.glue,
            end=writes.end,
            full=len(nodes) >= MAX_NODES or len(ids) >= writing.max_tokens,
            note=st.session_state.pop(_NOTE, ""),
        ),
        s.knobs,
        key=_KEY,
        url=text.URL,
        on_act=_keep_action,
    )


def _keep_action() -> None:
    action = received_action(_KEY)
    if action:
        st.session_state[ACTION] = action


def _after(writing: Writing, action: Action) -> Writing:
    """The text after an action; an impossible one changes nothing."""
    if action.do == "from" and 1 <= action.number <= len(writing.whole):
        return writing.read_to(action.number)
    tree, at = _grown(writing, action)
    return writing._replace(tree=tree, at=at)


def _grown(writing: Writing, action: Action) -> tuple[Tree, int]:
    """The tree and the place after an action in it."""
    tree, at, writes = writing.tree, writing.at, writing.writer
    has_ended = at >= 0 and tree.nodes[at][1] == writes.end
    has_room = len(tree.nodes) < MAX_NODES and len(writing.ids) < writing.max_tokens
    match action.do:
        case "anew":
            return Tree(), ROOT
        case "go" if ROOT <= action.number < len(tree.nodes):
            return tree, action.number
        case "pick" if not has_ended and 0 <= action.number < writes.size and has_room:
            return tree.with_token(at, action.number)
        case "write" if not has_ended:
            return _written(writing, action)
    return tree, at


def _written(writing: Writing, action: Action) -> tuple[Tree, int]:
    """Token after token, each drawn by the number of its place, until the end comes."""
    tree, at, knobs = writing.tree, writing.at, action.knobs
    sampling, end = _sampling(knobs), writing.writer.end
    with gate.refusals_to(settings.notify), gate.turn(_writing(writing)):
        state = generation.begin(model_of(writing.ref), writing.ids)
        for _ in range(MAX_WRITTEN):
            if len(tree.nodes) >= MAX_NODES or len(state.ids) >= writing.max_tokens:
                break
            final = state.next(sampling).final
            token = generation.slices.drawn(final, generation.slices.number(knobs.seed, len(state.ids))).id
            tree, at = tree.with_token(at, token)
            if token == end:
                return tree, at
            state = state.take(token)
        if len(tree.nodes) >= MAX_NODES:
            settings.notify("The tree is full. Clear it to write more.")
        elif len(state.ids) >= writing.max_tokens:
            settings.notify(f"This model reads at most {writing.max_tokens} tokens, and your text has reached that.")
        else:
            st.session_state[_NOTE] = f"It has written {MAX_WRITTEN} tokens without coming to an end."
    return tree, at


def _writing(writing: Writing) -> Workload:
    """The text is read once, and then as many tokens as are written at most, one at a time."""
    source, T = writing.source, len(writing.ids)
    step = workload.one_pass(source.config, 1, source.n_layers)
    return workload.one_pass(source.config, T, source.n_layers, keeps_maps=True) + step * MAX_WRITTEN


def _tokens_popover(source: TrainedSource) -> None:
    """What a model of no words can read and write; words can be tapped in the box."""
    if known_words(source):
        return
    with st.popover("Tokens", help="What the model can read and write."):
        st.text(" ".join(source.labels)[:6000])


def _model_card(ref: Ref) -> None:
    """What the model is, and what was measured on it."""
    source = ref.resolve()
    if isinstance(source, PretrainedSource):
        with st.expander(f"About this model: {display.plain(source.title)}"):
            st.text("\n".join([source.about, " · ".join((*source.origin, *source.facts)), *source.remarks]))
        return
    with st.expander(f"About this model: {source.task.title.lower()}, {source.step:,} steps of training"):
        st.text(source.task.about)
        if source.step < source.checkpoint.step:
            return
        card = source.checkpoint.card
        rows = [f"| {display.plain(name)} | {display.plain(str(value))} |" for name, value in card.items()]
        st.markdown("\n".join(["| | measured |", "|---|---|", *rows]))


VIEW = View(ask, compute, draw, layout=layout)
