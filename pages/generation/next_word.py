"""Choose the next word: the tree of texts, the bars, the draw."""

import streamlit as st

from pages.generation import text
from pages.generation.components.next_word import MOST, ROOT, SEEDS, Action, Tree, Words, asked, knobs_of, next_word
from pages.generation.text import Subject
from pages.shared import display, teaching

MOST_WRITTEN = 64  # tokens of one "write to the end"
KNOBS = ("temperature", "top_k", "top_p", "penalty", "seed")
_KEY = "gen_words"


def choose_next() -> None:
    from transformer.generation.slices import number
    from transformer.training.text import EOS

    with display.loading(420):
        opened = text.opened()
    if opened is None:
        return
    subject, given, place = opened
    with place:
        _words_it_knows(subject)
    say: list[str] = []
    tree, at = text.tree_of(subject, given, say)
    action = st.session_state.pop("_gen_action", None)
    if action:
        tree, at = _acted(subject, given, tree, at, action, say)
    text.keep(subject, given, tree, at)
    display.notice(*say)
    ids = given + tree.path(at)
    behind = subject.next(ids)
    thought = subject.weigh(given, tree.nodes)
    next_word(
        Words(
            labels=tuple(subject.label(id) for id in range(len(subject.task.target))),
            given=given,
            tree=tree,
            at=at,
            probs=thought.probs,
            ranks=thought.ranks,
            logits=behind.logits,
            draws=tuple(number(seed, len(ids)) for seed in range(SEEDS)),
            attention=behind.attention,
            glue="" if subject.task.name == "text" else " ",
            end=EOS,
            full=len(tree.nodes) >= MOST or len(ids) >= subject.most,
        ),
        knobs_of({name: st.query_params.get(text.URL + name) for name in KNOBS if text.URL + name in st.query_params}),
        key=_KEY,
        url=text.URL,
        on_act=_take_action,
    )
    thread, more = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "The last vector of the text, $x$, is compared with the row of every token: that is its **logit** $z$. "
            "Divided by the temperature $T$ and through softmax, the logits are probabilities. Filters take tokens "
            "out, and what is left is scaled up to 1. Then a number from 0 to 1 falls, and decides."
        )
        teaching.formula(r"z_i = \q{x} \cdot \k{w_i} \qquad p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}")
        with st.expander("The code that ran"):
            teaching.code("transformer/generation/sampling.py", "distribution")
            teaching.code("transformer/generation/slices.py", "drawn")
            st.caption("The sliders work in your browser, by the same rules; a test compares the two.")
    with more:
        teaching.check(
            "At temperature 2 every token gets more alike. What happens to the order of the tokens?",
            ["It is turned round", "It stays", "It becomes random"],
            1,
            "All logits are divided by the same number, so the larger stays the larger. Only the distances shrink; "
            "the draw is what can now fall on more tokens.",
            key="gen-order",
        )
        _card(subject)


def _take_action() -> None:
    action = asked(_KEY)
    if action:
        st.session_state["_gen_action"] = action


def _acted(
    subject: Subject, given: tuple[int, ...], tree: Tree, at: int, action: Action, say: list[str]
) -> tuple[Tree, int]:
    """The tree and the place after an action; an action that cannot be changes nothing."""
    from transformer.training.text import EOS

    over = at >= 0 and tree.nodes[at][1] == EOS
    has_room = len(tree.nodes) < MOST and len(given) + len(tree.path(at)) < subject.most
    match action.do:
        case "anew":
            return Tree(), ROOT
        case "go" if ROOT <= action.number < len(tree.nodes):
            return tree, action.number
        case "pick" if 0 <= action.number < len(subject.task.target) and not over and has_room:
            return tree.grown(at, action.number)
        case "write" if not over:
            return _written(subject, given, tree, at, action, say)
    return tree, at


def _written(
    subject: Subject, given: tuple[int, ...], tree: Tree, at: int, action: Action, say: list[str]
) -> tuple[Tree, int]:
    """Token after token, each drawn by the number of its place, until the end comes."""
    from transformer.generation import Sampling, begin
    from transformer.generation.slices import drawn, number
    from transformer.training.text import EOS

    knobs = action.knobs
    sampling = Sampling(
        temperature=knobs.temperature,
        top_k=knobs.top_k or None,
        top_p=knobs.top_p,
        repetition_penalty=knobs.penalty,
    )
    state = begin(subject.model, given + tree.path(at))
    for _ in range(MOST_WRITTEN):
        if len(tree.nodes) >= MOST or len(state.ids) >= subject.most:
            break
        final = state.next(sampling).final
        token = drawn(final, number(knobs.seed, len(state.ids))).id
        tree, at = tree.grown(at, token)
        if token == EOS:
            return tree, at
        state = state.take(token)
    full = len(tree.nodes) >= MOST
    if not full and len(state.ids) >= subject.most:
        say.append(f"This model has learned {subject.most} positions, and all of them are taken.")
        return tree, at
    say.append(
        "The tree is full. Clear it to write more."
        if full
        else f"{MOST_WRITTEN} tokens are written, and no end has come. Write on from here if you like."
    )
    return tree, at


def _words_it_knows(subject: Subject) -> None:
    tokeniser = subject.task.target
    with st.popover("Words", icon=":material/menu_book:", width="stretch", help="What the model can read and write."):
        st.text(" ".join(tokeniser.label(id) for id in range(len(tokeniser)))[:6000])


def _card(subject: Subject) -> None:
    """What the model is, and what was measured on it."""
    checkpoint = subject.checkpoint
    with st.expander(f"What this model is: {subject.task.title.lower()}"):
        st.text(subject.task.about)
        st.table(
            {"measured": {display.plain(name): display.plain(str(value)) for name, value in checkpoint.card.items()}}
        )
