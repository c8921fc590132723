"""How many people a server is enough for, by the processor time that an answer was measured to take.

A server answers one at a time: Python has one interpreter. People think, ask, wait in line, and think again. What an
answer takes is drawn from an exponential distribution, which has many small and few large answers, as pages do.

    python -m benchmarks.simulation --cost 55 --memory 448     what `make cluster` found: ms per answer, MB per server

prints what machines so many people need, for deploy/README.md.
"""

import argparse
import heapq
import math
from collections.abc import Sequence
from random import Random

from benchmarks.load import THINKING
from benchmarks.table import p95

CROWDS = (30, 100, 300, 1_000, 10_000)


def answers(people: int, cost: float, thinking: float, seconds: float = 120.0, seed: int = 0) -> list[float]:
    """The seconds that each answer of one server takes, of so many people, after a warm-up of a fourth of the time.

    cost  seconds of the processor per answer, on average;  thinking: seconds, on average
    """
    rng = Random(seed)
    asks = [(rng.uniform(0, 1.5) * thinking, person) for person in range(people)]
    heapq.heapify(asks)
    free, found = 0.0, []
    while asks and asks[0][0] < seconds:
        asked, person = heapq.heappop(asks)
        free = max(free, asked) + rng.expovariate(1 / cost)
        if asked > seconds / 4:
            found.append(free - asked)
        heapq.heappush(asks, (free + rng.uniform(0.5, 1.5) * thinking, person))
    return found


def people_per_server(cost: float, thinking: float, most: float = 1.0) -> int:
    """The largest number of people of whom 95% of the answers come within `most` seconds."""
    low, high = 1, max(2, math.ceil(4 * thinking / cost))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if p95(answers(middle, cost, thinking)) <= most else (low, middle)
    return low


def servers_for(people: int, cost: float, thinking: float) -> int:
    """The servers, of a core each, that so many people need."""
    return math.ceil(people / people_per_server(cost, thinking))


def sheet(cost: float, memory: float, crowds: Sequence[int] = CROWDS) -> str:
    """A table in Markdown: so many people at work at the same moment, and the servers and memory for them.

    cost  seconds of the processor per answer;  memory: MB of a server
    """
    rows = ["| people at work at the same moment | servers, of a core each | their memory |", "|---|---|---|"]
    for people in crowds:
        servers = max(2, servers_for(people, cost, THINKING))  # one may be away
        rows.append(f"| {people:,} | {servers} | {math.ceil(servers * memory / 1000)} GB |")
    return "\n".join(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation")
    parser.add_argument("--cost", type=float, required=True, help="ms of the processor per answer")
    parser.add_argument("--memory", type=float, required=True, help="MB of a server")
    asked = parser.parse_args()
    print(sheet(asked.cost / 1000, asked.memory))
