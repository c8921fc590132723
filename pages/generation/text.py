"""What all views of generation share: a model that writes, a beginning, and a tree of texts."""

from dataclasses import dataclass

import streamlit as st

from pages.generation import data
from pages.generation.components.next_word import MOST, ROOT, Tree, pack, unpack
from pages.shared import checkpoints, display
from pages.shared.controls import choose

OWN = "the one you trained"
MOST_GIVEN = 64  # tokens of the beginning
MOST_LETTERS = 400
URL = "gen_"
EMPTY = "empty"  # in a link: a tree that was cleared, where the example would stand
_LEADS = {"stories": "mia found a red ball in the park."}  # other models continue an example of their task
_WRONG = "he"  # a word that does not fit there: the example shows what the model makes of it
_EXAMPLE_LENGTH = 7  # words of each branch of the example


@dataclass(frozen=True, eq=False)
class Subject:
    """The model that writes. `name`: of a shipped one, whose results all visitors share; "" for the visitor's own."""

    name: str
    checkpoint: object
    model: object

    @property
    def task(self):
        return self.checkpoint.task

    @property
    def most(self) -> int:
        """How many tokens it can read: a learned table of positions has an end."""
        config = self.checkpoint.config
        return config.max_len if config.positions == "learned" else 1 + MOST_GIVEN + MOST

    def next(self, ids: tuple[int, ...]):
        return self._look("next_of", "next_of", ids)

    def weigh(self, given: tuple[int, ...], nodes: tuple[tuple[int, int], ...]):
        return self._look("weighed", "weigh", given, nodes)

    def held(self, ids: tuple[int, ...]):
        return self._look("held", "held", ids)

    def _look(self, shared: str, own: str, *what):
        if self.name:
            return getattr(data, shared)(self.name, *what)
        from transformer.inspection import writing

        return getattr(writing, own)(self.model, *what)

    def label(self, id: int) -> str:
        return self.task.target.label(id)


def subject_of(say: list[str]) -> Subject | None:
    """The model that was chosen, or None where there is none to choose."""
    shipped = data.decoders()
    own = st.session_state.get(checkpoints.HAND_OVER)
    has_own = own is not None and own.task.kind == "decoder"
    options = [*shipped, *([OWN] if has_own else [])]
    if not options:
        return None
    name = choose(
        st.selectbox,
        "Model",
        "gen_model",
        options,
        options[0],
        say,
        why="there is no such model here; train one that writes, or take a shipped one",
        on_change=_another_model,
        help="Models that write alone. What you train yourself, on a text of your own too, can be chosen here.",
    )
    if name != OWN:
        return Subject(shipped[name], checkpoints.shipped(shipped[name]), checkpoints.shipped_model(shipped[name]))
    kept = st.session_state.get("_gen_own")
    if kept is None or kept[0] is not own:
        kept = st.session_state["_gen_own"] = (own, own.model())
        st.session_state.pop("_gen_pace", None)  # measured on another model
    return Subject("", *kept)


def _another_model() -> None:
    st.session_state.pop("gen_text", None)
    _forget_tree()


def _forget_tree() -> None:
    for name in ("tree", "at"):
        st.query_params.pop(URL + name, None)


def beginning(subject: Subject, say: list[str]) -> tuple[int, ...]:
    """The ids that the visitor's text begins with, <bos> first."""
    from transformer.training.text import BOS

    text = st.text_input(
        "The text begins with",
        _lead(subject),
        key="gen_text",
        bind="query-params",
        max_chars=MOST_LETTERS,
        on_change=_forget_tree,
        placeholder="Nothing yet: the model begins by itself",
    )
    text = (text or "")[:MOST_LETTERS]
    ids = subject.task.source.encode(text)
    most = min(MOST_GIVEN, subject.most - 1)
    if len(ids) > most:
        say.append(f"The first {most} tokens are read; {len(ids) - most:,} more are left out.")
    unknown = getattr(subject.task.source, "unknown", lambda text: [])(text)
    if unknown:
        words = ", ".join(f"“{word[:24]}”" for word in unknown[:5])
        say.append(f"The model has never met {words}, and reads {subject.label(3)} there. “Words” lists what it knows.")
    return (BOS, *ids[:most])


def _lead(subject: Subject) -> str:
    """How the example begins that a model opens on."""
    task = subject.task
    if task.name in _LEADS:
        return _LEADS[task.name]
    probe = task.probes[0]
    return task.source.decode(probe.source or probe.target[:16])


def tree_of(subject: Subject, given: tuple[int, ...], say: list[str]) -> tuple[Tree, int]:
    """The tree of the link, or what stands there at first, and the node where one is."""
    from transformer.training.text import EOS

    code = st.query_params.get("gen_tree")
    if not code:
        tree, last = _example(subject, given), ROOT
    else:
        tree = unpack("" if code == EMPTY else code, len(subject.task.target), EOS)
        if tree is None or len(given) + tree.depth > subject.most:
            say.append("The branches of this link do not fit the model, so the tree is empty.")
            tree = Tree()
        last = len(tree.nodes) - 1
    asked_for = st.query_params.get("gen_at", "")
    if asked_for == "r":
        return tree, ROOT
    fits = asked_for.isascii() and asked_for.isdigit() and int(asked_for[:6]) < len(tree.nodes)
    return tree, int(asked_for) if fits else last


def _example(subject: Subject, given: tuple[int, ...]) -> Tree:
    """Two branches, if this is the text that the page opens on: the model's own word, and a wrong one. Else nothing."""
    task = subject.task
    if task.name not in _LEADS or given[1:] != tuple(task.source.encode(_LEADS[task.name])):
        return Tree()
    tree = Tree()
    for first in (None, task.target.vocabulary.id(_WRONG)):
        at = ROOT
        for n in range(_EXAMPLE_LENGTH):
            logits = subject.next(given + tree.path(at)).logits
            tree, at = tree.grown(at, first if n == 0 and first is not None else int(logits.argmax()))
    return tree


def keep(subject: Subject, given: tuple[int, ...], tree: Tree, at: int) -> None:
    """Tree and place into the link; what is usual is left out."""
    example = _example(subject, given)
    code = "" if tree == example else pack(tree) or EMPTY
    usual = len(tree.nodes) - 1 if code else ROOT
    where = "" if at == usual else "r" if at == ROOT else str(at)
    for name, value in (("gen_tree", code), ("gen_at", where)):
        if not value:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value


def text_of(subject: Subject, given: tuple[int, ...], say: list[str]) -> tuple[int, ...]:
    """The ids of the text that stands: the beginning, and the way through the tree."""
    tree, at = tree_of(subject, given, say)
    return given + tree.path(at)


def opened() -> tuple[Subject, tuple[int, ...], object] | None:
    """The row of controls with the model, the beginning, and a place for one more."""
    say: list[str] = []
    which, text, more = st.columns([4, 9, 4], gap="small", vertical_alignment="bottom")
    with which:
        subject = subject_of(say)
    if subject is None:
        st.markdown("There is no model that writes.")
        return None
    with text:
        given = beginning(subject, say)
    display.notice(*say)
    return subject, given, more
