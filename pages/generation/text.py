"""The settings of the views on writing: a model that writes, the beginning of a text, and its continuations."""

import re
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import carried, settings, story
from lab.kit.controls import reader
from lab.kit.models.published import PretrainedSource, Published, there
from lab.kit.models.references import AtStep, BeforeTraining, Own, Shipped, own, own_elsewhere
from lab.kit.models.source import ModelRef, Source
from pages.generation import data
from pages.generation.components.next_word import MAX_NODES, ROOT, Tree, pack, unpack
from pages.generation.data import shipped_decoders
from pages.generation.writers import Ref, Writer, beginning, is_published, trained, writer
from transformer.core.checks import InputError
from transformer.training.text import EOS

OWN = "the one you trained"
MAX_GIVEN = 64  # tokens of the beginning
MAX_LETTERS = 400
URL = "gen_"
EMPTY = "empty"  # in a link: a tree that was cleared, where the example would stand
EXAMPLE_LENGTH = 7  # words of each branch of the example
UNSURE = 0.5  # the page opens where no token has a larger probability: then there is something to choose
_ASKED = "_generation_asked"  # in st.session_state: the text was just typed, or is named by the link: it is read whole
TRAINED_ONLY = (
    "This view needs a shipped model or one of your own; pretrained models write in the view “Choose the next word”."
)


class Writing(NamedTuple):
    """A text under way: the model, the ids of its beginning, a tree of continuations, and the node where one stands.

    given  what the model has read of the visitor's text; the tree grows from its end
    whole  all of that text
    """

    ref: Ref
    given: tuple[int, ...]
    tree: Tree
    at: int
    whole: tuple[int, ...] = ()

    @property
    def source(self) -> Source:
        return self.ref.resolve()

    @property
    def writer(self) -> Writer:
        return writer(self.ref)

    @property
    def ids(self) -> tuple[int, ...]:
        """The text: the beginning, and the way through the tree."""
        return self.given + self.tree.path(self.at)

    @property
    def later(self) -> tuple[int, ...]:
        """How the visitor's text goes on from here; nothing once another token was taken."""
        ids = self.ids
        return self.whole[len(ids) :] if self.whole[: len(ids)] == ids else ()

    def read_to(self, n: int) -> "Writing":
        """The same after the first n tokens of the visitor's text. What was tried stays in the tree: the tokens between
        there and where it grew before become its trunk."""
        trunk, tree, at = self.whole[n : len(self.given)], self.tree, ROOT
        if trunk:
            grown = tuple((parent + len(trunk), id) for parent, id in tree.nodes)
            nodes = (*((at - 1, id) for at, id in enumerate(trunk)), *grown)
            return self._replace(given=self.whole[:n], tree=Tree(nodes[:MAX_NODES]), at=ROOT)
        for id in self.whole[len(self.given) : n]:
            if len(tree.nodes) < MAX_NODES or (at, id) in tree.nodes:
                tree, at = tree.with_token(at, id)
        return self._replace(tree=tree, at=at)

    @property
    def max_tokens(self) -> int:
        return max_tokens(self.source)


def max_tokens(source: Source) -> int:
    """How many tokens a model can read: a learned table of positions has an end, and a published model's memory."""
    if isinstance(source, PretrainedSource):
        return min(source.max_tokens, 1 + MAX_GIVEN + MAX_NODES)
    return source.config.max_len if source.config.positions == "learned" else 1 + MAX_GIVEN + MAX_NODES


def ask_writing(*, takes_published: bool = False, opens_early: bool = False) -> tuple[Writing, Any] | None:
    """Model and beginning in the view's row, and a container in it for one more; None where no model writes, and for a
    published one that the view does not take. opens_early: the story that the page opens on is read only as far as
    there is something to choose."""
    with settings.place_named("row"):
        ref = _ask_model()
        if ref is None:
            st.markdown("There is no model here that writes.")
            return None
        if is_published(ref) and not takes_published:
            settings.notify(TRAINED_ONLY)
            return None
        whole = _ask_beginning(ref)
        more = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    given = whole[: _n_read(ref, whole, opens_early=opens_early)]
    return Writing(ref, given, *_tree_of_link(ref, given, whole), whole), more


def _ask_model() -> Ref | None:
    """The model that was chosen, the visitor's own at first; None where there is none to choose."""
    mine = own("decoder")
    models: dict[str, ModelRef] = {**({OWN: mine} if mine else {}), **shipped_decoders(), **there("decoder")}
    if not models:
        return None
    first, stories = next(iter(models)), Shipped(story.WRITER)
    also = {OWN: reader.OWN} | {name: story.MODEL for name, ref in models.items() if ref == stories}
    is_named = carried.bring_choice("gen_model", models, first, "weights", also)
    name = settings.choose(
        st.selectbox,
        "Model",
        "gen_model",
        models,
        first,
        why=_why_not,
        follows=True,
        on_change=_forget_tree,
        label_visibility="collapsed",
        width=190,
    )
    carried.keep_choice("gen_model", name, is_named=is_named, kept_as="weights", also=also)
    carried.read_with(also.get(name, name))
    ref = models[name]
    if isinstance(ref, Shipped | Own):
        return reader.ask_step(ref, "gen_step")
    assert isinstance(ref, Published)
    return _to_be_had(ref)


def _why_not(name: str) -> str:
    """Why a model of this name cannot be chosen."""
    elsewhere = own_elsewhere("writes") if name == OWN else ""
    return elsewhere or "there is no such model here; train one that writes, or choose a shipped one"


def _to_be_had(ref: Published) -> Ref | None:
    """The same, or a shipped model in its place if it cannot be loaded; a notice then says why."""
    try:
        ref.resolve()
    except InputError as refusal:
        title, other = next(iter(shipped_decoders().items()), ("", None))
        instead = f" You see the model “{title}” in its place." if other else ""
        settings.notify(f"{str(refusal).rstrip('.')}.{instead}")
        return other
    return ref


def _forget_tree() -> None:
    for name in ("tree", "at", "from"):
        st.query_params.pop(URL + name, None)


def _ask_beginning(ref: Ref) -> tuple[int, ...]:
    """The ids that the visitor's text begins with, after the token that stands for a start, if there is one."""
    source, opening = ref.resolve(), writer(ref).opening
    reads = opening == story.TEXT  # another model writes letters or code, and begins with its own
    is_open = "gen_text" in st.session_state  # and not just come to by a link
    if not is_open and "gen_text" in st.query_params:
        st.session_state[_ASKED] = True
    if is_open and st.session_state["_generation_opening"] != opening:
        # Set, not forgotten: a browser goes on sending the text that it shows until it is given another.
        st.session_state["gen_text"] = opening
    st.session_state["_generation_opening"] = opening
    text = carried.text_box(
        "The text begins with",
        "gen_text",
        opening,
        shape=lambda text: text[:MAX_LETTERS],
        is_carried=reads,
        source=source,
        max_letters=MAX_LETTERS,
        max_chars=MAX_LETTERS,
        label_visibility="collapsed",
        on_change=_ask_for_whole,
        icon=":material/edit:",
        placeholder="Nothing yet: the model begins by itself",
    )[:MAX_LETTERS]
    if is_open and text != st.session_state["_generation_begun"]:
        _forget_tree()
    st.session_state["_generation_begun"] = text
    settings.notify(source.unmet(text))
    start, ids = beginning(ref, text)
    limit = min(MAX_GIVEN, max_tokens(source) - 1)
    if len(ids) > limit:
        settings.notify(f"The first {limit} tokens are read; {len(ids) - limit:,} more are left out.")
    return (*start, *ids[:limit])


def _ask_for_whole() -> None:
    st.session_state[_ASKED] = True


def _n_read(ref: Ref, whole: tuple[int, ...], *, opens_early: bool) -> int:
    """How many tokens of the visitor's text are read: as the link says. A link with branches that does not say it was
    made where all were read; and who types a text or names it wants to see it go on."""
    is_asked = st.session_state.pop(_ASKED, False)
    place = st.query_params.get("gen_from", "")
    if re.fullmatch("[0-9]{1,3}", place, re.ASCII) and 1 <= int(place) <= len(whole):
        return int(place)
    has_branches = "gen_tree" in st.query_params or "gen_at" in st.query_params
    return len(whole) if is_asked or has_branches or not opens_early else opening_place(ref, whole)


def opening_place(ref: Ref, whole: tuple[int, ...]) -> int:
    """The tokens of the story that are read at first: up to the last place where no token is more probable than UNSURE.
    All of them of another text, which its writer wants to see go on. It is the same place at every step of training."""
    if not _is_opening(ref, whole) or writer(ref).opening != story.TEXT:
        return len(whole)
    done = ref.of if isinstance(ref, AtStep | BeforeTraining) else ref
    for n in range(len(whole), 1, -1):
        if data.largest_share(done, whole[:n]) <= UNSURE:
            return n
    return len(whole)


def _is_opening(ref: Ref, whole: tuple[int, ...]) -> bool:
    """Whether this is the text that a model trained here opens on."""
    return not is_published(ref) and whole[1:] == tuple(trained(ref).task.source.encode(writer(ref).opening))


def _tree_of_link(ref: Ref, given: tuple[int, ...], whole: tuple[int, ...]) -> tuple[Tree, int]:
    """The tree of the link, or the example without one, and the node where one stands."""
    source, writes = ref.resolve(), writer(ref)
    code = st.query_params.get("gen_tree")
    if not code:
        tree, default = _example(ref, given, whole), ROOT
    else:
        parsed = unpack("" if code == EMPTY else code, writes.size, writes.end)
        if parsed is None or len(given) + parsed.depth > max_tokens(source):
            settings.notify("The branches in this link do not fit the model, so the tree is empty.")
            parsed = Tree()
        tree, default = parsed, len(parsed.nodes) - 1
    place = st.query_params.get("gen_at", "")
    if place == "r":
        return tree, ROOT
    fits = re.fullmatch("[0-9]{1,3}", place, re.ASCII) and int(place) < len(tree.nodes)
    return tree, int(place) if fits else default


def _example(ref: Ref, given: tuple[int, ...], whole: tuple[int, ...]) -> Tree:
    """Two branches of the text that the page opens on: after the model's own word, and as the text goes on; at its end,
    after a wrong word. An empty tree for another text, or where no wrong word is chosen."""
    if not _is_opening(ref, whole) or not trained(ref).task.misfit:
        return Tree()
    task, tree = trained(ref).task, Tree()
    for begun in ((), whole[len(given) :] or task.target.encode(task.misfit)[:1]):
        at = ROOT
        for n in range(EXAMPLE_LENGTH):
            if tree.path(at)[-1:] == (EOS,):
                break
            ids = given + tree.path(at)
            tree, at = tree.with_token(
                at, begun[n] if n < len(begun) else int(data.next_token(ref, ids).logits.argmax())
            )
    return tree


def mirror(writing: Writing) -> None:
    """Put tree, place and beginning into the link; defaults are left out."""
    ref, given, tree, at, whole = writing
    code = "" if tree == _example(ref, given, whole) else pack(tree) or EMPTY
    default = len(tree.nodes) - 1 if code else ROOT
    place = "" if at == default else "r" if at == ROOT else str(at)
    usual = len(whole) if code or place else opening_place(ref, whole)
    start = "" if len(given) == usual else str(len(given))
    for name, value in (("gen_tree", code), ("gen_at", place), ("gen_from", start)):
        if not value:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value
