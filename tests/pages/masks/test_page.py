"""The masks page as the server runs it: every view, every control, every link, down to the numbers that are sent."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.masks.components.mask_brush import MOST, fitted, pack, unpack
from pages.masks.panels import NAMES
from pages.shared import controls
from pages.shared.readers import VOCABULARY
from tests.pages.driver import open_page
from transformer.inspection import masks
from transformer.training.text import hashed_ids, words

APP = Path(__file__).parents[3] / "app.py"
KINDS = ("segmented_control", "select_slider", "selectbox", "text_input")
SIX = "one two three four five six"
QUERY, KEY = np.indices((6, 6))
HOLE = np.tri(6, dtype=bool)
HOLE[1, 4] = True


def visit(**link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    return open_page(at, "masks").run()


def choose(at: AppTest, **values) -> AppTest:
    for key, value in values.items():
        (widget,) = [w for kind in KINDS for w in at.get(kind) if w.key == key]
        at = widget.set_value(value).run()
    return at


def said(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.text)


def read(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.markdown)


def brush(at: AppTest) -> dict:
    assert not at.exception
    (view,) = at.get("bidi_component")
    return json.loads(view.proto.json)


def panels(at: AppTest) -> dict[str, dict]:
    """Its panels by title, their numbers and cells as matrices."""
    out = {}
    for panel in brush(at)["panels"]:
        shape = len(panel["queries"]), len(panel["keys"])
        for name in ("values", "mask"):
            if panel[name] is not None:
                dtype = bool if name == "mask" else float
                panel[name] = np.array(panel[name], dtype).reshape(shape)
        out[panel["title"]] = panel
    return out


def figure(at: AppTest) -> dict:
    assert not at.exception
    (chart,) = at.get("plotly_chart")
    return json.loads(chart.proto.spec)


def array(value) -> np.ndarray:
    if isinstance(value, dict):
        flat = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        return flat.reshape([int(n) for n in value["shape"].split(",")]) if "shape" in value else flat
    return np.array(value)


# ---- the short string of a mask --------------------------------------------------------------------------------


@given(st.integers(1, MOST), st.randoms(use_true_random=False))
def test_a_mask_and_its_string(T, dice):
    mask = np.array([dice.random() < 0.5 for _ in range(T * T)]).reshape(T, T)
    assert np.array_equal(unpack(pack(mask)), mask)
    assert len(pack(mask)) < 100


@given(st.one_of(st.text(), st.from_regex(r"[0-9]{1,3}\.[A-Za-z0-9_=-]{0,99}", fullmatch=True), st.none(), st.binary()))
def test_what_is_no_mask_is_none(code):
    mask = unpack(code)
    assert mask is None or pack(mask) == code


@pytest.mark.parametrize(
    "code",
    [
        "",
        "2",
        "2.",
        "2.8A\n",
        "2.8",
        "2.8AA",
        "2.8B",
        "0.",
        "02.8A",
        "25." + "A" * 105,
        "-2.8A",
        "2.8A=",
        "²․8A",
        "2.8é",
    ],
)
def test_near_masks_are_none(code):
    assert unpack("2.8A") is not None
    assert unpack(code) is None


def test_a_mask_too_large_to_paint_is_none():
    assert unpack(pack(np.ones((MOST, MOST), bool))) is not None
    assert unpack(pack(np.ones((MOST + 1, MOST + 1), bool))) is None


@pytest.mark.parametrize("T", [1, 4, 6, 9])
def test_a_painted_mask_fits_another_text(T):
    out, kept = fitted(HOLE, T), min(T, 6)
    assert np.array_equal(out[:kept, :kept], HOLE[:kept, :kept])
    assert np.array_equal(out[kept:], np.tri(T, dtype=bool)[kept:])


# ---- paint -----------------------------------------------------------------------------------------------------


def test_the_first_visit_shows_a_finished_example():
    at = visit()
    seen = panels(at)
    assert at.title[0].value == "Who may look at whom?"
    assert list(seen) == ["Mask", "Scores", "Masked scores", "Weights"]
    assert all(panel["queries"] == words(controls.EXAMPLES[0]) for panel in seen.values())
    assert np.array_equal(seen["Mask"]["mask"], np.tri(11, dtype=bool))
    assert said(at) == ""
    assert brush(at)["paint"] is True


MASKS = {
    "none": KEY >= 0,
    "causal": KEY <= QUERY,
    "window": abs(QUERY - KEY) < 3,
    "causal window": (KEY <= QUERY) & (QUERY - KEY < 3),
    "causal prefix": (KEY <= QUERY) | (KEY < 3),
    "padding": KEY < 3,
}


@pytest.mark.parametrize("name", MASKS)
def test_every_mask_by_name(name):
    seen = panels(choose(visit(text=SIX), mask=name))
    mask = MASKS[name]
    assert np.array_equal(seen["Mask"]["mask"], mask)
    assert np.array_equal(seen["Weights"]["mask"], mask)
    assert np.all(seen["Weights"]["values"][~mask] == 0)
    assert np.allclose(seen["Weights"]["values"].sum(1), 1, atol=1e-5)
    assert np.isnan(seen["Masked scores"]["values"][~mask]).all()
    assert np.array_equal(seen["Masked scores"]["values"][mask], seen["Scores"]["values"][mask])
    exp = np.where(mask, np.exp(seen["Scores"]["values"]), 0)
    assert np.allclose(seen["Weights"]["values"], exp / exp.sum(1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("span", [1, 2, 32])
def test_the_span_reaches_the_mask(span):
    at = choose(visit(text=SIX), mask="causal window", span=span)
    assert np.array_equal(panels(at)["Mask"]["mask"], (KEY <= QUERY) & (KEY + span > QUERY))


def test_a_link_restores_a_painted_mask():
    at = visit(text=SIX, mask="painted", painted=pack(HOLE))
    assert np.array_equal(panels(at)["Mask"]["mask"], HOLE)
    assert panels(at)["Weights"]["values"][1, 4] > 0
    assert at.query_params["painted"] in (pack(HOLE), [pack(HOLE)])
    assert said(at) == ""


@pytest.mark.parametrize("code", ["", "x", "6.AAAA", "99." + "A" * 100, "<b>", "a" * 5000])
def test_a_painted_mask_that_cannot_be_read_is_said(code):
    at = visit(text=SIX, mask="painted", painted=code)
    assert np.array_equal(panels(at)["Mask"]["mask"], KEY <= QUERY)
    assert said(at) == "You see the causal mask: the painted one in the link cannot be read."


def test_a_painted_mask_of_another_length_is_fitted_and_said():
    at = visit(text=SIX, mask="painted", painted=pack(np.zeros((2, 2), bool)))
    assert "painted for 2 tokens" in said(at)
    mask = fitted(np.zeros((2, 2), bool), 6)
    assert np.array_equal(panels(at)["Mask"]["mask"], mask)
    assert at.query_params["painted"] in (pack(mask), [pack(mask)]), "the link has what is on screen"


def test_painting_begins_with_what_was_on_screen():
    at = choose(visit(text=SIX), mask="window", span=2)
    at = choose(at, mask="painted")
    assert np.array_equal(panels(at)["Mask"]["mask"], abs(QUERY - KEY) < 2)
    at = choose(at, mask="causal")
    assert "painted" not in at.query_params
    assert np.array_equal(panels(choose(at, mask="painted"))["Mask"]["mask"], abs(QUERY - KEY) < 2), "it was kept"


def test_a_row_with_nothing_allowed_weighs_nothing():
    mask = HOLE.copy()
    mask[3] = False
    weights = panels(visit(text=SIX, mask="painted", painted=pack(mask)))["Weights"]["values"]
    assert np.all(weights[3] == 0)
    assert np.allclose(np.delete(weights, 3, 0).sum(1), 1, atol=1e-5)


def test_read_upside_down():
    at = choose(visit(text=SIX), masks_true="may not")
    seen = panels(at)
    assert np.array_equal(seen["Mask"]["mask"], KEY <= QUERY)
    assert np.array_equal(seen["Weights"]["mask"], KEY > QUERY)
    assert np.array_equal(seen["Weights"]["values"] > 0, KEY > QUERY)
    assert "`~mask`" in read(at)


# ---- leaks -----------------------------------------------------------------------------------------------------


def moved_in(at: AppTest) -> tuple[set, set]:
    """(moved, predicted) as the ladder draws them: sets of (height, token)."""
    dots = {}
    for trace in figure(at)["data"]:
        x, y = (array(trace.get(axis, [])) for axis in "xy")
        dots[trace.get("name")] = {(int(b), int(a)) for a, b in zip(x, y, strict=True) if a is not None}
    return dots["moved"] | dots["edited"], dots["predicted"] | dots["edited"]


def leaks(**link) -> AppTest:
    return visit(text=SIX, masks_view="Leaks", **link)


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("layers", [1, 2])
def test_what_moves_is_what_the_mask_predicts(name, layers):
    at = leaks(mask=name, layers=str(layers), masks_edit="3")
    moved, predicted = moved_in(at)
    assert moved == predicted
    reach = masks.reach(MASKS[name], layers)[:, 2]
    assert {token for height, token in moved if height == layers} == set(np.flatnonzero(reach))
    assert f"predicts that **{reach.sum()}** move. In the model :blue[**{reach.sum()}**] did. They agree." in read(at)


def test_a_hole_leaks():
    moved, _ = moved_in(leaks(mask="causal", masks_edit="5", layers="1"))
    assert {token for height, token in moved if height == 1} == {4, 5}
    moved, predicted = moved_in(leaks(mask="painted", painted=pack(HOLE), masks_edit="5", layers="2"))
    assert {token for height, token in moved if height == 2} == {1, 2, 3, 4, 5}
    assert moved == predicted


def test_layers_needed_are_shown():
    needed = panels(leaks(mask="causal window", span="2"))["Layers until it is heard"]
    assert np.array_equal(needed["mask"], KEY <= QUERY)
    assert np.array_equal(needed["values"][needed["mask"]], (QUERY - KEY)[KEY <= QUERY])
    assert "every output is connected to every input, but it takes 5 layers" in read(leaks(mask="window", span="2"))
    assert "every output is connected to every input, in one layer" in read(leaks(mask="none"))
    assert "21 of the 36 pairs are ever connected, in 1 layer at most" in read(leaks(mask="causal"))


def test_the_edited_token_is_marked():
    assert brush(leaks(masks_edit="2"))["marked"] == 1
    assert ":orange[**two**] becomes :orange[**dragon**]" in read(leaks(masks_edit="2"))


@pytest.mark.parametrize(
    ("word", "sentence"),
    [("", "nothing is edited"), ("three", "nothing can move"), ("a b", "One token becomes one token: “a”.")],
)
def test_words_that_edit_nothing_or_too_much(word, sentence):
    at = choose(leaks(masks_edit="3"), masks_word=word)
    assert sentence in said(at)
    moved, predicted = moved_in(at)
    assert moved - {(0, 2)} == predicted - {(0, 2)}
    assert (len(moved) > 1) == (word == "a b")


@pytest.mark.parametrize("word", ["<b>x</b>", "$x$", ":red[x]", "👩‍🚀", "x" * 5000])
def test_any_word_can_be_put_in(word):
    at = choose(leaks(), masks_word=word)
    assert "They agree." in read(at)


def test_a_new_word_whose_hash_is_the_old_ones_is_another_token_all_the_same():
    old = hashed_ids(["three"], VOCABULARY)
    twin = next(word for n in range(100_000) if hashed_ids([word := f"w{n}"], VOCABULARY) == old)
    moved, _ = moved_in(choose(leaks(masks_edit="3"), masks_word=twin))
    assert len(moved) > 1


def test_an_edit_past_the_end_is_the_nearest():
    at = leaks(masks_edit="6")
    assert brush(at)["marked"] == 5
    assert said(choose(at, text="one two three")) == "You see 3: the text has 3 tokens, so there is no token 6."


# ---- blocked rows ----------------------------------------------------------------------------------------------


def fills(**link) -> tuple[AppTest, list]:
    at = visit(text=SIX, masks_view="Blocked rows", **link)
    return at, figure(at)["data"][0]["text"]


def test_a_blocked_row_three_ways():
    at, text = fills()
    assert text == [["NaN"] * 6, [".167"] * 6, ["0"] * 6]
    table = read(at)
    assert "| **−∞** | NaN | NaN | NaN |" in table
    assert "| **−1e9** | 1 | 3.5 | finite |" in table
    assert "| **ours** | 0 | 0 | finite |" in table


def test_half_precision_has_no_minus_billion():
    at, text = fills(masks_precision="float16")
    assert text == [["NaN"] * 6, [""] * 6, ["0"] * 6]
    assert "without overflow" in read(at)
    assert fills(masks_precision="bfloat16")[1][1] == [".167"] * 6


@pytest.mark.parametrize("n", [1, 3, 6])
def test_one_open_key_and_all_agree(n):
    _, text = fills(masks_allowed=str(n))
    assert text[0] == text[1] == text[2]
    assert text[0][n:] == ["0"] * (6 - n)
    assert "0" not in text[0][:n]


# ---- three attentions ------------------------------------------------------------------------------------------


def three(**link) -> AppTest:
    return visit(text=SIX, masks_view="Three attentions", target="un deux", **link)


@pytest.mark.parametrize("pads", [0, 1, 4])
def test_three_attentions_and_their_masks(pads):
    seen = panels(three(masks_pads=str(pads)))
    encoder, decoder, cross = (seen[title]["values"] for title in ("Encoder self", "Decoder self", "Cross"))
    S, T = 6 + pads, 3
    assert (encoder.shape, decoder.shape, cross.shape) == ((S, S), (T, T), (T, S))
    for weights in (encoder, cross):
        assert np.all(weights[:, :6] > 0)
        assert np.all(weights[:, 6:] == 0)
    assert np.array_equal(decoder > 0, np.tri(T, dtype=bool))
    assert decoder[0].tolist() == [1, 0, 0]
    assert seen["Cross"]["queries"] == ["⟨start⟩", "un", "deux"]
    assert seen["Cross"]["keys"] == [*SIX.split(), *["⟨pad⟩"] * pads]


@pytest.mark.parametrize(("which", "shape"), [("Encoder self", (8, 8)), ("Decoder self", (3, 3)), ("Cross", (3, 8))])
def test_one_attention_with_all_its_heads(which, shape):
    from tests.payloads import recomputed, unpack

    at = three(masks_which=which)
    payload = unpack(at.get("bidi_component")[0].proto.bytes)
    assert payload.arrays["weights"].shape == (2, 4, *shape)
    assert np.allclose(recomputed(payload), payload.arrays["weights"], atol=1e-5)


def test_no_target_is_said():
    assert "no target" in said(choose(three(), target=""))


def test_a_long_target_is_cut_and_said():
    at = choose(three(), target="la " * 40)
    assert panels(at)["Cross"]["values"].shape == (MOST, 8)
    assert f"The first {MOST - 1} tokens of the target are shown; 17 are left out." in said(at)


# ---- batches ---------------------------------------------------------------------------------------------------


def batch(**link) -> AppTest:
    return visit(text="a much longer sentence stands here now", masks_view="Batches", **link)


def test_a_batch_is_each_sentence_alone():
    at = batch()
    seen = panels(at)
    assert [len(panel["queries"]) for panel in seen.values()] == [7, 7, 7]
    assert np.all(seen["Sentence 2"]["values"][:, 6:] == 0)
    assert np.all(seen["Sentence 3"]["values"][:, 1:] == 0)
    assert "the same but for rounding" in read(at)
    assert r"\underbrace{(3, 1, 1, 7)}_{\text{padding}}" in at.latex[0].value


def test_without_the_padding_mask_it_is_not():
    at = choose(batch(), masks_padding="off")
    assert "**not** the same" in read(at)
    assert all(panel["mask"] is None for panel in panels(at).values())
    assert "the same but for rounding" in read(choose(at, model="Decoder")), "padding is the future"


def test_a_decoder_has_both_masks():
    at = batch(model="Decoder")
    latex = at.latex[0].value
    assert r"(3, 1, 1, 7)" in latex
    assert r"(7, 7)" in latex
    assert r"(3, 4, 7, 7)" in latex
    assert np.array_equal(panels(at)["Sentence 1"]["mask"], np.tri(7, dtype=bool))


# ---- wiring ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ports", "verdict", "heard"),
    [
        (("decoder", "encoder", "encoder"), "This is **cross-attention**: 6 vectors ask", "decoder and encoder"),
        (("decoder", "decoder", "decoder"), "This is **decoder self-attention**: 6 vectors", "decoder"),
        (("encoder", "encoder", "encoder"), "This is **encoder self-attention**: 7 vectors", "encoder"),
        (("encoder", "decoder", "decoder"), "**7 vectors come out, and the decoder has 6**", "decoder and encoder"),
        (("decoder", "encoder", "decoder"), "for each of 7 keys, but there are 6 values", ""),
    ],
)
def test_what_a_wiring_is_or_why_it_is_none(ports, verdict, heard):
    link = dict(zip(("wire_queries", "wire_keys", "wire_values"), ports, strict=True))
    at = visit(text=f"{SIX} seven", masks_view="Wiring", **link)
    (line,) = [text.value for text in at.markdown if verdict in text.value]
    assert ("depends on" in line) == bool(heard)
    assert not heard or f"depends on: {heard}, by its gradient" in line
    drawing = json.loads(at.get("plotly_chart")[0].proto.spec)
    ways = {trace["name"]: trace for trace in drawing["data"]}
    assert [ways[name]["y"][0] for name in ("queries", "keys", "values")] == [float(p == "encoder") for p in ports]
    is_right = "This is" in verdict
    assert (ways["output"]["line"]["dash"] == "solid") == is_right


def test_with_equal_lengths_wrong_wiring_runs():
    at = visit(text=SIX, masks_view="Wiring", wire_keys="decoder")
    assert any("It runs, and is wrong" in text.value for text in at.markdown)


# ---- any text, any link ----------------------------------------------------------------------------------------

VIEWS = ("Paint a mask", "Leaks", "Blocked rows", "Three attentions", "Wiring", "Batches")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", ["hello", "a b " * 300, "<b>$x$</b> 👍🏽 שלום :red[x] |", "same same same"])
def test_every_view_of_any_text(view, text):
    at = visit(masks_view=view, text=text)
    assert ("more are left out" in said(at)) == (len(words(text)) > MOST)
    if len(words(text)) > MOST:
        assert f"The first {MOST} tokens are shown; {600 - MOST} more are left out" in said(at)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", ["", " \t", "\u200b"])
def test_no_word_is_said(view, text):
    at = choose(visit(masks_view=view), text=text)
    assert said(at) == "There is no word to look at yet. Type a sentence, or pick one of the examples."


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("asked", ["x", "-1", "9" * 40, "<b>", "٣"])
def test_nonsense_in_a_link_falls_back_and_is_said(view, asked):
    names = {
        "Paint a mask": ("mask", "masks_true"),
        "Leaks": ("mask", "masks_edit", "layers"),
        "Blocked rows": ("masks_allowed", "masks_precision"),
        "Three attentions": ("masks_pads", "masks_which"),
        "Wiring": ("wire_queries", "wire_keys", "wire_values"),
        "Batches": ("model", "masks_padding"),
    }[view]
    lines = said(visit(masks_view=view, **dict.fromkeys(names, asked))).splitlines()
    assert len(lines) == len(names)
    assert all(line.startswith("You see ") for line in lines)


def test_an_unknown_view_is_the_first():
    at = visit(masks_view="banana")
    assert list(panels(at)) == ["Mask", "Scores", "Masked scores", "Weights"]
    assert said(at) == "You see Paint a mask: masks_view cannot be banana."


def test_every_mask_of_the_heads_page_is_known_here():
    assert {name for names in controls.MASKS.values() for name in names} <= set(NAMES)
