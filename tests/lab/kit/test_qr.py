"""The QR code of a link: its modules as one path, and what is too long for a phone."""

import re

import numpy as np
import pytest

from lab.kit.qr import MAX_LETTERS, code, is_local

LINK = "https://lab.example/heads?text=the+caf%C3%A9&layer=1"
FINDER = np.pad(np.pad(np.ones((3, 3), bool), 1), 1, constant_values=True)  # a square in a ring, at three corners


def modules(drawn: dict) -> np.ndarray:
    """The dark modules of a code, (size, size) boolean."""
    cells = np.zeros((drawn["size"], drawn["size"]), bool)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn["path"]):
        cells[int(y), int(x)] = True
    return cells


def test_a_code_has_its_finders_and_its_timing_pattern() -> None:
    drawn = code(LINK)
    assert drawn["address"] == LINK
    cells = modules(drawn)
    assert (drawn["size"] - 21) % 4 == 0
    for corner in (cells[:7, :7], cells[:7, -7:], cells[-7:, :7]):
        np.testing.assert_array_equal(corner, FINDER)
    assert not cells[-7:, -7:].all()
    np.testing.assert_array_equal(cells[6, 8:-8], np.arange(8, drawn["size"] - 8) % 2 == 0)


def test_another_link_has_another_code() -> None:
    assert code(LINK)["path"] != code(LINK + "&head=2")["path"]


@pytest.mark.parametrize("link", ["x" * (MAX_LETTERS + 1), "é" * MAX_LETTERS + "x" * 5000])
def test_a_link_that_no_phone_could_read_has_none(link: str) -> None:
    assert code(link) == {"address": link, "size": 0, "path": ""}


@pytest.mark.parametrize("link", ["", "\ud800", "🙂" * 200, "<script>"])
def test_any_text_that_a_browser_may_send(link: str) -> None:
    drawn = code(link)
    assert set(drawn) == {"address", "size", "path"}
    assert not set(drawn["path"]) - set("M0123456789 hv-1z")


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "0.0.0.0:8501", "[::1]:8501"])
def test_a_computers_own_address_is_told_from_one_that_phones_can_open(host: str):
    assert is_local(f"http://{host}/join?room=KRTM")
    assert not is_local(f"http://lab.example/{host}")
    assert not is_local(f"https://192.168.1.7:8501/{host}")
    for public in ("localhosting.school.example", "127.lab.example"):
        assert not is_local(f"https://{public}/join?room=KRTM")
