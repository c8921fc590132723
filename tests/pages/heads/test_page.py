"""The heads page as the server runs it: every control, every link and every text, down to the bytes that are sent."""

import math
import random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from lab.kit import carried, story
from lab.kit.controls.hyperparameters import ACTIVATIONS, BASES, LAYER_NORMS, POSITIONS, SCALINGS, WIDTHS
from lab.kit.controls.hyperparameters import KINDS as MODELS
from lab.kit.controls.hyperparameters import MASKS as NAMED_MASKS
from lab.kit.controls.reader import REVIEWS
from lab.kit.controls.text_input import EXAMPLES
from lab.kit.models.references import Shipped
from lab.kit.models.source import MAX_TOKENS, Kind
from lab.server import caching
from pages.heads.model_controls import masks_for
from tests.further import examples, further
from tests.pages import driver
from tests.pages.driver import choose, control, notices, payload, press, questions
from tests.payloads import Payload, recomputed, unpack
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.inspection.run import run_with_maps
from transformer.training.text import clean, hashed_ids, words

T = 6
SIX = "one two three four five six"
QUERY, KEY = np.indices((T, T))  # query and key of every cell
KINDS = (*driver.CHOICES, "text_input")


def visit(**link: Any) -> AppTest:
    """The page with an untrained model, of which all settings can be chosen."""
    link.setdefault("weights", "untrained")
    return driver.visit("heads", **link)


def shown(at: AppTest) -> Payload:
    """What the view of all heads was sent."""
    return unpack(payload(at))


def allowed(picture: Payload) -> np.ndarray:
    shape = picture.arrays["weights"].shape[-2:]
    return picture.arrays.get("mask", np.ones(shape, "u1")).astype(bool)


def check(picture: Payload) -> None:
    """What holds whatever is chosen: blocked cells weigh nothing, rows add up, and q and k explain every weight."""
    weights, may = picture.arrays["weights"], allowed(picture)
    assert np.all(weights[..., ~may] == 0)
    assert np.allclose(weights.sum(-1), may.any(-1), atol=1e-5)
    assert np.abs(recomputed(picture) - weights).max() < 1e-5


def test_the_first_visit_shows_a_finished_example() -> None:
    """A trained model, at a head that does something, by name; its facts are told once."""
    at = driver.visit("heads")
    source = Shipped(story.WRITER).resolve()
    assert at.title[0].value == "Where does each word look?"
    assert shown(at).header["queries"] == list(source.cut(story.TEXT))
    T = len(source.cut(story.TEXT))
    assert shown(at).arrays["weights"].shape == (source.n_layers, source.config.n_heads, T, T)
    assert notices(at) == ""
    check(shown(at))


def test_a_head_has_the_name_of_what_it_does() -> None:
    at = driver.visit("heads", weights=REVIEWS)
    picture = shown(at)
    assert (picture.header["untrained"], picture.header["facts"]) == (False, [])
    assert sum("27,232 parameters" in caption.value for caption in at.caption) == 1
    first = picture.header["tags"][0]
    assert picture.header["open"] == [first["layer"], first["head"]]
    assert first["name"].startswith("everyone looks at")
    key = first["name"].split("“")[1].rstrip("”")
    column = picture.arrays["weights"][first["layer"], first["head"], :, picture.header["keys"].index(key)]
    others = np.delete(column, picture.header["keys"].index(key))
    assert first["score"] == pytest.approx(float(others.mean()), abs=1e-4)
    assert notices(at) == ""
    check(picture)


def test_before_training_is_told_from_trained() -> None:
    at = choose(driver.visit("heads"), state="before training")
    assert shown(at).header["untrained"] is True
    assert not [tag for tag in shown(at).header["tags"] if "everyone" in tag["name"]]
    assert any(caption.value.startswith("untrained") for caption in at.caption)


def test_a_model_of_stories_finds_whom_a_pronoun_means() -> None:
    """Its task knows which name a pronoun comes from, and so a head can be named for it."""
    at = driver.visit("heads", weights="trained on stories", text="tom was happy. he told anna")
    picture = shown(at)
    first = picture.header["tags"][0]
    assert first["name"] == "finds the pronoun’s owner"
    tokens = picture.header["queries"]
    weight = picture.arrays["weights"][first["layer"], first["head"], tokens.index("he") - 1, tokens.index("tom")]
    assert first["score"] == pytest.approx(float(weight), abs=1e-4)
    assert weight > 0.5
    assert first["query"] == tokens.index("he") - 1


def test_an_untrained_model_has_no_facts_but_its_kind_and_size() -> None:
    assert shown(visit(text=SIX)).header["facts"][0] == "encoder"


@pytest.mark.few(5)
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("positions", POSITIONS)
def test_the_weights_are_those_of_the_model_that_was_chosen(kind: Kind, positions: str) -> None:
    picture = shown(visit(model=kind.title(), positions=positions, text=SIX, seed="3", d_model="48", heads="6"))
    config = TransformerConfig(
        vocab_size=4096, d_model=48, n_heads=6, n_encoder_layers=3, n_decoder_layers=3, positions=POSITIONS[positions]
    )
    model = {"encoder": EncoderModel, "decoder": DecoderModel}[kind](config, torch.Generator().manual_seed(3)).eval()
    tokens = words(SIX)
    seen = run_with_maps(model, hashed_ids(tokens, 4096), tuple(tokens)).attention[kind]
    for name in ("weights", "q", "k"):
        assert np.array_equal(picture.arrays[name], getattr(seen, name))
    assert picture.header["facts"] == [kind, f"{sum(p.numel() for p in model.parameters()):,} parameters"]
    assert picture.header["scale"] == math.sqrt(8)
    check(picture)


def test_layers_heads_and_width() -> None:
    at = visit(text=SIX)
    assert shown(choose(at, layers=5)).header["layers"] == 5
    picture = shown(choose(at, heads=8))
    assert (picture.header["heads"], picture.arrays["weights"].shape) == (8, (5, 8, T, T))
    assert picture.arrays["k"].shape[1] == 8, "nobody asked for shared keys"
    assert shown(choose(at, d_model=96)).arrays["q"].shape == (5, 8, T, 12)


MASKS = {
    ("Encoder", "none"): np.full((T, T), True),
    ("Encoder", "window"): abs(QUERY - KEY) < 2,
    ("Encoder", "padding"): KEY < T - 2,
    ("Decoder", "causal"): KEY <= QUERY,
    ("Decoder", "causal window"): (KEY <= QUERY) & (QUERY - KEY < 2),
    ("Decoder", "causal prefix"): (KEY <= QUERY) | (KEY < 2),
}


def test_no_mask_is_left_untested() -> None:
    assert {(name, mask) for name, kind in MODELS.items() for mask in masks_for(kind)} == set(MASKS)


@pytest.mark.few(3)
@pytest.mark.parametrize(("model", "mask"), MASKS)
def test_masks_in_closed_form(model: str, mask: str) -> None:
    at = choose(visit(text=SIX), model=model, mask=mask)
    if mask in ("window", "padding", "causal window", "causal prefix"):
        at = choose(at, span=2)
    picture = shown(at)
    assert np.array_equal(allowed(picture), MASKS[model, mask])
    assert np.all(picture.arrays["weights"][..., MASKS[model, mask]] > 0)
    check(picture)


def test_more_padding_than_there_are_tokens_leaves_nothing_to_look_at() -> None:
    picture = shown(visit(text=SIX, mask="padding", span="32"))
    assert not picture.arrays["mask"].any()
    assert not picture.arrays["weights"].any()
    assert set(picture.header["chance"].values()) == {0.0}


@pytest.mark.few(3)
@pytest.mark.parametrize("positions", POSITIONS)
def test_a_bias_is_sent_where_the_scheme_has_one(positions: str) -> None:
    picture = shown(choose(visit(text=SIX), positions=positions))
    assert ("bias" in picture.arrays) == (positions in ("T5 relative", "ALiBi"))
    if positions == "ALiBi":
        slopes = 2.0 ** -np.array([2, 4, 6, 8])
        distances = abs(np.arange(2 * T - 1) - (T - 1))
        assert np.allclose(picture.arrays["bias"], -slopes[:, None] * distances)


def test_rotary_turns_queries_and_keys_without_changing_their_length() -> None:
    plain = shown(choose(visit(text=SIX), positions="none")).arrays
    turned = shown(choose(visit(text=SIX), positions="rotary")).arrays
    for name in ("q", "k"):
        before, after = plain[name][0], turned[name][0]  # the first layer reads the same vectors
        assert np.allclose(np.linalg.norm(before, axis=-1), np.linalg.norm(after, axis=-1), rtol=1e-5)
        assert np.allclose(before[:, 0], after[:, 0], atol=1e-6)
        assert np.all(abs(before[:, 1:] - after[:, 1:]).max(-1) > 1e-3)


def test_scaling_off() -> None:
    at = visit(text=SIX)
    assert shown(at).header["scale"] == 4
    picture = shown(choose(at, scores="not divided"))
    assert picture.header["scale"] == 1
    check(picture)


def test_seeds() -> None:
    first = payload(visit(text=SIX, seed="1"))
    other = payload(visit(text=SIX, seed="2"))
    caching.clear()
    again = payload(visit(text=SIX, seed="1"))
    assert first == again != other


@pytest.mark.parametrize("n", [1, 2, 4])
def test_heads_share_keys(n: int) -> None:
    picture = shown(choose(visit(text=SIX), kv_heads=n))
    assert picture.arrays["k"].shape == (3, n, T, 16)
    assert picture.arrays["q"].shape == (3, 4, T, 16)
    check(picture)


@pytest.mark.parametrize(
    ("change", "first_layer_too"),
    [({"norm": "after (post)"}, True), ({"activation": "GELU"}, False), ({"base": 100}, True)],
)
def test_rarer_settings_reach_the_model(change: dict[str, object], first_layer_too: bool) -> None:
    at = visit(text=SIX)
    before = shown(at).arrays["weights"]
    after = shown(choose(at, **change)).arrays["weights"]
    assert np.array_equal(before[0], after[0]) != first_layer_too  # layer 0 attends before any feed-forward
    assert not np.array_equal(before[1], after[1])


def test_the_base_is_offered_only_where_there_are_wavelengths() -> None:
    at = visit()
    for name in POSITIONS:
        keys = {slider.key for slider in choose(at, positions=name).select_slider}
        assert ("base" in keys) == (name in ("sinusoidal", "rotary"))


# ---- text ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " ", " \t  ", "\u200b", "\u3000"])
def test_no_word_no_view_but_a_sentence(text: str) -> None:
    at = choose(visit(), text=text)
    assert driver.payloads(at) == []
    assert notices(at) == "There is no word to look at yet. Type a sentence, or choose one of the examples."


def test_a_single_word() -> None:
    at = choose(visit(), text="hello")
    assert np.all(shown(at).arrays["weights"] == 1)
    assert "A single word can only look at itself" in notices(at)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d🚀 👍🏽 🇫🇷🇩🇪 ❤️",
        "e\u0301 zalgo\u0300\u0301\u0302\u0303 \u0301",
        "שָׁלוֹם עולם مرحبا، 你好，世界 नमस्ते",
        "<b>bold</b> <script>alert(1)</script> <img src=x onerror=alert(1)> &amp;",
        "$x^2$ `code` **bold** :red[no] [link](http://x) ![i](j) # h | a | b |",
        'quote " backslash \\ null \\x00 percent %s {brace} \u2028 \u202e rtl',
        "\ufffd \ufeff",
        "a" * 40 + " " + "b" * 41,
    ],
)
def test_any_text_comes_out_as_its_words(text: str) -> None:
    at = choose(visit(), text=text)
    expected = [word if len(word) <= 40 else word[:39] + "…" for word in words(clean(text))]
    picture = shown(at)
    assert picture.header["queries"] == picture.header["keys"] == expected
    assert at.text_input(key="text").value == text
    check(picture)


def test_a_hundred_thousand_letters_are_cut_with_a_notice() -> None:
    at = choose(visit(), text="word " * 20_000)
    assert len(shown(at).header["queries"]) == MAX_TOKENS
    assert "The first 6,000 letters are kept; 94,000 more are left out." in notices(at)
    assert at.text_input(key="text").value == "word " * 1200
    choose(at, layers=2)
    assert "94,000 more are left out" in notices(at), "it is true until the text is changed"
    assert notices(choose(at, text="short text")) == ""


def test_one_word_of_a_hundred_thousand_letters() -> None:
    picture = shown(choose(visit(), text="x" * 100_000))
    assert picture.header["queries"] == ["x" * 39 + "…"]


def test_600_tokens_say_how_many_are_left_out() -> None:
    at = choose(visit(), text="a b " * 300)
    picture = shown(at)
    assert picture.header["tier"] == "thumbnail"
    assert len(picture.header["queries"]) == 512
    assert "The first 512 tokens are shown; 88 more are left out." in notices(at)
    assert notices(choose(at, text="a b " * 256)) == "", "512 fit"


def test_a_lone_surrogate_in_a_link_becomes_a_sign() -> None:
    """No browser sends one in a message, but what a program keeps in the session may hold one."""
    picture = shown(driver.visit("heads", session={carried._TEXT: "a \ud800 b"}, weights="untrained"))
    assert len(picture.header["queries"]) == 3
    assert picture.header["queries"][1] in "?\ufffd"


def test_every_example_can_be_shown() -> None:
    at = visit()
    for text in EXAMPLES:
        assert shown(choose(at, text=text)).header["queries"] == words(text)


# ---- links -----------------------------------------------------------------------------------------------------

USUAL = {
    "model": "Encoder",
    "d_model": 64,
    "heads": 4,
    "layers": 3,
    "positions": "sinusoidal",
    "mask": "none",
    "kv_heads": 4,
    "scores": "divided by √d_k",
    "norm": "before (pre)",
    "activation": "ReLU",
    "base": 10_000,
    "seed": 0,
}


def values(at: AppTest) -> dict:
    """Every control of sentence and model, and what it stands on."""
    return {w.key: w.value for kind in KINDS for w in at.get(kind) if w.key in {*OPTIONS}}


def test_what_is_usual() -> None:
    assert values(visit()) == {**USUAL, "text": EXAMPLES[0]}


def test_a_link_restores_every_control() -> None:
    link = {
        "model": "Decoder",
        "d_model": "48",
        "heads": "12",
        "layers": "2",
        "positions": "rotary",
        "mask": "causal prefix",
        "span": "4",
        "kv_heads": "3",
        "scores": "not divided",
        "norm": "after (post)",
        "activation": "GELU",
        "base": "100",
        "seed": "7",
        "text": "a link restores all",
    }
    at = visit(**link)
    assert {name: str(value) for name, value in values(at).items()} == link
    assert notices(at) == ""
    picture = shown(at)
    assert picture.arrays["weights"].shape == (2, 12, 4, 4)
    assert picture.arrays["k"].shape == (2, 3, 4, 4)


@pytest.mark.parametrize(
    ("name", "asked", "taken"),
    [
        ("model", "decoder", "Decoder"),
        ("positions", "alibi", "ALiBi"),
        ("positions", "T5 RELATIVE", "T5 relative"),
        ("activation", "gelu", "GELU"),
    ],
)
def test_names_in_a_link_may_be_in_any_case(name: str, asked: str, taken: str) -> None:
    at = visit(**{name: asked})
    assert values(at)[name] == taken
    assert notices(at) == ""


@pytest.mark.parametrize(
    "asked", further(["", "<b>", "x", "-1", "999999999999999999999", "3.5", "1e3", "٣", "\u202e", "$x$", "a" * 5000], 2)
)
def test_nonsense_in_a_link_falls_back_with_a_notice(asked: str) -> None:
    at = visit(**dict.fromkeys(USUAL, asked))
    # An empty parameter leaves a row of buttons without a choice; what it stands for is the usual all the same.
    now = {key: USUAL[key] if value is None and not asked else value for key, value in values(at).items()}
    assert now == {**USUAL, "text": EXAMPLES[0]}
    lines = notices(at).splitlines()
    assert {line.split(":")[0] for line in lines} == {f"You see {usual}" for usual in USUAL.values()}
    assert len(lines) == len(USUAL)
    assert max(map(len, lines)) < 120
    check(shown(at))


def test_several_pieces_of_nonsense_have_a_notice_each() -> None:
    at = visit(layers="99", positions="zzz", seed="-1")
    assert [line.split(":")[0] for line in notices(at).splitlines()] == ["You see 3", "You see sinusoidal", "You see 0"]


def test_a_parameter_given_twice_is_no_error() -> None:
    at = AppTest.from_file(str(driver.APP), default_timeout=driver.TIMEOUT)
    for name, pair in {"layers": ["2", "5"], "model": ["Decoder", "Encoder"], "text": ["a b", "c d"]}.items():
        at.query_params[name] = pair
    shown(driver.open_page(at, "heads").run())


def test_heads_that_do_not_divide_the_width_are_said_until_others_are_chosen() -> None:
    at = visit(heads="3")
    assert notices(at) == "You see 4: d_model=64 cannot be split into 3 equal heads."
    assert shown(at).header["heads"] == 4
    assert notices(choose(at, seed=1)) != "", "another control is no answer"
    assert notices(choose(at, heads=8)) == ""


def test_a_width_that_takes_the_heads_away_gives_the_nearest() -> None:
    at = choose(visit(), heads=8)
    assert notices(choose(at, d_model=60)) == "You see 6: d_model=60 cannot be split into 8 equal heads."
    assert shown(at).header["heads"] == 6
    assert notices(choose(at, heads=10)) == ""


def test_heads_that_take_the_shared_keys_away_give_the_nearest() -> None:
    at = visit(d_model="48", heads="8", kv_heads="4")
    assert notices(at) == ""
    assert notices(choose(at, heads=6)) == "You see 3: 6 heads cannot share 4 key/value heads equally."


def test_another_model_brings_its_own_mask_without_a_complaint() -> None:
    at = visit(text=SIX)
    assert "mask" not in shown(at).arrays
    choose(at, model="Decoder")
    assert np.array_equal(allowed(shown(at)), KEY <= QUERY)
    assert notices(at) == ""
    choose(at, model="Encoder")
    assert "mask" not in shown(at).arrays
    assert notices(at) == ""


def test_a_link_to_a_head_of_a_long_text_sends_that_head() -> None:
    picture = shown(visit(text="a b " * 128, layer="2", head="3"))
    assert (picture.header["tier"], picture.header["view"]) == ("bytes", [2, 3])
    for layer, head in [("99", "0"), ("x", "y"), ("-1", "2"), ("1", "9" * 50), ("٣", "1")]:
        view = shown(visit(text="a b " * 128, layer=layer, head=head)).header["view"]
        assert 0 <= view[0] < 3
        assert 0 <= view[1] < 4


# ---- all of it at once -----------------------------------------------------------------------------------------

OPTIONS = {
    "model": tuple(MODELS),
    "d_model": WIDTHS,
    "heads": range(1, 17),
    "layers": range(1, 5),
    "positions": tuple(POSITIONS),
    "mask": tuple(mask.name for mask in NAMED_MASKS),
    "span": (1, 2, 3, 32),
    "kv_heads": range(1, 17),
    "scores": tuple(SCALINGS),
    "norm": tuple(LAYER_NORMS),
    "activation": tuple(ACTIVATIONS),
    "base": BASES,
    "seed": range(3),
    "text": (SIX, "a", "same same same same", "<i>$x$</i> `y` שלום 👍🏽"),
}


@given(st.fixed_dictionaries({}, optional={name: st.sampled_from(sorted(o, key=str)) for name, o in OPTIONS.items()}))
@examples(12)
@pytest.mark.wide
def test_any_link_gives_a_view_that_adds_up(link: dict[str, object]) -> None:
    at = visit(**{name: str(value) for name, value in link.items()})
    check(shown(at))
    kept = values(at)
    for name, asked in link.items():
        if name in kept and kept[name] != asked:
            assert f"You see {kept[name]}" in notices(at), f"{name}={asked} was not given, and nothing was said"


@pytest.mark.parametrize("seed", range(1))
def test_any_series_of_choices_gives_a_view_that_adds_up(seed: int) -> None:
    """Moves real widgets, so only what is offered can be chosen; each choice may take away what another had."""
    dice, at = random.Random(seed), visit(text=SIX)
    for _ in range(15):
        widget = dice.choice([w for kind in driver.CHOICES for w in at.get(kind) if w.key in OPTIONS])
        offered = [o for o in OPTIONS[widget.key] if str(o) in map(str, widget.options)]
        choose(at, **{str(widget.key): dice.choice(offered)})
        check(shown(at))


def test_a_question_to_check_oneself() -> None:
    at = driver.visit("heads")
    assert questions(at) == {"heads-trained": "open"}
    at = press(press(at, "heads-trained-1"), "try-heads-trained")
    assert control(at, "state").value == "before training"
    assert questions(at)["heads-trained"] == "right"
