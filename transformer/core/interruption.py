"""How a caller ends a computation that is under way: it is asked between two parts of a model, and between two cases of
a study.

    with interruptible(check):  # `check` raises what is to end the computation
        study(model, ids)

The check belongs to the thread that sets it, and reaches every call that this thread makes inside the block.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


def _go_on() -> None:
    pass


_check: ContextVar[Callable[[], None]] = ContextVar("check", default=_go_on)


@contextmanager
def interruptible(check: Callable[[], None]) -> Iterator[None]:
    """Within the block, `check` is called from time to time; what it raises ends the computation."""
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def check_interruption() -> None:
    """Raises what ends this computation, if somebody wants it to end. Costs well under a microsecond."""
    _check.get()()
