"""Row 66: without the causal mask the answer leaks while training, and nothing is left when writing."""

import pytest

from transformer.inspection import look_ahead
from transformer.training.plan import make_trainer
from transformer.training.trainer import Snapshot

Pair = dict[bool, tuple[Snapshot, look_ahead.Outcome]]  # the last snapshot and the outcome, by `look_ahead`
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pair() -> Pair:
    trainers = {sees_ahead: make_trainer(look_ahead.plan(look_ahead=sees_ahead)) for sees_ahead in (False, True)}
    return {sees_ahead: (list(t.run())[-1], look_ahead.outcome(t.model, t.task)) for sees_ahead, t in trainers.items()}


@pytest.mark.wide
def test_without_the_mask_it_is_right_while_training_and_wrong_when_writing(pair: Pair) -> None:
    last, outcome = pair[True]
    assert last.accuracy > 0.99
    assert outcome.exactly_right < 0.1


@pytest.mark.wide
def test_with_the_mask_it_is_right_both_times(pair: Pair) -> None:
    last, outcome = pair[False]
    assert last.accuracy > 0.95
    assert outcome.exactly_right > 0.9


@pytest.mark.wide
def test_samples_are_the_tasks_own(pair: Pair) -> None:
    for source, answer, _ in pair[False][1].samples:
        assert source.split()[::-1] == answer.split()
