"""How much memory there is, as systems and containers say it, and that freed memory goes back."""

import subprocess
import sys
from pathlib import Path

import pytest

from lab.server import memory

ROOT = Path(__file__).parents[3]
TAKE_AND_FREE = """
import threading
from pathlib import Path
from lab.server import memory

def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

memory.settle_allocator()
import numpy as np

def work(*sizes):  # in between there are small arrays that stay, so that no end of the heap is free
    for n in sizes * 3:
        held = [np.ones(n, "u1") for _ in range(60_000_000 // n)]
        kept.append(np.ones(30_000, "u1"))
        del held

def taken(*sizes):
    before = resident()
    threads = [threading.Thread(target=work, args=sizes) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return resident() - before

kept = []
print(taken(12_000_000))
large = resident()
taken(40_000, 300_000, 3_000_000)
memory.give_back()
print(resident() - large)
"""


def fill(folder: Path, **texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        folder.joinpath(name.replace("__", ".")).write_text(text)


def test_the_limit_of_a_container(tmp_path: Path):
    fill(tmp_path, memory__max="1000\n", memory__current="700\n", memory__stat="anon 500\ninactive_file 200\n")
    assert memory._container(tmp_path) == (1000, 500), "what files are cached can be taken away again"


def test_the_limit_of_an_older_container(tmp_path: Path):
    older = {
        "memory__limit_in_bytes": "1000",
        "memory__usage_in_bytes": "600",
        "memory__stat": "total_inactive_file 100",
    }
    fill(tmp_path / "memory", **older)
    assert memory._container(tmp_path) == (1000, 500)


def test_no_limit(tmp_path: Path):
    assert memory._container(tmp_path) == (None, 0)
    fill(tmp_path, memory__max="max\n", memory__current="700\n", memory__stat="inactive_file 200\n")
    assert memory._container(tmp_path) == (None, 0)


def test_the_smaller_of_machine_and_container_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "_meminfo", lambda name: {"MemTotal": 8000, "MemAvailable": 900}[name])
    monkeypatch.setattr(memory, "_container", lambda root: (2000, 1500))
    assert (memory.total(), memory.available()) == (2000, 500)
    monkeypatch.setattr(memory, "_container", lambda root: (None, 0))
    assert (memory.total(), memory.available()) == (8000, 900)
    monkeypatch.setattr(memory, "_container", lambda root: (2000, 3000))
    assert memory.available() == 1, "none left"
    monkeypatch.setattr(memory, "_meminfo", lambda name: None)
    monkeypatch.setattr(memory, "_container", lambda root: (None, 0))
    assert 0 < memory.available() < memory.total(), "nobody says: a small host"


def test_memory_is_given_back_only_after_the_process_has_grown(monkeypatch: pytest.MonkeyPatch):
    megabytes, calls = [0], []
    monkeypatch.setattr(memory, "_after_last", 0)
    monkeypatch.setattr(memory, "resident", lambda: 1_000_000 * megabytes[0])
    monkeypatch.setattr(memory, "give_back", lambda: calls.append(megabytes[0]))
    for megabytes[0] in (100, 105, 111, 113, 114, 90, 126):
        memory.give_back_if_grown()
    assert calls == [100, 113, 126]


def test_what_is_resident_is_what_the_system_says():
    assert memory.resident() > 20_000_000 or sys.platform != "linux"


@pytest.mark.wide
@pytest.mark.skipif(memory._libc() is None, reason="the allocator of glibc")
def test_what_is_freed_goes_back_to_the_system():
    ran = subprocess.run([sys.executable, "-c", TAKE_AND_FREE], cwd=ROOT, capture_output=True, text=True, check=True)
    at_once, given_back = map(float, ran.stdout.split())
    assert at_once < 30, "of some 250 MB at a time"
    assert given_back < 30
