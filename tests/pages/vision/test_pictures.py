"""Pictures from strangers: files."""

import io

import numpy as np
import pytest
from PIL import Image

from pages.vision import pictures
from transformer.checks import InputError


def file_of(image: Image.Image, kind: str = "PNG", **more) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def test_a_picture_is_cut_to_a_square_and_transparency_is_paper():
    image = Image.new("RGBA", (600, 300), (0, 0, 0, 0))
    image.paste((200, 0, 0, 255), (0, 0, 150, 300))  # cut away
    image.paste((0, 0, 200, 255), (150, 0, 300, 300))  # the left half of the square
    pixels = pictures.opened(file_of(image))
    assert pixels.shape == (pictures.KEPT, pictures.KEPT, 3)
    assert pixels[100, 50].tolist() == [0, 0, 200]
    assert pixels[100, 300].tolist() == [255, 255, 255]


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_stands_as_the_camera_held_it(kind: str):
    image = Image.new("RGB", (64, 64), "white")
    image.paste((200, 0, 0), (0, 0, 64, 32))  # red above
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees to the right
    pixels = pictures.opened(file_of(image, kind, exif=exif))
    assert pixels[192, 300, 0] > 150 > pixels[192, 300, 1]  # red on the right
    assert pixels[192, 60].min() > 200


def damaged() -> bytes:
    whole = file_of(Image.effect_noise((200, 200), 50).convert("RGB"))
    return whole[: len(whole) // 2]


def huge() -> bytes:
    """A small file of a picture of 5,000 x 5,000 pixels."""
    return file_of(Image.new("1", (5000, 5000)))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "neither a PNG nor a JPEG"),
        (b"GIF89a" + b"\0" * 100, "neither a PNG nor a JPEG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "neither a PNG nor a JPEG"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "cannot be decoded"),
        (b"\xff\xd8\xff" + b"\0" * 50, "cannot be decoded"),
        (damaged(), "cannot be decoded"),
        (huge(), "5,000 × 5,000 pixels; the most that is read is 24 million"),
        (b"\xff\xd8\xff" + b"\0" * pictures.MAX_BYTES, "the most that is read is 8 MB"),
    ],
    ids=["empty", "gif", "svg", "not png", "not jpeg", "cut off", "bomb", "large"],
)
def test_a_bad_file_gets_one_sentence(data: bytes, said: str):
    with pytest.raises(InputError, match=said):
        pictures.opened(data)


def test_another_size_keeps_cells_or_averages_them():
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 1] = 200
    larger = pictures.fitted(pixels, 6)
    assert larger[:3, 3:].min() == 200
    assert larger[3:].max() == larger[:, :3].max() == 0
    np.testing.assert_array_equal(pictures.fitted(larger, 2), pixels)
    assert pictures.fitted(pixels, 1)[0, 0, 0] == 50
    assert pictures.fitted(pixels, 2) is pixels
