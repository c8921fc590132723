"""What this server is doing, in numbers, beside Streamlit's own at /_stcore/metrics: the gate, trainings, what is held.

They count work and bytes, and say nothing of any visitor. Each is read when somebody asks, and costs nothing else.
"""

from collections import Counter
from collections.abc import Iterator

from lab.hooks.runtime import Measure, publish
from lab.server import caching, gate, incoming, log, memory, trainings

PREFIX = "attention_lab_"
# Name -> whether it only ever grows, and what it counts. Those of bytes end so, as the format of Prometheus wants it.
FAMILIES: dict[str, tuple[bool, str]] = {
    "events": (True, "What happened since the start, by event and kind; the lines of the log."),
    "gate_running": (False, "Large computations under way."),
    "gate_waiting": (False, "Large computations that wait for their turn."),
    "gate_places": (False, "Large computations that may run at a time."),
    "trainings": (False, "Trainings by state; nothing before the first."),
    "training_places": (False, "Trainings that may run at a time; nothing before the first."),
    "websockets": (False, "Open pages."),
    "uploads_bytes": (False, "Files that visitors have brought."),
    "cache_bytes": (False, "Results that are kept for all."),
    "cache_limit_bytes": (False, "The most that is kept of them."),
    "memory_bytes": (False, "Memory of this process; trainings have their own."),
    "memory_limit_bytes": (False, "Memory of the machine or the container."),
}


def begin() -> None:
    """Have Streamlit publish them with its own."""
    publish([PREFIX + name for name in FAMILIES], measures)


def measures() -> Iterator[Measure]:
    """All of them, now."""
    for (event, what), n in log.counts().items():
        yield _measure("events", n, {"event": event, "kind": what})
    yield _measure("gate_running", len(gate.GATE.running))
    yield _measure("gate_waiting", gate.GATE.n_waiting)
    yield _measure("gate_places", gate.GATE.n_places)
    queue = trainings.present()
    if queue is not None:
        states = Counter(queue.states())
        for state in ("waiting", "running", "paused"):
            yield _measure("trainings", states[state], {"state": state})
        yield _measure("training_places", queue.slots)
    yield _measure("websockets", incoming.SOCKETS.n_open)
    yield _measure("uploads_bytes", incoming.FILES.n_bytes)
    yield _measure("cache_bytes", sum(n_bytes for _, n_bytes in caching.usage().values()))
    yield _measure("cache_limit_bytes", caching.MAX_BYTES)
    yield _measure("memory_bytes", memory.resident())
    yield _measure("memory_limit_bytes", memory.total())


def _measure(name: str, value: int, labels: dict[str, str] | None = None) -> Measure:
    grows, says = FAMILIES[name]
    return Measure(PREFIX + name, value, labels or {}, "bytes" if name.endswith("_bytes") else "", says, grows)
