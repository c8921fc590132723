"""How often a code may be wrong: four letters are quickly typed, and must not be quickly guessed.

There are 20 ** 4 = 160,000 codes. All strangers together may be wrong 60 times a minute, so that finding one room takes
22 hours of trying on average; a room lasts for 24 at most, and whoever has a seat in it is not held up by that.
"""

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

MAX_OF_ONE, MAX_OF_ALL = 10, 60
MINUTE = 60.0


class Guesses:
    """Wrong codes of the last minute."""

    def __init__(self, clock: Callable[[], float] = monotonic):
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque()  # when, and whose

    def may_try(self, visitor: str, *, is_wrong: bool) -> bool:
        """Whether this visitor may try a code now. A wrong one is counted in the same go, so that of many tries at once
        none slips through."""
        with self._lock:
            while self._wrong and self._clock() - self._wrong[0][0] >= MINUTE:
                self._wrong.popleft()
            of_one = sum(whose == visitor for _, whose in self._wrong)
            may = of_one < MAX_OF_ONE and len(self._wrong) < MAX_OF_ALL
            if may and is_wrong:
                self._wrong.append((self._clock(), visitor))
            return may
