"""The scene of the front page: the bytes that open it, its frames on a flight from the model to a product and back, and
how long it waits for what the server must send.

The message that opens it brings its script as well; that its numbers are less than 150 kB, a test of the page says.
"""

from playwright.sync_api import Browser

from benchmarks.server import Server
from benchmarks.size import Size
from benchmarks.tab import Tab
from benchmarks.table import Goal, Line

FRAME = 1000 / 60
WAY = (*["Enter"] * 6, *["Escape"] * 6)
LONG = 1400  # ms: no flight takes longer
# Notes the length of each frame, and how long the canvas was painted in it: [[ms, ms], ...]
NOTE = """canvas => {
    const noted = (window.sceneFrames = []);
    let last = performance.now();
    const frame = (now) => {
        noted.push([now - last, Number(canvas.dataset.painted)]);
        last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}"""
# Presses keys one after the other; ms until the units of a layer are here
ASK = """(canvas, [keys, layer]) => new Promise((resolve) => {
    const began = performance.now();
    for (const key of keys) canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
    const isHere = () => canvas.dataset.units.split(",").includes(layer);
    const look = () => isHere() ? resolve(performance.now() - began) : requestAnimationFrame(look);
    look();
})"""
ASKED = ((("Enter", "Enter", "ArrowLeft"), "2"), (("ArrowDown",), "1"), (("ArrowDown",), "0"), (("ArrowUp",), "1"))


def scene(browser: Browser, app: Server, size: Size) -> tuple[list[Line], list[Goal]]:
    """Painting has a frame's time; nearly no frame may be late. Where a flight rests, frames cost nothing and are not
    counted."""
    with Tab(browser, app) as tab:
        received: list[int] = []
        tab.page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(len(data))))
        world = tab.page.locator(".guess .world[data-painted]")

        def open_anew() -> None:
            tab.page.wait_for_load_state()  # a page that has only just begun to load cannot be asked to do so again
            tab.page.reload()
            world.wait_for(timeout=60_000)
            tab.settle(1000)

        cold = []
        for _ in range(size.of(7, 4, 1)):
            open_anew()
            cold.append(world.evaluate(ASK, ASKED[0]))
        open_anew()
        goals = [Goal("scene: message that opens it, with its script", max(received) / 1000, "kB")]
        world.evaluate(NOTE)
        world.focus()
        for key in WAY[: size.of(12, 6, 2)]:
            tab.page.keyboard.press(key)
            tab.page.wait_for_timeout(LONG)
        frames = tab.page.evaluate("window.sceneFrames")
        tab.page.keyboard.press("Home")
        tab.page.wait_for_timeout(LONG)
        waits = []
        for keys, layer in ASKED[: size.of(4, 4, 1)]:
            waits.append(world.evaluate(ASK, [keys, layer]))
            tab.settle(300)
    flown = [frame for n, frame in enumerate(frames) if n and frame[1] != frames[n - 1][1]]
    late = sum(long > 1.5 * FRAME for long, _ in flown)
    goals.append(Goal("scene: late frames in flight", 100 * late / len(flown), "%", 5, f"of {len(flown)}"))
    return [
        Line("scene: units of a layer, asked for in one leap", cold, budget=150, comparable=False),
        Line("scene: units of a layer, on the way", waits, budget=150, comparable=False),
        Line("scene: painting a frame in flight", [paint for _, paint in flown], budget=FRAME, comparable=False),
    ], goals
