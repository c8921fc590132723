"""Downloads that can be watched and stopped, of a hub that the test holds in its hand."""

import threading
from collections.abc import Callable

import pytest

from pages.pretrained.downloads import MAX_AT_ONCE, Downloads
from transformer.core.checks import InputError
from transformer.core.interruption import check_interruption


class Hub:
    """Brings 10 bytes per step, each when the test says so."""

    def __init__(self) -> None:
        self.go_on = threading.Semaphore(0)
        self.moved = threading.Semaphore(0)

    def fetch(self, id: str, progress: Callable[[int, int], None]) -> None:
        for arrived in range(10, 101, 10):
            self.go_on.acquire()
            try:
                progress(arrived, 100)
            finally:
                self.moved.release()

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            self.go_on.release()
            self.moved.acquire()


def joined() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("download "):
            thread.join()


def test_it_says_how_far_it_is_until_it_is_done() -> None:
    hub = Hub()
    downloads = Downloads(hub.fetch)
    download = downloads.begin("a/b", "ann")
    hub.step(3)
    assert (download.state, download.arrived, download.total, download.share) == ("running", 30, 100, 0.3)
    assert downloads.begin("a/b", "bob") is download, "one for all"
    hub.step(7)
    joined()
    assert (download.state, download.share) == ("done", 1.0)


def test_it_ends_when_the_last_one_who_asked_has_left() -> None:
    hub = Hub()
    downloads = Downloads(hub.fetch)
    download = downloads.begin("a/b", "ann")
    downloads.begin("a/b", "bob")
    downloads.stop("a/b", "ann")
    hub.step()
    assert download.state == "running", "bob still waits"
    downloads.stop("a/b", "bob")
    hub.step()
    joined()
    assert (download.state, download.arrived) == ("stopped", 20)
    again = downloads.begin("a/b", "ann")
    assert again is not download
    assert again.state == "running"
    hub.step(10)
    joined()


def test_it_can_be_stopped_while_nothing_arrives() -> None:
    looks, ended = threading.Semaphore(0), threading.Event()

    def fetch(id: str, progress: Callable[[int, int], None]) -> None:
        try:
            while True:
                looks.acquire()
                check_interruption()
        finally:
            ended.set()

    downloads = Downloads(fetch)
    download = downloads.begin("a/b", "ann")
    downloads.stop("a/b", "ann")
    looks.release()
    joined()
    assert ended.is_set()
    assert download.state == "stopped"


def test_what_goes_wrong_is_one_sentence() -> None:
    def refuse(id: str, progress: Callable[[int, int], None]) -> None:
        raise InputError("There is no network.")

    downloads = Downloads(refuse)
    download = downloads.begin("a/b", "ann")
    joined()
    assert (download.state, download.error) == ("failed", "There is no network.")


def test_there_are_only_so_many_at_once() -> None:
    hub = Hub()
    downloads = Downloads(hub.fetch)
    for n in range(MAX_AT_ONCE):
        downloads.begin(f"a/{n}", "ann")
    with pytest.raises(InputError, match="already"):
        downloads.begin("a/more", "ann")
    for n in range(MAX_AT_ONCE):
        downloads.stop(f"a/{n}", "ann")
    hub.step(MAX_AT_ONCE)
    joined()
    assert downloads.running == []
