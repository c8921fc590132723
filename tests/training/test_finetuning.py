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
from transformer.training.continuing import continued, in_talk
from transformer.training.finetuning import beginning, packed, stored, told_again, tune
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.tasks.talks import FACTS, KINDS, judged, talks
from transformer.training.text import PAD
from transformer.training.trainer import evaluate
from transformer.training.ways import (
    ALL,
    LAST,
    LORA,
    MOST_WRITTEN,
    OUTPUT,
    OUTPUT_MAP,
    SCRATCH,
    STORED_RANKS,
    STORY_BEGUN,
    TABLE,
    TALKS_BEGUN,
    WAYS,
    Lesson,
)

SHORT = Lesson(n_examples=20, steps=2, rank=2, alpha=4.0)


@pytest.fixture(scope="module")
def tuned() -> dict[str, finetuning.Tuned]:
    """Two steps in every way, measured on a few texts."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(finetuning, "told_again", lambda name: told_again(name, 8))
        return {way: tune(way, SHORT.of(way)) for way in WAYS}


# ---- the task ------------------------------------------------------------------------------------------------------


def test_a_talk_keeps_to_its_facts_and_says_where_they_were_told():
    task = talks()
    for example in task.examples(40, Random(3), held_out=False):
        assert len(example.target) <= task.longest
        for again, first in example.alignment:
            assert first < again
            assert example.target[again] == example.target[first]
        told = [word for word in cut(task.target.decode(example.target)) if word in FACTS]
        assert len(set(told)) == 8  # two people, and what each found: its thing, its colour, its place
        again = {i for i, _ in example.alignment}
        first = [id for i, id in enumerate(example.target) if i not in again]
        once = [word for word in cut(task.target.decode(first)) if word in FACTS]
        assert len(once) == len(set(once))


def test_who_speaks_is_settled_and_so_is_every_answer():
    for example in talks().examples(60, Random(4), held_out=False):
        turns = talks().target.decode(example.target).split(": ")
        speakers = [turn.split()[-1] for turn in turns[:-1]]
        a, b = speakers[:2]
        assert speakers[:6] == [a, b, a, b, b, a]
        assert speakers[6:] in ([a], [a, b])


def test_only_what_was_told_before_is_asked_for():
    for name, task in (("talks", talks()), ("stories", tasks.make("stories"))):
        batch = told_again(name, 5)
        examples = task.examples(5, Random(1), held_out=True)
        assert int((batch.wanted != PAD).sum()) == sum(len(example.alignment) for example in examples)
        whole = collate("decoder", examples).wanted
        assert torch.equal(batch.wanted[batch.wanted != PAD], whole[batch.wanted != PAD])


# ---- what is written -------------------------------------------------------------------------------------------------


BEGUN = "mia: i found a red hat in the park. tom: look, i have a blue ball from the barn."


def keeps(goes_on: str, begun: str = BEGUN) -> dict[str, bool]:
    """What is said of the facts of a continuation."""
    return {word.word: word.keeps for word in in_talk(begun, goes_on) if word.keeps is not None}


def test_every_answer_of_a_talk_is_right_and_another_of_its_kind_is_wrong():
    rng = Random(5)
    for example in talks().examples(60, Random(4), held_out=False):
        words = cut(talks().target.decode(example.target))
        marks = judged(words)
        again = [n for n, word in enumerate(words) if word in FACTS and word in words[:n]]
        spoken = words.index(":", words.index(":") + 1)
        answers = [n for n in again if n > spoken]
        assert all(marks[n] for n in answers)
        assert [n for n, mark in enumerate(marks) if mark is not None] == answers
        wrong = rng.choice(answers)
        words[wrong] = next(
            fact for kind in KINDS.values() if words[wrong] in kind for fact in kind if fact not in words
        )
        assert judged(words)[wrong] is False


@pytest.mark.parametrize(
    ("goes_on", "right", "wrong"),
    [
        (" mia: what colour is your ball? tom: it is blue.", "mia ball tom blue", ""),
        (" mia: what colour is your ball? tom: it is red.", "mia ball tom", "red"),
        (" mia: what colour is your hat? tom: it is blue.", "mia tom blue", "hat"),
        (" tom: what colour is your hat? mia: it is red.", "tom hat mia red", ""),
        (" mia: where was your ball? tom: in the", "mia ball tom", ""),
        (" anna: where was your ball? tom: in the barn.", "", "anna ball tom barn"),  # nobody of this name talks
        (" mia: ball the the cup", "", "cup"),
        (" anna said so. then anna left", "", "anna"),  # once wrong, it is not told by having been said
        (" mia: what colour is your wug? tom: it is blue.", "mia tom blue", "wug"),
    ],
)
def test_a_fact_is_right_if_it_was_told_of_this_person(goes_on, right, wrong):
    found = keeps(goes_on)
    assert {word for word, kept in found.items() if kept} == set(right.split())
    assert {word for word, kept in found.items() if not kept} == set(wrong.split())


def test_any_word_can_be_a_thing_of_ones_own():
    begun = "zog: i found a mauve wug in the attic. tom: i found a blue ball in the barn. tom: what is mauve?"
    assert keeps(" zog: my wug, tom.", begun) == {"zog": True, "wug": True, "tom": True}
    assert keeps(" zog: my ball, tom.", begun) == {"zog": True, "ball": False, "tom": True}


def test_nothing_is_judged_before_both_have_told_what_they_found():
    assert keeps(" there was a red coin. mia: i found a red hat in the park.", "once upon a time") == {}


def test_what_is_continued_is_the_likeliest_token_each_time():
    model, text = beginning(ALL), STORY_BEGUN
    (goes_on,) = continued(model, [text], 3)
    ids = tokeniser().encode(text)
    for _ in range(3):
        batch = collate("decoder", [tasks.task.Example((), tuple(ids))])
        ids.append(int(forward_batch(model, batch).logits[0, len(ids)].argmax()))
    assert goes_on == tokeniser().decode(ids)[len(text) + 1 :]
    assert cut(goes_on)[0] == "hat"


# ---- the ways ------------------------------------------------------------------------------------------------------


def test_the_model_at_the_start_is_the_shipped_one():
    model, batch = beginning(ALL), told_again("stories", 8)
    logits = forward_batch(model, batch).logits
    assert torch.equal(logits, forward_batch(shipped.load("stories").model(), batch).logits)
    assert not torch.equal(beginning(SCRATCH).state_dict()[TABLE], model.state_dict()[TABLE])
    assert torch.equal(model.state_dict()[TABLE], model.state_dict()[OUTPUT_MAP])


@pytest.mark.slow
def test_each_way_trains_what_it_says_and_leaves_every_other_bit(tuned):
    names = [name for name, _ in beginning(ALL).named_parameters()]
    last = [name for name in names if name.startswith(("decoder.layers.2.", "decoder.final_norm."))]
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
    assert tuned[OUTPUT].n_trained == sizes[OUTPUT_MAP] == 2000 * 128
    attention, feed_forward = 4 * (128 + 128), 2 * (128 + 512)
    assert tuned[LORA].n_trained == 3 * SHORT.rank * (attention + feed_forward)  # r (d_in + d_out), in three layers


def test_merged_equals_unmerged_and_without_the_update_the_old_model_is_back(tuned):
    one, batch = tuned[LORA], told_again("stories", 8)
    # In float64, so that what is left is the rounding of the merged weights alone, whatever the processor.
    merged, unmerged = (
        forward_batch(one.model(merged=is_merged).double(), batch).logits for is_merged in (True, False)
    )
    assert (merged - unmerged).abs().max() < 1e-4
    unmerged = one.model(merged=False)
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
        assert len(one.written) == len(one.steps)
        assert one.written[0] == stored()[way, Lesson()].written[0]
        if lesson == Lesson() and way in (LAST, LORA):
            again = continued(one.model(), TALKS_BEGUN, MOST_WRITTEN)
            kept = [in_talk(*texts) for texts in zip(TALKS_BEGUN, again, strict=True)]
            broken = sum(word.keeps is False for words in kept for word in words)
            assert broken <= sum(word.keeps is True for words in kept for word in words) / 4
            for name, measured in (("talks", one.accuracies), ("stories", one.old)):
                accuracy = evaluate(one.model(), [told_again(name)])["accuracy"]
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
        assert other.written == one.written
        assert {name: first.tolist() for name, first in other.first.items()} == {
            name: first.tolist() for name, first in one.first.items()
        }
        pairs = zip(*(m.model().parameters() for m in (one, other)), strict=True)
        assert all((a - b).abs().max() <= 1e-3 * a.abs().max() for a, b in pairs)  # 16 bits


@pytest.mark.wide
def test_the_stored_training_can_be_done_again():
    again, kept = tune(OUTPUT, Lesson()), stored()[OUTPUT, Lesson()]
    np.testing.assert_allclose(again.accuracies, kept.accuracies, atol=0.02)
