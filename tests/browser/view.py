"""The attention view as a test sees and touches it, and the model's own numbers to compare it with."""

import json
from base64 import b64decode
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
from playwright.sync_api import Locator, Page, expect

from lab.kit import story
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.inspection.run import AttentionMap, run_with_maps
from transformer.training.text import hashed_ids, words

FIRST = story.TEXT
MAPPED = "/heads?layer=2&head=0"  # a head is chosen: its map is there
UNTRAINED = "/heads?weights=untrained"  # reads FIRST; `truth` has its numbers

# Points at every cell in turn, as a hand would, and reads what the view says of it.
READ_ALL = """(view) => {
    const grid = view.querySelector('.grid'), box = grid.querySelector('canvas').getBoundingClientRect();
    const seen = {};
    for (let y = 1; y < box.height; y += 16) for (let x = 1; x < box.width; x += 16) {
        const at = { clientX: box.left + x, clientY: box.top + y, bubbles: true };
        grid.dispatchEvent(new PointerEvent('pointermove', at));
        const { query, key, value, why } = view.dataset;
        const name = `${query} ${key}`;
        if (!(name in seen)) seen[name] = [Number(value), why ? JSON.parse(why) : null];
    }
    grid.dispatchEvent(new PointerEvent('pointerleave'));
    return seen;
}"""

# Which key (or query) every pixel along the last row (or column) belongs to, found by pointing.
SCAN = """(view) => {
    const grid = view.querySelector('.grid'), box = grid.querySelector('canvas').getBoundingClientRect();
    const scan = (name, length, at) => Array.from({ length }, (_, p) => {
        grid.dispatchEvent(new PointerEvent('pointermove', { ...at(p), bubbles: true }));
        return Number(view.dataset[name]);
    });
    const right = box.left + box.width, bottom = box.top + box.height;
    const across = scan('key', Math.floor(box.width), (p) => ({ clientX: box.left + p, clientY: bottom - 8 }));
    const most = Math.max(...across), last = 3 + across.findIndex((n, p) => n === most && across[p - 1] === most - 1);
    const down = scan('query', Math.floor(box.height), (p) => ({ clientX: box.left + last, clientY: box.top + p }));
    grid.dispatchEvent(new PointerEvent('pointerleave'));
    return [across, down];
}"""

# The pixels of some canvases of one size that lie on each other.
PIXELS = """(layers) => {
    const { width, height } = layers[0];
    const whole = new OffscreenCanvas(width, height).getContext('2d');
    for (const layer of layers) whole.drawImage(layer, 0, 0);
    const data = whole.getImageData(0, 0, width, height).data;
    let text = '';
    for (let n = 0; n < data.length; n += 8192) text += String.fromCharCode(...data.subarray(n, n + 8192));
    return [width, height, btoa(text)];
}"""


# The element that has the focus, in a shadow root or not, as "class role".
FOCUS = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return `${at.className} ${at.getAttribute('role') ?? at.tagName}`;
}"""

# How many pixels stick out of the window: of the page, or of a figure (which may scroll inside).
WIDE = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const edges = [...document.querySelectorAll('[data-figure]')].map((node) => node.getBoundingClientRect().right);
    return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth,
        ...edges.map((edge) => edge - innerWidth));
}"""

# By the page's own clock: whatever it set a timer for before, and for less, has run, and is painted. Chromium may hold
# back the frames of a window that it takes for hidden, so those are not waited for without end.
PASSED = """(ms) => new Promise((done) => setTimeout(() => {
    requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(done)));
    setTimeout(done, 2000);
}, ms))"""


@dataclass
class View:
    """The first attention view of a page, and the frames that its page has sent to the server."""

    page: Page
    sent: list = field(default_factory=list)

    @property
    def root(self) -> Locator:
        return self.page.locator(".attention-view").first

    @property
    def grid(self) -> Locator:
        return self.page.get_by_role("grid")

    @property
    def heat(self) -> Locator:
        """The canvases of the heatmap: what stays, and what follows the pointer."""
        return self.root.locator(".grid canvas")

    @property
    def tokens(self) -> Locator:
        return self.root.locator(".strip .chip")

    @property
    def thumbs(self) -> Locator:
        return self.root.locator(".thumbs button")

    def thumb(self, layer: int, head: int) -> Locator:
        return self.root.locator(f".thumbs button[data-layer='{layer}'][data-head='{head}']")

    @property
    def shown(self) -> dict:
        """What the view says it shows, without what only counts or explains."""
        data = self.root.evaluate("view => ({...view.dataset})")
        return {name: value for name, value in data.items() if name not in ("painted", "why")}

    @property
    def cell(self) -> tuple[int, int]:
        return int(self.shown["query"]), int(self.shown["key"])

    @property
    def why(self) -> dict[str, Any] | None:
        text = self.root.get_attribute("data-why")
        return json.loads(text) if text else None

    def expect(self, **shown) -> None:
        for name, value in shown.items():
            expect(self.root).to_have_attribute(f"data-{name}", str(value))

    def all_cells(self) -> tuple[np.ndarray, np.ndarray, list]:
        """The value and the explained weight of every cell of the head in view, and the explanations."""
        seen = self.root.evaluate(READ_ALL)
        T = 1 + max(int(name.split()[0]) for name in seen)
        S = 1 + max(int(name.split()[1]) for name in seen)
        assert len(seen) == T * S
        cells = [seen[f"{i} {j}"] for i in range(T) for j in range(S)]
        values = np.array([value for value, _ in cells]).reshape(T, S)
        weights = np.array([why["weight"] if why else np.nan for _, why in cells]).reshape(T, S)
        return values, weights, [why for _, why in cells]

    def middle(self, i: int, j: int) -> tuple[float, float]:
        """The middle of a cell, on the screen; the grid is brought there first."""
        heat = self.heat.first
        heat.scroll_into_view_if_needed()
        box = heat.bounding_box()
        middles = []
        for line, n in zip(self.root.evaluate(SCAN), (j, i), strict=True):
            starts = [next(p for p in range(1, len(line)) if line[p - 1 : p + 1] == [m - 1, m]) for m in (1, 2)]
            middles.append(starts[0] + (n - 0.5) * (starts[1] - starts[0]))
        return box["x"] + middles[0], box["y"] + middles[1]

    def hover(self, i: int, j: int) -> None:
        self.page.mouse.move(*self.middle(i, j))

    def colours(self, canvas: Locator) -> np.ndarray:
        """The pixels of a canvas, or of several that lie on each other (height, width, 4)."""
        width, height, data = canvas.evaluate_all(PIXELS)
        return np.frombuffer(b64decode(data), "u1").reshape(height, width, 4)

    def settle(self) -> "View":
        """Wait until the server is done, and the view has painted all it had to."""
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        before = None
        while before != (before := self.root.get_attribute("data-painted")):
            self.wait(150)
        return self

    def wait(self, ms: int) -> None:
        let_pass(self.page, ms)

    def says(self, text: str) -> Locator:
        return self.page.get_by_text(text)

    def type(self, text: str) -> None:
        box = self.page.get_by_role("textbox", name="Sentence")
        box.fill(text)
        box.press("Enter")

    def open_more(self) -> None:
        """Opens what else there is to draw, which is behind a button where one head is the subject."""
        more = self.root.get_by_role("button", name="More ways to draw heads")
        if more.get_attribute("aria-expanded") == "false":
            more.click()

    def slide(self, name: str, key: str) -> None:
        self.page.locator(f"input[type=range][aria-label='{name}']").press(key)


def let_pass(page: Page, ms: int) -> None:
    """Let the page's own timers of up to this length run out, however long that takes on a busy machine."""
    page.evaluate(PASSED, ms)


@cache
def truth(text: str = FIRST, kind: str = "encoder", seed: int = 0, n_layers: int = 3, **changes: Any) -> AttentionMap:
    """The same attention, worked out here by the model itself."""
    settings: dict[str, Any] = {"vocab_size": 4096, "n_encoder_layers": n_layers, "n_decoder_layers": n_layers}
    config = TransformerConfig(**settings | changes)
    torch.set_num_threads(1)  # as the server does: another number of threads adds up in another order
    build = {"encoder": EncoderModel, "decoder": DecoderModel}[kind]
    model = build(config, torch.Generator().manual_seed(seed)).eval()
    tokens = tuple(words(text)[:512])
    return run_with_maps(model, hashed_ids(list(tokens), 4096), tokens).attention[kind]


def luminance(rgb) -> float:
    """Relative luminance, WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
