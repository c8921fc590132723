"""BERT's way: how many labelled reviews a model needs, pretrained and not."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, teaching
from lab.kit import settings as asked
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves
from lab.kit.view import Comparison, View, places
from lab.kit.words import as_chance
from pages.finetuning import classifier, figures
from pages.finetuning.components.border import border
from pages.finetuning.figures import CHANCE, Line
from pages.finetuning.reviews import data
from pages.finetuning.reviews.controls import DEPTH_NAMES, RECORDED, ask_decay, ask_depth
from pages.finetuning.reviews.data import PILE
from transformer.training.classifier import Classifier
from transformer.training.studies.reviews import (
    DEPTHS,
    N_DRAWS,
    SIZES,
    TESTS,
    UNSEEN,
    Draw,
    answers,
    learned,
    of_part,
    reviews,
    stored,
    vectors,
)

FROZEN, TUNED, COUNTS = "MiniLM", "all of MiniLM", "word counts"
TITLES = {
    "plain": "<b>Plain reviews</b><br>“A dull story about unpleasant people.”",
    "negated": "<b>With a negation</b><br>“The film was hardly boring.”",
}


class Settings(NamedTuple):
    depth: int
    decay: float
    text: str
    classifier: classifier.Settings | None  # None while its fold is closed
    note: str = ""  # what is to be said of the text


class Result(NamedTuple):
    """Shares of right answers per draw and kind of test, (N_DRAWS, 2): by number of reviews, and by depth; and what the
    browser is sent."""

    frozen: dict[int, np.ndarray]
    counts: dict[int, np.ndarray]
    by_depth: dict[int, np.ndarray]
    border: dict[str, Any]
    classifier: classifier.Result | None


def layout() -> Mapping[str, Any]:
    picture = st.container()
    fold = st.expander("The classifier at work", key=classifier.OPEN, bind="query-params")
    return {"picture": picture, "classifier": fold, "shares": st.container(), "words": display.prose()}


def ask() -> Settings:
    with asked.place_named("row"):
        text, note = classifier.ask_review()
        with asked.line():
            depth = ask_depth()
            decay = ask_decay()
    fold = None
    if st.session_state.get(classifier.OPEN):
        with asked.place_named("classifier"):
            fold = classifier.ask(depth, decay, text)
    return Settings(depth, decay, text, fold, note)


def compute(s: Settings) -> Result:
    return Result(
        {n: data.shares(s.depth, n, s.decay) for n in SIZES},
        {n: data.shares(None, n, s.decay) for n in SIZES},
        {depth: data.shares(depth, SIZES[-1], s.decay) for depth in DEPTHS},
        _border(s),
        classifier.compute(s.classifier) if s.classifier else None,
    )


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        _draw_border(s, result)
    with places()["shares"]:
        st.markdown(
            "**The map**: a dot is a new review, where MiniLM’s vector of it lies in two directions. To the right: what"
            f" the classifier of all {PILE[-1]} labels takes for praise; upward: what that of the first {PILE[0]} does."
            " A patch is what the classifier says of the dot in it; a hollow dot is one that it gets wrong. Above, each"
            f" model has learned once. **And on average?** The mean of {N_DRAWS} trainings:"
        )
        _draw_shares(result)
    if s.classifier and result.classifier:
        with places()["classifier"]:
            classifier.draw(s.classifier, result.classifier)
    with places()["words"]:
        _explain(s, result)


def _border(s: Settings) -> dict[str, Any]:
    """What the browser is sent."""
    fits = data.piles(s.depth, s.decay)
    axes = np.stack(_axes(fits))
    known, every = reviews(), vectors(s.depth)
    kinds = [list(of_part(part)) for part in TESTS]
    plain = every[kinds[0]] @ axes.T
    middle, reach = (plain.max(0) + plain.min(0)) / 2, (plain.max(0) - plain.min(0)) / 2

    def places(x: np.ndarray) -> list:
        return np.round(np.clip((x @ axes.T - middle) / reach, -1, 1), 4).tolist()

    def shares(x: np.ndarray) -> list:
        """Rounded, but never across a half or onto it."""
        rounded = [(one.logits(x) > 0, np.round(one.probabilities(x), 4)) for one in fits]
        return [np.where(yes, np.maximum(p, 0.5001), np.minimum(p, 0.4999)).tolist() for yes, p in rounded]

    tests = [
        {
            "reviews": [[known[n].text, known[n].is_positive] for n in some],
            "places": places(every[some]),
            "shares": shares(every[some]),
        }
        for some in kinds
    ]
    x = classifier.vector(s.text, s.depth)
    own = None if x is None else {"text": s.text, "place": places(x), "shares": shares(x)}
    counts = learned(Draw(PILE[-1], 0), None, s.decay)
    rival = round(counts.accuracy(vectors(None)[kinds[0]], answers()[kinds[0]]) * len(kinds[0]))
    note = s.note or ("MiniLM knows no word of this review. Type one in English." if s.text and own is None else "")
    return {"stops": list(PILE), "tests": tests, "rival": rival, "own": own, "note": note}


def _axes(fits: Sequence[Classifier]) -> tuple[np.ndarray, np.ndarray]:
    """Two directions at a right angle, of length 1: what the classifier of all labels takes for praise, and what that
    of the first two labels does, as far as it is another one. So the border of either is a straight line."""
    right = fits[-1].w / np.linalg.norm(fits[-1].w)
    up = fits[0].w - (fits[0].w @ right) * right
    return right, up / np.linalg.norm(up)


def _draw_border(s: Settings, result: Result) -> None:
    def take(text: str) -> None:
        st.session_state[classifier.REVIEW] = text

    border(result.border, key="fine-border", on_take=take)


def _draw_shares(result: Result) -> None:
    panels = st.columns(len(TESTS), gap="medium")
    for kind, (place, part) in enumerate(zip(panels, TESTS, strict=True)):
        with place:
            drawing = figures.by_reviews(TITLES[part], _lines(result, kind), _begun(kind))
            display.figure(drawing, key=f"fine-{part}", alt=_alt(result, kind))


def _explain(s: Settings, result: Result) -> None:
    st.markdown(_findings(result))
    questions.ask("finetuning-unseen", try_it={"fine_view": "BERT’s way", classifier.OPEN: True, "fine_review": UNSEEN})
    st.markdown(
        "**BERT’s way** has two parts (Devlin et al. 2019). First a model reads billions of words, without any labels."
        " Then a small **classifier** is put on top, and trained on a few labelled texts. Here the model is MiniLM, six"
        " layers made in BERT’s image. It turns a review into the mean of its tokens’ vectors: 384 numbers. The"
        " classifier has a weight for each of them, and one number more."
        " **Word counts** get the same classifier and the same reviews, but a number for each word. What stands in no"
        " review they know nothing of."
    )
    st.markdown(f"**Which layer knows?** Trained on {SIZES[-1]} reviews, after each depth")
    means = {part: [result.by_depth[depth].mean(0)[kind] for depth in DEPTHS] for kind, part in enumerate(TESTS)}
    display.figure(
        figures.by_depth(DEPTHS, {part: np.array(values) for part, values in means.items()}, s.depth),
        key="fine-depth",
        alt="Tests right by depth. "
        + " ".join(
            f"{part}: "
            + ", ".join(f"{as_chance(x)} after {depth} layers" for depth, x in zip(DEPTHS, values, strict=True))
            + "."
            for part, values in means.items()
        ),
    )
    st.markdown(_layers_found(result))
    st.caption(
        f"Means over {N_DRAWS} random draws from 160 reviews, with a band of one standard deviation; always the same"
        " 60 plain tests and 60 negated ones, so one test is 1.7 points. Trained on this machine."
        f" {RECORDED} *All of MiniLM*: {_tuned_note()}"
    )
    with st.expander("The code that ran", icon=":material/code:"):
        teaching.code("transformer/training/classifier.py", "optimum")
        teaching.code("transformer/training/studies/reviews_runs.py", "representation")
        teaching.code("transformer/training/studies/reviews_runs.py", "tune")


def _lines(result: Result, kind: int) -> dict[str, Line]:
    """The lines of one kind of test, 0 plain and 1 negated."""
    runs = stored().runs
    sizes = tuple(sorted({run.n for run in runs}))
    tuned = [[run.accuracy[kind][-1] for run in runs if run.n == n] for n in sizes]
    return {
        FROZEN: Line(SIZES, np.stack([result.frozen[n][:, kind] for n in SIZES], axis=1)),
        TUNED: Line(sizes, np.array(tuned).T),
        COUNTS: Line(SIZES, np.stack([result.counts[n][:, kind] for n in SIZES], axis=1)),
    }


def _begun(kind: int) -> Line:
    """The same for the draws of `TUNED` before their first step: a classifier on MiniLM as it is."""
    runs = stored().runs
    sizes = tuple(sorted({run.n for run in runs}))
    return Line(sizes, np.array([[run.accuracy[kind][0] for run in runs if run.n == n] for n in sizes]).T)


def _alt(result: Result, kind: int) -> str:
    shares = ", ".join(
        f"{n} reviews: MiniLM {as_chance(result.frozen[n].mean(0)[kind])},"
        f" word counts {as_chance(result.counts[n].mean(0)[kind])}"
        for n in (SIZES[0], SIZES[-1])
    )
    return f"Share of {TESTS[kind]} tests right by number of reviews. {shares}."


def _findings(result: Result) -> str:
    """What the figure shows, in words that its numbers choose."""
    most = SIZES[-1]
    counts = result.counts[most].mean(0)
    frozen = {n: result.frozen[n].mean(0) for n in SIZES}
    enough = next((n for n in SIZES if frozen[n][0] >= counts[0]), None)
    first = (
        f"With **{enough} reviews** the classifier on MiniLM has {as_chance(frozen[enough][0])} of the plain tests"
        f" right. Word counts have {as_chance(counts[0])} after **{most}**."
        if enough is not None
        else f"On plain tests word counts are ahead here: {as_chance(counts[0])} against {as_chance(frozen[most][0])}."
    )
    second = _negation_found(frozen[most], counts)
    return f"{first}\n\n{second}\n\n{tuned_found()}"


def _negation_found(frozen: np.ndarray, counts: np.ndarray) -> str:
    """What becomes of a negation."""
    if frozen[1] < CHANCE - 0.03:
        return (
            f"**Negation** turns this round. Of tests such as “hardly boring” MiniLM has only {as_chance(frozen[1])}"
            f" right, fewer than a coin would: it knows what *boring* means, and counts it as criticism. Word counts,"
            f" which know less, have {as_chance(counts[1])}."
        )
    if frozen[0] - frozen[1] > 0.05:
        return (
            f"**Negation** is harder. On tests such as “hardly boring” MiniLM gets to {as_chance(frozen[1])} and word"
            f" counts to {as_chance(counts[1])}; a coin has 50%."
        )
    return f"**Negation** is no harder for it here: {as_chance(frozen[1])}; word counts have {as_chance(counts[1])}."


def tuned_found() -> str:
    """What training all weights brings at the largest number of reviews, beside where the same draws began."""
    most = max(run.n for run in stored().runs)
    runs = [run for run in stored().runs if run.n == most]
    before, after = (np.mean([[part[end] for part in run.accuracy] for run in runs], axis=0) for end in (0, -1))
    return (
        f"**All weights** of MiniLM trained on {most} reviews, in {len(runs)} draws: {as_chance(after[0])} of the plain"
        f" tests and {as_chance(after[1])} of the negated ones. Before, with the classifier alone, the same draws had"
        f" {as_chance(before[0])} and {as_chance(before[1])}."
    )


def _tuned_note() -> str:
    file = stored()
    sizes = sorted({run.n for run in file.runs})
    seconds = np.mean([run.seconds for run in file.runs])
    return (
        f"all {file.n_parameters / 1e6:.1f} million weights trained for {file.runs[0].steps[-1]} steps on"
        f" {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} reviews, in"
        f" {len(file.runs) // len(sizes)} draws each; {seconds:.0f} seconds of one processor per"
        " training. They are stored; the same command trains them again. Open circles: where these same draws began."
    )


def _layers_found(result: Result) -> str:
    """What the second figure shows, in words that its numbers choose."""
    means = {depth: shares.mean(0) for depth, shares in result.by_depth.items()}
    best = [max(DEPTHS, key=lambda depth, kind=kind: means[depth][kind]) for kind in range(len(TESTS))]
    return (
        f"With the embeddings only, a review is the mean of its tokens’ vectors before any attention. Such a mean"
        f" hardly knows the order of the words. It has {as_chance(means[0][0])} of the plain tests right, and"
        f" {as_chance(means[0][1])} of the negated ones. What a layer adds is context: *not* and *good* can become"
        f" one thing only where one token looks at the other. Best are {DEPTH_NAMES[best[0]]} for plain tests"
        f" ({as_chance(means[best[0]][0])}) and {DEPTH_NAMES[best[1]]} for negated ones"
        f" ({as_chance(means[best[1]][1])})."
        "\n\nMiniLM was trained to make texts on the same matter similar. Whether they praise or criticise was never"
        " its aim. A model of another kind may do better or worse."
    )


def _compared(s: Settings, result: Result) -> Curves:
    lines: dict[str, np.ndarray] = {
        part: np.array([result.frozen[n].mean(0)[kind] for n in SIZES]) for kind, part in enumerate(TESTS)
    }
    return Curves(tuple(map(str, SIZES)), lines, ("reviews to learn from", "tests right"))


VIEW = View(
    ask,
    compute,
    draw,
    layout=layout,
    height=430,
    comparison=Comparison(lambda s: f"MiniLM, {DEPTH_NAMES[s.depth]}", _compared),
)
