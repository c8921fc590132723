"""The shelf in memory by a clock of the test's: a day, an hour without a sign, and guesses by the minute."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.server.rooms.guesses import MAX_OF_ALL, MAX_OF_ONE, Guesses
from lab.server.rooms.shelf import AGE, IDLE, AwayError, Entry, Memory, Shelf


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_room_lasts_for_a_day_however_busy():
    clock = Clock()
    shelf = Memory(clock)
    shelf.create("BCDF", Entry("owner", "plan", "state"))
    shelf.sit("BCDF", "seat", may_come=True)
    for _ in range(25):
        clock.now += AGE / 25 - 1
        shelf.answer("BCDF", "0.0", "seat", "1")
        assert shelf.look("BCDF")
    clock.now += 26
    assert shelf.look("BCDF") is shelf.pulse("BCDF") is shelf.owned("owner") is None
    assert shelf.answers("BCDF", "0.0") == {}
    assert not shelf.sit("BCDF", "seat", may_come=True)
    assert shelf.create("BCDF", Entry("other", "plan", "state")), "its code is free"


def test_an_idle_room_makes_way_and_a_busy_one_does_not():
    clock = Clock()
    shelf = Memory(clock, max_rooms=2)
    for n, code in enumerate(("BBBB", "CCCC")):
        shelf.create(code, Entry(f"owner {n}", "plan", "state"))
    assert shelf.is_full()
    clock.now += IDLE - 1
    assert not shelf.step("CCCC", "owner 0", "further", instead_of="state"), "it is another's"
    assert shelf.step("CCCC", "owner 1", "further", instead_of="state")
    assert not shelf.create("DDDD", Entry("late", "plan", "state"))
    clock.now += 2
    assert not shelf.is_full()
    assert shelf.create("DDDD", Entry("late", "plan", "state"))
    assert shelf.look("BBBB") is None
    assert shelf.look("CCCC")


def test_wrong_codes_are_counted_by_the_minute():
    clock = Clock()
    guesses = Guesses(clock)
    assert_bounded(guesses.may_try)
    clock.now += 60
    assert guesses.may_try("one", is_wrong=False)


def assert_bounded(may_try: Callable[..., bool]) -> None:
    assert all(may_try("one", is_wrong=True) for _ in range(MAX_OF_ONE))
    assert not may_try("one", is_wrong=False)
    assert all(may_try("two", is_wrong=False) for _ in range(2 * MAX_OF_ONE)), "what is right is not counted"
    assert all(may_try(f"stranger {n}", is_wrong=True) for n in range(MAX_OF_ALL - MAX_OF_ONE))
    assert not may_try("two", is_wrong=False), "cookies that are thrown away do not help"


def test_wrong_codes_are_counted_on_every_shelf_and_by_all_servers_of_one(new_shelf: Callable[..., Shelf]):
    assert_bounded(new_shelf().may_try)


def test_a_redis_forgets_wrong_codes_after_a_minute(redis_address: str, monkeypatch: pytest.MonkeyPatch):
    from lab.server.rooms import redis_shelf

    clock = Clock()
    monkeypatch.setattr(redis_shelf, "time", clock)
    one, other = (redis_shelf.RedisShelf(redis_address, prefix="wrong-codes:") for _ in "ab")
    assert all(one.may_try("a", is_wrong=True) for _ in range(MAX_OF_ONE))
    assert not other.may_try("a", is_wrong=False), "another server knows of it"
    clock.now += 59
    assert not one.may_try("a", is_wrong=False)
    clock.now += 1
    assert one.may_try("a", is_wrong=False)


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 20)), max_size=300))
def test_no_minute_has_more_wrong_codes_than_are_allowed(tries: list[tuple[float, int]]):
    clock = Clock()
    guesses = Guesses(clock)
    wrong: list[float] = []
    for wait, visitor in tries:
        clock.now += wait
        if guesses.may_try(str(visitor), is_wrong=True):
            wrong.append(clock.now)
        assert sum(clock.now - when < 60 for when in wrong) <= MAX_OF_ALL


def test_a_redis_that_does_not_answer_is_said_in_a_sentence():
    pytest.importorskip("redis", reason="redis-py is not installed, so rooms in Redis are not tried")
    from lab.server.rooms.redis_shelf import RedisShelf

    shelf = RedisShelf("redis://127.0.0.1:1")
    for ask in (lambda: shelf.look("BCDF"), lambda: shelf.owned("owner"), lambda: shelf.answers("BCDF", "0.0")):
        with pytest.raises(AwayError, match="try again"):
            ask()
