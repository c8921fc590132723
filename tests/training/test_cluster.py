"""What a Dask cluster says of itself: told by a pretended client, and by schedulers and workers that come and go."""

import operator
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cloudpickle
import numpy as np
import pytest

from benchmarks.proxied import make_certificates, tls_options
from lab.server import trainings
from lab.server.jobs import Job
from lab.server.trainings import Queue
from tests.waiting import until_holds
from transformer.core.checks import InputError
from transformer.training import cluster, tasks
from transformer.training.checkpoints import load
from transformer.training.cluster import NO_ANSWER, NO_WORKER, Away, Cluster, versions_there
from transformer.training.film import film_of
from transformer.training.plan import Plan, make_trainer

ROOT = Path(__file__).parents[2]


# ---- told by a pretended client ------------------------------------------------------------------------------------


class Client:
    """What Cluster asks of a client of Dask, with workers and versions as a test has them."""

    def __init__(self, workers: dict[str, Any], scheduler: Any = None):
        self.status = "running"
        self.workers, self.scheduler = workers, scheduler or {}
        self.sent: list[str] = []
        self.asked = 0

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)

    def run(self, function: Callable[[], dict], workers: list[str], on_error: str) -> dict[str, Any]:
        self.asked += 1
        assert on_error == "return"
        return {name: _said(self.workers[name], function()) for name in workers}

    def run_on_scheduler(self, function: Callable[[], dict]) -> dict[str, str]:
        said = _said(self.scheduler, function())
        if isinstance(said, Exception):
            raise said
        return said

    def get_executor(self, pure: bool) -> Executor:
        client = self

        class Sends(ThreadPoolExecutor):
            def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
                client.sent.append(fn.__name__)
                return super().submit(fn, *args, **kwargs)

        return Sends(1)

    def close(self, timeout: float) -> None:
        self.status = "closed"


def _said(what: Any, of_all: dict) -> Any:
    return what if isinstance(what, Exception) else of_all | what


GO_ON = threading.Event()
BEGUN = threading.Event()


def wait_long() -> None:
    """What a worker does for as long as a test wants it to."""
    BEGUN.set()
    GO_ON.wait()


@pytest.fixture
def busy() -> Iterator[Callable[[], None]]:
    """A call that ends with the test."""
    GO_ON.clear()
    BEGUN.clear()
    yield wait_long
    GO_ON.set()


def fail(error: Exception) -> None:
    raise error


class KilledWorker(Exception):
    """As Dask calls it."""


def pretended(*clients: Client) -> Cluster:
    """A cluster to which one connects by these clients, one after the other."""
    left = list(clients)
    return Cluster("x", connect=lambda address: cast("Any", left.pop(0)))


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for long, and what a pretended client answers at once is not late where threads have to wait."""
    assert cluster.PATIENCE <= 5
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    monkeypatch.setattr(cluster, "_in_time", lambda call: call())
    monkeypatch.setattr(cluster, "WATCH", 0.05)


def test_with_the_same_versions_work_is_sent_and_they_are_compared_once_per_worker():
    client = Client({"a": {}})
    one = pretended(client)
    assert [one.call(operator.add, 1, n) for n in (1, 2)] == [2, 3]
    assert client.asked == 1
    client.workers["b"] = {}
    assert one.call(operator.add, 1, 3) == 4
    assert client.asked == 2


OURS = versions_there()()


@pytest.mark.parametrize(
    ("theirs", "sentence"),
    [
        ({"Python": "2.7"}, f"has Python 2.7, and this server has {OURS['Python']}."),
        ({"torch": "1.0.0"}, f"has torch 1.0.0, and this server has {OURS['torch']}."),
        ({"dask": "2025.1.0"}, f"has dask 2025.1.0, and this server has {OURS['dask']}."),
        (ImportError(name="torch"), "lacks the package “torch”."),
        (ImportError(name="transformer"), "lacks this library."),
        ({"this library": "0123456789ab"}, "has another version of this library."),
    ],
)
@pytest.mark.parametrize("who", ["A worker", "The scheduler"])
def test_other_versions_are_named_before_work_is_sent(who: str, theirs: Any, sentence: str):
    client = Client({"a": {}, "b": theirs}) if who == "A worker" else Client({"a": {}}, theirs)
    with pytest.raises(InputError) as told:
        pretended(client).call(operator.add, 1, 1)
    assert f"{who} of the cluster that trains {sentence}" in str(told.value)
    assert not isinstance(told.value, Away)
    assert "model" not in str(told.value)
    assert not client.sent


def test_a_scheduler_that_runs_no_code_of_clients_needs_no_library():
    assert pretended(Client({"a": {}}, ValueError("not allowed"))).call(operator.add, 1, 1) == 2


def test_the_scheduler_is_sent_bytes_and_a_function_that_needs_nothing_of_ours():
    """It reads what it is sent. To find a function of ours, it would load torch, and answer nobody meanwhile."""
    held = cloudpickle.dumps((cluster._call_there(), cluster._packed(load, (b"",), {})))
    code = f"import pickle, sys; pickle.loads({held!r}); print('transformer' in sys.modules, 'torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False", "False"]
    assert cluster._call_there()(cluster._packed(operator.sub, (5, 2), {})) == 3


def test_our_version_is_that_of_our_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    versions = versions_there()
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(cluster, "find_spec", lambda name: spec)
    found = {versions()["this library"]}
    for text in ("x = 1", "x = 2"):
        (tmp_path / "module.py").write_text(text)
        (tmp_path / "data.json").write_text(text)
        found.add(versions()["this library"])
    (tmp_path / "data.json").write_text("another")
    assert len(found) == 3
    assert versions()["this library"] in found


@pytest.mark.usefixtures("hasty")
def test_that_no_worker_is_there_is_said_at_once_and_also_when_all_have_left(busy: Callable[[], None]):
    client = Client({})
    with pytest.raises(Away, match=NO_WORKER):
        pretended(client).call(operator.add, 1, 1)
    assert not client.sent
    client = Client({"a": {}})
    threading.Timer(0.2, client.workers.clear).start()
    with pytest.raises(Away, match=NO_WORKER):
        pretended(client).call(busy)  # Dask itself keeps it for a worker that may come


@pytest.mark.usefixtures("hasty")
def test_a_connection_that_is_lost_is_made_anew():
    first, second = Client({"a": {}}), Client({"a": {}})
    one = pretended(first, second)
    assert one.call(operator.add, 1, 1) == 2
    first.status = "closed"
    with pytest.raises(Away, match=NO_ANSWER):
        one.call(operator.add, 1, 2)
    assert one.call(operator.add, 1, 3) == 4
    assert (len(first.sent), len(second.sent)) == (1, 1)


@pytest.mark.usefixtures("hasty")
def test_a_call_can_be_broken_off(busy: Callable[[], None]):
    one = pretended(Client({"a": {}}))

    def end_once_begun() -> None:
        BEGUN.wait()
        one.end()

    threading.Thread(target=end_once_begun, daemon=True).start()
    with pytest.raises(BrokenExecutor):
        one.call(busy)


def test_only_a_process_that_ended_is_said_to_have_ended():
    one = pretended(Client({"a": {}}))
    with pytest.raises(BrokenExecutor):
        one.call(fail, KilledWorker("tcp://10.0.0.2:1"))
    with pytest.raises(RuntimeError, match="Error during deserialization"):
        one.call(fail, RuntimeError("Error during deserialization of the task graph."))


# ---- schedulers and workers that come and go -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_cluster_that_cannot_be_had_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(Away, match=NO_ANSWER):
            Cluster(address).call(operator.add, 1, 1)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="is not installed"):
        Cluster("tcp://127.0.0.1:9")


class Machines:
    """A scheduler and a worker, each a process, on a port that stays the same."""

    def __init__(self, certificates: Path | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.protocol = "tls" if certificates else "tcp"
        self.address = f"{self.protocol}://127.0.0.1:{self.port}"
        self.shown = tls_options(certificates) if certificates else []
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, what: str) -> None:
        more = {
            "scheduler": [
                "--host",
                f"{self.protocol}://127.0.0.1",
                "--port",
                str(self.port),
                "--no-dashboard",
                "--no-jupyter",
            ],
            "worker": [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
        }[what]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "dask", what, *more, *self.shown]
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


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl")
def test_over_tls_only_who_shows_a_certificate_of_the_same_authority_is_let_in(tmp_path: Path) -> None:
    """Whoever is let in may run anything there."""
    for name in ("ours", "theirs"):
        make_certificates(tmp_path / name)
    assert (tmp_path / "ours/key.pem").stat().st_mode & 0o077 == 0
    machines = Machines(tmp_path / "ours")
    try:
        for what in ("scheduler", "worker"):
            machines.start(what)
        ours = Cluster(machines.address, certificates=tmp_path / "ours")
        sums: list[int] = []

        def adds() -> bool:
            try:
                sums.append(ours.call(operator.add, 1, 1))
            except Away:  # they are only just starting
                return False
            return True

        until_holds(adds)
        assert sums == [2]
        tcp = machines.address.replace("tls:", "tcp:")
        for stranger in (
            Cluster(machines.address, certificates=tmp_path / "theirs"),
            Cluster(machines.address),
            Cluster(tcp),
            Cluster(tcp, certificates=tmp_path / "ours"),
        ):
            with pytest.raises(Away, match=NO_ANSWER):
                stranger.call(operator.add, 1, 1)
        until_holds(adds)  # so they were there meanwhile
        assert set(sums) == {2}
        ours.close()
    finally:
        for what in list(machines.processes):
            machines.kill(what)


@pytest.mark.parametrize("name", cluster.CERTIFICATES)
def test_a_certificate_that_is_missing_is_named_before_anything_is_sent(tmp_path: Path, name: str) -> None:
    for one in cluster.CERTIFICATES:
        (tmp_path / one).touch()
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match=f"{name} of its certificates cannot be read"):
        Cluster("tls://127.0.0.1:9", certificates=tmp_path)


@pytest.mark.wide
def test_when_the_scheduler_dies_and_comes_back_so_does_a_training(machines: Machines, monkeypatch) -> None:
    monkeypatch.setattr(trainings, "SECONDS", 0.1)
    monkeypatch.setattr("lab.server.jobs.RETRY", 0.5)
    for what in ("scheduler", "worker"):
        machines.start(what)
    queue = Queue(1, lambda: Cluster(machines.address))
    jobs: list[Job] = []

    def begins() -> bool:
        jobs.append(queue.submit(Job("a", PLAN, PLAN.settings.steps)))
        until_holds(lambda: jobs[-1].step >= 20 or not jobs[-1].is_alive)
        return jobs[-1].is_alive

    until_holds(begins)
    job = jobs[-1]
    for what in ("scheduler", "worker"):
        machines.kill(what)
    until_holds(lambda: job.note.startswith((NO_ANSWER, NO_WORKER)))
    for what in ("scheduler", "worker"):
        machines.start(what)
    until_holds(lambda: not job.is_alive)
    queue.close()
    assert (job.state, job.error, job.step) == ("done", "", PLAN.settings.steps)
    assert job.note.startswith("The cluster that trains was away. It went on from step")


@pytest.mark.wide
def test_a_run_on_a_cluster_survives_the_death_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the two processes that carry out a run is killed in the middle: its film is that of an undisturbed run."""
    from distributed import Client, LocalCluster  # brings in all of Dask

    monkeypatch.setattr(trainings, "SECONDS", 0.1)  # many stretches
    trainer = make_trainer(PLAN)
    truth = film_of(trainer.task, list(trainer.parts), list(trainer.run()))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as machines,
        Client(machines) as client,
    ):
        queue = Queue(1, lambda: Cluster(machines.scheduler_address))
        job = queue.submit(Job("a", PLAN, PLAN.settings.steps))
        until_holds(lambda: job.step >= 20)
        killed = client.run(os.getpid)
        os.kill(next(iter(killed.values())), signal.SIGKILL)
        until_holds(lambda: not job.is_alive)
        queue.close()
    assert (job.state, job.error) == ("done", "")
    assert job.legend
    film = job.legend.film(job.snapshots)
    assert film.steps.tolist() == truth.steps.tolist()
    for name in set(truth.curves) - {"seconds"}:
        np.testing.assert_array_equal(film.curves[name], truth.curves[name])
    for one, other in zip(film.frames, truth.frames, strict=True):
        for kind in one:
            np.testing.assert_array_equal(one[kind], other[kind])
    assert load(job.checkpoint or b"").step == PLAN.settings.steps


RECIPE = tasks.recipe("copy")
PLAN = Plan(
    "copy",
    {"longest": 6},
    replace(RECIPE.config, d_model=8, n_heads=2, d_ff=16),
    replace(RECIPE.settings, steps=200, every=10, n_examples=200),
)
