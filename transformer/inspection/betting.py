"""Bets on the next token of a text: what can be bet on, what the model itself would bet, and what came.

A bet shares 1 among some tokens and "any other"; log_score.py scores it.
"""

from collections.abc import Container, Sequence
from typing import NamedTuple

import torch

from transformer.core.model import DecoderModel
from transformer.inspection.run import Text, ids_of, run_with_maps

N_NAMED = 5  # tokens that can be bet on by name
MIN_NAMED = 0.4  # the least probability that the model gives these together where a bet is worth it


class Look(NamedTuple):
    """The head that gives a key the largest attention weight, from the token that was read last."""

    layer: int
    head: int
    key: int
    weight: float


class Round(NamedTuple):
    """One bet on the next token.

    given    the tokens so far
    named    those that can be bet on by name, the likeliest for the model and what is copied, in the order of their ids
    model    the model's own bet: its probability of each of these, and last of any other token
    truth    the token that came
    outcome  its place in a bet: N_NAMED where it is not named
    look     the head that looked hardest at where the token is copied from; None where it is told for the first time
    """

    given: tuple[int, ...]
    named: tuple[int, ...]
    model: tuple[float, ...]
    truth: int
    outcome: int
    look: Look | None = None


def rounds(
    model: DecoderModel, text: Text, sources: dict[int, int], places: Sequence[int], n: int, nameable: Container[int]
) -> tuple[Round, ...]:
    """n bets on tokens of a text at some of `places`, in the text's order: half of them on copied tokens, where there
    are enough. The others are those of which the model is least sure, but first where it expects a token that can be
    named: a bet on one of two hundred new things is none.

    sources   of the copied tokens, by position: where the earlier one stands
    nameable  the tokens that can be bet on by name, five at least
    """
    ids = ids_of(text)
    with torch.inference_mode():
        probs = model(torch.tensor([ids])).logits[0].double().softmax(-1)  # (T, V)
    named_ids = torch.tensor([id for id in range(probs.shape[1]) if id in nameable])

    def likeliest(at: int) -> tuple[int, ...]:
        best = named_ids[probs[at - 1, named_ids].topk(N_NAMED).indices].tolist()
        if at in sources and ids[at] in nameable and ids[at] not in best:
            best[-1] = ids[at]  # a reader who has found it can say so
        return tuple(sorted(best))

    def order(at: int) -> tuple[bool, float]:
        p = probs[at - 1]
        return float(p[list(likeliest(at))].sum()) < MIN_NAMED, -float(torch.special.entr(p).sum())

    copied = [at for at in sources if at in places]
    chosen = set(copied[:: max(1, len(copied) // (n // 2 or 1))][: n // 2])
    unsure = sorted(set(places) - chosen, key=order)
    chosen |= set(unsure[: n - len(chosen)])
    labels = tuple(str(id) for id in ids)
    weights = run_with_maps(model, ids, labels).attention["decoder"].weights  # (L, H, T, T)
    made = []
    for at in sorted(chosen):
        p = probs[at - 1]
        named = likeliest(at)
        shares = [float(p[id]) for id in named]
        outcome = named.index(ids[at]) if ids[at] in named else N_NAMED
        look = None
        if at in sources:
            row = weights[:, :, at - 1, sources[at]]
            layer, head = divmod(int(row.argmax()), row.shape[1])
            look = Look(layer, head, sources[at], float(row[layer, head]))
        made.append(Round(tuple(ids[:at]), named, (*shares, max(0.0, 1 - sum(shares))), ids[at], outcome, look))
    return tuple(made)
