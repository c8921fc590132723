"""A Streamlit server of its own, in a process of its own."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Self

ROOT = Path(__file__).parent.parent
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Server:
    """A running server. seconds_to_health is how long it took from the start of the process."""

    def __init__(self, process: subprocess.Popen, url: str, seconds_to_health: float):
        self.url = url
        self.seconds_to_health = seconds_to_health
        self._process = process

    def cpu_seconds(self) -> float | None:
        """The processor time that it has used so far, or None where the system does not say (it does on Linux)."""
        try:
            return time.clock_gettime((~self._process.pid << 3) | 2)  # how Linux numbers the clock of a process
        except (AttributeError, OSError, OverflowError):
            return None

    def memory_mb(self) -> float:
        """What it holds in memory, in MB: its resident set, and what its children have for themselves.

        Raises OSError where the system does not say (Linux does).
        """
        resident = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * PAGE
        own = sum(_rolled_up(child, "Private_") for child in _below(self._process.pid))
        return (resident + own) / 1e6

    def shared_mb(self) -> float:
        """What it and all its children hold together, in MB: of what several share, each counts its part (PSS)."""
        return sum(_rolled_up(pid, "Pss:") for pid in (self._process.pid, *_below(self._process.pid))) / 1e6

    def has_loaded(self, library: str) -> bool | None:
        """Whether files of this library are mapped into its memory, or None where the system does not say."""
        try:
            return f"/{library}/" in Path(f"/proc/{self._process.pid}/maps").read_text()
        except OSError:
            return None


class Beside:
    """Looks at something every so many seconds, in a thread of its own, for as long as a block lasts."""

    every = 1.0

    def __init__(self):
        self._over = Event()
        self._watcher = Thread(target=self._watch, daemon=True)

    def look(self) -> None:
        """What is done each time."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._watcher.start()
        return self

    def __exit__(self, *_) -> None:
        self._over.set()
        self._watcher.join()

    def _watch(self) -> None:
        self.look()
        while not self._over.wait(self.every):
            self.look()


class Peak(Beside):
    """Watches the memory of a server: `mb` is the most that was seen."""

    every = 0.05

    def __init__(self, server: Server):
        super().__init__()
        self.mb, self._server = 0.0, server

    def look(self) -> None:
        with suppress(OSError):  # whoever asks for a single figure is told
            self.mb = max(self.mb, self._server.memory_mb())


def _rolled_up(pid: int, kind: str) -> int:
    """The bytes of a process of all kinds that begin so, Pss or Private_; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(kind))


def _below(pid: int) -> list[int]:
    """The children of a process, and theirs."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    below = [child for child, parent in parents.items() if parent == pid]
    for child in below:  # grows while it is read: grandchildren follow their parents
        below += [deeper for deeper, parent in parents.items() if parent == child]
    return below


def command(port: int, script: str = "app.py", base: str = "") -> list[str]:
    """The command line of `make run`, at an address of its own: every other setting is the one that is shipped.

    base: the path below which it serves. Headless, since where there is a screen Streamlit opens the page on it as
    well, and that would be one visitor more than is counted.
    """
    options = {"server.port": port, "server.address": "127.0.0.1", "server.headless": "true"}
    options |= {"server.baseUrlPath": base} if base else {}
    return [sys.executable, "-m", "streamlit", "run", script, *(f"--{name}={value}" for name, value in options.items())]


def variables(**more: str) -> dict[str, str]:
    """The environment of such a server: that of this process, but for settings of Streamlit's, and more."""
    return {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")} | more


@contextmanager
def serve(
    script: str, environment: Mapping[str, str] | None = None, wait: "Callable[..., object] | None" = None
) -> Iterator[Server]:
    """A fresh server of this script, healthy; it ends with the block.

    environment  what is set beside the variables of this process
    wait         (process, url) returns once it answers; None: `wait_for_health`
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = time.perf_counter()
    process = subprocess.Popen(command(port, script), cwd=ROOT, env=variables(**(environment or {})), **quiet)
    try:
        (wait or wait_for_health)(process, url)
        yield Server(process, url, time.perf_counter() - start)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for_health(process: subprocess.Popen, url: str, patience: float = 300) -> None:
    """Return when the server at this address is healthy. Raises RuntimeError if it ends, or is not in time."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy does not know this machine
    end = time.perf_counter() + patience
    while time.perf_counter() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended by itself with code {process.returncode}")
        try:
            with direct.open(f"{url}/_stcore/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise RuntimeError(f"the server was not healthy after {patience} s")
