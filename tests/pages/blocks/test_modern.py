"""Modern blocks and their experts, as the server runs them, and the stored trainings behind them."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab.frame import old_links
from lab.kit.models.references import BeforeTraining, Shipped
from lab.kit.words import growth
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
    """What the picture of both blocks was sent."""
    (sent,) = (sent for sent in driver.payloads(at) if isinstance(sent, dict) and "stops" in sent)
    return sent


def stop(at, name: str = "") -> dict:
    """A row, the one that is open if none is named."""
    sent = picture(at)
    (one,) = (one for one in sent["stops"] if one["name"] == (name or sent["shown"]))
    return one


def test_every_switch_reaches_the_layer_and_what_it_costs() -> None:
    at = driver.visit("blocks", **MODERN)
    assert notices(at) == ""
    assert picture(at)["shown"] == two_blocks.CHART
    by_block = {one.block: one.losses for one in data.trained_blocks()}
    assert tuple(picture(at)["of_2017"]) == by_block[OF_2017]
    assert "From 2017 to today" in words(at), "both whole blocks are compared from the start"

    at = choose(at, **ALL_OF_TODAY)
    losses, _ = charts(at)
    old, new = (block_cost(config_of(block, 384), 128) for block in (OF_2017, OF_TODAY))
    for cost in (old, new):
        assert f"{cost.parameters:,}" in words(at)
        assert f"{cost.cache:,} bytes" in words(at)
    assert (picture(at)["shown"], stop(at)["says"]) == ("all", "All six at once")
    assert (stop(at)["clear"], stop(at, "norm")["clear"]) == (True, False)
    means = [float(np.mean(by_block[one_switch("positions", way)])) for way in ("sinusoidal", "rotary")]
    assert stop(at, "positions")["verdict"] == " → ".join(f"{mean:.2f}" for mean in means)
    assert tuple(stop(at)["losses"]) == by_block[OF_TODAY]
    assert len(losses["data"]) == 2 * len(block_sweep.blocks())

    at = choose(at, blocks_with_feed_forward="none")
    assert modern.NOT_BOTH in notices(at)
    assert stop(at)["term"] == "RMSNorm, pre-norm, no feed-forward, rotary positions, grouped-query attention"
    assert (stop(at)["says"], stop(at)["losses"]) == ("Your block", None)
    assert "This combination was not trained, so it has no loss" in stop(at)["finding"]
    assert (stop(at)["verdict"], stop(at)["clear"]) == ("not trained", False)
    at = driver.press(at, modern.BUTTON)
    timed = r"[\d.]+ ms → [\d.]+ ms"
    assert re.search(timed, words(at))
    at = choose(at, blocks_with_feed_forward="GELU")
    assert not re.search(timed, words(at)), "another block is timed when it is asked for"
    at = choose(at, blocks_with_feed_forward="none")
    assert re.search(timed, words(at))


def test_a_part_whose_switch_is_set_back_is_left_without_a_word() -> None:
    at = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_pair="embeddings")
    assert picture(at)["shown"] == "embeddings"
    at.session_state[modern.PAIR] = "embeddings"  # as its name in the strip does
    at = choose(at, blocks_with_embeddings=SWITCHES["embeddings"].first)
    assert (notices(at), picture(at)["shown"]) == ("", two_blocks.CHART)
    assert modern.PAIR not in at.session_state


def test_the_layer_of_2017_keeps_what_was_built_until_a_switch_is_changed() -> None:
    at = driver.visit("blocks", **MODERN, blocks_with_feed_forward="GELU", blocks_pair="feed_forward")
    at.session_state[modern.PAIR] = two_blocks.CHART  # as the button leaves it
    at = driver.checked(at.run())
    assert (picture(at)["shown"], stop(at, "feed_forward")["term"]) == (two_blocks.CHART, "GELU")
    assert picture(at)["usual"] == "", "its address names 2017's layer: without, it is an old link"
    link = driver.visit("blocks", **MODERN, blocks_with_feed_forward="GELU", blocks_pair=two_blocks.CHART)
    assert (picture(link)["shown"], stop(link, "feed_forward")["term"]) == (two_blocks.CHART, "GELU")
    for one in (at, link):
        built = choose(one, blocks_with_norm="RMSNorm")
        assert (picture(built)["shown"], stop(built)["term"]) == ("all", "RMSNorm, GELU")
    assert picture(driver.visit("blocks", **MODERN))["usual"] == two_blocks.CHART


GELU = one_switch("feed_forward", "GELU")
NORMALISED = (*GELU[:-2], "normalised", "nothing")


@pytest.mark.parametrize(
    ("block", "row", "left"),
    [
        (GELU, two_blocks.CHART, GELU),
        (GELU, "feed_forward", GELU),
        (GELU, "norm", OF_2017),
        (GELU, "all", OF_2017),  # this shows what all six of today do
        (NORMALISED, two_blocks.CHART, NORMALISED),
        (NORMALISED, "all", NORMALISED),
        (NORMALISED, "norm", OF_2017),
        (NORMALISED, "embeddings", one_switch("embeddings", "normalised")),
    ],
)
def test_a_press_leaves_what_the_row_shows(monkeypatch, block, row: str, left) -> None:
    session = {f"blocks_with_{name}": way for name, way in zip(SWITCHES, block, strict=True)}
    session[modern.PICTURE] = {"press": row}
    monkeypatch.setattr(modern.st, "session_state", session)
    modern._press()
    assert (tuple(session[f"blocks_with_{name}"] for name in SWITCHES), session[modern.PAIR]) == (left, row)


def test_each_switch_says_what_it_alone_costs_and_does_to_the_loss() -> None:
    at = driver.visit("blocks", **MODERN)
    assert [one["name"] for one in picture(at)["stops"]] == [
        *(name for name in modern_parts.PARTS if name in DIFFERING),
        "all",
    ]
    by_block = {one.block: one for one in data.trained_blocks()}
    old = block_cost(config_of(OF_2017, 384), 128)
    for name in DIFFERING:
        block, shown = one_switch(name, SWITCHES[name].today), stop(at, name)
        new = block_cost(config_of(block, 384), 128)
        grown = {growth(getattr(new, what), getattr(old, what)): said for what, said in modern_parts.COSTS.items()}
        most = max(grown, key=lambda one: abs(float(one.strip("%").replace("−", "-"))))
        is_same = all(abs(getattr(new, what) / getattr(old, what) - 1) < 0.005 for what in modern_parts.COSTS)
        told = shown["finding"].partition(modern_parts.NO_DIFFERENCE)[2]
        assert (f"{most} {grown[most]}" in told) == (not shown["clear"] and not is_same)
        assert ("costs the same" in told) == (not shown["clear"] and is_same)
        assert tuple(shown["losses"]) == by_block[block].losses
    other = choose(at, blocks_with_feed_forward="GELU")
    assert picture(other)["shown"] == "feed_forward"
    assert stop(other)["term"] == "GELU"
    assert stop(other, "kv_heads")["term"] == "grouped-query attention"


def test_a_link_opens_on_the_block_that_it_names() -> None:
    norm = driver.visit("blocks", **MODERN, blocks_pair="norm")
    assert picture(norm)["shown"] == "norm"
    assert "From 2017 to RMSNorm" in words(norm)
    rotary = driver.visit("blocks", **MODERN, blocks_pair="positions", blocks_with_positions="rotary")
    assert picture(rotary)["shown"] == "positions"
    today = driver.visit("blocks", **MODERN, blocks_pair="all", **ALL_OF_TODAY)
    assert stop(today)["says"] == "All six at once"
    unknown = driver.visit("blocks", **MODERN, blocks_pair="wheels")
    assert picture(unknown)["shown"] == two_blocks.CHART
    assert "wheels" in notices(unknown)
    # An old link names what sets the block apart from today's.
    old = driver.visit("blocks", **MODERN, blocks_with_feed_forward="GELU")
    terms = "RMSNorm, pre-norm, GELU, rotary positions, grouped-query attention, mixture of experts"
    assert stop(old)["term"] == terms


def test_what_is_chosen_here_is_no_old_link() -> None:
    at = driver.visit("blocks", **MODERN)
    at.query_params["blocks_with_norm"] = "RMSNorm"  # the address has it before it has the part in view
    at = choose(at, blocks_with_norm="RMSNorm")
    assert picture(at)["shown"] == "norm"
    assert "From 2017 to RMSNorm" in words(at)


def test_what_old_links_leave_out_is_the_block_of_today() -> None:
    assert dict(zip((f"blocks_with_{name}" for name in SWITCHES), OF_TODAY, strict=True)) == old_links.OF_TODAY


def test_each_way_to_build_a_part_is_said_in_plain_words_and_has_a_drawing() -> None:
    drawings = Path(two_blocks.__file__).with_name("drawings.js").read_text()
    for name, switch in SWITCHES.items():
        for way in [*switch.options][1:]:
            kind = modern_parts._kind(name, way)
            assert len(modern_parts.CHANGES[kind]) > 20
            assert re.search(rf'^  "?{re.escape(kind)}"?: \(t?\) =>', drawings, re.MULTILINE), kind


def test_what_stands_around_the_blocks_is_drawn_and_counted_apart() -> None:
    at = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_with_output="a transform")
    assert stop(at, "all")["term"].endswith(", normalised embeddings, a transform before the logits")
    assert {"embeddings", "output"} <= {one["name"] for one in picture(at)["stops"]}
    alone = driver.visit("blocks", **MODERN, blocks_with_embeddings="normalised", blocks_pair="embeddings")
    assert stop(alone)["name"] == "embeddings"
    assert stop(alone, "all")["says"] == "All six at once", "today’s, and no more"
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
        said = modern_parts.finding(one.block, trained)
        is_close = not block_sweep.is_clear(one, base)
        assert ("no difference that three runs can show" in said) == is_close
        better = "better" if one.loss < base.loss else "worse"
        assert (f"loss {base.loss:.2f} → {one.loss:.2f}, {better} by more than chance." in said) == (not is_close)
    lost = trained[1]._replace(losses=())
    assert "diverged" in modern_parts.finding(lost.block, (base, lost))


def test_the_band_that_is_drawn_is_that_of_the_verdict() -> None:
    """A mean is as good as before just where its bar is in the band of its lane: one key for all queries is, beyond
    the last run of 2017."""
    trained = data.trained_blocks()
    base, beyond = trained[0], set()
    costs = data.block_costs(OF_2017, 384, 128)
    for one in trained[1:]:
        drawn = modern_parts._result(one.block, trained, costs)
        apart = max(one.spread, base.spread)
        assert drawn.clear == (abs(one.loss - base.loss) > apart), one.block
        assert drawn.margin == apart
        assert (drawn.verdict == modern_parts.CLOSE) == (not drawn.clear)
        if not drawn.clear and one.loss > max(base.losses):
            beyond.add(one.block)
    assert one_switch("kv_heads", "one for all") in beyond
    assert picture(driver.visit("blocks", **MODERN))["margin"] == base.spread


def test_the_finding_follows_the_losses() -> None:
    """The loss falls, rises or does neither."""
    base, *_ = data.trained_blocks()
    rotary = one_switch("positions", "rotary")

    def said(by: float) -> str:
        other = base._replace(block=rotary, losses=tuple(loss + by for loss in base.losses))
        return modern_parts.finding(rotary, (base, other))

    for by in (-0.3, 0.3):
        to = f"{base.loss + by:.2f}, {'better' if by < 0 else 'worse'} by more than chance."
        assert said(by) == f"Rotary positions: loss {base.loss:.2f} → {to}"
    assert said(0.01) == "Rotary positions: no difference that three runs can show."


def test_what_is_asked_before_a_hand_has_touched_anything_gives_no_answer_away() -> None:
    asked = "Which of these changes would make this model better? Bet on one."
    assert picture(driver.visit("blocks", **MODERN))["question"] == asked
    for one in data.trained_blocks()[1:]:
        assert modern_parts.said(one.block) not in asked


def test_only_clear_parts_are_named_beside_all_six() -> None:
    """What is said of all parts follows the losses of each alone, and of all together."""
    stored = data.trained_blocks()
    base = stored[0]
    alone = [one_switch(name, SWITCHES[name].today) for name in DIFFERING]

    def with_changes(by: dict[str, float]) -> str:
        """What is said if each part alone changed every loss by so much of it, or not at all; NaN: diverged."""
        changes = [by.get(name, 0) for name in (*DIFFERING, "all")]
        ones = [
            base._replace(
                block=block, losses=() if math.isnan(change) else tuple(x * (1 + change) for x in base.losses)
            )
            for change, block in zip(changes, (*alone, OF_TODAY), strict=True)
        ]
        return modern_parts._of_all((base, *ones))

    clear = [one for one in stored if one.block in alone and block_sweep.is_clear(one, base)]
    assert [one.block for one in clear] == [one_switch("positions", "rotary")]
    assert modern_parts._of_all(stored) == (
        f"All six of today’s parts: the loss falls from {base.loss:.2f} to {modern_parts._loss(stored[-1])}."
        f" Rotary positions alone: {clear[0].loss:.2f}."
    )
    half = f"{base.loss / 2:.2f}"
    assert with_changes({"norm": -0.5, "positions": 0.5, "all": -0.5}).endswith(f"RMSNorm alone: {half}.")
    assert "alone" not in with_changes({"all": -0.5})
    assert "no difference" in with_changes({"positions": -0.5})
    assert "diverged" in with_changes({"positions": -0.5, "all": math.nan})
    assert "alone" not in with_changes({"norm": math.nan, "all": -0.5})


def test_only_what_was_trained_has_a_loss() -> None:
    """No combination is given a number that no training came to."""
    trained = {one.block: one for one in data.trained_blocks()}
    for block in (OF_TODAY, (*OF_TODAY[:2], "GELU", *OF_TODAY[3:]), ("RMSNorm", "before", *OF_2017[2:])):
        ways: dict[str, Any] = {f"blocks_with_{name}": way for name, way in zip(SWITCHES, block, strict=True)}
        at = driver.visit("blocks", **MODERN, **ways, blocks_pair="all")
        expected = list(trained[block].losses) if block in trained else None
        assert stop(at, "all")["losses"] == expected


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
