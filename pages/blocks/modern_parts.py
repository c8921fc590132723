"""The changes of "Modern blocks" that can be made to a layer, and what the trainings came to with them."""

from collections.abc import Sequence

from lab.kit.words import fixed
from pages.blocks.components.two_blocks import ALL, Run, Stop
from transformer import training
from transformer.training.block_sweep import DEEP, OF_2017, OF_TODAY, SWITCHES, Block, one_switch

PARTS = tuple(SWITCHES)
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
WAS = {  # in 2017, by the part that has changed
    "norm": "LayerNorm",
    "place": "post-norm",
    "feed_forward": "ReLU",
    "positions": "sinusoidal",
    "kv_heads": "keys for every head",
    "experts": "one network",
    "embeddings": "as they are",
    "output": "none",
}


def differing(block: Block) -> list[str]:
    """The parts in which this block is not that of 2017."""
    now = dict(zip(SWITCHES, block, strict=True))
    return [name for name in PARTS if now[name] != SWITCHES[name].first]


def stop_of(block: Block) -> str:
    """The stop that shows a block: its one part that is exchanged, or ALL of them; "" of 2017's block."""
    others = differing(block)
    return ALL if len(others) > 1 else "".join(others)


def offered(block: Block) -> list[str]:
    """The parts that have a card: those that differ today, and what the visitor has exchanged besides; the norm's place
    comes first, for it saves a tall tower."""
    parts = sorted(PARTS, key=lambda name: name != "place")
    return [name for name in parts if SWITCHES[name].today != SWITCHES[name].first or name in differing(block)]


def compared(block: Block) -> Block:
    """The block that is held against that of 2017: the visitor's own, or else that of today."""
    return block if differing(block) else OF_TODAY


def stops(block: Block, trained: "Sequence[training.block_sweep.Trained]") -> list[Stop]:
    """2017's block; one for each part, with today's way alone or the way that this block has; then the whole block."""
    now, changed = dict(zip(SWITCHES, block, strict=True)), differing(block)
    found = [Stop("", "", "2017’s block", "", "", _heights(OF_2017, trained))]
    for name in offered(block):
        switch = SWITCHES[name]
        way = now[name] if changed == [name] else switch.today
        if way == switch.first:  # of what stands around the blocks, today's is that of 2017
            way = now[name]
        kind = _kind(name, way)
        heights = _heights(one_switch(name, way), trained)
        found.append(Stop(name, CHANGES[kind], TERMS.get(kind, kind), f"2017: {WAS[name]}", kind, heights))
    whole = block if len(changed) > 1 else OF_TODAY
    ways = dict(zip(SWITCHES, whole, strict=True))
    kinds = [_kind(name, ways[name]) for name in differing(whole)]
    says, term = "Your block", ", ".join(TERMS.get(kind, kind) for kind in kinds)
    if whole == OF_TODAY:
        says, term = "All that has changed", "all of today’s"
    return [*found, Stop(ALL, says, term, "", ",".join(kinds), _heights(whole, trained))]


def _heights(block: Block, trained: "Sequence[training.block_sweep.Trained]") -> list[Run | None]:
    """What one layer of a block came to, two, and so on; None where so many were not trained."""
    by_height = {one.n_layers: Run(one.accuracies, one.written) for one in trained if one.block == block}
    return [by_height.get(n) for n in range(1, DEEP + 1)]


def _kind(name: str, way: str) -> str:
    """A way to build a part, as its drawing is called."""
    return {"norm": "no norm", "feed_forward": "no feed-forward"}.get(name, way) if way == "none" else way


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
