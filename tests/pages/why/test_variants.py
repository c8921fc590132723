"""Cheaper attention on the page: one look decides the verdict, and a hub that allows it is as good as a wide window."""

import pytest
import torch

from pages.why import data, variants, ways
from tests.pages import driver
from tests.pages.driver import chart, charts, press, words
from tests.pages.why.test_page import visit
from transformer import inspection
from transformer.inspection.variants import TIMED, logits_under

VIEW = "Cheaper attention"


def says(mask: torch.Tensor) -> str:
    """What the encoder says of the review where no head sees more than this mask lets it."""
    logits = logits_under(data.Shipped("sentiment").resolve().single_stack, data._reviews()[0], mask)
    return data.training.tasks.sentiment.LABELS[int(logits[0, 0, data._labels()].argmax())]


def test_one_look_decides_and_no_other_of_the_first_token_does() -> None:
    look, tokens = data.strongest_look(), data.words_compared()
    assert (len(tokens), tokens[0], tokens[look.to]) == (data.N_DRAWN, "⟨start⟩", "but")
    assert look.weight > 0.99
    whole = torch.ones(data.N_DRAWN, data.N_DRAWN, dtype=torch.bool)
    assert says(whole) == "negative", "i do not enjoy the service"
    for at in range(data.N_DRAWN):
        cut = whole.clone()
        cut[0, at] = False
        assert (says(cut) == "negative") == (at != look.to)
        cut = whole.clone()
        cut[at, look.to] = False
        assert (says(cut) == "negative") == (at != 0), "whoever else looks at it"


def test_a_window_or_a_hub_is_right_where_it_allows_that_look_and_wrong_elsewhere() -> None:
    look = data.strongest_look()
    for size in data.SIZES:
        reading = data.reading(ways.WINDOW, size, 0)
        assert reading is not None
        assert (reading.says == "negative") == (size > look.to), size
    hubs = data.verdicts_by_hub()
    assert [at for at, verdict in enumerate(hubs) if verdict == "negative"] == [0, look.to]


def test_a_hub_on_the_first_word_reads_others_as_a_window_of_its_price_does_not() -> None:
    hub, narrow, full = (
        data.reading(*way) for way in ((ways.GLOBAL, 1, 1), (ways.WINDOW, 2, 0), (ways.WINDOW, data.N_DRAWN, 0))
    )
    assert hub is not None
    assert narrow is not None
    assert full is not None
    assert narrow.n_right < 65, "hardly better than guessing"
    assert hub.n_right > 80
    assert full.n_right > 95
    sizes = inspection.variants.Sizes
    open_cells = [
        int(mask.sum())
        for name, size, kept in ((ways.GLOBAL, 1, 1), (ways.WINDOW, 2, 0))
        if (mask := inspection.variants.mask_of(name, 9, sizes(size, kept))) is not None
    ]
    assert open_cells == [25, 25], "of a text of any length"


def test_the_picture_has_what_the_model_reads() -> None:
    at = visit(VIEW)
    sent = driver.payloads(at)[-1]
    look = data.strongest_look()
    assert (sent["words"], sent["to"], sent["truth"]) == (list(data.words_compared()), look.to, "negative")
    readings = [data.reading(ways.WINDOW, size, 0) for size in data.SIZES]
    assert sent["windows"] == [reading._asdict() for reading in readings if reading]
    assert sent["hubs"] == list(data.verdicts_by_hub())
    hub = data.reading(ways.GLOBAL, 1, 1)
    assert hub is not None
    assert (sent["n_right"], sent["n_reviews"]) == (hub.n_right, data.N_REVIEWS)
    assert f"head {look.head} of layer {look.layer}" in words(at)
    assert f"{look.weight:.2f}" in words(at)
    two_steps = [
        size - 1
        for size in data.SIZES
        if (mask := inspection.variants.mask_of(ways.WINDOW, data.N_DRAWN, inspection.variants.Sizes(size, 0)))
        is not None
        and (mask.float() @ mask.float())[0, look.to]
    ]
    assert two_steps[0] > 0
    assert f"From {two_steps[0]} words to either side on, news of it would get through in two steps" in words(at)
    assert charts(at) == [], "charts of long texts are drawn once their fold is open"


def test_exact_blocks_read_as_full_attention_does_and_shared_keys_cannot_be_asked() -> None:
    assert data.reading(ways.GROUPED, 4, 1) is None
    full = data.reading(ways.FULL, 0, 0)
    assert full == data.reading(ways.IN_BLOCKS, 2, 0) == data.reading(ways.WINDOW, data.N_DRAWN, 0)
    assert data.costs_compared(data.N_DRAWN, 1)[ways.WINDOW].share == 1


def test_a_knob_that_means_nothing_to_a_way_does_not_have_the_reviews_read_again(monkeypatch) -> None:
    for name, size, n_kept in ((ways.LINEAR, 0, 0), (ways.WINDOW, 4, 0), (ways.BLOCKS, 4, 0), (ways.FULL, 0, 0)):
        assert data.reading(name, size, n_kept) == data.reading(name, 4, 3), "it means nothing"
    read = set()
    monkeypatch.setattr(data, "reading", lambda *key: read.add(key))
    for size, n_kept in ((4, 1), (4, 2), (6, 1)):
        variants._compared(variants.Others(ways.GLOBAL, size, n_kept, 0))
    often = {name: sum(key[0] == name for key in read) for name in ways.CODE}
    once = {ways.FULL: 1, ways.LINEAR: 1, ways.GROUPED: 1}
    assert often == dict.fromkeys(ways.CODE, 2) | once | dict.fromkeys(ways.KEEPS, 3)


@pytest.mark.parametrize("name", [ways.LINEAR, *(pytest.param(name, marks=pytest.mark.wide) for name in ways.CODE)])
def test_a_way_is_explained_by_its_own_code_cost_and_what_it_gets_right(name: str) -> None:
    at = visit(VIEW, why_variants_long=True, why_variant=name, why_variants_size=6)
    assert f"def {ways.CODE[name]}(" in " ".join(block.value for block in at.code)
    row = next(line for line in words(at).splitlines() if line.startswith(f"| **{name}** |"))
    cost, reading = data.costs_compared(6, 1).get(name), data.reading(name, 6, 1)
    assert (f"{cost.share:.0%} of the {cost.of}" if cost else "all") in row
    assert row.endswith(f" {reading.n_right if reading else '–'} |")
    assert ways.told(6, 1, data.N_DRAWN)[name] in row


def test_times_are_measured_when_asked_only(monkeypatch: pytest.MonkeyPatch) -> None:
    at = visit(VIEW, why_variants_long=True)
    assert len(charts(at)) == 1
    names = []

    def measured(*settings: object) -> dict[str, list[float]]:
        names.append(settings)
        return {name: [1.0 + n for n, _ in enumerate(data.variant_lengths())] for name in TIMED}

    monkeypatch.setattr(data, "time_variants", measured)
    at = press(at, variants.BUTTON)
    assert names == [(4, 1, 1)]
    assert {trace["name"] for trace in chart(at, 1)["data"]} == set(TIMED)
    assert not driver.notices(at)
