"""QR codes of addresses, for phones that are pointed at a screen."""

import re
from base64 import b64encode
from html import escape

import segno
from segno.encoder import DataOverflowError

LOCAL_ONLY = (
    "Phones cannot open this address: it is this computer’s own. Open the app by the name or number that it has in your"
    " network."
)
MAX_LETTERS = 1200  # a code of more is too fine for a phone at the back of a classroom


def code(address: str) -> dict:
    """The QR code of an address: {"address", "size", "path"}, modules as one SVG path; no size if it is too long."""
    if len(address) > MAX_LETTERS:
        return {"address": address, "size": 0, "path": ""}
    try:
        matrix = segno.make_qr(address, error="l").matrix
    except (DataOverflowError, ValueError, UnicodeError):
        return {"address": address, "size": 0, "path": ""}
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, module in enumerate(row) if module]
    return {"address": address, "size": len(matrix), "path": "".join(dark)}


def drawn(address: str) -> str:
    """The QR code of an address as SVG, dark on white in any theme."""
    found = code(address)  # an address with a code is never too long for one
    size = found["size"] + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {size} {size}" shape-rendering="crispEdges">'
        f'<rect x="-4" y="-4" width="{size}" height="{size}" fill="#fff"/><path d="{found["path"]}" fill="#000"/></svg>'
    )


def picture(address: str) -> str:
    """The same as an image in HTML, for st.html: st.image lays a button over what stands beside it."""
    letters = b64encode(drawn(address).encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{letters}" alt="QR code of {escape(address)}">'


def is_local(address: str) -> bool:
    """Whether an address is of this computer alone."""
    return re.match(r"https?://(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])([:/]|$)", address) is not None
