"""How many trainings run at a time, and where."""

from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from transformer.training import places
from transformer.training.places import SCHEDULER, TRAININGS, ended, total_memory

GIB = 2**30


@pytest.mark.parametrize(
    ("environment", "cores", "memory", "n"),
    [
        ({}, 8, 16 * GIB, 8),
        ({}, 8, 1.6 * GIB, 8),
        ({}, 8, 1.4 * GIB, 1),  # there is room for one process
        ({TRAININGS: "3"}, 8, 1.4 * GIB, 3),
        ({TRAININGS: "0"}, 4, 16 * GIB, 4),
        ({TRAININGS: "many"}, 4, 16 * GIB, 4),
        ({SCHEDULER: "tcp://x:1"}, 8, 1.4 * GIB, 8),  # the memory is elsewhere
    ],
)
def test_as_many_at_a_time_as_there_is_room_for(environment, cores: int, memory: float, n: int) -> None:
    assert places.places(environment, cores=cores, memory=memory) == n


def test_memory_is_that_of_the_container_if_it_has_less(tmp_path: Path) -> None:
    assert total_memory(tmp_path) == float("inf")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text("MemFree: 5 kB\nMemTotal:       16000000 kB\n")
    assert total_memory(tmp_path) == 16_000_000 * 1024
    (tmp_path / "sys/fs/cgroup").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/memory.max").write_text("max\n")
    assert total_memory(tmp_path) == 16_000_000 * 1024
    (tmp_path / "sys/fs/cgroup/memory.max").write_text(f"{GIB}\n")
    assert total_memory(tmp_path) == GIB


def test_only_a_process_that_ended_is_said_to_have_ended() -> None:
    class KilledWorker(Exception):
        """As Dask calls it."""

    assert ended(BrokenExecutor())
    assert ended(KilledWorker())
    assert not ended(RuntimeError("Error during deserialization of the task graph."))
    assert not ended(ModuleNotFoundError("No module named 'transformer'"))
