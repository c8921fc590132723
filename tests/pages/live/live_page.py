"""Visits to the live page: its widgets, its film as it is sent to the browser, and trainings from start to end."""

import time
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.live import trainings
from tests.pages import driver
from tests.payloads import unpack
from tests.waiting import SOON
from transformer.training.tasks.tales import WORDS

KINDS = ("segmented_control", "select_slider", "selectbox", "text_area")
TINY = {"live_task": "Copy", "live_d_model": "8", "live_steps": "20", "live_batch": "8", "live_examples": "100"}
STORY = WORDS.decode(range(10, len(WORDS))) * 8


def visit(**link: object) -> AppTest:
    texts: dict[str, Any] = {name: str(value) for name, value in link.items()}
    return driver.visit("live", timeout=SOON, **texts)


def widget(at: AppTest, key: str):
    (found,) = [w for kind in KINDS for w in at.get(kind) if w.key == key]
    return found


def notices(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.text)


def packet(at: AppTest):
    """What the browser is sent of the film on the page."""
    assert not at.exception
    views = [view.proto for view in at.get("bidi_component")]
    packets = [view.bytes for view in views if not view.component_name.endswith(".search")]
    return unpack(max(packets, key=len))


def side(at: AppTest, n: int = 0) -> dict:
    return packet(at).header["sides"][n]


def buttons(at: AppTest) -> set[str | None]:
    return {button.key for button in at.button}


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def until(at: AppTest, *states: str) -> AppTest:
    """Let the trainings on the page run until they are in these states."""
    end = time.monotonic() + SOON
    while [s["state"] for s in packet(at).header["sides"]] != list(states):
        assert time.monotonic() < end, f"still {packet(at).header['sides']}"
        for job in trainings.trainings().jobs:
            job.wait(SOON)  # a run of the page costs more than a step
        at.run()
    return at


def until_frames(at: AppTest, n: int) -> AppTest:
    """Let the training on the page run until its film has this many frames."""
    (job,) = trainings.trainings().jobs
    end = time.monotonic() + SOON
    while len(job.snapshots) < n:
        assert time.monotonic() < end, f"only {len(job.snapshots)} frames"
        time.sleep(0.01)
    return at.run()
