"""Threads: which source words cross-attention looked at for each word that was written."""

import streamlit as st

from pages.shared import catalogue, display, plot, teaching
from pages.shared.teaching import Answer
from pages.shared.view import View, places
from pages.translation import data, sentence
from pages.translation.components.alignment_threads import alignment_threads
from pages.translation.sentence import Sentence

MAX_LETTERS = 60  # of a translation in large letters


def show_in_large_letters(translation: str) -> None:
    """A translation in the row of the view; the picture below has all of a long one."""
    text = plot.shorten(translation, MAX_LETTERS)
    places()["row"].markdown(f"## :blue[{display.plain(text) or '(nothing)'}]", width="content")


def show_translation(s: Sentence, translated: data.Translated) -> None:
    """The translation in large letters, and beside it whether it is right."""
    show_in_large_letters(translated.text)
    with places()["row"]:
        st.markdown(sentence.verdict(s.ref, translated), width="content")


def show_right_answer(translated: data.Translated) -> None:
    """Below the figure, what the model should have written; nothing where it did."""
    answer = sentence.right_answer(translated)
    if answer:
        st.markdown(answer)


def draw(s: Sentence, translated: data.Translated) -> None:
    show_translation(s, translated)
    alignment_threads(translated.threads, key="threads")
    show_right_answer(translated)
    words, check = st.columns([1, 1], gap="large")
    with words:
        st.markdown(
            "A thread is as thick as the :violet[**attention weight**]: how much the word below took from the word "
            "above while it was written. " + _dashes(s, translated)
        )
        st.markdown(
            "In cross-attention the :blue[queries] come from the decoder's stream $X$, and :orange[keys] and "
            ":green[values] from the memory $M$ of the encoder:"
        )
        teaching.formula(r"\q{Q} = X W_q \qquad \k{K} = M W_k \qquad \v{V} = M W_v")
        teaching.formula(
            r"\w{A} = \mathrm{softmax}\!\left(\frac{\q{Q}\,\k{K}^{\top}}{\sqrt{d_k}}\right) \qquad"
            r"\text{out} = \w{A}\,\v{V}"
        )
        teaching.code_expander("transformer/layers.py", "DecoderLayer.forward", icon=None)
    with check:
        french = sentence.is_french(s.ref)
        check(
            "The decoder writes the fourth word. Which words of the sentence may it look at?",
            Answer("The first four", ""),
            Answer(
                "All of them",
                (
                    "The whole sentence was read before the first word was written; nothing in it lies in the future."
                    + (" That is why it can fetch the noun before the adjective." if french else "")
                ),
                right=True,
            ),
            Answer("Only the fourth", ""),
            key="translation-threads",
        )
        st.page_link(
            catalogue.page("masks").script, label="Who may look at whom: the masks", icon=":material/arrow_forward:"
        )


def _dashes(s: Sentence, translated: data.Translated) -> str:
    """What the dashed lines are, or why there are none."""
    if not translated.answer:
        return "For this sentence nobody knows the right alignment, so there are no dashed lines."
    known = "Dashed: what each word is really made from, as the grammar has it; the model never saw that."
    source = s.ref.resolve()
    if not source.is_trained:
        return f"{known} Before training, a thread goes nowhere in particular."
    if source.step < source.checkpoint.step:
        return f"{known} Move on in its training, step by step, and watch the threads find them."
    return known + (
        " Nobody told it that adjectives change places: it learned to **look** there."
        if sentence.is_french(s.ref)
        else " Nobody told it where to look: it learned that."
    )


VIEW = View("Threads", sentence.current, lambda s: data.translated(s.ref, s.words), draw)
