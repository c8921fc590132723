"""A Streamlit server of its own, in a process of its own."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


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

    def has_loaded(self, library: str) -> bool | None:
        """Whether files of this library are mapped into its memory, or None where the system does not say."""
        try:
            return f"/{library}/" in Path(f"/proc/{self._process.pid}/maps").read_text()
        except OSError:
            return None


@contextmanager
def serve(script: str):
    """A fresh server of this script, healthy; it ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", script]
    # Files are not watched: a file that is saved meanwhile would cost a rerun.
    options = {"server.port": port, "server.address": "127.0.0.1", "server.fileWatcherType": "none"}
    command += [f"--{name}={value}" for name, value in options.items()]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for_health(process, url)
        yield Server(process, url, time.perf_counter() - start)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for_health(process: subprocess.Popen, url: str, patience: float = 60) -> None:
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
