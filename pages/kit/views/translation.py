"""What the page of translation chooses and shows: the sentence and its translation on top, one view below."""

from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import streamlit as st

from pages.kit import lessons, show, translated
from pages.kit.components.attention_view import attention_view
from pages.kit.components.beam_tree import beam_tree
from pages.kit.components.threads import threads
from pages.kit.controls import choose
from pages.kit.figures import translation as figures
from pages.kit.jobs import Refused
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
    "The cat the house not like",
)
LETTERS = {"reverse": "a b c d e f", "sort": "d a c b e a", "copy": "a b c d e f"}
MOST_LETTERS = 400  # of a typed sentence
MODELS = ("the shipped one", "mine")
_KNOWN = (
    "\n\n".join(f"**{kind}**: {', '.join(words)}" for kind, words in french.KINDS.items())
    + "\n\nIts sentences: *somebody* (little, big or young, with a colour or a mood) *does* or *does not do* something; "
    "or *is* or *is not* something; perhaps *somewhere*."
)
_LIVE = Path(__file__).parents[2] / "training" / "live.py"


def page() -> None:
    """Everything below the page's question."""
    say: list[str] = []
    subject = _subject(say)
    words = _sentence(subject, say)
    show.notice(*say)
    if not words:
        show.notice("There is no word to translate yet. Type a sentence, or pick one of the examples.")
        return
    with show.loading(420):
        told = translated.tell(subject, words)
    _verdict(subject, told)
    say = []
    name = choose(
        st.segmented_control, "View", "translation_view", VIEWS, next(iter(VIEWS)), say, label_visibility="collapsed"
    )
    show.notice(*say)
    VIEWS[name](subject, words, told)
    _card(subject)


# ---- the sentence and its translation --------------------------------------------------------------------------


def _subject(say: list[str]) -> translated.Subject:
    """The shipped translator, or what the visitor has trained."""
    mine = False
    if translated.own() is not None or "translator" in st.query_params:
        options = MODELS if translated.own() is not None else MODELS[:1]
        why = "there is no model of yours here; train one on the page Live"
        mine = choose(st.segmented_control, "Model", "translator", options, MODELS[0], say, why=why) == MODELS[1]
    return translated.subject(mine=mine)


def _sentence(subject: translated.Subject, say: list[str]) -> tuple[str, ...]:
    """A box to type into and examples; its words, with what is to be said of them."""
    task = subject.task
    is_french = task.name == "french"
    key = "english" if is_french else "letters"
    usual = EXAMPLES[0] if is_french else LETTERS.get(task.name, "a b c")
    kept = st.session_state.get(key)
    if kept is not None and len(kept) > MOST_LETTERS:
        st.session_state[key] = clean(kept)[:MOST_LETTERS]
        say.append(f"The first {MOST_LETTERS} letters are kept; {len(kept) - MOST_LETTERS:,} more are left out.")
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
    typed = translated.typed(subject, clean(text or "")[:MOST_LETTERS])
    if typed.left_out:
        say.append(f"The first {len(typed.words)} words are read; {typed.left_out:,} more are left out.")
    if typed.unknown:
        listed = ", ".join(f"“{_short(word)}”" for word in typed.unknown)
        where = " All that it knows stands under “Words”." if is_french else ""
        say.append(f"Unknown to this model: {listed}. It reads one and the same “unknown” instead, and guesses.{where}")
    elif len(typed.words) > task.longest:
        say.append(f"It was trained on at most {task.longest} words; so long a sentence is new to it.")
    return typed.words


def _take_example() -> None:
    st.session_state["english"] = st.session_state["translation_example"]


def _short(word: str) -> str:
    return word if len(word) <= 24 else word[:23] + "…"


def _verdict(subject: translated.Subject, told: translated.Told) -> None:
    """The translation in large letters, and beside it what it should have been."""
    left, right = st.columns([7, 5], gap="large", vertical_alignment="center")
    with left:
        st.markdown(f"## :blue[{show.plain(told.text) or '(nothing)'}]")
    with right:
        st.markdown(_judged(told))


def _judged(told: translated.Told) -> str:
    """Whether the model's own translation is the right one, and which word is not."""
    if told.right is None:
        return (
            "Outside of the grammar that it learned from: it translates all the same, but there is no right answer to "
            "compare with."
        )
    if told.translation.answer == told.right.target:
        return "Written by the model itself, word by word. :material/check: **Exactly right.**"
    n = _first_difference(told.translation.answer, told.right.target)
    return f"**Not quite**, from word {n + 1} on. Right would be: *{show.plain(told.right_text)}*"


def _first_difference(given: tuple[int, ...], wanted: tuple[int, ...]) -> int:
    same = [a == b for a, b in zip(given, wanted, strict=False)]
    return same.index(False) if False in same else len(same)


# ---- threads ---------------------------------------------------------------------------------------------------


def _threads(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
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
        lessons.formula(
            r"\w{A} = \mathrm{softmax}\!\left(\frac{\q{Q}\,\k{K}^{\top}}{\sqrt{d_k}}\right) \qquad"
            r"\q{Q} = x_{\text{decoder}} W_q \quad \k{K} = \text{memory}\; W_k \quad \v{V} = \text{memory}\; W_v"
        )
        with st.expander("The code that ran"):
            lessons.code("transformer/layers.py", "DecoderLayer.forward")
    with check:
        lessons.check(
            "The decoder writes the fourth word. Which words of the sentence may it look at?",
            ["The first four", "All of them", "Only the fourth"],
            1,
            "The whole sentence was read before the first word was written; nothing in it lies in the future. That is "
            "why it can fetch the noun before the adjective.",
            key="translation-threads",
        )
        st.page_link(show.MASKS, label="Who may look at whom: the masks", icon=":material/arrow_forward:")


# ---- step by step ----------------------------------------------------------------------------------------------


def _steps(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
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
            lessons.code("transformer/inspection/translation.py", "write")
    with check:
        lessons.check(
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


def _heads(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
    say: list[str] = []
    name = choose(st.segmented_control, "Attention", "translation_kind", KINDS, "Cross", say)
    show.notice(*say)
    kind = KINDS[name]
    T, S = told.maps[kind].weights.shape[-2:]
    st.markdown(f"{_ABOUT[kind]} Here {T} × {S}.")
    attention_view(told.packed[kind], key=f"translation_{kind}", url="tr_")
    lessons.check(
        "Where do queries, keys and values of the cross-attention come from?",
        ["All three from the decoder", "Queries from the decoder, keys and values from the memory", "All from memory"],
        1,
        "The decoder asks; the sentence, as the encoder left it, answers.",
        key="translation-heads",
    )


# ---- beams -----------------------------------------------------------------------------------------------------

ALPHAS = (0.0, 0.5, 0.6, 1.0, 1.5, 2.0)


def _beams(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
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
    show.notice(*say)
    seen = translated.beams(subject, words, width, alpha)
    greedy, _, _, _ = translated.beams(subject, words, 1, alpha).texts[0]
    best = seen.texts[0][0]
    beam_tree(
        seen.steps, seen.best, key="beam_tree",
        alt=f"Beam search of width {width} over {len(seen.steps)} steps; the winner is: {best}.",
    )  # fmt: skip
    table, thread = st.columns([1, 1], gap="large")
    with table:
        st.markdown(
            "| | ended | score | ÷ length^α |\n|---|---|---|---|\n"
            + "\n".join(
                f"| {n} | {show.plain(text) or '(nothing)'} | {_signed(score)} | {_signed(final)} |"
                for n, (text, score, final, _) in enumerate(seen.texts, start=1)
            )
        )
        if greedy == best:
            st.markdown(
                "**Greedy and beam agree**: always taking the likeliest next word led to the same text. On "
                "sentences like those that it knows, this model is too sure to gain from a second thought; try "
                "an example that it cannot know."
            )
        else:
            st.markdown(
                f"**They differ.** Greedy writes *{show.plain(greedy)}*. The likeliest next word is not always the "
                "beginning of the likeliest text."
            )
    with thread:
        st.markdown(
            "At every step each text that is kept is continued with every word; of all continuations the best go on, "
            "the others are dropped. A text's score is the sum of its words' log-probabilities, so it falls with every "
            "word: without a penalty the short would win."
        )
        lessons.formula(r"\text{score} = \frac{1}{n^{\alpha}} \sum_{t=1}^{n} \log p(y_t \mid y_{<t}, \text{memory})")
        lessons.check(
            "A beam of width 1: what is it?",
            ["Greedy decoding", "Drawing at random", "An exhaustive search"],
            0,
            "One text goes on at every step, the best continuation of the one before: that is greedy.",
            key="translation-beam",
        )
        with st.expander("The code that ran"):
            lessons.code("transformer/generation/beam.py", "beam_search")


def _signed(x: float) -> str:
    return f"{0.0 if abs(x) < 5e-4 else x:.3f}".replace("-", "−")


# ---- change a word ---------------------------------------------------------------------------------------------


def _edit(subject: translated.Subject, words: tuple[str, ...], say: list[str]) -> tuple[tuple[str, ...], int]:
    """The sentence with one word exchanged, and which one: chosen by two widgets, both in the link."""
    place = _first_noun(words)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        number = choose(
            st.select_slider, "Change word", "edit_place", range(1, len(words) + 1), place + 1, say, follows=True,
            width=220, why=f"the sentence has {len(words)} words, so there is no word {{}}",
        )  # fmt: skip
        old = words[number - 1]
        others = _others(subject, old)
        new = choose(
            st.selectbox, "into", "edit_word", others, _other_gender(old, others), say, follows=True, width=220,
            why="that is not a word of this kind",
        )  # fmt: skip
    return (*words[: number - 1], new, *words[number:]), number - 1


def _first_noun(words: tuple[str, ...]) -> int:
    nouns = [n for n, word in enumerate(words) if word in french.KINDS["nouns"]]
    return nouns[0] if nouns else len(words) // 2


def _others(subject: translated.Subject, old: str) -> tuple[str, ...]:
    """Words that can stand in its place: of the same kind, or any letter."""
    if subject.task.name != "french":
        known = tuple(token for token in "abcdefghijklmnopqrstuvwxyz" if token in subject.task.source.vocabulary)
    else:
        kinds = [kind for kind in french.KINDS.values() if old in kind]
        known = kinds[0] if kinds else french.KINDS["nouns"]
    return tuple(word for word in known if word != old) or (old,)


def _other_gender(old: str, others: tuple[str, ...]) -> str:
    """A noun of the other gender, where there is one: it changes the words around it."""
    for noun in french.NOUNS:
        if old in (noun.one, noun.many):
            name = "house" if noun.gender == "m" else "garden"
            return name if old == noun.one else f"{name}s"
    return others[0]


def _change(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
    say: list[str] = []
    edited, place = _edit(subject, words, say)
    layer, head, name = _head(subject, say)
    show.notice(*say)
    after = translated.tell(subject, edited)
    pairs = _matched(told.words, after.words)
    kept = {b for a, b in pairs if told.words[a] == after.words[b]}
    gone = {a for a, b in pairs if told.words[a] == after.words[b]}
    for side, english, seen, same in (("A", words, told, gone), ("B", edited, after, kept)):
        others = set(range(len(seen.words))) - same
        st.markdown(f"**{side}** {_marked(english, {place}, 'orange')} → {_marked(seen.words[:-1], others, 'blue')}")
    a, b = (_weights(seen.maps["cross"].weights, layer, head) for seen in (told, after))
    gap = np.full(b.shape, np.nan)
    for i, j in pairs:
        gap[j] = b[j] - a[i]
    largest = float(max(a.max(), b.max()))
    left, middle, right = st.columns(3, gap="medium")
    for column, title, seen, english, map_ in ((left, "A", told, words, a), (middle, "B", after, edited, b)):
        with column:
            st.markdown(f"##### {title}: {name}")
            show.figure(
                figures.cross(seen.words, english, map_, largest), key=f"edit_{title}",
                alt=f"Cross-attention of {title}, {name}: {len(seen.words)} by {len(english)}, up to {map_.max():.2f}.",
            )  # fmt: skip
    moved = float(np.nanmax(np.abs(gap), initial=0.0))
    with right:
        st.markdown("##### B − A, cell by cell")
        show.figure(
            figures.change(after.words, edited, gap), key="edit_gap",
            alt=f"What changed from A to B: at most {moved:.3f} in a cell.",
        )  # fmt: skip
    n_words, n_rows = len(after.words) - len(kept), int((np.nan_to_num(np.abs(gap), nan=1.0).max(-1) > 0.05).sum())
    st.markdown(
        f"One English word changed. Of {len(after.words)} tokens written, :blue[**{n_words}**] are others now, and "
        f"**{n_rows}** look elsewhere by more than .05 in some cell; the largest change of a weight is "
        f":violet[**{moved:.2f}**]."
        + (" A word that stands in one of the two only is left blank." if len(pairs) < len(after.words) else "")
        if edited != words
        else "Nothing was changed."
    )
    lessons.check(
        "“little” is one English word, “petit” and “petite” are two. How does the model know which to write?",
        ["It looks at the noun as well", "It guesses", "It knows “little cat” by heart as one word"],
        0,
        "What it looks at is not the bare word “little” but its vector in the memory, into which the encoder has mixed "
        "the noun; and it may look at the noun too. See “In context”.",
        key="translation-change",
    )


def _head(subject: translated.Subject, say: list[str]) -> tuple[int, int | None, str]:
    """The layer and head of the maps: the mean over a layer's heads at first."""
    config = subject.checkpoint.config
    L = config.n_decoder_layers
    layer = L - 1
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if L > 1:
            layer = choose(st.select_slider, "Layer", "edit_layer", range(L), L - 1, say, width=140, follows=True)
        heads = ("mean", *map(str, range(config.n_heads)))
        head = choose(st.select_slider, "Head", "edit_head", heads, "mean", say, width=200)
    return (
        layer,
        None if head == "mean" else int(head),
        f"layer {layer}, {'mean' if head == 'mean' else f'head {head}'}",
    )


def _weights(weights: np.ndarray, layer: int, head: int | None) -> np.ndarray:
    return weights[layer].mean(0) if head is None else weights[layer, head]


def _matched(a: tuple[str, ...], b: tuple[str, ...]) -> list[tuple[int, int]]:
    """Which words of two translations stand for each other: equal ones, and runs of one length between them."""
    pairs = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            pairs += zip(range(i1, i2), range(j1, j2), strict=True)
    return pairs


def _marked(words: tuple[str, ...], changed: set[int], colour: str) -> str:
    return " ".join(
        f":{colour}-background[{show.plain(_short(word))}]" if n in changed else show.plain(_short(word))
        for n, word in enumerate(words)
    )


# ---- in context ------------------------------------------------------------------------------------------------


def _context(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
    say: list[str] = []
    edited, place = _edit(subject, words, say)
    same = [n for n in range(len(words)) if n != place]
    if edited == words or not same:
        show.notice(*say, "There is no word that stands in both sentences. Type a longer sentence.")
        return
    heights, cosines = translated.likeness(subject, words, edited)
    farthest = min((n for n in same if abs(n - place) <= 3), key=lambda n: cosines[-1, n], default=same[0])
    number = choose(
        st.select_slider, "Follow the word", "follow", [n + 1 for n in same], farthest + 1, say, follows=True,
        width=320, why="that word is not in both sentences",
    )  # fmt: skip
    show.notice(*say)
    word = number - 1
    chart, thread = st.columns([7, 5], gap="large")
    line = cosines[:, word]
    with chart:
        st.markdown(
            f"**A** &ensp; {_marked(words, {place}, 'orange')}\n\n**B** &ensp; {_marked(edited, {place}, 'orange')}"
        )
        show.figure(
            figures.likeness(heights, tuple(words[n] for n in same), cosines[:, same], same.index(word)),
            key="context",
            alt=f"How alike the vectors of “{words[word]}” are in both sentences: "
            + ", ".join(f"{height} {value:.3f}" for height, value in zip(heights, line, strict=True)),
        )
    with thread:
        start = "**exactly equal**" if line[1] == 1 else f"alike by {line[1]:.3f}"
        st.markdown(
            f"**{show.plain(_short(words[word]))}** stands at the same place in both sentences. Before the first "
            f"layer its two vectors are {start}: the same row of the table, the same position. Then it hears of "
            f"its neighbours, and in the memory their cosine is :violet[**{line[-1]:.2f}**]. That is a *contextual* "
            "embedding: no longer the word alone, but the word in this sentence."
        )
        st.markdown(f"A: *{show.plain(told.text)}*  \nB: *{show.plain(translated.tell(subject, edited).text)}*")
        lessons.formula(r"\cos = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}")
        lessons.check(
            "Why does the encoder bother, if the decoder can look at the noun itself?",
            [
                "So that one look at the adjective is enough to write it in the right form",
                "The decoder cannot look at two words",
                "It does not: the vectors stay equal",
            ],
            0,
            "The memory's vector of the adjective already says “before a feminine noun”. Silence the encoder's heads "
            "under “Pull a plug” and see how much is lost.",
            key="translation-context",
        )
        with st.expander("The code that ran"):
            lessons.code("transformer/inspection/translation.py", "heights")


# ---- plugs -----------------------------------------------------------------------------------------------------

PLUGS = {
    "none": None, "memory": "memory", "where to look": "focus", "positions": "positions", "one head": "head",
    "the mask in training": "mask",
}  # fmt: skip
_PULLED = {
    None: "All plugs are in: this is the model as it was trained, bit for bit.",
    "memory": "The decoder reads zeros where the encoder's memory should be. It still puts French words in a row, for "
    "it knows how they follow each other. But it has not read your sentence: it writes this **whatever you type**.",
    "focus": "Every word of the sentence is looked at alike, so what comes in is an average of all: which words there "
    "are can be guessed from it, but not which one is meant now.",
    "positions": "Nobody is told where a word stands. For the encoder the sentence is a bag of words; the decoder has "
    "its mask, but loses count of what it has written.",
    "head": "One head says nothing any more; everything after it runs as before. Some heads carry the translation, "
    "others can be spared.",
}
SIDES = {"cross-attention": "cross", "encoder self": "encoder", "decoder self": "decoder"}


def _plugs(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
    say: list[str] = []
    name = choose(
        st.segmented_control, "Pull", "translation_plug", PLUGS, "memory", say,
        help="What is taken out of the trained model while it runs. Nothing is trained again, but for the mask.",
    )  # fmt: skip
    plug = PLUGS[name]
    if plug == "mask":
        show.notice(*say)
        _maskless(words)
        return
    config = subject.checkpoint.config
    head = None
    if plug == "head":
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            side = SIDES[choose(st.segmented_control, "of", "plug_side", SIDES, "decoder self", say)]
            L = config.n_encoder_layers if side == "encoder" else config.n_decoder_layers
            why = "this model has no layer {}"
            layer = (
                choose(st.select_slider, "Layer", "plug_layer", range(L), 0, say, why=why, width=140) if L > 1 else 0
            )
            H = config.n_heads
            number = choose(st.select_slider, "Head", "plug_head", range(H), 1, say, width=160) if H > 1 else 0
        head = (side, layer, number)
    show.notice(*say)
    with show.loading(300):
        becomes = translated.pulled(subject, words, plug, head)
        usual, share = translated.share(subject, None), translated.share(subject, plug, head)
    figure, thread = st.columns([7, 5], gap="large")
    with figure:
        st.markdown(f"With all plugs in: :blue[{show.plain(told.text) or '(nothing)'}]")
        st.markdown(f"##### Without: :blue[{show.plain(becomes) or '(nothing)'}]")
        st.caption(f"Measured on {translated.TESTS} sentences that it was not trained on, written by itself:")
        if plug == "head":
            _every_head(subject, head, usual)
        names = [said for said, which in PLUGS.items() if which in (None, "memory", "focus", "positions")]
        values = [translated.share(subject, PLUGS[said]) for said in names]
        if plug == "head":
            names, values = [names[0], "this head"], [values[0], share]
        chosen = names.index(name) if name in names else 1
        show.figure(
            figures.shares(tuple(names), tuple(values), chosen), key="plug_shares",
            alt="Exactly right: " + ", ".join(f"{n} {v:.0%}" for n, v in zip(names, values, strict=True)),
        )  # fmt: skip
    with thread:
        st.markdown(_PULLED[plug])
        if plug is None:
            same = becomes == told.text
            st.markdown(
                "The translation is the same, letter for letter." if same else "**It differs**, which is a bug."
            )
        lessons.check(
            "Without the memory, words still follow each other almost as in French. What does that show?",
            ["The decoder alone is a language model", "The memory is not needed", "It learned the sentence by heart"],
            0,
            "It learned how French goes on from French. What to say, it can only hear from the encoder.",
            key="translation-plugs",
        )
        with st.expander("The code that ran"):
            lessons.code("transformer/inspection/translation.py", "pull")


def _every_head(subject: translated.Subject, head: tuple[str, int, int], usual: float) -> None:
    """The share left without each head of one side; measured once, with a bar while it lasts."""
    side, layer, number = head
    config = subject.checkpoint.config
    L = config.n_encoder_layers if side == "encoder" else config.n_decoder_layers
    bar = st.progress(0.0, "Silencing one head after the other")
    values = np.zeros((L, config.n_heads))
    for n, (i, h) in enumerate(np.ndindex(values.shape), start=1):
        values[i, h] = translated.share(subject, "head", (side, i, h))
        bar.progress(n / values.size, "Silencing one head after the other")
    bar.empty()
    show.figure(
        figures.silenced(values, usual, chosen=(layer, number)), key="plug_heads",
        alt=f"Exactly right without each head: from {values.min():.0%} to {values.max():.0%}; with all, {usual:.0%}.",
    )  # fmt: skip


def _maskless(words: tuple[str, ...]) -> None:
    """Train one that may look ahead, on the spot: right when it is told the answer, lost when it is not."""
    job = translated.maskless()
    left, right = st.columns([7, 5], gap="large")
    with right:
        st.markdown(
            "While it learns, the decoder is given the right translation and asked, at every place, for the next word. "
            "Without the causal mask it can simply **look at that word**. It learns to copy it, and nothing else. "
            "When it has to write by itself there is nothing to copy."
        )
        st.caption(
            f"This trains a translator of the same size for {translated.MASKLESS_STEPS} steps, some 10 seconds. It is "
            "yours alone and ends with your visit."
        )
        lessons.check(
            "In training it predicts 99% of all words. Is it a good translator?",
            ["Yes", "Not if it was shown the answers"],
            1,
            "Whether a model is good shows only where it works as it will be used: writing on top of its own words.",
            key="translation-mask",
        )
    with left:
        if job is None or job.state in ("stopped", "failed"):
            if job is not None and job.error:
                show.notice(job.error)
            if st.button("Train one that may look ahead", type="primary", key="maskless"):
                try:
                    translated.train_maskless()
                    st.rerun()
                except Refused as refusal:
                    show.notice(str(refusal))
        elif job.state == "done":
            _blind(job, words)
        else:
            _watch_maskless()


@st.fragment(run_every="0.5s")
def _watch_maskless() -> None:
    job = translated.maskless()
    if job is None or not job.is_alive:
        st.rerun()
    place = job.queue.place(job)
    if place:
        said = f"Waiting: number {place} in the queue, about {job.queue.wait_left(job):.0f} s"
    else:
        accuracy = job.snapshots[-1].accuracy if job.snapshots else 0.0
        said = f"Step {job.step} of {job.steps}: {accuracy:.0%} of all words right when it is shown the answer"
    st.progress(job.step / job.steps, said)
    if st.button("Stop", key="maskless_stop"):
        job.stop()


def _blind(job, words: tuple[str, ...]) -> None:
    seen = translated.blind(job, words)
    one, other = st.columns(2)
    one.metric("words right, shown the answer", f"{seen.told:.0%}")
    other.metric("sentences right, writing by itself", f"{seen.alone:.0%}")
    st.markdown(f"Your sentence becomes: :blue[**{show.plain(seen.text) or '(nothing: it ends at once)'}**]")


# ---- padding ---------------------------------------------------------------------------------------------------


def _padding(subject: translated.Subject, words: tuple[str, ...], told: translated.Told) -> None:
    say: list[str] = []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        n_pads = choose(
            st.select_slider, "The other sentence is longer by", "translation_pads", range(1, 9), 3, say, width=260
        )
        on = choose(st.segmented_control, "Padding mask", "translation_mask", ("on", "off"), "on", say) == "on"
    show.notice(*say)
    seen = translated.padded(subject, words, n_pads, masked=on)
    attention_view(seen.packed, key="translation_padded", url="tr_")
    same = "the same translation as alone" if seen.text == told.text else f"now: *{show.plain(seen.text)}*"
    thread, check = st.columns([1, 1], gap="large")
    with thread:
        largest = "exactly **0**" if seen.on_pads == 0 else f"**{seen.on_pads:.2f}**"
        st.markdown(
            f"In a batch all sentences are as long as the longest; the rest is filled with ⟨pad⟩. The largest weight on"
            f" a pad, of any word in any head, is {largest}. Result: {same}. Of {translated.TESTS} held-out sentences "
            f"with padding behind them, **{seen.share:.0%}** are exactly right."
        )
        with st.expander("The code that ran"):
            lessons.code("transformer/masks.py", "padding_of")
            lessons.code("transformer/inspection/translation.py", "pad")
    with check:
        lessons.check(
            "Which attentions need the padding mask of the source?",
            ["The encoder's own only", "The encoder's own and the cross-attention", "The decoder's own"],
            1,
            "Both look at the source. The decoder's own attention looks at the translation, which has padding of its "
            "own behind it, where nobody looks anyway.",
            key="translation-padding",
        )


VIEWS = {
    "Threads": _threads,
    "Step by step": _steps,
    "All heads": _heads,
    "Beam search": _beams,
    "Change a word": _change,
    "In context": _context,
    "Pull a plug": _plugs,
    "Padding": _padding,
}


# ---- the model's card ------------------------------------------------------------------------------------------


def _card(subject: translated.Subject) -> None:
    """What this model is: how it was measured, its tables, and its film."""
    checkpoint, tables = subject.checkpoint, translated.tables(subject)
    config = checkpoint.config
    with st.expander(f"The model: {tables.all:,} parameters, {_measured(checkpoint.card)}"):
        one, other = st.columns([1, 1], gap="large")
        with one:
            rows = {
                "layers": f"{config.n_encoder_layers} encoder, {config.n_decoder_layers} decoder",
                "heads, d_model": f"{config.n_heads}, {config.d_model}",
                **checkpoint.card,
            }
            st.markdown(
                "| | |\n|---|---|\n" + "\n".join(f"| {show.plain(str(k))} | {_figure(v)} |" for k, v in rows.items())
            )
        with other:
            if tables.shared:
                st.markdown(
                    f"Source and target share **one table** of {tables.source} rows of {tables.width} numbers, "
                    f"{tables.embeddings:,} parameters."
                )
            else:
                st.markdown(
                    f"Each side has a table of its own: **{tables.source}** source tokens and **{tables.target}** "
                    f"target tokens, {tables.width} numbers each. That is {tables.embeddings:,} of {tables.all:,} "
                    "parameters. “orange” the fruit is one row here and another row there; nothing ties them but "
                    "training."
                )
            if _LIVE.exists():
                st.page_link(_LIVE, label="Watch it being trained", icon=":material/arrow_forward:")


def _measured(card: dict) -> str:
    right = card.get("exactly right, written by itself")
    if isinstance(right, float):
        return f"{right:.1%} of held-out sentences exactly right"
    accuracy = card.get("accuracy, token by token")
    return f"{accuracy:.1%} of words right" if isinstance(accuracy, float) else "not measured yet"


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else show.plain(str(value))
