"""The text that a visitor types, cut into tokens, and the choice of the model that reads it."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue, settings
from lab.kit.controls.hyperparameters import KEYS
from lab.kit.figures import display
from lab.kit.models.published import there
from lab.kit.models.references import AtStep, BeforeTraining, Own, Shipped, at_step, own, own_elsewhere
from lab.kit.models.source import MAX_TOKENS, ModelRef, Source
from lab.kit.settings import MAX_TEXT
from lab.kit.words import brief
from transformer.core.checks import InputError
from transformer.training.text import clean, words

settings.share("text", "weights", "state")

EXAMPLES = (
    "The animal didn't cross the street because it was too tired",
    "The cat sat on the mat",
    "The mat sat on the cat",
    "I went to the bank to sit by the river",
    "the keys to the old wooden cabinet are on the table",
    "one two three one two three one two three",
)
# The models that can be chosen, by the name on screen and in links.
UNTRAINED = "untrained"
STORIES, REVIEWS = "trained on stories", "trained on reviews"
OWN = "your own"
TRAINED, BEFORE = "trained", "before training"
_OLD_UNTRAINED = "random weights"  # in links
_SHIPPED = {STORIES: Shipped("stories"), REVIEWS: Shipped("sentiment")}


class Sentence(NamedTuple):
    """What was typed, cut into tokens; `left_out` tokens did not fit."""

    tokens: tuple[str, ...]
    left_out: int = 0
    notices: tuple[str, ...] = ()


class ReadBy(NamedTuple):
    """A text, and as a trained model cuts it; `ref` is None where an untrained model of any size is to read it."""

    name: str
    ref: ModelRef | None
    sentence: Sentence
    text: str = ""

    @property
    def source(self) -> Source | None:
        return self.ref.resolve() if self.ref else None


def ask_step(trained: Shipped | Own, key: str) -> Shipped | Own | BeforeTraining | AtStep:
    """A trained model at one of the steps of its training that are known; at first, at the end."""
    stops = trained.resolve().checkpoint.stops
    if len(stops) < 2:
        return trained
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", width="content",
                        key=f"steps-{key}"):  # fmt: skip
        if not settings.replaying():
            st.markdown("training step", width="content")
        step = settings.choose(
            st.select_slider, "Step of training", key, stops, stops[-1], follows=True, quiet=True,
            label_visibility="collapsed", width=190,
        )  # fmt: skip
    return at_step(trained, step)


def cut(text: str) -> Sentence:
    """A text as tokens of an untrained model; what is over the limit is left out, and a notice says so."""
    tokens = words(clean(text))
    left_out = max(0, len(tokens) - MAX_TOKENS)
    notice = f"The first {MAX_TOKENS} tokens are shown; {left_out:,} more are left out. Type a shorter text to see all."
    return Sentence(tuple(tokens[:MAX_TOKENS]), left_out, (notice,) if left_out else ())


def sentence(
    default: str = EXAMPLES[0], *, examples: tuple[str, ...] = EXAMPLES, source: Source | None = None
) -> Sentence:
    """A box to type into (Enter commits) and examples to pick from, with `default` in it at first.

    source  the model that reads it, with its words to pick from; None: an untrained one, which takes any
    """
    pinned = settings.replaying()
    if pinned:
        return cut(pinned.take_text("text", "sentence", default, lambda text: text[:MAX_TEXT]))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sentence-row"):
        text = _box(default, examples)
        if source and source.vocabulary:
            words_popover(source.vocabulary)
    typed = _cut_for(source, text) if source else cut(text)
    return typed._replace(notices=(*_box_notices(), *typed.notices))


def offered() -> dict[str, ModelRef]:
    """The trained models that read a text by themselves and that this visitor can choose, by name."""
    models: dict[str, ModelRef] = {name: ref for name, ref in _SHIPPED.items() if ref.exists}
    mine = own("encoder", "decoder")
    if mine:
        models[OWN] = mine
    return models | there("encoder", "decoder")


def read_by(
    default: str = REVIEWS,
    *,
    first: str = "",
    for_any: Collection[str] = (),
    models: Mapping[str, ModelRef] | None = None,
    others: tuple[str, ...] = (),
) -> ReadBy:
    """The choice of a model, trained or not, and a sentence: any for an untrained model, one of its own for a trained
    one, which can be had as it was before training, too. Notices on the text stand in the sentence.

    first    the text that stands in the box at first while the default model reads; "" for its own first example
    for_any  settings that this page has for trained models as well: in a link they do not mean an untrained one
    models   those that can be chosen, `default` among them; None for all that are offered, and an untrained one
    others   names beside them, which the page sees to before it calls this
    """
    is_any = models is None
    models = offered() if models is None else models
    default = usual = default if default in models else UNTRAINED
    pinned = settings.replaying()
    if is_any and pinned is None:
        _follow_links(models, default, for_any)
    elif is_any and pinned and _means_untrained(pinned.pinned or {}, for_any):
        default = UNTRAINED
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", key="sentence-row"):
        name = settings.choose(
            st.selectbox, "Model", "weights", (*models, *((UNTRAINED,) if is_any else others)), default,
            why=_why_not,
            follows=True, label_visibility="collapsed", width=190,
        )  # fmt: skip
        ref = _to_be_had(models.get(name))
        if isinstance(ref, Shipped | Own):
            state = settings.choose(
                st.segmented_control, "State", "state", (TRAINED, BEFORE), TRAINED, label_visibility="collapsed"
            )
            if state == BEFORE:
                ref = BeforeTraining(ref)
        source = ref.resolve() if ref else None
        examples = source.examples if source else EXAMPLES
        if first and name == usual:
            examples = (first, *(example for example in examples if example != first))
        if pinned:
            text = pinned.take_text("text", "sentence", examples[0], lambda text: text[:MAX_TEXT])
        else:
            text = _box(examples[0], examples)
            if source and source.vocabulary:
                words_popover(source.vocabulary)
    typed = _cut_for(source, text) if source else cut(text)
    if not pinned:
        typed = typed._replace(notices=(*_box_notices(), *typed.notices))
    return ReadBy(name, ref, typed, text)


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
        settings.notify(f"{str(refusal).rstrip('.')}. You see the model “{REVIEWS}” in its place.")
        return _SHIPPED[REVIEWS]
    return ref


def _follow_links(models: Mapping[str, ModelRef], default: str, for_any: Collection[str]) -> None:
    """Links that name no model are older than trained models as the default: they mean an untrained one where they
    have a setting of such a model, or a text that the default has never read."""
    if st.session_state.get("weights") is not None:
        return
    link = st.query_params.to_dict()
    usual = models.get(default)
    unread = isinstance(usual, Shipped) and usual.resolve().unknown(clean(link.get("text", "")[:MAX_TEXT]))
    if _means_untrained(link, for_any) or ("weights" not in link and unread):
        st.session_state["weights"] = UNTRAINED


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
                catalogue.page("live").script, label="Watch it learn", icon=":material/arrow_forward:",
                query_params={"live_film": source.film},
            )  # fmt: skip


def words_popover(vocabulary: Mapping[str, Iterable[str]], key: str = "text") -> None:
    """All words that a trained model knows, as chips: one that is tapped is added to the text under this key."""
    with st.popover("Words", help="All that this model has ever read. Tap one to add it.", key="reader-words"):
        for kind, members in vocabulary.items():
            # The vocabulary of an uploaded model can be anything: no sign of it is read as Markdown.
            st.pills(
                display.plain(kind), tuple(members), key=f"word-{key}-{kind}", format_func=display.plain,
                on_change=_add_word, args=(key, f"word-{key}-{kind}"),
            )  # fmt: skip


def _add_word(key: str, chosen: str) -> None:
    word = st.session_state[chosen]
    st.session_state[chosen] = None  # it can be tapped again
    if word is not None:
        st.session_state[key] = f"{st.session_state.get(key) or ''} {word}".strip()


def quoted(words: Iterable[str]) -> str:
    """Words from a visitor in a sentence: each in quotation marks, and not too long."""
    return ", ".join(f"“{brief(clean(word))}”" for word in words)


def _cut_for(source: Source, text: str) -> Sentence:
    """A text as this model reads it, with notices on unknown words and on length."""
    tokens = source.cut(clean(text))
    notices = []
    unknown = source.unknown(text)
    if unknown:
        names = quoted(unknown[:5]) + (" and more" if len(unknown) > 5 else "")
        notices.append(
            f"This model has never read {names}: all it sees there is ⟨unknown⟩. Tap its words under “Words”, or "
            "take one of its “Examples”."
        )
    limit = source.max_tokens
    left_out = max(0, len(tokens) - limit)
    if left_out:
        notices.append(f"The first {limit} tokens are shown; {left_out:,} more are left out. Type a shorter text.")
    elif source.longest is not None and len(tokens) - 1 > source.longest:
        notices.append(f"It was trained on at most {source.longest} tokens; so long a text is new to it.")
    return Sentence(source.first(tokens, limit), left_out, tuple(notices))


# ---- the box -------------------------------------------------------------------------------------------------------


def _box(default: str, examples: tuple[str, ...]) -> str:
    """The box and its examples. An example that nobody changed gives way to those of another model, and comes back."""
    _limit_text()
    before = st.session_state.get("_examples", examples)
    st.session_state["_examples"] = examples
    text = st.session_state.get("text")
    if before != examples and text in before:
        left = st.session_state.setdefault("_left", {})
        left[before] = text
        st.session_state["text"] = left.get(examples) or default
    text = st.text_input(
        "Sentence",
        default,
        key="text",
        bind="query-params",
        label_visibility="collapsed",
        placeholder="Type a sentence and press Enter",
        icon=":material/edit:",
    )
    st.menu_button("Examples", examples, key="example", on_click=_take_example, format_func=_escaped)
    settings.note("text", "sentence", text or "", default, long=True)
    return text or ""


def _take_example() -> None:
    st.session_state["text"] = st.session_state["example"]


def _box_notices() -> tuple[str, ...]:
    return st.session_state.get("_text_notices", ())


def _limit_text() -> None:
    """Cut the text to what a link can carry, before the box is drawn with it; a notice says how much was left out."""
    text = st.session_state.get("text")
    if text is None:
        text = st.query_params.get("text")
    if text is None:
        return
    limited = clean(text)[:MAX_TEXT] if len(text) > MAX_TEXT else text.encode("utf-8", "replace").decode()
    if limited != text:
        if "text" not in st.session_state:
            st.query_params["text"] = limited  # from where the box would take it
        st.session_state["text"] = limited
    if len(text) > MAX_TEXT:
        st.session_state["_text_notices"] = (
            f"The first {MAX_TEXT:,} letters are kept; {len(text) - MAX_TEXT:,} more are left out.",
        )
        st.session_state["_kept_text"] = limited
    elif text != st.session_state.get("_kept_text"):
        st.session_state.pop("_text_notices", None)


def _escaped(text: str) -> str:
    """A label that Markdown leaves alone."""
    return text.replace("*", r"\*").replace("_", r"\_")
