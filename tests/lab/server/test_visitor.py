"""The key of a visitor: who is given one, on which terms, and when somebody counts as gone."""

import asyncio
import math
from http.cookies import SimpleCookie

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocket

from lab.server import visitor
from lab.server.visitor import COOKIE, MAX_AGE, GiveKeys, Presence
from tests.pages.driver import visit

KEY = "A" * 43


class Handshake:
    """A websocket as a browser opens it: what the app saw of it, and how the server answered."""

    def __init__(self, *cookies: str, path="/_stcore/stream", origin="http://localhost:8501", kind="websocket"):
        headers = [(b"host", b"localhost:8501"), (b"origin", origin.encode()), (b"dnt", b"1")]
        headers += [(b"cookie", cookie.encode("latin-1")) for cookie in cookies]
        self.seen: dict[str, str] = {}
        self.headers: list[tuple[bytes, bytes]] = []
        self.away = math.nan
        scope = {"type": kind, "scheme": "ws", "path": path, "headers": headers}

        async def app(scope, receive, send):
            self.seen = dict(WebSocket(scope, receive, send).cookies) if kind == "websocket" else {}
            self.away = visitor.PRESENCE.away(self.seen.get(COOKIE, ""))
            await send({"type": f"{kind}.accept", "subprotocol": "streamlit", "headers": [(b"x", b"y")]})

        async def send(message):
            self.headers = message["headers"]
            assert message["subprotocol"] == "streamlit"

        async def receive():
            return {"type": "websocket.connect"}

        asyncio.run(GiveKeys(app)(scope, receive, send))
        assert self.headers[0] == (b"x", b"y")

    @property
    def key(self) -> str:
        return self.seen[COOKIE]

    @property
    def cookie(self):
        answer = SimpleCookie()
        for name, value in self.headers:
            if name == b"set-cookie":
                answer.load(value.decode())
        return answer[COOKIE]


def test_a_browser_without_a_key_is_given_one_that_counts_at_once():
    first, second = Handshake(), Handshake()
    assert first.key == first.cookie.value
    assert first.key != second.key
    assert len(first.key) == 43  # of 64 signs each: 256 bits


def test_a_key_is_kept_and_its_time_begins_anew():
    key = Handshake().key
    again = Handshake(f"_streamlit_xsrf=2|ab; {COOKIE}={key}", "theme=dark")
    assert again.key == again.cookie.value == key
    assert again.seen == {"_streamlit_xsrf": "2|ab", "theme": "dark", COOKIE: key}
    assert int(again.cookie["max-age"]) == MAX_AGE


def test_no_script_reads_the_cookie_and_no_other_site_sends_it():
    plain, safe = Handshake().cookie, Handshake(origin="https://lab.example").cookie
    for cookie in (plain, safe):
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert cookie["domain"] == ""
    assert not plain["secure"]
    assert safe["secure"]


@pytest.mark.parametrize(("path", "expected"), [("/_stcore/stream", "/"), ("/a/lab/_stcore/stream", "/a/lab")])
def test_the_cookie_belongs_to_the_path_of_the_app(path, expected):
    assert Handshake(path=path).cookie["path"] == expected


@given(st.text(st.characters(max_codepoint=255, exclude_characters=";\r\n"), max_size=60))
def test_a_malformed_cookie_is_ignored(value):
    key = Handshake(f"{COOKIE}={value}").key
    assert key != value or visitor._is_key(value)
    assert visitor._is_key(key)


@pytest.mark.parametrize(
    "value", ["", KEY[1:], KEY + "A", KEY[1:] + "/", KEY[1:] + " ", KEY[1:] + "\n", "é" * 43, "../x"]
)
def test_nothing_but_the_shape_of_a_key_is_taken_for_one(value):
    assert not visitor._is_key(value)
    assert Handshake(f"{COOKIE}={value}").key != value


def test_of_several_cookies_the_first_good_one_counts():
    """As for the paths /lab and /: a browser sends the nearer one first."""
    assert Handshake(f"{COOKIE}=bad; {COOKIE}={KEY}; {COOKIE}={'B' * 43}").key == KEY


def test_whatever_is_no_websocket_of_a_page_passes_untouched():
    assert Handshake(path="/other").seen == {}
    assert [name for name, _ in Handshake(kind="http").headers] == [b"x"]


def test_a_visitor_is_here_while_a_websocket_is_open(monkeypatch):
    monkeypatch.setattr(visitor, "PRESENCE", Presence(clock=lambda: 7.0))
    assert visitor.PRESENCE.away(KEY) == math.inf
    assert Handshake(f"{COOKIE}={KEY}").away == 0.0
    assert visitor.PRESENCE.away(KEY) == 0.0  # seven minus seven: it left just now
    assert not visitor.PRESENCE._open


# ---- who is here ---------------------------------------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_whoever_has_left_with_the_last_tab_is_away_from_then_on():
    presence = Presence(clock=(clock := Clock()))
    presence.arrive("a")
    presence.arrive("a")
    clock.now = 10
    presence.leave("a")
    clock.now = 300
    assert presence.away("a") == 0
    presence.leave("a")
    clock.now = 420
    assert presence.away("a") == 120
    presence.arrive("a")
    assert presence.away("a") == 0


def test_a_sign_counts_where_no_websocket_is_known():
    presence = Presence(clock=(clock := Clock()))
    presence.see("a")
    clock.now = 50
    assert presence.away("a") == 50
    presence.see("a")
    assert presence.away("a") == 0
    presence.arrive("a")
    presence.see("a")  # no sign is needed
    clock.now = 500
    assert presence.away("a") == 0


def test_those_who_left_long_ago_are_forgotten():
    presence = Presence(remembered=100, clock=(clock := Clock()))
    for n in range(1000):
        clock.now = float(n)
        presence.see(f"visitor {n}")
        assert len(presence._last) <= 101
    assert presence.away("visitor 950") == 49
    assert presence.away("visitor 1") == math.inf


# ---- in the app ----------------------------------------------------------------------------------------------------


def test_without_cookies_a_session_has_a_key_of_its_own():
    one, other = visit("positions"), visit("positions")
    key = one.session_state[visitor._KEY]
    assert visitor._is_key(key)
    assert one.run().session_state[visitor._KEY] == key
    assert other.session_state[visitor._KEY] != key
