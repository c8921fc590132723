"""Photographs of views stand where links lead to these views, and nowhere else."""

import re

import numpy as np
from PIL import Image

from pages.lessons import frames
from tests.browser.frames import SCHEMES, SHARP, TALL, WIDE, wanted

ADDRESSES = [place.stop.link.address() for place in wanted()]


def test_each_view_that_is_led_to_was_photographed_and_no_other() -> None:
    taken = {file.name for file in frames.FOLDER.glob("*.webp")}
    assert taken == {frames.path(address, theme).name for address in ADDRESSES for theme in SCHEMES}, (
        "take them again: python -m tests.browser.frames"
    )


def test_a_photograph_is_small() -> None:
    for address in ADDRESSES:
        for theme in SCHEMES:
            file = frames.path(address, theme)
            assert file.stat().st_size < 45_000
            assert Image.open(file).size == (SHARP * WIDE, SHARP * TALL)
        assert re.findall(r'<img class="(\w+)"', frames.picture(address)) == list(SCHEMES)


def test_night_is_dark_and_day_is_light() -> None:
    for address in ADDRESSES:
        day, night = (np.asarray(Image.open(frames.path(address, theme)).convert("L")).mean() for theme in SCHEMES)
        assert night < 100 < 150 < day, address


def test_another_link_has_none() -> None:
    assert frames.picture(f"{ADDRESSES[0]}&seed=1") == ""
