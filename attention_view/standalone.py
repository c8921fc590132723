"""A payload as a page of its own: script, style and numbers in one text, and nothing that a network would bring.

Labels come from anywhere, so none is written into the HTML: they travel in the payload, and the script shows them as
text. The page's own policy forbids it to load or to send anything.

A payload travels in base64 of zlib. Within it the numbers of a float32 array lie with all their first bytes first, then
all second ones, and so on, which makes them a fifth shorter. What would still be too long is rounded, to so many
significant bits as fit: a float32 has 24.
"""

import base64
import html
import zlib
from pathlib import Path

import numpy as np

from attention_view.bundle import HERE, script, style
from attention_view.layout import as_bytes, parts

THEMES = ("auto", "light", "dark")
MAX_PAGE = 6_000_000  # bytes, which a page keeps to as far as rounding helps
BITS = (24, 20, 16, 11)  # exact; off by 1 part in a million at most; by 1 in 65,536; by 1 in 2,048
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
_PAGE = """<!doctype html>
<html lang="en" data-choice="{theme}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Attention</title>
<style>
{style}
</style>
</head>
<body>
<div class="lab attention-view"></div>
<script type="text/plain" id="payload">{payload}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def check_theme(theme: str) -> None:
    """Raise ValueError for a theme that is not known."""
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not known; try {', '.join(THEMES)}")


def page(payload: bytes, theme: str = "auto", *, look: str = "view.css", code: str = "standalone.js") -> str:
    """A whole HTML page that draws the payload; theme: "light", "dark", or "auto", as the visitor's system is.

    look, code  the style sheet and the script that draw it
    """
    check_theme(theme)
    sheet, drawing = style(HERE / "theme.css", HERE / look), script(HERE / code)
    room = MAX_PAGE - len(_PAGE) - len(sheet.encode()) - len(drawing.encode()) - 500
    return _PAGE.format(
        theme=theme,
        policy=_POLICY,
        style=sheet,
        payload=base64.b64encode(_fitting(payload, room * 3 // 4)).decode(),  # base64 makes 4 letters of 3 bytes
        script=drawing,
    )


def file_at(path: str | Path) -> Path:
    """The path of a page that is to be written.

    Raises FileNotFoundError, in a sentence, where its folder is not there. None is made: that of a slip in a name would
    be made as well.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(path.parent)!r} to save {path.name} in; make it first")
    return path


def frame(text: str, height: int, size: str) -> str:
    """A page as a frame of so many pixels, to stand inside another page; it can reach nothing of that page.

    Notebooks that are not trusted, and GitHub, take frames out. The sentence that the frame lies on is then seen.
    """
    return (
        '<div style="display: grid; grid-template-columns: 100%"><p style="grid-area: 1 / 1; margin: 0">'
        f"Attention: {html.escape(size)}. Where no picture follows, trust this notebook, or open the page that "
        "<code>show(…).save(&quot;attention.html&quot;)</code> writes.</p>"
        f'<iframe srcdoc="{html.escape(text)}" title="Attention" sandbox="allow-scripts allow-downloads" '
        f'style="grid-area: 1 / 1; width: 100%; height: {int(height)}px; border: 0"></iframe></div>'
    )


def squeezed(payload: bytes) -> bytes:
    """A payload as it travels in a page."""
    return zlib.compress(_in_planes(payload), 1)


def rounded(numbers: np.ndarray, bits: int) -> np.ndarray:
    """Finite float32 numbers to the nearest of those with so many significant bits: off by 1 part in 2^bits at most."""
    cut = BITS[0] - bits
    if not cut:
        return numbers
    steps = numbers.view("<u4")
    half = np.uint32(1 << (cut - 1))
    kept = (steps + half) & np.uint32(~((1 << cut) - 1) & 0xFFFFFFFF)
    is_finite = kept & np.uint32(0x7F800000) != 0x7F800000  # the largest numbers of all would become infinite
    return np.where(is_finite, kept, steps).astype("<u4").view("<f4")


def _fitting(payload: bytes, room: int) -> bytes:
    """A payload as it travels, with as many bits as there is room for in bytes, or as few as there are."""
    short = b""
    for bits in BITS:
        short = squeezed(_rounded(payload, bits) if bits < BITS[0] else payload)
        if len(short) <= room:
            break
    return short


def _rounded(payload: bytes, bits: int) -> bytes:
    """A payload with its float32 numbers rounded, which its facts say."""
    header, arrays = parts(payload)
    for name, array in arrays.items():
        if name.startswith("kind:"):
            arrays[name] = np.frombuffer(_rounded(array.tobytes(), bits), "u1")
        elif array.dtype == "<f4":
            arrays[name] = rounded(array, bits)
    if "facts" in header:
        header["facts"] += [f"rounded: off by 1 part in {2**bits:,} at most"]
    return as_bytes(header, arrays)


def _in_planes(payload: bytes) -> bytes:
    """The same bytes, but those of float32 numbers in four planes; payloads within the payload as well."""
    header, arrays = parts(payload)
    for name, array in arrays.items():
        if name.startswith("kind:"):
            arrays[name] = np.frombuffer(_in_planes(array.tobytes()), "u1")
        elif array.dtype == "<f4":
            arrays[name] = array.ravel().view("u1").reshape(-1, 4).T.ravel().view("<f4").reshape(array.shape)
    return as_bytes(header, arrays)
