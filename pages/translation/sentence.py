"""The sentence that is typed, the model that reads it, and what it makes of it."""

import streamlit as st

from pages.shared import display
from pages.shared.controls import choose
from pages.translation import data
from transformer.training.tasks import french
from transformer.training.text import clean

EXAMPLES = (
    "The little black cat does not like the white house",
    "My tired child helps the sad birds",
    "This big white bee doesn't watch my mouse",
    "I am not happy",
    "The girl and the woman eat the red apples",
    "They see a little dog behind the school",
    "The little dragon eats the cake",
    "The cat is a dog",
)
LETTERS = {"reverse": "a b c d e f", "sort": "d a c b e a", "copy": "a b c d e f"}
MOST_LETTERS = 400  # of a typed sentence
MODELS = ("the shipped one", "mine")
_KNOWN = (
    "\n\n".join(f"**{kind}**: {', '.join(words)}" for kind, words in french.KINDS.items())
    + "\n\nIts sentences: *somebody* (little, big or young, with a colour or a mood) *does* or *does not do* something;"
    " or *is* or *is not* something; perhaps *somewhere*."
)


def subject(say: list[str]) -> data.Subject:
    """The shipped translator, or what the visitor has trained."""
    mine = False
    if data.own() is not None or "translator" in st.query_params:
        options = MODELS if data.own() is not None else MODELS[:1]
        why = "there is no model of yours here; train one on the page Live"
        mine = choose(st.segmented_control, "Model", "translator", options, MODELS[0], say, why=why) == MODELS[1]
    return data.subject(mine=mine)


def read(subject: data.Subject, say: list[str]) -> tuple[str, ...]:
    """A box to type into and examples; its words, with what is to be said of them."""
    task = subject.task
    is_french = task.name == "french"
    key = "english" if is_french else "letters"
    usual = EXAMPLES[0] if is_french else LETTERS.get(task.name, "a b c")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="translation-row"):
        text = st.text_input(
            "Sentence", usual, key=key, bind="query-params", label_visibility="collapsed",
            placeholder="Type an English sentence and press Enter" if is_french else "Type some letters, press Enter",
            icon=":material/edit:",
        )  # fmt: skip
        if is_french:
            st.menu_button("Examples", EXAMPLES, key="translation_example", on_click=_take_example)
            with st.popover("Words", help="All English words that it knows.", key="translation_words"):
                st.markdown(_KNOWN)
    text = clean(text or "")
    if len(text) > MOST_LETTERS:
        say.append(f"The first {MOST_LETTERS} letters are read; {len(text) - MOST_LETTERS:,} more are left out.")
    typed = data.typed(subject, text[:MOST_LETTERS])
    if typed.left_out:
        say.append(f"The first {len(typed.words)} words are read; {typed.left_out:,} more are left out.")
    if typed.unknown:
        listed = ", ".join(f"“{short(word)}”" for word in typed.unknown)
        where = " All that it knows stands under “Words”." if is_french else ""
        say.append(f"Unknown to this model: {listed}. It reads one and the same “unknown” instead, and guesses.{where}")
    elif len(typed.words) > task.longest:
        say.append(f"It was trained on at most {task.longest} words; so long a sentence is new to it.")
    return typed.words


def _take_example() -> None:
    st.session_state["english"] = st.session_state["translation_example"]


def short(word: str) -> str:
    return word if len(word) <= 24 else word[:23] + "…"


def verdict(told: data.Told) -> None:
    """The translation in large letters, and beside it what it should have been."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(f"## :blue[{display.plain(told.text) or '(nothing)'}]", width="content")
        st.markdown(_judged(told), width="content")


def _judged(told: data.Told) -> str:
    """Whether the model's own translation is the right one, and which word is not."""
    if told.right is None:
        return (
            "Outside of the grammar that it learned from: it translates all the same, but there is no right answer to "
            "compare with."
        )
    if told.translation.answer == told.right.target:
        return "Written by the model itself, word by word. :material/check: **Exactly right.**"
    n = _first_difference(told.translation.answer, told.right.target)
    return f"**Not quite**, from word {n + 1} on. Right would be: *{display.plain(told.right_text)}*"


def _first_difference(given: tuple[int, ...], wanted: tuple[int, ...]) -> int:
    same = [a == b for a, b in zip(given, wanted, strict=False)]
    return same.index(False) if False in same else len(same)
