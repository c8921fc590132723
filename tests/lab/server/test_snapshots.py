"""Snapshots on disk: whoever has the key finds them, nobody else does, and they stay within their bounds."""

import errno
import os
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lab.server import snapshots
from lab.server.environment import SNAPSHOTS
from lab.server.snapshots import Snapshots
from tests.further import examples

KEYS = st.sampled_from(["a" * 43, "b" * 43, "c" * 43])
NAMES = st.sampled_from(["A", "B", "translation"])


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Snapshots:
    return Snapshots(tmp_path / "kept", max_bytes=1000, max_age=100, clock=clock)


def files(store: Snapshots) -> Iterator[Path]:
    return store.folder.iterdir() if store.folder.exists() else iter(())


class Bounds(RuleBasedStateMachine):
    """Whatever is kept, dropped and waited for: the bounds hold, the newest is found, and nothing is mixed up."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.temporary = tempfile.TemporaryDirectory()
        self.store = Snapshots(Path(self.temporary.name) / "kept", max_bytes=1000, max_age=100, clock=self.clock)
        self.kept: dict[tuple[str, str], tuple[float, bytes]] = {}

    @rule(key=KEYS, name=NAMES, size=st.integers(0, 1100), sign=st.binary(min_size=1, max_size=1))
    def keep(self, key: str, name: str, size: int, sign: bytes) -> None:
        self.clock.now += 1  # files of one moment have no order
        fits = self.store.keep(key, name, sign * size)
        assert fits == (size <= 1000)
        self.kept.pop((key, name), None)
        if fits:
            self.kept = {at: kept for at, kept in self.kept.items() if self.clock.now - kept[0] <= 100}
            while size + sum(len(data) for _, data in self.kept.values()) > 1000:
                del self.kept[min(self.kept, key=lambda at: self.kept[at][0])]
            self.kept[key, name] = (self.clock.now, sign * size)

    @rule(key=KEYS, name=NAMES)
    def drop(self, key: str, name: str) -> None:
        self.store.drop(key, name)
        self.kept.pop((key, name), None)

    @rule(seconds=st.integers(0, 120))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @invariant()
    def no_more_than_the_bounds_allow(self) -> None:
        assert sum(file.stat().st_size for file in files(self.store)) <= 1000
        assert len(list(files(self.store))) <= 9

    @invariant()
    def the_newest_are_there_and_nothing_else(self) -> None:
        for key in ("a" * 43, "b" * 43, "c" * 43):
            for name in ("A", "B", "translation"):
                time, data = self.kept.get((key, name), (0.0, b""))
                assert self.store.find(key, name) == (data if self.clock.now - time <= 100 else None)

    def teardown(self) -> None:
        self.temporary.cleanup()


TestBounds = Bounds.TestCase
TestBounds.settings = examples(15, stateful_step_count=20)


@given(key=st.text(max_size=60), name=st.text(max_size=60), data=st.binary(max_size=300))
def test_no_key_and_no_name_leaves_the_folder_or_can_be_read_there(key, name, data):
    with tempfile.TemporaryDirectory() as folder:
        store = Snapshots(Path(folder) / "kept")
        assert store.keep(key, name, data)
        assert store.find(key, name) == data
        assert store.find(key + "x", name) is None
        assert store.find(key, name + "x") is None
        (file,) = store.folder.rglob("*")
        assert snapshots._NAME.fullmatch(file.name)
        assert list(Path(folder).iterdir()) == [store.folder]
        store.drop(key, name)
        assert list(files(store)) == []


def test_nobody_else_on_the_machine_can_look_in(store):
    before = os.umask(0)
    try:
        assert store.keep("key", "A", b"data")
    finally:
        os.umask(before)
    (file,) = files(store)
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    store.folder.chmod(0o755)
    assert store.find("key", "A") == b"data"
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_not_used(store, monkeypatch):
    store.keep("key", "A", b"data")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert store.find("key", "A") is None
    assert not store.keep("key", "B", b"data")
    store.drop("key", "A")
    assert len(list(files(store))) == 1


def test_a_link_is_neither_followed_nor_written_through(store, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"of somebody else")
    os.utime(secret, (Clock.now, Clock.now))
    store.keep("key", "A", b"data")
    (file,) = files(store)
    file.unlink()
    file.symlink_to(secret)
    assert store.find("key", "A") is None
    assert store.keep("key", "A", b"new")
    assert store.find("key", "A") == b"new"
    assert secret.read_bytes() == b"of somebody else"
    link = Snapshots(tmp_path / "link")
    link.folder.symlink_to(store.folder, target_is_directory=True)
    assert link.find("key", "A") is None
    assert not link.keep("key", "A", b"other")
    assert store.find("key", "A") == b"new"


def test_what_is_no_file_is_not_waited_for(store):
    store.keep("key", "A", b"data")
    (file,) = files(store)
    file.unlink()
    os.mkfifo(file)
    os.utime(file, (Clock.now, Clock.now))
    assert store.find("key", "A") is None
    file.unlink()
    file.mkdir()
    os.utime(file, (0, 0))
    assert store.find("key", "A") is None
    assert not store.keep("key", "A", b"data")
    assert store.keep("key", "B", b"data")


def test_the_old_make_room_for_others(store, clock):
    store.keep("key", "A", b"data")
    clock.now += 101
    store.keep("key", "B", b"data")
    assert len(list(files(store))) == 1


def test_a_full_disk_is_no_error_and_leaves_the_last_snapshot(store, monkeypatch):
    assert store.keep("key", "A", b"first")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "utime", full)  # after the bytes: what was begun must go
        assert not store.keep("key", "A", b"second")
    assert store.find("key", "A") == b"first"
    assert len(list(files(store))) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a device that is always full")
def test_a_device_that_is_full_is_no_error(store, monkeypatch):
    opened = os.open
    monkeypatch.setattr(os, "open", lambda path, flags, *mode: opened("/dev/full", os.O_WRONLY))
    assert not store.keep("key", "A", b"data" * 100)
    monkeypatch.undo()
    assert store.find("key", "A") is None


@pytest.mark.parametrize("place", ["file", "file/kept", "long" * 100, "/proc/kept"])  # the last cannot be written to
def test_a_folder_that_cannot_be_is_no_error(tmp_path, place):
    (tmp_path / "file").write_text("")
    store = Snapshots(tmp_path / place)
    assert not store.keep("key", "A", b"data")
    assert store.find("key", "A") is None
    store.drop("key", "A")


def test_files_of_others_in_the_folder_stay(store, clock):
    store.keep("key", "A", b"data")
    other = store.folder / "notes.txt"
    other.write_bytes(b"x" * 5000)
    os.utime(other, (0, 0))
    clock.now += 1
    assert store.keep("key", "B", b"data")
    assert other.exists()
    assert store.find("key", "A") == b"data"


def test_what_a_killed_process_left_half_written_goes(store, clock):
    store.keep("key", "A", b"x" * 400)
    (file,) = files(store)
    file.rename(f"{file}.{'0' * 16}")
    assert store.find("key", "A") is None
    clock.now += 1
    store.keep("key", "B", b"y" * 700)  # it counts as any other, and is the oldest
    assert [file.name.count(".") for file in files(store)] == [0]


def test_readers_never_see_half_a_snapshot(store):
    """Two threads write, one reads: each answer is one that was kept, whole."""
    whole = {sign * 300 for sign in (b"a", b"b", b"c")}
    store.keep("key", "A", b"c" * 300)
    is_over = threading.Event()

    def write(sign: bytes) -> None:
        while not is_over.is_set():
            assert store.keep("key", "A", sign * 300)

    writers = [threading.Thread(target=write, args=(sign,)) for sign in (b"a", b"b")]
    for writer in writers:
        writer.start()
    seen = {store.find("key", "A") for _ in range(300)}
    is_over.set()
    for writer in writers:
        writer.join()
    assert seen <= whole


def test_the_environment_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(SNAPSHOTS.name, str(tmp_path / "named"))
    assert snapshots.snapshots.__wrapped__().folder == tmp_path / "named"
    monkeypatch.delenv(SNAPSHOTS.name)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert snapshots.snapshots.__wrapped__().folder.parent == tmp_path
