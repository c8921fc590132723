"""A payload as a page of its own: script, style and numbers in one text, and nothing that a network would bring.

Labels come from anywhere, so none is written into the HTML: they travel in the payload, and the script shows them as
text. The page's own policy forbids it to load or to send anything.

A payload travels in base64 of zlib. Within it the numbers of a float32 array lie with all their first bytes first, then
all second ones, and so on, which makes them a fifth shorter. What would still be too long is rounded, to so many
significant bits as fit: a float32 has 24.
"""

import base64
import html
import json
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from attention_view.bundle import HERE, script, style

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
<script type="text/plain" id="payload"{names}>{payload}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def page(payloads: Mapping[str, bytes] | bytes, theme: str = "auto") -> str:
    """A whole HTML page that draws one payload, or several by their names, of which one is seen at a time.

    theme  "light", "dark", or "auto", as the visitor's system is
    """
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not known; try {', '.join(THEMES)}")
    several = {"": payloads} if isinstance(payloads, bytes) else payloads
    sheet, code = style(HERE / "theme.css", HERE / "view.css"), script(HERE / "standalone.js")
    room = (MAX_PAGE - len(_PAGE) - len(sheet.encode()) - len(code.encode())) * 3 // 4  # of which base64 makes 4/3
    return _PAGE.format(
        theme=theme,
        policy=_POLICY,
        style=sheet,
        names=f' data-names="{html.escape(json.dumps(list(several)))}"' if len(several) > 1 else "",
        payload="\n".join(base64.b64encode(part).decode() for part in _fitting(list(several.values()), room - 500)),
        script=code,
    )


def frame(text: str, height: int) -> str:
    """A page as a frame of so many pixels, to stand inside another page; it can reach nothing of that page."""
    return (
        f'<iframe srcdoc="{html.escape(text)}" title="Attention" sandbox="allow-scripts allow-downloads" '
        f'style="width: 100%; height: {int(height)}px; border: 0"></iframe>'
    )


def squeezed(payload: bytes, bits: int = BITS[0]) -> bytes:
    """A payload as it travels in a page; one whose float32 numbers are rounded to fewer bits says so in its facts."""
    begin = 4 + int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4:begin])
    body = np.frombuffer(payload, "u1", offset=begin).copy()
    for entry in header["arrays"].values():
        if entry["type"] == "f4":
            at, n = entry["at"], 4 * int(np.prod(entry["shape"], dtype=int))
            numbers = rounded(body[at : at + n].view("<f4"), bits)
            body[at : at + n] = numbers.view("u1").reshape(-1, 4).T.ravel()
    head = payload[:begin]
    if bits < BITS[0]:
        facts = [*header["facts"], f"rounded: off by 1 part in {2**bits:,} at most"]
        text = json.dumps({**header, "facts": facts}).encode()
        text += b" " * (-(len(text) + 4) % 8)
        head = len(text).to_bytes(4, "little") + text
    return zlib.compress(head + body.tobytes(), 1)


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


def _fitting(payloads: Sequence[bytes], room: int) -> list[bytes]:
    """Payloads as they travel, with as many bits as there is room for in bytes, or as few as there are."""
    short = []
    for bits in BITS:
        short = [squeezed(payload, bits) for payload in payloads]
        if sum(map(len, short)) <= room:
            break
    return short
