"""Cosines of the rows of a table, trained or not: words on a map, and the nearest rows."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.reader import STORIES, ReadBy, read_by, sentence_row, source_row
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import BeforeTraining, Own, Shipped, TrainedSource
from lab.kit.models.source import ModelRef, Source
from lab.kit.view import Comparison, View
from lab.kit.words import fixed
from pages.embeddings import data
from pages.embeddings.components.word_map import Near, Word, word_map
from pages.embeddings.data import RandomTable, Table
from pages.embeddings.text import NO_TEXT, ask_table
from transformer import inspection

MAX_ROWS = 48  # words on the map
N_NEAREST = 6
N_EACH = 8  # words of a kind on the map
BY_KIND, OF_SENTENCE = "by kind", "of the sentence"
# What the words of a kind are called in a sentence, where its name says nothing of several words.
NOUNS = {
    "bad": "words of blame",
    "good": "words of praise",
    "degrees": "words of degree",
    "food": "words for food",
    "other words": "function words",
}


class Settings(NamedTuple):
    """labels: of every id of the table; ids: the different ones that are compared; kinds: what they are by kind."""

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    kinds: tuple["Kind", ...]
    table: Table
    d_model: int
    source: Source | None  # None for an untrained table


class Kind(NamedTuple):
    """Words of one kind: those on the map, and the others, by which the map is turned; () where there are too few."""

    name: str
    shown: tuple[int, ...]
    others: tuple[int, ...] = ()


class Result(NamedTuple):
    spread: "inspection.embeddings.CosineSpread"
    similarity: data.Similarity
    nearest: list[list[tuple[int, float]]]  # to each of the ids, in the whole table
    pairs: list[tuple[str, float]]  # cosines of king with queen and with table in an untrained table that has them
    guests: dict[int, list[float]]  # where the nearest that are not on the map would lie on it
    before: np.ndarray | None  # where the words stood before training, on the same plane
    opens: int  # which word is chosen at first


# ---- settings ------------------------------------------------------------------------------------------------------


def ask() -> Settings | None:
    with settings.place_named("row"):
        if _is_by_kind():
            with settings.line(key="words"):
                reading = read_by()
                return _ask_trained(reading, reading.ref) if reading.ref else _ask_random()
        box = sentence_row()
        with settings.line(key="words"):
            reading = read_by(box=box, chip="{}")
            if reading.ref:
                return _ask_trained(reading, reading.ref)
        settings.notify(*reading.sentence.notices)
        return _ask_random()


def _is_by_kind() -> bool:
    """Whether the sentence is none of the map's business, as far as one can know before it is asked for: it and its
    model are settings like others then."""
    asked = {name: st.session_state.get(name) or st.query_params.get(name) for name in ("emb_words", "weights")}
    return asked["emb_words"] in (None, BY_KIND) and asked["weights"] in (None, STORIES)


def _ask_random() -> Settings | None:
    answer = ask_table()
    if answer is None:
        return None
    tokens, table = answer
    return Settings(tokens.labels, _first(tokens.distinct), (), table, table.d_model, None)


def _ask_trained(reading: ReadBy, ref: ModelRef) -> Settings | None:
    """Words of a trained model: those that somebody has sorted by kind, or those of the sentence."""
    source = ref.resolve()
    options = (BY_KIND, OF_SENTENCE) if source.kinds else (OF_SENTENCE,)
    words = settings.choose(
        st.segmented_control,
        "Words",
        "emb_words",
        options,
        options[0],
        chip="words {}",
        help="Words that we have sorted by kind, or the words of your sentence.",
    )
    kinds = _kinds(source)
    if words == BY_KIND:
        ids = tuple(id for kind in kinds for id in kind.shown)
    else:
        ids = tuple(source.ids(source.of_text(reading.sentence.tokens)))
        kinds = tuple(kind._replace(others=()) for kind in kinds)
        settings.notify(*reading.sentence.notices)
    if not ids:
        settings.notify(NO_TEXT)
        return None
    distinct = tuple(dict.fromkeys(ids))
    return Settings(source.labels, _first(distinct), kinds, ref, source.config.d_model, source)


def _first(ids: tuple[int, ...]) -> tuple[int, ...]:
    if len(ids) > MAX_ROWS:
        settings.notify(f"The first {MAX_ROWS} different tokens are compared; {len(ids) - MAX_ROWS:,} are left out.")
    return ids[:MAX_ROWS]


def _classes(source: Source) -> tuple[tuple[int, ...], ...]:
    """The ids of the words of each kind that are one token."""
    kinds = source.kinds.values()
    return tuple(tuple(source.ids([word for word in words if not any(source.unread([word]))])) for words in kinds)


def _kinds(source: Source) -> tuple[Kind, ...]:
    """Kinds with as many words that a map can be turned by those that are not on it; of a model that has none, all."""
    named = [(name, members) for name, members in zip(source.kinds, _classes(source), strict=True) if members]
    large = [(name, members) for name, members in named if len(members) >= 2 * N_EACH]
    if len(large) > 2:
        return tuple(Kind(name, members[:N_EACH], members[N_EACH:]) for name, members in large)
    most = max(map(len, source.kinds.values()), default=0)
    if sum(len(members) for _, members in named) > MAX_ROWS:
        most = MAX_ROWS // len(named)
    return tuple(Kind(name, members[:most]) for name, members in named)


# ---- numbers -------------------------------------------------------------------------------------------------------


def compute(s: Settings) -> Result:
    pairs = _king_pairs(s.labels, s.table) if isinstance(s.table, RandomTable) else []
    nearest = data.neighbours(s.table, s.ids, N_NEAREST)
    others = tuple(kind.others for kind in s.kinds if kind.others)
    more = tuple(sorted({id for near in nearest for id, _ in near} - set(s.ids)))
    places = data.placed(s.table, s.ids, others, more).round(4).tolist()
    # Both tables open with the word that tells something after training, so that one can see what became of it.
    trained = s.table.of if isinstance(s.table, BeforeTraining) else s.table
    return Result(
        data.cosine_spread(s.table),
        data.similarity(s.table, s.ids, others),
        nearest,
        pairs,
        dict(zip(more, places, strict=True)),
        _places_before(s, others),
        opening(_words(s, data.neighbours(trained, s.ids, N_NEAREST), {})),
    )


def _places_before(s: Settings, others: tuple[tuple[int, ...], ...]) -> np.ndarray | None:
    """Where the words of a trained table stood before training, on the same plane."""
    if not s.source or not isinstance(s.source.ref, Shipped | Own):
        return None
    return data.similarity(BeforeTraining(s.source.ref), s.ids, others).places


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
    _draw_words(s, result)
    with display.prose():
        if s.source:
            _describe_trained(s.source, s)
        else:
            _describe_random(result, s.d_model)
        teaching.formula(r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}")
        st.caption("The cosine of two vectors: 1 if they point the same way, 0 if they are at right angles.")
        if s.source:
            source_row(s.source)
        _check(s.source)
        teaching.code_expander("transformer/inspection/geometry.py", "cosines")


def _words(s: Settings, nearest_to_each: list[list[tuple[int, float]]], places: dict[int, list[float]]) -> list[Word]:
    """The words that are compared, each with its nearest; places: of those of them that are not on the map."""
    kinds = {id: n for n, kind in enumerate(s.kinds) for id in (*kind.shown, *kind.others)}

    def near(id: int, cosine: float) -> Near:
        return Near(s.labels[id], id, cosine, kinds.get(id, -1), places.get(id))

    return [
        Word(s.labels[id], id, kinds.get(id, -1), [near(*one) for one in nearest])
        for id, nearest in zip(s.ids, nearest_to_each, strict=True)
    ]


def _draw_words(s: Settings, result: Result) -> None:
    words = _words(s, result.nearest, result.guests)
    cosines, places, shares, bounds = result.similarity
    word_map(
        words,
        [kind.name for kind in s.kinds],
        [NOUNS.get(kind.name, kind.name) for kind in s.kinds],
        cosines,
        places,
        bounds,
        before=result.before,
        caption=_caption(s, float(shares.sum())),
        width=s.d_model,
        opens=result.opens,
        key="emb_words_map",
        url="emb_near",
    )


def opening(words: list[Word]) -> int:
    """Which word is chosen at first: of the kind that keeps most to itself, the word with most neighbours of its own
    kind, then with most of them on the map; the first word where none has a kind."""
    there = {word.id for word in words}

    def own(word: Word) -> int:
        return sum(word.kind >= 0 and near.kind == word.kind for near in word.nearest)

    shares = {kind: np.mean([own(word) for word in words if word.kind == kind]) for kind in {w.kind for w in words}}

    def telling(n: int) -> tuple[float, int, int, int]:
        word = words[n]
        return float(shares[word.kind]), -word.kind, own(word), sum(near.id in there for near in word.nearest)

    return max(range(len(words)), key=telling) if any(word.kind >= 0 for word in words) else 0


def _caption(s: Settings, share: float) -> str:
    """What the plane of the map is."""
    n_others = sum(len(kind.others) for kind in s.kinds)
    if n_others and isinstance(s.table, BeforeTraining):
        return "Before training, on the same plane as after it: kinds lie on top of each other."
    if n_others:
        return f"{n_others} other words decided this map. It is stretched at first; then each word moves straight."
    if isinstance(s.table, BeforeTraining):
        return f"Before training, on the same plane as after it. It keeps {share:.0%} of what sets the words apart."
    return f"{s.d_model} dimensions, projected onto a plane that keeps {share:.0%} of the variance of these words."


def _describe_random(result: Result, d_model: int) -> None:
    spread = result.spread
    st.markdown(
        f"**This table is untrained.** So nearly all of its rows are at right angles: the cosines of all pairs spread "
        f"by **{spread.std:.3f}** around {fixed(spread.mean, 3)}; theory says 1/√{d_model} = "
        f"**{spread.expected:.3f}**. The wider the vectors, the closer to 0."
    )
    if result.pairs:
        values = " and ".join(f"{name} {fixed(value)}" for name, value in result.pairs)
        st.markdown(f"Here {values}: chance. King comes near queen **only after training**.")
    else:
        st.markdown("“King” comes near “queen” **only after training**; here nearness is chance.")
    st.button(
        "Try king, queen, table",
        on_click=_type,
        args=("The king and the queen sat at the table",),
        key="emb-king",
        help="Types a sentence with words that a trained table would tell apart.",
    )


def _describe_trained(source: Source, s: Settings) -> None:
    """What training made of the table, measured on words whose kind is known, beside the table before training."""
    ref = source.ref
    trained_ref = ref.of if isinstance(ref, BeforeTraining) else ref
    about = f"*{display.plain(source.about)}*"
    if isinstance(ref, BeforeTraining):
        st.markdown(
            f"**The table before training:** every row is drawn at random. Switch back to “trained” and watch the "
            f"words find their places. The task was {about}"
        )
    else:
        st.markdown(
            f"**Nobody told it which words are similar.** The table was trained with its whole model for one task: "
            f"{about} Training moves a row according to what its word does in the texts."
        )
    classes = _classes(source)
    if classes and isinstance(trained_ref, Shipped | Own):
        after = data.class_separation(trained_ref, classes)
        before = data.class_separation(BeforeTraining(trained_ref), classes)
        st.markdown(
            "| mean cosine | trained | before |\n|---|--:|--:|\n"
            f"| two words of one kind | **{fixed(after.within)}** | {fixed(before.within)} |\n"
            f"| of different kinds | **{fixed(after.between)}** | {fixed(before.between)} |\n"
            f"| nearest is of its kind | **{after.nearest:.0%}** | {before.nearest:.0%} |"
        )
        st.caption("We sorted the words into kinds; the model never saw the kinds.")
        _describe_parted(s, trained_ref)


def _describe_parted(s: Settings, trained_ref: Shipped | Own) -> None:
    """Whether names of boys and girls part: half of those that are not on the map are told apart by the other half."""
    (one, other) = (kind.others for kind in s.kinds[:2]) if len(s.kinds) > 1 else ((), ())
    if not (one and other):
        return
    n = len(one[::2]) + len(other[::2]), len(one[1::2]) + len(other[1::2])
    right, chance = (
        data.told_apart(table, one[::2], other[::2], one[1::2], other[1::2])
        for table in (trained_ref, BeforeTraining(trained_ref))
    )
    names = f"{s.kinds[0].name} and {s.kinds[1].name}"
    st.markdown(
        f"**{names.capitalize()} are used alike, and yet they part**: a story goes on with *he* after one and with"
        f" *she* after the other. One direction, found with {n[0]} names, tells **{right} of {n[1]}** others apart;"
        f" before training, {chance}."
    )


def _check(source: Source | None) -> None:
    is_ours = isinstance(source, TrainedSource)  # only then its beginning is known
    if source:
        questions.ask("embeddings-learned", try_it={"state": "before training"} if is_ours else None)
    else:
        questions.ask("embeddings-nearest", try_it={"seed": 7})


def _type(text: str) -> None:
    st.session_state["text"] = text


def _cosines(s: Settings, result: Result) -> Sheet:
    labels = tuple(s.labels[id] for id in s.ids)
    return Sheet(result.similarity.cosines, "cosine", ("token", "token"), labels, labels)


VIEW = View(ask, compute, draw, comparison=Comparison("similarity of every two tokens", _cosines), height=420)
