"""What stands in the two blocks of "Modern blocks", part by part, and on the switches between them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import transformer
from lab.kit.words import fixed, growth
from pages.blocks.components.two_blocks import ATTENTION, FEED_FORWARD, OUT, Card, Part
from transformer import inspection, training
from transformer.training.block_sweep import OF_2017, SWITCHES, Block, config_of, one_switch

if TYPE_CHECKING:
    from pages.blocks.data import Costs

# The switches that make a part what it is.
BY_INPUT, BY_FORWARD, BY_NORM = ("positions", "embeddings"), ("experts", "feed_forward"), ("norm", "place")
# From the top: each switch stands about where in the block its parts are; the two last ones stand around all blocks.
CARDS = ("output", "experts", "feed_forward", "norm", "place", "kv_heads", "positions", "embeddings")


def cards(
    block: Block, alone: "Mapping[Block, Costs]", trained: "Sequence[training.block_sweep.Trained]"
) -> list[Card]:
    """Every switch of today's block, and those that the visitor has changed: what each does alone."""
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
        costs = tuple(
            growth(getattr(new, what), getattr(old, what)) for what in ("parameters", "multiplications", "cache")
        )
        loss = change(one, trained[0]) if one.losses else "diverged"
        found.append(Card(name, (_named(name, switch.first), _named(name, way)), is_on, costs, one.losses, loss))
    return found


def _named(name: str, way: str) -> str:
    """A way to build a part, so that it needs no heading."""
    words = {
        "norm": "no norm" if way == "none" else way,
        "place": f"norm {way}",
        "feed_forward": "no feed-forward" if way == "none" else way,
        "kv_heads": f"k, v: {way}",
        "experts": "one feed-forward" if way == "one" else f"experts: {way}",
        "embeddings": f"embeddings {way}",
        "output": f"{way} before logits",
    }
    return words.get(name, way)


def parts(block: Block, width: int, cost: "inspection.block_costs.BlockCost") -> list[Part]:
    """What stands in the lane of a block, from the bottom up, with the parameters of each part."""
    chosen, first = dict(zip(SWITCHES, block, strict=True)), dict(zip(SWITCHES, OF_2017, strict=True))
    config = config_of(block, width)
    is_new = {name: chosen[name] != first[name] for name in SWITCHES}
    is_rotary = config.positions == "rotary"
    inputs = Part(0, "words" if is_rotary else "words + positions", "", BY_INPUT, is_new["positions"])
    attention = Part(
        ATTENTION,
        "attention, rotary" if is_rotary else "attention",
        f"{cost.attention:,}",
        ("kv_heads", "positions"),
        is_new["kv_heads"] or is_new["positions"],
        heads=(config.n_heads, config.n_kv_heads),
    )
    if is_new["embeddings"]:
        inputs = inputs._replace(label="words, normed" if is_rotary else "words + pos., normed", changed=True)
    found = [inputs, *_norm(0, config, cost, is_new), attention, Part(3, "add")]
    found += [*_norm(1, config, cost, is_new)]
    if config.has_feed_forward:
        experts = (config.n_experts, config.top_k) if config.n_experts > 1 else None
        label = f"{'experts' if experts else 'feed-forward'}, {chosen['feed_forward']}"
        changed = is_new["feed_forward"] or is_new["experts"]
        found.append(Part(FEED_FORWARD, label, f"{cost.experts + cost.router:,}", BY_FORWARD, changed, experts=experts))
        found.append(Part(7, "add"))
    label = "transform, logits" if is_new["output"] else "logits"
    found.append(Part(OUT, label, "", ("output",), is_new["output"]))
    return found


def _norm(
    sublayer: int,
    config: "transformer.TransformerConfig",
    cost: "inspection.block_costs.BlockCost",
    is_new: Mapping[str, bool],
) -> list[Part]:
    """The norm of the first or the second sublayer, where there is one."""
    if config.norm_kind == "none" or (sublayer and not config.has_feed_forward):
        return []
    slot = (1, 5)[sublayer] if config.norm == "pre" else (4, 8)[sublayer]
    n_norms = 2 if config.has_feed_forward else 1
    name = "RMSNorm" if config.norm_kind == "rms" else "LayerNorm"
    return [Part(slot, name, f"{cost.norms // n_norms:,}", BY_NORM, is_new["norm"] or is_new["place"])]


def change(one: "training.block_sweep.Trained", base: "training.block_sweep.Trained") -> str:
    """By how much the loss of a training differs from that of 2017's block."""
    return fixed(one.loss - base.loss, 3, signed=True)
