"""The attention view beside the tools that notebooks use: the same tensors, in one run and one browser.

The peers are not among the project's requirements. They are fetched into a folder of their own, and with them the
libraries that BertViz loads from a CDN, which is not asked for here:

    pip install --no-deps --target peers bertviz==1.4.1 circuitsvis==1.43.3 importlib-metadata zipp
    npm install --prefix peers d3@5.7.0 jquery@2.1.4 requirejs@2.3.6
    ATTENTION_LAB_PEERS=peers python -m benchmarks --only peers

Every page is opened from a file, without a network. It is drawn when its document has not changed for a second: the
figure is the time of the last change, after its frame. A change of layer or head and a move of the pointer are timed
inside the page, from the event to the end of the frame that shows them. Memory is that of the tab's process, as the
system says.
"""

import importlib
import os
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

from attention_view import show
from benchmarks.tab import SCREEN, renderer_mib
from benchmarks.table import Goal
from transformer.inspection.heads import head_scores

LAYERS = HEADS = 12
PATIENCE = 90  # seconds until a page counts as not drawn
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


def peers(browser: Browser, quick: bool) -> tuple[list[Goal], list[str]]:
    """Size, time until drawn, memory, change and hover: ours at up to 512 tokens, the peers at up to 128."""
    goals, remarks = [_scores()], []
    for tokens in (64, 128) if quick else (64, 128, 256, 512):
        most = {128: (1000, None), 512: (3000, 600)}.get(tokens, (None, None))
        goals += _measured(browser, OURS, tokens, *most, size=6 if tokens == 128 else None)
    for package, views in PEERS.items():
        if fault := _missing(package):
            remarks.append(MISSING.format(f"{package} ({fault})"))
            continue
        for peer in views:
            for tokens in (64,) if quick else (64, 128):
                goals += _measured(browser, peer, tokens)
    return goals, remarks


def _measured(
    browser: Browser,
    peer: Peer,
    tokens: int,
    drawn: float | None = None,
    memory: float | None = None,
    size: float | None = None,
) -> list[Goal]:
    """The figures of one page, each with its goal if there is one."""
    what = f"{peer.name}, {LAYERS * HEADS} heads x {tokens}"
    text = peer.html(_weights(tokens), [f"word{n}" for n in range(tokens)])
    mb = len(text.encode()) / 1e6
    goals = [Goal(f"{what}: page", mb, "MB", size)]
    context = browser.new_context(viewport=SCREEN)
    with TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(text, encoding="utf-8")
        del text
        try:
            page = context.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            page.add_init_script(WATCH)
            page.route("**/*", _from_folder)
            took = _drawn(page, file, peer)
            if took is None:
                return [*goals, Goal(f"{what}: not drawn in", PATIENCE * 1000, "ms", drawn)]
            goals.append(Goal(f"{what}: drawn", took, "ms", drawn))
            goals.append(Goal(f"{what}: memory", renderer_mib(browser) or float("nan"), "MiB", memory))
            is_ours = peer is OURS
            changes = _times(page, peer.key, "change")
            goals.append(Goal(f"{what}: layer or head", changes, "ms", 50 if is_ours and tokens == 256 else None))
            goals.append(
                Goal(f"{what}: hover", _times(page, peer.key, "hover"), "ms", 2 * 1000 / 60 if is_ours else None)
            )
        except Error as error:
            goals.append(Goal(f"{what}: failed", float("nan"), "", note=str(error).splitlines()[0][:80]))
        finally:
            context.close()
    return [goal for goal in goals if goal.figure == goal.figure or goal.note]


def _drawn(page: Page, file: Path, peer: Peer) -> float | None:
    """ms from the navigation to the last change of the document, or None if it has not come to rest in time."""
    begin = time.perf_counter()
    try:
        page.goto(file.as_uri(), wait_until="commit")
        page.wait_for_function("name => bench.atRest(name)", arg=peer.key, timeout=1000 * PATIENCE, polling=200)
    except Error:
        return None
    if time.perf_counter() - begin > PATIENCE:
        return None
    return page.evaluate("bench.last()")


def _times(page: Page, name: str, what: str, n: int = 5) -> float:
    """The median of some such events, the first left out; NaN where there is nothing to measure."""
    found = [page.evaluate("given => bench.take(...given)", [name, what, at]) for at in range(n + 1)][1:]
    return median(found) if None not in found else float("nan")


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
    path = Path(os.environ.get("ATTENTION_LAB_PEERS", ""), "node_modules", name or "")
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
    folder = os.environ.get("ATTENTION_LAB_PEERS")
    if folder and folder not in sys.path:
        sys.path.append(folder)
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
