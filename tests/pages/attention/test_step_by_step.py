"""Step by step: every stage on screen is that of inspection.steps, and what is typed into a matrix is checked."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab.kit import story
from lab.kit.models.references import Shipped, Untrained
from pages.attention import data, matrices
from pages.attention.matrices import SMALL
from tests.pages.driver import choose, control, notices, payload, press, visit, words
from transformer.core.config import TransformerConfig
from transformer.core.masks import causal
from transformer.inspection.steps import MAX_NUMBER, random_matrices, steps


def stages(at: AppTest) -> dict[str, np.ndarray]:
    """The stages that the component was sent; blocked cells are NaN."""
    return {stage["name"]: np.array(stage["rows"], dtype=float) for stage in payload(at)["stages"]}


def numbers(**link: Any) -> AppTest:
    return visit("attention", att_on="small numbers", **link)


def test_the_first_visit_is_a_trained_head_that_looks_at_something() -> None:
    at = visit("attention")
    source = Shipped(story.WRITER).resolve()
    assert at.title[0].value == "How is one attention weight made?"
    assert notices(at) == ""
    assert payload(at)["labels"] == list(source.cut(story.TEXT))
    weights = stages(at)["weights"]
    np.testing.assert_allclose(weights.sum(1), 1, atol=1e-5)
    assert weights[1:].max(1).mean() > 0.5, "a head that looks sharply"
    assert payload(at)["start"] == {"row": len(weights) - 1, "col": weights[-1].argmax()}
    most = weights.mean(0).argmax()
    word = payload(at)["labels"][most]
    assert f"gives **{word}** an :violet[attention weight] of **{weights[:, most].mean():.2f}**" in words(at)


def test_another_sentence_is_read_by_the_same_head_and_pieces_of_words_are_said() -> None:
    at = visit("attention")
    head = control(at, "att_at").value, control(at, "att_head").value
    at = choose(at, text="the dog chased the cat because it was fast")
    assert (control(at, "att_at").value, control(at, "att_head").value) == head
    assert payload(at)["labels"][-2:] == ["f", "…ast"]
    assert "##" not in words(at)
    at = choose(at, att_way="Make q, k, v")
    assert payload(at)["words"][-2:] == ["f", "…ast"]
    assert "##" not in words(at)


def test_the_head_before_training_is_the_same_one() -> None:
    at = visit("attention")
    head = control(at, "att_at").value, control(at, "att_head").value
    at = choose(at, state="before training")
    assert (control(at, "att_at").value, control(at, "att_head").value) == head
    assert "an untrained model" in words(at)
    assert stages(at)["weights"][1:].max(1).mean() < 0.5


def test_a_decoder_masks_by_itself() -> None:
    at = choose(visit("attention"), weights="trained on stories")
    masked = stages(at)["masked"]
    np.testing.assert_array_equal(np.isnan(masked), ~np.tri(len(masked), dtype=bool))
    np.testing.assert_allclose(stages(at)["weights"].sum(1), 1, atol=1e-5)


@pytest.mark.parametrize("link", [{"att_q": "9,0,0,0;0,-2.5,0,0;0,0,0,0"}, {"att_row": "2"}, {"att_stage": "weights"}])
def test_old_links_with_settings_of_small_numbers_show_them(link: dict[str, Any]) -> None:
    assert control(visit("attention", **link), "att_on").value == "small numbers"


def test_small_numbers() -> None:
    at = numbers()
    truth = steps(*SMALL)
    for name, matrix in stages(at).items():
        np.testing.assert_allclose(matrix, truth.stages[name], atol=1e-8)
    assert list(stages(at)) == ["scores", "scaled", "weights", "output"]
    assert payload(at)["limit"] == MAX_NUMBER == matrices.MAX_NUMBER


def test_random_numbers_and_their_seed() -> None:
    at = choose(visit("attention", att_on="random numbers"), seed=7)
    np.testing.assert_allclose(stages(at)["weights"], steps(*random_matrices(7)).stages["weights"], atol=1e-8)


def test_the_mask_adds_a_stage() -> None:
    at = choose(numbers(), mask="causal")
    truth = steps(*SMALL, causal(3).numpy())
    assert list(stages(at)) == ["scores", "scaled", "masked", "weights", "output"]
    assert np.isnan(stages(at)["masked"][0]).tolist() == [False, True, True]
    np.testing.assert_allclose(stages(at)["output"], truth.stages["output"], atol=1e-8)


def test_a_sentence_in_every_head() -> None:
    at = visit("attention", att_on="a sentence", weights="untrained", text="one two three one two")
    first = stages(at)
    assert first["weights"].shape == (5, 5)
    assert first["output"].shape == (5, 16)
    assert payload(at)["limit"] is None
    np.testing.assert_allclose(first["weights"].sum(1), 1, atol=1e-6)
    q, k = (np.array(payload(at)["matrices"][name]) for name in "qk")
    np.testing.assert_allclose(q @ k.T, first["scores"], atol=1e-4)
    assert np.abs(stages(choose(at, att_head=2))["weights"] - first["weights"]).max() > 0.01
    assert np.abs(stages(choose(at, seed=3))["weights"] - first["weights"]).max() > 0.01
    at = choose(at, text="two words")
    assert payload(at)["labels"] == ["two", "words"]


@pytest.mark.parametrize(("text", "n_tokens"), [("alone", 1), (" ".join(f"w{n}" for n in range(600)), 32)])
def test_the_matrices_are_as_large_as_the_text(text: str, n_tokens: int) -> None:
    at = visit("attention", weights="untrained", text=text)
    assert stages(at)["weights"].shape == (n_tokens, n_tokens)


# ---- matrices that are edited --------------------------------------------------------------------------------------


def test_a_matrix_in_the_link_is_shown() -> None:
    at = visit("attention", att_q="9,0,0,0;0,-2.5,0,0;0,0,0,0")
    assert payload(at)["matrices"]["q"] == [[9, 0, 0, 0], [0, -2.5, 0, 0], [0, 0, 0, 0]]
    assert "9,0,0,0;0,-2.5,0,0;0,0,0,0" in at.query_params["att_q"]
    at = press(at, "att_undo")
    assert payload(at)["matrices"]["q"] == [list(row) for row in SMALL[0]]
    assert "att_q" not in at.query_params


def test_edits_are_gone_with_the_matrices_they_were_made_on() -> None:
    at = choose(visit("attention", att_q="9,0,0,0;0,-2.5,0,0;0,0,0,0"), att_on="random numbers")
    assert payload(at)["matrices"]["q"] == [list(row) for row in random_matrices(0)[0]]
    assert "att_q" not in at.query_params
    assert payload(choose(at, att_on="small numbers"))["matrices"]["q"] == [list(row) for row in SMALL[0]]


def test_matrices_survive_the_link() -> None:
    rows = ((1.0, -0.5, 99.25, 0.1), (0.0, 1e-05, 2.0, 3.0), (-100.0, 100.0, 0.0, 0.3))
    assert matrices.parse(matrices.write(rows), 3, 4) == rows


def test_an_edit_changes_one_number() -> None:
    changed = matrices.with_edit(["k", 2, 1, "-3.5"], SMALL)
    assert changed is not None
    q, k, v = changed
    assert (q, v) == (SMALL[0], SMALL[2])
    assert k[2] == (1.0, -3.5, 1.0, 0.0)
    assert k[:2] == SMALL[1][:2]


@pytest.mark.parametrize(
    "edit",
    [
        None,
        "k",
        ["k", 0, 0],
        ["x", 0, 0, "1"],
        ["k", 3, 0, "1"],
        ["k", 0, -1, "1"],
        ["k", 0, 0, "nan"],
        ["k", 0, 0, "inf"],
        ["k", 0, 0, "101"],
        ["k", 0, 0, "one"],
        ["k", 0, 0, 1],
        ["k", "0", 0, "1"],
        ["k", 0, 0, "1" * 99],
    ],
)
def test_an_edit_that_cannot_be_made_is_dropped(edit: object) -> None:
    assert matrices.with_edit(edit, SMALL) is None


def test_trying_it_shrinks_the_attention_weights_of_the_other_keys() -> None:
    at = visit("attention")
    at = press(press(at, "attention-steps-0"), "try-attention-steps")
    assert control(at, "att_on").value == "small numbers"
    assert payload(at)["show"] == {"stage": "weights", "n": 1}
    before, after = steps(*SMALL).stages["weights"][0], stages(at)["weights"][0]
    assert after[0] > before[0]
    assert (after[1:] < before[1:]).all()


@pytest.mark.parametrize(
    ("positions", "is_causal", "are_equal"),
    [("none", False, True), ("none", True, False), ("sinusoidal", False, False)],
)
def test_a_word_that_occurs_twice_has_one_row_only_without_positions_and_mask(
    positions: str, is_causal: bool, are_equal: bool
) -> None:
    """What the question says of *the*, with what it takes away put back."""
    config = TransformerConfig(d_model=16, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, positions=positions)
    tokens = ("the", "soup", "and", "the", "bread")
    weights = data.steps_of_head(Untrained("encoder", config, 0), tokens, 0, 0, is_causal).stages["weights"]
    assert np.allclose(weights[0], weights[3], atol=1e-6) == are_equal
