"""A class goes on in another browser: whose link that takes, and what it does before anybody presses a button."""

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from lab.server.rooms import rooms
from lab.server.rooms.rooms import MOVED, MOVES_NOTHING, Room
from pages.classroom.moving import PARAMETER
from tests.pages.driver import notices, press, visit, words


def opened() -> tuple[AppTest, Room]:
    """The desk of a class that was just started, and its room."""
    rooms.cache_clear()
    at = press(visit("classroom", class_of="heads"), "class-start")
    return at, room_of(at)


def room_of(at: AppTest) -> Room:
    (line,) = [one.proto.body for one in at.get("html") if 'class="class-code"' in one.proto.body]
    room = rooms().look(line.partition("<b>")[2][:4])
    assert room is not None
    return room


def link_of(at: AppTest) -> str:
    (address,) = [one.value for one in at.code if PARAMETER in one.value]
    return parse_qs(urlsplit(address).query)[PARAMETER][0]


def test_the_link_is_made_on_demand_and_moves_the_class_when_a_button_is_pressed():
    desk, room = opened()
    assert room.state.moves == ""
    assert not desk.code
    desk = press(desk, "class-move-make")
    link = link_of(desk)
    other = visit("classroom", class_take=link)
    assert PARAMETER not in other.query_params, "Share gives it to nobody"
    assert rooms().look(room.code).owner == room.owner, "to look at a link is not to take it"  # type: ignore[union-attr]
    other = press(other, "class-take-it")
    assert room_of(other).code == room.code
    assert room_of(other).owner != room.owner
    desk.run()
    assert desk.button(key="class-start"), "the browser before has let go of it"
    assert MOVED in notices(desk)
    assert MOVED not in notices(desk.run()), "it is said once"
    late = press(visit("classroom", class_take=link), "class-take-it")
    assert MOVES_NOTHING in notices(late)
    rooms.cache_clear()


def test_a_link_that_was_withdrawn_or_forged_moves_nothing():
    desk, room = opened()
    desk = press(desk, "class-move-make")
    link = link_of(desk)
    desk = press(desk, "class-move-withdraw")
    assert not desk.code
    for brought in (link, f"{room.code}-{'A' * 43}", f"BBBB-{'A' * 43}"):
        stranger = press(visit("classroom", class_take=brought), "class-take-it")
        assert MOVES_NOTHING in notices(stranger)
        assert stranger.button(key="class-start")
    for brought in ("<b>", room.code, f"{room.code}-", f"{link}x"):
        assert MOVES_NOTHING in notices(visit("classroom", class_take=brought))
    assert room_of(desk.run()).owner == room.owner
    rooms.cache_clear()


@pytest.mark.few(1)
@pytest.mark.parametrize("pressed", ["class-end", "class-move-make", "class-move-withdraw"])
def test_a_page_that_was_left_open_neither_ends_the_class_nor_takes_it_back(pressed: str):
    """Another browser has taken the class while this page slept; its buttons are still there to be pressed."""
    desk, room = opened()
    desk = press(desk, "class-move-make")
    other = press(visit("classroom", class_take=link_of(desk)), "class-take-it")
    link = link_of(press(other, "class-move-make"))
    before = rooms().look(room.code)
    desk = press(desk, pressed)
    assert rooms().look(room.code) == before
    assert MOVED in notices(desk)
    assert not any(PARAMETER in one.value for one in desk.code)
    assert room_of(press(visit("classroom", class_take=link), "class-take-it")).code == room.code, "their link is good"
    rooms.cache_clear()


def test_a_link_that_moves_nothing_any_more_is_not_shown():
    desk, room = opened()
    desk = press(desk, "class-move-make")
    first = link_of(desk)
    now = rooms().look(room.code)
    assert now is not None
    assert rooms().movable(now)  # as another tab of this browser does
    desk.run()
    assert not desk.code
    assert "There is a link." in words(desk)
    desk = press(desk, "class-move-make")
    assert link_of(desk) != first
    rooms.cache_clear()
