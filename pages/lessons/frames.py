"""The pictures on the film of a lesson: what each stop looks like. `python -m tests.browser.frames` takes them."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from lab.kit.lessons.lesson import Stop

FOLDER = Path(__file__).with_name("frames")


def path(stop: Stop) -> Path:
    """Where the frame of a stop is: its name tells whether the stop still leads where it was taken."""
    return FOLDER / f"{sha256(stop.link.address().encode()).hexdigest()[:12]}.webp"


@cache
def address(stop: Stop) -> str:
    """A stop's frame, for the browser; "" where none was taken."""
    file = path(stop)
    return f"data:image/webp;base64,{b64encode(file.read_bytes()).decode()}" if file.exists() else ""
