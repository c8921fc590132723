"""The doors of rooms, asked as browsers ask, and as strangers would."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

import lab.frame.rooms
from lab.frame.rooms import doors
from lab.server import visitor
from lab.server.headers import Headers
from lab.server.rooms import rooms
from lab.server.rooms.guesses import MAX_OF_ALL, MAX_OF_ONE
from lab.server.rooms.rooms import MOVED, Room
from lab.server.rooms.shelf import AwayError
from tests.lab.server.rooms.conftest import PLAN

TEACHER = "T" * 43


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[Starlette]:
    rooms.cache_clear()
    monkeypatch.setattr(doors, "WAITING", doors.Waiting())
    monkeypatch.setattr(doors, "TICK", 0.01)
    monkeypatch.setattr(doors, "PATIENCE", 0.05)
    yield Starlette(routes=lab.frame.rooms.routes(), middleware=[Middleware(Headers)])
    rooms.cache_clear()


def browser(app: Starlette, key: str = "") -> TestClient:
    """A browser of its own, with the cookie of this key if it has one."""
    return TestClient(app, base_url="https://lab.example", cookies={visitor.COOKIE: key} if key else None)


@pytest.fixture
def code(app: Starlette) -> str:
    return rooms().open(TEACHER, PLAN)


def seated(app: Starlette, code: str) -> TestClient:
    phone = browser(app)
    assert phone.post(f"/rooms/{code}/seat", json={}).status_code == 200
    return phone


def test_a_phone_takes_a_seat_sees_answers_and_hears_of_news(app: Starlette, code: str):
    phone, teacher = seated(app, code), browser(app, TEACHER)
    seen = phone.get(f"/rooms/{code}/phone").json()
    assert (seen["at"], seen["of"], seen["mine"]) == (0, len(PLAN.steps), None)
    assert seen["step"]["labels"] == ["left", "right"]
    assert phone.get(f"/rooms/{code}/phone?since={seen['since']}").status_code == 204, "nothing is new"
    assert phone.post(f"/rooms/{code}/answer", json={"at": 0, "round": 0, "value": 1}).status_code == 200
    assert phone.get(f"/rooms/{code}/phone?since={seen['since']}").status_code == 204, "answers of others are no news"
    assert phone.get(f"/rooms/{code}/phone").json()["mine"] == 1
    shown = teacher.get(f"/rooms/{code}/projector").json()
    assert (shown["answered"], shown["seats"]) == ([1], 1)
    turned = teacher.post(f"/rooms/{code}/turn", json={"shown": True})
    assert (turned.status_code, turned.json()["votes"]) == (200, [[0, 1]]), "the next key acts on what this one did"
    assert phone.get(f"/rooms/{code}/phone?since={seen['since']}").json()["step"]["truth"] == [0, 1]
    assert teacher.get(f"/rooms/{code}/projector?since={shown['since']}").json() == turned.json()
    late = phone.post(f"/rooms/{code}/answer", json={"at": 0, "round": 0, "value": 0})
    assert (late.status_code, late.json()["sentence"]) == (409, "The answer is shown already.")


def test_a_phone_that_was_reloaded_has_its_seat_and_its_answer(app: Starlette, code: str):
    phone = seated(app, code)
    phone.post(f"/rooms/{code}/answer", json={"at": 0, "round": 0, "value": 1})
    assert phone.post(f"/rooms/{code}/seat", json={}).status_code == 200
    assert phone.get(f"/rooms/{code}/phone").json()["mine"] == 1
    assert rooms().shelf.n_seats(code) == 1


def test_the_key_of_a_phone_is_a_cookie_that_no_script_reads(app: Starlette, code: str):
    answer = browser(app).post(f"/rooms/{code}/seat", json={})
    cookie = SimpleCookie(answer.headers["set-cookie"])[visitor.COOKIE]
    assert cookie["httponly"]
    assert cookie["secure"]
    assert cookie["samesite"] == "Strict"
    assert cookie["path"] == "/"
    assert answer.headers["cache-control"] == "no-store"


def test_the_teachers_doors_open_to_the_teachers_browser_alone(app: Starlette, code: str):
    phone, stranger = seated(app, code), browser(app)
    before = rooms().look(code)
    for client in (phone, stranger, browser(app, "S" * 43)):
        for answer in (
            client.get(f"/rooms/{code}/projector"),
            client.post(f"/rooms/{code}/turn", json={"shown": True}),
            client.post(f"/rooms/{code}/turn", json={"end": True}),
        ):
            assert answer.status_code == 403
            assert answer.json() == {"sentence": doors.NOT_OWN}
    assert rooms().look(code) == before


def test_who_has_let_go_of_a_room_is_told_so_and_can_do_nothing(app: Starlette, code: str):
    room = rooms().look(code)
    assert room is not None
    assert rooms().move(code, rooms().movable(room), "O" * 43) == ""
    before = rooms().look(code)
    for answer in (
        browser(app, TEACHER).get(f"/rooms/{code}/projector"),
        browser(app, TEACHER).post(f"/rooms/{code}/turn", json={"shown": True}),
        browser(app, TEACHER).post(f"/rooms/{code}/turn", json={"end": True}),
        browser(app, TEACHER).get(f"/rooms/{code}/answers.csv"),
    ):
        assert (answer.status_code, answer.json()) == (410, {"sentence": MOVED})
    assert browser(app, "S" * 43).get(f"/rooms/{code}/projector").json() == {"sentence": doors.NOT_OWN}
    assert rooms().look(code) == before
    assert browser(app, "O" * 43).get(f"/rooms/{code}/projector").status_code == 200


def test_a_room_that_moves_while_it_is_ended_goes_on(app: Starlette, code: str, monkeypatch: pytest.MonkeyPatch):
    """The door has looked whose it is, and then another browser takes it."""
    end = rooms().end

    def taken_first(room: Room) -> bool:
        rooms().move(code, rooms().movable(room), "O" * 43)
        return end(room)

    monkeypatch.setattr(rooms(), "end", taken_first)
    answer = browser(app, TEACHER).post(f"/rooms/{code}/turn", json={"end": True})
    assert (answer.status_code, answer.json()) == (410, {"sentence": MOVED})
    assert rooms().look(code) is not None


def test_whoever_has_no_seat_learns_nothing_not_even_whether_there_is_a_room(app: Starlette, code: str):
    stranger = browser(app, "S" * 43)
    other = "BBBB" if code != "BBBB" else "CCCC"
    for path in ("phone", "projector"):
        there, nowhere = (stranger.get(f"/rooms/{one}/{path}") for one in (code, other))
        assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text) == (403, there.text)
    for path in ("answer", "turn"):
        there, nowhere = (stranger.post(f"/rooms/{one}/{path}", json={}) for one in (code, other))
        assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text) == (403, there.text)


def test_codes_cannot_be_tried_out(app: Starlette, code: str):
    stranger = browser(app, "S" * 43)
    other = "BBBB" if code != "BBBB" else "CCCC"
    for _ in range(MAX_OF_ONE):
        assert stranger.post(f"/rooms/{other}/seat", json={}).status_code == 404
    assert stranger.post(f"/rooms/{code}/seat", json={}).status_code == 429, "not even the right one"
    assert browser(app).post(f"/rooms/{code}/seat", json={}).status_code == 200, "others are let in"


def asked_for_a_seat(code: str, key: str) -> Request:
    """A request as it comes in, so that many can be under way on one loop."""
    headers = [(b"content-type", b"application/json"), (b"cookie", f"{visitor.COOKIE}={key}".encode())]
    path = f"/rooms/{code}/seat"
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "path_params": {"code": code}}
    body = {"type": "http.request", "body": b"{}", "more_body": False}

    async def receive():
        return body

    return Request(scope, receive)


@pytest.mark.usefixtures("app")
def test_codes_cannot_be_tried_out_all_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doors, "Memory", type("Elsewhere", (), {}))  # so the shelf is asked in threads, as Redis is

    async def all_at_once() -> list[Response]:
        return await asyncio.gather(*(doors.seat(asked_for_a_seat("BBBB", "S" * 43)) for _ in range(60)))

    seats = asyncio.run(all_at_once())
    assert Counter(seat.status_code for seat in seats) == {404: MAX_OF_ONE, 429: 60 - MAX_OF_ONE}


def test_whoever_sits_comes_back_while_strangers_try_codes(app: Starlette, code: str):
    phone = seated(app, code)
    other = "BBBB" if code != "BBBB" else "CCCC"
    for _ in range(MAX_OF_ALL):
        browser(app).post(f"/rooms/{other}/seat", json={})
    assert browser(app).post(f"/rooms/{code}/seat", json={}).status_code == 429
    assert phone.post(f"/rooms/{code}/seat", json={}).status_code == 200


def test_a_room_that_is_over_says_so(app: Starlette, code: str):
    phone, teacher = seated(app, code), browser(app, TEACHER)
    assert teacher.post(f"/rooms/{code}/turn", json={"end": True}).status_code == 200
    gone = phone.get(f"/rooms/{code}/phone")
    assert (gone.status_code, gone.json()) == (403, {"sentence": doors.NO_SEAT}), "who was inside takes it for the end"
    for back in (teacher.get(f"/rooms/{code}/projector"), phone.post(f"/rooms/{code}/seat", json={})):
        assert (back.status_code, back.json()) == (410, {"sentence": doors.ENDED}), "also to who comes back"
    stranger = browser(app, "S" * 43)
    assert stranger.get(f"/rooms/{code}/projector").json() == {"sentence": doors.NOT_OWN}
    nowhere = stranger.post(f"/rooms/{'BBBB' if code != 'BBBB' else 'CCCC'}/seat", json={})
    assert (nowhere.status_code, nowhere.json()) == (404, {"sentence": doors.OVER})


def test_a_room_that_is_full_is_told_from_one_that_takes_no_newcomers(app: Starlette, code: str, monkeypatch):
    phone, teacher = seated(app, code), browser(app, TEACHER)
    monkeypatch.setattr(rooms().shelf, "max_seats", 1)
    late = browser(app).post(f"/rooms/{code}/seat", json={})
    assert (late.status_code, late.json()) == (403, {"sentence": doors.FULL})
    teacher.post(f"/rooms/{code}/turn", json={"open": False})
    late = browser(app).post(f"/rooms/{code}/seat", json={})
    assert (late.status_code, late.json()) == (403, {"sentence": doors.LOCKED})
    assert phone.post(f"/rooms/{code}/seat", json={}).status_code == 200, "who is in comes back"


def test_a_phone_that_waits_while_the_class_ends_hears_that_it_is_over(app: Starlette, code: str, monkeypatch):
    phone = seated(app, code)
    monkeypatch.setattr(rooms().shelf, "pulse", lambda code: None)  # it had a seat when it began to wait
    heard = phone.get(f"/rooms/{code}/phone")
    assert (heard.status_code, heard.json()) == (410, {"sentence": doors.ENDED})


@pytest.mark.parametrize("code", ["krtm", "KRT", "KRTMM", "AAAA", "..%2F..", "%00%00%00%00", "KR%0aM"])
def test_odd_codes_are_no_rooms(app: Starlette, code: str):
    assert browser(app).post(f"/rooms/{code}/seat", json={}).status_code in (404, 405)


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{}", "text/plain", 415),
        (b"at=1", "application/x-www-form-urlencoded", 415),
        (b"[1]", "application/json", 400),
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 1900, "application/json", 400),
        (b'"' + b"x" * 5000 + b'"', "application/json", 413),
    ],
)
def test_what_is_no_small_json_object_is_refused(app: Starlette, code: str, content: bytes, kind: str, status: int):
    phone = seated(app, code)
    for path in ("seat", "answer", "turn"):
        answer = phone.post(f"/rooms/{code}/{path}", content=content, headers={"content-type": kind})
        assert answer.status_code == status


def test_of_one_browser_so_many_requests_wait(app: Starlette, code: str, monkeypatch: pytest.MonkeyPatch):
    phone = seated(app, code)
    monkeypatch.setattr(doors, "MAX_WAITING_OF_ONE", 0)
    assert phone.get(f"/rooms/{code}/phone").status_code == 429


def test_the_code_of_the_address_is_that_of_a_room_and_of_nothing_else(app: Starlette):
    ask = browser(app).get
    drawn = ask("/rooms/qr", params={"address": "https://lab.example/base/join?room=KRTM"}).json()
    assert drawn["size"] > 20
    for address in ("https://lab.example/join?room=AAAA", "https://evil.example/", "javascript:1/join?room=KRTM", ""):
        assert ask("/rooms/qr", params={"address": address}).status_code == 400
    assert ask("/rooms/qr", params={"address": "https://" + "a" * 300 + "/join?room=KRTM"}).status_code == 400


def test_the_teacher_takes_all_answers_home_and_nobody_else_does(app: Starlette, code: str):
    phone, teacher = seated(app, code), browser(app, TEACHER)
    phone.post(f"/rooms/{code}/answer", json={"at": 0, "round": 0, "value": 1})
    sheet = teacher.get(f"/rooms/{code}/answers.csv?zone=60")
    assert sheet.status_code == 200
    assert re.fullmatch(
        rf'attachment; filename="five-kinds-of-questions-\d{{4}}-\d\d-\d\d-{code}\.csv"',
        sheet.headers["content-disposition"],
    )
    assert sheet.headers["cache-control"] == "no-store"
    assert ",first,right,1,1,1.0," in sheet.text
    assert sheet.content.count("\ufeff".encode()) == 1, "the mark by which Excel reads UTF-8, once"
    assert code in sheet.text
    for stranger in (phone, browser(app), browser(app, "S" * 43)):
        assert stranger.get(f"/rooms/{code}/answers.csv").status_code == 403
    for zone in ("9999", "x", "1e9", "-", ""):
        assert teacher.get(f"/rooms/{code}/answers.csv", params={"zone": zone}).status_code == 200


@pytest.mark.parametrize("name", ["phone", "projector"])
def test_both_pages_hold_no_script_and_take_none_from_elsewhere(app: Starlette, name: str):
    answer = browser(app).get({"phone": "/join", "projector": "/projector"}[name])
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert "frame-ancestors 'self'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.text.count("<script") == 1
    assert '<script type="module" src=' in answer.text
    for kind in ("js", "css"):
        assert browser(app).get(f"/rooms/{name}.{kind}").status_code == 200
    assert browser(app).get("/rooms/doors.js").status_code == 404


def test_while_the_shelf_is_away_every_door_says_so_and_nothing_is_lost(
    app: Starlette, code: str, monkeypatch: pytest.MonkeyPatch
):
    phone = seated(app, code)

    def away(*_: object) -> None:
        raise AwayError("Wait.")

    with monkeypatch.context() as while_away:
        while_away.setattr(rooms().shelf, "look", away)
        while_away.setattr(rooms().shelf, "pulse", away)
        for answer in (
            phone.post(f"/rooms/{code}/seat", json={}),
            phone.get(f"/rooms/{code}/phone"),
            phone.post(f"/rooms/{code}/answer", json={"at": 0, "round": 0, "value": 1}),
            browser(app, TEACHER).get(f"/rooms/{code}/projector"),
        ):
            assert answer.status_code == 503
            assert answer.json() == {"sentence": "Wait."}
    assert phone.get(f"/rooms/{code}/phone").status_code == 200
