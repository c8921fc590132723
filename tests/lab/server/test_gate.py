"""Large work takes turns: fairly, as much at a time as there is room for, and nobody is held who wants to leave."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from lab.server import caching, gate, memory
from lab.server.caching import Budget, cached
from lab.server.gate import Gate, TooMuch, Turn
from tests.waiting import SOON
from transformer.core.interruption import check_interruption
from transformer.core.workload import Workload

LARGE = Workload(10**8)
SMALL = Workload(1000, 1000)


class Left(BaseException):
    """What ends the run of a page whose visitor has left."""


class Visitor:
    """Somebody who asks for a turn in a thread of their own, and holds it until told to go on."""

    def __init__(self, of: Gate, name: str, order: list[str], n_bytes: int = 0, *, is_alone: bool = False):
        self.name, self.order = name, order
        self.in_line, self.inside, self.go_on, self.leaves = (threading.Event() for _ in range(4))
        self.ahead: list[int] = []
        self.raised: list[BaseException] = []
        self._gate, self._n_bytes, self._is_alone = of, n_bytes, is_alone
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            turn = self._gate.enter(self.name, self._n_bytes, self._wait, is_alone=self._is_alone)
        except Left as error:
            self.raised.append(error)
            return
        assert turn is not None
        self.order.append(self.name)
        self.inside.set()
        assert self.go_on.wait(SOON)
        self._gate.leave(turn)

    def _wait(self, n_ahead: int) -> bool:
        self.ahead.append(n_ahead)
        self.in_line.set()
        if self.leaves.is_set():
            raise Left
        return True

    def ends(self) -> None:
        self.go_on.set()
        self.thread.join(SOON)
        assert not self.thread.is_alive()


def waiting(of: Gate, name: str, order: list[str], **more) -> Visitor:
    visitor = Visitor(of, name, order, **more)
    assert visitor.in_line.wait(SOON)
    return visitor


def running(of: Gate, name: str, order: list[str], **more) -> Visitor:
    visitor = Visitor(of, name, order, **more)
    assert visitor.inside.wait(SOON)
    return visitor


# ---- the line ------------------------------------------------------------------------------------------------------


def test_as_many_run_at_a_time_as_there_are_places():
    line, order = Gate(2, lambda: 10), []
    first, second = running(line, "a", order), running(line, "b", order)
    third = waiting(line, "c", order)
    assert third.ahead[0] == 2
    assert line.n_waiting == 1
    first.ends()
    assert third.inside.wait(SOON)
    for visitor in (second, third):
        visitor.ends()
    assert (line.running, line.n_waiting) == ((), 0)


def test_fewer_run_where_memory_is_short():
    line, order = Gate(4, lambda: 100), []
    first = running(line, "a", order, n_bytes=60)
    second = waiting(line, "b", order, n_bytes=60)
    small = waiting(line, "c", order, n_bytes=1)  # would fit, but does not overtake: the large would wait for ever
    assert order == ["a"]
    first.ends()
    assert second.inside.wait(SOON)
    assert small.inside.wait(SOON)
    for visitor in (second, small):
        visitor.ends()


def test_work_that_is_larger_than_what_is_left_runs_by_itself():
    line, order = Gate(2, lambda: 10), []
    running(line, "a", order, n_bytes=1000).ends()
    assert order == ["a"]


def test_whoever_has_had_fewer_turns_goes_first():
    line, order = Gate(1, lambda: 10), []
    first = running(line, "busy", order)
    others = [waiting(line, name, order) for name in ("busy", "busy", "new")]
    new = others[-1]
    assert others[0].ahead[-1] == 1
    first.ends()
    assert new.inside.wait(SOON), "three tabs of one visitor are one visitor"
    for visitor in others:
        visitor.go_on.set()
    for visitor in others:
        visitor.ends()
    assert order == ["busy", "new", "busy", "busy"]


def test_in_turn_between_visitors_and_first_come_among_equals():
    line, order = Gate(1, lambda: 10), []
    door = running(line, "door", order)
    crowd = [waiting(line, name, order) for name in ("a", "a", "b", "b", "c")]
    for visitor in crowd:
        visitor.go_on.set()
    door.ends()
    for visitor in crowd:
        visitor.ends()
    assert order == ["door", "a", "b", "c", "a", "b"]


def test_whoever_has_work_under_way_lets_others_go_first():
    line, order = Gate(2, lambda: 10), []
    long = running(line, "a", order)
    running(line, "b", order).ends()
    third = running(line, "c", order)
    again = [waiting(line, name, order) for name in ("a", "b")]  # b's last turn is later than a's, but a's goes on
    third.ends()
    assert again[1].inside.wait(SOON)
    for visitor in (again[1], again[0], long):
        visitor.ends()
    assert order == ["a", "b", "c", "b", "a"]


def test_a_measurement_runs_alone():
    line, order = Gate(4, lambda: 10), []
    first = running(line, "a", order)
    measurement = waiting(line, "m", order, is_alone=True)
    later = waiting(line, "b", order)
    assert order == ["a"], "nobody joins in: it would never be alone"
    first.ends()
    assert measurement.inside.wait(SOON)
    assert [turn.is_alone for turn in line.running] == [True]
    last = waiting(line, "c", order)
    assert order == ["a", "m"]
    measurement.ends()
    for visitor in (later, last):
        assert visitor.inside.wait(SOON)
        visitor.ends()


def test_who_leaves_the_line_is_gone_at_once():
    line, order = Gate(1, lambda: 10), []
    first = running(line, "a", order)
    second, third = waiting(line, "b", order), waiting(line, "c", order)
    second.leaves.set()
    second.thread.join(SOON)
    assert isinstance(second.raised[0], Left)
    assert line.n_waiting == 1
    first.ends()
    assert third.inside.wait(SOON)
    third.ends()
    assert order == ["a", "c"]


# ---- turns of pages ------------------------------------------------------------------------------------------------


class Told:
    """What a visit knows at the gate, in the place of Streamlit."""

    def __init__(self) -> None:
        self.has_left = threading.Event()
        self.looks = 0

    def stay(self) -> None:
        self.looks += 1
        if self.has_left.is_set():
            raise Left


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Told:
    told = Told()
    monkeypatch.setattr(gate, "stay", told.stay)
    monkeypatch.setattr(gate, "GATE", Gate(1, lambda: 10**9))
    return told


class Place:
    """An st.empty() that remembers what was written there."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.is_empty = True
        self.keys: list[str] = []

    def container(self, key: str) -> "Place":
        assert key not in self.keys, "Streamlit takes a key once"
        self.keys.append(key)
        return self

    def text(self, text: str) -> None:
        self.texts.append(text)
        self.is_empty = False

    def empty(self) -> None:
        self.is_empty = True


@contextmanager
def somebody_inside() -> Iterator[Turn]:
    turn = gate.GATE.enter("somebody", 0, lambda n: True)
    assert turn is not None
    yield turn
    gate.GATE.leave(turn)


@pytest.mark.usefixtures("visit")
def test_small_work_passes_while_large_work_waits():
    with somebody_inside(), gate.turn(SMALL) as is_ours:
        assert is_ours
        assert len(gate.GATE.running) == 1, "it has not taken a turn"


@pytest.mark.usefixtures("visit")
def test_what_is_called_inside_of_a_turn_passes():
    with gate.turn(LARGE), gate.turn(LARGE) as is_ours:
        assert is_ours
        assert len(gate.GATE.running) == 1
    assert gate.GATE.running == ()


def test_a_place_in_line_is_on_screen_while_somebody_waits(visit: Told):
    place = Place()

    def until() -> bool:
        return len(place.texts) > 0

    gate.show_line_in(place)
    try:
        with somebody_inside(), gate.turn(LARGE, until) as is_ours:
            assert not is_ours
        assert place.texts == ["The server is busy. One computation is ahead of yours."]
        assert place.is_empty, "it has gone with the waiting"
        with gate.turn(LARGE) as is_ours:
            assert is_ours
        assert len(place.texts) == 1, "nobody was before it, so there was nothing to say"
    finally:
        gate.show_line_in(None)
    assert visit.looks > 0


def test_the_line_is_left_by_a_click(visit: Told):
    visit.has_left.set()
    with somebody_inside(), pytest.raises(Left), gate.turn(LARGE):
        pytest.fail("it was not our turn")
    assert gate.GATE.n_waiting == 0
    assert gate.GATE.running == ()


def test_a_click_ends_work_under_way_but_no_measurement(visit: Told):
    with gate.turn(LARGE):
        check_interruption()
        visit.has_left.set()
        with pytest.raises(Left):
            check_interruption()
    assert gate.GATE.running == (), "and its place is free"
    with gate.turn(Workload(0, is_timed=True)):
        check_interruption()
        assert gate.GATE.running[0].is_alone


@pytest.mark.usefixtures("visit")
def test_a_click_just_when_the_turn_comes_gives_it_back():
    class LastWord(Place):
        def empty(self) -> None:
            raise Left

    place = LastWord()
    gate.show_line_in(place)
    try:
        held = gate.GATE.enter("somebody", 0, lambda n: True)
        assert held is not None

        def until() -> bool:
            if gate.GATE.running:
                gate.GATE.leave(held)  # now it is our turn
            return False

        with pytest.raises(Left), gate.turn(LARGE, until):
            pytest.fail("the run has ended")
    finally:
        gate.show_line_in(None)
    assert place.texts, "we were in line"
    assert gate.GATE.running == ()


@pytest.mark.usefixtures("visit")
def test_what_can_never_be_done_is_refused_with_the_setting_to_lower(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "total", lambda: 10**9)
    said: list[str] = []
    with gate.refusals_to(said.append), gate.turn(Workload(6 * 10**8).advised("Fewer beams need less.")):
        pytest.fail("there is no room")
    with gate.refusals_to(said.append), gate.turn(Workload(10, 10**13)):
        pytest.fail("there is no time")
    assert said == [
        "This would take 0.6 GB of memory, more than this server can give. Fewer beams need less.",
        "This would keep the server busy for about 33 minutes. A shorter text, fewer heads or fewer layers need less.",
    ]
    with pytest.raises(TooMuch), gate.turn(Workload(10**12)):
        pytest.fail("there is no room")


# ---- with caches ---------------------------------------------------------------------------------------------------


def threads(n: int, run: Callable[[], object]) -> list[threading.Thread]:
    made = [threading.Thread(target=run) for _ in range(n)]
    for thread in made:
        thread.start()
    return made


@pytest.mark.usefixtures("visit")
def test_thirty_visitors_with_one_link_compute_once():
    calls, results = [], []

    @cached(work=lambda: LARGE, budget=Budget(10**6))
    def maps() -> object:
        calls.append(1)
        return object()

    with somebody_inside():
        visitors = threads(30, lambda: results.append(maps()))
        while gate.GATE.n_waiting < 30 and all(visitor.is_alive() for visitor in visitors):
            threading.Event().wait(0.01)
    for visitor in visitors:
        visitor.join(SOON)
    assert len(calls) == 1
    assert len(set(map(id, results))) == 1
    assert len(results) == 30
    assert maps() is results[0], "what is known waits for nothing"


@pytest.mark.usefixtures("visit")
def test_nobody_in_line_keeps_others_waiting():
    """Large work inside of small work passes: somebody who holds a turn may wait for the small work's result."""

    @cached(work=lambda: LARGE, budget=Budget(10**6))
    def inner() -> str:
        return "inner"

    @cached(budget=Budget(10**6))
    def outer() -> str:
        return inner()

    with somebody_inside():
        assert outer() == "inner"


def test_the_result_of_somebody_else_need_not_be_waited_for(visit: Told):
    begun, go_on = threading.Event(), threading.Event()

    @cached(budget=Budget(10**6))
    def slow() -> int:
        begun.set()
        assert go_on.wait(SOON)
        return 1

    (theirs,) = threads(1, slow)
    assert begun.wait(SOON)
    visit.has_left.set()
    with pytest.raises(Left):
        slow()
    go_on.set()
    theirs.join(SOON)
    assert slow() == 1


def test_work_is_estimated_for_new_keys_only():
    asked = []

    def work(n: int, m: int = 2) -> Workload:
        asked.append((n, m))
        return SMALL

    @cached(work=work, budget=Budget(10**6))
    def add(n: int, m: int = 2) -> int:
        return n + m

    assert add(1) == add(1, 2) == 3
    assert asked == [(1, 2)]
    assert caching.MAX_BYTES > 0
