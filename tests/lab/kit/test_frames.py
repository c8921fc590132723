"""Photographs of views stand where links lead to these views, and nowhere else."""

from PIL import Image

from lab.kit import frames
from tests.browser.frames import TALL, WIDE, wanted


def test_each_view_that_is_led_to_was_photographed_and_no_other() -> None:
    taken = {file.name for file in frames.FOLDER.glob("*.webp")}
    assert taken == {frames.path(address).name for address in wanted()}, (
        "take them again: python -m tests.browser.frames"
    )


def test_a_photograph_is_small() -> None:
    for address in wanted():
        file = frames.path(address)
        assert file.stat().st_size < 12_000
        assert Image.open(file).size == (WIDE, TALL)
        assert frames.picture(address).startswith("<img ")


def test_another_link_has_none() -> None:
    address = next(iter(wanted()))
    assert frames.picture(address + "&seed=1") == ""
