"""The choice of the model that reads a text: one that is trained, one that was, or an untrained one of any size."""

from collections.abc import Collection, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import carried, catalogue, settings, story
from lab.kit.controls.hyperparameters import KEYS
from lab.kit.controls.text_input import Sentence, ask_text, examples_for, read
from lab.kit.models.published import there
from lab.kit.models.references import AtStep, BeforeTraining, Own, Shipped, at_step, own, own_elsewhere
from lab.kit.models.source import ModelRef, Source
from lab.kit.settings import MAX_TEXT
from transformer.core.checks import InputError
from transformer.training.text import clean, words

settings.share("weights", "state")

# The models that can be chosen, by the name on screen and in links.
UNTRAINED = "untrained"
STORIES, REVIEWS = story.MODEL, "trained on reviews"
OWN = "your own"
TRAINED, BEFORE = "trained", "before training"
_OLD_UNTRAINED = "random weights"  # in links
SHIPPED = {STORIES: Shipped(story.WRITER), REVIEWS: Shipped("sentiment")}


class ReadBy(NamedTuple):
    """A text, and as a trained model cuts it; `ref` is None where an untrained model of any size is to read it."""

    name: str
    ref: ModelRef | None
    sentence: Sentence
    text: str = ""

    @property
    def source(self) -> Source | None:
        return self.ref.resolve() if self.ref else None


def offered() -> dict[str, ModelRef]:
    """The trained models that read a text by themselves and that this visitor can choose, by name."""
    models: dict[str, ModelRef] = {name: ref for name, ref in SHIPPED.items() if ref.exists}
    mine = own("encoder", "decoder")
    if mine:
        models[OWN] = mine
    return models | there("encoder", "decoder")


def read_by(
    default: str = STORIES,
    *,
    for_any: Collection[str] = (),
    models: Mapping[str, ModelRef] | None = None,
    others: tuple[str, ...] = (),
    first: str = story.TEXT,
    box: Any = None,
    chip: str = "",
) -> ReadBy:
    """The choice of a model, trained or not, and a sentence: the story, or one of its own for a model that does not
    know its words. A trained one can be had as it was before training, too. Notices on the text stand in the sentence.
    Where any model can be chosen, model and text go with the visitor to the other pages of that kind.

    for_any  settings that this page has for trained models as well: in a link they do not mean an untrained one
    models   those that can be chosen, `default` among them; None for all that are offered, and an untrained one
    others   names beside them, which the page sees to before it calls this
    first    what stands in the box at first in place of the story, of a model that reads that
    box      where the sentence is asked for; the models then stand in the container at hand, as in a line of settings.
             None: a line of their own for all
    chip     how that line says which model it is
    """
    is_any = models is None
    models = offered() if models is None else models
    default = default if default in models else UNTRAINED
    is_carried, is_named = is_any and not settings.replaying(), False
    if is_any and (pinned := settings.replaying()):
        default = UNTRAINED if _means_untrained(pinned.pinned or {}, for_any) else default
    elif is_any:
        is_named = carried.bring_choice("weights", (*models, UNTRAINED), default)
        _follow_links(models, default, for_any)
    with nullcontext() if box is not None else sentence_row():
        name = settings.choose(
            st.selectbox,
            "Model",
            "weights",
            (*models, *((UNTRAINED,) if is_any else others)),
            default,
            why=_why_not,
            follows=True,
            chip=chip,
            label_visibility="collapsed",
            width=190,
        )
        if is_carried:
            carried.keep_choice("weights", name, is_named=is_named)
            carried.read_with(name)
        ref = _ask_state(_to_be_had(models.get(name)), is_carried=is_carried)
        carried.stand(is_in=is_carried and not isinstance(ref, BeforeTraining))
        source = ref.resolve() if ref else None
        examples = examples_for(source) if source is None or is_any else source.examples
        with nullcontext() if box is None else box:
            home = first if examples[0] == story.TEXT else story.TEXT
            if home != story.TEXT:
                examples = (first, *examples)
            text = ask_text(examples[0], examples, source, home=home, is_carried=is_any)
    return ReadBy(name, ref, read(text, source), text)


def sentence_row() -> Any:
    """A line for a sentence, and for what stands beside it."""
    return settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", key="sentence-row")


def _ask_state(ref: ModelRef | None, *, is_carried: bool) -> ModelRef | None:
    """The same, as it is or as it was before its training, where that is known."""
    if not isinstance(ref, Shipped | Own):
        return ref
    is_named = is_carried and carried.bring_choice("state", (TRAINED, BEFORE), TRAINED)
    state = settings.choose(
        st.segmented_control, "State", "state", (TRAINED, BEFORE), TRAINED, label_visibility="collapsed"
    )
    if is_carried:
        carried.keep_choice("state", state, is_named=is_named)
    return BeforeTraining(ref) if state == BEFORE else ref


def _why_not(name: str) -> str:
    """Why a model of this name cannot be chosen."""
    if name.casefold() in ("own", OWN) and (elsewhere := own_elsewhere("reads texts")):
        return elsewhere
    if name in there("encoder-decoder"):
        return "that model has an encoder and a decoder, which only the view Heads of the page Pretrained shows"
    return "there is no such model here; train one on the page Live, or bring one on the page Pretrained"


def _to_be_had(ref: ModelRef | None) -> ModelRef | None:
    """The same, or a shipped model in its place if it cannot be loaded; a notice then says why."""
    try:
        if ref is not None:
            ref.resolve()
    except InputError as refusal:
        settings.notify(f"{str(refusal).rstrip('.')}. You see the model “{STORIES}” in its place.")
        return SHIPPED[STORIES]
    return ref


def _follow_links(models: Mapping[str, ModelRef], default: str, for_any: Collection[str]) -> None:
    """Links that name no model are older than the model that reads today: they mean an untrained one where they have a
    setting of such a model; and of a text that the default reads in pieces, the judge of reviews if it has a token for
    each word of it."""
    if st.session_state.get("weights") is not None:
        return
    link = st.query_params.to_dict()
    text = clean(link.get("text", "")[:MAX_TEXT])

    def knows(name: str) -> bool:
        ref = models.get(name)
        return isinstance(ref, Shipped) and _has_words(ref.resolve(), text)

    if _means_untrained(link, for_any):
        st.session_state["weights"] = UNTRAINED
    elif "weights" not in link and text and not knows(default) and knows(REVIEWS):
        st.session_state["weights"] = REVIEWS


def _has_words(source: Source, text: str) -> bool:
    """Whether a model has one token for each word of a text."""
    return not source.unknown(text) and len(source.of_text(source.cut(text))) == len(words(text))


def _means_untrained(link: Mapping[str, str], for_any: Collection[str]) -> bool:
    asked = link.get("weights")
    of_untrained = KEYS.intersection(link).difference(for_any)  # whoever names one of these means such a model
    return asked == _OLD_UNTRAINED or (asked is None and bool(of_untrained))


def source_row(source: Source) -> None:
    """The facts of a trained model in one line, and the way to its film; nothing where no widgets are drawn."""
    if settings.replaying():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="reader-row"):
        st.caption(" · ".join(source.facts), width="content")
        if source.film:
            st.page_link(
                catalogue.page("live").script,
                label="Watch it learn",
                icon=":material/arrow_forward:",
                query_params={"live_film": source.film},
            )


def ask_step(trained: Shipped | Own, key: str) -> Shipped | Own | BeforeTraining | AtStep:
    """A trained model at one of the steps of its training that are known; at first, at the end."""
    stops = trained.resolve().checkpoint.stops
    if len(stops) < 2:
        return trained
    with settings.line(key=f"steps-{key}"):
        step = settings.choose(
            st.select_slider,
            "Step of training",
            key,
            stops,
            stops[-1],
            follows=True,
            quiet=True,
            chip="training step {}",
            width=190,
        )
    return at_step(trained, step)
