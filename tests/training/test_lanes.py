"""Processes that train: one that dies takes nothing along, and none is left behind. All of these are real."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

import pytest
from transformer.training.lanes import NICENESS, Lanes

from tests.training import calls

ROOT = Path(__file__).parents[2]
SOON = 300.0  # seconds; reached only if something hangs


def until(condition) -> None:
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def lanes():
    with Lanes(2, clock=lambda: 0.0) as lanes:  # none is idle for long
        yield lanes
        pids = lanes.processes()
    assert pids
    assert not any(is_alive(pid) for pid in pids)
    assert forkserver._forkserver._forkserver_pid is None  # the server of forks, which keeps torch in memory, is gone


@pytest.mark.slow
def test_a_process_is_polite_and_begins_with_everything_loaded(lanes):
    facts = lanes.submit(calls.facts, "a").result(SOON)
    assert facts["pid"] != os.getpid()
    assert facts["niceness"] == min(19, os.nice(0) + NICENESS)
    assert (facts["threads"], facts["omp"]) == (1, "1")
    assert facts["frozen"] > 100_000  # what the server of forks has loaded, torch among it


@pytest.mark.slow
def test_the_same_run_comes_to_the_same_process(lanes, tmp_path):
    first = {name: lanes.submit(calls.facts, name).result(SOON)["pid"] for name in "a"}
    waiting = lanes.submit(calls.wait_for, "b", str(tmp_path / "go"))  # at the same time: the other process
    assert lanes.submit(calls.facts, "a").result(SOON)["pid"] == first["a"]
    (tmp_path / "go").touch()
    other = waiting.result(SOON)
    assert other != first["a"]
    for _ in range(3):
        assert lanes.submit(calls.facts, "b").result(SOON)["pid"] == other
        assert lanes.submit(calls.facts, "a").result(SOON)["pid"] == first["a"]


@pytest.mark.slow
def test_a_process_that_dies_takes_nothing_along(lanes, tmp_path):
    waiting = lanes.submit(calls.wait_for, "b", str(tmp_path / "go"))
    until((tmp_path / "go.begun").exists)
    before = lanes.submit(calls.facts, "a").result(SOON)["pid"]
    with pytest.raises(BrokenExecutor):
        lanes.submit(calls.die, "a").result(SOON)
    after = lanes.submit(calls.facts, "a").result(SOON)["pid"]
    assert after != before
    (tmp_path / "go").touch()
    assert waiting.result(SOON) not in (before, after)
    os.kill(after, signal.SIGKILL)  # while it has nothing to do: at the most one call finds out
    until(lambda: not is_alive(after))
    with suppress(BrokenExecutor):
        lanes.submit(calls.facts, "a").result(SOON)
    assert lanes.submit(calls.facts, "a").result(SOON)["pid"] != after


@pytest.mark.slow
def test_what_does_not_come_back_can_be_broken_off(lanes, tmp_path):
    kept = lanes.submit(calls.wait_for, "b", str(tmp_path / "go"))
    stuck = lanes.submit(calls.wait_for, "a", str(tmp_path / "never"))
    until((tmp_path / "never.begun").exists)
    lanes.end("nobody")
    lanes.end("a")
    with pytest.raises(BrokenExecutor):
        stuck.result(SOON)
    (tmp_path / "go").touch()
    kept.result(SOON)


@pytest.mark.slow
def test_processes_end_when_they_are_idle_and_with_the_lanes(tmp_path):
    with Lanes(1, idle=0.1) as lanes:
        first = lanes.submit(calls.facts, "a").result(SOON)["pid"]
        until(lambda: not lanes.processes())
        until(lambda: not is_alive(first))
        stuck = lanes.submit(calls.wait_for, "a", str(tmp_path / "never"))
        until((tmp_path / "never.begun").exists)
        (second,) = lanes.processes()
        lanes.shutdown(cancel_futures=True)
        with pytest.raises(BrokenExecutor):
            stuck.result(SOON)
        assert not is_alive(second)
        with pytest.raises(RuntimeError):
            lanes.submit(calls.facts, "a")


SCRIPT = """
import sys
if __name__ != "__main__":
    open("trace", "w").write(__name__)
sys.path.insert(0, {root!r})
from tests.training import calls
from transformer.training.lanes import Lanes

lanes = Lanes(1)
print(lanes.submit(calls.facts, "a").result()["frozen"], *lanes.processes(), flush=True)
lanes.submit(calls.wait_for, "a", "never").add_done_callback(lambda future: None)
sys.stdin.read() if {waits} else None
"""


def script(folder: Path, *, waits: bool) -> tuple[subprocess.Popen, int, int]:
    """A process of its own, in a folder of its own, that has a lane. -> the process, frozen objects, the lane's id"""
    (folder / "main.py").write_text(SCRIPT.format(root=str(ROOT), waits=waits))
    process = subprocess.Popen(
        [sys.executable, "main.py"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    frozen, pid = map(int, process.stdout.readline().split())
    return process, frozen, pid


@pytest.mark.wide
def test_processes_end_when_their_parent_is_killed(tmp_path):
    process, frozen, pid = script(tmp_path, waits=True)
    assert frozen > 100_000  # found from another folder too
    until((tmp_path / "never.begun").exists)
    process.kill()
    process.communicate()
    until(lambda: not is_alive(pid))


@pytest.mark.wide
def test_a_parent_that_ends_waits_for_nothing_and_its_main_script_runs_once(tmp_path):
    process, _, pid = script(tmp_path, waits=False)
    assert process.communicate(timeout=SOON) == ("", None)
    assert process.returncode == 0
    until(lambda: not is_alive(pid))
    assert not (tmp_path / "trace").exists()
