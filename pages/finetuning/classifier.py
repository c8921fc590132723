"""The classifier, in a fold below BERT’s way: its training step by step, every test, and a review of one's own."""

import unicodedata
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import SEED
from lab.kit.figures import display
from lab.kit.models.source import ModelRef
from lab.kit.words import as_chance, fixed
from pages.finetuning import figures
from pages.finetuning.figures import Dots
from pages.finetuning.reviews import data
from pages.finetuning.reviews.controls import DEPTH_NAMES, RECORDED, ask_size
from pages.finetuning.reviews.data import PARTS, STOPS, Training
from transformer.training.studies import reviews
from transformer.training.studies.reviews import N_DRAWS, TESTS, Draw
from transformer.training.text import clean

OPEN = "fine_classifier"  # in links: whether the fold is open
READERS = MINILM, COUNTS = ("MiniLM", "word counts")
REVIEW, EXAMPLE = "fine_review", "_finetuning_example"  # in the address; in the session
OPENING = reviews.UNSEEN  # the review at first: labels say next to nothing of its words
MAX_LETTERS = 300
MAX_NAMED = 6  # words
ONLY_RECORDED = "MiniLM is not on this machine, so only the recorded reviews can be asked"


class Settings(NamedTuple):
    reader: str
    step: int
    depth: int
    draw: Draw
    decay: float
    text: str
    ref: ModelRef | None

    def depth_of(self, reader: str) -> int | None:
        return self.depth if reader == MINILM else None


class Result(NamedTuple):
    """The training of each reader, and the logit that each gives the review that is asked about; {} without one."""

    trainings: dict[str, Training]
    asked: dict[str, float]


def texts() -> tuple[str, ...]:
    """The tests, which are recorded; the first one of the page is the first."""
    return reviews.asked()


def ask(depth: int, decay: float, text: str) -> Settings:
    """depth, decay  of the view: MiniLM's layers, and the weight decay; text: the review that is asked about"""
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="small"):
        reader = settings.choose(
            st.segmented_control, "Reader", "fine_reader", READERS, MINILM, label_visibility="collapsed"
        )
        step = settings.choose(st.select_slider, "After step", "fine_step", STOPS, STOPS[-1], width=230)
        with settings.line(key="classifier"):
            n = ask_size(reviews.SIZES[-1], "How many reviews a classifier learns from: half praise, half criticism.")
            seed = SEED.ask("fine_draw", options=range(N_DRAWS))
    return Settings(reader, step, depth, Draw(n, seed), decay, text, data.minilm())


def ask_review() -> tuple[str, str]:
    """The review that is asked about, and what is to be said of it, "" for nothing.

    Any can be asked about where MiniLM can read it, else one that is recorded.
    """
    if data.minilm() is None:
        recorded = settings.choose(
            st.selectbox,
            "Review",
            REVIEW,
            texts(),
            OPENING,
            why=ONLY_RECORDED,
            width=430,
            format_func=lambda text: text,
        )
        return recorded, ""
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(REVIEW, "review", OPENING, lambda text: _limited(text)[0]), ""
    text = (
        st.text_input(
            "A review",
            OPENING,
            key=REVIEW,
            bind="query-params",
            icon=":material/edit:",
            label_visibility="collapsed",
            width=430,
        )
        or ""
    )
    st.menu_button("Examples", texts()[:12], key=EXAMPLE, on_click=_take_example)
    limited, left_out = _limited(text)
    settings.note(REVIEW, "review", limited, OPENING, long=True)
    return limited, _said_of(limited, left_out)


def _said_of(text: str, left_out: int) -> str:
    """What a visitor should know of their review: one sentence, beside it."""
    if in_other_letters(text):
        return "MiniLM has read English only."
    return f"The first {MAX_LETTERS} letters are read; {left_out:,} more are left out." if left_out else ""


def in_other_letters(text: str) -> bool:
    """Whether most letters of a text are not Latin: then it is not in English."""
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum("LATIN" not in unicodedata.name(letter, "") for letter in letters) > len(letters)


def _take_example() -> None:
    st.session_state[REVIEW] = st.session_state[EXAMPLE]


def _limited(text: str) -> tuple[str, int]:
    """A text in at most so many letters, and how many were left out."""
    text = clean(text).strip()
    return text[:MAX_LETTERS], max(0, len(text) - MAX_LETTERS)


def compute(s: Settings) -> Result:
    trainings = {reader: data.training(s.depth_of(reader), s.draw, s.decay) for reader in READERS}
    vectors = {reader: vector(s.text, s.depth_of(reader)) for reader in READERS}
    fits = {reader: trainings[reader].stops[s.step] for reader in READERS}
    asked = {reader: float(fits[reader].logits(x)) for reader, x in vectors.items() if x is not None}
    return Result(trainings, asked if MINILM in asked else {})


def vector(text: str, depth: int | None) -> np.ndarray | None:
    """A review as MiniLM has it after so many layers, recorded for the reviews of this page and computed for any other,
    None where it knows no word in it; with depth None its word counts."""
    if depth is None:
        return reviews.counts([text])[0]
    recorded = _recorded(text, depth)
    if recorded is not None:
        return recorded
    if not reviews.words_of(text):
        return None
    ref = data.minilm()
    assert ref is not None  # else only recorded reviews can be asked
    return data.represented(ref, text).get(depth)


def _recorded(text: str, depth: int) -> np.ndarray | None:
    for i, review in enumerate(reviews.reviews()):
        if review.text == text:
            return reviews.recorded()[depth][i]
    return None


def draw(s: Settings, result: Result) -> None:
    training = result.trainings[s.reader]
    rows = _rows(training.logits(s.step, s.depth_of(s.reader)))
    left, right = st.columns([4, 5], gap="large")
    with left:
        losses = dict(zip(PARTS, training.losses, strict=True))
        display.figure(
            figures.losses(losses, training.best, s.step),
            key="fine-losses",
            alt=f"Loss of {s.reader} before training and at step {s.step}: "
            + ", ".join(f"{name} {line[0]:.2f} and {line[s.step]:.2f}" for name, line in losses.items()),
        )
    with right:
        asked = result.asked.get(s.reader)
        display.figure(
            figures.tests(rows, None if asked is None else _share(asked)),
            key="fine-tests",
            alt=f"Every test by its probability of praise, {s.reader} after step {s.step}. {_right(rows)}",
        )
    st.markdown(_asked_words(s, result))
    st.caption(
        f"{s.reader}{f', {DEPTH_NAMES[s.depth]}' if s.reader == MINILM else ''}, trained on {s.draw.n} reviews just"
        f" now. {_right(rows)} Crosses are mistakes. Dotted in the left figure: guessing, 0.693, and below it the"
        f" smallest loss that these reviews allow with this weight decay. {RECORDED}"
    )
    st.markdown(_mistake(rows))
    teaching.formula(
        r"p(\text{praise}) = \frac{1}{1 + e^{-(w \cdot x + b)}} \qquad"
        r" w \leftarrow w - \eta \left( \frac{1}{n} \sum_i (p_i - y_i)\, x_i + \lambda w \right)"
    )
    st.markdown(
        "x is the vector of a review, y is 1 for praise and 0 for criticism. A step moves w towards the reviews that"
        " deserve more than they got, and away from the others. The model below never changes: that is why this takes"
        " a few milliseconds."
    )
    teaching.code_expander("transformer/training/classifier.py", "descend", "Classifier")
    questions.ask(
        "finetuning-not",
        try_it={"fine_view": "BERT’s way", OPEN: True, "fine_reader": COUNTS, REVIEW: "This is not a good book."},
    )


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -500, 500))))


def _rows(logits: np.ndarray) -> dict[str, Dots]:
    """The tests by kind and side."""
    every, answers = reviews.reviews(), reviews.answers()
    rows = {}
    for part in TESTS:
        for is_positive, side in ((True, "praise"), (False, "criticism")):
            places = [i for i in reviews.of_part(part) if answers[i] == is_positive]
            shares = np.array([_share(logit) for logit in logits[places]])
            rows[f"{part}, {side}"] = Dots(tuple(every[i].text for i in places), shares, is_positive)
    return rows


def _right(rows: dict[str, Dots]) -> str:
    """How many tests are right, in a sentence."""
    counts = [
        (name, int(((dots.probabilities > 0.5) == dots.is_positive).sum()), len(dots.texts))
        for name, dots in rows.items()
    ]
    return "Right: " + "; ".join(f"{name} {right} of {n}" for name, right, n in counts) + "."


def _mistake(rows: dict[str, Dots]) -> str:
    """The mistake that it is surest of, in Markdown."""
    wrong = [
        (abs(share - 0.5), text, share)
        for dots in rows.values()
        for text, share in zip(dots.texts, dots.probabilities, strict=True)
        if (share > 0.5) != dots.is_positive
    ]
    if not wrong:
        return "It makes no mistake on any of these tests."
    _, text, share = max(wrong)
    side = f"praise ({as_chance(share)})" if share > 0.5 else f"criticism ({as_chance(1 - share)})"
    return f"Its surest mistake: *“{display.plain(text)}”* It takes that for {side}."


def _asked_words(s: Settings, result: Result) -> str:
    """What both readers say of the review, in Markdown."""
    if not result.asked:
        return (
            "There is no word in this that MiniLM knows. Both models judge reviews in English words."
            if s.text
            else "Type a review, and both models say what they make of it."
        )
    shares = {reader: _share(logit) for reader, logit in result.asked.items()}
    weights = word_weights(s.text, result.trainings[COUNTS].stops[s.step].w)
    if weights:
        named = ", ".join(f"*{word}* {fixed(weight, signed=True)}" for word, weight in weights[:MAX_NAMED])
        known = f"Of its words they have met {named}{' and more' if len(weights) > MAX_NAMED else ''}."
    else:
        known = "They have met none of its words."
    return (
        f"“{display.plain(s.text)}” is praise with **{as_chance(shares[MINILM])}** for the classifier on MiniLM"
        f" ({DEPTH_NAMES[s.depth]}), and with **{as_chance(shares[COUNTS])}** for the one on word counts. {known}"
    )


def word_weights(text: str, w: np.ndarray) -> list[tuple[str, float]]:
    """The words of a text that have a weight, with it, the largest first; w (V,) is that of word counts."""
    places = {word: i for i, word in enumerate(reviews.vocabulary())}
    known = {word: float(w[places[word]]) for word in reviews.words_of(text) if word in places and w[places[word]]}
    return sorted(known.items(), key=lambda item: -abs(item[1]))
