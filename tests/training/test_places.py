"""Processes that train: one that dies takes nothing along, and none is left behind. All of these are real."""

import os
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from multiprocessing import forkserver
from pathlib import Path

import pytest

from tests.training import calls
from tests.waiting import SOON, until_holds
from transformer.core.checks import InputError
from transformer.training import places
from transformer.training.places import NICENESS, Process

ROOT = Path(__file__).parents[2]


def is_alive(pid: int | None) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def pair():
    """Two places, and that nothing of them is left behind."""
    pair = (Process(), Process())
    yield pair
    pids = [place.id for place in pair]
    for place in pair:
        place.close()
    assert not any(is_alive(pid) for pid in pids)
    assert forkserver._forkserver._forkserver_pid is None  # the server of forks, which keeps torch in memory, is gone


@pytest.mark.wide
@pytest.mark.slow
def test_a_process_is_polite_begins_with_everything_loaded_and_is_kept(pair):
    facts = [place.call(calls.facts, "") for place in pair]
    assert len({os.getpid(), *(fact["pid"] for fact in facts)}) == 3
    for place, fact in zip(pair, facts, strict=True):
        assert fact["niceness"] == min(19, os.nice(0) + NICENESS)
        assert fact["threads"] == 1
        assert fact["frozen"] > 100_000  # what the server of forks has loaded, torch among it
        assert place.call(calls.facts, "")["pid"] == fact["pid"] == place.id


@pytest.mark.wide
@pytest.mark.slow
def test_a_process_that_dies_takes_nothing_along(pair, tmp_path):
    mine, other = pair
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(other.call, calls.wait_for, "", str(tmp_path / "go"))
        until_holds((tmp_path / "go.begun").exists)
        before = mine.call(calls.facts, "")["pid"]
        with pytest.raises(BrokenExecutor):
            mine.call(calls.die, "")
        after = mine.call(calls.facts, "")["pid"]
        (tmp_path / "go").touch()
        assert waiting.result(SOON) == other.id not in (before, after)
    os.kill(after, signal.SIGKILL)  # while it has nothing to do: at the most one call finds out
    until_holds(lambda: not is_alive(after))
    for _ in range(2):
        try:
            found = mine.call(calls.facts, "")["pid"]
        except BrokenExecutor:
            continue
        assert found not in (before, after)


@pytest.mark.slow
def test_what_does_not_come_back_can_be_broken_off(pair, tmp_path):
    with ThreadPoolExecutor(1) as thread:
        stuck = thread.submit(pair[0].call, calls.wait_for, "", str(tmp_path / "never"))
        until_holds((tmp_path / "never.begun").exists)
        pair[0].end()
        with pytest.raises(BrokenExecutor):
            stuck.result(SOON)
    pair[0].call(calls.facts, "")


def test_a_machine_without_room_for_a_process_says_so(monkeypatch):
    def full(*_, **__):
        raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr(places.ProcessPoolExecutor, "submit", full)
    place = Process()
    with pytest.raises(InputError, match="too busy"):
        place.call(calls.facts, "")
    place.close()


SCRIPT = """
import sys
if __name__ != "__main__":
    open("trace", "a").write(__name__)
else:
    sys.path.insert(0, {root!r})
    from tests.training import calls
    from transformer.training.places import Process

    place = Process()
    print(place.call(calls.facts, "")["frozen"], place.id, flush=True)
    place.call(calls.wait_for, "", "never")
"""


@pytest.mark.wide
def test_processes_end_when_their_parent_is_killed(tmp_path):
    (tmp_path / "main.py").write_text(SCRIPT.format(root=str(ROOT)))
    process = subprocess.Popen([sys.executable, "main.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    frozen, pid = map(int, process.stdout.readline().split())
    assert frozen > 100_000  # found from another folder too
    until_holds((tmp_path / "never.begun").exists)
    process.kill()
    process.communicate()
    until_holds(lambda: not is_alive(pid))


def test_the_script_of_a_visit_does_nothing_in_a_process_that_trains():
    """Python runs the script of the server in each of them, under another name."""
    code = "import runpy, sys\nrunpy.run_path(sys.argv[1], run_name='__mp_main__')\nprint(*sys.modules)"
    command = [sys.executable, "-c", code, str(ROOT / "lab/frame/entry.py")]
    assert "streamlit" not in subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
