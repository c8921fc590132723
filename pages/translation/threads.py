"""Threads: which source words cross-attention looked at for each word that was written; in a fold, every head."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import catalogue, questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.view import View, places
from pages.translation import all_heads, data, sentence
from pages.translation.components.alignment_threads import alignment_threads
from pages.translation.sentence import Sentence

_LEARNED = {
    "French": " Nobody told it that French puts most adjectives after the noun: it learned where to **look**.",
    "English": " Nobody told it that English puts adjectives before the noun: it learned where to **look**.",
}  # by the language that it writes


class Settings(NamedTuple):
    sentence: Sentence
    heads: all_heads.Settings | None  # None while their fold is closed


class Result(NamedTuple):
    translated: data.Translated
    padded: data.Padded | None


def layout() -> Mapping[str, Any]:
    picture = st.container()
    fold = st.expander("All heads, one by one, and what padding changes", key=all_heads.OPEN, bind="query-params")
    return {"picture": picture, "heads": fold, "words": st.container()}


def ask() -> Settings:
    text, heads = sentence.current(), None
    if st.session_state.get(all_heads.OPEN):
        with settings.place_named("heads"):
            heads = all_heads.ask(text)
    return Settings(text, heads)


def compute(s: Settings) -> Result:
    padded = all_heads.compute(s.heads, s.sentence) if s.heads else None
    return Result(data.translated(*s.sentence), padded)


def show_right_answer(s: Sentence, translated: data.Translated) -> None:
    """Below the figure, what the model should have written, or could have as well; nothing where there is none."""
    answer = sentence.right_answer(s.ref, translated)
    if answer:
        st.markdown(answer)


def draw(s: Settings, result: Result) -> None:
    translated = result.translated
    with places()["picture"]:
        alignment_threads(translated.threads, key="threads", on_order=_reorder)
        st.markdown(sentence.verdict(s.sentence.ref, translated))
        show_right_answer(s.sentence, translated)
    if s.heads:
        with places()["heads"]:
            all_heads.draw(s.heads, translated, result.padded)
    with places()["words"]:
        _explain(s.sentence, translated)


def _reorder() -> None:
    """A word was put elsewhere: the model reads the sentence in this order."""
    ref, words = sentence.current()
    order = (sent("threads", "order", str) or "").split(",")
    if sorted(order) == sorted(map(str, range(len(words)))):
        joint = "" if ref.resolve().task.reads_letters else " "
        st.session_state[sentence.key_of_text(ref)] = joint.join(words[int(n)] for n in order)


def _explain(s: Sentence, translated: data.Translated) -> None:
    with display.prose():
        st.markdown(
            f"A thread is as thick as its :violet[**attention weight**]: how much {_between(s)} while it was being "
            "written. " + _dashes(s, translated)
        )
        if sentence.is_french(s.ref):
            st.markdown(
                "**⟨end⟩** stands for no word of your sentence. But its attention weights, too, must add up to 1, so "
                "they have to go somewhere: often to the word that was translated last. The thread is thick and means "
                "little."
            )
        st.markdown(
            "In cross-attention, the :blue[queries] come from the decoder's stream $X$, and the :orange[keys] and "
            ":green[values] from the memory $M$ of the encoder:"
        )
        teaching.formula(r"\q{Q} = X W_q \qquad \k{K} = M W_k \qquad \v{V} = M W_v")
        teaching.formula(
            r"\w{A} = \mathrm{softmax}\!\left(\frac{\q{Q}\,\k{K}^{\top}}{\sqrt{d_k}}\right) \qquad"
            r"\text{out} = \w{A}\,\v{V}"
        )
        teaching.code_expander("transformer/core/layers.py", "DecoderLayer.forward", icon=None)
        french = sentence.is_french(s.ref)
        questions.ask(
            "translation-threads", in_french=" That is how it can fetch a noun before its adjective." if french else ""
        )
        questions.ask("translation-taught", try_it={"translation_view": "Threads"})
        st.page_link(
            catalogue.page("masks").script, label="Who may look at whom: the masks", icon=":material/arrow_forward:"
        )


def _between(s: Sentence) -> str:
    """Who took something from whom, in the languages of the model."""
    match sentence.language(s.ref):
        case "French":
            return "a French word took from an English one"
        case "English":
            return "an English word took from a French one"
        case _:
            return "the word below took from the word above"


def _dashes(s: Sentence, translated: data.Translated) -> str:
    """What the dashed lines are, or why there are none."""
    if not translated.answer:
        return "Nobody knows the right alignment of this sentence, so there are no dashed lines."
    known = "Dashed: the word that it should come from. The model never saw these lines."
    source = s.ref.resolve()
    if not source.is_trained:
        return f"{known} Before training, the threads lead nowhere in particular."
    if source.step < source.checkpoint.step:
        return f"{known} Move on through its training and watch the threads find them."
    return known + _LEARNED.get(sentence.language(s.ref), " Nobody told it where to look: it learned that.")


VIEW = View(ask, compute, draw, layout=layout)
