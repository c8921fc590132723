"""The text that a visitor types: the box with its words to tap, its examples, and the text as tokens."""

from collections.abc import Iterable
from string import ascii_letters
from typing import NamedTuple

import streamlit as st

from lab.kit import carried, settings, story
from lab.kit.models.source import MAX_TOKENS, Source
from lab.kit.settings import MAX_TEXT
from lab.kit.words import brief
from transformer.training.text import clean, words

settings.share("text")

EXAMPLES = (
    story.TEXT,
    "The animal didn't cross the street because it was too tired",
    "The cat sat on the mat",
    "The mat sat on the cat",
    "I went to the bank to sit by the river",
    "the keys to the old wooden cabinet are on the table",
    "one two three one two three one two three",
)


class Sentence(NamedTuple):
    """What was typed, cut into tokens; `left_out` tokens did not fit."""

    tokens: tuple[str, ...]
    left_out: int = 0
    notices: tuple[str, ...] = ()


def cut(text: str) -> Sentence:
    """A text as tokens of an untrained model; what is over the limit is left out, and a notice says so."""
    tokens = words(clean(text))
    left_out = max(0, len(tokens) - MAX_TOKENS)
    notice = f"The first {MAX_TOKENS} tokens are shown; {left_out:,} more are left out. Type a shorter text to see all."
    return Sentence(tuple(tokens[:MAX_TOKENS]), left_out, (notice,) if left_out else ())


def examples_for(source: Source | None) -> tuple[str, ...]:
    """Texts for a model, None for an untrained one; the story comes first where it knows all words of it."""
    if source is None:
        return EXAMPLES
    own = tuple(text for text in source.examples if text != story.TEXT)
    return (story.TEXT, *own) if reads_story(source) else own


def reads_story(source: Source | None) -> bool:
    """Whether a model, None for an untrained one, finds every letter of the story in its tokens again."""
    if source is None:
        return True
    tokens = source.cut(story.TEXT)
    read = (token for token, unread in zip(tokens, source.unread(tokens), strict=True) if not unread)
    return _letters(story.TEXT) in _letters("".join(read))


def _letters(text: str) -> str:
    return "".join(filter(ascii_letters.__contains__, text.lower()))


def sentence(examples: tuple[str, ...] = EXAMPLES, *, source: Source | None = None, home: str = story.TEXT) -> Sentence:
    """A box to type into (Enter commits) and examples to pick from, with the first of them in it at first.

    source  the model that reads it, with its words to pick from; None: an untrained one, which takes any
    home    what the button beside the box brings back, if not the whole story
    """
    if settings.replaying():
        return cut(ask_text(examples[0], examples))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sentence-row"):
        text = ask_text(examples[0], examples, source, home=home)
    return read(text, source)


def ask_text(
    default: str,
    examples: tuple[str, ...],
    source: Source | None = None,
    *,
    home: str = story.TEXT,
    is_carried: bool = True,
) -> str:
    """What is in the box, or what a link pins; beside it the examples. Its words can be tapped where the model that
    reads it has others to offer.

    home        what the button beside the box brings back
    is_carried  whether what is typed here goes with the visitor to other pages, and theirs comes here
    """
    if pinned := settings.replaying():
        return pinned.take_text("text", "sentence", default, lambda text: text[:MAX_TEXT])
    return _box(default, examples, source, home=home, is_carried=is_carried)


def read(text: str, source: Source | None) -> Sentence:
    """A text as this model reads it, an untrained one for None, with every notice on what was typed."""
    typed = _cut_for(source, text) if source else cut(text)
    return typed if settings.replaying() else typed._replace(notices=(*_box_notices(), *typed.notices))


def quoted(words: Iterable[str]) -> str:
    """Words from a visitor in a sentence: each in quotation marks, and not too long."""
    return ", ".join(f"“{brief(clean(word))}”" for word in words)


def _cut_for(source: Source, text: str) -> Sentence:
    """A text as this model reads it, with notices on its length."""
    tokens = source.cut(clean(text))
    notices = [unmet] if (unmet := source.unmet(clean(text))) else []
    limit = source.max_tokens
    left_out = max(0, len(tokens) - limit)
    if left_out:
        notices.append(f"The first {limit} tokens are shown; {left_out:,} more are left out. Type a shorter text.")
    elif source.longest is not None and len(tokens) - 1 > source.longest:
        notices.append(f"It was trained on at most {source.longest} tokens; so long a text is new to it.")
    return Sentence(source.first(tokens, limit), left_out, tuple(notices))


# ---- the box -------------------------------------------------------------------------------------------------------


def _box(default: str, examples: tuple[str, ...], source: Source | None, *, home: str, is_carried: bool) -> str:
    """The box and its examples. An example that nobody changed gives way to those of another model, and comes back."""
    _limit_text()
    before = st.session_state.get("_examples", examples)
    st.session_state["_examples"] = examples
    text = st.session_state.get("text")
    if before != examples and text in before:
        left = st.session_state.setdefault("_left", {})
        left[before] = text
        st.session_state["text"] = left.get(examples) or default
    text = carried.text_box(
        "Sentence",
        "text",
        default,
        home=home,
        can_read=lambda: reads_story(source),
        source=source,
        is_carried=is_carried,
        label_visibility="collapsed",
        placeholder="Type a sentence and press Enter",
        icon=":material/edit:",
    )
    st.menu_button("Examples", examples, key="example", on_click=_take_example, format_func=_escaped)
    settings.note("text", "sentence", text, default, long=True)
    return text


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
