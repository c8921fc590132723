"""A tab of the browser, and the time it takes from an event in it to the picture."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Error, Locator

from benchmarks.server import Server

WATCH = (Path(__file__).parent / "watch.js").read_text()
SCREEN = {"width": 1280, "height": 720}
SETTLE = 250  # ms: the view writes the address 150 ms after a change, and asks for a head after 120


class Timing(NamedTuple):
    """One event, its times in ms.

    total     from the event to the end of the frame that shows its effect
    script    from the event to the change of the document: what is left is the wait for the frame, and drawing it
    server    from the message that the event sent to the last answer before the document changed
    browser   from that answer to the end of that frame
    payload   bytes of the largest answer: the numbers, unless the browser has had them before
    repaints  how often the view was painted, until it was quiet again
    cpu       processor time of the server

    None where there was no message, or where the system does not say.
    """

    total: float
    script: float
    server: float | None
    browser: float | None
    payload: int
    repaints: int
    cpu: float | None


class Tab:
    """A page in a context of its own, so that its process and its cache are its own too."""

    def __init__(self, browser: Browser, server: Server, address: str = "/"):
        self._server = server
        self._context = browser.new_context(viewport=SCREEN)
        self.page = self._context.new_page()
        self.messages = 0  # to the server, counted outside the page
        self.page.on("websocket", lambda socket: socket.on("framesent", self._count))
        self.page.add_init_script(WATCH)
        self.page.goto(server.url + address, wait_until="commit")

    def __enter__(self) -> "Tab":
        return self

    def __exit__(self, *_) -> None:
        self._context.close()

    def _count(self, _payload) -> None:
        self.messages += 1

    @property
    def view(self) -> Locator:
        return self.page.locator(".attention-view[data-painted]")

    def seed_slider(self) -> Locator:
        """The slider of /heads that draws another model, once the page is drawn and at rest."""
        self.view.wait_for()
        self.settle()
        self.page.get_by_role("button", name="Change the settings").click()
        seed = self.page.get_by_role("slider", name="Seed")
        seed.wait_for()
        self.settle()
        return seed

    def settle(self, ms: float = SETTLE) -> None:
        self.page.wait_for_timeout(ms)

    def time(self, act: Callable[[], None], event: str, watched: str, *, settle: float = SETTLE) -> Timing:
        """Do `act`, and take the time from the first `event` in the page until what is watched is new on screen.

        watched: "text", "view" (it painted again) or "numbers" (it painted other numbers); see watch.js.
        Raises RuntimeError if the view then looks the same, to the last pixel.
        """
        is_view = watched != "text"
        pixels = self.page.evaluate("bench.pixels()") if is_view else None
        painted, cpu = self.page.evaluate("bench.painted()"), self._server.cpu_seconds()
        self.page.evaluate("given => bench.arm(...given)", [event, watched, 60_000 if watched == "numbers" else 5_000])
        act()
        took = self.page.evaluate("bench.result()")
        self.settle(settle)
        if is_view and self.page.evaluate("bench.pixels()") == pixels:
            raise RuntimeError(f"after a {event} the view looks the same, to the last pixel")
        cpu_after = self._server.cpu_seconds()
        return Timing(
            **took,
            repaints=self.page.evaluate("bench.painted()") - painted if is_view else 0,
            cpu=None if cpu is None or cpu_after is None else 1000 * (cpu_after - cpu),
        )

    def heap_mib(self) -> float:
        """What the page's scripts hold after a collection, typed arrays included, in MiB."""
        devtools = self._context.new_cdp_session(self.page)
        devtools.send("HeapProfiler.collectGarbage")
        usage = devtools.send("Runtime.getHeapUsage")
        devtools.detach()
        return (usage["usedSize"] + usage.get("backingStorageSize", 0)) / 2**20


def renderer_mib(browser: Browser) -> float | None:
    """Memory of the largest of the tabs' processes, in MiB, or None where the system does not say (Linux does)."""
    try:
        processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        return max(_own_mib(process["id"]) for process in processes if process["type"] == "renderer")
    except (Error, OSError, ValueError):
        return None


def _own_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024
