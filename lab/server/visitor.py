"""Who is asking: a key that a visitor's browser keeps, so that what is theirs is found again after a lost connection.

The key is a cookie that no script can read. The server sets it while a websocket opens: that answer is never cached by
anybody, it comes before the first run of the page, and it goes only to pages of this very site. A browser that keeps no
cookie (the page is embedded in another site, say) comes with a new key each time, which then lasts as long as its
session.
"""

import math
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from time import monotonic
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from lab.hooks.runtime import STREAM

COOKIE = "attention_lab_visitor"
MAX_AGE = 7 * 24 * 3600  # seconds since the last visit after which a browser forgets its key
_SHAPE = re.compile(r"[A-Za-z0-9_-]{43}")
_KEY = "_kept_visitor"  # in st.session_state

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


def key() -> str:
    """This visitor's key: the same in all tabs of one browser, or this session's own if the browser keeps no cookie."""
    if _KEY not in st.session_state:
        cookie = st.context.cookies.get(COOKIE)
        st.session_state[_KEY] = cookie if _is_key(cookie) else new_key()
    PRESENCE.see(st.session_state[_KEY])
    return st.session_state[_KEY]


def _is_key(value: object) -> bool:
    return isinstance(value, str) and _SHAPE.fullmatch(value) is not None


# ---- the cookie ----------------------------------------------------------------------------------------------------


class GiveKeys:
    """Middleware: whoever opens a websocket without a well-formed key is given one, with the server's answer.

    The application behind it sees the key at once, as if the browser had sent it.
    """

    def __init__(self, app: Application):
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].endswith(STREAM):
            await self.app(scope, receive, send)
            return
        cookies, key = _split(scope["headers"])
        key = key or new_key()
        headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        headers.append((b"cookie", b"; ".join([*cookies, f"{COOKIE}={key}".encode()])))
        answer = (b"set-cookie", cookie_header(key, scope, scope["path"].removesuffix(STREAM)).encode())

        async def send_with_key(message: Message) -> None:
            if message["type"] == "websocket.accept":
                message = {**message, "headers": [*message.get("headers", ()), answer]}
            await send(message)

        PRESENCE.arrive(key)
        try:
            await self.app({**scope, "headers": headers}, receive, send_with_key)
        finally:
            PRESENCE.leave(key)


MIDDLEWARE = (Middleware(GiveKeys),)


def key_in(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The key that a request names, "" where it names none."""
    return _split(headers)[1]


def _split(headers: Iterable[tuple[bytes, bytes]]) -> tuple[list[bytes], str]:
    """All other cookies of a request, as they were sent, and the key: the first that is well-formed, or ""."""
    others, keys = [], []
    for name, value in headers:
        for cookie in value.split(b";") if name == b"cookie" else ():
            label, _, content = cookie.strip().partition(b"=")
            if label == COOKIE.encode():
                keys.append(content.decode("latin-1"))
            elif cookie.strip():
                others.append(cookie.strip())
    return others, next((key for key in keys if _is_key(key)), "")


def new_key() -> str:
    """A key for a browser that has none."""
    return secrets.token_urlsafe(32)  # 256 bits


def cookie_header(key: str, scope: Message, base: str) -> str:
    """What has a browser keep a key, for the app below this path alone, and on https never without encryption.

    The browser's own word, Origin, says whether the page came by https: a proxy may have taken that off on the way.
    """
    origin = dict(scope["headers"]).get(b"origin", b"")
    secure = "; Secure" if origin.startswith(b"https:") or scope.get("scheme") in ("wss", "https") else ""
    return f"{COOKIE}={key}; Path={base or '/'}; Max-Age={MAX_AGE}; HttpOnly; SameSite=Strict{secure}"


# ---- who is here ---------------------------------------------------------------------------------------------------


class Presence:
    """How many websockets every visitor has open, and when there was last a sign of those who have none.

    remembered  seconds after which a visitor who has left is forgotten
    """

    def __init__(self, remembered: float = 3600.0, clock: Callable[[], float] = monotonic):
        self.remembered, self.clock = remembered, clock
        self._lock = threading.Lock()
        self._open: dict[str, int] = {}
        self._last: OrderedDict[str, float] = OrderedDict()  # the oldest sign first

    def arrive(self, key: str) -> None:
        with self._lock:
            self._open[key] = self._open.get(key, 0) + 1

    def leave(self, key: str) -> None:
        with self._lock:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
                self._sign(key)

    def see(self, key: str) -> None:
        """A sign of life from a visitor whose websocket may have been opened under another key."""
        with self._lock:
            if key not in self._open:
                self._sign(key)

    def away(self, key: str) -> float:
        """Seconds since the last sign of this visitor; 0 while a websocket is open, infinity for a stranger."""
        with self._lock:
            return 0.0 if key in self._open else self.clock() - self._last.get(key, -math.inf)

    def _sign(self, key: str) -> None:
        now = self.clock()
        self._last[key] = now
        self._last.move_to_end(key)
        while now - next(iter(self._last.values())) > self.remembered:
            self._last.popitem(last=False)


PRESENCE = Presence()
