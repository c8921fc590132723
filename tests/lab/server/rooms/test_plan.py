"""What a room can ask, and which answers there are: whatever a browser sends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.server.rooms.plan import MASKED, MAX_LABELS, MAX_SIDE, MAX_STEPS, Plan, PlanError, Step, histogram, unpacked
from tests.lab.server.rooms.conftest import PLAN

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=4)
)


def test_a_plan_comes_back_as_it_was():
    assert unpacked(PLAN.packed()) == PLAN


def test_a_room_that_was_opened_before_its_questions_had_all_their_parts_goes_on():
    title, steps = json.loads(PLAN.packed())
    assert unpacked(json.dumps([title, [step[:-1] for step in steps]])) == PLAN


@given(anything, st.sampled_from(PLAN.steps))
def test_any_json_is_an_answer_in_range_or_none(value, step: Step):
    kept = step.checked(value)
    if kept is None:
        return
    assert len(kept) < 64
    read = step.read(kept)
    if step.kind == "curve":
        assert isinstance(read, list)
        assert len(read) == len(step.labels)
        assert all(step.low <= one <= step.high for one in read)
    elif step.kind == "map":
        assert isinstance(read, list)
        row, column = (int(one) for one in read)
        assert 0 <= column <= row < len(step.labels)
    elif step.kind == "number":
        assert isinstance(read, float)
        assert step.low <= read <= step.high
    else:
        assert step.labels[int(read)] in step.labels  # type: ignore[arg-type]


MAP = Step("map", "h", "a", ("x", "y"), (0.9, MASKED, 0.4, 0.6))


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ([1, 0], "1,0"),
        ([0, 0], "0,0"),
        ([0, 1], None),  # masked
        ([2, 0], None),
        ([-1, 0], None),
        ([1.0, 0], None),
        ([True, 0], None),
        ([1], None),
        ([1, 0, 0], None),
        ("1,0", None),
        (1, None),
    ],
)
def test_a_cell_is_two_small_numbers_of_what_can_be_seen(value, kept: str | None):
    assert MAP.checked(value) == kept
    assert kept is None or MAP.read(kept) == value


@given(st.lists(st.floats(-3, 7), max_size=50), st.integers(1, 30))
def test_every_number_falls_into_one_part_of_the_range(values: list[float], n: int):
    counts = histogram(values, -3, 7, n)
    assert len(counts) == n
    assert sum(counts) == len(values)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=16))
def test_a_curve_is_kept_to_a_hundredth_of_its_range(values: list[float]):
    step = Step("curve", "", "", tuple(map(str, range(len(values)))))
    kept = step.checked(values)
    assert kept is not None
    assert step.read(kept) == pytest.approx(values, abs=0.0051)


OPTIONS = Step("options", "h", "a", ("x", "y"))


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((), "1 to"),
        ((OPTIONS,) * (MAX_STEPS + 1), "1 to"),
        ((OPTIONS._replace(labels=("x",)),), "Question 1 has 1 answers"),
        ((OPTIONS, OPTIONS._replace(labels=("x",) * (MAX_LABELS + 1))), "Question 2 has"),
        ((OPTIONS._replace(truth=(1.0,)),), "does not fit"),
        ((OPTIONS._replace(truth=(1.0, float("nan"))),), "does not fit"),
        ((OPTIONS._replace(kind="curve", labels=("x",) * 17),), "17 points"),
        ((OPTIONS._replace(kind="number", labels=(), low=1.0),), "range"),
        ((OPTIONS._replace(kind="map", labels=("x",) * (MAX_SIDE + 1)),), "a map of 19 tokens"),
        ((OPTIONS._replace(kind="map", truth=(0.5,) * 3),), "does not fit"),
        ((OPTIONS._replace(kind="poem"),), "no kind"),
        ((OPTIONS._replace(ask="x" * 130_000),), "bytes"),
    ],
)
def test_a_plan_that_no_room_takes_is_one_sentence(steps: tuple, said: str):
    with pytest.raises(PlanError, match=said):
        Plan("title", steps).packed()


def test_a_plan_is_json_and_nothing_else():
    assert json.loads(PLAN.packed())[0] == PLAN.title
