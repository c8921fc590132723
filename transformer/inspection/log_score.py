"""The score of a bet, in bits: -log2 of the share that was put on what came.

The score is proper: whoever believes q expects the fewest bits by betting q, namely the entropy of q; any other bet p
costs the Kullback-Leibler divergence of p from q in addition (Good 1952, "Rational Decisions").
"""

import math
from collections.abc import Sequence
from typing import Literal

CLOSE = 0.1  # bits: as good as the other
EVEN = 0.06  # between the largest share and the smallest of a bet that says nothing
SURE = 0.5

Slip = Literal["close", "even", "elsewhere", "careful", "unseen", "surer", "luckier"]


def bits(share: float) -> float:
    """What it costs that something came on which this share was put: 0 bits for all, 1 for half, endless for"
    " nothing."""
    return abs(math.log2(share)) if share > 0 else math.inf


def slip(bet: Sequence[float], model: Sequence[float], outcome: int) -> Slip:
    """How a bet differs from that of the model, both shares that add up to 1, once it is known what came.

    close      they cost the same, within CLOSE
    worse than the model: even (it said nothing, and the model was sure), elsewhere (most lay on another), careful (most
               lay on the right one, and less than the model put there), unseen (it held the right one for unlikely)
    better: surer (most lay on the right one), luckier (more than the model put there, but not most)
    """
    excess = bits(bet[outcome]) - bits(model[outcome])
    is_first = bet[outcome] == max(bet)
    if abs(excess) < CLOSE:
        return "close"
    if excess < 0:
        return "surer" if is_first else "luckier"
    if max(bet) - min(bet) <= EVEN and model[outcome] >= SURE:
        return "even"
    if is_first:
        return "careful"
    return "elsewhere" if max(bet) >= SURE else "unseen"
