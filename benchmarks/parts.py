"""The parts of the benchmark: each measures one promise, and returns lines of the table."""

import subprocess
import sys
from collections.abc import Callable
from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Browser, FloatRect

from benchmarks.server import ROOT, Server, serve
from benchmarks.size import Size
from benchmarks.tab import SETTLE, Tab, Timing, renderer_mib
from benchmarks.table import Goal, Line, middle

FRAME = 1000 / 60
APP = "app.py"
BARE = "benchmarks/bare.py"
AS_USUAL = {"STREAMLIT_RUNNER_POST_SCRIPT_GC": "true"}  # what Streamlit does where nobody has said otherwise
AS_EMPTY, BEYOND = 1.3, 1500  # a cold visit: times an empty app's first paint, and ms more until its example is there
# Importing the app must not import torch: it would stand between a visitor and the first paint.
IMPORT_ALL = """
import importlib, pkgutil, sys
import app, lab
for module in pkgutil.walk_packages(lab.__path__, "lab."):
    if module.name != "lab.frame.entry":  # the script of a visit, which draws when it is imported
        importlib.import_module(module.name)
sys.exit("torch" in sys.modules)
"""


def words(n: int, first: str = "the") -> str:
    """A text of n tokens; another first word makes it another text."""
    return " ".join([first, *(f"word{i}" for i in range(1, n))])


def heads_page(layers: int, heads: int, tokens: int) -> str:
    asked = {"d_model": 96, "heads": heads, "layers": layers, "text": words(tokens)}
    return f"/heads?{urlencode(asked)}"


def bare_round_trips(browser: Browser, bare: Server, n: int) -> list[float]:
    """The bare round trip alone, for parts that do not measure it in turn with their own."""
    with Tab(browser, bare) as tab:
        press = _bare_key(tab)
        return [press().total for _ in range(n + 3)][3:]


def _bare_key(tab: Tab) -> Callable[[], Timing]:
    slider = tab.page.get_by_role("slider")
    slider.wait_for()
    tab.settle()
    slider.focus()
    return lambda: tab.time(lambda: tab.page.keyboard.press("ArrowRight"), "keydown", "text")


def change(browser: Browser, app: Server, bare: Server, size: Size) -> tuple[list[Line], list[float]]:
    """A hyperparameter change to changed pixels, 12 heads x 24 tokens; in turn with the bare round trip."""
    new, known, floor = [], [], []
    with Tab(browser, bare) as bare_tab, Tab(browser, app, heads_page(3, 4, 24)) as tab:
        seed = tab.seed_slider()
        bare_press = _bare_key(bare_tab)

        def press(key: str) -> Timing:
            seed.focus()
            return tab.time(lambda: tab.page.keyboard.press(key), "keydown", "numbers")

        warm_up = size.of(3, 3, 0)
        for at in range(warm_up + size.of(15, 4, 1)):
            # To a seed that no one has asked for yet, back to the one before, and to the newest again.
            taken = bare_press(), press("ArrowRight"), bare_press(), press("ArrowLeft"), press("ArrowRight")
            if at >= warm_up:
                floor += [taken[0].total, taken[2].total]
                new.append(taken[1])
                known += taken[3:]

    def line(what: str, timings: list[Timing]) -> Line:
        return Line(
            what,
            [timing.total for timing in timings],
            f"server {middle(t.server for t in timings)}, browser {middle(t.browser for t in timings)};"
            f" server CPU {middle(t.cpu for t in timings)};"
            f" {middle((t.payload / 1e3 for t in timings), 'KB')}; paints {max(t.repaints for t in timings)}",
            budget_in_bare=2,
        )

    return [
        line("new seed, 12 heads x 24 (model runs)", new),
        line("known seed, 12 heads x 24 (from cache)", known),
    ], floor


def within(browser: Browser, app: Server, size: Size) -> list[Line]:
    """Hover, head, layer, stage: to the next frame, and no message to the server."""
    lines = []
    models = [(3, 4, 24, 24), (12, 12, 128, 8)]
    for layers, heads, tokens, n in size.of(models, models, models[:1]):
        with Tab(browser, app, heads_page(layers, heads, tokens)) as tab:
            tab.view.wait_for(timeout=60_000)
            tab.settle(1000)
            grid = tab.page.locator(".attention-view .grid")
            grid.scroll_into_view_if_needed()
            box = grid.bounding_box()
            assert box is not None, "the grid is hidden"
            ways = {
                "hover": ("pointermove", lambda at, box=box, tab=tab: _hover(tab, box, at)),
                "head": ("click", lambda at, tab=tab: _thumb(tab, 0, 1 + at % 2)),
                "layer": ("click", lambda at, tab=tab: _thumb(tab, 1 + at % 2, 0)),
            }
            if tokens == 24:  # past "exact", the stages come with a head's q and k: see the line of the head
                ways["stage"] = ("click", lambda at, tab=tab: _stage(tab, at))
            for way, (event, act) in ways.items():
                before = tab.messages
                if way == "stage":
                    tab.page.get_by_role("button", name="More ways to draw heads").click()

                def take(places: range, settle: float, act=act, event=event, tab=tab) -> list[Timing]:
                    return [tab.time(lambda at=at: act(at), event, "view", settle=settle) for at in places]

                warm_up, n_timed = size.of((2, n), (2, 4), (0, 1))
                timings = take(range(warm_up + n_timed), 30)[warm_up:]
                rested = take(range(n_timed, n_timed + size.of(max(4, n // 2), 4, 1)), SETTLE)
                tab.settle(1000)  # a message may be late on purpose
                sent = tab.messages - before
                lines.append(
                    Line(
                        f"{way}, {layers * heads} heads x {tokens}",
                        [timing.total for timing in timings],
                        f"script {middle(t.script for t in timings)}; at rest {middle(t.total for t in rested)};"
                        f" messages {sent}{'' if sent == 0 else ' MISSES' if tokens == 24 else ', for q and k'}",
                        budget=FRAME,
                    )
                )
    return lines


def _hover(tab: Tab, box: FloatRect, at: int) -> None:
    """Moves the pointer to another cell at each call, up and down and to the sides."""
    across, down = 0.3 + 0.5 * (at * 0.38 % 1), 0.35 + 0.3 * (at * 0.62 % 1)
    tab.page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])


def _thumb(tab: Tab, layer: int, head: int) -> None:
    tab.page.locator(f'.attention-view [data-layer="{layer}"][data-head="{head}"]').click()


def _stage(tab: Tab, at: int) -> None:
    """Scores and weights in turn; "scaled" would have the colours of "scores"."""
    stages = tab.page.locator(".attention-view .stages label")
    (stages.last if at % 2 else stages.first).click()


def sizes(browser: Browser, app: Server, size: Size) -> list[Line]:
    """A sentence committed with Enter, to its heads drawn; what is sent, and what the tab then holds."""
    lines = []
    for layers in size.of((1, 12), (1, 12), (1,)):
        for tokens in size.of((24, 128, 512), (24, 128, 512), (24,)):
            with Tab(browser, app, heads_page(layers, 12, 24)) as tab:
                tab.view.wait_for(timeout=60_000)
                tab.settle(1000)
                box = tab.page.get_by_role("textbox", name="Sentence")

                def commit(first: str, tab=tab, box=box, tokens=tokens) -> Timing:
                    box.fill(words(tokens, first))
                    return tab.time(lambda: box.press("Enter"), "keydown", "numbers", settle=1000)

                names = ("one", "two", "three", "four", "five", "six")[: size.of(6 if tokens == 24 else 4, 2, 2)]
                timings = [commit(name) for name in names][1:]
                held = renderer_mib(browser)
                lines.append(
                    Line(
                        f"new sentence, {12 * layers} heads x {tokens}",
                        [timing.total for timing in timings],
                        f"server {middle(t.server for t in timings)}, browser {middle(t.browser for t in timings)};"
                        f" {median(t.payload for t in timings) / 1e6:.2f} MB; heap {tab.heap_mib():.0f} MiB,"
                        f" tab {middle([held], 'MiB')}; paints {max(t.repaints for t in timings)}",
                        budget={(12, 128): 1000, (12, 512): 3000}.get((layers, tokens)),
                    )
                )
    return lines


def cold(browser: Browser, size: Size) -> tuple[list[Line], list[Goal], list[str]]:
    """From nothing: a fresh server, and a visitor who has never been here; in turn with an empty app."""
    healthy, heading, view, empty, early = [], [], [], [], []
    for _ in range(size.of(5, 1, 1)):
        with serve(BARE, AS_USUAL) as server, Tab(browser, server) as tab:
            tab.page.wait_for_function("() => bench.first.text !== null", timeout=60_000)
            empty.append(tab.page.evaluate("bench.first.text"))
        with serve(APP) as server:
            healthy.append(1000 * server.seconds_to_health)
            early.append(server.has_loaded("torch"))
            with Tab(browser, server, "/heads") as tab:
                tab.page.wait_for_function("() => bench.first.view !== null", timeout=60_000)
                first = tab.page.evaluate("bench.first")
                heading.append(first["heading"])
                view.append(first["view"])
    importing = subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True)
    if importing.returncode not in (0, 1) or importing.stderr:
        raise RuntimeError(f"importing the app failed: {importing.stderr.strip()[-400:]}")
    lines = [
        Line("cold: process start to healthy", healthy, comparable=False),
        Line("cold: navigation to text, empty app", empty, comparable=False),
        Line("cold: navigation to heading", heading, comparable=False),
        Line("cold: navigation to finished example", view, comparable=False),
    ]
    beyond = [finished - AS_EMPTY * bare for finished, bare in zip(view, empty, strict=True)]
    both = f"{median(view):.0f} ms, the empty app {median(empty):.0f} ms"
    goals = [
        Goal("cold: first paint", median(heading) / median(empty), "x an empty app's", AS_EMPTY),
        Goal(f"cold: finished example, beyond {AS_EMPTY} x an empty app", median(beyond), "ms", BEYOND, both),
    ]
    in_order = all(a < b for a, b in zip(heading, view, strict=True))
    return (
        lines,
        goals,
        [
            f"importing app and all of lab leaves torch alone: {'MISSES' if importing.returncode else 'ok'}",
            f"torch is not in the server before the first visit: {_said(early)}",
            f"the heading is painted before the view: {'ok' if in_order else 'MISSES'}",
        ],
    )


def _said(loaded: list[bool | None]) -> str:
    return "unknown on this system" if None in loaded else "MISSES" if any(loaded) else "ok"
