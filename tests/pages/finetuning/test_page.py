"""The page on fine-tuning as the server runs it: what is stored is there at once, what is asked for is trained."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from lab.kit.words import as_chance
from pages.finetuning import data, figures
from pages.finetuning.controls import origin
from pages.finetuning.race import _lost, headline, price, ranked, table
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, control, notices, payload, press, words
from transformer.training import finetuning
from transformer.training.finetuning import Tuned, stored, told_again
from transformer.training.tasks.storytelling.tokens import cut
from transformer.training.tasks.talks import talks
from transformer.training.text import BOS
from transformer.training.ways import ALL, LAST, LORA, OUTPUT, OUTPUT_MAP, SCRATCH, WAYS, Lesson

RUNNERS = tuple(way for way in WAYS if way != SCRATCH)  # on the plane; from scratch is in the curves below
N_MATRICES = 20  # an embedding, six in each of three layers, an output map


def of(way: str, lesson: Lesson | None = None) -> Tuned:
    return stored()[way, lesson or Lesson()]


@pytest.fixture
def no_training(monkeypatch) -> None:
    def tune(*_: object) -> None:
        raise AssertionError("this comes with the project")

    monkeypatch.setattr(finetuning, "tune", tune)


@pytest.mark.usefixtures("no_training")
def test_each_model_goes_on_with_what_it_wrote_in_its_training() -> None:
    sent = payload(driver.visit("finetuning"))
    assert [one["way"] for one in sent["talk"]["ways"]] == ranked({way: of(way) for way in RUNNERS})
    assert sent["trained"] == {way: [of(way).n_trained, of(way).n_parameters] for way in RUNNERS}
    assert sent["talk"]["steps"] == of(ALL).steps.tolist()
    for one in sent["talk"]["ways"]:
        for text, written in zip(one["texts"], of(one["way"]).written, strict=True):
            assert [word for _, word, _ in text] == cut(written[0])
    last = {one["way"]: one["texts"][-1] for one in sent["talk"]["ways"]}
    right = {way: [word for _, word, keeps in text if keeps] for way, text in last.items()}
    assert right[ALL][0] == "barn"
    assert "barn" not in right[OUTPUT]
    race = {one["way"]: one for one in sent["race"]["ways"]}
    assert sent["race"]["steps"] == of(ALL).steps.tolist()
    for way in RUNNERS:
        np.testing.assert_allclose(race[way]["learned"], of(way).accuracies, atol=1e-4)
        np.testing.assert_allclose(race[way]["kept"], of(way).old, atol=1e-4)


def right_of(sample: list, step: int) -> tuple[int, int]:
    """How many facts of a text a model has right at a step, by its number, and of how many."""
    return sample[step].count(None), len(sample[step])


@pytest.mark.usefixtures("no_training")
def test_what_is_struck_in_the_story_that_is_shown_is_what_the_percentage_counts() -> None:
    """Within about one fact at every step, of every way, and at the end in the order of their shares."""
    sent = payload(driver.visit("finetuning"))["typical"]
    batch = told_again("stories")
    wanted = batch.wanted[batch.wanted != 0].numpy()
    ends = {}
    for way in RUNNERS:
        one, says = of(way), sent["ways"][way]
        np.testing.assert_allclose((one.first["stories"] == wanted).mean(1), one.old, atol=1e-4)
        for step, share in enumerate(one.old):
            right, n = right_of(says, step)
            assert n >= 5
            assert n == sum(is_fact for *_, is_fact in sent["text"])
            assert abs(right - share * n) < 1.1, (way, step)
        ends[way] = (float(one.old[-1]), right_of(says, -1)[0])
    by_share = sorted(ends, key=lambda way: ends[way][0])
    assert [ends[way][1] for way in by_share] == sorted(right for _, right in ends.values())
    assert len({right for _, right in ends.values()}) > 2, "an order that says something"


@pytest.mark.usefixtures("no_training")
def test_what_is_said_in_place_of_a_fact_is_what_the_model_ranks_first() -> None:
    sent = payload(driver.visit("finetuning"))["typical"]
    tokens = talks().target
    says, words = sent["ways"][ALL], sent["text"]
    whole = [BOS, *tokens.encode(" ".join(word for _, word, _ in words))]
    logits = of(ALL).model()(torch.tensor([whole])).logits[0]
    at, n, wrong = 1, 0, 0
    for _, word, is_fact in words:
        ids = tokens.of_word(word)
        if is_fact:
            said = says[-1][n]
            if len(ids) == 1:
                likeliest = tokens.decode([int(logits[at - 1].argmax())])
                assert (said or word).removesuffix("…") == likeliest
                wrong += said is not None
            n += 1
        at += len(ids)
    assert wrong > 1


@pytest.mark.usefixtures("no_training")
def test_a_beginning_of_ones_own_is_continued_before_and_after() -> None:
    own = "tom: i found a pink sock in the sea. mia: i found a grey harp in the mill. tom: what colour is your harp?"
    at = driver.visit("finetuning", text=own)
    sent = payload(at)
    assert sent["talk"]["begins"] == own
    assert not sent["talk"]["is_usual"], "the figure opens on what is written after it"
    assert payload(driver.visit("finetuning"))["talk"]["is_usual"]
    assert sent["talk"]["steps"] == [0, 160]
    texts = {one["way"]: [[word for _, word, _ in text] for text in one["texts"]] for one in sent["talk"]["ways"]}
    assert texts[LORA][1][:5] == ["mia", ":", "it", "is", "grey"]
    assert texts[LORA][0] == texts[ALL][0] != texts[ALL][1]
    assert "after step 160: the models between were not kept" in words(at)
    assert sent["race"]["steps"] == of(ALL).steps.tolist(), "the race is measured at every step all the same"
    assert "letters are read" in notices(driver.visit("finetuning", text="mia: " + "hat " * 120))


@pytest.mark.usefixtures("no_training")
def test_every_view_shows_what_is_stored() -> None:
    at = driver.visit("finetuning")
    assert notices(at) == ""
    assert "python -m transformer.training.finetuning" in words(at)
    assert f"| {as_chance(of(LORA).accuracies[-1])} | {of(LORA).n_trained:,} (2%) |" in words(at), "as in the bars"
    kept = [round(100 * of(way).old[-1]) for way in (ALL, LORA)]
    assert f"left **{kept[0]}%**, and LoRA **{kept[1]}%**" in words(at)
    assert ("LoRA trains only 2% as many numbers and still forgot more" in words(at)) == (kept[1] < kept[0])
    assert words(at).count(f"**{headline({way: of(way) for way in WAYS})}.** ") == 1
    assert words(at).count(f"**{price({way: of(way) for way in WAYS})}.** ") == 1

    at = driver.visit("finetuning", fine_moved="true")
    cells, written = chart(at)["data"]
    assert np.shape(cells["z"]) == (N_MATRICES, len(WAYS))
    n_frozen = (N_MATRICES - 1) + (N_MATRICES - 7) + 2  # with output only, last layer, and LoRA
    assert list(written["text"]).count("frozen") == n_frozen
    assert "equal bit for bit" in words(at)
    assert "has rank **4**" in words(at)
    assert "the probabilities of the two differ by nothing but rounding (below 0.00001)." in words(at)
    at = choose(at, fine_rank=2, fine_matrix="layer 0 W_1")
    assert "has rank **2**" in words(at)
    b, a, product = (np.array(trace["z"]) for trace in chart(at, 1)["data"])
    assert (b.shape, a.shape) == ((512, 2), (2, 128))
    np.testing.assert_allclose(product, 2.0 * b @ a, atol=1e-6)
    at = press(at, "finetuning-rank-0")
    assert driver.questions(at)["finetuning-rank"] == "right"

    assert not charts(driver.visit("finetuning")), "no head is computed before they are asked for"
    at = driver.visit("finetuning", fine_view="What was forgotten", fine_way=LORA, fine_text="talks")
    assert control(at, "fine_view").value == "The race"
    assert "**LoRA**, reading “mia: i found" in words(at)
    assert len(charts(at)) == 1


def test_another_lesson_is_trained_for_those_ways_that_it_changes(monkeypatch) -> None:
    asked = []

    def quick(way: str, lesson: Lesson, report) -> Tuned:
        asked.append((way, lesson))
        report(0.5)
        return replace(of(way), lesson=lesson)

    monkeypatch.setattr(finetuning, "tune", quick)
    at = driver.visit("finetuning", fine_factor=8, fine_seed=99)
    assert [way for way, _ in asked] == [LORA]
    assert asked[0][1].alpha == 32.0
    assert len(notices(at).splitlines()) == 1  # there is no such seed
    assert control(at, "fine_seed").value == 0
    assert "LoRA: trained just now, on this machine" in words(at)


def test_what_is_trained_in_which_way_is_said() -> None:
    one = {way: of(way) for way in WAYS}
    assert origin(one).startswith("Trained when this project was made")
    rows = table(one).splitlines()[2:]
    order = ranked(one)
    steps = [of(way).steps_to_target for way in order]
    assert sorted(order) == sorted(WAYS)
    assert steps == sorted(steps, key=lambda step: np.inf if step is None else step)
    assert [row.split("|")[5].strip() for row in rows] == [
        f"{of(way).n_trained:,} ({of(way).n_trained / 1_107_072:.0%})" for way in order
    ]
    assert [("| never |" in row) for row in rows] == [step is None for step in steps]
    first = min(step for step in steps if step is not None)
    assert headline(one) == f"Quickest: {order[0]}, with 90% right after {first} steps"
    assert headline({OUTPUT: of(OUTPUT)}) == f"None gets 90% right; {OUTPUT} comes closest"
    least = max(WAYS[1:], key=lambda way: of(way).old[-1])
    left = f"{of(least).old[-1]:.0%}"
    assert price(one) == f"Forgets least: {least}, with {left} still right in stories"


def test_what_is_said_to_be_stored_is() -> None:
    assert data.is_stored(OUTPUT, Lesson(rank=32))  # which has no rank
    assert not data.is_stored(LORA, Lesson(rank=32))
    assert not data.is_stored(ALL, Lesson(seed=1))
    assert all(data.is_stored(way, lesson) for way, lesson in stored())


def test_frozen_matrices_are_marked_and_others_have_numbers() -> None:
    moved = data.moved(LAST, Lesson(), of(LAST)).by_matrix
    assert moved["embedding"] is None
    assert moved["layer 0 W_q"] is None
    assert moved["output map"] > 0
    assert moved["layer 2 W_2"] > 0
    before = finetuning.beginning(LAST).state_dict()[OUTPUT_MAP]
    change = (of(LAST).changed[OUTPUT_MAP] - before).norm() / before.norm()
    assert moved["output map"] == pytest.approx(change.item(), rel=1e-5)
    drawn = figures.moved_map(["a", "b"], {"one way": [None, 1.0], "other": [0.5, 0.0]})
    assert drawn.data[1].text == ("frozen", "0.50", "1.00", "0.00")


def test_heads_are_counted_from_zero_and_the_future_is_hatched() -> None:
    maps = np.full((2, 4, 3, 3), 1 / 3)
    drawn = figures.heads(maps, maps, np.full((2, 4), 0.25))
    names = [note.text for note in drawn.layout.annotations]
    assert names[0] == "head 0.0"
    assert names[4] == "25% moved"
    assert names[-5] == "head 1.3"
    assert np.isnan(drawn.data[0].z[0, 1])  # the first query may not look at the second key


@pytest.mark.wide
def test_an_update_that_is_zero_is_drawn() -> None:
    figures.low_rank(np.zeros((4, 1)), np.ones((1, 3)), np.zeros((4, 3)), 2.0).to_json()
    assert len(charts(driver.visit("finetuning", fine_moved="true", fine_rank=1))) == 2


def test_what_lora_forgets_is_said_of_lora_alone_and_from_its_numbers() -> None:
    """Of three ways that train fewer numbers than all weights, one may forget more and another less."""
    tuned = {way: of(way) for way in WAYS}
    share = f"{tuned[LORA].n_trained / tuned[LORA].n_parameters:.0%}"
    for old, said in (
        (0.5, f"LoRA trains only {share} as many numbers and still forgot more."),
        (0.9, f"LoRA trains only {share} as many numbers, and forgot less."),
        (tuned[ALL].old[-1], f"LoRA trains only {share} as many numbers and still forgot as much."),
    ):
        changed = replace(tuned[LORA], old=np.array([*tuned[LORA].old[:-1], old]))
        assert said in _lost(tuned | {LORA: changed})
