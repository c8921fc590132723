"""The attention view beside the tools that notebooks use: the same tensors, in one run and one browser.

The peers are not among the project's requirements. They are fetched into a folder of their own, and with them the
libraries that BertViz loads from a CDN, which is not asked for here:

    pip install --no-deps --target peers bertviz==1.4.1 circuitsvis==1.43.3 importlib-metadata zipp
    npm install --prefix peers d3@5.7.0 jquery@2.1.4 requirejs@2.3.6
    ATTENTION_LAB_PEERS=peers python -m benchmarks --only peers

Every page is opened from a file, without a network, in a browser of its own. It is drawn when its document has not
changed for a second: the figure is the time of the last change, after its frame. A change of layer or head and a move
of the pointer are timed inside the page, from the event to the end of the frame that shows them. Memory is that of the
tab's process, as the system says.

An event is measured several times and the median given, but once where it takes over a second. What is not there after
PATIENCE is "over" that many seconds, and a page that ends, or would have more memory than MAX_MIB, "died"; nothing more
is then asked of that page. All peers together have ALL_PEERS seconds.
"""

import importlib
import sys
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from playwright.sync_api import Browser, Error, Page, Route
from playwright.sync_api import TimeoutError as Late

from attention_view import show
from benchmarks.size import Size
from benchmarks.tab import SCREEN, renderer_mib
from benchmarks.table import Goal
from lab.server import environment
from tests.browser.chromium import FLAGS, installed
from transformer.inspection.heads import head_scores

LAYERS = HEADS = 12
PATIENCE = 60.0  # seconds for a page to be drawn
EVENT = 30.0  # seconds for the answer to one event
ALL_PEERS = 330.0  # seconds for the pages of all peers
LONG = 1000  # ms: an event that takes longer is measured once
MAX_MIB = 8000
MIB = 2**20
MISSING = (
    "peers: {} cannot be imported, so it is not measured. `pip install --no-deps --target peers bertviz circuitsvis"
    " importlib-metadata zipp`, `npm install --prefix peers d3@5.7.0 jquery@2.1.4 requirejs@2.3.6`, and name the"
    " folder: ATTENTION_LAB_PEERS=peers"
)
WATCH = (Path(__file__).parent / "peers.js").read_text()


class Peer(NamedTuple):
    """A way to draw attention: its name, what peers.js calls it, and what makes a page of weights and tokens."""

    name: str
    key: str
    html: Callable[[np.ndarray, list[str]], str]


def ours(weights: np.ndarray, tokens: list[str]) -> str:
    return show(weights, tokens, layer=3, head=4).html()


def bertviz(view: str) -> Callable[[np.ndarray, list[str]], str]:
    def html(weights: np.ndarray, tokens: list[str]) -> str:
        import torch

        draw = getattr(importlib.import_module("bertviz"), view)
        page = draw([torch.from_numpy(layer)[None] for layer in weights], tokens, html_action="return")
        return f"<!doctype html><meta charset='utf-8'><body>{page.data}"

    return html


def circuitsvis(weights: np.ndarray, tokens: list[str]) -> str:
    attention = importlib.import_module("circuitsvis.attention")
    flat = weights.reshape(-1, *weights.shape[2:])
    page = attention.attention_heads(flat, tokens, mask_upper_tri=True)
    return f"<!doctype html><meta charset='utf-8'><body>{page.local_src}"


OURS = Peer("attention_view", "ours", ours)
PEERS = {
    "bertviz": (
        Peer("BertViz head view", "head_view", bertviz("head_view")),
        Peer("BertViz model view", "model_view", bertviz("model_view")),
    ),
    "circuitsvis": (Peer("CircuitsVis", "circuitsvis", circuitsvis),),
}


class TooLong(Exception):
    """What was waited for did not come: "over 90 s", or "died"."""


class Clock:
    """The time that is left for the pages of all peers."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def at_most(self, seconds: float) -> float:
        return max(0.0, min(seconds, self._end - time.monotonic()))


def peers(browser: Browser, size: Size) -> tuple[list[Goal], list[str]]:
    """Size, time until drawn, memory, change and hover: ours at up to 512 tokens, the peers at up to 128."""
    goals, remarks = [_told(_scores())], []
    for tokens in size.of((64, 128, 256, 512), (64, 128), (8,)):
        most = {128: (1000, None), 512: (3000, 600)}.get(tokens, (None, None))
        goals += _measured(browser, OURS, tokens, Clock(ALL_PEERS), *most, size=6 if tokens == 128 else None)
    others = []
    for package, views in PEERS.items():
        if fault := _missing(package):
            remarks.append(MISSING.format(f"{package} ({fault})"))
        else:
            others += views
    clock = Clock(ALL_PEERS)
    for tokens in size.of((64, 128), (64,), ()):  # the slowest come last, if there is time for them
        for peer in others:
            goals += _measured(browser, peer, tokens, clock)
    return goals, remarks


def _told(goal: Goal) -> Goal:
    print(f"  {goal.line()}", file=sys.stderr, flush=True)
    return goal


def _measured(
    browser: Browser,
    peer: Peer,
    tokens: int,
    clock: Clock,
    drawn: float | None = None,
    memory: float | None = None,
    size: float | None = None,
) -> list[Goal]:
    """The figures of one page, each with its goal if there is one, and each told as soon as it is known."""
    what, goals = f"{peer.name}, {LAYERS * HEADS} heads x {tokens}", []

    def add(name: str, figure: float, unit: str, most: float | None = None, note: str = "", instead: str = "") -> None:
        goals.append(_told(Goal(f"{what}: {name}", figure, unit, most, note, instead)))

    if not clock.at_most(1):
        add("page", 0, "", instead="not tried", note=f"the {ALL_PEERS:.0f} s for all peers were over")
        return goals
    text = peer.html(_weights(tokens), [f"word{n}" for n in range(tokens)])
    add("page", len(text.encode()) / 1e6, "MB", size)
    own = browser.browser_type.launch(executable_path=installed(), args=FLAGS)
    with TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(text, encoding="utf-8")
        del text
        name, most = "drawn", drawn
        try:
            page = own.new_context(viewport=SCREEN).new_page()
            page.add_init_script(WATCH)
            page.route("**/*", _from_folder)
            add(name, _drawn(own, page, file, peer, clock), "ms", most)
            if mib := renderer_mib(own):
                add("memory", mib, "MiB", memory)
            is_ours = peer is OURS
            for name, event, most in (
                ("hover", "hover", 2 * 1000 / 60 if is_ours else None),
                ("layer or head", "change", 50 if is_ours and tokens == 256 else None),
            ):
                if times := _times(page, peer.key, event, clock):
                    add(name, median(times), "ms", most, "once" if len(times) == 1 else "")
        except TooLong as end:
            add(name, 0, "ms", most, instead=str(end))
        finally:
            own.close()
    return goals


def _drawn(browser: Browser, page: Page, file: Path, peer: Peer, clock: Clock) -> float:
    """ms from the navigation to the last change of the document. Raises TooLong."""
    patience = clock.at_most(PATIENCE)
    end = time.monotonic() + patience
    try:
        page.goto(file.as_uri(), wait_until="commit", timeout=1000 * patience)
    except Error as error:
        raise TooLong(_why(error, patience, PATIENCE)) from error
    while True:
        try:
            some = max(1.0, min(2.0, end - time.monotonic()))
            page.wait_for_function("name => bench.atRest(name)", arg=peer.key, timeout=1000 * some, polling=200)
            return page.evaluate("bench.last()")
        except Error as error:
            if (renderer_mib(browser) or 0) > MAX_MIB:
                raise TooLong(f"over {MAX_MIB} MiB") from error
            if time.monotonic() > end or not isinstance(error, Late):
                raise TooLong(_why(error, patience, PATIENCE)) from error


def _times(page: Page, name: str, event: str, clock: Clock, n: int = 5) -> list[float]:
    """ms of some such events, the first left out; of long ones only the first; [] where there is nothing to measure."""
    times: list[float] = []
    for at in range(n + 1):
        patience = clock.at_most(EVENT)
        try:
            page.evaluate("given => bench.begin(...given)", [name, event, at])
            page.wait_for_function("() => bench.taken() !== undefined", timeout=1000 * patience, polling=100)
        except Error as error:
            raise TooLong(_why(error, patience, EVENT)) from error
        took = page.evaluate("bench.taken()")
        if took is None:
            return []
        if took > LONG:
            return [took]
        times.append(took)
    return times[1:]


def _why(error: Error, patience: float, usual: float) -> str:
    if isinstance(error, Late):
        return f"over {patience:.0f} s" + (", all that was left" if patience < usual else "")
    first = str(error).splitlines()[0]
    return "died" if "crash" in first or "closed" in first else f"failed: {first[:60]}"


def _from_folder(route: Route) -> None:
    """What a page asks a CDN for comes from the peers' folder, and nothing else from anywhere."""
    files = {
        "d3.min.js": "d3/dist/d3.min.js",
        "jquery.min.js": "jquery/dist/jquery.min.js",
        "require.min.js": "requirejs/require.js",
    }
    if route.request.url.startswith("file:"):
        return route.continue_()
    name = files.get(route.request.url.rsplit("/", 1)[-1])
    path = (environment.PEERS.read() or Path()) / "node_modules" / (name or "")
    if name and path.is_file():
        return route.fulfill(path=path, content_type="text/javascript")
    return route.abort()


def _weights(tokens: int) -> np.ndarray:
    """Causal attention (L, H, T, T), float32, the same in every run."""
    shape = (LAYERS, HEADS, tokens, tokens)
    weights = np.random.default_rng(0).standard_normal(shape, "f4")
    np.exp(1.5 * weights, out=weights)
    weights *= np.tril(np.ones((tokens, tokens), "f4"))
    weights /= weights.sum(-1, keepdims=True)
    return weights


def _scores() -> Goal:
    """The scores of every head of 512 tokens."""
    weights = _weights(512)
    head_scores(weights[0])
    begin = time.perf_counter()
    for layer in weights:
        head_scores(layer)
    return Goal("scores of 144 heads x 512", 1000 * (time.perf_counter() - begin), "ms", 1000)


def _missing(package: str) -> str:
    """Why a peer cannot be imported; "" if it can."""
    folder = environment.PEERS.read()
    if folder and str(folder) not in sys.path:
        sys.path.append(str(folder))
    _stand_in_for_ipython()
    try:
        importlib.import_module(package)
    except ImportError as error:
        return str(error)
    return ""


def _stand_in_for_ipython() -> None:
    """BertViz hands its page to IPython, of which only a holder of text is needed here."""

    class Held:
        def __init__(self, data: str):
            self.data = data

    display = types.ModuleType("IPython.display")
    names: Sequence[str] = ("HTML", "Javascript", "display")
    for name in names:
        setattr(display, name, Held)
    sys.modules.setdefault("IPython", types.ModuleType("IPython"))
    sys.modules.setdefault("IPython.display", display)
