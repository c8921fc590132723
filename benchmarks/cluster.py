"""Several servers behind a proxy on this machine, a crowd that comes through it, and what breaks one by one.

    make cluster        python -m benchmarks.cluster [--servers 2] [--proxy traefik] [--quick] [--only PART]

All is started from the files of deploy/ (proxied.py). Visitors are clients of Streamlit's websocket, as in load.py,
each with a cookie of the proxy's, so that the proxy spreads them; they think for five seconds, change something, and
come back at the address they were at when the connection breaks, as a browser does. A change without an answer is
made again after that: it is lost only if there is none then either.

people    the largest crowd whose median answer comes within a second, by doubling; by the processor time that an
          answer took, how many a core is enough for, and what ten thousand people need (simulation.py)
killed    a server is killed: until each visitor has had a whole page from another
rooms     a class through the proxy: its server is killed, then Redis is ended and started again; what was answered
training  the same with a training under way, in a real browser: its settings, and “Continue” from the last state
rolling   each server is ended and started again, one after the other
proxy     the proxy is ended and started again;  scheduler: the same with Dask's, while a training runs

Meanwhile the front page is asked for five times a second: an error page is any answer but 200.
"""

import argparse
import asyncio
import os
import secrets
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, expect

from benchmarks.load import HABITS, THINKING, crowd
from benchmarks.proxied import Missing, Proxied
from benchmarks.rooms import ANSWERS, Asker, open_room
from benchmarks.server import Beside
from benchmarks.simulation import people_per_server, servers_for
from benchmarks.table import Goal, goals_table, p95
from benchmarks.visitor import NoAnswer, Visitor, run, start
from tests.browser.chromium import launch

PARTS = ("people", "killed", "rolling", "proxy", "rooms", "training", "scheduler")
WITHIN = 1000  # ms, for half of all answers
MANY = 10_000  # people, for whom this machine is too small: what they need is simulated
BACK = 10_000  # ms until everybody is on another server
SERVER = "attention_lab_server"  # the proxy's cookie
SAID = 5_000  # ms until the page says that the cluster is away
PATIENCE = 60.0  # seconds in which a visitor tries to come back
TRAINING = "live_task=English+to+French&live_steps=3000&live_heads=2"


class Outage(NamedTuple):
    """What was met with: seconds from a break to a whole page again, of each visitor; answers; changes without one."""

    back: list[float]
    answers: list[float]
    lost: list[str]


def cookie(_: int = 0) -> str:
    """A visitor's cookie of the proxy's, which belongs to a server by chance."""
    return f"{SERVER}={secrets.token_hex(16)}"


async def faithful(url: str, number: int, over: threading.Event, thinking: float, met: Outage) -> None:
    """One visitor until it is over, who comes back whenever the connection breaks."""
    habit, rng, cookies = HABITS[0], Random(number), cookie()
    query, since = habit.query, time.perf_counter()
    broken = again = False  # whether the connection broke, and the last change had no answer
    while (again or not over.is_set()) and time.perf_counter() - since < PATIENCE:
        try:
            async with Visitor(url, habit.page, query, cookies) as visitor:
                await visitor.open()
                if broken:
                    met.back.append(time.perf_counter() - since)
                while again or not over.is_set():
                    if not again:
                        await asyncio.sleep(rng.uniform(0.5, 1.5) * thinking)
                    since, again = time.perf_counter(), True
                    met.answers.append((await visitor.change(habit.label, habit.value(rng))).seconds)
                    again, query = False, visitor.query
        except NoAnswer:
            broken = True
            await asyncio.sleep(0.2)
    if again:
        met.lost.append(query)


@contextmanager
def staying(url: str, n: int, thinking: float) -> Iterator[Outage]:
    """So many visitors for the time of the block; what they have met with is complete after it."""
    met, over = Outage([], [], []), threading.Event()

    async def all_of_them() -> None:
        await asyncio.gather(*(faithful(url, number, over, thinking, met) for number in range(n)))

    visits = start(all_of_them())
    try:
        yield met
    finally:
        over.set()
        visits.result(2 * PATIENCE)


class Prober(Beside):
    """Opens the front page five times a second: how often the answer was another than 200."""

    every = 0.2

    def __init__(self, lab: Proxied):
        super().__init__()
        self._lab, self.n, self.seen = lab, 0, Counter()

    def look(self) -> None:
        self.n += 1
        if (status := self._lab.status()) != 200:
            self.seen[status or "no answer"] += 1


# ---- parts -----------------------------------------------------------------------------------------------------------


def people(lab: Proxied, thinking: float, most: int) -> Iterator[Goal]:
    """Crowds that double until the median answer takes over a second."""
    run(crowd(lab.url, HABITS[0], 4, 2, 0.1, seed=1, cookies=cookie))  # what is loaded once is loaded
    n, held, n_answers, begin = 25, 0, 0, _cpu(lab)
    while n <= most:
        met = run(crowd(lab.url, HABITS[0], n, 3, thinking, cookies=cookie))
        n_answers += len(met.answers) + len(met.opened)
        middle = 1000 * median(met.answers) if met.answers else float("inf")
        note = f"p95 {1000 * p95(met.answers):.0f} ms, {len(met.answers)} answers" if met.answers else ""
        yield Goal(f"{n} people, {len(lab.servers)} servers: median", middle, "ms", None, note)
        yield Goal(f"{n} people: errors", len(met.errors), "", 0, "; ".join(sorted(set(met.errors))[:2]))
        if middle > WITHIN:
            break
        held, n = n, 2 * n
    yield Goal("people per server, median under 1 s", held // len(lab.servers), "", None, f"tried up to {most}")
    cost = (_cpu(lab) - begin) / n_answers
    yield Goal("processor time per answer", 1000 * cost, "ms", None, f"{n_answers} answers and first pages")
    yield Goal("simulated: people per core, 95% of the answers within 1 s", people_per_server(cost, THINKING), "", None)
    many = servers_for(MANY, cost, THINKING)
    memory = many * max(lab.metric(number, "attention_lab_memory_bytes") for number in range(len(lab.servers)))
    yield Goal(
        f"simulated: servers for {MANY:,} people", many, "", None, f"of a core each, {memory / 1e9:.0f} GB in all"
    )


def _cpu(lab: Proxied) -> float:
    return sum(server.cpu_seconds() for server in lab.servers)


def outage(
    lab: Proxied, what: str, visitors: int, thinking: float, do: Callable[[], None], pages: bool = True
) -> Iterator[Goal]:
    """Something breaks while visitors are there; pages: whether no page may be an error meanwhile."""
    with Prober(lab) as prober:
        with staying(lab.url, visitors, thinking) as met:
            time.sleep(2 * thinking)
            before = len(met.answers)
            do()
            time.sleep(2 * thinking)
        after = len(met.answers) - before
    back = [1000 * seconds for seconds in met.back]
    note = f"{len(back)} came back, median {median(back):.0f} ms" if back else "nobody's connection broke"
    yield Goal(f"{what}: back, the slowest of {visitors}", max(back, default=0), "ms", BACK, note)
    yield Goal(f"{what}: answers lost", len(met.lost), "", 0, f"{after} answers after it began")
    kinds = "".join(f", {n} x {kind}" for kind, n in prober.seen.items())
    yield Goal(f"{what}: error pages", prober.seen.total(), "", 0 if pages else None, f"of {prober.n}{kinds}")


def _tried(phone: Asker, path: str, sent: object = None) -> Any:
    """What a phone is told, however often it has to ask: as a browser does that has lost its connection."""
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        try:
            status, told = phone.ask(path, sent)
            if status == 200:
                return told
        except (OSError, HTTPException, ValueError):
            phone.hang_up()
        time.sleep(0.2)
    raise RuntimeError("a phone found no way back")


def rooms(browser: Browser, lab: Proxied, n: int) -> Iterator[Goal]:
    """A class of n phones through the proxy: a server is killed, then the rooms' Redis is ended and started again."""

    def killed() -> None:
        lab.servers[0].end(signal.SIGKILL)

    def replaced() -> None:
        lab.rooms.end()
        lab.rooms.start()

    with browser.new_context() as context, ThreadPoolExecutor(n) as pool:
        teacher, code = open_room(context, lab.url)
        phones = [Asker(lab.url, code, {SERVER: secrets.token_hex(16)}) for _ in range(n)]
        list(pool.map(lambda phone: _tried(phone, "seat", {}), phones))
        breaks = {"a server killed with a class": killed, "Redis restarted with a class": replaced}
        for at, (what, do) in enumerate(breaks.items()):
            _tried(teacher, "turn", {"at": at})
            answers = partial(_tried, path="answer", sent={"at": at, "round": 0, "value": ANSWERS[at]})
            list(pool.map(answers, phones[: n // 2]))
            begin = time.perf_counter()
            do()
            list(pool.map(answers, phones[n // 2 :]))
            took = 1000 * (time.perf_counter() - begin)
            seen = _tried(teacher, "projector")["answered"][0]
            yield Goal(f"{what}: every phone has answered", took, "ms", BACK, f"{n} phones, half of them before")
            yield Goal(f"{what}: answers lost", n - seen, "", 0, f"the projector counts {seen} of {n}")
    lab.start_server(0)


def _trained_at(lab: Proxied) -> int:
    """The server that has a training under way."""
    name = 'attention_lab_trainings{state="running"}'
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        for number in range(len(lab.servers)):
            if lab.metric(number, name):
                return number
        time.sleep(0.2)
    raise RuntimeError("no server trains")


def _wait_for_a_state(lab: Proxied) -> None:
    """A training's state is kept every few seconds; before the first there is an empty file."""
    while not any(file.stat().st_size for file in (lab.folder / "snapshots").glob("*")):
        time.sleep(0.2)


def _training(browser: Browser, lab: Proxied) -> Page:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{lab.url}/live?{TRAINING}")
    page.locator(".st-key-train button").click()
    page.locator(".film[data-state=running]").wait_for()
    return page


def training(browser: Browser, lab: Proxied) -> Iterator[Goal]:
    """The server with a training is killed, with the page of its visitor."""
    page = _training(browser, lab)
    number = _trained_at(lab)
    _wait_for_a_state(lab)
    address = page.url
    begin = time.perf_counter()
    lab.servers[number].end(signal.SIGKILL)
    page.get_by_role("button", name="Continue").wait_for()
    took = 1000 * (time.perf_counter() - begin)
    kept = float(page.url == address)
    page.get_by_role("button", name="Continue").click()
    page.locator(".film[data-state=running]").wait_for()
    yield Goal("a training's server killed: found on another", took, "ms", BACK, "its visitor may press Continue")
    yield Goal("a training's server killed: settings lost", 1 - kept, "", 0)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=120_000)
    page.context.close()
    lab.start_server(number)


def scheduler(browser: Browser, lab: Proxied) -> Iterator[Goal]:
    """Dask's scheduler is killed and started again while a training runs there."""
    page = _training(browser, lab)
    _trained_at(lab)
    _wait_for_a_state(lab)  # without one to go on from, a training whose cluster is away has failed
    said = page.get_by_text("The cluster that trains does not answer now")
    begin = time.perf_counter()
    lab.scheduler.end(signal.SIGKILL)
    said.first.wait_for()
    yield Goal("the scheduler killed: the page says so", 1000 * (time.perf_counter() - begin), "ms", SAID)
    begin = time.perf_counter()
    lab.scheduler.start()
    lab.worker.end()  # it ends when its scheduler does, and whatever runs it starts it again
    lab.worker.start()
    page.get_by_text("The cluster that trains was away").first.wait_for()
    yield Goal("the scheduler is back: the training goes on", 1000 * (time.perf_counter() - begin), "ms", None)
    page.get_by_role("button", name="Stop").click()
    page.context.close()


def _took(do: Callable[[], object]) -> float:
    """The ms that it takes."""
    begin = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - begin)


# ---- all of it -------------------------------------------------------------------------------------------------------


def measure(lab: Proxied, browser: Browser, quick: bool, wanted: Collection[str]) -> Iterator[Goal]:
    """Every part that is wanted, one after the other."""
    visitors, thinking, most = (8, 1.0, 25) if quick else (30, THINKING, 400)

    def killed() -> None:
        lab.servers[0].end(signal.SIGKILL)
        time.sleep(BACK / 1000)
        lab.start_server(0)

    def rolling() -> Iterator[Goal]:
        ends, starts = [], []

        def rolled() -> None:
            for number, server in enumerate(lab.servers):
                ends.append(_took(server.end))
                starts.append(_took(partial(lab.start_server, number)))

        yield from outage(lab, "a rolling restart", visitors, thinking, rolled)
        note = f"the slowest of {len(ends)}"
        yield Goal("a rolling restart: until a server has ended", max(ends), "ms", None, note)
        yield Goal("a rolling restart: until it is healthy again", max(starts), "ms", None, note)

    def replaced() -> None:
        lab.proxy.end()
        lab.start_proxy()

    parts = {
        "people": lambda: people(lab, thinking, most),
        "killed": lambda: outage(lab, "a server killed", visitors, thinking, killed),
        "rolling": rolling,
        "rooms": lambda: rooms(browser, lab, 2 * visitors),
        "proxy": lambda: outage(lab, "the proxy restarted", visitors, thinking, replaced, pages=False),
        "training": lambda: training(browser, lab),
        "scheduler": lambda: scheduler(browser, lab),
    }
    for name in PARTS:
        if name in wanted:
            try:
                yield from parts[name]()
            except Exception as error:  # the others are worth knowing all the same
                yield Goal(name, 0, "", 0, f"{error}".partition("\n")[0], instead="failed")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description="Servers behind a proxy.")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--proxy", choices=("nginx", "traefik"), default="nginx")
    parser.add_argument("--quick", action="store_true", help="few visitors: a glance, no figure to quote")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part alone; may be given again")
    asked = parser.parse_args()
    goals = []
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before it began", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, launch() as browser:
        try:
            with Proxied(Path(folder), asked.servers, has_cluster=True, proxy=asked.proxy) as lab:
                for goal in measure(lab, browser, asked.quick, asked.only or PARTS):
                    print(goal.line(), file=sys.stderr, flush=True)
                    goals.append(goal)
        except Missing as missing:
            print(missing)
            return 1
    print(goals_table(goals))
    return int(any(goal.verdict == "missed" for goal in goals))


if __name__ == "__main__":
    sys.exit(main())
