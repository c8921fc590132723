"""The parts of "Modern blocks" that can be exchanged, and what the block comes to that is made of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lab.kit.words import fixed, growth
from pages.blocks.components.two_blocks import Card, Effect
from transformer import inspection, training
from transformer.training.block_sweep import SWITCHES, Block, is_clear, one_switch

if TYPE_CHECKING:
    from pages.blocks.data import Costs

# In the order in which the stream meets them: the first and the last stand around all blocks.
CARDS = ("embeddings", "positions", "place", "norm", "kv_heads", "feed_forward", "experts", "output")
COSTS = ("parameters", "multiplications", "cache")
# What each way does, in a few words, by the name of its drawing.
NOTES = {
    "sinusoidal": "waves, added to words",
    "rotary": "queries and keys turn",
    "LayerNorm": "minus mean, by spread",
    "RMSNorm": "by its size alone",
    "no norm": "numbers as they come",
    "after": "it holds the stream",
    "before": "the stream runs free",
    "ReLU": "nothing below 0",
    "GELU": "a smooth bend at 0",
    "SwiGLU": "a bend, times a gate",
    "no feed-forward": "attention alone",
    "one each": "a key for each query",
    "one for two": "two queries share a key",
    "one for all": "all queries share a key",
    "one": "all of it, every token",
    "1 of 4": "one works per token",
    "2 of 4": "two work per token",
    "as they are": "numbers as they come",
    "normalised": "all of one size",
    "nothing": "straight to the logits",
    "a transform": "one matrix more",
}


def cards(
    block: Block, alone: "Mapping[Block, Costs]", trained: "Sequence[training.block_sweep.Trained]"
) -> list[Card]:
    """Every part of today's block, and those that the visitor has changed: what each does alone."""
    now, by_block = dict(zip(SWITCHES, block, strict=True)), {one.block: one for one in trained}
    found = []
    for name in CARDS:
        switch = SWITCHES[name]
        is_on = now[name] != switch.first
        way = now[name] if is_on else switch.today
        if way == switch.first:
            continue
        other = one_switch(name, way)
        (old, new), one = alone[other], by_block[other]
        costs = tuple(growth(getattr(new, what), getattr(old, what)) for what in COSTS)
        loss = change(one, trained[0]) if one.losses else "diverged"
        kinds = (_kind(name, switch.first), _kind(name, way))
        ways = (_named(name, switch.first), _named(name, way))
        notes = (NOTES[kinds[0]], NOTES[kinds[1]])
        clear = not one.losses or is_clear(one, trained[0])
        found.append(Card(name, switch.name, ways, notes, kinds, is_on, costs, one.losses, loss, clear))
    return found


def _kind(name: str, way: str) -> str:
    """A way to build a part, as its drawing is called."""
    return {"norm": "no norm", "feed_forward": "no feed-forward"}.get(name, way) if way == "none" else way


def _named(name: str, way: str) -> str:
    """A way to build a part, below the heading of its column."""
    if name == "place":
        return f"norm {way}"
    return "one network" if name == "experts" and way == "one" else _kind(name, way)


def effects(old: "inspection.block_costs.BlockCost", new: "inspection.block_costs.BlockCost") -> list[Effect]:
    """What a block costs, beside that of 2017."""

    def effect(what: str, name: str, unit: str = "") -> Effect:
        before, after = getattr(old, what), getattr(new, what)
        grown = growth(after, before)
        return Effect(name, before, after, unit, "as in 2017" if grown == "0" else grown)

    return [
        effect("parameters", "parameters"),
        effect("multiplications", "multiplications per token"),
        effect("cache", "cache per token", " bytes"),
    ]


def change(one: "training.block_sweep.Trained", base: "training.block_sweep.Trained") -> str:
    """By how much the loss of a training differs from that of 2017's block."""
    return fixed(one.loss - base.loss, 3, signed=True)
