"""Row 66: without the causal mask the answer leaks while training, and nothing is left when writing."""

import pytest

from transformer.inspection import look_ahead
from transformer.training.plan import make_trainer
from transformer.training.tasks.tales import COLOURS
from transformer.training.trainer import Snapshot

Pair = dict[bool, tuple[Snapshot, look_ahead.Outcome]]  # the last snapshot and the outcome, by `look_ahead`
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pair() -> Pair:
    trainers = {sees_ahead: make_trainer(look_ahead.plan(look_ahead=sees_ahead)) for sees_ahead in (False, True)}
    return {
        sees_ahead: (list(t.run())[-1], look_ahead.outcome(t.model, t.task, look_ahead=sees_ahead))
        for sees_ahead, t in trainers.items()
    }


@pytest.mark.wide
def test_without_the_mask_it_is_right_while_training_and_wrong_when_writing(pair: Pair) -> None:
    last, outcome = pair[True]
    assert last.accuracy > 0.99
    assert outcome.right < 0.1


@pytest.mark.wide
def test_without_the_mask_it_says_whatever_word_is_put_there(pair: Pair) -> None:
    _, outcome = pair[True]
    assert outcome.copied > 0.95
    for sample in outcome.samples:
        assert tuple(sample.says) == COLOURS


@pytest.mark.wide
def test_with_the_mask_it_is_right_both_times_and_no_word_put_there_moves_it(pair: Pair) -> None:
    last, outcome = pair[False]
    assert 0.7 < last.accuracy < 0.95  # nobody can know which colour a tale will name
    assert outcome.right > 0.6
    assert outcome.copied == pytest.approx(1 / len(COLOURS))
    for sample in outcome.samples:
        said = set(sample.says.values())
        assert said == {sample.written[0]}, "what it says in training is what it writes"


@pytest.mark.wide
def test_samples_are_tales_up_to_their_first_colour(pair: Pair) -> None:
    for words, n_read, *_ in pair[False][1].samples:
        assert words[n_read] in COLOURS
        assert not set(words[:n_read]) & set(COLOURS)
