"""A pinned beside B on every page that makes numbers: one range, the exact difference, a sentence, a link for both."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from lab.kit import compare, contrasts, story
from lab.kit import settings as page_settings
from lab.kit.controls.hyperparameters import ModelChoice
from lab.kit.controls.text_input import Sentence, cut, sentence
from lab.kit.models.references import VOCABULARY, Untrained
from lab.kit.words import NOTHING, is_rounding
from pages.attention import matrices
from pages.embeddings.text import LEARN_FROM
from pages.heads.model_controls import ask_size
from tests.pages import driver, published_models
from tests.pages.driver import decoded, press
from tests.pretrained import makers
from transformer.core.config import TransformerConfig
from transformer.core.embeddings import TokenEmbedding
from transformer.core.masks import causal
from transformer.core.model import EncoderModel
from transformer.inspection import blocks
from transformer.inspection.run import run_with_maps
from transformer.training.byte_pairs import BytePairTokeniser
from transformer.training.text import hashed_ids

WORDS = ("one", "two", "three")
TEXT = " ".join(WORDS)

# page, what is open, what is changed to, and how the sentence names it
VIEWS = [
    ("positions", {"pos_view": "Shuffle"}, {"seed": "2"}, "Seed: 0 in A, 2 in B"),
    ("positions", {"pos_view": "Waves"}, {"base": "100"}, "Base: 10000 in A, 100 in B"),
    ("positions", {"pos_view": "Distance"}, {"d_model": "32"}, "d_model: 64 in A, 32 in B"),
    ("positions", {"pos_view": "Schemes"}, {"pos_head": "2"}, "Head: 0 in A, 2 in B"),
    (
        "positions",
        {"pos_view": "Schemes", "pos_scheme": "learned"},
        {"pos_used": "5"},
        "Tokens in the text: 12 in A, 5 in B",
    ),
    (
        "positions",
        {"pos_view": "Schemes", "pos_scheme": "T5 relative"},
        {"pos_max_distance": "20"},
        "Max distance: 128 in A, 20 in B",
    ),
    ("positions", {"pos_view": "Schemes", "pos_scheme": "ALiBi"}, {"heads": "8"}, ""),
    ("attention", {"weights": "untrained"}, {"mask": "causal"}, "Mask: none in A, causal in B"),
    ("attention", {"weights": "untrained"}, {"seed": "4"}, "Seed: 0 in A, 4 in B"),
    (
        "attention",
        {"att_way": "Softmax", "att_widths": "true"},
        {"att_scaling": "divided by √d_k"},
        "Scores: not divided in A, divided by √d_k in B",
    ),
    ("masks", {}, {"mask": "none"}, "Mask: causal in A, none in B"),
    ("masks", {"masks_view": "Leaks"}, {"masks_edit": "1"}, "Edit token: 2 in A, 1 in B"),
    ("masks", {"masks_view": "Wiring"}, {"masks_pads": "3"}, "Padding after the source: 2 in A, 3 in B"),
    ("blocks", {}, {"seed": "3"}, "Seed: 0 in A, 3 in B"),
    ("blocks", {"blocks_part": "Layer norm"}, {"seed": "8"}, "Seed: 0 in A, 8 in B"),
    ("blocks", {"blocks_part": "Feed-forward"}, {"activation": "GELU"}, "Feed-forward: ReLU in A, GELU in B"),
    (
        "blocks",
        {"blocks_part": "Residual stream", "weights": "random weights"},
        {"norm": "after (post)"},
        "Layer norm: before (pre) in A, after (post) in B",
    ),
    ("blocks", {"blocks_part": "Pull a plug"}, {"blocks_plug": "Norm"}, "Taken out: nothing in A, Norm in B"),
    ("embeddings", {"emb_part": "One-hot × W_e"}, {"seed": "1"}, "Seed: 0 in A, 1 in B"),
    ("embeddings", {"emb_part": "Similarity", "weights": "random weights"}, {"seed": "1"}, "Seed: 0 in A, 1 in B"),
]
# Views in which whatever one changes changes the size of what is compared.
ALL_OF_OTHER_SIZES = ({"pos_view": "Schemes", "pos_scheme": "ALiBi"}, {"masks_view": "Wiring"})
HOSTILE = [
    "nonsense",
    "%00&&&==",
    "seed=1e9&d_model=7&mask=everyone&heads=&base=-1&att_on=nothing&emb_scale=9&masks_padding=3&emb_output=x",
    "text=" + "x+" * 8_000,
    "&".join(f"k{n}=1" for n in range(500)),
    "text=&painted=ffff&att_q=9,9;nan,1&target=&masks_word=&emb_learn=",
    "weights=random+weights&seed=<script>",
]


def visit(page: str, **link: Any) -> AppTest:
    """The page with this text; where a trained model would read it, an untrained one does."""
    untrained = {"weights": "untrained"} if page in ("masks", "blocks", "embeddings") else {}
    read: dict[str, Any] = {"text": TEXT, **untrained, **link}
    return driver.visit(page, **read)


def pinned(page: str, **link) -> str:
    """What the button puts into the link."""
    return unlisted(on_pin(page, **link).query_params["a"])


def on_pin(page: str, **link) -> AppTest:
    """The page once the button has been pressed: A beside a B that is the same."""
    at = visit(page, **link)
    assert not bench(at)
    return driver.pin(at)


def unlisted(value: str | list[str]) -> str:
    return value if isinstance(value, str) else value[0]


def bench(at: AppTest) -> dict[str, list[dict]]:
    """The traces of the figures of A | B, by name."""
    traces = {}
    for chart in at.get("plotly_chart"):
        name = chart.proto.id.rpartition("bench-")[2] if "bench-" in chart.proto.id else ""
        if name:
            found = decoded(json.loads(chart.proto.spec))["data"]
            traces[name] = [trace for trace in found if trace.get("hoverinfo") != "skip"]  # strokes on blocked cells
    return traces


def numbers(traces: list[dict]) -> np.ndarray:
    return np.concatenate([np.ravel(np.asarray(trace["z"] if "z" in trace else trace["y"], float)) for trace in traces])


def difference(page: str, a: str, **link) -> np.ndarray:
    (trace,) = bench(visit(page, a=a, **link))["difference"]
    return np.asarray(trace["z"], float)


@pytest.mark.few(5)
@pytest.mark.parametrize(("page", "open", "change", "clause"), VIEWS)
def test_a_and_b(page: str, open: dict[str, str], change: dict[str, str], clause: str) -> None:
    """A|A differs by nothing; with the link a change is seen, named, and in one range."""
    same = on_pin(page, **open)
    a = unlisted(same.query_params["a"])
    left = numbers(bench(same)["difference"])
    assert not np.nan_to_num(left).any()
    assert np.isfinite(left).any()
    assert "A and B are the same." in driver.notices(same)
    assert any(caption.value == f"They differ by {NOTHING}." for caption in same.caption)
    if not clause:
        return
    at = visit(page, a=a, **open, **change)
    assert clause in driver.notices(at)
    seen = bench(at)
    if "A and B" in seen:
        half = len(seen["A and B"]) // 2
        lines = [np.asarray(trace["y"], float) for trace in seen["A and B"]]
        if "difference" in seen:
            gaps = [np.asarray(trace["y"], float) for trace in seen["difference"]]
            np.testing.assert_allclose(gaps, [b - a for a, b in zip(lines[:half], lines[half:], strict=True)])
            assert all(trace["line"]["dash"] == "dash" for trace in seen["A and B"][:half])
    else:
        (first,), (second,) = seen["A"], seen["B"]
        one, other = (np.asarray(trace["z"], float) for trace in (first, second))
        assert first["zmax"] == second["zmax"] == pytest.approx(max(np.nanmax(np.abs(one)), np.nanmax(np.abs(other))))
        assert first["zmin"] == second["zmin"]
        assert first["colorscale"] == second["colorscale"]
        if "difference" in seen:
            gap = np.nan_to_num(other) - np.nan_to_num(one)
            shown = np.asarray(seen["difference"][0]["z"], float)
            np.testing.assert_allclose(shown[~np.isnan(shown)], gap[~np.isnan(shown)], atol=1e-6)
    if "difference" in seen:
        assert np.nan_to_num(numbers(seen["difference"])).any()
        is_said = any(caption.value == f"They differ by {NOTHING}." for caption in at.caption)
        assert is_said == is_rounding(np.nanmax(np.abs(numbers(seen["difference"]))))


@pytest.mark.few(6)
@pytest.mark.parametrize(("page", "open", "change", "clause"), VIEWS)
def test_compare_opens_on_a_difference(page: str, open: dict[str, str], change: dict[str, str], clause: str) -> None:
    at = press(visit(page, **open), "pin")
    said = driver.notices(at)
    if open in ALL_OF_OTHER_SIZES:
        assert "A and B are the same. Change anything" in said
        return
    assert " in A, " in said or "A is before training" in said
    assert "; " not in said, "in one thing alone"
    for traces in [traces for name, traces in bench(at).items() if name == "difference"]:
        assert np.nan_to_num(numbers(traces)).any()


def test_of_a_trained_model_a_is_the_same_before_its_training() -> None:
    at = press(driver.visit("heads"), "pin")
    assert "state=before+training" in at.query_params["a"]
    assert "A is before training, B is trained." in driver.notices(at)


def test_of_an_untrained_model_the_same_layer_is_open() -> None:
    """The layer that opens follows from the model, and would be a second thing in which they differ."""
    at = press(driver.visit("blocks"), "pin")
    assert driver.notices(at) == "A is before training, B is trained."
    assert "difference" in bench(at)
    again = driver.visit("blocks", a=unlisted(at.query_params["a"]))
    assert driver.notices(again) == driver.notices(at), "its link shows the same"


def test_of_pictures_another_one_is_compared_and_not_a_model_of_other_patches() -> None:
    at = press(driver.visit("vision"), "pin")
    assert re.fullmatch(r"Shape: \w+ in A, triangle in B\.", driver.notices(at))
    assert "difference" in bench(at)


def test_what_is_left_of_a_press_of_compare_changes_no_a_of_a_link() -> None:
    """The run after a press may have been cut short, and a link with another A be opened then."""
    left = ["base=1000", "base=100"]
    link = {"pos_view": "Waves", "text": TEXT, "a": "base=10000"}
    at = driver.visit("positions", session={compare._OTHERS: left}, **link)
    assert unlisted(at.query_params["a"]) == link["a"]
    assert "A and B are the same." in driver.notices(at)
    assert compare._OTHERS not in at.session_state


def test_one_press_trains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.finetuning import data

    tuned, asked = data.tuned, []

    def counted(way, lesson, report):
        asked.append((way, lesson))
        return tuned(way, lesson, report)

    monkeypatch.setattr(data, "tuned", counted)
    at = press(driver.visit("finetuning"), "pin")
    assert re.fullmatch(r"LoRA: rank r is \d+ in A, 4 in B\.", driver.notices(at))
    assert "difference" in bench(at)
    assert asked
    assert all(data.is_stored(*one) for one in asked)


def test_of_a_published_model_another_text_of_as_many_tokens_is_compared(tmp_path: Path) -> None:
    with published_models.only({"reader": makers.bert_folder()}, tmp_path):
        at = press(driver.visit("pretrained"), "pin")
    assert driver.notices(at) == "A reads “The animal didn't cross the street because it was too wide”."
    assert {"heads", "A", "difference"} <= bench(at).keys()


def answers(**settings: page_settings.Setting) -> page_settings.Answers:
    return page_settings.Answers(settings=settings)


def test_contrasts_are_the_telling_settings_then_what_was_changed_then_the_next_options() -> None:
    sort, seed = (page_settings.Setting(name, 1, 1, options=(0, 1, 2)) for name in ("Sort", "Seed"))
    text = page_settings.Setting("text", "a", "b", long=True)

    def values(found: page_settings.Answers, *telling: str) -> list[dict[str, Any]]:
        return [
            {key: s.value for key, s in other.settings.items() if s != found.settings[key]}
            for other in contrasts.contrasts(found, telling)
        ]

    assert values(answers(text=text, sort=sort, seed=seed)) == [{"sort": 2}, {"seed": 2}]
    assert values(answers(sort=sort, seed=seed), "state", "seed") == [{"seed": 2}, {"sort": 2}]
    assert values(answers(sort=sort, seed=replace(seed, value=2))) == [{"seed": 1}, {"sort": 2}]
    assert values(answers(text=text)) == []


@pytest.mark.parametrize(
    ("page", "open", "a"),
    [
        (*visited, a)
        for n, visited in enumerate(
            [
                ("positions", {"pos_view": "Waves"}),
                ("attention", {}),
                ("masks", {"mask": "painted"}),
                ("blocks", {}),
                ("embeddings", {"emb_part": "Similarity", "weights": "random weights"}),
                ("heads", {}),
            ]
        )
        for a in HOSTILE[n % 3 :: 3]
    ],
)
@pytest.mark.wide
def test_any_a_in_a_link_is_taken_calmly(page: str, open: dict[str, str], a: str) -> None:
    at = visit(page, a=a, **open)
    assert at.button(key="unpin")
    if a in ("nonsense", HOSTILE[4], "%00&&&=="):
        assert "What the link pins as A is not a setting of this view" in driver.notices(at)
        assert "A reads “" in driver.notices(at) or page in ("positions", "attention")
    if a == "weights=random+weights&seed=<script>" and page in ("blocks", "embeddings", "heads"):
        assert "Seed cannot be <script>" in driver.notices(at)


def test_a_word_of_a_row_has_one_number() -> None:
    (words,) = [trace["y"] for trace in bench(on_pin("positions", pos_view="Shuffle"))["A"]]
    assert all(re.fullmatch(r"\S+ \d+", word) for word in words)


def test_the_position_codes_subtract() -> None:
    def codes(base: float) -> np.ndarray:
        at = np.arange(64)[:, None] / base ** (2 * (np.arange(64) // 2) / 64)
        return np.where(np.arange(64) % 2, np.cos(at), np.sin(at))

    shown = difference("positions", pinned("positions", pos_view="Waves"), pos_view="Waves", base="100")
    np.testing.assert_allclose(shown, codes(100) - codes(10_000), atol=1e-5)


def softmax(scores: np.ndarray) -> np.ndarray:
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_edited_queries_subtract() -> None:
    q, k, _ = (np.array(rows) for rows in matrices.SMALL)
    edited = q.copy()
    edited[0, 1] = 3.0
    link = ";".join(",".join(map(str, row)) for row in edited)
    numbers = {"att_on": "small numbers"}
    at = visit("attention", a=pinned("attention", **numbers), att_q=link, **numbers)
    assert "A has another Q." in driver.notices(at)
    shown = np.asarray(bench(at)["difference"][0]["z"], float)
    np.testing.assert_allclose(shown, softmax(edited @ k.T / 2) - softmax(q @ k.T / 2), atol=1e-6)
    # ... and the other way round: A is the edited one
    back = visit("attention", a=pinned("attention", att_q=link, **numbers), **numbers)
    np.testing.assert_allclose(np.asarray(bench(back)["difference"][0]["z"], float), -shown, atol=1e-6)


def test_weights_under_two_masks_subtract() -> None:
    sizes = {"d_model": 32, "n_heads": 4, "n_encoder_layers": 1, "n_decoder_layers": 1}
    config = TransformerConfig(vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, **sizes)
    net = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    ids = hashed_ids(list(WORDS), VOCABULARY)
    free, masked = (
        run_with_maps(net, ids, WORDS, mask).attention["encoder"].weights[0, 0] for mask in (None, causal(3))
    )
    shown = difference("masks", pinned("masks"), mask="none")
    np.testing.assert_allclose(shown, free.astype(float) - masked, atol=1e-6)


def test_the_stream_of_two_seeds_subtracts() -> None:
    sizes = {"d_model": 64, "n_heads": 4, "n_encoder_layers": 6, "n_decoder_layers": 6, "d_ff": 256}
    config = TransformerConfig(vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY, max_len=512, **sizes)
    a, b = (
        blocks.stages(
            EncoderModel(config, torch.Generator().manual_seed(seed)).eval(), hashed_ids(list(WORDS), VOCABULARY), 0
        )["norm1"]
        for seed in (0, 3)
    )
    shown = difference("blocks", pinned("blocks"), seed="3", blocks_step="norm 1")
    np.testing.assert_allclose(shown, b.astype(float) - a, atol=1e-5)


def test_the_likeness_in_two_tables_subtracts() -> None:
    tokeniser = BytePairTokeniser.learn(LEARN_FROM, 100)
    ids = list(dict.fromkeys(tokeniser.encode(TEXT)))

    def cosines(seed: int) -> np.ndarray:
        table = TokenEmbedding(len(tokeniser), 64, generator=torch.Generator().manual_seed(seed)).weight
        rows = table.detach().double().numpy()[ids]
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows @ rows.T

    link = {"emb_part": "Similarity", "weights": "random weights"}
    shown = difference("embeddings", pinned("embeddings", **link), **link, seed="5")
    np.testing.assert_allclose(shown, cosines(5) - cosines(0), atol=1e-5)


def test_a_painted_mask_comes_back() -> None:
    at = driver.pin(visit("masks", mask="causal window", span="2"))
    a = unlisted(at.query_params["a"])
    assert "Mask: causal window in A, none in B" in driver.notices(visit("masks", a=a, mask="none"))
    painted = pinned("masks", mask="painted", painted=controls_code())
    at = visit("masks", a=painted, mask="none")
    np.testing.assert_array_equal(
        np.isnan(np.asarray(bench(at)["A"][0]["z"], float)), [[False, True, True], [True, False, True], [False] * 3]
    )


def controls_code() -> str:
    from pages.masks.components.mask_brush import pack

    return pack(np.array([[1, 0, 0], [0, 1, 0], [1, 1, 1]], bool))


def test_colours_of_all_heads_end_at_the_largest_change() -> None:
    at = visit("heads", a=pinned("heads", layers="2", heads="8"), layers="2", heads="8", seed="1")
    seen = bench(at)
    (every,) = seen["heads"]
    (one,) = seen["difference"]
    z = np.asarray(every["z"], float)
    assert every["zmax"] == one["zmax"] == pytest.approx(np.nanmax(np.abs(z)))
    assert len({tuple(cell) for cell in np.asarray(every["customdata"]).reshape(-1, 2)} - {(-1, -1)}) == 16
    same = bench(driver.visit("heads", a="usual"))
    assert not np.nan_to_num(np.asarray(same["heads"][0]["z"], float)).any()


def test_a_head_that_only_one_side_has_is_shown_and_named() -> None:
    at = visit("heads", a="text=one+two+three&heads=2", layer="0", head="3")
    assert any(m.value == "Only B has heads 2 to 3." for m in at.markdown)


def test_sentences_of_different_length_are_both_shown() -> None:
    at = visit("masks", a=pinned("masks"), text="one two")
    assert set(bench(at)) == {"A", "B"}
    assert "A reads “one two three”." in driver.notices(at)


def test_different_sizes_are_both_shown() -> None:
    at = visit("positions", a=pinned("positions", pos_view="Waves"), pos_view="Waves", pos_length="32")
    assert set(bench(at)) == {"A", "B"}
    assert any("A has 64 × 64 numbers, B 32 × 64" in m.value for m in at.markdown)


# ---- the settings themselves -----------------------------------------------------------------------------------


def choices(pinned: str | None = None, **link: object) -> tuple[Sentence, ModelChoice, page_settings.Answers]:
    """The sentence and the untrained model that a link pins, and the answers behind them."""
    text = "&".join(f"{key}={value}" for key, value in link.items()) if pinned is None else pinned
    with page_settings.collecting(text) as answers:
        return sentence(), ask_size(), answers


@given(st.text(max_size=80))
@settings(deadline=None)
def test_any_sentence_survives_being_pinned(text: str) -> None:
    found = page_settings.Answers()
    found.settings["text"] = page_settings.Setting("sentence", text, "something else", long=True)
    typed, *_ = choices(page_settings.packed(found))
    assert typed.tokens == cut(text).tokens


@given(st.text(max_size=60))
def test_nonsense_gives_the_default(text: str) -> None:
    _, choice, _ = choices(text)
    assert isinstance(choice.ref, Untrained)
    assert choice.ref.config.n_heads >= 1


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"model": "Decoder", "mask": "causal+window", "span": 5, "positions": "ALiBi"},
        {"d_model": 9, "heads": 3, "kv_heads": 1, "seed": 99, "scores": "not+divided"},
    ],
)
def test_a_pinned_model_comes_back_whole(asked: dict[str, Any]) -> None:
    typed, choice, found = choices(**asked)
    assert not found.complaint
    again, back, second = choices(page_settings.packed(found))
    assert (again.tokens, back) == (typed.tokens, choice)
    assert contrasts.differences(found, second).startswith("A and B are the same.")


def test_only_what_is_not_the_default_is_in_the_link() -> None:
    assert page_settings.packed(choices()[2]) == "usual"
    assert page_settings.packed(choices(heads=8, text="a+b")[2]) == "text=a+b&heads=8"
    *_, found = choices("usual")
    assert not found.complaint


def test_what_follows_is_named_last() -> None:
    *_, a = choices()
    *_, b = choices(heads=8, positions="rotary", text="a+c")
    assert contrasts.differences(a, b) == (
        f"A reads “{story.TEXT}”; Heads: 4 in A, 8 in B; Positions: sinusoidal in A, rotary in B;"
        " and with that, Key/value heads: 4 in A, 8 in B."
    )


def test_what_cannot_be_chosen_is_named() -> None:
    *_, found = choices("text=a+b&heads=7&model=Oracle&layers=-1&d_model=1e9")
    for part in ("Heads cannot be 7", "Model cannot be Oracle", "Layers cannot be -1", "d_model cannot be 1e9"):
        assert part in found.complaint
    assert choices("text=a+b&heads=7")[1] == choices("text=a+b")[1]


def test_an_a_without_words_is_named() -> None:
    at = visit("embeddings", emb_part="One-hot × W_e", a="text=")
    assert "A has no words to compare." in driver.words(at)


def test_a_control_that_only_changes_the_drawing_is_no_part_of_a() -> None:
    link = {"pos_view": "Other ways", "pos_scheme": "ALiBi"}
    assert "pos_scheme" not in pinned("positions", **link)


def test_a_and_b_lie_over_each_other_where_their_cells_are_the_same() -> None:
    a = pinned("masks")
    at = visit("masks", a=a, mask="padding")
    assert tuple(driver.control(at, "compare_as").options) == compare.SHOWN
    assert bench(at).keys() == bench(driver.choose(at, compare_as="B − A")).keys(), "all three are there"
    assert "Mask: causal in A, padding in B." in driver.notices(visit("masks", a=a, mask="padding", compare_as="A"))
    other = visit("masks", a="text=one+two")
    assert bench(other)
    assert "compare_as" not in other.session_state, "maps of two sizes have no cell in common"
