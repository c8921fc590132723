"""Modern blocks and their experts, as the server runs them, and the stored trainings behind them."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab.frame import old_links
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


ALL_OF_TODAY: dict[str, Any] = {f"blocks_with_{name}": one.today for name, one in SWITCHES.items()}
DIFFERING = [name for name, way, first in zip(SWITCHES, OF_TODAY, OF_2017, strict=True) if way != first]


def picture(at) -> dict:
    """What the picture of the tower was sent."""
    (sent,) = (sent for sent in driver.payloads(at) if isinstance(sent, dict) and "stops" in sent)
    return sent


def stop(at, name: str = "") -> dict:
    """A change, the visitor's own if none is named."""
    sent = picture(at)
    (one,) = (one for one in sent["stops"] if one["name"] == (name or sent["own"]).replace("2017", ""))
    return one


def in_two(one: dict) -> dict | None:
    """What two layers of it came to."""
    return one["heights"][block_sweep.N_LAYERS - 1]


@pytest.mark.wide
def test_every_switch_reaches_the_layer_and_what_it_costs() -> None:
    at = driver.visit("blocks", **MODERN)
    assert notices(at) == ""
    assert picture(at)["own"] == ""
    right = {one.block: one.accuracies for one in data.trained_blocks()}
    assert tuple(in_two(stop(at, "2017"))["right"]) == right[OF_2017]
    assert "From 2017 to today" in words(at), "both whole blocks are compared from the start"

    at = choose(at, **ALL_OF_TODAY)
    losses, _ = charts(at)
    old, new = (block_cost(config_of(block, 384), 128) for block in (OF_2017, OF_TODAY))
    for cost in (old, new):
        assert f"{cost.parameters:,}" in words(at)
        assert f"{cost.cache:,} bytes" in words(at)
    assert (picture(at)["own"], stop(at)["term"]) == ("all", "all of today’s")
    assert tuple(in_two(stop(at))["right"]) == right[OF_TODAY]
    assert len(losses["data"]) == 2 * len(block_sweep.blocks())

    at = choose(at, blocks_with_feed_forward="none")
    assert modern.NOT_BOTH in notices(at)
    assert stop(at)["term"] == "RMSNorm, pre-norm, no feed-forward, rotary positions, grouped-query attention"
    assert (stop(at)["says"], set(stop(at)["heights"])) == ("Your block", {None})
    assert stop(at)["kind"] == "RMSNorm,before,no feed-forward,rotary,one for two", "as its tower is drawn"
    at = driver.press(at, modern.BUTTON)
    timed = r"[\d.]+ ms → [\d.]+ ms"
    assert re.search(timed, words(at))
    at = choose(at, blocks_with_feed_forward="GELU")
    assert not re.search(timed, words(at)), "another block is timed when it is asked for"
    at = choose(at, blocks_with_feed_forward="none")
    assert re.search(timed, words(at))


def test_what_the_visitor_has_built_is_a_change_of_its_own() -> None:
    at = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_pair="embeddings")
    assert (picture(at)["own"], stop(at)["term"]) == ("embeddings", "normalised embeddings")
    built = choose(at, blocks_with_norm="RMSNorm")
    assert (picture(built)["own"], stop(built)["term"]) == ("all", "RMSNorm, normalised embeddings")
    back = choose(built, **{f"blocks_with_{name}": SWITCHES[name].first for name in ("embeddings", "norm")})
    assert (notices(back), picture(back)["own"]) == ("", "")
    assert "From 2017 to today" in words(back)


def test_each_change_of_today_alone_has_a_card() -> None:
    at = driver.visit("blocks", **MODERN)
    assert [one["name"] for one in picture(at)["stops"]] == [
        "",
        *sorted((name for name in modern_parts.PARTS if name in DIFFERING), key=lambda name: name != "place"),
        "all",
    ]
    other = choose(at, blocks_with_feed_forward="GELU")
    assert picture(other)["own"] == "feed_forward"
    assert stop(other)["term"] == "GELU"
    assert [n for n, run in enumerate(stop(other)["heights"], 1) if run] == [2], "in towers it was not trained"
    assert stop(other, "kv_heads")["term"] == "grouped-query attention"


def test_a_link_opens_on_the_block_that_it_names() -> None:
    rotary = driver.visit("blocks", **MODERN, blocks_pair="positions", blocks_with_positions="rotary")
    assert picture(rotary)["own"] == "positions"
    today = driver.visit("blocks", **MODERN, blocks_pair="all", **ALL_OF_TODAY)
    assert stop(today)["term"] == "all of today’s"
    assert notices(driver.visit("blocks", **MODERN, blocks_pair="wheels")) == ""
    # An old link names what sets the block apart from today's.
    old = driver.visit("blocks", **MODERN, blocks_with_feed_forward="GELU")
    terms = "RMSNorm, pre-norm, GELU, rotary positions, grouped-query attention, mixture of experts"
    assert stop(old)["term"] == terms


def test_what_is_chosen_here_is_no_old_link() -> None:
    at = driver.visit("blocks", **MODERN)
    at.query_params["blocks_with_norm"] = "RMSNorm"  # the address has it before it has the part in view
    at = choose(at, blocks_with_norm="RMSNorm")
    assert picture(at)["own"] == "norm"
    assert "From 2017 to RMSNorm" in words(at)


def test_what_old_links_leave_out_is_the_block_of_today() -> None:
    assert dict(zip((f"blocks_with_{name}" for name in SWITCHES), OF_TODAY, strict=True)) == old_links.OF_TODAY


def test_each_way_to_build_a_part_is_said_in_plain_words_and_has_a_drawing() -> None:
    drawings, sheet = (
        Path(two_blocks.__file__).with_name(name).read_text() for name in ("drawings.js", "two_blocks.css")
    )
    in_towers = re.findall(r'data-kind\*="([^"]+)"', sheet)
    for name, switch in SWITCHES.items():
        for way in [*switch.options][1:]:
            kind = modern_parts._kind(name, way)
            assert len(modern_parts.CHANGES[kind]) > 20
            assert re.search(rf'^  "?{re.escape(kind)}"?: \(\) =>', drawings, re.MULTILINE), kind
            is_outside = name in ("embeddings", "output")  # of the blocks
            assert is_outside != any(mark in kind for mark in in_towers), f"a tower shows {kind}"


def test_what_stands_around_the_blocks_is_drawn_and_counted_apart() -> None:
    at = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_with_output="a transform")
    assert stop(at, "all")["term"].endswith(", normalised embeddings, a transform before the logits")
    assert {"embeddings", "output"} <= {one["name"] for one in picture(at)["stops"]}
    alone = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_pair="embeddings")
    assert stop(alone)["name"] == "embeddings"
    assert stop(alone, "all")["term"] == "all of today’s", "today’s, and no more"
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


def test_towers_of_2017_fail_and_the_norm_before_a_sublayer_or_rotary_positions_save_them() -> None:
    """The counterfactuals: in two layers the same blocks do not fail, and the other changes save no tower."""
    towers = data.trained_blocks("towers")
    planned = [(block, n_layers, len(seeds)) for block, n_layers, seeds in block_sweep.towers()]
    assert [(one.block, one.n_layers, len(one.losses)) for one in towers] == planned
    in_two_layers = {one.block: one for one in data.trained_blocks()}
    tall = {}
    for one in towers:
        if one.n_layers == block_sweep.N_LAYERS:
            assert one == in_two_layers[one.block], "the same training"
            assert min(one.accuracies) > 0.65
        if one.n_layers == block_sweep.DEEP:
            tall[one.block] = one.accuracies
        assert len(one.written.split()) > 8
    saving = {block for block, right in tall.items() if min(right) > 0.65}
    assert saving == {one_switch("place", "before"), one_switch("positions", "rotary"), OF_TODAY}
    assert max(right for block, rights in tall.items() if block not in saving for right in rights) < 0.35
    config = config_of(OF_2017, n_layers=block_sweep.DEEP)
    assert (config.n_decoder_layers, config.norm) == (8, "post")
    assert config_of(one_switch("place", "before"), n_layers=block_sweep.DEEP).norm == "pre"


def test_only_what_was_trained_has_a_number() -> None:
    """No combination is given a number that no training came to."""
    trained = {one.block: one for one in data.trained_blocks()}
    for block in (OF_TODAY, (*OF_TODAY[:2], "GELU", *OF_TODAY[3:]), ("RMSNorm", "before", *OF_2017[2:])):
        ways: dict[str, Any] = {f"blocks_with_{name}": way for name, way in zip(SWITCHES, block, strict=True)}
        shown = in_two(stop(driver.visit("blocks", **MODERN, **ways, blocks_pair="all"), "all"))
        assert (shown and shown["right"]) == (list(trained[block].accuracies) if block in trained else None)


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
