"""The page on positions as the server runs it: every view, every control, every link."""

import json
import re
from typing import Any

import numpy as np
import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from lab.kit import story
from lab.kit.catalogue import page
from lab.kit.controls.hyperparameters import POSITIONS
from lab.kit.words import BOUND, NOTHING
from pages.positions import data, look_back, other_ways, shuffle, side_by_side
from pages.positions.components.position_maps import FAR
from pages.positions.components.word_shuffler import chosen_order
from pages.positions.shuffle import MAX_WORDS
from tests.further import examples
from tests.pages import driver
from tests.pages.driver import CHOICES, charts, choose, notices, options, payload, payloads, questions, values, words
from transformer.core.config import POSITION_SCHEMES
from transformer.inspection import positions

OTHER = page("positions").view("Other ways")
SIMPLE = [tab for tab in page("positions").views if tab != OTHER]
VIEWS = [(tab, None) for tab in SIMPLE] + [(OTHER, scheme) for scheme in other_ways.SCHEMES]
NAMES = [(view.name, scheme) for view, scheme in VIEWS]
ADDED = {"pos_added": "true"}
CAT = "The cat sat on the mat"
SWAPPED = "0-5-2-3-4-1"  # an order of its words


def visit(view: str | None = None, scheme: str | None = None, **link: Any) -> AppTest:
    link = {"text": CAT, **link}
    return driver.visit("positions", pos_view=view, pos_scheme=scheme, **link)


def test_one_line_says_what_the_page_is_about() -> None:
    assert len(visit().markdown[0].value) <= 150


# ---- the permutation machine -----------------------------------------------------------------------------------


def test_the_machine_opens_on_the_first_words_as_typed_and_in_any_order_every_word_keeps_its_output() -> None:
    shown = payload(visit(text=None))
    n = len(shown["words"])
    assert shown["words"] == story.TEXT.replace(".", " .").split()[:MAX_WORDS]
    assert (shown["heading"], payload(visit(text="cat"))["heading"]) == ("The first 6 words", "As typed")
    assert shown["order"] == list(range(n))
    assert shown["says"] == "Swap two words on the right: will their numbers change?"
    shown = payload(visit(text=None, pos_order="-".join(map(str, [*range(1, n), 0]))))
    assert max(shown["moved"]) < 1e-5
    assert shown["n_changed"] == 0
    assert shown["says"] == "Not one number changed: every word keeps its own 32, so the order is lost."
    assert np.abs(np.array(shown["after"])[0] - np.array(shown["before"])[1]).max() < 1e-5


def test_of_a_single_word_nobody_is_asked_to_swap_two() -> None:
    at = visit(text="cat")
    assert payload(at)["says"] == "One word has no order. Type a second one."
    assert "Swap two words" not in words(at)


def test_the_numbers_that_changed_are_counted_word_by_word_wherever_it_stands() -> None:
    shown = payload(visit(pos_order="1-0-2-3-4-5", positions="sinusoidal"))
    before, after = np.array(shown["before"]), np.array(shown["after"])
    assert shown["n_changed"] == (np.abs(after - before[[1, 0, 2, 3, 4, 5]]) >= BOUND).sum() > 150


@pytest.mark.parametrize("scheme", [name for name in POSITIONS if name != "none"])
def test_every_scheme_makes_the_model_notice(scheme: str) -> None:
    shown = payload(choose(visit(pos_order=SWAPPED), positions=scheme))
    n_changed = sum(moved >= BOUND for moved in shown["moved"])
    assert n_changed == 6
    assert shown["says"] == f"With {scheme} positions, all 6 words change: now the model sees the order."


def test_the_button_of_the_figure_sets_the_control() -> None:
    assert payload(visit())["told"] == "none"
    streamlit.session_state.clear()
    for is_told, positions_told in ((True, "sinusoidal"), (False, "none")):
        shuffle._tell(is_told)
        assert streamlit.session_state["positions"] == positions_told
    del streamlit.session_state["positions"]


def test_positions_that_are_removed_come_back_as_they_were() -> None:
    at = visit(pos_order=SWAPPED)
    for chosen in ("rotary", "ALiBi"):
        assert payload(choose(at, positions=chosen))["told"] == chosen
        assert payload(choose(at, positions="none"))["told"] == "none"
        streamlit.session_state[shuffle._SCHEME] = at.session_state[shuffle._SCHEME]
        shuffle._tell(True)
        assert streamlit.session_state["positions"] == chosen
    streamlit.session_state.clear()


def test_what_only_rounding_makes_is_none() -> None:
    assert {metric.value for metric in visit(pos_order=SWAPPED).metric} == {"0 (rounding)"}
    assert all(float(metric.value) > 0.1 for metric in visit(positions="sinusoidal", pos_order=SWAPPED).metric)
    assert [shuffle._size(x) for x in (0.0, 9e-6, 2e-5, 0.004, 0.005, 1.284)] == [
        "0 (rounding)",
        "0 (rounding)",
        "<0.01",
        "<0.01",
        "0.01",
        "1.28",
    ]


def test_a_decoder_notices_without_positions() -> None:
    shown = payload(choose(visit(pos_order=SWAPPED), model="Decoder"))
    assert max(shown["moved"]) > 0.1
    n_changed = sum(moved >= BOUND for moved in shown["moved"])
    assert shown["says"].startswith(f"Without positions, {n_changed} of 6 words change: a decoder")


def test_another_seed_is_another_model() -> None:
    at = visit()
    before = payload(at)["before"]
    assert payload(choose(at, seed=1))["before"] != before


def test_a_link_gives_the_order() -> None:
    assert payload(visit(pos_order="5-4-3-2-1-0"))["order"] == [5, 4, 3, 2, 1, 0]
    assert payload(visit(pos_order="0-1-2-3-4-5"))["says"].endswith("will their numbers change?")


@pytest.mark.parametrize("order", ["", "x", "0-1", "0-0-1-2-3-4", "9-1-2-3-4-5", "0-1-2-3-4-٥", "-1", "1" * 5000])
def test_an_order_that_is_none_is_passed_over(order: str) -> None:
    assert payload(visit(pos_order=order))["order"] == list(range(6))


@pytest.mark.parametrize(
    "order",
    [None, "x", [0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4], [0.0, 1, 2, 3, 4, 5], [True, 0, 2, 3, 4, 5], {"a": 1}, [[0]] * 6],
)
def test_an_order_that_a_browser_made_up_is_passed_over(order: object) -> None:
    streamlit.session_state["made_up"] = {"order": order}
    try:
        assert chosen_order("made_up", 6) == tuple(range(6))
        assert [chosen_order("made_up", n) for n in (0, 1)] == [(), (0,)]
    finally:
        del streamlit.session_state["made_up"]


@pytest.mark.parametrize("view", ["Why needed", "Added to the words"])  # the second is a fold of the first
def test_texts_of_every_length(view: str) -> None:
    at = visit(view)
    assert "There is no" in notices(choose(at, text="  "))
    assert not payloads(at)
    assert not at.get("plotly_chart")
    assert notices(choose(at, text="hello")) == ""
    assert "first 512" in notices(choose(at, text="a b " * 300))
    assert notices(choose(at, text="<b>$x$ `y` שלום 👍🏽")) == ""


def test_words_reach_the_machine_as_they_are() -> None:
    assert payload(visit(text="<b> $x$"))["words"] == ["<", "b", ">", "$", "x", "$"]
    assert len(payload(visit(text="a b " * 300))["words"]) == MAX_WORDS


# ---- the code, and adding it -----------------------------------------------------------------------------------


def sent(message: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    """The header and the arrays of what a component was sent."""
    length = int.from_bytes(message[:4], "little")
    head, body = json.loads(message[4 : 4 + length]), message[4 + length :]
    arrays = {
        name: np.frombuffer(body, "<f4", int(np.prod(entry["shape"])), entry["at"]).reshape(entry["shape"])
        for name, entry in head["arrays"].items()
    }
    return head, arrays


def test_the_figure_of_the_code_is_sent_the_table_of_these_settings() -> None:
    at = choose(visit("Sines and cosines"), d_model=9, pos_length=24, base=100)
    head, arrays = sent(payload(at))
    result = positions.waves(24 + 32, 9, 100.0)
    assert np.array_equal(arrays["table"], result.table.astype("f4"))
    assert head["turns"] == result.wavelengths.tolist()
    assert (head["length"], head["d"], head["most"], head["at"]) == (24, 9, 32, 2)


def test_the_limit_of_the_wavelengths_is_shown() -> None:
    assert "47,117" in words(visit("Sines and cosines"))
    assert "62,832" in words(visit("Sines and cosines"))


def test_likeness_rises_at_82_of_199_steps() -> None:
    at = choose(visit("Sines and cosines"), pos_length=200)
    assert "at **82 of the 199** steps" in words(at)
    assert "first at distance **6**" in words(at)
    matrix = charts(at)[0]["data"][0]["z"]
    assert np.array_equal(matrix, positions.similarity(200, 64, 10_000.0).matrix.astype("f4"))


def test_among_few_positions_likeness_never_rises() -> None:
    assert not len(positions.similarity(8, 64, 100.0).rises_at)
    said = words(visit("Sines and cosines", d_model=64, base=100, pos_length=8))
    assert "Among these 8 positions, farther always means less similar." in said
    assert "0 of the 7" not in said
    assert "does not always mean" not in said


def test_an_odd_width_is_said() -> None:
    assert "d_model=9 is odd" in words(visit("Sines and cosines", d_model=9))


def test_two_ways_to_write_the_turns_differ_by_rounding_in_plain_numbers() -> None:
    assert f"They differ by {NOTHING}." in words(visit("Sines and cosines"))


def test_the_sum_and_its_amount() -> None:
    at = choose(visit(**ADDED), pos_amount=0.5, d_model=16)
    token, position, total = (np.array(trace["z"]) for trace in charts(at)[0]["data"])
    assert token.shape == (6, 16)
    assert position == pytest.approx(0.5 * positions.waves(6, 16, 10_000.0).table, abs=1e-6)
    assert np.array_equal(total, token + position)
    other = np.array(charts(choose(at, text="six quite other words are here"))[0]["data"][1]["z"])
    assert np.array_equal(other, position)
    assert "**5 × 6 × 16** + positions **1 × 6 × 16** = **5 × 6 × 16**" in words(choose(at, pos_batch=5))


@pytest.mark.parametrize("factor", ["8", "× 8"])
def test_a_link_names_a_factor_by_its_number_or_as_the_control_says_it(factor: str) -> None:
    at = visit("Other ways", "rotary", pos_rotary="Longer texts", rotary_factor=factor)
    assert driver.control(at, "rotary_factor").value == 8
    assert notices(at) == ""


def test_longer_texts_with_a_stretch() -> None:
    at = visit("Other ways", "rotary", pos_rotary="Longer texts", rotary_stretch="YaRN")
    assert len(questions(at)) == 1
    assert notices(at) == ""
    assert "multiplied by 1.30" in words(at)
    pairs, places = charts(at)
    own = data.stretched_pairs("yarn", 4)
    for trace, shares in zip(pairs["data"], (np.ones(6), own.pace, own.new_before, own.new), strict=True):
        assert np.array(trace["y"]) == pytest.approx(100 * shares)
    rows = re.findall(r"\| (\d+) to (\d+) \| ([\d.]+)% \| \*\*([\d.]+)%\*\* \|", words(at))
    before, after = data.closing_answers(data.AS_TRAINED, 1), data.closing_answers("yarn", 4)
    for (low, high, old, new), answers in zip(rows, [(before, after)] * 3, strict=True):
        for shown, one in zip((old, new), answers, strict=True):
            mean = one.p[(one.place >= int(low)) & (one.place <= int(high))].mean()
            assert float(shown) == pytest.approx(100 * mean, abs=0.051)
    assert [trace["name"] for trace in places["data"]] == ["as trained", "stretched"]
    assert "A factor of 1 stretches nothing" in words(choose(at, rotary_factor=1))


def test_a_model_read_with_other_pairs() -> None:
    at = visit("Other ways", "rotary", pos_rotary="Which pairs")
    assert notices(at) == ""
    assert len(questions(at)) == 1
    trained, read = data.read_with_pairs("interleaved", False), data.read_with_pairs("half", False)
    assert f"| given to the right bracket | {trained.p:.1%} | **{read.p:.1%}** |" in words(at)
    assert read.p < trained.p - 0.05, "the weights are no use with other pairs"
    arcs, maps = charts(at)
    texts = [trace["text"] for trace in arcs["data"] if trace["mode"] == "text"]
    assert texts == [[f"<b>{n}</b>" for n in range(12)]] * 2
    dotted = [trace for trace in arcs["data"] if trace["mode"] == "lines" and trace["line"].get("dash")]
    ends = [np.array(trace["x"], float) for trace in dotted]
    starts = [x[np.flatnonzero(np.isnan(np.append(np.nan, x[:-1])))] if len(x) else x for x in ends]
    assert [list(np.round(x)) for x in starts] == [[], [0, 1, 2, 3, 4, 5]], "every pair as read is a new one"
    planes = np.array(maps["data"][0]["z"], float)
    T = len(trained.weights)
    for plane, one in zip((planes[-T:, :T], planes[-T:, -T:]), (trained, read), strict=True):
        np.testing.assert_allclose(plane[np.tri(T, dtype=bool)], one.weights[np.tri(T, dtype=bool)], atol=1e-6)
    # With the columns in the other order the same pairs are neighbours in training and halves here.
    layout = data.pair_layout("half", True)
    assert layout.order == (0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11)
    assert layout.read == layout.trained == tuple((n, n + 1) for n in range(0, 12, 2))
    again = data.read_with_pairs("half", True)
    np.testing.assert_allclose(again.weights, trained.weights, atol=1e-5)
    assert again.p == pytest.approx(trained.p, abs=1e-5)
    assert data.read_with_pairs("interleaved", True).p < trained.p - 0.05, "two mistakes do not cancel out"


@pytest.mark.parametrize(("amount", "said"), [(1.0, "Neither drowns the other."), (0.0, "The tokens are much louder.")])
def test_who_is_louder(amount: float, said: str) -> None:
    assert said in words(visit(**ADDED, pos_amount=amount))


def test_how_loud_the_tokens_are_follows_from_how_they_are_drawn() -> None:
    """In a table: times √(2 d^a), with a by how rows are drawn and scaled; and the figure's are those of the first."""
    text = "the king and the queen sat at the table " * 6
    at = visit(**ADDED, text=text, d_model=32)
    lines = [line.split("| ")[1:] for line in words(at).splitlines() if line.startswith("| N(0, 1")]
    shown = [[float(cell.split(" ")[0]) for cell in cells[1:]] for cells in lines]
    expected = [[2**0.5 * d**power for d in (32, 512)] for power in (0, -0.5, 0.5, 0)]
    np.testing.assert_allclose(shown, expected, rtol=0.15)
    tokens, codes, _ = (np.array(trace["z"]) for trace in charts(at)[0]["data"])
    assert shown[0][0] == pytest.approx(float(np.sqrt((tokens**2).mean() / (codes**2).mean())), rel=0.15)
    assert "| N(0, 1" not in words(visit())


# ---- other ways, and what they can do ----------------------------------------------------------------------------


def test_the_clocks_are_sent_the_hands() -> None:
    message = payload(choose(visit("Other ways", "rotary"), pos_clocks_n=3, base=100))
    length = int.from_bytes(message[:4], "little")
    head = json.loads(message[4 : 4 + length])
    assert (head["pairs"], head["places"], head["most"]) == (3, 165, 64)
    tables = np.frombuffer(message[4 + length :], "<f4").reshape(2, 165, 3, 2)
    hands = positions.rotary_hands(165, 6, 100.0, 0)
    assert np.array_equal(tables[0], hands.first.astype("f4"))
    assert np.array_equal(tables[1], hands.second.astype("f4"))
    assert head["turns"] == pytest.approx([2 * np.pi * 100 ** (i / 3) for i in range(3)])


def maps_of(at: AppTest) -> bytes:
    """What the maps of all schemes were sent; before them come words that can be moved on (test_moved.py)."""
    return payloads(at)[1]


def test_schemes_side_by_side_are_the_model_s_weights() -> None:
    head, arrays = sent(maps_of(choose(visit("Other ways"), pos_tokens=8, pos_head=2, seed=3)))
    assert [way["name"] for way in head["ways"]] == list(POSITIONS)
    for n, scheme in enumerate(POSITION_SCHEMES):
        assert np.array_equal(arrays["maps"][n], positions.same_word(scheme, 8, d_model=64, n_heads=4, seed=3)[2])


def test_what_is_said_of_a_map_is_what_it_does_when_the_text_is_moved() -> None:
    """Ten words more before the text change nothing among the others where only the distance counts, and much where the
    position does."""
    head, _ = sent(maps_of(visit("Other ways")))
    verdicts = {way["name"]: way["verdict"] for way in head["ways"]}
    assert list(verdicts.values()) == [
        side_by_side.SAME,
        side_by_side.PLACE,
        side_by_side.PLACE,
        side_by_side.DISTANCE,
        side_by_side.DISTANCE,
        side_by_side.NEAR,
    ]
    for name, scheme in zip(POSITIONS, POSITION_SCHEMES, strict=True):
        near = positions.same_word(scheme, 24, d_model=64, n_heads=4, seed=0)[0]
        moved = positions.same_word(scheme, 34, d_model=64, n_heads=4, seed=0)[0][10:, 10:]
        moved = moved / moved.sum(axis=1, keepdims=True)
        assert (np.abs(near - moved).max() < 1e-4) == (verdicts[name] != side_by_side.PLACE), name


def test_the_nearer_the_stronger_is_said_only_where_every_step_away_takes_something() -> None:
    distance = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    falling = np.exp(-0.3 * distance)
    rising = np.exp(-0.3 * np.where(distance == 4, 2, distance))
    assert side_by_side.verdict(falling / falling.sum(1, keepdims=True)) == side_by_side.NEAR
    assert side_by_side.verdict(rising / rising.sum(1, keepdims=True)) == side_by_side.DISTANCE


def test_no_weight_is_said_to_be_0() -> None:
    """Softmax gives every word something, however far ALiBi's has fallen."""
    far = data.same_word(tuple(POSITIONS.values()), 64, 0, 0)[list(POSITIONS).index("ALiBi")]
    assert 0 < side_by_side.beside_itself(far, -32).max() < 0.005
    assert "gives the word 32 back less than 0.01 times the attention" in side_by_side.finding(far, -32)
    learned = np.full((4, 4), 0.25) + np.diag([0.5, -0.1, 0.3], -1)
    learned[1, 0] = 1e-9
    assert side_by_side.verdict(learned) == side_by_side.PLACE
    assert "gives the word 1 back up to 2.2 times the attention" in side_by_side.finding(learned, -1)
    here = np.diag([0.9] * 4) + 1e-9
    here[1, 0] = here[3, 2] = 0.02
    assert side_by_side.verdict(here) == side_by_side.PLACE
    assert "gives the word 1 back less than 0.1 times the attention" in side_by_side.finding(here, -1)


def test_a_share_of_ten_is_written_as_it_is() -> None:
    tenfold = 10.0 ** -np.arange(4)[None].repeat(4, axis=0)
    assert side_by_side.verdict(tenfold) == side_by_side.DISTANCE
    assert "gives the word 1 back 10.00 times the attention" in side_by_side.finding(tenfold, -1)


def test_the_numbers_of_a_finding_are_those_of_the_map_at_one_distance() -> None:
    head, arrays = sent(maps_of(visit("Other ways")))
    ways = {way["name"]: way for way in head["ways"]}
    assert ways["none"]["finding"] == "Every word gives every word the same attention: 1/24 = 0.042."
    assert ways["none"]["ahead"] == 0
    assert ways["sinusoidal"]["ahead"] == ways["learned"]["ahead"] == ways["rotary"]["ahead"], "compared there"
    for name, weights in zip(POSITIONS, arrays["maps"], strict=True):
        if name == "none":
            continue
        finding, ahead = ways[name]["finding"], ways[name]["ahead"]
        assert finding.startswith(f"A word gives the word {abs(ahead)} {'ahead' if ahead > 0 else 'back'} ")
        assert len(finding) < 115, "one line, so that the figure stays where it is from one way to the next"
        beside = np.diagonal(weights / np.diagonal(weights)[:, None], ahead)
        is_one = finding.endswith("the attention that it gives itself, wherever it is.")
        ends = [beside.min()] if is_one else [beside.min(), beside.max()]
        assert [float(number) for number in re.findall(r"\d+\.\d+", finding)] == pytest.approx(ends, abs=0.051)
        assert is_one == (np.ptp(beside) <= 0.01), name
        if name == "ALiBi":  # the nearest would be nearly as strong as the word itself, and prove nothing
            assert beside.max() < 0.7


def test_with_positions_an_order_that_changes_nothing_is_not_called_a_bag_of_words() -> None:
    at = visit("Why needed", text="the cat sat", positions="ALiBi", pos_order="2-1-0")
    assert "With ALiBi positions, no word changes in this order." in str(driver.payloads(at))
    assert "bag of words" not in words(at)


@pytest.mark.parametrize("name", [*POSITIONS, FAR])
def test_a_map_opens_its_way(name: str) -> None:
    streamlit.session_state.clear()
    side_by_side._open(name)
    opened = dict(streamlit.session_state)
    streamlit.session_state.clear()
    if name == "none":
        assert opened == {}
    elif name in ("sinusoidal", FAR):
        assert opened == {"pos_view": "Too far" if name == FAR else "Sines and cosines"}
    else:
        assert opened == {"pos_view": "Other ways", "pos_scheme": name}
        assert name in other_ways.SCHEMES


def test_a_learned_table_says_its_own_refusal() -> None:
    at = choose(visit("Other ways", "learned"), pos_rows=16, pos_used=5)
    assert "“the learned table has 16 positions, but the text needs 17" in words(at).replace("\\", "")
    gradient = charts(at)[1]["data"][0]["x"]
    assert (np.array(gradient) > 0).tolist() == [True] * 5 + [False] * 11
    at = choose(at, pos_offset=2)
    assert (np.array(charts(at)[1]["data"][0]["x"]) > 0).tolist() == [False] * 2 + [True] * 5 + [False] * 11
    assert "trains rows 2 to 6" in words(at)


@pytest.mark.parametrize("heads", [1, 3, 16])
@pytest.mark.parametrize("scheme", ["T5 relative", "ALiBi"])
def test_planes_of_any_number_of_heads(scheme: str, heads: int) -> None:
    tiles, by_distance = charts(choose(visit("Other ways", scheme), heads=heads))
    assert len(tiles["layout"]["annotations"]) == heads
    data = by_distance["data"]
    assert (len(data) if scheme == "ALiBi" else len(data[0]["z"])) == heads


@pytest.mark.parametrize(
    ("scheme", "sure"), [("none", False), ("sinusoidal", True), ("learned", True), ("rotary", True)]
)
def test_looking_back(scheme: str, sure: bool) -> None:
    at = choose(visit("Sines and cosines", pos_look="true"), positions=scheme, pos_back=5, pos_sharp=32)
    on, beyond, chance = (metric.value for metric in at.metric)
    assert float(chance) == 0.04
    assert (float(on) > 0.9) is sure
    weights = charts(at)[1]["data"][0]["z"]
    T = look_back.T
    assert float(on) == pytest.approx(np.diagonal(weights, -5)[: T - 5].mean(), abs=0.02)
    if scheme == "learned":
        assert beyond == "no row"
        assert np.isnan(weights[T:]).all()
        assert np.isnan(weights[:, T:]).all()
        assert np.nansum(weights[:T], axis=1) == pytest.approx(1)
    else:
        assert float(beyond) == pytest.approx(np.diagonal(weights, -5)[T - 5 :].mean(), abs=0.006)
        assert (float(beyond) > 0.9) is sure


# ---- links -----------------------------------------------------------------------------------------------------


def test_the_switches_have_these_views_and_no_others() -> None:
    switch, inner = (driver.control(visit("Other ways", "rotary"), key) for key in ("pos_view", "pos_scheme"))
    assert switch.options == ["Why needed", "Sines and cosines", "Other ways", "Too far"]
    assert inner.options == [scheme for _, scheme in VIEWS if scheme]


def test_nonsense_for_the_view_itself() -> None:
    assert values(visit("zzz"))["pos_view"] == "Why needed"
    assert values(visit("Other ways", "zzz"))["pos_scheme"] == "side by side"
    assert "pos_scheme" not in values(visit("Other ways"))


OLD_LINKS = [
    ("Shuffle", {}, "Why needed", {}),
    ("The code", {"d_model": "32"}, "Sines and cosines", {"d_model": 32}),
    ("Waves", {}, "Sines and cosines", {"d_model": 64, "pos_length": 64, "base": 10_000}),
    ("Waves", {"d_model": "48", "pos_length": "100"}, "Sines and cosines", {"d_model": 48, "pos_length": 100}),
    ("Clocks", {}, "Sines and cosines", {"d_model": 16, "pos_length": 128}),
    ("Clocks", {"pos_clocks_n": "4", "base": "1000"}, "Sines and cosines", {"d_model": 8, "base": 1_000}),
    ("Distance", {"d_model": "32"}, "Sines and cosines", {"d_model": 32, "pos_length": 200}),
    ("Distance", {"pos_length": "32", "pos_anchor": "9"}, "Sines and cosines", {"pos_length": 32}),
    ("Schemes", {"pos_scheme": "rotary"}, "Other ways", {"pos_scheme": "rotary"}),
    ("Look back", {"pos_back": "5"}, "Sines and cosines", {"pos_back": 5}),
    ("What they can do", {"positions": "rotary"}, "Sines and cosines", {"positions": "rotary"}),
    ("What they can do", {"pos_trained": "32"}, "Too far", {}),
    ("Too far", {"pos_trained": "16", "pos_times": "4"}, "Too far", {}),
    ("Too far", {"pos_scheme": "too far"}, "Too far", {}),
    ("Other ways", {"pos_far": "true"}, "Too far", {}),
    ("Other ways", {"pos_scheme": "too far"}, "Too far", {}),
    ("Schemes", {"pos_scheme": "too far"}, "Too far", {}),
    ("Sum", {"pos_batch": "3"}, "Why needed", {"pos_batch": 3}),
    ("Added to the words", {"pos_amount": "0.5"}, "Why needed", {"pos_amount": 0.5}),
]


@pytest.mark.few(5)
@pytest.mark.parametrize(("old", "link", "new", "there"), OLD_LINKS)
def test_an_old_link_opens_the_new_place_with_its_numbers(old: str, link: dict, new: str, there: dict) -> None:
    at = driver.visit("positions", pos_view=old, **link)
    shown = values(at)
    assert shown["pos_view"] == new
    assert {key: shown[key] for key in there} == there
    assert notices(at) == ""


@pytest.mark.parametrize(("old", "at"), [("Waves", 2), ("Clocks", 2), ("Distance", 0)])
def test_the_position_chosen_at_first_is_that_of_the_old_view(old: str, at: int) -> None:
    shown = visit(old)
    assert int(shown.query_params.get("pos_anchor", [sent(payload(shown))[0]["at"]])[0]) == at


def test_a_link_restores_what_was_chosen() -> None:
    link = {"d_model": "48", "pos_length": "100", "base": "100"}
    at = visit("Sines and cosines", **link)
    assert {name: str(values(at)[name]) for name in link} == link
    assert notices(at) == ""


@given(data=st.data())
@examples(8)
@pytest.mark.wide
def test_any_choice_of_any_view_is_drawn(data: st.DataObject) -> None:
    view, scheme = data.draw(st.sampled_from(NAMES))
    at = visit(view, scheme)
    for _ in range(3):
        widgets = {str(w.key): w for kind in CHOICES for w in at.get(kind)}
        widget = widgets[data.draw(st.sampled_from(sorted(widgets)))]
        kinds = {str(option): option for option in options(widget)}
        at = widget.set_value(kinds[data.draw(st.sampled_from(sorted(kinds)))]).run()
        assert charts(at) or payloads(at)


def test_alibi_says_what_it_cannot_tell() -> None:
    shown = words(visit("Other ways", "ALiBi"))
    assert "cannot tell a text from its reversal" in shown
    assert f"what comes out for each word differs by {NOTHING}" in shown
