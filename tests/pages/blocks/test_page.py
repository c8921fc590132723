"""The page on blocks as its server runs it: every part, every control, every kind of text and of link."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from lab.kit import story
from lab.kit.catalogue import page
from lab.kit.controls.reader import REVIEWS, STORIES
from lab.kit.models.references import Shipped
from lab.kit.words import NOTHING, at_most
from lab.server import gate
from pages.blocks import cuts, data
from pages.blocks.depth import DEPTHS
from pages.blocks.openings import data as openings
from pages.blocks.stream_figures import heights
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, control, notices, payloads, words
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.inspection import ablations, blocks
from transformer.inspection.logit_lens import read_out
from transformer.inspection.run import run_with_maps
from transformer.training.text import hashed_ids

SIX: str = "one two three four five six"
PARTS = ("One layer", "The stream", "Ablation", "Modern blocks")
STEPS = ("stream in", "norm 1", "attention", "add 1", "norm 2", "feed-forward", "add 2")
FORMERLY = {  # old names in links, and what they open
    "Layer norm": ("One layer", "γ is 1 and β is 0"),
    "Feed-forward": ("One layer", "units fire"),
    "Residual stream": ("The stream", "all pushes add up"),
    "Pull a plug": ("Ablation", "Pull a block out"),
    "Depth": ("Ablation", "a stack of 32 layers"),
    "Ledger": ("One layer", "One layer of this model"),
    "Parameters": ("Modern blocks", "What is the difference between this model and ChatGPT?"),
    "Experts": ("Modern blocks", "to the same expert"),
    "Is it linear?": ("One layer", "linear in its :green[values] alone"),
    "Dropout": ("One layer", "of the numbers stayed"),
}
DEEP = {"blocks_over": "Ever deeper stacks"}
LINES = {tab.name: tab.lede for tab in page("blocks").views}  # below the heading


def visit(part: str = PARTS[0], text: str = SIX, **link: str) -> AppTest:
    settings: dict[str, Any] = {"weights": "random weights", **link}
    return driver.visit("blocks", blocks_part=part, text=text, **settings)


def traces(at: AppTest, n: int = 0) -> list[dict]:
    return chart(at, n)["data"]


def river(at: AppTest) -> dict:
    """What the river was sent."""
    (data,) = (data for data in payloads(at) if "stations" in data)
    return data


def numbers(data: object) -> np.ndarray:
    """The numbers of a trace; gaps are NaN."""
    return np.array(data, float)


def model(n_layers: int = 6, **changes: Any) -> EncoderModel:
    config = TransformerConfig(vocab_size=4096, n_encoder_layers=n_layers, n_decoder_layers=n_layers, **changes)
    return EncoderModel(config, torch.Generator().manual_seed(0)).eval()


IDS = hashed_ids(SIX.split(), 4096)


def test_the_first_visit_shows_a_finished_layer() -> None:
    at = driver.visit("blocks")
    assert at.title[0].value == "What happens inside one layer?"
    assert notices(at) == ""
    assert river(at)["chosen"] == "", "no station is lit"
    assert [station["step"] for station in river(at)["stations"]] == list(blocks.STAGES["pre"])
    assert control(at, "weights").value == STORIES
    assert len(traces(driver.visit("blocks", blocks_step="attention"))) == 4, "a map for each head"


TEXTS = ["", "one", "the the the", "word " * 520 + "end", "👩‍🚀 $x_1$ *a* <b> \\frac"]


@pytest.mark.parametrize(
    ("part", "more", "text"),
    [
        pytest.param(*opened, TEXTS[(n + k) % len(TEXTS)], marks=pytest.mark.wide if k or opened[1] == DEEP else ())
        for n, opened in enumerate(
            [*((part, {}) for part in PARTS), ("Ablation", DEEP), *(("One layer", {"blocks_step": s}) for s in STEPS)]
        )
        for k in (0, 2)
    ],
)
def test_any_text_in_any_part(part: str, more: dict[str, str], text: str) -> None:
    at = visit(part, text, d_model="8", layers="2", **more)
    if text or part == "Modern blocks":
        assert charts(at) or payloads(at)
        assert (LINES[part] or "**Open the two pipes**: attention") in words(at)
    else:
        assert not charts(at)
        assert "no word to look at" in notices(at)
    if text.startswith("word") and part != "Modern blocks":
        assert "9 more are left out" in notices(at)
        assert ("The first 48 tokens are used here" in notices(at)) == bool(more == DEEP)


# Depth measures 32 layers; its stored links open it as well.
@pytest.mark.parametrize(
    "old", [pytest.param(old, marks=pytest.mark.wide) if old == "Depth" else old for old in FORMERLY]
)
def test_old_names_open_what_took_them_in(old: str) -> None:
    part, said = FORMERLY[old]
    at = visit(old, "tom found a red ball" if old == "Experts" else SIX)
    assert control(at, "blocks_part").value == part
    assert said in words(at)
    assert notices(at) == ""


def test_the_river_has_the_layers_own_numbers_and_follows_the_norm() -> None:
    at = visit(blocks_layer="3")
    for norm, name in (("pre", "before (pre)"), ("post", "after (post)")):
        at = choose(at, norm=name)
        stages = blocks.stages(model(norm=norm), IDS, 2)
        stations = river(at)["stations"]
        assert [station["step"] for station in stations] == list(blocks.STAGES[norm])
        for station in stations:
            lengths = np.linalg.norm(stages[station["step"]], axis=1)
            np.testing.assert_allclose(station["lengths"], lengths, atol=6e-4)
        is_stream = {station["step"] for station in stations if station["main"]}
        assert is_stream == {"in", "add1", "add2"} | ({"norm1", "norm2"} if norm == "post" else set())


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_what_leaves_is_the_sum_of_what_came_in_and_what_was_added_and_each_has_its_share(norm: str) -> None:
    drawn = river(visit(blocks_layer="3", norm="before (pre)" if norm == "pre" else "after (post)"))
    if norm == "post":
        assert drawn["shares"] is None, "what is normalised is no sum"
        return
    stages = {step: x.astype(float) for step, x in blocks.stages(model(norm=norm), IDS, 2).items()}
    out = stages["add2"]
    parts = (stages["in"], stages["attention"], stages["feed_forward"])
    np.testing.assert_allclose(sum(parts), out, atol=1e-5)
    shares = np.stack([(part * out).sum(1) / (out * out).sum(1) for part in parts], 1)
    np.testing.assert_allclose(drawn["shares"], shares, atol=1e-4)
    np.testing.assert_allclose(np.sum(drawn["shares"], 1), 1, atol=1e-3)


def test_it_opens_on_the_layer_in_which_the_word_changes_and_names_it_after_each_addition() -> None:
    at = driver.visit("blocks")
    source = Shipped("stories").resolve()
    ids = source.ids(source.cut(story.TEXT))
    stream = blocks.follow_token(source.single_stack, ids, len(ids) - 1)  # two heights per layer
    first = [source.label(int(id)) for id in stream.lens.argmax(1)]
    layer = control(at, "blocks_at").value
    assert first[2 * layer] != first[-1], "it comes in as another word"
    assert set(first[2 * layer + 2 :]) == {first[-1]}, "it leaves as the word that the model says in the end"
    said = river(at)["said"]
    assert [one["words"][-1] for one in said] == first[2 * layer : 2 * layer + 3]
    odds = torch.tensor(stream.lens[2 * layer : 2 * layer + 3]).softmax(-1).amax(-1)
    np.testing.assert_allclose([one["chances"][-1] for one in said], odds, atol=1e-3)
    other = choose(at, blocks_at=0)
    assert [one["words"][-1] for one in river(other)["said"]] == first[:3]
    assert river(visit())["said"] is None, "an untrained model has no words to say"


def test_the_word_is_that_of_its_attention_and_no_longer_there_without_it() -> None:
    """Counterfactual: with nothing added by attention, the word that came in stays."""
    source = Shipped("stories").resolve()
    tokens = tuple(source.cut(story.TEXT))
    layer = data.telling_layer(source.ref, tokens, len(tokens) - 1)
    said = data.said_within(source.ref, tokens, layer)
    assert said
    came, attended, _ = (words[-1] for words in said.words)
    assert came != attended
    at = blocks.stages(source.single_stack, source.ids(tokens), layer)
    for share, word in ((0.0, came), (1.0, attended)):
        (id, *_), _ = read_out(source.single_stack, at["in"][-1:] + np.float32(share) * at["attention"][-1:])
        assert source.label(int(id)) == word


def test_pipes_that_are_open_say_what_the_layer_says_and_shut_ones_what_the_ablated_model_says() -> None:
    source = Shipped("stories").resolve()
    tokens = tuple(source.cut(story.TEXT))
    opened, said = openings.openings(source.ref, tokens, 2), data.said_within(source.ref, tokens, 2)
    assert opened
    assert said

    def words(row: np.ndarray) -> list[str]:
        return [opened.words[n] for n in row]

    assert words(opened.said[0, 0]) == list(said.words[0])
    assert words(opened.said[0, -1]) == list(said.words[1])
    assert words(opened.said[-1, -1]) == list(said.words[2])
    np.testing.assert_allclose(opened.chances[-1, -1], said.chances[2], atol=1e-4)
    for at, part in (((1, -1), "attention.2"), ((-1, 0), "feed_forward.2")):
        torn = ablations.ablate(source.single_stack, part)
        odds = torch.tensor(ablations.stream_statistics(torn, source.ids(tokens)).logits).softmax(-1)
        assert words(opened.said[at]) == [source.label(int(id)) for id in odds.argmax(-1)]
        np.testing.assert_allclose(opened.chances[at], odds.amax(-1), atol=1e-3)
    said_last = [opened.words[n] for n in opened.said[0, :, -1]]
    assert (said_last[0], said_last[-1]) == ("red", "hat"), "attention turns the word"
    sent = river(driver.visit("blocks"))["opened"]
    assert [sent["words"][row[-1]] for row in sent["said"][0]] == said_last
    assert river(visit())["opened"] is None, "an untrained model has no words to say"


def test_pipes_stay_whole_where_every_pair_of_shares_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "MOST_SECONDS", 0)
    assert river(driver.visit("blocks"))["opened"] is None


def test_a_model_that_answers_at_its_start_is_followed_and_heard_there_alone() -> None:
    at = driver.visit("blocks", weights=REVIEWS)
    source = Shipped("sentiment").resolve()
    ids = source.ids(source.cut(story.TEXT))
    at_ends = [blocks.follow_token(source.single_stack, ids, token) for token in (0, len(ids) - 1)]
    answers, last = (stream.lens.argmax(1) for stream in at_ends)
    assert (answers[2:] == answers[-1]).all(), "after layer 0 it has its answer at ⟨start⟩"
    assert last[2] != last[-1], "what it says at the last token would open another layer"
    assert control(at, "blocks_at").value == 0
    sent = river(at)
    assert (sent["usual"], sent["speaks_at"]) == (0, 0)
    assert [one["words"][0] for one in sent["said"]] == [source.label(int(id)) for id in answers[:3]]


def test_a_decoder_says_a_word_at_each_token_and_the_last_one_is_followed() -> None:
    told = river(driver.visit("blocks"))
    assert (told["usual"], told["speaks_at"]) == (len(told["words"]) - 1, None)
    assert river(visit())["usual"] == len(river(visit())["words"]) - 1


def test_pieces_of_words_are_written_with_dots_before_them() -> None:
    source = Shipped("stories").resolve()
    tokens = tuple(source.cut(source.examples[1]))
    said = data.said_within(source.ref, tokens, 2)
    assert said
    lens = blocks.follow_token(source.single_stack, source.ids(tokens), len(tokens) - 1).lens.argmax(1)
    labels = [source.label(int(id)) for id in lens[4:]]
    assert labels[0].startswith("…")
    assert [words[-1] for words in said.words] == labels


def test_a_text_whose_answer_is_too_much_to_compute_gets_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise gate.TooMuch("Fewer words would do.")

    monkeypatch.setattr(data, "telling_layer", refuse)
    assert "Fewer words would do." in notices(driver.visit("blocks"))
    assert "Fewer words would do." not in notices(visit()), "an untrained model answers nothing, so it is not asked"


@pytest.mark.wide
def test_who_has_pressed_a_layer_keeps_it_with_another_text() -> None:
    other = story.TEXT[: story.TEXT.index(".") + 1]
    usual = control(driver.visit("blocks"), "blocks_at").value
    follows = control(driver.visit("blocks", text=other), "blocks_at").value
    assert follows != usual
    at = choose(driver.visit("blocks"), text=other)
    assert control(at, "blocks_at").value == follows, "until then the layer is that of the answer"
    at = choose(driver.visit("blocks"), blocks_at=0, text=other)
    assert control(at, "blocks_at").value == 0
    pressed = choose(driver.visit("blocks"), blocks_at=0)
    at = choose(choose(pressed, blocks_at=usual), text=other)
    assert control(at, "blocks_at").value == usual
    assert at.query_params["blocks_at"] in (str(usual), [str(usual)]), "its link opens the same"


def test_of_the_hidden_units_those_do_half_of_the_work_without_which_half_of_it_is_gone() -> None:
    """Counterfactual: what feed-forward adds without these units is half as long along it, and not without as many
    others."""
    source = Shipped("stories").resolve()
    tokens = tuple(source.cut(story.TEXT))
    layer = data.telling_layer(source.ref, tokens, len(tokens) - 1)
    run = data.feed_forward(source.ref, tokens, layer)
    told = river(driver.visit("blocks"))["units"]
    assert (told["n"], told["awake"][-1]) == (run.hidden.shape[1], int((run.before[-1] > 0).sum()))
    order = np.argsort(-data.unit_shares(source.ref, layer, run)[-1])
    feed_forward = source.single_stack.stack.layers[layer].feed_forward
    out = run.out[-1]

    def left(silent: np.ndarray) -> float:
        hidden = run.hidden[-1].copy()
        hidden[silent] = 0
        with torch.inference_mode():
            return float(feed_forward.w_2(torch.tensor(hidden)).numpy() @ out / (out @ out))

    n = told["half"][-1]
    assert left(order[:0]) == pytest.approx(1, abs=1e-4)
    assert left(order[: n - 1]) > 0.5 >= left(order[:n])
    assert left(order[n : 2 * n]) > 0.6
    shares = dict(zip(told["at"][-1], told["does"][-1], strict=True))
    assert 1e4 * (1 - left(order[:1])) == pytest.approx(shares[int(order[0])], abs=2)


def test_an_addition_lies_in_a_plane_and_its_length_alone_changes_no_guess() -> None:
    """What the picture of an addition claims: the sides of its triangle, and that only direction decides."""
    source = Shipped("stories").resolve()
    tokens = tuple(source.cut(story.TEXT))
    layer = data.telling_layer(source.ref, tokens, len(tokens) - 1)
    at = blocks.stages(source.single_stack, source.ids(tokens), layer)
    lengths = {one["step"]: one["lengths"][-1] for one in river(driver.visit("blocks"))["stations"]}
    met, push = (at[step][-1].astype(float) for step in ("in", "attention"))
    assert lengths["add1"] == pytest.approx(np.linalg.norm(met + push), abs=1e-2)
    (word,), (chance,) = read_out(source.single_stack, at["add1"][-1:])
    for scale in (0.5, 3):
        (other,), (sure,) = read_out(source.single_stack, np.float32(scale) * at["add1"][-1:])
        assert other == word
        assert sure == pytest.approx(chance, abs=1e-4)
    turned, _ = read_out(source.single_stack, at["in"][-1:])
    assert turned[0] != word


def test_the_weights_are_the_mean_of_the_heads() -> None:
    at = visit(blocks_layer="2", blocks_step="attention")
    maps = run_with_maps(model(), IDS, tuple(SIX.split())).attention["encoder"].weights[1]
    np.testing.assert_allclose(river(at)["weights"], maps.mean(0), atol=6e-5)
    for trace, weights in zip(traces(at), maps, strict=True):
        np.testing.assert_allclose(numbers(trace["z"]), weights, atol=1e-6)
    assert "(B, H, T, T)" in words(at)


@pytest.mark.parametrize("norm", ["before (pre)", "after (post)"])
@pytest.mark.parametrize("step", ["add 1", "add 2"])
def test_an_addition_adds_up(norm: str, step: str) -> None:
    at = visit(norm=norm, blocks_step=step)
    met, push, whole = (numbers(trace["z"]) for trace in traces(at))
    np.testing.assert_allclose(met + push, whole, atol=1e-5)
    stages = blocks.stages(model(norm=norm.removesuffix(")")[norm.index("(") + 1 :]), IDS, 0)
    np.testing.assert_allclose(whole, stages[step.replace(" ", "")], atol=1e-5)


def test_layer_norm_does_not_depend_on_the_batch() -> None:
    at = visit(norm="after (post)", blocks_step="norm 1")
    _, before, _, after = traces(at)
    stages = blocks.stages(model(norm="post"), IDS, 0)
    np.testing.assert_allclose(numbers(before["x"]), stages["add1"].mean(-1), atol=1e-6)
    np.testing.assert_allclose(numbers(after["x"]), 0, atol=1e-6)
    np.testing.assert_allclose(numbers(after["error_x"]["array"]), 1, atol=1e-3)
    assert f"the numbers here differ by {NOTHING}." in words(at)
    assert "they would differ by at most " in words(at)
    assert f"they would differ by {NOTHING}." in words(choose(at, blocks_company=1))


def test_feed_forward_parts() -> None:
    at = visit(blocks_step="feed-forward", blocks_ff="2", activation="GELU")
    assert "2·64·128 + 128 + 64 = **16,576** parameters" in words(at)
    run = blocks.feed_forward(model(d_ff=128, activation="gelu"), IDS, 0)
    order = np.argsort(-run.firing.sum(0), kind="stable")
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), run.hidden[:, order], atol=1e-6)
    at = choose(at, activation="ReLU")
    assert np.isnan(numbers(traces(at)[0]["z"])).any()
    at = choose(at, blocks_view="The bend")
    assert [trace["name"] for trace in traces(at)[1:]] == ["ReLU", "GELU"]
    at = choose(at, blocks_view="Without the bend")
    assert numbers(traces(at)[0]["y"]).tolist() == [0, 1, 1, 0]
    worth = blocks.nonlinearity(model(d_ff=128).encoder.layers[0].feed_forward)
    assert f"misses **{100 * worth.unexplained:.0f}%**" in words(at)


def test_the_stream_of_one_word() -> None:
    at = visit("The stream", blocks_token="4 four", layers="3")
    stream = blocks.follow_token(model(3), IDS, 3)
    assert f"they differ from it by {NOTHING}" in words(at)
    assert f"they differ by {NOTHING}" in words(at)
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), stream.lens[:, IDS], atol=1e-5)
    np.testing.assert_array_equal(numbers(traces(at)[0]["customdata"]), stream.ranks(IDS))
    shares = np.linalg.norm(stream.pushes, axis=1) / np.linalg.norm(stream.states[:-1], axis=1)
    assert f"6 sublayers adds a **push** to the stream, {shares.min():.0%} to {shares.max():.0%} as long" in words(at)
    at = choose(at, norm="after (post)")
    post = blocks.follow_token(model(3, norm="post"), IDS, 3)
    assert f"differ from the last state by {at_most(post.gap)}" in words(at)


def tower(at: AppTest) -> dict:
    """What the picture of the blocks was sent."""
    (data,) = (data for data in payloads(at) if "verdict" in data)
    return data


def test_every_ablation() -> None:
    at = visit("Ablation", layers="4", blocks_look="How alike words are")
    for name, part in (("Residual", "residual"), ("Norm", "norm"), ("Feed-forward", "feed_forward")):
        at.session_state["blocks_plug"] = name  # as a press on the picture does
        at = driver.checked(at.run())
        whole, ablated = (
            ablations.stream_statistics(model(4), IDS),
            ablations.stream_statistics(ablations.ablate(model(4), part), IDS),
        )
        np.testing.assert_allclose(numbers(traces(at)[0]["y"]), whole.cosine, atol=1e-6)
        np.testing.assert_allclose(numbers(traces(at)[1]["y"]), ablated.cosine, atol=1e-6)
        share, first = ablations.prediction_change(whole.logits, ablated.logits)
        moved = f"over all 6 positions, **{100 * share:.0f}%** of the probability moves to other words"
        assert f"{moved}; at **{first}** of them" in words(at)
        assert tower(at)["verdict"]["moved"] == pytest.approx(share, abs=1e-4)
        assert f"**Without the {part.replace('_', '-')}" in words(at)
    at = choose(at, blocks_look="Last map")
    np.testing.assert_allclose(numbers(traces(at)[1]["z"]), ablated.maps, atol=1e-6)


def test_each_block_has_what_it_alone_is_worth_and_none_is_out_at_first() -> None:
    at = visit("Ablation", layers="4")
    drawn = tower(at)
    whole = model(4)
    moved = np.array([[cost["moved"] for cost in layer] for layer in drawn["costs"]])
    assert moved.shape == (4, 2)
    before = ablations.stream_statistics(whole, IDS).logits
    for layer, sublayer in np.ndindex(4, 2):
        cut = ablations.ablate(whole, f"{ablations.SUBLAYERS[sublayer]}.{layer}")
        after = ablations.stream_statistics(cut, IDS).logits
        assert moved[layer, sublayer] == pytest.approx(ablations.prediction_change(before, after)[0], abs=1e-4)
    assert drawn["out"] == "nothing"
    assert drawn["verdict"]["moved"] == 0


@pytest.mark.parametrize(
    ("link", "parts", "said"),
    [
        ("Attention", ("attention",), "attention"),
        ("feed-forward", ("feed_forward",), "feed-forward"),
        ("attention.1", ("attention.1",), "attention in layer 1"),
        ("norm2.0,Attention", ("attention", "norm2.0"), "attention and the norm of feed-forward in layer 0"),
        ("attention.0,attention.1,residual1.1", ("attention.0", "attention.1", "residual1.1"), "3 parts"),
        ("nothing", (), "nothing"),
        ("attention.2", None, ""),
        ("attention.", None, ""),
        ("bias", None, ""),
        ("norm.0", None, ""),
        ("attention.0,,", None, ""),
    ],
)
def test_what_is_out_is_read_from_links_and_said(link: str, parts: tuple[str, ...] | None, said: str) -> None:
    assert cuts.read(link, 2) == parts
    if parts is not None:
        assert cuts.read(cuts.written(parts), 2) == parts
        assert cuts.said(parts) == said
        ablations.ablate(model(2), *parts)  # the model knows them all


def test_a_link_with_a_part_that_this_model_has_not_says_so() -> None:
    at = visit("Ablation", layers="2", blocks_plug="attention.5")
    assert "This model has no part attention.5" in notices(at)
    assert tower(at)["out"] == tower(visit("Ablation", layers="2"))["out"]


def test_a_torn_stream_is_that_of_the_ablated_model_in_the_colours_of_the_whole() -> None:
    at = visit("Ablation", layers="4", blocks_plug="Attention")
    assert tower(at)["verdict"]["name"] == "attention"
    assert tower(at)["whole"] == tower(at)["verdict"]["leaders"] == [], "an untrained model says nothing"
    whole, torn = (
        ablations.stream_statistics(model(4), IDS),
        ablations.stream_statistics(ablations.ablate(model(4), "attention"), IDS),
    )
    drawn = [numbers(trace["z"]) for trace in traces(at)]
    scale = [np.quantile(np.abs(x), 0.98) for x in whole.streams]
    expected = [np.clip(x / end, -1, 1) for y in (whole, torn) for x, end in zip(y.streams, scale, strict=True)]
    for shown, shares in zip(drawn, expected, strict=True):
        np.testing.assert_allclose(shown, shares, atol=1e-5)
    assert (drawn[0] == drawn[5]).all(), "both begin with the same embedding"
    assert (drawn[1] != drawn[6]).any()


def test_of_a_tall_stack_as_many_heights_are_drawn_as_there_is_room_for() -> None:
    assert heights(4) == [0, 1, 2, 3]
    assert heights(13) == [0, 2, 4, 6, 8, 10, 12]


def test_depth_is_measured() -> None:
    at = visit("Ablation", **DEEP)
    lines = {trace["name"]: numbers(trace["y"]) for trace in traces(at)}
    assert list(lines) == ["both", "no residual", "no norm", "neither"]
    config = TransformerConfig(vocab_size=4096, n_encoder_layers=8, n_decoder_layers=8)
    net = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    for name, parts in (("both", ()), ("neither", ("residual", "norm"))):
        gradient = ablations.depth_statistics(ablations.ablate(net, *parts), IDS).gradient
        assert lines[name][DEPTHS.index(8)] == pytest.approx(gradient[0] / gradient[-1], rel=1e-3)
    assert all(len(numbers(trace["y"])) == 33 for trace in traces(at, 1))
    at = choose(at, blocks_measure="How alike words are")
    assert numbers(traces(at)[1]["y"])[-1] > 0.999


@pytest.mark.parametrize("weights", ["random weights", "trained on stories"])
def test_linear_in_v_only(weights: str) -> None:
    at = driver.visit("blocks", blocks_linear="true", weights=weights, blocks_at="1")
    found = re.search(r"the two differ by \*\*(\d+)%\*\*; what .* is \*\*(\d+)%\*\* off", words(at))
    assert found
    assert min(map(int, found.groups())) > 0
    assert f"mixing first and mixing last differ by {NOTHING}." in words(at)
    assert "linear in its" not in words(visit())


def test_what_is_measured_of_attention_is_the_attention_of_the_model() -> None:
    """With its mask and its positions: the output that it gives to what it reads is the one in the stream."""
    ref = Shipped("stories")
    source = ref.resolve()
    tokens = source.cut("mia found a red ball in the park.")
    result = data.linearity(ref, tokens, 1)
    steps = data.stages(ref, tokens, 1)
    x = torch.from_numpy(steps["norm1"].copy())
    decoder = source.single_stack.stack
    attention = decoder.layers[1].self_attn
    mask = torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril()
    with torch.inference_mode():

        def run(z: torch.Tensor) -> torch.Tensor:
            return attention(z[None], mask=mask, positions=decoder.positions)[0][0]

        np.testing.assert_allclose(run(x).numpy(), steps["attention"], atol=1e-5)
        mixed, parts = run((x + x.flip(0)) / 2), (run(x) + run(x.flip(0))) / 2
        bias = run(torch.zeros_like(x))  # no part of the shares
    assert result.mixed_live == pytest.approx(float((mixed - parts).norm() / (parts - bias).norm()), rel=1e-3)


def test_dropout_before_and_after() -> None:
    at = visit(blocks_dropout="true", blocks_p="50")
    before, after = (numbers(trace["z"]) for trace in traces(at, 1)[:2])
    stays = ~np.isnan(after)
    assert 0 < stays.sum() < stays.size
    np.testing.assert_allclose(after[stays], 2 * before[stays], rtol=1e-5)
    one, many = re.search(r"off by \*\*(\d+)%\*\*.*draws by \*\*(\d+)%\*\*", words(at)).groups()
    assert int(many) < int(one) / 3
    at = choose(at, blocks_mode="evaluation")
    before, after = (numbers(trace["z"]) for trace in traces(at, 1)[:2])
    np.testing.assert_array_equal(before, after)
    assert "nothing is dropped" in words(at)


def test_the_shapes_are_those_of_the_layer_on_screen() -> None:
    at = visit(blocks_shapes="true", d_model="128", heads="8", layers="6", text="a b c d e f g h i j")
    assert "| weights | B\u00a0H\u00a0T\u00a0T | 1 × 8 × 10 × 10 |" in words(at)
    assert re.search(r"1 × 10 × 512 \| +66,048", words(at))
    assert "6 × 198,272 = **1,189,632**" in words(at)
    areas = {trace["name"]: sum(np.array(trace["y"]) * np.array(trace["width"])) for trace in traces(at, 1)}
    assert sum(np.array(t["y"])[0] * np.array(t["width"])[0] for t in traces(at, 1)) == pytest.approx(100)
    assert areas["W<sub>q</sub>"] == pytest.approx(100 * (128 * 128 + 128) / 198_272)
    assert areas["W<sub>1</sub>"] == pytest.approx(100 * (128 * 512 + 512) / 198_272)
    assert "8 × 5 × 5" in words(choose(at, text="a b c d e"))
    assert "198,272" not in words(choose(at, blocks_ff=8))
    stories = driver.visit("blocks", blocks_shapes="true", weights="trained on stories")
    n = sum(p.numel() for p in Shipped("stories").resolve().single_stack.stack.layers[0].parameters())
    assert f"One layer of this model: {n:,} parameters" in words(stories)


@pytest.mark.parametrize("more", [{"sublayers": "side by side"}, {"gate": "gated", "norm_kind": "RMSNorm"}])
def test_the_folds_are_of_any_layer(more: dict[str, str]) -> None:
    at = visit(blocks_shapes="true", blocks_linear="true", blocks_dropout="true", **more)
    assert notices(at) == ""


def test_a_station_stays_open_when_the_layer_changes() -> None:
    at = visit(blocks_step="Feed-Forward")
    assert river(at)["chosen"] == "feed_forward"
    at = choose(at, blocks_at=1)
    assert river(at)["chosen"] == "feed_forward"
    at.session_state["blocks_step"] = "norm 2"  # as a click on the river does
    at = driver.checked(at.run())
    assert river(at)["chosen"] == "norm2"
    at.session_state["blocks_step"] = "the whole layer"
    assert river(driver.checked(at.run()))["chosen"] == ""
    assert river(visit(blocks_step="stream in"))["chosen"] == "in"
    other = visit(blocks_step="a bridge")
    assert river(other)["chosen"] == ""
    assert "no station a bridge, so you see the whole layer" in notices(other)


@pytest.mark.parametrize(
    ("part", "setting"),
    [
        ("Feed-forward", {"blocks_view": "The bend"}),
        ("Ablation", {"blocks_look": "Last map"}),
        ("Depth", {"blocks_measure": "Size of the stream"}),
    ],
)
@pytest.mark.wide
def test_what_only_changes_the_drawing_is_not_pinned_but_changes_both_sides(part: str, setting: dict[str, str]) -> None:
    link = {"text": "one two", "d_model": "8"}
    at = driver.pin(choose(visit(part, **link), **setting))
    assert not set(setting) & set(at.query_params["a"][0].split("&"))
    (key,) = setting
    assert key not in at.query_params["a"][0]
    assert "A and B are the same." in notices(at)
    at = choose(at, seed=1)
    assert "Seed: 0 in A, 1 in B." in notices(at)


def test_layers_are_read_as_links_name_them():
    """However a number is written, what is taken out is what the page says."""
    assert cuts.read("attention.01", 3) == ("attention.1",)
    assert cuts.read("attention.\u0662", 3) == ("attention.2",)
    assert cuts.read("attention.3", 3) is None
