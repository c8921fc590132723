"""Measure the app in a real Chromium, against the least that Streamlit can do in the same run: `make bench`.

    python -m benchmarks [--quick] [--only PART]

Times are taken inside the page: from the event (the listener that hears it first) to the end of the frame that shows
its effect, after layout and drawing. They are medians; the first of each kind are left out. What a machine is doing
besides hits all alike, so compare ratios, and within one run.

bare    The unit: an arrow key on a slider, to the number that st.write then shows (bare.py, a server of its own).
        This slider commits at the key press, without waiting for more, so nothing but the round trip is measured.
        It runs under the app's own .streamlit/config.toml, but collects garbage after each run, which is Streamlit's
        way and no longer the app's.
change  The same key on the same kind of slider, here the model's seed, to other numbers painted on the canvas: 12
        heads (3 layers x 4, d_model 96), 24 tokens. Once to seeds that are new, so that a model is built and run; once
        to seeds that are cached. Bare round trips are taken in between. Each time the pixels must differ as well.
within  Hover, another head, layer, stage: one frame, and no message to the server, which the browser counts.
        An event comes at any moment of a frame, so half a frame's wait is part of it; "script" is the work alone.
        Each comes 30 ms after the one before is seen, as from somebody who leafs through the heads, so the address is
        not written in between; "at rest" is the same after a pause in which it was.
sizes   A new sentence committed with Enter, to 12 or 144 heads of 24, 128, 512 tokens drawn; the bytes of the message
        that brings them; what the page's scripts then hold, and the tab's process as a whole.
scene   The front page's scene: the bytes of the message that opens it, and the frames of a flight from the model to a
        product and back, by keys.
cold    Fresh servers: from the start of the process to healthy, then a first visit at once, with an empty cache, in
        turn with an empty app's: its example is finished within 1.3 times that and 1.5 s. torch must not be imported
        before the frame is on screen.
crowd   The seed's slider again, while one and two other visitors train a translator, against nobody training.
load    1, 10, 30 and 100 visitors of a page who think for 5 seconds and then change something; each is a client of
        Streamlit's own websocket (visitor.py), all in one process. A real browser's slider among 30 of them.
opening One page opened by 30 and by 100 visitors at the same moment, and by a real browser among 30, against one alone.
rooms   A class: 100 phones in one room take their seats, answer, and see the teacher's step, all at the same moment.
cost    Processor time of the server per rerun, against that of the bare script.
memory  The most that a fresh server holds with 30 visitors over all pages; and what another, and the processes of two
        trainings beside it, hold together.
heavy   Memory of a fresh server on which every view is opened once; then with eight tabs of the largest legal model at
        once, and a neighbour's slider meanwhile.
soak    2,000 reruns and 200 visits that end: how much larger the server has then grown.
peers   Only if asked for: pages of 144 heads beside those of BertViz and CircuitsVis, where these are there (peers.py).
training  No browser: a step of the trainer against the same step with torch's nn.Transformer, in turn, one thread; its
        budget is what the latter takes in the same run. The times are those that the thread worked.
forward No browser: a pass with all attention weights of a published model in our classes, in turn with the same
        weights in transformers (eager), whose time is the budget; one thread.

"server" is from the message sent to the last answer before the view changed, "browser" from there to painted;
"paints" is how often one change painted the view (1 is best). What the browser has had before it is not sent again,
hence the few bytes of a known seed. Budgets and goals are reported, not enforced: the exit code is 1 only if a
measurement failed. Memory is the server's resident set, and what its children have for themselves.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser

from benchmarks import cost, crowd, forward, load, memory, parts, peers, rooms, scene, training
from benchmarks.server import Server, serve
from benchmarks.size import Size
from benchmarks.table import Goal, Line, goals_table, table
from tests.browser.chromium import launch

PARTS = (
    "change",
    "within",
    "sizes",
    "scene",
    "cold",
    "crowd",
    "load",
    "opening",
    "rooms",
    "cost",
    "memory",
    "heavy",
    "soak",
    "training",
    "forward",
)
ASKED = ("peers",)  # these only if they are asked for: they take minutes


class Found(NamedTuple):
    """What one part measured; bare: round trips of the bare page, if it took some in turn with its own."""

    lines: Sequence[Line] = ()
    goals: Sequence[Goal] = ()
    remarks: Sequence[str] = ()
    bare: Sequence[float] = ()


def measure(name: str, size: Size, browser: Browser, app: Server, plain: Server) -> Found:
    """One part, on a running server of the app and one of the bare page; some start their own."""
    match name:
        case "change":
            lines, bare = parts.change(browser, app, plain, size)
            return Found(lines, bare=bare)
        case "within" | "sizes":
            return Found((parts.within if name == "within" else parts.sizes)(browser, app, size))
        case "scene":
            return Found(*scene.scene(browser, app, size))
        case "cold":
            return Found(*parts.cold(browser, size))
        case "crowd":
            return Found(*crowd.crowd(browser, app, size))
        case "load":
            goals, remarks = load.load(browser, app, size)
            return Found((), goals, remarks)
        case "opening":
            return Found((), load.opening(browser, app, size))
        case "rooms":
            return Found((), rooms.rooms(browser, size))
        case "cost":
            return Found((), cost.cost(app, plain, size))
        case "memory" | "heavy" | "soak":
            part = {"memory": memory.memory, "heavy": memory.heavy, "soak": memory.soak}[name]
            return Found((), part(size))
        case "peers":
            goals, remarks = peers.peers(browser, size)
            return Found((), goals, remarks)
        case "training":
            return Found(training.steps(size))
        case "forward":
            return Found(forward.forward(size))
    raise ValueError(f"there is no part {name!r}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="How fast the app is, in a browser.")
    parser.add_argument("--only", choices=PARTS + ASKED, action="append", help="this part alone; may be given again")
    parser.add_argument("--quick", action="store_true", help="few repetitions: a glance, no figure to quote")
    asked = parser.parse_args()
    wanted, size = asked.only or PARTS, Size.QUICK if asked.quick else Size.FULL
    start = time.perf_counter()
    lines: list[Line] = []
    goals: list[Goal] = []
    bare: list[float] = []
    remarks: list[str] = []
    failed = False

    with launch() as browser:
        print(_machine(browser.version), flush=True)
        with serve(parts.APP) as app, serve(parts.BARE, parts.AS_USUAL) as plain:
            for name in PARTS + ASKED:
                if name not in wanted:
                    continue
                print(f"measuring: {name} ...", file=sys.stderr, flush=True)
                try:
                    found = measure(name, size, browser, app, plain)
                except Exception as error:
                    failed = True
                    cause = f" ({error.__cause__})" if error.__cause__ else ""
                    remarks.append(f"FAILED: {name}: {error}{cause}")
                else:
                    lines += found.lines
                    goals += found.goals
                    remarks += found.remarks
                    bare = bare or list(found.bare)
            if not bare:
                bare = parts.bare_round_trips(browser, plain, size.of(15, 5, 1))

    lines.insert(0, Line("bare Streamlit round trip", bare))
    print("", table(lines, median(bare)), "", *remarks, sep="\n")
    if goals:
        print("", goals_table(goals), sep="\n")
    print(f"\nTaken in {time.perf_counter() - start:.0f} s. p95 of less than 20 is the largest.")
    return int(failed)


def _machine(chromium: str) -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{cores} cores{busy}, {platform.system()} {platform.machine()}, Chromium {chromium},"
        f" Python {platform.python_version()}, Streamlit {version('streamlit')}, torch {version('torch')}"
    )


if __name__ == "__main__":
    sys.exit(main())
