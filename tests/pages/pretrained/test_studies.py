"""The studies of decoders on the page on pretrained models: every number on screen against the study itself."""

import copy
import re

import numpy as np
import pytest
import torch

from attention_view import layout
from lab.frame.old_links import translated
from lab.kit.models.readings import Reading
from lab.kit.models.references import Mask, Shipped
from lab.kit.words import as_said, fixed
from pages.pretrained import ablation
from pages.pretrained import induction as induction_view
from pages.pretrained import lens as lens_view
from pages.pretrained import patching as patch_view
from pages.pretrained.lens import MAX_COLUMNS
from pages.pretrained.study import controls, data
from pages.pretrained.study.data import HEADS, HEADS_AT_LAST, STREAM
from pages.pretrained.which_head import LIGHTS
from tests.pages.driver import chart, charts, choose, control, notices, payload, payloads, visit, words
from transformer.core.model import DecoderModel
from transformer.inspection import patching
from transformer.inspection.attribution import attribute
from transformer.inspection.induction import induction
from transformer.inspection.logit_lens import logit_lens
from transformer.training import shipped, tasks
from transformer.training.tasks.storytelling.words import COLOURS
from transformer.training.text import BOS

CLEAN, CORRUPTED = controls.PAIRS["stories"]
PROMPTS = data.Prompts(Shipped("stories"), ("a",), ("a",), 0, None)
OWNER = "jack"  # of the lamp, in ablation.ONE_HEAD


def chips(at):
    """What the quiet line says that the settings are."""
    (line,) = [html.body for html in at.get("html") if 'class="chips' in html.body]
    return re.findall(r"<span>(.*?)</span>", line)


def stories():
    checkpoint = shipped.load("stories")
    model = checkpoint.model()
    assert isinstance(model, DecoderModel)
    return checkpoint.task.source, model


def ids_of(text):
    return (BOS, *stories()[0].encode(text))


def question():
    hat, ball = stories()[0].encode("hat ball")
    return patching.Question(ids_of(CLEAN), ids_of(CORRUPTED), hat, ball)


def look(light, **settings):
    """The heads of a model in this light."""
    return visit("pretrained", pretrained_view="Which head?", pretrained_head_light=light, **settings)


def stage(at):
    """The heads that are cut by a touch: what their component was sent."""
    (packed,) = (data for data in payloads(at) if isinstance(data, bytes))
    return layout.parts(packed)


@pytest.mark.parametrize("light", LIGHTS)
def test_every_light_opens_on_a_finished_map_of_the_same_heads(light):
    at = look(light)
    assert notices(at) == ""
    header, arrays = stage(at)
    L, H, T = header["shape"]
    assert arrays["maps"].shape == (L, H, T, T)
    assert len(header["tokens"]) == T
    assert LIGHTS[light].seen in words(at)


@pytest.mark.parametrize("part", ["heads, last token", "the stream"])
def test_a_head_is_offered_to_press_where_heads_are_drawn_and_nowhere_else(part):
    said = words(look("Patch", pretrained_patch_part=part))
    assert ("**Press a head.**" in said) == ("that head carries the difference" in said) == (part != "the stream")
    assert ("Each square is the stream of a token" in said) == (part == "the stream")


def test_what_is_nearly_all_is_not_called_all():
    said = ablation._matters_most(np.array([[0.2, 0.9997]]))
    assert said.endswith("the vectors move most: by >99.9% of their length.")


def test_without_a_map_of_heads_one_is_chosen_and_not_pressed():
    """Where the map would be too much; what is said does not depend on the numbers of the others."""
    result = ablation.Result(0, (0,), np.zeros(3), None, "Too much.")
    reading = Reading(Shipped("stories"), Mask("causal"), ("a", "b", "c"))
    lede, seen = LIGHTS["Ablate"].instead(ablation.Settings(reading, ()), result)
    assert "Choose a head" in lede
    assert "Each" not in lede + seen
    refused = patch_view.Result("the answers are the same", (0, 0), "")
    lede, _ = LIGHTS["Patch"].instead(patch_view.Settings(PROMPTS, "heads, last token", None), refused)
    assert "head" not in lede


def test_a_light_with_texts_of_its_own_opens_on_the_head_that_stands_out_there():
    """A head that was chosen on another text finds none of its pairs: it would open on 0%."""
    at = choose(look("Ablate", pretrained_study_head="0·2"), pretrained_head_light="Grammar")
    assert control(at, "pretrained_study_head").value == "the strongest"
    assert stage(at)[0]["chosen"] == stage(look("Grammar"))[0]["chosen"]
    at = choose(choose(at, pretrained_study_head="0·1"), pretrained_head_light="Ablate")
    assert control(at, "pretrained_study_head").value == "none"
    assert stage(at)[0]["out"] == []
    assert notices(at) == ""
    at = look("Grammar", pretrained_study_head="0·1")
    assert control(at, "pretrained_study_head").value == "0·1", "but a link says which"


def test_a_head_stays_chosen_where_another_light_falls_on_it():
    at = look("Patch", pretrained_study_head="0·2", pretrained_patch_clean=CLEAN.replace("mia", "anna"))
    for light in ("Attribute", "Ablate"):
        at = choose(at, pretrained_head_light=light)
        assert control(at, "pretrained_study_head").value == "0·2"
        assert control(at, "pretrained_patch_clean").value == CLEAN.replace("mia", "anna")
        header = stage(at)[0]
        assert header["out"] == [2] if light == "Ablate" else header["chosen"] == [0, 2]


def test_a_whole_layer_is_ablated_and_no_other_light_falls_on_it():
    at = look("Ablate", pretrained_study_head="all of layer 1")
    assert stage(at)[0]["out"] == [4, 5, 6, 7]
    at = choose(at, pretrained_head_light="Patch")
    assert "there is no head all of layer 1 here" in notices(at)


def test_where_several_heads_are_out_another_light_falls_on_the_strongest():
    at = look("Ablate", pretrained_study_head="0·0 1·2 0·0")
    assert stage(at)[0]["out"] == [0, 6], "once, though the link says it twice"
    at = choose(at, pretrained_head_light="Patch")
    assert control(at, "pretrained_study_head").value == "the strongest"
    assert notices(at) == ""


# ---- ablation ------------------------------------------------------------------------------------------------------


@torch.no_grad()
def without(text, *heads):
    """(the next word of the writer, the probability of every token), with the columns of W_o of heads zeroed."""
    source, model = stories()
    changed = copy.deepcopy(model)
    d_k = changed.config.d_model // changed.config.n_heads
    for layer, head in heads:
        changed.stack.layers[layer].self_attn.w_o.weight[:, head * d_k : (head + 1) * d_k] = 0
    chances = changed(torch.tensor([ids_of(text)])).logits[0, -1].double().softmax(-1)
    return source.label(int(chances.argmax())), chances


def test_it_opens_on_a_text_whose_next_word_hangs_on_one_head():
    """Without it the name is gone, and without any other it stays."""
    assert without(ablation.ONE_HEAD)[0] == OWNER
    said = {(layer, head): without(ablation.ONE_HEAD, (layer, head))[0] for layer in range(3) for head in range(4)}
    assert [at for at, word in said.items() if word != OWNER] == [(2, 3)]


def test_asked_about_the_other_thing_it_needs_the_same_head_and_two_that_find_it():
    """Without one of these two it says whose the first thing is; without any other head the answer stays."""
    answer = without(ablation.OTHER)[0]
    said = {(layer, head): without(ablation.OTHER, (layer, head))[0] for layer in range(3) for head in range(4)}
    changed = {at: word for at, word in said.items() if word != answer}
    assert answer != OWNER
    assert changed.keys() == {(0, 2), (1, 1), (2, 3)}
    assert changed[0, 2] == changed[1, 1] == OWNER
    assert changed[2, 3] not in (OWNER, answer)


def test_it_can_do_without_nine_heads_of_twelve_and_the_stage_says_what_zeroed_weights_say():
    """Any ten are too many."""
    at = look("Ablate", pretrained_study_head="0·0 1·2 2·3")
    header, arrays = stage(at)
    assert header["out"] == [0, 6, 11]
    assert header["tokens"][header["at"]] == "to"
    stays = np.array([header["labels"][int(n)] for n in arrays["said"]]) == OWNER
    sizes = np.array([out.bit_count() for out in range(2**12)])
    assert (len(stays), sizes[stays].max()) == (2**12, 9)
    most = next(out for out in range(2**12) if stays[out] and sizes[out] == 9)
    for out in (0, 1 << 11, 1 << 2 | 1 << 5, most, most | 1 << 11):
        word, chances = without(ablation.ONE_HEAD, *[divmod(head, 4) for head in range(12) if out >> head & 1])
        assert header["labels"][int(arrays["said"][out])] == word
        assert arrays["sure"][out] == pytest.approx(float(chances.max()), abs=1e-5)
        assert arrays["kept"][out] == pytest.approx(float(chances[ids_of(OWNER)[-1]]), abs=1e-5)


def test_the_maps_on_the_stage_are_those_of_the_model():
    header, arrays = stage(look("Ablate"))
    maps, largest = inspection_maps(ablation.ONE_HEAD), 255
    assert arrays["maps"].shape == maps.shape
    expected = largest * maps / maps.max((-2, -1), keepdims=True)
    np.testing.assert_allclose(arrays["maps"], expected, atol=0.51)
    np.testing.assert_allclose(arrays["looks"], maps[:, :, header["at"]], atol=1e-5)
    assert header["tokens"][int(arrays["looks"][2, 3].argmax())] == OWNER, "that is where its threads lead"


@torch.no_grad()
def inspection_maps(text):
    """(L, H, T, T) from the model itself."""
    return torch.cat(stories()[1](torch.tensor([ids_of(text)])).attention.decoder).numpy()


def test_another_head_is_cut_by_a_link():
    at = look("Ablate", pretrained_study_head="0·2")
    assert stage(at)[0]["out"] == [2]
    assert "there is no head 0·9 here" in notices(look("Ablate", pretrained_study_head="0·9"))


def test_it_opens_whole_and_what_is_said_below_gives_no_head_away():
    at = look("Ablate")
    assert stage(at)[0]["out"] == []
    assert "goes to other tokens" not in words(at)
    assert control(at, "pretrained_study_head").options[0] == "none", "for none is out, not the strongest"
    at = choose(choose(at, pretrained_study_head="2·3"), pretrained_study_head="none")
    assert stage(at)[0]["out"] == []
    at = choose(at, pretrained_head_light="Patch")
    assert control(at, "pretrained_study_head").value == "the strongest"
    assert notices(at) == ""


def test_the_lens_opens_on_a_finished_example():
    at = visit("pretrained", pretrained_view="Lens")
    assert notices(at) == ""
    sent = payload(at)
    assert sent["tokens"][-2:] == ["it", "was"]
    *below, colour, answer = sent["said"][-1]
    assert below == ["was", "was"]
    assert answer == "blue", "as the ball is"
    assert colour in COLOURS, "one layer below it is another colour, which the text does not have"
    assert colour not in sent["tokens"]
    red = payload(
        visit("pretrained", pretrained_view="Lens", pretrained_lens_text=lens_view.COLOUR.replace("blue", "red"))
    )
    assert red["said"][-1][-1] == "red"
    assert payload(visit("pretrained", pretrained_view="Lens", v="2"))["tokens"][1:3] == ["mia", "found"]


# ---- patching ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [HEADS_AT_LAST, HEADS, STREAM])
def test_the_map_is_what_patching_says(part):
    at = look("Patch", pretrained_patch_part=part)
    model = stories()[1]
    if part == STREAM:
        expected = patching.patch_stream(model, question())
    else:
        expected = patching.patch_heads(model, question(), last_only=part == HEADS_AT_LAST)
    shown = chart(at)["data"][0]["z"] if part == STREAM else stage(at)[1]["moved"]
    np.testing.assert_allclose(shown, expected.shares, atol=1e-5)
    assert f"{expected.corrupted:+.1f} and {expected.clean:+.1f}".replace("-", "−") in words(at)


def test_at_first_one_head_turns_the_ball_into_the_hat():
    at = look("Patch")
    result = patching.patch_heads(stories()[1], question(), last_only=True)
    layer, head = divmod(int(result.shares.argmax()), 4)
    said = {
        place: stories()[0].decode([int(patching.predictions(stories()[1], question(), *place).patched.argmax())])
        for place in np.ndindex(3, 4)
    }
    assert [place for place, word in said.items() if word == "hat"] == [(layer, head)]
    assert sum(word == "ball" for word in said.values()) == 11
    predicted = patching.predictions(stories()[1], question(), layer, head, last_only=True)
    row = f"| second, head {head} of layer {layer} carried over | {predicted.patched[question().answer]:.0%} |"
    assert row in words(at)
    assert 0.9995 < predicted.clean[question().answer] < 1
    assert "| first | >99.9% |" in words(at)
    assert stage(at)[0]["carried"] == [layer, head]


@pytest.mark.wide
@pytest.mark.parametrize("part", [HEADS_AT_LAST, HEADS])
def test_the_stage_says_what_comes_along_with_each_head(part):
    header, arrays = stage(look("Patch", pretrained_patch_part=part))
    source, model = stories()
    assert (header["labels"][:2], header["second"]["answer"]) == (["hat", "ball"], "hat")
    differing = [(a, b) for a, b in zip(header["tokens"], header["second"]["tokens"], strict=True) if a != b]
    assert differing == [("red", "blue")]
    ids = {source.label(id): id for id in range(model.config.vocab_size)}
    few = [ids[label] for label in header["labels"]]
    for layer, head in np.ndindex(3, 4):
        expected = patching.predictions(model, question(), layer, head, last_only=part == HEADS_AT_LAST)
        np.testing.assert_allclose(arrays["heads"][layer, head], expected.patched[few], atol=1e-5)
        assert int(expected.patched.argmax()) in few
    corrupted = patching.predictions(model, question(), 0, 0).corrupted
    np.testing.assert_allclose(arrays["before"], corrupted[few], atol=1e-5)
    maps = inspection_maps(CLEAN)
    np.testing.assert_allclose(arrays["looks"], maps[:, :, -1], atol=1e-5)


def test_a_chosen_head_is_looked_at_closely():
    at = choose(look("Patch"), pretrained_study_head="0·2")
    assert "Where head 2 of layer 0 looks" in words(at)
    clean, corrupted = (trace["x"] for trace in charts(at)[0]["data"])
    recorded = []
    for ids in (ids_of(CLEAN), ids_of(CORRUPTED)):
        with torch.inference_mode():
            recorded.append(stories()[1](torch.tensor([ids])).attention.decoder[0][0, 2, -1].numpy())
    np.testing.assert_allclose(clean, recorded[0], atol=1e-6)
    np.testing.assert_allclose(corrupted, recorded[1], atol=1e-6)


def test_without_another_answer_the_log_probability_is_asked_for():
    at = choose(look("Patch"), pretrained_study_other=controls.ANY_OTHER)
    ends = patching.patch_heads(stories()[1], question()._replace(other=None))
    assert f"{fixed(ends.corrupted, 1, signed=True)} and {fixed(ends.clean, 1, signed=True)}" in words(at)
    assert "the log-probability of hat" in words(at)
    assert chips(at)[-1] == "against any other", "which is no word to be quoted"
    assert chips(look("Patch"))[-1] == "against “ball”"


@pytest.mark.parametrize(("typed", "sentence"), [("mia took the blue", "these have 17 and 5"), ("", "Type two texts")])
def test_prompts_that_cannot_be_compared_get_a_sentence(typed, sentence):
    at = choose(look("Patch"), pretrained_patch_corrupted=typed)
    assert sentence in notices(at)


def test_equal_prompts_get_a_sentence():
    at = choose(look("Patch"), pretrained_patch_corrupted=CLEAN)
    assert "Nothing to patch: the two prompts are the same" in words(at)


def test_a_long_prompt_is_cut():
    long = "mia found a red ball in the park. " * 20
    at = visit(
        "pretrained",
        pretrained_view="Which head?",
        pretrained_head_light="Patch",
        pretrained_patch_clean=long,
        pretrained_patch_corrupted=long.replace("mia", "tom", 1),
    )
    assert f"{controls.MAX_TOKENS} tokens of the first text are read" in notices(at)
    assert len(charts(at)[0]["data"][0]["x"]) == controls.MAX_TOKENS


def test_markup_in_a_prompt_is_shown_as_it_is():
    text = CLEAN.replace("mia", "<b>mia</b>")
    at = look("Patch", pretrained_patch_clean=text, pretrained_patch_corrupted=text)
    assert "<b>" not in words(at)


# ---- attribution ---------------------------------------------------------------------------------------------------


def test_the_parts_on_screen_are_those_of_the_logit():
    at = look("Attribute")
    q = question()
    parts = attribute(stories()[1], q.clean, q.answer, q.other)
    header, arrays = stage(at)
    np.testing.assert_allclose(arrays["values"], parts.heads, atol=1e-5)
    np.testing.assert_allclose(arrays["feed_forward"], parts.feed_forward, atol=1e-5)
    assert f"together **{parts.total:+.2f}**. The model itself gives {parts.logit:+.2f}" in words(at)
    layer, head = divmod(int(np.abs(parts.heads).argmax()), 4)
    assert header["chosen"] == [layer, head]
    assert header["asked"] == [[len(q.clean) - 1, []]]
    np.testing.assert_allclose(arrays["found"][:, :, 0], parts.by_key, atol=1e-5)
    np.testing.assert_allclose(arrays["found"][:, :, 0].sum(-1), parts.heads, atol=1e-4)


def test_a_chosen_head_says_what_it_read():
    header, arrays = stage(choose(look("Attribute"), pretrained_study_head="0·1"))
    q = question()
    parts = attribute(stories()[1], q.clean, q.answer, q.other)
    assert (header["chosen"], header["facts"]) == ([0, 1], {"to": "the lead of “hat” over “ball”"})
    np.testing.assert_allclose(arrays["found"][0, 1, 0], parts.by_key[0, 1], atol=1e-5)


# ---- lens ----------------------------------------------------------------------------------------------------------


def test_every_cell_says_what_would_be_said_there():
    at = visit("pretrained", pretrained_view="Lens", pretrained_lens_text=CLEAN)
    source, model = stories()
    lens = logit_lens(model, list(ids_of(CLEAN)))
    sent = payload(at)
    assert sent["said"] == [[as_said(source.label(int(id))) for id in row] for row in lens.said.T]
    assert sent["ranks"] == lens.ranks.T.tolist()
    assert sent["echoes"] == [
        [word == token for word in row] for token, row in zip(sent["tokens"], sent["said"], strict=True)
    ]
    np.testing.assert_allclose(sent["chances"], lens.chances.T, atol=1e-4)
    np.testing.assert_allclose(sent["odds"], lens.odds.T, atol=1e-4)
    assert len(sent["said"]) == len(sent["tokens"])
    assert len(sent["said"][0]) == len(sent["heights"])


def test_of_a_longer_text_the_shares_are_those_of_the_columns_that_one_sees():
    text = f"{CLEAN} . then ben took the red hat to the river"
    model = stories()[1]
    since = logit_lens(model, list(ids_of(text))).since[-MAX_COLUMNS:]
    assert len(ids_of(text)) > MAX_COLUMNS
    at = visit("pretrained", pretrained_view="Lens", pretrained_lens_text=text)
    shares = ", ".join(
        f"{height} {(since <= n).mean():.0%}" for n, height in enumerate(("embedding", "layer 0", "layer 1", "layer 2"))
    )
    assert f"Share of the last {MAX_COLUMNS} tokens for which the final word is settled: {shares}." in words(at)


def test_nothing_typed_is_a_sentence():
    at = visit("pretrained", pretrained_view="Lens", pretrained_lens_text="   ")
    assert "There is no word to look at yet" in notices(at)


# ---- induction -----------------------------------------------------------------------------------------------------


def test_it_opens_on_a_model_that_has_induction_heads():
    at = look("Repetition")
    model = shipped.load("repeat").model()
    assert isinstance(model, DecoderModel)
    result = induction(model, range(4, 24), 8, begin=(BOS,), n_texts=data.N_TEXTS)
    (losses,) = charts(at)
    header, arrays = stage(at)
    np.testing.assert_allclose(arrays["values"], result.scores, atol=1e-5)
    assert header["chosen"] == list(result.best)
    np.testing.assert_allclose(losses["data"][0]["y"], result.losses, atol=1e-4)
    assert result.scores.max() > 0.9
    assert result.second < 0.05 < 2 < result.first
    assert f"the loss falls from **{result.first:.2f}** to **{result.second:.2f}**" in words(at)
    tokens, again = header["tokens"], header["again"]
    assert tokens[again:] == tokens[1:again], "it stands on two lines that say the same"
    for n, (query, (key,)) in enumerate(header["asked"]):
        assert tokens[key] == (tokens[query + 1] if query + 1 < len(tokens) else tokens[again])
        assert key < query
        np.testing.assert_allclose(arrays["found"][:, :, n], result.weights[:, :, query], atol=1e-5)
    at_right = [arrays["found"][*result.best, n, key] for n, (_, (key,)) in enumerate(header["asked"])]
    assert np.mean(at_right) > 0.9


def test_a_model_without_such_a_head_is_told_so():
    at = look("Repetition", weights="trained on stories")
    header, arrays = stage(at)
    assert arrays["values"].max() < header["facts"]["clear"] == induction_view.CLEAR
    assert "The loss stays where it was" in words(at)
    assert 2 * control(at, "pretrained_induction_n").value <= tasks.make("stories").longest


def test_what_a_model_reads_at_random():
    source = Shipped("repeat").resolve()
    assert [source.label(id) for id in data.ordinary_ids(source)] == list("abcdefghijklmnopqrst")
    assert data.beginning(source) == (BOS,)


# ---- models --------------------------------------------------------------------------------------------------------


def test_another_model_brings_its_own_prompts_and_keeps_what_was_typed():
    at = look("Patch")
    assert control(at, "pretrained_patch_clean").value == CLEAN
    at = choose(at, pretrained_patch_clean="anna found a red hat. tom found a blue ball. mia took the red")
    at = choose(at, pretrained_head_light="Repetition")
    at = choose(at, pretrained_head_light="Patch")
    assert "anna" in control(at, "pretrained_patch_clean").value


def test_the_prompts_of_any_decoder_differ_in_a_word():
    for name in ("stories", "repeat"):
        source = Shipped(name).resolve()
        clean, corrupted = (source.cut(text) for text in controls.pair_for(source))
        assert len(clean) == len(corrupted)
        assert sum(a != b for a, b in zip(clean, corrupted, strict=True)) == 1


def test_a_model_that_is_not_here_gives_way_to_one_that_is():
    at = look("Patch", weights="no such model")
    assert "a decoder on this server is needed" in notices(at)
    assert control(at, "weights").value == "trained on stories"


def test_a_b_compares_what_the_heads_carry():
    at = look("Patch", a="usual", pretrained_patch_part=HEADS)
    assert "Patched: heads, last token in A, heads, all tokens in B." in notices(at)
    a, b, difference = (figure["data"][0]["z"] for figure in charts(at)[:3])
    last, every = (patching.patch_heads(stories()[1], question(), last_only=only).shares for only in (True, False))
    np.testing.assert_allclose(a, last, atol=1e-5)
    np.testing.assert_allclose(b, every, atol=1e-5)
    np.testing.assert_allclose(difference, every - last, atol=1e-5)


def test_an_old_link_finds_its_head_and_its_text_again():
    old = {"pretrained_view": "Unplug", "text": CLEAN, "unplug_layer": "1", "unplug_head": "head 3"}
    page, now = translated("pretrained", old)
    assert page == "pretrained"
    assert now.items() >= {
        ("pretrained_view", "Which head?"),
        ("pretrained_head_light", "Ablate"),
        ("pretrained_study_head", "1·3"),
        ("pretrained_patch_clean", CLEAN),
    }
    assert stage(visit("pretrained", **old))[0]["out"] == [7]
    layer = {"pretrained_view": "Unplug", "unplug_layer": "0"}
    assert translated("pretrained", layer)[1]["pretrained_study_head"] == "all of layer 0"
    patched = visit("pretrained", pretrained_view="Patching", patch_head="0·2")
    assert stage(patched)[0]["carried"] == [0, 2]
