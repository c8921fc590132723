"""What a Dask cluster says of itself: told by a pretended client, and by schedulers and workers that come and go."""

import operator
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from lab.server import training_queue
from lab.server.training_queue import Queue
from transformer.core.checks import InputError
from transformer.training import cluster, tasks
from transformer.training.checkpoints import load
from transformer.training.cluster import NO_ANSWER, NO_WORKER, Away, Cluster, library_version
from transformer.training.film import film_of
from transformer.training.places import SCHEDULER, executor
from transformer.training.plan import Plan, make_trainer

ROOT = Path(__file__).parents[2]
OURS = {"python": "3.11.7.final.0", "torch": "2.13.0+cpu", "dask": "2026.8.0", "distributed": "2026.8.0"}


# ---- told by a pretended client ------------------------------------------------------------------------------------


class Client:
    """What Cluster asks of a client of Dask, with workers and versions as a test has them."""

    def __init__(self, workers: dict[str, dict[str, Any]], scheduler: dict[str, Any] | None = None):
        self.status = "running"
        self.workers, self.scheduler = workers, scheduler or {}
        self.sent: list[str] = []
        self.asked = 0

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)

    def get_versions(self, packages: list[str]) -> dict[str, Any]:
        self.asked += 1
        of = {name: {"packages": OURS | more} for name, more in self.workers.items()}
        return {"client": {"packages": OURS}, "scheduler": {"packages": OURS | self.scheduler}, "workers": of}

    def run(self, function: Callable[[], str], workers: list[str]) -> dict[str, str]:
        return {name: self.workers[name].get("library", function()) for name in workers}

    def run_on_scheduler(self, function: Callable[[], str]) -> str:
        return self.scheduler.get("library", function())

    def get_executor(self, pure: bool) -> Executor:
        client = self

        class Sends(ThreadPoolExecutor):
            def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
                client.sent.append(fn.__name__)
                return super().submit(fn, *args, **kwargs)

        return Sends(1)

    def close(self, timeout: float) -> None:
        self.status = "closed"


class Clock:
    """Seconds that pass when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def pretended(*clients: Client, clock: Clock | None = None) -> Cluster:
    """A cluster to which one connects by these clients, one after the other."""
    left, clock = list(clients), clock or Clock()
    return Cluster("x", connect=lambda address: cast("Any", left.pop(0)), clock=clock, sleep=clock.sleep)


def test_with_the_same_versions_work_is_sent_and_they_are_compared_once_per_worker():
    client = Client({"a": {}})
    one = pretended(client)
    assert [one.submit(operator.add, 1, n).result(9) for n in (1, 2)] == [2, 3]
    assert client.asked == 1
    client.workers["b"] = {"torch": "2.13.0+cu130"}  # built for something else
    assert one.submit(operator.add, 1, 3).result(9) == 4
    assert client.asked == 2


@pytest.mark.parametrize(
    ("theirs", "sentence"),
    [
        ({"python": "3.12.1.final.0"}, "has Python 3.12, and this server has 3.11."),
        ({"torch": "2.12.0+cpu"}, "has torch 2.12.0, and this server has 2.13.0."),
        ({"dask": "2025.1.0"}, "has dask 2025.1.0, and this server has 2026.8.0."),
        ({"torch": None}, "lacks the package “torch”."),
        ({"library": ""}, "lacks this library."),
        ({"library": "0123456789ab"}, "has another version of this library."),
    ],
)
@pytest.mark.parametrize("who", ["A worker", "The scheduler"])
def test_other_versions_are_named_before_work_is_sent(who: str, theirs: dict[str, Any], sentence: str):
    client = Client({"a": {}, "b": theirs}) if who == "A worker" else Client({"a": {}}, theirs)
    with pytest.raises(InputError) as told:
        pretended(client).submit(operator.add, 1, 1)
    assert f"{who} of the cluster that trains {sentence}" in str(told.value)
    assert not isinstance(told.value, Away)
    assert "model" not in str(told.value)
    assert not client.sent


def test_that_no_worker_is_there_is_said_within_five_seconds():
    clock, client = Clock(), Client({})
    with pytest.raises(Away, match=NO_WORKER):
        pretended(client, clock=clock).submit(operator.add, 1, 1)
    assert 4 < clock.now <= 5.2
    assert not client.sent


def test_a_connection_that_is_lost_is_made_anew():
    first, second = Client({"a": {}}), Client({"a": {}})
    one = pretended(first, second)
    assert one.submit(operator.add, 1, 1).result(9) == 2
    first.status = "closed"
    assert one.submit(operator.add, 1, 2).result(9) == 3
    assert (len(first.sent), len(second.sent)) == (1, 1)


def test_what_is_under_way_when_all_workers_leave_is_answered():
    """Dask itself keeps it for a worker that may come."""
    client, go_on = Client({"a": {}}), threading.Event()
    one = pretended(client)
    waiting = one.submit(go_on.wait)
    client.workers.clear()
    try:
        with pytest.raises(Away, match=NO_WORKER):
            waiting.result(60)
    finally:
        go_on.set()


def test_the_digest_of_the_library_is_of_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    digest = library_version()
    found = {digest()}
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: spec)
    for text in ("x = 1", "x = 2"):
        (tmp_path / "module.py").write_text(text)
        (tmp_path / "data.json").write_text(text)
        found.add(digest())
    assert len(found) == 3
    (tmp_path / "data.json").write_text("another")
    assert digest() in found
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert digest() == ""


# ---- schedulers and workers that come and go -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_cluster_that_cannot_be_had_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(Away, match=NO_ANSWER):
            executor(1, {SCHEDULER: address}).submit(operator.add, 1, 1)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="is not installed"):
        executor(1, {SCHEDULER: "tcp://127.0.0.1:9"})


class Machines:
    """A scheduler and a worker, each a process, on a port that stays the same."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, what: str) -> None:
        more = {
            "scheduler": ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", "--no-jupyter"],
            "worker": [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
        }[what]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "dask", what, *more]
        self.processes[what] = subprocess.Popen(command, cwd=ROOT, env=environment, **quiet)

    def kill(self, what: str) -> None:
        process = self.processes.pop(what, None)
        if process is not None:
            process.kill()
            process.wait()


@pytest.fixture
def machines() -> Iterator[Machines]:
    machines = Machines()
    yield machines
    for what in list(machines.processes):
        machines.kill(what)


def answered(one: Cluster, *work: Any) -> Any:
    """What the cluster answers as soon as it is there."""
    answers: list[Any] = []

    def is_there() -> bool:
        try:
            answers.append(one.submit(*work).result(300))
        except Away:
            return False
        return True

    until(is_there)
    return answers[0]


@pytest.mark.slow
def test_when_the_scheduler_dies_and_comes_back_so_does_the_work(machines: Machines) -> None:
    machines.start("scheduler")
    machines.start("worker")
    one = executor(1, {SCHEDULER: machines.address})
    assert isinstance(one, Cluster)
    assert answered(one, operator.add, 1, 2) == 3
    waiting = one.submit(time.sleep, 600)
    for what in ("scheduler", "worker"):
        machines.kill(what)
    with pytest.raises(Away):
        waiting.result(300)
    with pytest.raises(Away):
        one.submit(operator.add, 1, 2)
    for what in ("scheduler", "worker"):
        machines.start(what)
    assert answered(one, operator.add, 2, 3) == 5
    one.shutdown(wait=False)


@pytest.mark.wide
def test_when_the_scheduler_dies_and_comes_back_so_does_a_training(machines: Machines, monkeypatch) -> None:
    monkeypatch.setattr(training_queue, "SECONDS", 0.1)
    monkeypatch.setattr(training_queue, "KEEP_EVERY", 0.0)
    recipe = tasks.recipe("copy")
    settings = replace(recipe.settings, steps=300, every=10, n_examples=200)
    plan = Plan("copy", {"longest": 6}, replace(recipe.config, d_model=8, n_heads=2, d_ff=16), settings)
    for what in ("scheduler", "worker"):
        machines.start(what)
    queue = Queue(1, executor=lambda: executor(1, {SCHEDULER: machines.address}))

    def begins() -> bool:
        job = queue.submit("a", plan, settings.steps)
        until(lambda: job.step >= 20 or not job.is_alive)
        jobs.append(job)
        return job.is_alive

    jobs: list[training_queue.Job] = []
    until(begins)
    job = jobs[-1]
    for what in ("scheduler", "worker"):
        machines.kill(what)
    until(lambda: job.note.startswith(NO_ANSWER))
    for what in ("scheduler", "worker"):
        machines.start(what)
    until(lambda: not job.is_alive)
    queue.close()
    assert (job.state, job.error, job.step) == ("done", "", settings.steps)
    assert job.note.startswith("The cluster that trains was away. It went on from step")


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
