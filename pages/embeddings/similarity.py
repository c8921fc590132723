"""Cosines of the rows of a table, trained or random: a matrix, a map, their spread, and the nearest rows."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.embeddings import data, figures
from pages.embeddings.data import RandomTable, Table
from pages.embeddings.text import NO_TEXT, ask_table, picture_row
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.models import ModelRef, Source, TrainedSource
from pages.shared.text_input import STORIES, ReadBy, read_by, source_row
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.embeddings import CosineSpread

MAX_ROWS = 48  # of the matrix
N_NEAREST = 5
BY_KIND, OF_SENTENCE = "by kind", "of the sentence"


class Settings(NamedTuple):
    """labels: of every id of the table; ids: the different ones that are compared."""

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    table: Table
    d_model: int
    source: TrainedSource | None  # None for a random table


class Result(NamedTuple):
    spread: "CosineSpread"
    similarity: data.Similarity
    pairs: list[tuple[str, float]]  # cosines of king with queen and with table in a random table that has them


# ---- settings ------------------------------------------------------------------------------------------------------


def ask() -> Settings | None:
    with settings.place_named("sentence"):
        reading = read_by(STORIES)
        if reading.source:
            source_row(reading.source)
        else:
            settings.notify(*reading.sentence.notices)
    with settings.place_named("row"):
        return _ask_trained(reading, reading.ref) if reading.ref else _ask_random()


def _ask_random() -> Settings | None:
    answer = ask_table()
    if answer is None:
        return None
    tokens, table = answer
    return Settings(tokens.labels, _first(tokens.distinct), table, table.d_model, None)


def _ask_trained(reading: ReadBy, ref: ModelRef) -> Settings | None:
    """Words of a trained model: those that somebody has sorted by kind, or those of the sentence."""
    source = ref.resolve()
    assert isinstance(source, TrainedSource)
    options = (BY_KIND, OF_SENTENCE) if source.kinds else (OF_SENTENCE,)
    if settings.choose(st.segmented_control, "Words", "emb_words", options, options[0]) == BY_KIND:
        ids = tuple(id for members in _classes(source) for id in members)
    else:
        ids = tuple(source.ids(reading.sentence.tokens[1:]))  # without <bos>
        settings.notify(*reading.sentence.notices)
    if not ids:
        settings.notify(NO_TEXT)
        return None
    distinct = tuple(dict.fromkeys(ids))
    return Settings(source.labels, _first(distinct), ref, source.config.d_model, source)


def _first(ids: tuple[int, ...]) -> tuple[int, ...]:
    if len(ids) > MAX_ROWS:
        settings.notify(f"The first {MAX_ROWS} different tokens are compared; {len(ids) - MAX_ROWS:,} are left out.")
    return ids[:MAX_ROWS]


def _classes(source: TrainedSource) -> tuple[tuple[int, ...], ...]:
    """The ids of the words of each kind."""
    return tuple(tuple(source.ids(words)) for words in source.kinds.values())


# ---- numbers -------------------------------------------------------------------------------------------------------


def compute(s: Settings) -> Result:
    pairs = _king_pairs(s.labels, s.table) if isinstance(s.table, RandomTable) else []
    return Result(data.cosine_spread(s.table), data.similarity(s.table, s.ids), pairs)


def _king_pairs(labels: tuple[str, ...], table: RandomTable) -> list[tuple[str, float]]:
    """Cosines of king with queen and with table, if all three are tokens."""
    ids = []
    for word in ("king", "queen", "table"):
        known = [labels.index(form) for form in (f"␣{word}", word) if form in labels]
        if not known:
            return []
        ids.append(known[0])
    cosines = data.similarity(table, tuple(ids)).cosines
    return [("king–queen", float(cosines[0, 1])), ("king–table", float(cosines[0, 2]))]


# ---- on screen -----------------------------------------------------------------------------------------------------


def draw(s: Settings, result: Result) -> None:
    # Tokens that look the same are one option, which stands for the first of them.
    options = {s.labels[id]: n for n, id in reversed(list(enumerate(s.ids)))}
    names = [s.labels[id] for n, id in enumerate(s.ids) if options[s.labels[id]] == n]
    picture, words = st.columns([7, 3], gap="large")
    with picture, picture_row():
        kind = settings.choose(
            st.segmented_control, "Show", "emb_figure", ("matrix", "map", "spread"), "matrix",
            help="Every two tokens of the sentence; the tokens as points; or every two rows of the whole table.",
        )  # fmt: skip
        near = settings.choose(st.selectbox, "Nearest to", "emb_near", names, names[0], follows=True, width=170)
        if not s.source:
            st.button(
                "Try king, queen, table",
                on_click=_type,
                args=("The king and the queen sat at the table",),
                key="emb-king",
                help="Types a sentence with words that a trained table would tell apart.",
            )
    chosen = options[near]
    with picture:
        _draw_figure(s, result, kind, chosen)
    with words:
        teaching.formula(r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}")
        st.caption("The cosine of two vectors: 1 if they point the same way, 0 if they stand at right angles.")
        if s.source:
            _describe_trained(s.source, s)
        else:
            _describe_random(result, s.d_model)
        st.markdown(f"Nearest to **{display.plain(near)}** in the whole table of {len(s.labels):,}:")
        rows = data.neighbours(s.table, s.ids[chosen], N_NEAREST)
        st.markdown(
            "| token | id | cosine |\n|---|--:|--:|\n"
            + "\n".join(f"| {display.plain(s.labels[id])} | {id} | {_number(value)} |" for id, value in rows)
        )
    _check(s.source)
    teaching.code_expander("transformer/inspection/geometry.py", "cosines")


def _draw_figure(s: Settings, result: Result, kind: str, chosen: int) -> None:
    labels, n = [s.labels[id] for id in s.ids], len(s.ids)
    (cosines, positions, shares), spread = result.similarity, result.spread
    if kind == "matrix":
        others = [value for i, row in enumerate(cosines) for j, value in enumerate(row) if i != j]
        smallest, largest = (min(others), max(others)) if others else (1, 1)
        figure = figures.similarity(cosines, labels, chosen)
        alt = f"Cosines of {n} tokens: 1 on the diagonal, elsewhere from {smallest:.2f} to {largest:.2f}."
    elif kind == "map":
        figure = figures.plane(positions, shares, labels, chosen)
        alt = f"{n} tokens on a plane that keeps {shares.sum():.0%} of the variance."
    else:
        figure = figures.spread(spread.edges, spread.counts, spread.expected, result.pairs)
        alt = (
            f"Cosines of all pairs of {len(s.labels)} rows: mean {spread.mean:.3f}, standard deviation "
            f"{spread.std:.3f}; 1/√d_model is {spread.expected:.3f}."
        )
    display.figure(figure, key=f"emb-{kind}", alt=alt)


def _describe_random(result: Result, d_model: int) -> None:
    spread = result.spread
    st.markdown(
        f"**This table is untrained: its rows are random.** So nearly all of them stand at right angles: the "
        f"cosines of all pairs spread by **{spread.std:.3f}** around {_number(spread.mean, 3)}; "
        f"theory says 1/√{d_model} = **{spread.expected:.3f}**. The wider the vectors, the closer to 0."
    )
    if result.pairs:
        values = " and ".join(f"{name} {_number(value)}" for name, value in result.pairs)
        st.markdown(f"Here {values}: chance. King comes near queen **only after training**.")
    else:
        st.markdown("“King” comes near “queen” **only after training**; here nearness is chance.")


def _describe_trained(source: TrainedSource, s: Settings) -> None:
    """What training made of the table, measured on words whose kind is known, beside a random table."""
    st.markdown(
        f"**This table was trained**, with its whole model, for one task: *{display.plain(source.task.about)}* Nobody "
        "told it which words are alike; training moves a row by what its word does in the texts."
    )
    classes = _classes(source)
    if classes:
        trained = data.class_separation(s.table, classes)
        random = data.class_separation(RandomTable(len(s.labels), s.d_model, seed=0), classes)
        st.markdown(
            "| mean cosine | trained | random |\n|---|--:|--:|\n"
            f"| two words of one kind | **{_number(trained.within)}** | {_number(random.within)} |\n"
            f"| of different kinds | **{_number(trained.between)}** | {_number(random.between)} |\n"
            f"| nearest is of its kind | **{trained.nearest:.0%}** | {random.nearest:.0%} |"
        )
        st.caption(f"Kinds: {', '.join(source.kinds)}. Sorted by us, unknown to the model.")


def _check(source: Source | None) -> None:
    if source:
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


def _number(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def _type(text: str) -> None:
    st.session_state["text"] = text


def _cosines(s: Settings, result: Result) -> Sheet:
    labels = tuple(s.labels[id] for id in s.ids)
    return Sheet(result.similarity.cosines, "cosine", ("token", "token"), labels, labels)


VIEW = View(
    "Similarity", ask, compute, draw,
    comparison=Comparison("likeness of every two tokens", _cosines),
    height=420,
)  # fmt: skip
