"""Small photographs of views, beside the links that lead to them: `python -m tests.browser.frames` takes them.

A photograph bears the digest of its link, so that it stands nowhere where the view is another one. There are two of
each, by day and by night, and the theme shows one.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).with_name("frame_files")
DAY, NIGHT = "day", "night"


def path(address: str, theme: str = DAY) -> Path:
    """Where the photograph of the view at this address is, in one of the two themes."""
    return FOLDER / f"{sha256(address.encode()).hexdigest()[:12]}{'-night' * (theme == NIGHT)}.webp"


@cache
def picture(address: str) -> str:
    """The photographs as HTML, without words: what they show is named beside them. "" where none was taken."""
    taken = {theme: path(address, theme) for theme in (DAY, NIGHT)}
    if not all(file.exists() for file in taken.values()):
        return ""
    images = "".join(
        f'<img class="{theme}" src="data:image/webp;base64,{b64encode(file.read_bytes()).decode()}" alt="">'
        for theme, file in taken.items()
    )
    return f'<span class="frame">{images}</span>'
