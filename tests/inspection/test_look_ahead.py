"""Row 66: without the causal mask the answer leaks while training, and nothing is left when writing."""

import pytest

from transformer.inspection import look_ahead

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pair():
    trainers = {open_eyes: look_ahead.trainer(look_ahead=open_eyes) for open_eyes in (False, True)}
    return {open_eyes: (list(t.run())[-1], look_ahead.outcome(t)) for open_eyes, t in trainers.items()}


def test_without_the_mask_it_is_right_while_training_and_wrong_when_writing(pair):
    last, made = pair[True]
    assert last.accuracy > 0.99
    assert made.exactly_right < 0.1


def test_with_the_mask_it_is_right_both_times(pair):
    last, made = pair[False]
    assert last.accuracy > 0.95
    assert made.exactly_right > 0.9


def test_samples_are_the_tasks_own(pair):
    for read, wanted, _ in pair[False][1].samples:
        assert read.split()[::-1] == wanted.split()
