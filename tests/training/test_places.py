"""How many trainings run at a time, and where: on this machine or on a real Dask cluster, one of whose workers dies."""

import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pages.shared import training_queue
from pages.shared.training_queue import Queue
from transformer.checks import InputError
from transformer.training import places, tasks
from transformer.training.checkpoints import load
from transformer.training.film import film_of
from transformer.training.places import SCHEDULER, TRAININGS, cluster, executor, total_memory
from transformer.training.plan import Plan, make_trainer

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


@pytest.mark.slow
def test_a_cluster_that_cannot_be_had_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(InputError, match="does not answer now"):
            executor(1, {SCHEDULER: address})
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="is not installed"):
        cluster("tcp://127.0.0.1:9")


@pytest.mark.wide
def test_a_run_on_a_cluster_survives_the_death_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the two processes that carry out a run is killed in the middle: its film is that of an undisturbed run."""
    from distributed import Client, LocalCluster  # brings in all of Dask

    monkeypatch.setattr(training_queue, "SECONDS", 0.1)  # many stretches
    recipe = tasks.recipe("copy")
    settings = replace(recipe.settings, steps=160, every=10, n_examples=200)
    plan = Plan("copy", {"longest": 6}, replace(recipe.config, d_model=8, n_heads=2, d_ff=16), settings)
    trainer = make_trainer(plan)
    truth = film_of(trainer.task, list(trainer.parts), list(trainer.run()))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as machines,
        Client(machines) as client,
    ):
        queue = Queue(1, executor=lambda: executor(1, {SCHEDULER: machines.scheduler_address}))
        job = queue.submit("a", plan, settings.steps)
        until(lambda: job.step >= 20)
        killed = client.run(os.getpid)
        os.kill(next(iter(killed.values())), signal.SIGKILL)
        until(lambda: not job.is_alive)
        queue.close()
    assert (job.state, job.error) == ("done", "")
    film = job.legend.film(job.snapshots)
    assert film.steps.tolist() == truth.steps.tolist()
    for name in set(truth.curves) - {"seconds"}:
        np.testing.assert_array_equal(film.curves[name], truth.curves[name])
    for one, other in zip(film.frames, truth.frames, strict=True):
        for kind in one:
            np.testing.assert_array_equal(one[kind], other[kind])
    assert load(job.checkpoint or b"").step == settings.steps


def until(condition) -> None:
    end = time.monotonic() + 300  # seconds; reached only if something hangs
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)
