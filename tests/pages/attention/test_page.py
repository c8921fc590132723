"""The attention page as the server runs it: every way, every control, every link, and what is typed into a matrix."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.attention import views as weight
from tests.pages.driver import open_page
from transformer.inspection.steps import LIMIT, drawn, steps
from transformer.masks import causal

APP = Path(__file__).parents[3] / "app.py"
KINDS = ("segmented_control", "select_slider", "selectbox", "text_input", "radio")


def visit(**link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    return open_page(at, "attention").run()


def bench(at: AppTest) -> dict:
    assert not at.exception
    (view,) = at.get("bidi_component")
    return json.loads(view.proto.json)


def stages(at: AppTest) -> dict[str, np.ndarray]:
    return {s["name"]: np.array(s["rows"], dtype=float) for s in bench(at)["stages"]}  # None becomes NaN


def said(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.text)


def widget(at: AppTest, key: str):
    (found,) = [w for kind in KINDS for w in at.get(kind) if w.key == key]
    return found


def choose(at: AppTest, **values) -> AppTest:
    for key, value in values.items():
        at = widget(at, key).set_value(value).run()
    return at


def test_the_first_visit_is_a_finished_example():
    at = visit()
    assert at.title[0].value == "How is one attention weight made?"
    assert said(at) == ""
    truth = steps(*weight.SMALL)
    for name, matrix in stages(at).items():
        np.testing.assert_allclose(matrix, truth.stages[name], atol=1e-8)
    assert list(stages(at)) == ["scores", "scaled", "weights", "output"]
    assert bench(at)["limit"] == LIMIT == weight.LIMIT


def test_random_numbers_and_their_seed():
    at = choose(visit(), att_on="random numbers", seed=7)
    np.testing.assert_allclose(stages(at)["weights"], steps(*drawn(7)).stages["weights"], atol=1e-8)


def test_the_mask_adds_a_stage():
    at = choose(visit(), mask="causal")
    truth = steps(*weight.SMALL, causal(3).numpy())
    assert list(stages(at)) == ["scores", "scaled", "masked", "weights", "output"]
    assert np.isnan(stages(at)["masked"][0]).tolist() == [False, True, True]
    np.testing.assert_allclose(stages(at)["output"], truth.stages["output"], atol=1e-8)


def test_a_sentence_in_every_head():
    at = choose(visit(), att_on="a sentence")
    first = stages(at)
    assert first["weights"].shape == (11, 11)
    assert first["output"].shape == (11, 16)
    assert bench(at)["limit"] is None
    np.testing.assert_allclose(first["weights"].sum(1), 1, atol=1e-6)
    q, k = (np.array(bench(at)["matrices"][name]) for name in "qk")
    np.testing.assert_allclose(q @ k.T, first["scores"], atol=1e-4)
    assert np.abs(stages(choose(at, att_head=2))["weights"] - first["weights"]).max() > 0.01
    assert np.abs(stages(choose(at, seed=3))["weights"] - first["weights"]).max() > 0.01
    at = choose(at, text="two words")
    assert bench(at)["labels"] == ["two", "words"]


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        ("", 0, "There is no word to look at yet"),
        ("alone", 1, "A single word can only look at itself"),
        (" ".join(f"w{n}" for n in range(600)), 32, "568 more are left out"),
        ("<b>*bold*</b> $x$", None, ""),
    ],
)
@pytest.mark.parametrize("way", ["Step by step", "Softmax"])
def test_texts_of_every_length(text, tokens, words, way):
    at = visit(att_on="a sentence", text=text, att_way=way)
    assert words in said(at)
    if way == "Step by step" and tokens:
        assert stages(at)["weights"].shape == (tokens, tokens)


@pytest.mark.parametrize("way", weight.WAYS)
def test_every_way_opens_alone(way):
    at = visit(att_way=way)
    assert not at.exception
    components = [b.proto.component_name for b in at.get("bidi_component")]
    expected = {
        "Step by step": (["attention_lab.attention_steps"], 0),
        "Softmax": ([], 2),
        "Mix of values": (["attention_lab.shares"], 0),
        "Saturation": ([], 3),
        "Guess the row": (["attention_lab.shares"], 0),
    }
    assert (components, len(at.get("plotly_chart"))) == expected[way]


def test_every_way_can_be_reached_from_every_other():
    at = visit()
    for way in (*reversed(weight.WAYS), *weight.WAYS):
        at = choose(at, att_way=way)
        assert not at.exception


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"att_way": "nonsense"}, "You see Step by step: att_way cannot be nonsense."),
        ({"att_on": "fire"}, "You see small numbers"),
        ({"mask": "window"}, "this page has no mask window"),
        ({"att_way": "Saturation", "att_dk": "3"}, "You see 64: att_dk cannot be 3."),
        ({"att_way": "Guess the row", "att_puzzle": "-1"}, "You see 1"),
        ({"att_q": "1,2"}, "You see the usual Q"),
        ({"att_v": "nan,0,0,0;0,0,0,0;0,0,0,0"}, "You see the usual V"),
        ({"att_k": "1e9,0,0,0;0,0,0,0;0,0,0,0"}, "You see the usual K"),
        ({"att_k": "x" * 9999}, "You see the usual K"),
    ],
)
def test_nonsense_in_a_link_falls_back_and_says_so(link, words):
    at = visit(**link)
    assert words in said(at)


def test_a_matrix_in_the_link_is_taken():
    at = visit(att_q="9,0,0,0;0,-2.5,0,0;0,0,0,0")
    assert bench(at)["matrices"]["q"] == [[9, 0, 0, 0], [0, -2.5, 0, 0], [0, 0, 0, 0]]
    assert "9,0,0,0;0,-2.5,0,0;0,0,0,0" in at.query_params["att_q"]
    at = at.button(key="att_undo").click().run()
    assert bench(at)["matrices"]["q"] == [list(row) for row in weight.SMALL[0]]
    assert "att_q" not in at.query_params


def test_matrices_survive_the_link():
    rows = ((1.0, -0.5, 99.25, 0.1), (0.0, 1e-05, 2.0, 3.0), (-100.0, 100.0, 0.0, 0.3))
    assert weight.read_matrix(weight.write_matrix(rows), 3, 4) == rows


def test_an_edit_changes_one_number():
    q, k, v = weight.edit(["k", 2, 1, "-3.5"], weight.SMALL)
    assert (q, v) == (weight.SMALL[0], weight.SMALL[2])
    assert k[2] == (1.0, -3.5, 1.0, 0.0)
    assert k[:2] == weight.SMALL[1][:2]


@pytest.mark.parametrize(
    "asked",
    [
        None, "k", ["k", 0, 0], ["x", 0, 0, "1"], ["k", 3, 0, "1"], ["k", 0, -1, "1"], ["k", 0, 0, "nan"],
        ["k", 0, 0, "inf"], ["k", 0, 0, "101"], ["k", 0, 0, "one"], ["k", 0, 0, 1], ["k", "0", 0, "1"],
        ["k", 0, 0, "1" * 99],
    ],
)  # fmt: skip
def test_what_may_not_be_typed_is_dropped(asked):
    assert weight.edit(asked, weight.SMALL) is None


def test_softmax_along_the_wrong_axis_says_so():
    at = visit(att_way="Softmax")
    assert said(at) == ""
    at = choose(at, att_axis="queries")
    assert "Wrong axis" in said(at)
    wrong = np.exp(steps(*weight.SMALL).stages["scaled"])
    assert f"adds up to {(wrong / wrong.sum(0)).sum(1)[0]:.2f}" in said(at)


def z_of(at: AppTest) -> str:
    return json.dumps(json.loads(at.get("plotly_chart")[0].proto.spec)["data"][0]["z"])


def test_temperature_changes_the_map_and_adding_does_not():
    at = visit(att_way="Softmax", mask="causal")
    first = z_of(at)
    assert z_of(choose(at, att_t=0.25)) != first
    at = choose(visit(att_way="Softmax"), att_add=50)
    added, plain = (np.array(softmax_z(a)) for a in (at, visit(att_way="Softmax")))
    np.testing.assert_allclose(added, plain, atol=1e-12)


def softmax_z(at: AppTest) -> np.ndarray:
    import base64

    z = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][0]["z"]
    return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"])


def test_saturation_says_its_numbers():
    at = choose(visit(att_way="Saturation"), att_dk=1024)
    text = "\n".join(m.value for m in at.markdown)
    assert "At d_k = 1024, not divided" in text
    assert "(expected: 1024)" in text
    at = choose(at, att_scaling="divided by √d_k")
    assert "the entropy is **0.85** of 1" in "\n".join(m.value for m in at.markdown)


def test_a_guess_is_judged_and_the_next_puzzle_is_fresh():
    at = visit(att_way="Guess the row")
    (view,) = at.get("bidi_component")
    data = json.loads(view.proto.json)
    assert data["truth"] is None, "the truth is not sent before it is asked for"
    assert data["columns"] is None
    at.session_state["_att_guess"] = (1, (2 / 7, 1 / 7, 4 / 7))
    at = at.run()
    assert "**0% of your attention is on the wrong key.**" in "\n".join(m.value for m in at.markdown)
    (view,) = at.get("bidi_component")
    assert json.loads(view.proto.json)["truth"] == pytest.approx([2 / 7, 1 / 7, 4 / 7])
    at = at.button(key="att_next").click().run()
    assert widget(at, "att_puzzle").value == 2
    (view,) = at.get("bidi_component")
    assert json.loads(view.proto.json)["truth"] is None


def test_every_check_can_be_answered():
    for way in weight.WAYS[:4]:
        at = visit(att_way=way)
        (radio,) = at.get("radio")
        at = radio.set_value(radio.options[0]).run()
        assert any("**Yes.**" in m.value for m in at.markdown)
