"""To wait until something holds, however busy the machine."""

import time
from collections.abc import Callable

SOON = 300.0  # seconds; reached only if something hangs


def until_holds(holds: Callable[[], object]) -> None:
    """Wait until this holds. Raises AssertionError if it never does."""
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.005)
