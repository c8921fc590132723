"""How strong the colour of an attention weight is: the one law, wherever a weight becomes a shade of violet.

    strength = share ** EXPONENT,    share = weight / the largest weight, from 0 to 1

A power below 1, so that small weights stay visible. The shade is the panel mixed with so much violet. The browser has
the same law in attention_view/lab.js, beside which a
test holds this one.
"""

EXPONENT = 0.6


def strength(share: float) -> float:
    """How much violet there is in the shade of a share of the largest weight: 0 for none, 1 for nothing else."""
    return min(1.0, max(0.0, share)) ** EXPONENT


def share_of(strength: float) -> float:
    """The share of the largest weight that has this strength, the law turned around."""
    return strength ** (1 / EXPONENT)
