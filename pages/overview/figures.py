"""The map of an encoder-decoder: its parts in the order in which a sentence passes them, with the tensors' shapes.

The encoder is the upper row and the decoder the lower one, both read from left to right; the encoder's output goes down
into the decoder's cross-attention. On a phone they are two columns. Every part can carry a miniature of real numbers,
and opens the page about it; what is about the whole stands in rows below.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lab.kit.words import counted
from pages.overview.parts import Block, Frame, Layout, Map, Picture

BOX = 146  # height of a box with its picture
UPPER = 36  # top of each row of boxes
LOWER = UPPER + BOX + 62
ABOUT = LOWER + BOX + 34
BAND = 84  # height of a box about the whole
IN_A_ROW = 4  # of these at most, or their words have no room
WIDTH = 1294
MARGIN = 30  # above the boxes of a layer, within its frame
N_FEATURES = 16  # of a vector, in a miniature; there is no room for more
N_HIDDEN = 32
HINT = (
    "Nothing here is a sketch: a trained translator has just computed every number you see. Hover over a part to see"
    " what it does; click to open its page. Sizes are (batch, tokens, features), or (batch, heads, queries, keys)."
)
# What is about the whole: the page, its name, and its question.
About = Sequence[tuple[str, str, str]]


class Sizes(NamedTuple):
    """Of a model that reads B texts of S source tokens and has written T tokens for each."""

    B: int
    S: int
    T: int
    d_model: int
    n_heads: int
    d_ff: int
    n_encoder: int
    n_decoder: int
    vocab_size: int


def model_map(sizes: Sizes, pictures: Mapping[str, Picture] | None = None, about: About = ()) -> Map:
    """The map of a model of these sizes.

    pictures  by the part's name, "encoder" or "decoder" before it where both have one
    about     the boxes below
    """
    shown = pictures or {}
    encoder = _boxes(UPPER, _encoder(sizes), shown)
    decoder = _boxes(LOWER, _decoder(sizes), shown)
    wholes = [
        Block(x, y, width, name, question, question, "quiet", url, shown.get(url), BAND, wide=True)
        for (x, y, width), (url, name, question) in zip(_rows(len(about)), about, strict=True)
    ]
    n_encoder, n_decoder = counted(sizes.n_encoder, "layer"), counted(sizes.n_decoder, "layer")
    frames = [
        Frame(430, top - MARGIN, width, BOX + MARGIN + 14, f"{n.replace(' ', f' {side} ')}, with add & norm")
        for top, width, n, side in ((UPPER, 408, n_encoder, "encoder"), (LOWER, 582, n_decoder, "decoder"))
    ]
    arrows = [_across(a, b) for row in (encoder, decoder) for a, b in pairwise(row)]
    memory, cross = encoder[-1], decoder[4]
    down = UPPER + BOX + 24
    x = cross.x + cross.width / 2
    arrows.append(
        f"M{memory.x + memory.width / 2} {UPPER + BOX} V{down - 8} q0 8 -8 8 H{x + 8} q-8 0 -8 8 V{LOWER - 3}"
    )
    alt = (
        f"Map of a Transformer. The encoder reads {sizes.B} x {sizes.S} source tokens: embedding, positions, then"
        f" {n_encoder} of self-attention with {sizes.n_heads} heads and feed-forward, giving the memory."
        f" The decoder reads the target so far: embedding, positions, then {n_decoder} of masked"
        " self-attention, cross-attention to the memory and feed-forward, then a linear map and softmax give the next"
        " word."
    )
    height = max(block.y for block in wholes) + BAND + 2 if wholes else LOWER + BOX + 18
    narrow = _narrow(encoder, decoder, wholes)
    return Map(WIDTH, height, [*encoder, *decoder, *wholes], frames, arrows, alt, HINT, narrow, corner=True)


# A box: its left edge and width, its words, the shape of what leaves it, what it does, its page and its picture.
_Box = tuple[float, float, str, str, str, str, str]


def _boxes(top: float, row: Sequence[_Box], shown: Mapping[str, Picture]) -> list[Block]:
    return [
        Block(
            x, top, width, label, shape, help, "weight" if "attention" in label else "quiet", page, shown.get(name), BOX
        )
        for x, width, label, shape, help, page, name in row
    ]


def _encoder(sizes: Sizes) -> list[_Box]:
    B, S, D, H = sizes.B, sizes.S, sizes.d_model, sizes.n_heads
    vectors = f"({B}, {S}, {D})"
    table = "Every id picks its row of a table: a vector per word."
    order = "Attention is blind to order, so every position adds waves of its own."
    looks = f"Every source word looks at every source word, in {H} heads, each {D // H} wide."
    bend = "Two linear maps with a bend between, the same at every word."
    notes = "The encoder's notes on the source: one vector per word."
    source = "The text to read, cut into tokens. Each has a number, its id."
    return [
        (0, 104, "Source", f"({B}, {S})", source, "embeddings", "source"),
        (128, 128, "Embedding", vectors, table, "embeddings", "encoder embedding"),
        (280, 128, "+ positions", vectors, order, "positions", "positions"),
        (446, 176, "Self-attention", f"({B}, {H}, {S}, {S})", looks, "heads", "encoder self-attention"),
        (646, 176, "Feed-forward", f"{vectors} via {sizes.d_ff}", bend, "blocks", "encoder feed-forward"),
        (860, 128, "Memory", vectors, notes, "translation", "memory"),
    ]


def _decoder(sizes: Sizes) -> list[_Box]:
    B, S, T, H = sizes.B, sizes.S, sizes.T, sizes.n_heads
    vectors, words = f"({B}, {T}, {sizes.d_model})", f"({B}, {T}, {sizes.vocab_size})"
    written = "What has been written, one step behind what comes next."
    table = "The same for what is written: a vector per word."
    looks = "Every target word looks at itself and what came before it; the future is masked."
    asks = "Target words ask, source words are looked at: queries from here, keys and values from memory."
    scores = "A score, a logit, for every token of the vocabulary: here those of the likeliest."
    chances = "Scores become the probabilities of the next word."
    return [
        (0, 104, "Target so far", f"({B}, {T})", written, "generation", "target"),
        (128, 128, "Embedding", vectors, table, "embeddings", "decoder embedding"),
        (280, 128, "+ positions", vectors, "The same positions for the target.", "positions", "positions"),
        (446, 176, "Masked self-attention", f"({B}, {H}, {T}, {T})", looks, "masks", "decoder self-attention"),
        (646, 150, "Cross-attention", f"({B}, {H}, {T}, {S})", asks, "translation", "cross-attention"),
        (
            820,
            176,
            "Feed-forward",
            f"{vectors} via {sizes.d_ff}",
            "As in the encoder.",
            "blocks",
            "decoder feed-forward",
        ),
        (1034, 118, "Linear", words, scores, "generation", "linear"),
        (1176, 118, "Softmax", words, chances, "generation", "softmax"),
    ]


def _narrow(encoder: Sequence[Block], decoder: Sequence[Block], wholes: Sequence[Block]) -> Layout:
    """The encoder as the left column, the decoder as the right one, and what is about the whole below them."""
    column, gap, step = 172, 26, BOX + 22
    top, in_layers = 8, 34
    boxes, arrows, frames = [], [], []
    for x, row, n_before, n_inside, name in ((0, encoder, 3, 2, "encoder"), (column + gap, decoder, 3, 3, "decoder")):
        tops = [top + n * step + (in_layers if n >= n_before else 0) for n in range(len(row))]
        tops = [y + (16 if n >= n_before + n_inside else 0) for n, y in enumerate(tops)]
        boxes += [(x + 8, y, column - 16, BOX) for y in tops]
        arrows += [f"M{x + column / 2} {a + BOX} V{b - 3}" for a, b in pairwise(tops)]
        first, last = tops[n_before], tops[n_before + n_inside - 1]
        frames.append(Frame(x, first - MARGIN, column, last + BOX + 10 - first + MARGIN, f"{name} layers"))
    memory, cross = boxes[len(encoder) - 1], boxes[len(encoder) + 4]
    middle = cross[1] + 0.5 * BOX
    bend = column + gap / 2 - 8
    arrows.append(f"M{memory[0] + memory[2]} {memory[1] + BOX / 2} H{bend} V{middle} H{cross[0] - 3}")
    below = max(y for _, y, _, _ in boxes) + BOX + 24
    width = 2 * column + gap
    boxes += [(0, below + n * (BAND + 12), width, BAND) for n in range(len(wholes))]
    return Layout(width, below + len(wholes) * (BAND + 12), boxes, frames, arrows)


def _rows(n: int) -> list[tuple[float, float, float]]:
    """Left, top and width of n boxes in as few rows as they have room in, each as wide as the map; the last is the
    shortest."""
    places, gap = [], 24
    for row, first in enumerate(range(0, n, IN_A_ROW)):
        count = min(IN_A_ROW, n - first)
        width = (WIDTH - gap * (count - 1)) / count
        places += [(k * (width + gap), ABOUT + row * (BAND + 20), width) for k in range(count)]
    return places


def _across(a: Block, b: Block) -> str:
    return f"M{a.x + a.width} {a.y + BOX / 2} H{b.x - 3}"


# ---- miniatures ----------------------------------------------------------------------------------------------------


def stream(x: np.ndarray) -> Picture:
    """The first features of every word's vector (T, D)."""
    return Picture("cells", _rounded(x[:, :N_FEATURES]))


def hidden(x: np.ndarray) -> Picture:
    """The first hidden units of a feed-forward layer, after the bend (T, F): many are 0."""
    return Picture("cells", _rounded(x[:, :N_HIDDEN]))


def heads(weights: Sequence[np.ndarray], *, is_causal: bool = False) -> Picture:
    """Every head (H, T, S) of every layer; what is masked stays empty."""
    maps = []
    for layer in weights:
        for head in layer:
            rows = _rounded(head, 3)
            maps.append([[None if is_causal and j > i else w for j, w in enumerate(row)] for i, row in enumerate(rows)])
    return Picture("heads", maps, columns=len(weights[0]))


def words(tokens: Sequence[str]) -> Picture:
    return Picture("words", [], list(tokens))


def waves(table: np.ndarray) -> Picture:
    return Picture("curves", _rounded(table, 3))


def logits(values: np.ndarray) -> Picture:
    return Picture("bars", [_rounded(values)])


def shares(values: np.ndarray, best: str) -> Picture:
    return Picture("bars", [_rounded(values, 4)], [best, f"{values[0]:.0%}"])


def product(q: np.ndarray, k: np.ndarray) -> Picture:
    """A query, a key, and their products feature by feature, whose sum is a score."""
    scale = [np.abs(row).max() for row in (q, k, q * k)]
    rows = [row / largest for row, largest in zip((q, k, q * k), scale, strict=True)]
    return Picture("cells", _rounded(np.stack(rows), 3), ["query", "key", ""])


def learning(losses: np.ndarray) -> Picture:
    known = losses[~np.isnan(losses)]
    last = f"{known[-1]:.2f}" if known[-1] >= 0.01 else "<0.01"
    return Picture("curves", [_rounded(known, 3)], [f"loss {known[0]:.1f} → {last}"])


def steps(n: int, many: int, few: int) -> Picture:
    """The steps from the first word to the last of n: in a recurrent network, and with attention."""
    return Picture("steps", [[many, few], [n]], [f"{many} steps", f"{few} step"])


def _rounded(values: np.ndarray, digits: int = 2) -> list:
    return np.asarray(values, float).round(digits).tolist()
