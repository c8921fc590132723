"""Rooms on every shelf there is: in memory, and in a Redis of the test's own where one is installed."""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from lab.server.rooms.plan import Plan, Step
from lab.server.rooms.shelf import Memory, Shelf

SERVERS = ("valkey-server", "redis-server")
PLAN = Plan(
    "Five kinds of questions",
    (
        Step("options", "Which?", "Which is it?", ("left", "right"), (0.0, 1.0), ("No.", "Yes."), "./heads?head=3"),
        Step("number", "How much?", "How much is it?", (), (0.25,), low=0, high=1),
        Step("curve", "How does it grow?", "Draw it.", ("1", "2", "3"), (0, 5, 10), low=0, high=10),
        Step("word", "What comes next?", "Choose a word.", ("she", "he", "."), (0.7, 0.2, 0.1)),
        Step("talk", "Why?", "Tell your neighbour."),
        Step("map", "Which cell?", "Touch it.", ("a", "b"), (0.9, -1.0, 0.4, 0.6)),
    ),
)


@pytest.fixture(scope="session")
def redis_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server, on a port that was free, which writes nothing to disk."""
    redis = pytest.importorskip("redis", reason="redis-py is not installed, so rooms in Redis are not tried")
    program = next(filter(None, map(shutil.which, SERVERS)), None)
    if program is None:
        pytest.skip("neither valkey-server nor redis-server is installed, so rooms in Redis are not tried")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder: Path = tmp_path_factory.mktemp("redis")
    options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder))
    process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
    client = redis.Redis(port=port)
    try:
        for _ in range(3000):
            assert process.poll() is None, "the server ended as soon as it began"
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.1)
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


_used = count()


@pytest.fixture(params=["memory", "redis"])
def new_shelf(request: pytest.FixtureRequest) -> Callable[..., Shelf]:
    """new_shelf(max_rooms=2) -> an empty shelf."""
    if request.param == "memory":
        return Memory
    address = request.getfixturevalue("redis_address")
    from lab.server.rooms.redis_shelf import RedisShelf

    return lambda **bounds: RedisShelf(address, prefix=f"test-{next(_used)}:", **bounds)
