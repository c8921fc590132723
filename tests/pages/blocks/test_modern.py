"""Modern blocks and their experts, as the server runs them, and the stored trainings behind them."""

import re
from pathlib import Path

import numpy as np
import pytest

from lab.kit.models.references import BeforeTraining, Shipped
from pages.blocks import data, modern, modern_parts
from pages.blocks.components import two_blocks
from tests.pages import driver
from tests.pages.driver import charts, choose, notices, words
from transformer.inspection.block_costs import block_cost
from transformer.inspection.routing import route
from transformer.training import block_sweep
from transformer.training.block_sweep import OF_2017, OF_TODAY, SEEDS, SWITCHES, config_of, one_switch

MODERN = {"blocks_part": "Modern blocks"}


def picture(at) -> dict:
    """What the picture of both blocks was sent."""
    (sent,) = (sent for sent in driver.payloads(at) if isinstance(sent, dict) and "cards" in sent)
    return sent


def used(at) -> list[str]:
    """The parts on the track, as the stream meets them."""
    return [card["kinds"][card["is_on"]] for card in picture(at)["cards"]]


def test_every_switch_reaches_the_block_on_the_track_and_what_it_costs() -> None:
    at = driver.visit("blocks", **MODERN)
    assert notices(at) == ""
    losses, _ = charts(at)
    old, new = (block_cost(config_of(block, 384), 128) for block in (OF_2017, OF_TODAY))
    for cost in (old, new):
        assert f"{cost.parameters:,}" in words(at)
        assert f"{cost.cache:,} bytes" in words(at)
    shown = picture(at)
    assert shown["title"] == "today"
    assert (shown["trained_width"], shown["counted_width"]) == (block_sweep.WIDTH, 384)
    assert used(at) == ["rotary", "before", "RMSNorm", "one for two", "SwiGLU", "2 of 4"]
    counts = [(getattr(old, what), getattr(new, what)) for what in modern_parts.COSTS]
    assert [(effect["old"], effect["new"]) for effect in shown["effects"]] == counts
    assert tuple(shown["losses"]) == {one.block: one.losses for one in data.trained_blocks()}[OF_TODAY]
    assert len(losses["data"]) == 2 * len(block_sweep.blocks())

    at = choose(at, blocks_with_feed_forward="none")
    assert modern.NOT_BOTH in notices(at)
    assert used(at)[-2:] == ["no feed-forward", "one"]
    assert picture(at)["losses"] is None
    assert "This combination was not trained" in words(at)

    at = choose(
        driver.visit("blocks", **MODERN), **{f"blocks_with_{name}": one.first for name, one in SWITCHES.items()}
    )
    assert not any(card["is_on"] for card in picture(at)["cards"])
    assert picture(at)["losses"] == picture(at)["seeds"]
    assert {effect["growth"] for effect in picture(at)["effects"]} == {"as in 2017"}
    at = driver.press(at, modern.BUTTON)
    assert re.search(r"[\d.]+ ms → [\d.]+ ms", words(at))


def test_each_switch_says_what_it_alone_costs_and_does_to_the_loss() -> None:
    at = driver.visit("blocks", **MODERN)
    cards = {card["name"]: card for card in picture(at)["cards"]}
    differing = [name for name, way, first in zip(SWITCHES, OF_TODAY, OF_2017, strict=True) if way != first]
    assert sorted(cards) == sorted(differing)
    by_block = {one.block: one for one in data.trained_blocks()}
    base = block_cost(config_of(OF_2017, 384), 128)
    for name, card in cards.items():
        block = one_switch(name, SWITCHES[name].today)
        cost = block_cost(config_of(block, 384), 128)
        assert card["is_on"]
        assert tuple(card["losses"]) == by_block[block].losses
        assert card["is_clear"] == block_sweep.is_clear(by_block[block], by_block[OF_2017])
        assert (card["costs"][0] == "0") == (cost.parameters == base.parameters)
        assert (card["costs"][2] == "0") == (cost.cache == base.cache)
        low, high = picture(at)["range"]
        assert all(low <= loss <= high for loss in card["losses"])
    other = choose(at, blocks_with_feed_forward="GELU", blocks_with_kv_heads="one each")
    cards = {card["name"]: card for card in picture(other)["cards"]}
    assert cards["feed_forward"]["ways"] == ["ReLU", "GELU"]
    assert cards["kv_heads"]["ways"] == ["one each", "one for two"]
    assert not cards["kv_heads"]["is_on"]


def test_each_way_to_build_a_part_has_a_note_and_a_drawing() -> None:
    drawings = Path(two_blocks.__file__).with_name("drawings.js").read_text()
    for name, switch in SWITCHES.items():
        for way in switch.options:
            kind = modern_parts._kind(name, way)
            assert modern_parts.NOTES[kind]
            assert re.search(rf'^  "?{re.escape(kind)}"?: \(\) =>', drawings, re.MULTILINE), kind


def test_what_stands_around_the_blocks_is_drawn_and_counted_apart() -> None:
    at = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_with_output="a transform")
    assert {"normalised", "a transform"} <= set(used(at))
    assert {"embeddings", "output"} <= {card["name"] for card in picture(at)["cards"]}
    block = (*OF_TODAY[:-2], "normalised", "a transform")
    outside = block_cost(config_of(block, 384), 128).outside
    assert outside == 384 + 384**2 + 384 + 384  # RMSNorm; matrix, bias, RMSNorm
    assert f"once in a model: **{outside:,}** parameters more" in words(at)
    assert block_cost(config_of(block, 384), 128).parameters == block_cost(config_of(OF_TODAY, 384), 128).parameters


def test_what_is_stored_is_the_sweep_and_says_what_it_says() -> None:
    trained = data.trained_blocks()
    assert [one.block for one in trained] == block_sweep.blocks()
    assert all(len(one.losses) in (0, len(SEEDS)) for one in trained)
    by_block = {one.block: one for one in trained}
    base, bare = by_block[OF_2017], by_block[one_switch("feed_forward", "none")]
    assert block_sweep.is_clear(bare, base), "row 72: without feed-forward layers a model learns less"
    assert bare.loss > base.loss
    for one in trained[1:]:
        said = modern._verdict(one.block, trained)
        assert ("no more than seeds differ" in said) == (not block_sweep.is_clear(one, base))
        assert f"{one.loss:.3f}" in said
    lost = trained[1]._replace(losses=())
    assert "diverged" in modern._verdict(lost.block, (base, lost))


def test_the_router_is_drawn_as_it_chose_and_compared_with_chance() -> None:
    at = driver.visit("blocks", **MODERN, blocks_experts="true", text="mia found a red ball in the park.")
    assert notices(at) == ""
    source = Shipped("experts").resolve()
    tokens = source.cut("mia found a red ball in the park.")
    routing = route(source.single_stack, source.ids(tokens))
    drawn = charts(at)[1]
    cells = np.array(drawn["data"][0]["z"], float)
    rows = [row for row in cells if not np.isnan(row).all()]
    # the last layer on top
    np.testing.assert_allclose(rows, np.concatenate([layer.T for layer in routing.shares[::-1]]), atol=1e-6)
    ring = drawn["data"][1]
    assert len(ring["x"]) == routing.experts.size
    assert all(cells[int(y), int(x)] >= 1 / 4 for x, y in zip(ring["x"], ring["y"], strict=True))
    habits = data.habits(Shipped("experts"))
    for n, one in enumerate(habits):
        assert f"| layer {n} | **{one.same:.0%}** | {one.chance:.0%} |" in words(at)
        assert one.same > one.chance
    assert driver.offered(choose_text(at, "mia found a dragon"))["unread"] == [False, False, False, True]
    assert "no word to follow" in notices(choose_text(at, ""))


def choose_text(at, text: str):
    at.text_input(key="text").set_value(text)
    return at.run()


@pytest.mark.wide
def test_before_training_the_router_is_another() -> None:
    untrained, trained = (data.habits(ref) for ref in (BeforeTraining(Shipped("experts")), Shipped("experts")))
    assert not np.array_equal(untrained[0].counts, trained[0].counts)
    assert pytest.approx(1) == sum(trained[0].load)
