"""What phones and projectors ask the server for: who may, how much, and how they wait for news."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lab.kit.lessons.lesson import file_name
from lab.kit.qr import code as qr_code
from lab.server import visitor
from lab.server.rooms import rooms
from lab.server.rooms.rooms import LETTERS, MOVED, N_LETTERS, Room
from lab.server.rooms.shelf import AwayError, Memory, Pulse
from lab.server.rooms.spreadsheet import date_of
from lab.server.rooms.tally import as_csv, tally

PATIENCE = 20.0  # seconds that a request waits for news: well below what proxies wait for an answer
TICK = 0.2  # seconds between two looks at a room in which somebody waits
MAX_BODY = 2000  # bytes of what a browser sends
MAX_WAITING_OF_ONE, MAX_WAITING_OF_ALL = 24, 4000  # requests; one that was left waits for a second more
MAX_ADDRESS = 200  # letters
OVER = "There is no room with this code. Check the board again."
ENDED = "The class is over."
FULL = "This class is full: no more phones fit in."
LOCKED = "This class takes no newcomers at the moment. Ask your teacher to let you in."
NO_SEAT = "This room is over, or this browser has no seat in it."
NOT_OWN = (
    "This browser has no such room. Open it in the browser that has it."
    " There, the page Class has a link that moves it to another computer."
)
_CODE = re.compile(f"[{LETTERS}]{{{N_LETTERS}}}")
_ADDRESS = re.compile(r"https?://[^\s?#]+/join\?room=" + _CODE.pattern)
_ZONE = re.compile(r"-?[0-9]{1,3}")
T = TypeVar("T")


class RefusedError(Exception):
    """An answer that ends a request: a status, and a sentence for who reads it."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


async def _of_shelf(call: Callable[..., T], *args: Any, **more: Any) -> T:
    """Ask the shelf: at once if it is in memory, else in a thread, so that nobody waits for the network."""
    if isinstance(rooms().shelf, Memory):
        return call(*args, **more)
    return await run_in_threadpool(call, *args, **more)


def _door(answer: Callable[[Request], Any]) -> Callable[[Request], Any]:
    """An endpoint whose refusals are said as JSON, and whose answers nobody keeps."""

    async def endpoint(request: Request) -> Response:
        try:
            response = await answer(request)
        except RefusedError as refused:
            response = JSONResponse({"sentence": str(refused)}, refused.status)
        except AwayError as away:
            response = JSONResponse({"sentence": str(away)}, 503)
        response.headers["cache-control"] = "no-store"
        return response

    return endpoint


def _key(request: Request) -> str:
    return visitor.key_in(request.scope["headers"])


async def _look(request: Request) -> Room | None:
    code = request.path_params["code"]
    return await _of_shelf(rooms().look, code) if _CODE.fullmatch(code) else None


async def _own_room(request: Request) -> Room:
    """The room, if it is that of the browser that asks. Others learn nothing, not even whether there is one, unless
    they had it before."""
    room, code, key = await _look(request), request.path_params["code"], _key(request)
    if room is None and key and await _of_shelf(rooms().has_ended, code, key):
        raise RefusedError(410, ENDED)
    if room and rooms().has_let_go(room, key):
        raise RefusedError(410, MOVED)
    if room is None or not rooms().is_of(room, key):
        raise RefusedError(403, NOT_OWN)
    return room


async def _body(request: Request) -> dict[str, Any]:
    """What was sent. Only pages of this site can send JSON here: a browser asks before it lets another site do so."""
    if request.headers.get("content-type") != "application/json":
        raise RefusedError(415, "Send JSON.")
    text = b""
    async for part in request.stream():
        text += part
        if len(text) > MAX_BODY:
            raise RefusedError(413, f"Send {MAX_BODY} bytes at most.")
    try:
        body = json.loads(text or b"{}")
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RefusedError(400, "Send a JSON object.")
    return body


# ---- waiting -------------------------------------------------------------------------------------------------------


class Waiting:
    """Who waits for news. However many wait in a room, it is looked at once per tick."""

    def __init__(self):
        self._of = Counter[str]()
        self._looks: dict[str, asyncio.Task[Pulse | None]] = {}

    async def news(self, request: Request, code: str, is_news: Callable[[Pulse], bool]) -> Pulse | None:
        """The pulse of a room as soon as it is news, or as it is after PATIENCE seconds; None where it is over."""
        key = _key(request)
        if self._of[key] >= MAX_WAITING_OF_ONE or self._of.total() >= MAX_WAITING_OF_ALL:
            raise RefusedError(429, "Too many pages wait for this room. Close some of them.")
        self._of[key] += 1
        try:
            pulse = await _of_shelf(rooms().shelf.pulse, code)
            for n in range(round(PATIENCE / TICK)):
                if pulse is None or is_news(pulse) or (n % 5 == 4 and await request.is_disconnected()):
                    break
                pulse = await self._next(code)
            return pulse
        finally:
            self._of[key] -= 1
            if not self._of[key]:
                del self._of[key]

    async def _next(self, code: str) -> Pulse | None:
        look = self._looks.get(code)
        if look is None:
            look = self._looks[code] = asyncio.create_task(self._look(code))
        return await asyncio.shield(look)  # who gives up takes nobody along

    async def _look(self, code: str) -> Pulse | None:
        try:
            await asyncio.sleep(TICK)
            return await _of_shelf(rooms().shelf.pulse, code)
        finally:
            del self._looks[code]


WAITING = Waiting()


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None


# ---- phones --------------------------------------------------------------------------------------------------------


@_door
async def seat(request: Request) -> Response:
    await _body(request)
    key = _key(request) or visitor.new_key()
    room = await _look(request)
    if room is None or not await _of_shelf(rooms().is_seated, room, key):
        if not await _of_shelf(rooms().shelf.may_try, key, is_wrong=room is None):
            raise RefusedError(429, "Too many codes were wrong just now. Wait for a minute, then type it once more.")
        if room is None:
            has_ended = await _of_shelf(rooms().has_ended, request.path_params["code"])
            raise RefusedError(410, ENDED) if has_ended else RefusedError(404, OVER)
    if not await _of_shelf(rooms().sit, room, key):
        raise RefusedError(403, FULL if room.state.open else LOCKED)
    response = JSONResponse({"title": room.plan.title})
    base = request.url.path.partition("/rooms/")[0]
    response.headers["set-cookie"] = visitor.cookie_header(key, request.scope, base)
    return response


async def _seated(request: Request) -> Room:
    """The room, if the browser that asks has a seat in it. Others learn nothing, so that no code is found here."""
    room = await _look(request)
    key = _key(request)
    if room is None or not key or not await _of_shelf(rooms().is_seated, room, key):
        raise RefusedError(403, NO_SEAT)
    return room


@_door
async def phone(request: Request) -> Response:
    room = await _seated(request)
    since, wanted = _number(request.query_params.get("since")), _number(request.query_params.get("at"))
    pulse = await WAITING.news(request, room.code, lambda pulse: pulse.turn != since)
    if pulse is None:
        raise RefusedError(410, ENDED)
    if pulse.turn == since:
        return Response(status_code=204)
    room = await _seated(request)
    return JSONResponse({"since": pulse.turn, **await _of_shelf(rooms().handed, room, _key(request), wanted)})


@_door
async def answer(request: Request) -> Response:
    body = await _body(request)
    room = await _seated(request)
    told = (body.get("at"), body.get("round"), body.get("value"))
    sentence = await _of_shelf(rooms().answer, room, _key(request), *told)
    return JSONResponse({"sentence": sentence}, 409 if sentence else 200)


# ---- the teacher ---------------------------------------------------------------------------------------------------


def _as_since(pulse: Pulse) -> str:
    return f"{pulse.turn}.{pulse.count}"


async def _projected(request: Request, pulse: Pulse) -> Response:
    """The room as it is now, which is as the pulse says or newer."""
    room = await _own_room(request)
    return JSONResponse({"since": _as_since(pulse), **await _of_shelf(rooms().projected, room)})


@_door
async def projector(request: Request) -> Response:
    room = await _own_room(request)
    since = request.query_params.get("since", "")
    pulse = await WAITING.news(request, room.code, lambda pulse: _as_since(pulse) != since)
    if pulse is None:
        raise RefusedError(410, ENDED)
    if _as_since(pulse) == since:
        return Response(status_code=204)
    return await _projected(request, pulse)


@_door
async def turn(request: Request) -> Response:
    body = await _body(request)
    room = await _own_room(request)
    if body.get("end") is True:
        while not await _of_shelf(rooms().end, room):
            room = await _own_room(request)  # it has just been ended, or has moved: that is said there
        return JSONResponse({})
    await _of_shelf(rooms().turn, room, body)
    pulse = await _of_shelf(rooms().shelf.pulse, room.code)
    if pulse is None:
        raise RefusedError(410, ENDED)
    return await _projected(request, pulse)  # so that the next key acts on what this one has done


@_door
async def answers(request: Request) -> Response:
    """All that the class has answered so far, as a file for a spreadsheet; `zone`: the minutes by which the teacher's
    clock is ahead of UTC, for the date on it."""
    room = await _own_room(request)
    zone = request.query_params.get("zone", "")
    date = date_of(int(zone) if _ZONE.fullmatch(zone) else 0)
    rows = await _of_shelf(tally, rooms(), room)
    name = f"{file_name(room.plan.title)}-{date}-{room.code}.csv"
    head = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(as_csv(rows, (room.plan.title, date, room.code)), media_type="text/csv", headers=head)


@_door
async def qr(request: Request) -> Response:
    """The QR code of an address at which phones join, and of no other: this is no service for strangers."""
    address = request.query_params.get("address", "")
    if len(address) > MAX_ADDRESS or not _ADDRESS.fullmatch(address):
        raise RefusedError(400, "This is no address of a room.")
    return JSONResponse(qr_code(address))
