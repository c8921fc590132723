"""Pictures that come from outside: a file that somebody has dropped.

It is a stranger's input. Size and format are looked at before anything is decoded, then the number of its pixels, and
only then is it opened.
"""

import io
from typing import TYPE_CHECKING

import numpy as np

from transformer.checks import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES = 8 * 2**20
MAX_PIXELS = 24_000_000
KEPT = 384  # pixels of a side of a dropped picture: no model here reads more than its details


def opened(data: bytes) -> np.ndarray:
    """The picture in a PNG or JPEG file, upright, cut to a square: (KEPT, KEPT, 3) uint8.

    Raises InputError, and nothing else, with a sentence for whatever cannot be shown.
    """
    from PIL import Image, ImageOps

    if len(data) > MAX_BYTES:
        raise InputError(f"The file has {len(data) / 2**20:.0f} MB; the most that is read is {MAX_BYTES >> 20} MB.")
    if not data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")):
        raise InputError("The file is neither a PNG nor a JPEG picture.")
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:  # reads the header only
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise InputError(
                    f"The picture has {width:,} × {height:,} pixels; the most that is read is"
                    f" {MAX_PIXELS // 10**6} million."
                )
            image.draft("RGB", (KEPT, KEPT))  # a JPEG is decoded at a fraction of its size
            upright = ImageOps.exif_transpose(image)
            return np.asarray(_on_paper(ImageOps.fit(upright.convert("RGBA"), (KEPT, KEPT))), np.uint8)
    except InputError:
        raise
    except Exception as error:  # whatever a stranger's file does to those who decode it, the file is to blame
        raise InputError("The picture cannot be decoded; the file may be damaged.") from error


def _on_paper(image: "Image") -> "Image":
    """What is transparent shows white paper."""
    from PIL import Image

    paper = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(paper, image).convert("RGB")


def fitted(pixels: np.ndarray, side: int) -> np.ndarray:
    """A square picture at another size: cells stay cells where it grows, and are averaged where it shrinks."""
    from PIL import Image

    if len(pixels) == side:
        return pixels
    how = Image.Resampling.NEAREST if len(pixels) < side else Image.Resampling.BOX
    return np.asarray(Image.fromarray(pixels).resize((side, side), how), np.uint8)
