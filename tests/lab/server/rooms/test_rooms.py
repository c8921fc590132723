"""A room: who may do what in it, what is counted, and what holds on every shelf."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from lab.server.rooms.plan import PARTS, Plan, PlanError, Step
from lab.server.rooms.rooms import AGAIN, FIRST, HAS_ONE, LETTERS, MAX_BEFORE, MOVES_NOTHING, NoRoomError, Room, Rooms
from lab.server.rooms.shelf import Entry, Memory, Shelf
from tests.lab.server.rooms.conftest import PLAN

TEACHER, STUDENTS = "T" * 43, [f"{n:043}" for n in range(60)]


class Class:
    """A room with its teacher and some students."""

    def __init__(self, shelf: Shelf, n_students: int = 3, plan: Plan = PLAN):
        self.rooms = Rooms(shelf)
        self.code = self.rooms.open(TEACHER, plan)
        for key in STUDENTS[:n_students]:
            assert self.rooms.sit(self.room, key)

    @property
    def room(self) -> Room:
        room = self.rooms.look(self.code)
        assert room is not None
        return room

    def turn(self, **wish):
        return self.rooms.turn(self.room, wish)

    def answer(self, student: int, value: object, at: int | None = None, of_round: int | None = None) -> str:
        state = self.room.state
        at = state.at if at is None else at
        return self.rooms.answer(
            self.room, STUDENTS[student], at, state.rounds[at] if of_round is None else of_round, value
        )

    def seen(self) -> dict:
        return json.loads(json.dumps(self.rooms.projected(self.room)))

    def phone(self, student: int, wanted: int | None = None) -> dict:
        return json.loads(json.dumps(self.rooms.handed(self.room, STUDENTS[student], wanted)))


@pytest.fixture
def lesson(new_shelf: Callable[..., Shelf]) -> Class:
    return Class(new_shelf())


def test_a_code_is_four_letters_that_cannot_be_confused(lesson: Class):
    assert re.fullmatch(f"[{LETTERS}]{{4}}", lesson.code)
    assert not set(LETTERS) & set("AEIOUY0158")
    assert lesson.rooms.look("AAAA") is None


def test_one_answer_per_browser_and_question(lesson: Class):
    assert lesson.answer(0, 0) == lesson.answer(0, 1) == lesson.answer(1, 1) == ""
    assert lesson.seen()["answered"] == [2]
    lesson.turn(shown=True)
    assert lesson.seen()["votes"] == [[0, 2]], "the last word of the first browser counts"


def test_nothing_of_the_answer_leaves_before_it_is_shown(lesson: Class):
    lesson.answer(0, 1)
    for seen in (lesson.seen(), lesson.phone(0), lesson.phone(1)):
        assert "truth" not in json.dumps(seen)
        assert "replies" not in json.dumps(seen)
        assert "votes" not in seen
    lesson.turn(shown=True)
    assert lesson.seen()["step"]["truth"] == lesson.phone(0)["step"]["truth"] == [0, 1]


def test_who_has_seen_the_model_changes_no_answer_though_it_is_hidden_again(lesson: Class):
    lesson.answer(0, 0)
    lesson.turn(shown=True)
    assert "shown already" in lesson.answer(0, 1)
    lesson.turn(shown=False)
    assert "counted already" in lesson.answer(0, 1)
    assert lesson.seen()["votes"] == [[1, 0]], "the class is seen once more, and the model is not"
    assert "truth" not in json.dumps(lesson.seen())
    lesson.turn(again=True)
    assert lesson.answer(0, 1) == ""
    lesson.turn(counted=True)
    lesson.turn(again=True)
    assert lesson.room.state.counted[0], "there is one second vote"


def test_what_was_shown_before_anybody_had_voted_is_hidden_again_and_the_vote_is_open(lesson: Class):
    talk = next(at for at, step in enumerate(PLAN.steps) if step.kind == "talk")
    for at in (0, talk):
        lesson.turn(at=at)
        before = lesson.phone(0)
        lesson.turn(counted=True)
        assert lesson.phone(0) == before, "there is nothing to count"
        lesson.turn(shown=True)
        seen, phone = lesson.seen(), lesson.phone(0)
        assert seen["step"]["shown"]
        assert seen["step"]["counted"] is phone["step"]["counted"] is True, "nobody votes beside the answer"
        assert "votes" in seen, "the model's answer stands beside an empty class"
        assert "shown already" in lesson.answer(0, 1)
        lesson.turn(shown=False)
        assert lesson.phone(0) == before
        assert "votes" not in lesson.seen()
    lesson.turn(at=0)
    assert lesson.answer(0, 1) == ""
    lesson.turn(again=True)
    lesson.turn(shown=True)
    lesson.turn(shown=False)
    assert lesson.answer(0, 1) == "", "nor has anybody in the second vote"


def test_a_vote_that_came_in_as_the_model_was_shown_is_counted_when_it_is_hidden(lesson: Class):
    as_it_was = lesson.room
    lesson.turn(shown=True)
    assert lesson.rooms.answer(as_it_was, STUDENTS[0], 0, 0, 1) == "", "it had looked at the room before that"
    lesson.turn(shown=False)
    assert "counted already" in lesson.answer(1, 0), "whoever has seen the model votes no more"
    assert lesson.seen()["votes"] == [[0, 1]]
    lesson.turn(again=True)
    assert lesson.answer(1, 0) == ""
    lesson.turn(shown=False)
    assert lesson.answer(0, 0) == "", "a wish to hide what is not shown closes no vote"


def test_the_class_is_counted_before_the_model_is_shown_and_votes_no_more(lesson: Class):
    lesson.answer(0, 0)
    lesson.turn(counted=True)
    seen, phone = lesson.seen(), lesson.phone(0)
    assert seen["votes"] == [[1, 0]]
    assert (seen["step"]["counted"], seen["step"]["shown"]) == (phone["step"]["counted"], phone["step"]["shown"])
    assert (phone["step"]["counted"], phone["step"]["shown"]) == (True, False)
    assert "truth" not in json.dumps([seen, phone])
    assert "counted already" in lesson.answer(1, 1)
    lesson.turn(again=True)
    assert "votes" not in lesson.seen()
    assert lesson.answer(1, 1) == ""


def test_a_class_comes_to_an_end_that_says_what_it_has_answered(lesson: Class):
    for student, value in enumerate((0, 1, 1)):
        lesson.answer(student, value)
    lesson.turn(done=True)
    assert not lesson.seen()["done"], "not before the last question"
    last = len(PLAN.steps) - 1
    lesson.turn(at=last)
    lesson.answer(0, [0, 0])
    lesson.answer(1, [1, 0])
    assert not lesson.phone(0)["done"]
    lesson.turn(done=True)
    assert lesson.phone(0)["done"]
    asked = [[step.heading, step.ask] for step in (PLAN.steps[0], PLAN.steps[last])]
    outcome = {"ideas": [], "asked": [[*asked[0], 2, 3], [*asked[1], 1, 2]], "given": 5}
    assert lesson.seen()["outcome"] == outcome
    lesson.turn(at=1)
    lesson.answer(2, 0.5)
    lesson.turn(at=0, again=True)
    lesson.turn(at=last, done=True)
    outcome["given"] = 6  # a number can be near, but not right; nobody took part in the second vote
    assert lesson.seen()["outcome"] == outcome
    lesson.turn(free=True)
    assert not lesson.phone(0, wanted=1)["done"], "who may go by oneself still can"
    lesson.turn(at=last)
    assert not lesson.seen()["done"]
    assert "outcome" not in lesson.seen()


def test_a_room_from_before_votes_were_counted_goes_on(lesson: Class):
    lesson.answer(0, 1)
    lesson.turn(shown=True)
    room = lesson.room
    assert lesson.rooms.shelf.step(room.code, room.owner, json.dumps(room.state[:5]), instead_of=room.kept)
    assert lesson.room.state == room.state
    assert lesson.room.state.counted[0]
    assert lesson.seen()["votes"] == [[0, 1]]


def test_a_second_vote_stands_beside_the_first(lesson: Class):
    for student, value in enumerate((0, 0, 1)):
        lesson.answer(student, value)
    lesson.turn(again=True)
    assert lesson.phone(0)["mine"] is None
    assert lesson.seen()["answered"] == [3, 0]
    assert "votes again" in lesson.answer(0, 1, of_round=FIRST), "a phone that has not heard of it yet"
    for student in range(3):
        assert lesson.answer(student, 1) == ""
    lesson.turn(shown=True)
    assert lesson.seen()["votes"] == [[2, 1], [0, 3]]
    lesson.turn(again=True)
    assert lesson.room.state.rounds[0] == AGAIN, "there is one second vote"


def test_the_class_follows_or_goes_by_itself_and_comes_back(lesson: Class):
    lesson.turn(at=1)
    assert lesson.phone(0, wanted=3)["at"] == 1
    assert "gone on" in lesson.answer(0, 1, at=0)
    lesson.turn(free=True)
    assert lesson.phone(0, wanted=3)["at"] == 3
    assert lesson.phone(1)["at"] == 1
    assert lesson.answer(0, 2, at=3) == ""
    lesson.turn(free=False)
    assert lesson.phone(0, wanted=3)["at"] == 1


def test_of_two_wishes_at_once_both_are_done(lesson: Class):
    as_it_was = lesson.room
    lesson.rooms.turn(as_it_was, {"shown": True})
    lesson.rooms.turn(as_it_was, {"open": False})
    assert (lesson.room.state.shown[0], lesson.room.state.open) == (True, False)
    assert lesson.rooms.end(lesson.room)
    lesson.rooms.turn(as_it_was, {"free": True})
    assert lesson.rooms.look(lesson.code) is None, "a wish does not bring back what is over"


def test_of_two_rooms_that_one_teacher_opens_at_once_one_is_left(new_shelf: Callable[..., Shelf]):
    rooms = Rooms(new_shelf())
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: rooms.open(TEACHER, PLAN), range(24)))
    room = rooms.owned(TEACHER)
    assert room is not None
    assert [code for code in codes if rooms.look(code)] == [room.code]


def test_words_that_few_chose_first_are_counted_when_they_are_chosen_again(new_shelf: Callable[..., Shelf]):
    plan = Plan("Words", (Step("word", "Next?", "Choose.", tuple("abcdefghij"), (0.1,) * 10),))
    lesson = Class(new_shelf(), n_students=19, plan=plan)
    for student in range(19):
        lesson.answer(student, student // 2)  # two choose each word, and one the last
    lesson.turn(again=True)
    for student in range(19):
        lesson.answer(student, 9)
    lesson.turn(shown=True)
    first, again = lesson.seen()["votes"]
    assert dict(map(tuple, first)) == {**dict.fromkeys(range(9), 2), 9: 1}
    assert again == [[9, 19]]


def test_all_kinds_are_counted(lesson: Class):
    lesson.turn(at=1)
    for student, value in enumerate((0.25, 0.26, 1.0)):
        assert lesson.answer(student, value) == ""
    lesson.turn(shown=True)
    bins = lesson.seen()["votes"][0]
    assert (bins[5], bins[19], sum(bins)) == (2, 1, 3)
    lesson.turn(at=2)
    for student, curve in enumerate(([5, 5, 5], [0, 5, 10], [10, 0, 0])):
        assert lesson.answer(student, curve) == ""
    lesson.turn(shown=True)
    assert lesson.seen()["votes"] == [[[0, 5, 10], [5, 5, 5], [10, 0, 0]]], "sorted, not by seat"
    lesson.turn(at=3)
    for student, word in enumerate((2, 0, 2)):
        assert lesson.answer(student, word) == ""
    lesson.turn(shown=True)
    assert lesson.seen()["votes"] == [[[2, 2], [0, 1]]]
    lesson.turn(at=4)
    assert "no answer" in lesson.answer(0, 0)


@pytest.mark.parametrize("value", ["right", True, -1, 2, 1.5, None, [], {"a": 1}, "<b>", float("nan"), 10**400])
def test_a_forged_answer_is_none(lesson: Class, value: object):
    for at in range(3):
        lesson.turn(at=at)
        assert lesson.answer(0, value) != ""
    for at in (99, -1, True, "0", None):
        assert lesson.rooms.answer(lesson.room, STUDENTS[0], at, FIRST, 1) == "This room has no such question."


@pytest.mark.parametrize("wish", [{"at": "1"}, {"at": True}, {"shown": 1}, {"free": "yes"}, {"again": 1}, {"x": 1}, {}])
def test_a_wish_that_is_none_changes_nothing(lesson: Class, wish: dict):
    before = lesson.room.state, lesson.rooms.shelf.pulse(lesson.code)
    lesson.turn(**wish)
    assert (lesson.room.state, lesson.rooms.shelf.pulse(lesson.code)) == before


def test_steps_end_at_the_ends(lesson: Class):
    assert lesson.turn(at=99).at == len(PLAN.steps) - 1
    assert lesson.turn(at=-5).at == 0


def test_a_room_is_its_openers_and_nobody_elses(lesson: Class):
    assert lesson.rooms.is_of(lesson.room, TEACHER)
    assert not any(lesson.rooms.is_of(lesson.room, key) for key in [*STUDENTS, "", lesson.code])
    owned = lesson.rooms.owned(TEACHER)
    assert owned is not None
    assert owned.code == lesson.code
    assert lesson.rooms.owned(STUDENTS[0]) is None


def test_no_key_is_kept_or_shown(lesson: Class):
    lesson.answer(0, 1)
    lesson.turn(shown=True)
    kept = lesson.rooms.shelf.look(lesson.code), lesson.rooms.shelf.answers(lesson.code, "0.0")
    for text in (repr(kept), json.dumps(lesson.seen()), json.dumps(lesson.phone(1))):
        assert TEACHER not in text
        assert STUDENTS[0] not in text
    (seat,) = lesson.rooms.shelf.answers(lesson.code, "0.0")
    assert seat not in json.dumps(lesson.seen())
    other = lesson.rooms.open("U" * 43, PLAN)
    room = lesson.rooms.look(other)
    assert room is not None
    lesson.rooms.sit(room, STUDENTS[0])
    lesson.rooms.answer(room, STUDENTS[0], 0, FIRST, 1)
    assert seat not in lesson.rooms.shelf.answers(other, "0.0"), "nobody is known again in another room"


def test_a_room_that_is_closed_takes_nobody_new(lesson: Class):
    lesson.turn(open=False)
    assert not lesson.rooms.sit(lesson.room, STUDENTS[9])
    assert lesson.rooms.sit(lesson.room, STUDENTS[0]), "who was there comes back"


def test_who_has_no_seat_does_not_count(lesson: Class):
    lesson.answer(9, 1)
    assert lesson.seen()["answered"] == [0]


def test_a_new_room_ends_the_one_before(lesson: Class):
    lesson.answer(0, 1)
    code = lesson.rooms.open(TEACHER, PLAN)
    assert lesson.rooms.look(lesson.code) is None
    assert lesson.rooms.shelf.answers(lesson.code, "0.0") == {}
    owned = lesson.rooms.owned(TEACHER)
    assert owned is not None
    assert owned.code == code
    assert lesson.rooms.end(owned)
    assert lesson.rooms.owned(TEACHER) is None


def test_of_a_room_that_was_ended_it_is_known_whose_it_was_until_its_code_is_taken_again(
    new_shelf: Callable[..., Shelf],
):
    shelf = new_shelf(max_rooms=2)
    entry = Entry("owner", "plan", "state")
    assert not shelf.end("BBBB", "owner")
    assert shelf.ended("BBBB") is None, "there was none"
    shelf.create("BBBB", entry)
    assert shelf.ended("BBBB") is None
    assert not shelf.end("BBBB", "other")
    assert shelf.look("BBBB") == entry
    assert shelf.end("BBBB", "owner")
    assert not shelf.end("BBBB", "owner")
    assert shelf.ended("BBBB") == "owner"
    assert shelf.look("BBBB") is None
    shelf.create("BBBB", entry)
    assert shelf.ended("BBBB") is None


def test_rooms_that_were_ended_are_not_remembered_without_bound():
    shelf = Memory(max_rooms=2)
    for code in ("BBBB", "CCCC", "DDDD"):
        shelf.create(code, Entry(code, "plan", "state"))
        shelf.end(code, code)
    assert [shelf.ended(code) for code in ("BBBB", "CCCC", "DDDD")] == [None, "CCCC", "DDDD"]


def test_rooms_and_seats_are_bounded(new_shelf: Callable[..., Shelf]):
    shelf = new_shelf(max_rooms=2, max_seats=2)
    rooms = Rooms(shelf)
    codes = [rooms.open(key, PLAN) for key in STUDENTS[:2]]
    with pytest.raises(NoRoomError, match="taken"):
        rooms.open(STUDENTS[2], PLAN)
    assert rooms.open(STUDENTS[0], PLAN), "in place of one's own there is always room"
    room = rooms.look(codes[1])
    assert room is not None
    assert [rooms.sit(room, key) for key in [*STUDENTS[:3], STUDENTS[0]]] == [True, True, False, True]
    assert shelf.n_seats(codes[1]) == 2


def test_what_changes_is_told_by_the_pulse(lesson: Class):
    pulse = lesson.rooms.shelf.pulse
    first = pulse(lesson.code)
    lesson.answer(0, 1)
    second = pulse(lesson.code)
    lesson.turn(at=1)
    third = pulse(lesson.code)
    assert first is not None
    assert second is not None
    assert third is not None
    assert (second.turn, second.count) == (first.turn, first.count + 1)
    assert (third.turn, third.count) == (first.turn + 1, second.count)
    assert pulse("AAAA") is None


def test_many_threads_answer_at_once(new_shelf: Callable[..., Shelf]):
    lesson = Class(new_shelf(), n_students=12)
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: [lesson.answer(n, value) for value in (0, 1, n % 2)], range(12)))
    lesson.turn(shown=True)
    assert lesson.seen()["votes"] == [[6, 6]]


# ---- a test before and after ----------------------------------------------------------------------------------------

TWIN = ("Which (b)?", ("no", "yes", "perhaps"), (0.0, 1.0, 0.0))
TESTED = Plan(
    "Tested",
    tuple(
        Step("test", "An idea", "Which (a)?", ("aye", "nay", "so"), (1.0, 0.0, 0.0), part=part, twin=TWIN)
        for part in PARTS
    ),
)


@pytest.fixture
def tested(new_shelf: Callable[..., Shelf]) -> Class:
    return Class(new_shelf(), 12, TESTED)


def test_each_form_is_asked_once_of_everybody_and_both_in_both_orders(new_shelf: Callable[..., Shelf]):
    n = len(STUDENTS)  # so many that not all get the same by chance
    tested, asked = Class(new_shelf(), n, TESTED), []
    for at in (0, 1):
        tested.turn(at=at)
        asked.append([tested.phone(student)["step"]["ask"] for student in range(n)])
    assert {frozenset(pair) for pair in zip(*asked, strict=True)} == {frozenset({"Which (a)?", "Which (b)?"})}
    assert set(asked[0]) == set(asked[1]) == {"Which (a)?", "Which (b)?"}, "some begin with a, and some with b"


def test_no_phone_and_no_projector_learns_from_a_test_what_is_right(tested: Class):
    tested.turn(shown=True)
    assert tested.room.state.shown == (False, False), "nothing of a test is shown"
    tested.turn(again=True)
    assert tested.room.state.rounds == (0, 0), "nobody talks about it, either"
    assert tested.answer(0, 1) == ""
    told = tested.phone(0)
    assert "truth" not in told["step"]
    assert "replies" not in told["step"]
    assert told["mine"] == 1
    seen = tested.seen()
    assert seen["answered"] == [1]
    assert seen["step"]["labels"] == []
    assert "Which" not in seen["step"]["ask"]
    assert "votes" not in seen


def test_who_answers_both_is_paired_and_who_answers_one_is_not(tested: Class):
    def right(n: int) -> int:
        return {"Which (a)?": 0, "Which (b)?": 1}[tested.phone(n)["step"]["ask"]]

    assert tested.rooms.tested(tested.room) == {"An idea": []}
    for n in range(6):
        tested.answer(n, 2)  # wrong in either form
    tested.turn(at=1)
    for n in range(3, 9):
        tested.answer(n, right(n))
    (pairs,) = tested.rooms.tested(tested.room).values()
    assert [(pair.before, pair.after) for pair in pairs] == [(False, True)] * 3


def test_what_was_known_before_the_lesson_is_not_changed_after_it(tested: Class):
    assert tested.answer(0, 1) == ""
    tested.turn(at=1, free=True)
    assert "gone on" in tested.answer(0, 2, at=0)
    tested.turn(at=0)
    assert "gone on" in tested.answer(0, 2, at=1), "nor is it answered before"
    assert tested.phone(0)["mine"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"part": ""},
        {"twin": ()},
        {"twin": ("b", ("one", "two"), (1.0, 0.0))},
        {"twin": ("b", ("one", "two", "three"), (1.0, 1.0, 0.0))},
    ],
)
def test_a_test_whose_forms_do_not_fit_is_no_plan(wrong: dict):
    with pytest.raises(PlanError, match="second form"):
        Plan("", (TESTED.steps[0]._replace(**wrong),)).packed()


# ---- another browser of the teacher's -------------------------------------------------------------------------------

OTHER, STRANGER = "O" * 43, "X" * 43


def test_a_key_moves_a_room_once_and_seats_and_answers_stay(lesson: Class):
    assert lesson.answer(0, 1) == ""
    moving = lesson.rooms.movable(lesson.room)
    lesson.turn(at=0, again=True)  # the class goes on meanwhile
    assert lesson.rooms.move(lesson.code, moving, OTHER) == ""
    assert lesson.rooms.is_of(lesson.room, OTHER)
    assert not lesson.rooms.is_of(lesson.room, TEACHER)
    assert lesson.rooms.owned(TEACHER) is None
    found = lesson.rooms.owned(OTHER)
    assert found is not None
    assert found.code == lesson.code
    assert lesson.seen()["answered"] == [1, 0]
    assert all(lesson.rooms.is_seated(lesson.room, key) for key in STUDENTS[:3])
    assert lesson.answer(0, 0) == ""
    assert lesson.rooms.move(lesson.code, moving, STRANGER) == MOVES_NOTHING, "it is used up"
    back = lesson.rooms.movable(lesson.room)
    assert lesson.rooms.move(lesson.code, back, TEACHER) == ""
    assert lesson.rooms.is_of(lesson.room, TEACHER)
    assert lesson.seen()["answered"] == [1, 1]
    assert all(lesson.rooms.is_seated(lesson.room, key) for key in STUDENTS[:3]), "also after the way back"


def test_no_room_moves_without_the_key_that_it_has_now(lesson: Class):
    moved = [lesson.rooms.move(lesson.code, key, STRANGER) for key in ("", "A" * 43, STRANGER)]
    first = lesson.rooms.movable(lesson.room)
    second = lesson.rooms.movable(lesson.room)
    moved += [lesson.rooms.move(lesson.code, key, STRANGER) for key in (first, "", lesson.room.state.moves)]
    lesson.rooms.immovable(lesson.room)
    moved += [lesson.rooms.move(lesson.code, second, STRANGER), lesson.rooms.move("BBBB", second, STRANGER)]
    assert set(moved) == {MOVES_NOTHING}, "and nothing tells whether there is a room"
    assert lesson.rooms.is_of(lesson.room, TEACHER)


def test_of_two_browsers_that_bring_a_key_at_once_one_has_the_room(new_shelf: Callable[..., Shelf]):
    lesson = Class(new_shelf())
    moving = lesson.rooms.movable(lesson.room)
    keys = [f"{n:043}" for n in range(100, 108)]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda key: lesson.rooms.move(lesson.code, moving, key), keys))
    assert told.count("") == 1
    assert [key for key in keys if lesson.rooms.owned(key)] == [keys[told.index("")]]


def test_a_browser_with_a_class_of_its_own_does_not_lose_it(lesson: Class):
    own = lesson.rooms.open(OTHER, PLAN)
    moving = lesson.rooms.movable(lesson.room)
    assert lesson.rooms.move(lesson.code, moving, OTHER) == HAS_ONE
    assert lesson.rooms.look(own) is not None
    assert lesson.rooms.move(lesson.code, moving, STRANGER) == "", "the key is as good as before"


def moved(lesson: Class, key: str) -> None:
    assert lesson.rooms.move(lesson.code, lesson.rooms.movable(lesson.room), key) == ""


def test_a_browser_that_has_let_go_of_a_room_neither_ends_it_nor_takes_it_back(lesson: Class):
    at_first = lesson.room  # as a page of the teacher's that was left open still knows it
    moved(lesson, OTHER)
    moved(lesson, TEACHER)
    in_a_tab = lesson.room
    moved(lesson, OTHER)
    assert in_a_tab.state._replace(before=()) == lesson.room.state._replace(before=()), "it stands where it stood"
    now = lesson.rooms.shelf.look(lesson.code)
    for stale in (at_first, in_a_tab, lesson.room._replace(owner=in_a_tab.owner)):
        assert lesson.rooms.movable(stale) == ""
        lesson.rooms.immovable(stale)
        lesson.rooms.turn(stale, {"at": 3})
        assert not lesson.rooms.end(stale)
        assert lesson.rooms.shelf.look(lesson.code) == now
    moving = lesson.rooms.movable(lesson.room)
    lesson.rooms.immovable(in_a_tab)
    assert lesson.rooms.is_moved_by(lesson.room, moving), "nor does it withdraw the other one's link"
    assert lesson.rooms.end(lesson.room)
    assert lesson.rooms.look(lesson.code) is None


def test_who_had_a_room_and_has_let_go_of_it_is_known_and_nobody_else(lesson: Class):
    rooms, keys = lesson.rooms, (TEACHER, OTHER, STRANGER, STUDENTS[0], "")
    assert not any(rooms.has_let_go(lesson.room, key) for key in keys)
    moved(lesson, OTHER)
    assert [key for key in keys if rooms.has_let_go(lesson.room, key)] == [TEACHER]
    moved(lesson, TEACHER)
    assert [key for key in keys if rooms.has_let_go(lesson.room, key)] == [OTHER]
    moved(lesson, STRANGER)
    assert {key for key in keys if rooms.has_let_go(lesson.room, key)} == {TEACHER, OTHER}
    for n in range(2 * MAX_BEFORE):
        moved(lesson, f"{n:043}")
    assert len(lesson.room.state.before) == MAX_BEFORE


def test_a_link_is_shown_only_while_it_moves_the_room(lesson: Class):
    first = lesson.rooms.movable(lesson.room)
    assert lesson.rooms.is_moved_by(lesson.room, first)
    second = lesson.rooms.movable(lesson.room)
    assert not lesson.rooms.is_moved_by(lesson.room, first)
    assert lesson.rooms.is_moved_by(lesson.room, second)
    lesson.rooms.immovable(lesson.room)
    assert not any(lesson.rooms.is_moved_by(lesson.room, key) for key in (first, second, ""))


def test_of_the_key_nothing_but_a_hash_is_kept_and_nothing_is_shown(lesson: Class):
    moving = lesson.rooms.movable(lesson.room)
    entry = lesson.rooms.shelf.look(lesson.code)
    assert entry is not None
    assert moving not in "".join(entry)
    kept = lesson.room.state.moves
    assert len(moving) == 43
    for seen in (lesson.seen(), lesson.phone(0)):
        assert kept not in json.dumps(seen)
        assert moving not in json.dumps(seen)


def test_a_room_that_was_opened_before_rooms_could_move_is_read(lesson: Class):
    entry = lesson.rooms.shelf.look(lesson.code)
    assert entry is not None
    before = json.dumps(json.loads(entry.state)[:5])
    assert lesson.rooms.shelf.step(lesson.code, entry.owner, before, instead_of=entry.state)
    assert lesson.room.state.moves == ""
    assert lesson.turn(free=True).free
    assert lesson.rooms.move(lesson.code, lesson.rooms.movable(lesson.room), OTHER) == ""
