"""Fine-tuning in five ways: what each trains, what stays as it is, and the trainings that come with the project."""

from random import Random
from typing import Any

import numpy as np
import pytest
import torch

from transformer.core.checks import InputError
from transformer.core.interruption import interruptible
from transformer.training import finetuning, shipped, tasks
from transformer.training.batches import collate, forward_batch
from transformer.training.finetuning import beginning, packed, stored, told_again, tune
from transformer.training.tasks import tales
from transformer.training.tasks.talks import NEW_WORDS, WORDS, talks
from transformer.training.text import PAD
from transformer.training.ways import ALL, LAST, LORA, OUTPUT, OUTPUT_MAP, SCRATCH, STORED_RANKS, TABLE, WAYS, Lesson

SHORT = Lesson(n_examples=20, steps=2, rank=2, alpha=4.0)


@pytest.fixture(scope="module")
def tuned() -> dict[str, finetuning.Tuned]:
    """Two steps in every way, measured on a few texts."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(finetuning, "told_again", lambda name: told_again(name, 3))
        return {way: tune(way, SHORT.of(way)) for way in WAYS}


# ---- the task ------------------------------------------------------------------------------------------------------


def test_a_talk_keeps_to_its_facts_and_says_where_they_were_told():
    task = talks()
    for example in task.examples(40, Random(3), held_out=False):
        assert len(example.target) <= task.longest
        for again, first in example.alignment:
            assert first < again
            assert example.target[again] == example.target[first]
            assert example.target.index(example.target[again]) == first
        facts = {id for id in example.target if WORDS.vocabulary[id] in {f for fact in tales.FACTS for f in fact}}
        n_told = sum(id in facts for id in example.target)
        assert n_told == len(facts) + len(example.alignment)  # every fact once, and then again


def test_its_words_are_those_of_the_tales_by_the_same_ids():
    known = tales.WORDS.vocabulary.tokens
    assert WORDS.vocabulary.tokens[: len(known)] == known
    assert "i" in NEW_WORDS
    assert "mia" not in NEW_WORDS


def test_only_what_was_told_before_is_asked_for():
    for name, task in (("talks", talks()), ("tales", tasks.make("tales"))):
        batch = told_again(name, 5)
        examples = task.examples(5, Random(1), held_out=True)
        assert int((batch.wanted != PAD).sum()) == sum(len(example.alignment) for example in examples)
        whole = collate("decoder", examples).wanted
        assert torch.equal(batch.wanted[batch.wanted != PAD], whole[batch.wanted != PAD])


# ---- the ways ------------------------------------------------------------------------------------------------------


def test_the_model_at_the_start_is_the_shipped_one():
    model, batch = beginning(ALL), told_again("tales", 8)
    known = len(tales.WORDS)
    logits = forward_batch(model, batch).logits
    assert torch.equal(logits[..., :known], forward_batch(shipped.load("tales").model(), batch).logits)
    assert not torch.equal(beginning(SCRATCH).state_dict()[TABLE], model.state_dict()[TABLE])
    assert torch.equal(model.state_dict()[TABLE], model.state_dict()[OUTPUT_MAP])


@pytest.mark.slow
def test_each_way_trains_what_it_says_and_leaves_every_other_bit(tuned):
    names = [name for name, _ in beginning(ALL).named_parameters()]
    last = [name for name in names if name.startswith(("decoder.layers.1.", "decoder.final_norm."))]
    expected = {SCRATCH: names, OUTPUT: [OUTPUT_MAP], LAST: [*last, OUTPUT_MAP], ALL: names, LORA: []}
    for way, one in tuned.items():
        before, after = beginning(way).state_dict(), one.model().state_dict()
        moved = {name for name in names if not torch.equal(before[name], after[name])}
        if way == LORA:
            assert moved == {f"{path}.weight" for path in one.adapters}
        else:
            assert one.changed.keys() == set(expected[way])
            assert moved <= set(expected[way])
            assert {name for name in moved if name.endswith("weight")} >= {OUTPUT_MAP}
        assert one.n_frozen == one.n_equal == len(names) - len(expected[way])


@pytest.mark.slow
def test_trained_parameters_are_counted(tuned):
    sizes = {name: p.numel() for name, p in beginning(ALL).named_parameters()}
    assert tuned[ALL].n_trained == tuned[ALL].n_parameters == sum(sizes.values())
    assert tuned[OUTPUT].n_trained == sizes[OUTPUT_MAP] == len(WORDS) * 64
    attention, feed_forward = 4 * (64 + 64), 2 * (64 + 256)
    assert tuned[LORA].n_trained == 2 * SHORT.rank * (attention + feed_forward)  # r (d_in + d_out), in two layers


def test_merged_equals_unmerged_and_without_the_update_the_old_model_is_back(tuned):
    one, batch = tuned[LORA], told_again("tales", 8)
    merged, unmerged = one.model(), one.model(merged=False)
    assert (forward_batch(merged, batch).logits - forward_batch(unmerged, batch).logits).abs().max() < 1e-4
    for path in one.adapters:
        parent, _, name = path.rpartition(".")
        module = unmerged.get_submodule(parent)
        setattr(module, name, getattr(module, name).base)
    assert torch.equal(forward_batch(unmerged, batch).logits, forward_batch(beginning(LORA), batch).logits)
    head = tuned[OUTPUT].model()
    head.output.linear.weight.data.copy_(beginning(OUTPUT).output.linear.weight.data)
    assert torch.equal(forward_batch(head, batch).logits, forward_batch(beginning(OUTPUT), batch).logits)


def test_it_can_be_interrupted_and_says_how_far_it_is():
    class Left(Exception):
        pass

    shares = []

    def leave() -> None:
        if shares:
            raise Left

    with pytest.raises(Left), interruptible(leave):
        tune(OUTPUT, SHORT, shares.append)
    assert shares == [0.0]


def test_a_lesson_is_bounded():
    wrongs: tuple[dict[str, Any], ...] = (
        {"n_examples": 10**6},
        {"steps": 0},
        {"rank": 33},
        {"alpha": 0.0},
        {"alpha": float("nan")},
    )
    for wrong in wrongs:
        with pytest.raises(InputError):
            Lesson(**wrong)
    assert Lesson(rank=2, alpha=1.0).of(OUTPUT) == Lesson()
    assert Lesson(rank=2, alpha=1.0).of(LORA) != Lesson()


# ---- what is stored ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_is_stored_is_whole_and_its_scores_are_those_of_its_models():
    trained = stored()
    assert {way for way, lesson in trained if lesson == Lesson()} == set(WAYS)
    assert {lesson.rank for way, lesson in trained if way == LORA} == set(STORED_RANKS)
    for (way, lesson), one in trained.items():
        assert (one.way, one.lesson) == (way, lesson)
        assert one.n_equal == one.n_frozen
        assert one.steps[0] == 0
        assert one.steps[-1] == lesson.steps
        if lesson == Lesson() and way in (LAST, LORA):
            for name, measured in (("talks", one.accuracies), ("tales", one.old)):
                accuracy = finetuning.evaluate(one.model(), [told_again(name)])["accuracy"]
                assert abs(accuracy - measured[-1]) < 0.005  # another machine rounds otherwise


def test_what_is_packed_is_read_as_it_was(tuned, tmp_path, monkeypatch):
    file = tmp_path / "tuned.safetensors"
    file.write_bytes(packed(list(tuned.values())))
    monkeypatch.setattr(finetuning, "FILE", file)
    again = finetuning.stored.__wrapped__()
    assert set(again) == {(way, SHORT.of(way)) for way in WAYS}
    for way, one in tuned.items():
        other = again[way, SHORT.of(way)]
        np.testing.assert_allclose(other.losses, one.losses, rtol=1e-5)
        assert all(torch.equal(a, b) for a, b in zip(*(m.model().parameters() for m in (one, other)), strict=True))


@pytest.mark.wide
def test_the_stored_training_can_be_done_again():
    again, kept = tune(OUTPUT, Lesson()), stored()[OUTPUT, Lesson()]
    np.testing.assert_allclose(again.accuracies, kept.accuracies, atol=0.02)
