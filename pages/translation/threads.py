"""Threads: which source words cross-attention looked at for each word that was written."""

import streamlit as st

from pages.shared import catalogue, teaching
from pages.shared.view import View
from pages.translation import data, sentence
from pages.translation.components.alignment_threads import alignment_threads
from pages.translation.sentence import Sentence


def draw(s: Sentence, translated: data.Translated) -> None:
    alignment_threads(translated.threads, key="threads")
    words, check = st.columns([1, 1], gap="large")
    with words:
        st.markdown(
            "A thread is as thick as the :violet[**weight**] of cross-attention: how much the word below took from the "
            "word above while it was written. Dashed: what each word is really made from, as the grammar has it; the "
            "model never saw that. Nobody told it that adjectives change places: it learned to **look** there."
            if translated.answer
            else "A thread is as thick as the :violet[**weight**] of cross-attention: how much the word below took "
            "from the word above while it was written. For this sentence nobody knows the right alignment, so there "
            "are no dashed lines."
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
        teaching.check(
            "The decoder writes the fourth word. Which words of the sentence may it look at?",
            ["The first four", "All of them", "Only the fourth"],
            1,
            "The whole sentence was read before the first word was written; nothing in it lies in the future. That is "
            "why it can fetch the noun before the adjective.",
            key="translation-threads",
        )
        st.page_link(
            catalogue.page("masks").script, label="Who may look at whom: the masks", icon=":material/arrow_forward:"
        )


VIEW = View("Threads", sentence.current, lambda s: data.translated(s.ref, s.words), draw)
