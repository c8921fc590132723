"""The sentence above all views: the model that reads it, the box it is typed into, and its translation."""

from typing import NamedTuple

import streamlit as st

from pages.shared import display, settings
from pages.shared.text_input import quoted
from pages.translation import data
from transformer.training.text import SPECIALS, clean

MAX_LETTERS = 400  # of a typed sentence
MODELS = ("the shipped one", "mine")
_CURRENT = "_translation_sentence"  # in st.session_state


class Sentence(NamedTuple):
    """The model and the words that it reads, at least one."""

    ref: data.Ref
    words: tuple[str, ...]


def show() -> bool:
    """Draws the controls of the sentence and its translation; returns False where there is no word to translate."""
    with settings.collecting() as answers:
        ref = _ask_model()
        words = _ask_words(ref)
    display.notice(*answers.notices)
    if not words:
        display.notice("There is no word to translate yet. Type a sentence, or pick one of the examples.")
        return False
    st.session_state[_CURRENT] = Sentence(ref, words)
    with display.loading(420):
        translated = data.translated(ref, words)
    _show_translation(translated)
    return True


def current() -> Sentence:
    """The sentence that stands above the views: part of the settings of each of them."""
    return st.session_state[_CURRENT]


def _ask_model() -> data.Ref:
    """The shipped translator, or what the visitor has trained."""
    mine = data.own_translator()
    if mine is None and "translator" not in st.query_params:
        return data.SHIPPED
    name = settings.choose(
        st.segmented_control, "Model", "translator", MODELS if mine else MODELS[:1], MODELS[0],
        why="there is no model of yours here; train one on the page Live",
    )  # fmt: skip
    return mine if mine and name == MODELS[1] else data.SHIPPED


def _ask_words(ref: data.Ref) -> tuple[str, ...]:
    """A box to type into, examples, and the words that the model knows -> what it reads; notices on the rest."""
    model = ref.resolve()
    task, of_letters = model.task, model.task.reads_letters
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="translation-row"):
        text = st.text_input(
            "Sentence", task.example_texts[0], key="letters" if of_letters else "english", bind="query-params",
            label_visibility="collapsed",
            placeholder="Type some letters and press Enter" if of_letters else "Type a sentence and press Enter",
            icon=":material/edit:",
        )  # fmt: skip
        if not of_letters:
            st.menu_button("Examples", task.example_texts, key="translation_example", on_click=_take_example)
            with st.popover("Words", help="All words that it knows.", key="translation_words"):
                words = task.kinds or {"words": model.labels[len(SPECIALS) :]}
                kinds = (f"**{kind}**: {', '.join(map(display.plain, some))}" for kind, some in words.items())
                st.markdown("\n\n".join([*kinds, task.grammar]))
    text = clean(text or "")
    source = data.tokenised(ref, text[:MAX_LETTERS])
    if len(text) > MAX_LETTERS:
        settings.notify(f"The first {MAX_LETTERS} letters are read; {len(text) - MAX_LETTERS:,} more are left out.")
    if source.left_out:
        settings.notify(f"The first {len(source.words)} words are read; {source.left_out:,} more are left out.")
    if source.unknown:
        where = "" if of_letters else " All that it knows stands under “Words”."
        settings.notify(
            f"Unknown to this model: {quoted(source.unknown)}. It reads one and the same “unknown” instead, and"
            f" guesses.{where}"
        )
    elif len(source.words) > task.longest:
        settings.notify(f"It was trained on at most {task.longest} words; so long a sentence is new to it.")
    return source.words


def _take_example() -> None:
    st.session_state["english"] = st.session_state["translation_example"]


# ---- the translation -------------------------------------------------------------------------------------------


def _show_translation(translated: data.Translated) -> None:
    """The translation in large letters, and beside it whether it is right."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(f"## :blue[{display.plain(translated.text) or '(nothing)'}]", width="content")
        st.markdown(_verdict(translated), width="content")


def _verdict(translated: data.Translated) -> str:
    """Whether the model's own translation is right, and which word is not."""
    if translated.answer is None:
        return (
            "Outside of the grammar that it learned from: it translates all the same, but there is no right answer to "
            "compare with."
        )
    written, right = translated.translation.answer, translated.answer.target
    if written == right:
        return "Written by the model itself, word by word. :material/check: **Exactly right.**"
    n = _first_difference(written, right)
    return f"**Not quite**, from word {n + 1} on. Right would be: *{display.plain(translated.answer_text)}*"


def _first_difference(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    equal = [x == y for x, y in zip(a, b, strict=False)]
    return equal.index(False) if False in equal else len(equal)
