"""How a translation came about: its threads, its steps, all heads, and the beams."""

import streamlit as st

from pages.shared import catalogue, display, teaching
from pages.shared.components.attention_view import attention_view
from pages.shared.controls import choose
from pages.translation import data
from pages.translation.components.alignment_threads import threads
from pages.translation.components.beam_tree import beam_tree

# ---- threads ---------------------------------------------------------------------------------------------------


def threads_(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    threads(told.threads, key="threads")
    thread, check = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "A thread is as thick as the :violet[**weight**] of cross-attention: how much the word below took from the "
            "word above while it was written. Dashed: what each word is really made from, as the grammar has it; the "
            "model never saw that. Nobody told it that adjectives change places: it learned to **look** there."
            if told.right
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
        with st.expander("The code that ran"):
            teaching.code("transformer/layers.py", "DecoderLayer.forward")
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


# ---- step by step ----------------------------------------------------------------------------------------------


def steps(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    threads(told.steps, key="steps")
    last = told.translation.frames[-1]
    thread, check = st.columns([1, 1], gap="large")
    with thread:
        encoder = "once" if last.encoder == 1 else f"{last.encoder} times"
        st.markdown(
            f"Counted while it ran: the encoder **{encoder}**, the decoder **{last.decoder} times**. The sentence does "
            "not change while it is translated, so what the encoder made of it (the *memory*, a vector a word) is "
            "worked out once and read at every step. The decoder reads its own last word and says how likely each "
            f"of its {len(subject.task.target)} tokens is as the next; the likeliest is written."
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/translation.py", "write")
    with check:
        teaching.check(
            "A sentence of 8 words becomes 9 words and an end. How often does each half run?",
            ["Encoder once, decoder 10 times", "Both 10 times", "Encoder 8 times, decoder 10 times"],
            0,
            "All source words go through the encoder at once. The decoder runs once for every token that it writes, "
            "the end included.",
            key="translation-steps",
        )


# ---- all heads -------------------------------------------------------------------------------------------------

KINDS = {"Cross": "cross", "Encoder self": "encoder", "Decoder self": "decoder"}
_ABOUT = {
    "cross": "Rows: the word being written. Columns: the sentence. It need not be square.",
    "encoder": "Every word of the sentence looks at every other, before and after it: no cell is forced to be 0.",
    "decoder": "Rows: the word just read. It sees itself and what came before: the first row is 1, then nothing.",
}


def heads(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    say: list[str] = []
    name = choose(st.segmented_control, "Attention", "translation_kind", KINDS, "Cross", say)
    display.notice(*say)
    kind = KINDS[name]
    T, S = told.maps[kind].weights.shape[-2:]
    st.markdown(f"{_ABOUT[kind]} Here {T} × {S}.")
    attention_view(told.packed[kind], key=f"translation_{kind}", url="tr_")
    teaching.check(
        "Where do queries, keys and values of the cross-attention come from?",
        ["All three from the decoder", "Queries from the decoder, keys and values from the memory", "All from memory"],
        1,
        "The decoder asks; the sentence, as the encoder left it, answers.",
        key="translation-heads",
    )


# ---- beams -----------------------------------------------------------------------------------------------------

ALPHAS = (0.0, 0.5, 0.6, 1.0, 1.5, 2.0)


def beams(subject: data.Subject, words: tuple[str, ...], told: data.Told) -> None:
    say: list[str] = []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        width = choose(
            st.select_slider, "Beam width", "beam_width", range(1, 7), 3, say, width=220,
            help="How many translations go on at every step. 1 is greedy.",
        )  # fmt: skip
        alpha = choose(
            st.select_slider, "Length penalty α", "beam_alpha", ALPHAS, 1.0, say, width=220,
            help="What ended is ranked by score / length^α. 0 favours the short; the larger, the longer.",
        )  # fmt: skip
    display.notice(*say)
    seen = data.beams(subject, words, width, alpha)
    greedy, alone, *_ = data.beams(subject, words, 1, alpha).texts[0]
    best, together, *_ = seen.texts[0]
    beam_tree(
        seen.steps, seen.best, key="beam_tree",
        alt=f"Beam search of width {width} over {len(seen.steps)} steps; the winner is: {best}.",
    )  # fmt: skip
    table, thread = st.columns([1, 1], gap="large")
    with table:
        st.markdown(
            "| | ended | score | ÷ length^α |\n|---|---|---|---|\n"
            + "\n".join(
                f"| {n} | {display.plain(text) or '(nothing)'} | {_signed(score)} | {_signed(final)} |"
                for n, (text, score, final, _) in enumerate(seen.texts, start=1)
            )
        )
        if greedy == best:
            st.markdown(
                "**Greedy and beam agree**: always taking the likeliest next word led to the same text. On "
                "sentences like those that it knows, this model is too sure to gain from a second thought. Try "
                "“The cat is a dog”: there it is not."
            )
        else:
            why = (
                "The likeliest next word is not always the beginning of the likeliest text."
                if together > alone
                else f"As a whole that is the likelier text ({_signed(alone)} against {_signed(together)}); the winner "
                "is longer, and ranks first only divided by its length. Set α to 0 and see."
            )
            st.markdown(f"**They differ.** Greedy writes *{display.plain(greedy)}*. {why}")
    with thread:
        st.markdown(
            "At every step each text that is kept is continued with every word; of all continuations the best go on, "
            "the others are dropped. A text's score is the sum of its words' log-probabilities, so it falls with every "
            "word: without a penalty the short would win."
        )
        teaching.formula(r"\text{score} = \frac{1}{n^{\alpha}} \sum_{t=1}^{n} \log p(y_t \mid y_{<t}, \text{memory})")
        teaching.check(
            "A beam of width 1: what is it?",
            ["Greedy decoding", "Drawing at random", "An exhaustive search"],
            0,
            "One text goes on at every step, the best continuation of the one before: that is greedy.",
            key="translation-beam",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/generation/beam.py", "beam_search")


def _signed(x: float) -> str:
    return f"{0.0 if abs(x) < 5e-4 else x:.3f}".replace("-", "−")
