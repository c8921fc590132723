"""The pictures of the stops of the first lesson, as HTML."""

import re
from base64 import b64encode
from functools import cache
from pathlib import Path


@cache
def frames() -> list[str]:
    """One small picture per stop, in their order."""
    head, *shapes = re.split("<g>|</g>\\s*<g>|</g>\\s*</svg>", Path(__file__).with_name("frames.svg").read_text())[:-1]
    codes = [b64encode(f"{head}{shape}</svg>".encode()).decode() for shape in shapes]
    return [f'<img alt="" src="data:image/svg+xml;base64,{code}">' for code in codes]
