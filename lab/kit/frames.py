"""Small photographs of views, beside the links that lead to them: `python -m tests.browser.frames` takes them.

A photograph bears the digest of its link, so that it stands nowhere where the view is another one.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).with_name("frame_files")


def path(address: str) -> Path:
    """Where the photograph of the view at this address is."""
    return FOLDER / f"{sha256(address.encode()).hexdigest()[:12]}.webp"


@cache
def picture(address: str) -> str:
    """The photograph as HTML, without words: what it shows is named beside it. "" where none was taken."""
    file = path(address)
    if not file.exists():
        return ""
    return f'<img class="frame" src="data:image/webp;base64,{b64encode(file.read_bytes()).decode()}" alt="">'
