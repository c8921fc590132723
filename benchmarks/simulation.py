"""How many people a server is enough for, by the processor time that an answer was measured to take.

A server answers one at a time: Python has one interpreter. People think, ask, wait in line, and think again. What an
answer takes is drawn from an exponential distribution, which has many small and few large answers, as pages do.
"""

import heapq
import math
from random import Random

from benchmarks.table import p95


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
