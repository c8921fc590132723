"""Where trainings run, and how many at a time: in processes of this machine, or on a Dask cluster that there is.

Two environment variables say so: ATTENTION_LAB_TRAININGS, how many at a time, and ATTENTION_LAB_SCHEDULER, the address
of the cluster's scheduler, such as tcp://10.0.0.1:8786.
"""

import math
import os
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path

TRAININGS, SCHEDULER = "ATTENTION_LAB_TRAININGS", "ATTENTION_LAB_SCHEDULER"
SMALL = 1.5 * 2**30  # bytes of memory below which one training at a time is all there is room for
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
    """What carries out n stretches at a time. Raises InputError where the package of the cluster is not installed."""
    address = environment.get(SCHEDULER, "")
    if address:
        from transformer.training.cluster import Cluster

        return Cluster(address)
    from transformer.training.lanes import Lanes

    return Lanes(n)


def ended(error: BaseException) -> bool:
    """Whether a call went unanswered because the process that worked on it ended, here or on a cluster."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError):
        return ""
