"""The sentence above all views: the model that reads it, the box it is typed into, and what is said of the result."""

import re
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import carried, settings, story
from lab.kit.controls.reader import ask_step
from lab.kit.controls.text_input import quoted
from lab.kit.figures import display
from lab.kit.models.references import AtStep, BeforeTraining, Own, Shipped, own_elsewhere
from pages.translation import data
from transformer.training.text import clean

MAX_LETTERS = 400  # of a typed sentence
SHIPPED, MINE = ("the shipped one", "mine")
DIRECTIONS = {"EN → FR": data.SHIPPED, "FR → EN": data.TO_ENGLISH}
_STEP = "translator_step"
_TEXT = {"english": "tr_french"}  # task -> the key of its text in links, where that is not "tr_english"
_CURRENT = "_translation_sentence"  # in st.session_state


class Sentence(NamedTuple):
    """The model and the words that it reads, at least one."""

    ref: data.Ref
    words: tuple[str, ...]


def show(line: Any) -> bool:
    """Draws the controls of the sentence in this line; returns False where there is no word to translate."""
    row = line.container(horizontal=True, vertical_alignment="center", gap="small", key="translation-row")
    with settings.collecting() as answers, row:
        trained = _ask_model()
        words = _ask_words(trained)
        ref = _ask_state(trained)
    display.notice(*answers.notices)
    if not words:
        display.notice("There is no word to translate yet. Type a sentence, or choose one of the examples.")
        return False
    st.session_state[_CURRENT] = Sentence(ref, words)
    with display.loading(420):
        data.translated(ref, words)
    return True


def current() -> Sentence:
    """The sentence that stands above the views: part of the settings of each of them."""
    return st.session_state[_CURRENT]


def _ask_model() -> data.Trained:
    """What the visitor has trained, or the shipped translator."""
    mine = data.own_translator()
    if mine is None and "translator" not in st.query_params:
        return _ask_direction()
    name = settings.choose(
        st.selectbox,
        "Model",
        "translator",
        (MINE, SHIPPED) if mine else (SHIPPED,),
        MINE if mine else SHIPPED,
        why=own_elsewhere("translates") or "there is no model of yours here; train one on the page Live",
        follows=True,
        label_visibility="collapsed",
        width=170,
    )
    return mine if mine and name == MINE else _ask_direction()


def _ask_direction() -> data.Trained:
    """One of the two shipped translators."""
    there = {name: ref for name, ref in DIRECTIONS.items() if ref.exists}
    if len(there) < 2:
        return data.SHIPPED
    return there[
        settings.choose(
            st.segmented_control, "Direction", "tr_direction", there, next(iter(there)), label_visibility="collapsed"
        )
    ]


def _ask_state(ref: data.Trained) -> data.Ref:
    """The model as it is now, or as it was at a step of its training."""
    return ask_step(ref, _STEP)


def _ask_words(ref: data.Trained) -> tuple[str, ...]:
    """A box to type into, with its words to tap, and examples -> what is read; notices on the rest."""
    source = ref.resolve()
    task, of_letters = source.task, source.task.reads_letters
    key, texts = key_of_text(ref), examples(ref)
    text = carried.text_box(
        "Sentence",
        key,
        texts[0],
        home=story.SENTENCE,
        shape=lambda text: _first_sentence(text)[:MAX_LETTERS],
        is_carried=reads_english(ref),
        comes_back=True,
        source=source,
        label_visibility="collapsed",
        placeholder="Type some letters and press Enter" if of_letters else "Type a sentence and press Enter",
        icon=":material/edit:",
    )
    if not of_letters:
        st.menu_button("Examples", texts, key="translation_example", on_click=_take_example, args=(key,))
    text = clean(text)
    tokens = data.tokenised(ref, text[:MAX_LETTERS])
    if len(text) > MAX_LETTERS:
        settings.notify(f"The first {MAX_LETTERS} letters are read; {len(text) - MAX_LETTERS:,} more are left out.")
    units = f"{data.unit(ref)}s"
    if tokens.left_out:
        settings.notify(f"The first {len(tokens.words)} {units} are read; {tokens.left_out:,} more are left out.")
    if of_letters and tokens.unknown:  # words show it themselves
        instead = "in its place" if len(tokens.unknown) == 1 else "in place of each"
        settings.notify(
            f"This model does not know {quoted(tokens.unknown)}. It reads “unknown” {instead} and has to guess."
        )
    elif len(tokens.words) > task.longest:
        settings.notify(
            f"It was trained on sentences of at most {task.longest} {units}, so one as long as this is new to it."
        )
    return tokens.words


def examples(ref: data.Ref) -> tuple[str, ...]:
    """Texts for this model, the one that stands in the box at first before the others."""
    own = ref.resolve().task.example_texts
    return (story.SENTENCE, *(text for text in own if text != story.SENTENCE)) if reads_english(ref) else own


def reads_english(ref: data.Ref) -> bool:
    """Whether the model reads what a visitor types on other pages: those of letters, or of French, do not."""
    return ref.resolve().task.languages[:1] == ("English",)


def _first_sentence(text: str) -> str:
    """A text up to where its first sentence ends, with the sign that ends it if that is not a full stop."""
    found = re.search(r"\w.*?(?=\.(\s|$)|(?<=[!?])\s)", text, re.DOTALL)
    return found[0] if found else text


def key_of_text(ref: data.Ref) -> str:
    """The name in links of the text that this model reads."""
    task = ref.resolve().task
    return "tr_letters" if task.reads_letters else _TEXT.get(task.name, "tr_english")


def _take_example(key: str) -> None:
    st.session_state[key] = st.session_state["translation_example"]


# ---- what is said of the model and of its translation -------------------------------------------------------------


def is_french(ref: data.Ref) -> bool:
    """Whether the model translates English to French: what is said of French holds for no other."""
    return language(ref) == "French"


def language(ref: data.Ref) -> str:
    """The language that the model writes; "" for one that writes none."""
    return "".join(ref.resolve().task.languages[1:])


def shipped_for(ref: data.Ref) -> Shipped:
    """The shipped translator of the same direction; English to French for a model of neither."""
    return data.TO_ENGLISH if language(ref) == "English" else data.SHIPPED


def link(ref: data.Ref, english: str, french: str) -> dict[str, str]:
    """The settings that give this model a sentence in the language that it reads."""
    return {"tr_french": french} if language(ref) == "English" else {"tr_english": english}


def writer(ref: data.Ref) -> str:
    """Who writes: a visitor's own model by its task and its steps, or the shipped one."""
    source, trained = ref.resolve(), ref.of if isinstance(ref, BeforeTraining | AtStep) else ref
    if isinstance(trained, Own):
        return f"Yours: {display.plain(source.task.title)}, {source.step:,} steps."
    if isinstance(ref, BeforeTraining):
        return "Written before its first training step."
    return "The model’s own translation." if ref == trained else f"Written after {source.step:,} training steps."


def verdict(ref: data.Ref, translated: data.Translated) -> str:
    """Whether the model's own translation is right, and from which word on it is not."""
    if translated.answer is None:
        return f"{writer(ref)} Its grammar has no such sentence to check it by."
    written, right = _compared(ref, translated)
    if written == right:
        return f"{writer(ref)} :material/check: **Exactly right.**"
    return f"{writer(ref)} **Not quite**, from {data.unit(ref)} {_first_difference(written, right) + 1} on."


def right_answer(ref: data.Ref, translated: data.Translated) -> str:
    """What the model should have written, where it wrote something else; else what would have been right as well."""
    if translated.answer is None:
        return ""
    written, right = _compared(ref, translated)
    if written != right:
        return f"Right: *{display.plain(translated.answer_text)}*"
    if not translated.alternatives:
        return ""
    either = "; ".join(
        f"*{display.plain(one.source)}* is " + " or ".join(f"*{word}* ({p:.2f})" for word, p in one.probabilities)
        for one in translated.alternatives
    )
    return (
        f"**Two right answers**: {either}. In brackets: the probability that the model gives each. Training showed it "
        "both, so it cannot be sure; either counts as right."
    )


def _compared(ref: data.Ref, translated: data.Translated) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the model wrote and what is right, in the spelling that all right answers share."""
    canonical = ref.resolve().task.canonical
    assert translated.answer is not None
    return canonical(translated.translation.answer), canonical(translated.answer.target)


def _first_difference(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    equal = [x == y for x, y in zip(a, b, strict=False)]
    return equal.index(False) if False in equal else len(equal)
