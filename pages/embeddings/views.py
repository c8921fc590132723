"""The parts of the page on embeddings: one is on screen at a time, and only that one is computed."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.embeddings import data, show
from pages.embeddings import figures as figures
from pages.embeddings.components.embedding_lookup import Picked
from pages.embeddings.components.token_strip import Strip
from pages.shared import compare, controls, display, readers, settings, teaching
from pages.shared.compare_figures import Curves, Sheet
from pages.shared.controls import MAX_LETTERS, MAX_TOKENS, WIDTHS, choose
from transformer.config import TransformerConfig
from transformer.training.text import GLUE, UNKNOWN, clean

MOST_LETTERS = 1000  # of the sentence; as characters, that many chips
MOST_ALIKE = 48  # rows of the similarity matrix
N_NEAREST = 5
TRAINED = "Similarity"  # the part that shows a trained table at first
WORDS = ("by kind", "of the sentence")
SWEEP = (8, 16, 32, 64, 128, 256, 512)
MERGES = (0, 20, 50, 100, 150, 200, 300, 500, 1000)
TOKENISERS: dict[str, data.TokeniserKind] = {"characters": "character", "words": "word", "byte pairs": "pairs"}
TEXT = "transformer/training/text.py"

LEARN_FROM = (
    "The king sat at the table. The queen sat at the table too. The king was tired and the queen was tired, because "
    "the day was long. The king loved the queen, and the queen loved the king.\n"
    "An animal crossed the street to the river. The animal was too tired to cross the street again. The cat never "
    "saw the animal, because it sat on the mat.\n"
    "The river was low. The lower street was lower than the river, and the lowest house stood in the lowest street. "
    "The newest house was wider than the widest street."
)


@dataclass(frozen=True)
class Tokens:
    """A text, cut by a tokeniser that was learned from another text, or by that of a trained model, if `reader`."""

    text: str
    ids: tuple[int, ...]
    labels: tuple[str, ...]  # of every id of the vocabulary
    kind: data.TokeniserKind
    learned_from: str
    n_merges: int
    reader: readers.Reader | None = None

    @property
    def vocab_size(self) -> int:
        return len(self.labels)

    @property
    def distinct(self) -> tuple[int, ...]:
        """The different ids, in the order in which the text has them."""
        return tuple(dict.fromkeys(self.ids))


def read(part: str, say: list[str]) -> controls.Read:
    """The sentence; where a trained table says more than a random one, also whose table it is."""
    if part == TRAINED:
        found = controls.read(say, readers.STORIES)
    else:
        found = controls.Read(readers.RANDOM, None, controls.sentence())
    if found.reader:
        controls.reader_row(found.reader)
    else:
        say.extend(found.sentence.notices)
    return found


def _known(reader: readers.Reader, typed: controls.Sentence, say: list[str]) -> Tokens:
    """Words of a trained model: all of which somebody has sorted by kind, or those of the sentence."""
    options = WORDS if reader.kinds else WORDS[1:]
    which = choose(st.segmented_control, "Words", "emb_words", options, options[0], say)
    if which == WORDS[0]:
        ids = tuple(id for kind in _kinds(reader) for id in kind)
    else:
        ids = tuple(reader.ids(typed.tokens[1:]))  # without <bos>
        say.extend(typed.notices)
    return Tokens("", ids, reader.labels, "word", "", 0, reader)


def _kinds(reader: readers.Reader) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(reader.ids(words)) for words in reader.kinds.values())


def cut(part: str, typed: controls.Read, say: list[str]) -> tuple[Tokens, int, readers.Seed]:
    """How to cut what the sentence box holds, from what that is learned, and the table: tokens, d_model, seed."""
    if part == TRAINED:
        found = controls.read_again(typed, say, readers.STORIES)
        if found.reader:
            return _known(found.reader, found.sentence, say), found.reader.config.d_model, found.reader.key
    kind = TOKENISERS[
        choose(
            st.segmented_control,
            "Tokens are",
            "emb_tokeniser",
            TOKENISERS,
            "byte pairs",
            say,
            help="How a text is cut. Every way has its own vocabulary, learned from another text.",
        )
    ]
    inside = part == "Tokens"
    n_merges, d_model, drawn = 0, 64, 0
    if inside and kind == "pairs":
        n_merges = _merges(say)
    if not inside:
        d_model = choose(
            st.select_slider, "d_model", "d_model", WIDTHS, 64, say, width=150,
            help="How many numbers stand for one token.",
        )  # fmt: skip
    label, icon = ("Learned from", ":material/menu_book:") if inside else ("More", ":material/tune:")
    with settings.place(st.popover, label, icon=icon, key="emb_book"):
        if not inside:
            drawn = choose(
                st.select_slider, "Seed", "seed", range(100), 0, say, help="Another seed draws another random table."
            )
        if not inside and kind == "pairs":
            n_merges = _merges(say)
        learned_from = _learn_from(inside)
    learned_from = _clean(learned_from or "")
    if len(learned_from) > MAX_LETTERS:
        say.append(f"It is learned from the first {MAX_LETTERS:,} letters of the text; the others are left out.")
        learned_from = learned_from[:MAX_LETTERS]
    text = _clean(_text())
    if len(text) > MOST_LETTERS:
        say.append(
            f"The first {MOST_LETTERS:,} letters are cut into tokens; {len(text) - MOST_LETTERS:,} are left out."
        )
        text = text[:MOST_LETTERS]
    tokeniser = data.tokeniser(kind, learned_from, n_merges)
    ids = tuple(tokeniser.encode(text))
    labels = tuple(tokeniser.label(id) for id in range(len(tokeniser)))
    return Tokens(text, ids, labels, kind, learned_from, n_merges), d_model, drawn


def _learn_from(inside: bool) -> str:
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text("emb_learn", "text to learn from", LEARN_FROM, str)
    _mend("emb_learn")
    typed = st.text_area(
        "The vocabulary is learned from this text",
        LEARN_FROM,
        key="emb_learn",
        bind="query-params",
        height=280 if inside else 180,
        width=520,
        help="Change it and press Ctrl + Enter: every part of the page follows.",
    )
    settings.note("emb_learn", "text to learn from", typed or "", LEARN_FROM, long=True)
    return typed


def _text() -> str:
    """What the sentence box holds, or what is pinned."""
    usual = controls.EXAMPLES[0]
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text("text", "sentence", usual, lambda text: text[:MAX_LETTERS])
    text = st.session_state.get("text") or ""
    settings.note("text", "sentence", text, usual, long=True)
    return text


def shuffled(say: list[str]) -> bool:
    """Whether the ids are to be dealt anew."""
    names = choose(
        st.segmented_control,
        "The ids",
        "emb_ids",
        ("as learned", "shuffled"),
        "as learned",
        say,
        help="Shuffled: every token gets another id, and its row of the table moves along.",
    )
    return names == "shuffled"


def _merges(say: list[str]) -> int:
    return choose(
        st.select_slider,
        "Merges to learn",
        "emb_merges",
        MERGES,
        100,
        say,
        width=230,
        help="Every merge adds one token to the vocabulary. Learning ends early where no pair is left that stands in "
        "the text twice.",
    )


def asked(part: str, typed: controls.Read, say: list[str]) -> compare.Bench:
    """The settings that all parts share."""
    return compare.ask(lambda say: cut(part, typed, say), say)


def token_view(tokens: Tokens) -> None:
    """The chips, the merges, and the three ways to cut side by side."""
    tokeniser = data.tokeniser(tokens.kind, tokens.learned_from, tokens.n_merges)
    first, merges, joins, raw = tokens.ids, (), (), ()
    if tokens.kind == "pairs":
        first = tokeniser.first(0).encode(tokens.text)
        merges, joins = tokeniser.merges, tokeniser.joins(tokens.text)
        raw = tuple(id for id in range(tokens.vocab_size) if _is_raw(tokeniser.bytes(id)))
    used = {*first, *tokens.ids, *(id for merge in merges for id in merge[:3])}
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        show.tokens(
            Strip(
                first,
                {id: tokens.labels[id] for id in used},
                UNKNOWN,
                sorted(used.intersection(raw)),
                GLUE if tokens.kind == "word" else "",
                merges,
                joins,
            )
        )
    with words:
        st.markdown("#### Three ways to cut it")
        st.markdown(_comparison(tokens))
        st.markdown(
            {
                "character": "Few ids, but a long sequence; and a single letter says little.",
                "word": "A short sequence, but every word needs an id of its own. A word that was never met is "
                "`<unk>`, and what it said is lost.",
                "pairs": "Begin with bytes, the 256 signs that any text is stored in; join the two neighbours that "
                "stand side by side most often (a **merge**); repeat. "
                "Frequent words become one token, rare ones stay in pieces, and **nothing is ever unknown**.",
            }[tokens.kind]
        )
        st.caption("Tokens of this text, ids in the whole vocabulary, and tokens of this text that have no id.")
        if len(merges) < tokens.n_merges:
            st.caption(f"After {len(merges)} merges no pair is left that stands in the learning text twice.")
        teaching.check(
            "A word appears that was never in the learning text. What do byte pairs do with it?",
            ["They give it a new id", "They cut it into known pieces", "They call it unknown"],
            1,
            "Every text is bytes, and all 256 bytes have an id from the start. Type a word of your own and look.",
            key="emb-unknown",
        )
    name = {
        "character": "CharacterTokeniser.encode",
        "word": "WordTokeniser.cut",
        "pairs": "BytePairTokeniser.learn",
    }[tokens.kind]
    _code(TEXT, name)


def _comparison(tokens: Tokens) -> str:
    """A table in Markdown; all that is in it are numbers and our own words."""
    lines = ["| | tokens | ids | unknown |", "|---|--:|--:|--:|"]
    for name, kind in TOKENISERS.items():
        tokeniser = data.tokeniser(kind, tokens.learned_from, tokens.n_merges)
        ids = tokeniser.encode(tokens.text)
        row = [name, f"{len(ids):,}", f"{len(tokeniser):,}", f"{ids.count(UNKNOWN):,}"]
        lines.append("| " + " | ".join(f"**{cell}**" if kind == tokens.kind else cell for cell in row) + " |")
    return "\n".join(lines)


def _first(tokens: Tokens) -> tuple[int, ...]:
    """As many ids as are used where every one of them costs; what is left out is said."""
    if len(tokens.ids) > MAX_TOKENS:
        left_out = len(tokens.ids) - MAX_TOKENS
        display.notice(f"The first {MAX_TOKENS} tokens are used here; {left_out:,} more are left out.")
    return tokens.ids[:MAX_TOKENS]


def lookup_view(bench: compare.Bench, shuffled: bool) -> None:
    """One-hot row times table, and that ids are only names."""
    tokens, d_model, drawn = bench.now
    V = tokens.vocab_size
    ids = _first(tokens)
    picture, words = st.columns([7, 3], gap="large")
    seen = data.looked_up(V, d_model, drawn, ids)
    dealt = data.renamed(V, d_model, drawn, ids)
    with picture:
        if shuffled:
            labels = [""] * V
            for old, new in enumerate(dealt.new.tolist()):
                labels[new] = tokens.labels[old]
            show.lookup(Picked([int(dealt.new[id]) for id in ids], labels, dealt.table))
        else:
            show.lookup(Picked(ids, tokens.labels, seen.table))
    with words:
        teaching.formula(r"E = X\, W_e")
        st.markdown(
            f"Every row of X is **one-hot**: a 1 in the token's column, 0 everywhere else. So the product is one row "
            f"of W_e, unchanged. {'Checked on all' if seen.exact else '**Not the same** on all'} "
            f"{len(ids):,} × {d_model} numbers: the product and the picked rows "
            f"{'are equal, bit for bit' if seen.exact else 'differ'}."
        )
        st.markdown(
            "**An id is only a name.** Shuffle all ids and move the rows along: the answers of a small model to this "
            f"text (its *logits*, a score for every token that may come next, up to {dealt.largest:.1f}) change by at "
            f"most **{_tiny(dealt.change)}**. A row is all a model knows of a token; this table is random, so it knows "
            "nothing yet."
        )
        st.caption(
            f"Two names that are often mixed up: W_e, {V:,} × {d_model}, is the embedding matrix, one row for every "
            f"token of the vocabulary. E = X W_e, {len(ids):,} × {d_model}, is the text, one row for every token in it."
        )
        teaching.check(
            "The same token stands in the text twice. What about its two rows of E?",
            ["They are equal", "They depend on the neighbours", "They depend on the place"],
            0,
            "Both pick the same row of W_e. Places and neighbours come in later: by positions and by attention.",
            key="emb-twice",
        )
    _code("transformer/embeddings.py", "TokenEmbedding")

    def rows(asked) -> Sheet | None:
        tokens, d_model, drawn = asked
        ids = tokens.ids[:MAX_TOKENS]
        if not ids:
            return None
        seen = data.looked_up(tokens.vocab_size, d_model, drawn, ids)
        ids = ids[:MOST_ALIKE]
        return Sheet(seen.table[list(ids)], "value", ("token", "feature"), tuple(tokens.labels[id] for id in ids))

    compare.side_by_side(bench, rows, f"the rows of the first {MOST_ALIKE} tokens")


def _tiny(change: float) -> str:
    return f"{change:.0e}, the rounding" if change else "0"


def similarity_view(bench: compare.Bench, say: list[str]) -> None:
    """Likeness of the vectors of a table: matrix, map, spread, and nearest rows."""
    tokens, d_model, drawn = bench.now
    ids = tokens.distinct
    if len(ids) > MOST_ALIKE:
        say.append(f"The first {MOST_ALIKE} different tokens are compared; {len(ids) - MOST_ALIKE:,} are left out.")
        ids = ids[:MOST_ALIKE]
    options = {tokens.labels[id]: n for n, id in reversed(list(enumerate(ids)))}
    names = [tokens.labels[id] for id in ids if ids[options[tokens.labels[id]]] == id]
    picture, words = st.columns([7, 3], gap="large")
    with picture, st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="emb-row"):
        kind = choose(
            st.segmented_control, "Show", "emb_figure", ("matrix", "map", "spread"), "matrix", say,
            help="Every two tokens of the sentence; the tokens as points; or every two rows of the whole table.",
        )  # fmt: skip
        near = choose(st.selectbox, "Nearest to", "emb_near", names, names[0], say, follows=True, width=170)
        if not tokens.reader:
            st.button(
                "Try king, queen, table",
                on_click=_type,
                args=("The king and the queen sat at the table",),
                key="emb-king",
                help="Types a sentence with words that a trained table would tell apart.",
            )
    V, chosen = tokens.vocab_size, options[near]
    _, spread = data.embedding_table(V, d_model, drawn)
    cosines, places, shares = data.likeness(V, d_model, drawn, ids)
    labels = [tokens.labels[id] for id in ids]
    pairs = [] if tokens.reader else _royal(tokens, d_model, drawn)
    with picture:
        if kind == "matrix":
            others = [c for n, row in enumerate(cosines) for m, c in enumerate(row) if m != n]
            least, most = (min(others), max(others)) if others else (1, 1)
            drawing = figures.similarity(cosines, labels, chosen)
            alt = f"Cosines of {len(ids)} tokens: 1 on the diagonal, elsewhere from {least:.2f} to {most:.2f}."
        elif kind == "map":
            drawing = figures.plane(places, shares, labels, chosen)
            alt = f"{len(ids)} tokens on a plane that keeps {shares.sum():.0%} of the variance."
        else:
            drawing = figures.spread(spread.edges, spread.counts, spread.expected, pairs)
            alt = (
                f"Cosines of all pairs of {V} rows: mean {spread.mean:.3f}, standard deviation {spread.std:.3f}; "
                f"1/√d_model is {spread.expected:.3f}."
            )
        display.figure(drawing, key=f"emb-{kind}", alt=alt)
    with words:
        teaching.formula(r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}")
        st.caption("The cosine of two vectors: 1 if they point the same way, 0 if they stand at right angles.")
        if tokens.reader:
            _said_of_trained(tokens.reader, V, d_model)
        else:
            _said_of_random(spread, d_model, pairs)
        st.markdown(f"Nearest to **{display.plain(near)}** in the whole table of {V:,}:")
        rows = data.nearest(V, d_model, drawn, ids[chosen], N_NEAREST)
        st.markdown(
            "| token | id | cosine |\n|---|--:|--:|\n"
            + "\n".join(f"| {display.plain(tokens.labels[id])} | {id} | {_minus(value)} |" for id, value in rows)
        )
    if tokens.reader:
        teaching.check(
            "Nobody told the model which words are alike. Why are some rows close?",
            ["The words are spelled alike", "They can stand in one another's place", "By chance"],
            1,
            "Words that do the same for the answer are pushed the same way, text after text. The model never saw a "
            "letter. Take random weights, and the order is gone.",
            key="emb-learned",
        )
    else:
        teaching.check(
            "The table is random, and yet every token has a nearest one. Why?",
            ["Similar words start out close", "Some pair is always the closest, by chance", "The seed knows the words"],
            1,
            "Take another seed, and other tokens are nearest. Only training gives nearness a meaning; then even "
            "king − man + woman comes near queen, sometimes.",
            key="emb-nearest",
        )
    _code("transformer/inspection/geometry.py", "cosines")

    def likeness(asked) -> Sheet | None:
        tokens, d_model, drawn = asked
        ids = tokens.distinct[:MOST_ALIKE]
        if not ids:
            return None
        labels = tuple(tokens.labels[id] for id in ids)
        cosines, *_ = data.likeness(tokens.vocab_size, d_model, drawn, ids)
        return Sheet(cosines, "cosine", ("token", "token"), labels, labels)

    compare.side_by_side(bench, likeness, "likeness of every two tokens")


def _said_of_random(spread, d_model: int, pairs: list[tuple[str, float]]) -> None:
    st.markdown(
        f"**This table is untrained: its rows are random.** So nearly all of them stand at right angles: the "
        f"cosines of all pairs spread by **{spread.std:.3f}** around {_minus(spread.mean, 3)}; "
        f"theory says 1/√{d_model} = **{spread.expected:.3f}**. The wider the vectors, the closer to 0."
    )
    if pairs:
        said = " and ".join(f"{name} {_minus(value)}" for name, value in pairs)
        st.markdown(f"Here {said}: chance. King comes near queen **only after training**.")
    else:
        st.markdown("“King” comes near “queen” **only after training**; here nearness is chance.")


def _said_of_trained(reader: readers.Reader, V: int, d_model: int) -> None:
    """What training made of the table: measured on words whose kind is known, beside a random table."""
    st.markdown(
        f"**This table was trained**, with its whole model, for one task: *{display.plain(reader.task.about)}* Nobody "
        "told it which words are alike; training moves a row by what its word does in the texts."
    )
    kinds = _kinds(reader)
    if kinds:
        trained = data.order(V, d_model, reader.key, kinds)
        random = data.order(V, d_model, 0, kinds)
        st.markdown(
            "| mean cosine | trained | random |\n|---|--:|--:|\n"
            f"| two words of one kind | **{_minus(trained.within)}** | {_minus(random.within)} |\n"
            f"| of different kinds | **{_minus(trained.between)}** | {_minus(random.between)} |\n"
            f"| nearest is of its kind | **{trained.nearest:.0%}** | {random.nearest:.0%} |"
        )
        st.caption(f"Kinds: {', '.join(reader.kinds)}. Sorted by us, unknown to the model.")


def _minus(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def _royal(tokens: Tokens, d_model: int, drawn: int) -> list[tuple[str, float]]:
    """Cosines of king with queen and with table, if all three are tokens."""
    ids = []
    for word in ("king", "queen", "table"):
        known = [tokens.labels.index(form) for form in (f"␣{word}", word) if form in tokens.labels]
        if not known:
            return []
        ids.append(known[0])
    cosines, *_ = data.likeness(tokens.vocab_size, d_model, drawn, tuple(ids))
    return [("king–queen", float(cosines[0, 1])), ("king–table", float(cosines[0, 2]))]


INITS = {"N(0, 1/d)": True, "N(0, 1)": False}
SCALES = {"× √d": True, "as they are": False}


def _ask_scale(picture, say: list[str]) -> tuple[str, str]:
    with (
        picture,
        settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="medium", key="emb-row"),
    ):
        init = choose(
            st.segmented_control, "Rows drawn from", "emb_init", INITS, "N(0, 1/d)", say,
            help="N(mean, variance): random numbers in a bell around the mean; variance is their spread, squared. "
            "N(0, 1) is what torch's nn.Embedding draws; N(0, 1/d), with a standard deviation of 1/√d, is this "
            "project's.",
        )  # fmt: skip
        scale = choose(
            st.segmented_control, "Token vectors", "emb_scale", SCALES, "× √d", say,
            help="The paper multiplies them by √d_model before it adds the positions.",
        )  # fmt: skip
    return init, scale


def scale_view(bench: compare.Bench, say: list[str]) -> None:
    """How loud token vectors are beside the positions that are added to them."""
    picture, words = st.columns([8, 3], gap="large")
    bench = bench.also(lambda say: _ask_scale(picture, say), say)
    (tokens, d_model, drawn), (init, scale) = bench.now
    V, ids = tokens.vocab_size, _first(tokens)
    widths = tuple(sorted({*SWEEP, d_model}))
    cases = {}
    for i, narrow in INITS.items():
        for s, scaled in SCALES.items():
            measured = data.loudness(V, widths, drawn, narrow, scaled, ids)
            expected = [d ** ((scaled - narrow) / 2) * 2**0.5 for d in widths]
            cases[_case(i, s)] = (measured, expected)
    now = cases[_case(init, scale)][0][widths.index(d_model)]
    with picture:
        bars, curve = st.columns([3, 5], gap="small")
    with bars:
        display.figure(
            figures.loudness(now.tokens, now.positions, now.total),
            key="emb-loudness",
            alt=f"rms of token vectors {now.tokens:.3f}, of positions {now.positions:.3f}, of the sum {now.total:.3f}.",
        )
    with curve:
        display.figure(
            figures.loudness_by_width(
                widths,
                {name: ([each.ratio for each in m], e) for name, (m, e) in cases.items()},
                _case(init, scale),
                d_model,
            ),
            key="emb-loudness-by-width",
            alt=f"How many times louder tokens are than positions, by d_model; at {d_model} it is {now.ratio:.2f}.",
        )
    with words:
        st.markdown(
            "A token's row of the table, W_e[id], is added to PE, a code that says where the token stands. The one "
            "with the larger numbers is **louder**, and may drown the other."
        )
        teaching.formula(r"x = \sqrt{d}\;W_e[\mathrm{id}] + PE")
        st.markdown(
            f"At d_model {d_model} the tokens are **{now.ratio:.3g} times** as loud as the positions; theory says "
            f"{cases[_case(init, scale)][1][widths.index(d_model)]:.3g}."
        )
        st.markdown(_verdict(INITS[init], SCALES[scale]))
        st.caption(
            "rms: the root of the mean square, the usual size of one number. Positions are sines and cosines, and "
            "sin² + cos² = 1 makes theirs 1/√2 ≈ 0.71 at every width. Dots are measured, lines are theory."
        )
    teaching.check(
        "Rows from N(0, 1), times √d, d_model 512 (the right end of a line). How much louder are tokens than "
        "positions?",
        ["1.4 times", "32 times", "512 times"],
        1,
        "√512 / 0.707 = 32. The positions are all but drowned; choose these settings and read it off the curve.",
        key="emb-drowned",
    )
    _code("transformer/inspection/embeddings.py", "rms_by_source")

    def ratio(asked) -> Curves | None:
        (tokens, _, drawn), (init, scale) = asked
        ids = tokens.ids[:MAX_TOKENS]
        if not ids:
            return None
        measured = data.loudness(tokens.vocab_size, SWEEP, drawn, INITS[init], SCALES[scale], ids)
        y = np.array([each.ratio for each in measured])
        return Curves(SWEEP, {"ratio": y}, ("d_model", "tokens ÷ positions, rms"))

    compare.side_by_side(bench, ratio, "how much louder tokens are")


def _case(init: str, scale: str) -> str:
    return f"{init}, {scale}"


def _verdict(narrow: bool, scaled: bool) -> str:
    if narrow and scaled:
        return "Both can be heard, at every width: the factor √d undoes the small draw. This is what the model does."
    if narrow:
        return "Without √d the **tokens** are drowned, the more so the wider the model."
    if scaled:
        return "Drawn large and multiplied as well, tokens **drown the positions**, the more so the wider the model."
    return "The same size as the usual: a large draw without √d also leaves both to be heard."


OUTPUTS = {"W_e again": True, "a table of its own": False}
SOURCES = {"one table": True, "two tables": False}


def _ask_learning(picture, say: list[str]) -> tuple[str, str]:
    with (
        picture,
        settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="medium", key="emb-row"),
    ):
        output = choose(
            st.segmented_control, "Output map", "emb_output", OUTPUTS, "a table of its own", say,
            help="The last linear map gives every token of the vocabulary a score. It can be W_e, turned over.",
        )  # fmt: skip
        source = choose(
            st.segmented_control, "Source and target", "emb_source", SOURCES, "two tables", say,
            help="Whether the encoder, which reads the source, and the decoder, which writes the target, look their "
            "tokens up in the same table.",
        )  # fmt: skip
    return output, source


def _lesson(tokens: Tokens, d_model: int, drawn: int, output: str, source: str):
    config = TransformerConfig(
        vocab_size=tokens.vocab_size,
        d_model=d_model,
        n_heads=1,
        n_encoder_layers=1,
        n_decoder_layers=1,
        tie_output=OUTPUTS[output],
        tie_source=SOURCES[source],
    )
    return data.lesson(config, drawn, tokens.ids[:MAX_TOKENS])


def learning_view(bench: compare.Bench, say: list[str]) -> None:
    """Which rows this text would change, with tables shared and not."""
    picture, words = st.columns([7, 3], gap="large")
    bench = bench.also(lambda say: _ask_learning(picture, say), say)
    (tokens, d_model, drawn), (output, source) = bench.now
    _first(tokens)  # says what is left out
    seen = _lesson(tokens, d_model, drawn, output, source)
    reached = [(_name(table.names), int((table.gradient > 0).sum())) for table in seen.tables]
    V = tokens.vocab_size
    with picture:
        display.figure(
            figures.gradients([(_name(table.names), table.gradient) for table in seen.tables], tokens.labels),
            key="emb-gradients",
            alt="; ".join(f"{name}: {n} of {V} rows get a gradient" for name, n in reached) + ".",
        )
        st.markdown(
            "| table | rows that learn from this text | numbers |\n|---|--:|--:|\n"
            + "\n".join(
                f"| {name} | {n:,} of {V:,} | {table.n_parameters:,} |"
                for (name, n), table in zip(reached, seen.tables, strict=True)
            )
            + f"\n| the whole model | | **{seen.n_parameters:,}** |"
        )
    with words:
        st.markdown(
            "A model that translates has up to three tables: for the text that it reads (source), for the one that it "
            "writes (target), and for the scores of what comes next (output; the scores are called *logits*)."
        )
        teaching.formula(r"\text{logits} = x\,W_e^{\top}")
        st.markdown(
            "Training moves a row of W_e only by its **gradient**: which way, and how far, each number should move. "
            "Here the task is to repeat this sentence; autograd worked the gradient out on an untrained model. In a "
            "table that is only **read**, rows of tokens that are not in the text get exactly none: grey."
        )
        st.markdown(
            "As **output map** a table gives every token a score, so every row learns from every text. Tables can be "
            "tied: they are then one table at one place in memory, counted once."
        )
        teaching.check(
            "A table is only read, and a word is not in the text. What does the word's row learn?",
            ["A little", "Nothing", "As much as the others"],
            1,
            "Its one-hot column is all zeros, so its gradient is exactly 0. Rare words are learned rarely.",
            key="emb-gradient",
        )
    _code("transformer/inspection/embeddings.py", "gradient_by_row")

    def gradient(asked) -> Curves | None:
        (tokens, d_model, drawn), ties = asked
        if not tokens.ids:
            return None
        table = _lesson(tokens, d_model, drawn, *ties).tables[0]
        return Curves(tuple(range(tokens.vocab_size)), {"gradient": table.gradient}, ("id of the row", "gradient"))

    compare.side_by_side(bench, gradient, "what each row of the first table learns")


def _name(names: tuple[str, ...]) -> str:
    return " = ".join(names)


def _code(path: str, name: str) -> None:
    with st.expander("The code that ran", icon=":material/code:", key=f"emb-code-{name}"):
        teaching.code(path, name)


def _type(text: str) -> None:
    st.session_state["text"] = text


def _is_raw(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def _clean(text: str) -> str:
    """Without what no font can draw, but with its lines."""
    return "\n".join(clean(line) for line in text.replace("\r", "").split("\n"))


def _mend(key: str) -> None:
    """What a link put into a box, kept to what can be sent on."""
    text = st.session_state.get(key)
    if text is not None and text.encode("utf-8", "replace").decode() != text:
        st.session_state[key] = text.encode("utf-8", "replace").decode()
