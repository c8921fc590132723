"""How much memory the server has, and how it is given back. What a system does not say is taken for a small host's."""

import ctypes
import os
import sys
from pathlib import Path

_UNKNOWN = 1_000_000_000  # bytes, where the system does not say
_GROUPS = (  # of a container: its limit, what it has taken, and the part of that which can be taken away again
    ("memory.max", "memory.current", "inactive_file"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "total_inactive_file"),
)
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of mallopt
_GROWN = 12_000_000  # bytes by which the process has grown when it is worth looking for what is free

_after_last = 0  # bytes that were resident when memory was last given back


def total(unknown: int = _UNKNOWN) -> int:
    """Bytes of memory that the server may take in all: its machine's, or its container's; or else what is given."""
    limit, _ = _container(Path("/sys/fs/cgroup"))
    return min(filter(None, (limit, _meminfo("MemTotal"))), default=unknown)


def available() -> int:
    """Bytes of memory that the server can still take now."""
    limit, taken = _container(Path("/sys/fs/cgroup"))
    room = (max(limit - taken, 1) if limit else None, _meminfo("MemAvailable"))
    return min(filter(None, room), default=_UNKNOWN // 2)


def _container(root: Path) -> tuple[int | None, int]:
    """(limit, bytes taken) of the container that is mounted here; (None, 0) where there is no limit."""
    for limit, taken, reclaimable in _GROUPS:
        try:
            folder = (root / limit).parent
            of_files = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
            used = int((root / taken).read_text()) - int(of_files.get(reclaimable, 0))
            return int((root / limit).read_text()), used
        except (OSError, ValueError):  # no such group, or "max": no limit
            continue
    return None, 0


def _meminfo(name: str) -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
    except (OSError, ValueError, StopIteration):
        return None


def settle_allocator() -> None:
    """Have large arrays go back to the system as soon as they are freed.

    The allocator of Linux keeps freed memory for each thread, and Streamlit runs every script in a new one: after a few
    large maps the process holds gigabytes that nobody uses. Elsewhere this does nothing.
    """
    libc = _libc()
    if libc is not None:
        libc.mallopt(_M_ARENA_MAX, 2)
        libc.mallopt(_M_MMAP_THRESHOLD, 4_000_000)  # a fixed one: by itself it grows with every large array


def give_back() -> None:
    """Return what is free to the system, after large work."""
    libc = _libc()
    if libc is not None:
        libc.malloc_trim(0)


def give_back_if_grown() -> None:
    """The same after work of any size, if the process has grown: what a computation needed for a moment lies in between
    what stays, and would be kept."""
    global _after_last
    if resident() > _after_last + _GROWN:
        give_back()
        _after_last = resident()


def resident() -> int:
    """Bytes of this process that are in memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _libc() -> ctypes.CDLL | None:
    if sys.platform != "linux" or "CS_GNU_LIBC_VERSION" not in os.confstr_names:
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None
