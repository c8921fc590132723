"""Pictures that come from outside: a file that somebody has dropped, cut to a square or whole.

It is a stranger's input. Its header says what it takes to decode it; what takes too much is refused, and the rest is
made small before anything else is done with it, a band of its rows at a time.
"""

import io
import struct
from typing import TYPE_CHECKING

import numpy as np

from transformer.core.checks import InputError
from transformer.core.workload import Workload

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES = 8 * 2**20
MAX_PIXELS = 4_000_000  # that are decoded; a JPEG with more is decoded at a fraction of its size
MAX_JPEG = 64_000_000  # pixels of a JPEG whose decoder holds no more than a few rows of it
KEPT = 384  # pixels of a side of a square: no model here reads more than its details
ADVICE = "A smaller picture needs less."
_BAND = 64  # rows, of the picture when it is nearly small
_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"eXIf", b"IEND")  # of a PNG: all that a picture needs
_PIXEL, _ROW = 4, 8  # bytes that a decoded one takes


def work(data: bytes, kept: int = KEPT) -> Workload:
    """What it takes to open a file, by its header. Raises InputError for one that is not opened.

    kept  pixels of a side of what is made of it
    """
    image = _undecoded(data, kept)
    (width, height), (_, rows) = _size(data), image.size
    return Workload(3 * _PIXEL * image.size[0] * rows + _ROW * rows, n_cells=width * height, advice=ADVICE)


def opened(data: bytes, kept: int = KEPT, *, is_whole: bool = False) -> np.ndarray:
    """The picture in a PNG or JPEG file, upright, (height, width, 3) uint8: cut to a square with sides of `kept`, or
    the whole of it, with no side longer than that.

    Raises InputError, and nothing else, with a sentence for whatever cannot be shown.
    """
    from PIL import ImageOps

    image = _undecoded(data, kept)
    try:
        orientation = image.getexif().get(0x0112)
        if is_whole:
            most = min(kept, max(image.size))  # it never grows
            small = ImageOps.contain(_small(image, image.size, kept), (most, most))
        else:
            small = ImageOps.fit(_small(image, (min(image.size),) * 2, kept), (kept, kept))
        return np.asarray(_on_paper(_upright(small, orientation)), np.uint8)
    except Exception as error:  # whatever a stranger's file does to those who decode it, the file is to blame
        raise _damaged() from error


def _undecoded(data: bytes, kept: int = KEPT) -> "Image":
    """The file, of which nothing but the header has been read; a JPEG will be decoded at a fraction of its size."""
    from PIL import Image

    if len(data) > MAX_BYTES:
        raise InputError(f"The file has {len(data) / 2**20:.0f} MB; the most that is read is {MAX_BYTES >> 20} MB.")
    is_png = data.startswith(b"\x89PNG\r\n\x1a\n")
    if not is_png and not data.startswith(b"\xff\xd8\xff"):
        raise InputError("The file is neither a PNG nor a JPEG picture.")
    width, height = _size(data)
    is_whole = is_png or _is_held_whole(data)
    most = MAX_PIXELS if is_whole else MAX_JPEG
    if width * height > most:
        kind = "PNG" if is_png else "progressive JPEG" if is_whole else "JPEG"
        raise _too_large(width, height, f"a {kind}", most)
    try:
        image = Image.open(io.BytesIO(_bare(data) if is_png else data), formats=("PNG", "JPEG"))
        if image.size != (width, height):
            raise _damaged()  # two readers of one header disagree
        image.draft("RGB", (kept, kept))
    except Exception as error:
        raise _damaged() from error
    if image.size[0] * image.size[1] > MAX_PIXELS:  # so narrow that it cannot be decoded at a fraction
        raise _too_large(width, height, "a picture as narrow as this", MAX_PIXELS)
    return image


def _too_large(width: int, height: int, what: str, most: int) -> InputError:
    return InputError(
        f"The picture has {width:,} × {height:,} pixels; the most that is read of {what} is {most // 10**6} million."
        " Save it smaller and bring it again."
    )


def _damaged() -> InputError:
    return InputError("The picture cannot be decoded; the file may be damaged.")


# ---- headers -------------------------------------------------------------------------------------------------------


def _size(data: bytes) -> tuple[int, int]:
    """(width, height), as the header has it."""
    try:
        if data.startswith(b"\x89PNG"):
            return struct.unpack(">II", data[16:24])
        for marker, begin in _segments(data):
            if _is_frame(marker):
                height, width = struct.unpack(">HH", data[begin + 1 : begin + 5])
                return width, height
    except (struct.error, IndexError):
        pass
    raise _damaged()


def _is_held_whole(data: bytes) -> bool:
    """Whether a JPEG's decoder holds all of it, at whatever fraction it is decoded: its numbers come in several scans.

    So it is where the frame is progressive, and where the first scan has not all of its components.
    """
    frame, components = 0, 0
    for marker, begin in _segments(data):
        if _is_frame(marker):
            frame, components = marker, data[begin + 5]
        elif marker == 0xDA:
            return frame not in (0xC0, 0xC1) or data[begin] < components
    return True


def _is_frame(marker: int) -> bool:
    return 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC)


def _segments(data: bytes) -> "list[tuple[int, int]]":
    """The marker of each segment of a JPEG up to its first scan, and where its content begins. Anything that a decoder
    might read in another way ends the list.
    """
    found, at = [], 2
    while at + 9 < len(data) and data[at] == 0xFF and data[at + 1] not in (0x00, 0x01, 0xD8, 0xD9):
        if data[at + 1] == 0xFF:  # padding
            at += 1
            continue
        found.append((data[at + 1], at + 4))
        if data[at + 1] == 0xDA:
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return found


def _bare(data: bytes) -> bytes:
    """A PNG without what is no part of its picture: texts, profiles and further frames, which may unpack to much."""
    kept, at = [data[:8]], 8
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] in _CHUNKS:
            kept.append(data[at:end])
        at = end
    return b"".join(kept)


# ---- pixels --------------------------------------------------------------------------------------------------------


def _small(image: "Image", size: tuple[int, int], kept: int) -> "Image":
    """The middle of it, this large, made smaller by a whole number, as RGBA. No other copy of all pixels is made."""
    from PIL import Image

    width, height = size
    left, top = (image.width - width) // 2, (image.height - height) // 2
    factor = max(1, max(size) // kept)
    small = Image.new("RGBA", (-(-width // factor), -(-height // factor)))
    for row in range(0, small.height, _BAND):
        box = (left, top + row * factor, left + width, top + min(height, (row + _BAND) * factor))
        small.paste(image.crop(box).convert("RGBA").reduce(factor), (0, row))
    return small


def _upright(image: "Image", orientation: object) -> "Image":
    """The picture as the camera was held, by the number that EXIF has for that."""
    from PIL.Image import Transpose

    turned = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    how = turned.get(orientation) if isinstance(orientation, int) else None
    return image if how is None else image.transpose(how)


def _on_paper(image: "Image") -> "Image":
    """What is transparent shows white paper."""
    from PIL import Image

    paper = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(paper, image).convert("RGB")
