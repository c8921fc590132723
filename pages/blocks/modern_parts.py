"""The changes of "Modern blocks" that can be made to a layer, and what the trainings came to with them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lab.kit.words import fixed, growth, listed
from pages.blocks.components.two_blocks import ALL, CHART, Stop
from transformer import inspection, training
from transformer.training.block_sweep import OF_2017, OF_TODAY, SWITCHES, Block, is_clear, margin, one_switch

if TYPE_CHECKING:
    from pages.blocks.data import Costs

PARTS = tuple(SWITCHES)
COSTS = {"parameters": "parameters", "multiplications": "multiplications", "cache": "cache"}
# What each way does, in plain words, by the name of its drawing.
CHANGES = {
    "RMSNorm": "Bring each vector to one size, and leave its mean alone",
    "no norm": "Leave out what keeps vectors at one size",
    "before": "Bring vectors to size before each step, not after it",
    "GELU": "Bend numbers smoothly near 0 instead of cutting them off",
    "SwiGLU": "Let a gate decide how much of each number gets through",
    "no feed-forward": "Leave the feed-forward network out",
    "rotary": "Tell it how far apart words are, not where they stand",
    "one for two": "Let every two heads share their keys and values",
    "one for all": "Let all heads share their keys and values",
    "1 of 4": "Send each word to one of four networks",
    "2 of 4": "Send each word to two of four networks",
    "normalised": "Bring all vectors to one size before the first layer",
    "a transform": "Put one more matrix before the answer",
}
# What it is called, where that is not the name of its drawing.
TERMS = {
    "rotary": "rotary positions",
    "before": "pre-norm",
    "one for two": "grouped-query attention",
    "one for all": "multi-query attention",
    "1 of 4": "mixture of experts, one at a time",
    "2 of 4": "mixture of experts",
    "normalised": "normalised embeddings",
    "a transform": "a transform before the logits",
}
CLOSE = "as good as before"
LITTLE = 0.005  # of a cost: what is less is the same, to the per cent
NO_DIFFERENCE = "no difference that three runs can show"


def differing(block: Block) -> list[str]:
    """The parts in which this block is not that of 2017."""
    now = dict(zip(SWITCHES, block, strict=True))
    return [name for name in PARTS if now[name] != SWITCHES[name].first]


def stop_of(block: Block, asked: str) -> str:
    """The stop that shows this block: its one part that is exchanged, or all of them; what is asked for where that is
    CHART, or no part is exchanged. "" asks for nothing."""
    others = differing(block)
    if not others or asked == CHART:
        return asked or CHART
    return others[0] if len(others) == 1 else ALL


def offered(block: Block) -> list[str]:
    """The parts that have a row: those that differ today, and what the visitor has exchanged besides."""
    return [name for name in PARTS if SWITCHES[name].today != SWITCHES[name].first or name in differing(block)]


def compared(block: Block, pair: str) -> Block:
    """The block that is held against that of 2017: the visitor's own, or else the one with today's way of a part."""
    if differing(block):
        return block
    return OF_TODAY if pair in (ALL, CHART) else one_switch(pair, SWITCHES[pair].today)


def stops(
    block: Block, alone: "Mapping[Block, Costs]", costs: "Costs", trained: "Sequence[training.block_sweep.Trained]"
) -> list[Stop]:
    """A stop for each part, with what today's way alone does, or the way that this block has; then the whole block.

    alone  the costs of 2017's block and of one with a single part exchanged;  costs: those of the last stop's
    """
    now, changed = dict(zip(SWITCHES, block, strict=True)), differing(block)
    found = []
    for name in offered(block):
        switch = SWITCHES[name]
        way = now[name] if changed == [name] else switch.today
        if way == switch.first:  # of what stands around the blocks, today's is that of 2017
            way = now[name]
        kind, other = _kind(name, way), one_switch(name, way)
        found.append(Stop(name, CHANGES[kind], TERMS.get(kind, kind), kind, *_result(other, trained, alone[other])))
    return [*found, _all(block if len(changed) > 1 else OF_TODAY, costs, trained)]


def _all(block: Block, costs: "Costs", trained: "Sequence[training.block_sweep.Trained]") -> Stop:
    """Every part at once: today's, or as the visitor has built them."""
    told = _result(block, trained, costs)
    if block == OF_TODAY:
        return Stop(ALL, "All six at once", "the layer of today", "", *told._replace(finding=_of_all(trained)))
    ways = dict(zip(SWITCHES, block, strict=True))
    kinds = [_kind(name, ways[name]) for name in differing(block)]
    return Stop(ALL, "Your block", ", ".join(TERMS.get(kind, kind) for kind in kinds), "", *told)


class _Result(NamedTuple):
    margin: float
    losses: Sequence[float] | None
    clear: bool
    verdict: str
    finding: str


def _result(block: Block, trained: "Sequence[training.block_sweep.Trained]", costs: "Costs") -> _Result:
    """What the trainings with this block came to; and what it costs, where that is all there is to tell."""
    mine, base, told = _trained(block, trained), trained[0], finding(block, trained)
    if mine is None:
        return _Result(0, None, False, "not trained", told)
    if not mine.losses:
        return _Result(0, (), False, "diverged", told)
    apart = margin(mine, base)
    if is_clear(mine, base):
        return _Result(apart, mine.losses, True, f"{_loss(base)} → {_loss(mine)}", told)
    return _Result(apart, mine.losses, False, CLOSE, f"{told} {cost(*costs)}")


def _kind(name: str, way: str) -> str:
    """A way to build a part, as its drawing is called."""
    return {"norm": "no norm", "feed_forward": "no feed-forward"}.get(name, way) if way == "none" else way


def cost(old: "inspection.block_costs.BlockCost", new: "inspection.block_costs.BlockCost") -> str:
    """What a block costs more or less than that of 2017, in a sentence; of several costs, the one that changes most."""
    shares = {name: getattr(new, what) / getattr(old, what) - 1 for what, name in COSTS.items()}
    name = max(shares, key=lambda one: abs(shares[one]))
    if abs(shares[name]) < LITTLE:
        return "The block costs the same."
    return f"The block {'is cheaper' if shares[name] < 0 else 'costs more'}: {growth(1 + shares[name], 1)} {name}."


def change(one: "training.block_sweep.Trained", base: "training.block_sweep.Trained") -> str:
    """By how much the loss of a training differs from that of 2017's block."""
    return fixed(one.loss - base.loss, 3, signed=True)


def named(block: Block) -> str:
    """A trained block in a few words: what sets it apart from 2017's."""
    if block in (OF_2017, OF_TODAY):
        return "2017" if block == OF_2017 else "today, all six"
    (name,) = differing(block)
    way = dict(zip(SWITCHES, block, strict=True))[name]
    words = {
        "norm": f"{way if way != 'none' else 'no'} norm" if way == "none" else way,
        "place": f"norm {way}",
        "feed_forward": "no feed-forward" if way == "none" else way,
        "positions": way,
        "kv_heads": f"k, v: {way}",
        "experts": f"experts: {way}",
        "embeddings": f"embeddings {way}",
        "output": f"{way} before the logits",
    }
    return words[name]


def said(block: Block) -> str:
    """How a sentence names a block that was trained."""
    if block in (OF_2017, OF_TODAY):
        return "2017" if block == OF_2017 else "all six of today’s parts"
    (name,) = differing(block)
    kind = _kind(name, dict(zip(SWITCHES, block, strict=True))[name])
    return TERMS.get(kind, kind)


def finding(block: Block, trained: "Sequence[training.block_sweep.Trained]") -> str:
    """What the trainings say of this block, in a sentence with its numbers."""
    base, mine = trained[0], _trained(block, trained)
    if mine is None:
        return "This combination was not trained, so it has no loss: what its parts do does not simply add up."
    if not mine.losses:
        return f"With {said(block)}, the training diverged: its loss was no longer a number."
    name = _capital(said(block))
    if not is_clear(mine, base):
        return f"{name}: {NO_DIFFERENCE}."
    better = "better" if mine.loss < base.loss else "worse"
    return f"{name}: loss {_loss(base)} → {_loss(mine)}, {better} by more than chance."


def _of_all(trained: "Sequence[training.block_sweep.Trained]") -> str:
    """What the trainings say of all parts of today together, and of those that alone lower the loss clearly."""
    base, whole = trained[0], _trained(OF_TODAY, trained)
    alone = [one for one in _clear(trained) if one.loss < base.loss]
    if not (whole and whole.losses and whole.loss < base.loss and is_clear(whole, base) and alone):
        return finding(OF_TODAY, trained)
    parts = listed(f"{said(one.block)} alone: {_loss(one)}" for one in alone)
    return f"{_capital(said(OF_TODAY))}: the loss falls from {_loss(base)} to {_loss(whole)}. {_capital(parts)}."


def question() -> str:
    """What is asked while every part is that of 2017."""
    return "Which of these changes would make this model better? Bet on one."


def _clear(trained: "Sequence[training.block_sweep.Trained]") -> "list[training.block_sweep.Trained]":
    """The trainings with one part of today alone whose loss is clearly another than that of 2017, the lowest first."""
    base = trained[0]
    blocks = [one_switch(name, SWITCHES[name].today) for name in offered(OF_2017)]
    ones = [one for block in blocks if (one := _trained(block, trained))]
    return sorted((one for one in ones if one.losses and is_clear(one, base)), key=lambda one: one.loss)


def _trained(block: Block, trained: "Sequence[training.block_sweep.Trained]") -> "training.block_sweep.Trained | None":
    return next((one for one in trained if one.block == block), None)


def _loss(one: "training.block_sweep.Trained") -> str:
    return fixed(one.loss, 2)


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
