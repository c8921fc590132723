"""QR codes of addresses, for phones that are pointed at a screen."""

import segno
from segno.encoder import DataOverflowError

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
