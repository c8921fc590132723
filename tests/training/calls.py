"""What the tests have other processes do."""

import gc
import os
import time
from pathlib import Path
from typing import Any

import torch


def facts(_: str) -> dict[str, Any]:
    """What a process knows of itself."""
    return {
        "pid": os.getpid(),
        "niceness": os.nice(0),
        "threads": torch.get_num_threads(),
        "omp": os.environ.get("OMP_NUM_THREADS"),
        "frozen": gc.get_freeze_count(),
    }


def wait_for(_: str, file: str) -> int:
    """Wait until there is such a file; touches another one at the beginning."""
    Path(file + ".begun").touch()
    while not Path(file).exists():
        time.sleep(0.01)
    return os.getpid()


def die(_: str) -> None:
    os._exit(1)
