"""Where trainings run, and how many at a time: in processes of this machine, or on a Dask cluster that there is.

Two environment variables say so: ATTENTION_LAB_TRAININGS, how many at a time, and ATTENTION_LAB_SCHEDULER, the address
of the cluster's scheduler, such as tcp://10.0.0.1:8786.
"""

import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from transformer.checks import InputError

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
R = TypeVar("R")

TRAININGS, SCHEDULER = "ATTENTION_LAB_TRAININGS", "ATTENTION_LAB_SCHEDULER"
SMALL = 1.5 * 2**30  # bytes of memory below which one training at a time is all there is room for
PATIENCE = 10.0  # seconds to wait for the scheduler to answer
# A container's limits, as the two versions of Linux control groups have it.
_LIMITS = ("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes")


def places(
    environment: Mapping[str, str] = os.environ, *, cores: int | None = None, memory: float | None = None
) -> int:
    """How many trainings run at a time: as many as were asked for, or else as cores, and one where memory is short."""
    asked = environment.get(TRAININGS, "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    is_small = (total_memory() if memory is None else memory) < SMALL
    is_here = not environment.get(SCHEDULER)
    return 1 if is_small and is_here else max(1, cores or os.cpu_count() or 1)


def total_memory(root: Path = Path("/")) -> float:
    """The bytes that the processes of this machine, or of this container, may take; infinity where nobody says."""
    found = [math.inf]
    for limit in _LIMITS:
        text = _text(root / limit).strip()
        found += [int(text)] if text.isdecimal() else []
    for line in _text(root / "proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            found.append(int(line.split()[1]) * 1024)
    return min(found)


def executor(n: int, environment: Mapping[str, str] = os.environ) -> Executor:
    """What carries out n stretches at a time. Raises InputError where a cluster is asked for and cannot be had."""
    address = environment.get(SCHEDULER, "")
    if address:
        return cluster(address)
    from transformer.training.lanes import Lanes

    return Lanes(n)


def cluster(address: str) -> Executor:
    """The Dask cluster of the scheduler at this address. Its workers need this library. Raises InputError."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            "Trainings are to run on a Dask cluster here, and the package “distributed” is not installed."
        ) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError("The cluster that trains does not answer now. Try again in a few minutes.") from error
    return _Cluster(client)


class _Cluster(Executor):
    """The workers of a Dask cluster; at the end they are left as they are, and only the connection is closed."""

    def __init__(self, client: "Client"):
        self._client = client
        self._executor = client.get_executor(pure=False)  # two calls are two stretches, even if they look alike

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError):
        return ""
