"""A class of a hundred phones in one room: how long until an answer is taken and a step is seen, and what it costs."""

import http.client
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from statistics import median
from threading import Barrier
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext

from benchmarks.server import Peak, serve
from benchmarks.size import Size
from benchmarks.table import Goal, p95

APP = "app.py"
ANSWERED, MEMORY = 1000, 100  # ms for an answer; MB for all phones
JSON = {"content-type": "application/json"}


class Asker:
    """A browser without a screen: it asks the doors of a room and keeps its cookies. It is used by one thread."""

    def __init__(self, url: str, code: str, cookies: Mapping[str, str] = MappingProxyType({})):
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._code, self._cookies = code, dict(cookies)
        self.since = ""

    def ask(self, path: str, sent: object = None) -> tuple[int, Any]:
        """The status of an answer, and what it says."""
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        body = None if sent is None else json.dumps(sent)
        method = "GET" if sent is None else "POST"
        self._connection.request(method, f"/rooms/{self._code}/{path}", body, headers | (JSON if body else {}))
        answer = self._connection.getresponse()
        for told in answer.headers.get_all("set-cookie", []):
            self._cookies |= {name: one.value for name, one in SimpleCookie(told).items()}
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def hang_up(self) -> None:
        """End the connection; the next request opens another."""
        self._connection.close()

    def hear(self) -> Any:
        """What there is to see, as soon as it is new."""
        while True:
            status, told = self.ask(f"phone?since={self.since}")
            if status == 200:
                self.since = told["since"]
                return told
            if status != 204:
                raise RuntimeError(f"a phone was told {status}: {told}")


def rooms(browser: Browser, size: Size) -> list[Goal]:
    """A fresh server, a teacher's browser that opens a room, and phones that do everything at the same moment."""
    n, n_steps = size.of(100, 30, 3), size.of(4, 3, 2)
    with serve(APP) as server, browser.new_context() as context:
        teacher, code = open_room(context, server.url)
        before = server.memory_mb()
        phones = [Asker(server.url, code) for _ in range(n)]
        with ThreadPoolExecutor(n) as pool, Peak(server) as peak:
            spent = server.cpu_seconds()
            joined = _all_at_once(pool, phones, lambda phone: phone.ask("seat", {})[0] == 200)
            _all_at_once(pool, phones, Asker.hear)
            heard, answered = [], []
            for step in range(n_steps):
                if step:
                    heard += _hear_of_a_step(pool, phones, teacher, step)
                answered += _all_at_once(pool, phones, lambda phone, at=step: answer(phone, at))
                status, seen = teacher.ask("projector")
                if status != 200 or seen["answered"] != [n]:
                    raise RuntimeError(f"the projector was told {status}, {seen and seen['answered']} of {n}")
            worked = (server.cpu_seconds() or 0) - (spent or 0)
    note = f"median {median(answered):.0f} ms, the slowest {max(answered):.0f} ms"
    return [
        Goal(f"{n} phones take their seats at once: p95", p95(joined), "ms"),
        Goal(f"{n} phones answer at once: p95", p95(answered), "ms", ANSWERED, note),
        Goal(f"{n} phones see the teacher's step: p95", p95(heard), "ms", ANSWERED, f"median {median(heard):.0f} ms"),
        Goal(f"{n} phones: memory of the server", peak.mb - before, "MB", MEMORY, f"{peak.mb:.0f} MB at the most"),
        Goal(f"{n} phones, {n_steps} questions: processor", worked, "s"),
    ]


ANSWERS = (4, [6, 1], 0, 50, [0.5] * 16)  # to the questions of the warm-up


def open_room(context: BrowserContext, url: str) -> tuple[Asker, str]:
    """A teacher's browser opens a room with the warm-up: what asks in its place, and the code."""
    page = context.new_page()
    page.goto(f"{url}/classroom")
    page.get_by_role("button", name="Start the class").click()
    code = page.locator(".class-code b").inner_text(timeout=60_000)
    kept = {one["name"]: one["value"] for one in context.cookies() if one["name"].endswith("_visitor")}
    page.close()  # what it held is not the phones'
    return Asker(url, code, kept), code


def answer(phone: Asker, at: int) -> None:
    """Answer the question at this place. Raises RuntimeError where it is refused."""
    status, told = phone.ask("answer", {"at": at, "round": 0, "value": ANSWERS[at]})
    if status != 200:
        raise RuntimeError(f"an answer was refused: {status}, {told}")


def _all_at_once(pool: ThreadPoolExecutor, phones: Sequence[Asker], do: Callable[[Asker], object]) -> list[float]:
    """How long each phone took for something that all begin at the same moment, in ms."""
    ready = Barrier(len(phones))

    def one(phone: Asker) -> float:
        ready.wait()
        start = time.perf_counter()
        do(phone)
        return 1000 * (time.perf_counter() - start)

    return list(pool.map(one, phones))


def _hear_of_a_step(pool: ThreadPoolExecutor, phones: Sequence[Asker], teacher: Asker, at: int) -> list[float]:
    """How long after the teacher steps each phone has seen it, in ms; all of them wait for it before."""

    def one(phone: Asker) -> float:
        phone.hear()
        return time.perf_counter()

    waiting = [pool.submit(one, phone) for phone in phones]
    time.sleep(1)  # until their requests have come
    start = time.perf_counter()
    status, _ = teacher.ask("turn", {"at": at})
    if status != 200:
        raise RuntimeError(f"the teacher was told {status}")
    return [1000 * (heard.result() - start) for heard in waiting]
