"""The score of a bet, in bits: -log2 of the share that was put on what came.

The score is proper: whoever believes q expects the fewest bits by betting q, namely the entropy of q; any other bet p
costs the Kullback-Leibler divergence of p from q in addition (Good 1952, "Rational Decisions").
"""

import math
from collections.abc import Sequence
from typing import Literal

CLOSE = 0.1  # bits: as good as the other
EVEN = 0.06  # at most, between the largest share and the smallest of a bet that says nothing
SURE = 0.5  # a share that is more than all others together

Slip = Literal["close", "even", "elsewhere", "careful", "unseen", "surer", "luckier"]


def bits(share: float) -> float:
    """What it costs that something came on which this share was put: 0 bits for all, 1 for half, endless for none."""
    return abs(math.log2(share)) if share > 0 else math.inf


def slip(bet: Sequence[float], model: Sequence[float], outcome: int) -> Slip:
    """How a bet differs from that of the model, both shares that add up to 1, once it is known what came.

    close      they cost the same, within CLOSE
    worse than the model: even (it said nothing), elsewhere (most lay on another), careful (more lay on the right one
               than on any other), unseen (no more did than on some other)
    better: surer (more lay on the right one than on any other), luckier (no more did than on some other)
    """
    excess = bits(bet[outcome]) - bits(model[outcome])
    is_even = max(bet) - min(bet) <= EVEN
    is_first = not is_even and bet[outcome] == max(bet) > sorted(bet)[-2]
    if abs(excess) < CLOSE:
        return "close"
    if excess < 0:
        return "surer" if is_first else "luckier"
    if is_even:
        return "even"
    if is_first:
        return "careful"
    return "elsewhere" if max(bet) >= SURE else "unseen"
