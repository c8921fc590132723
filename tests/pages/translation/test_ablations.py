"""What the model does without a part, and with padding."""

import copy
from dataclasses import replace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.translation import ablations, data
from pages.translation.page import PAGE
from tests.pages import driver
from tests.pages.driver import chart, choose
from tests.pages.translation.expected import checkpoint, heads, held_out, model, text, translated, visit
from transformer.inspection.translation import Part, ablate_part, exactly_right_padded, token_labels, translate
from transformer.training.scores import exactly_right
from transformer.training.tasks.french import EXAMPLES


def sent(at: AppTest, name: str) -> Any:
    """What the component was sent of which this is a part."""
    (payload,) = (one for one in driver.payloads(at) if name in one)
    return payload


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "part"),
    [("nothing", None), ("memory", "memory"), ("cross-attention", "focus"), ("positions", "positions")],
)
def test_ablations_are_measured(name: str, part: Part | None) -> None:
    task = checkpoint().task
    at = visit(translation_view="Ablation", translation_plug=name)
    ablated, tap = ablate_part(model(), part)
    share = exactly_right(ablated, task, held_out(), tap=tap)
    assert f"{name} {share:.0%}" in at.get("plotly_chart")[-1].proto.alt
    ids = task.source.encode(EXAMPLES[0])
    whole, without = translate(model(), ids), translate(ablated, ids, tap)
    below = sent(at, "carries")
    for side, run in zip(below["sides"], (whole, without), strict=True):
        assert side["words"] == list(token_labels(task.target, run.written))
        threads = np.stack([frame.cross[-1].mean(0) for frame in run.frames])
        np.testing.assert_allclose(side["weights"], threads, atol=1e-4)
    assert below["carries"] == (part != "memory")
    assert bool(below["part"]) == (part is not None)
    picture = sent(at, "texts")
    assert picture["out"] == name
    assert picture["texts"][name] == {
        "words": list(token_labels(task.target, without.answer)),
        "ended": without.ended,
        "right": round(100 * share),
    }
    assert ("the same, letter for letter" in text(at)) == (part is None)


def test_a_part_s_picture_is_what_it_holds_and_what_stands_in_its_place() -> None:
    picture = sent(visit(translation_view="Ablation"), "texts")
    assert set(picture["texts"]) == {"nothing", "positions", "memory", "cross-attention"}  # a press needs no server
    expected = translated()
    memory = expected.translation.memory
    np.testing.assert_allclose(picture["memory"], 127 * memory / np.abs(memory).max(), atol=0.5)
    np.testing.assert_allclose(picture["weights"], expected.maps["cross"].weights[-1].mean(0), atol=1e-3)
    np.testing.assert_allclose(picture["even"], 1 / len(expected.source.ids), atol=1e-3)
    assert picture["heads"] == [["encoder", 2, 4], ["decoder", 2, 4], ["cross", 2, 4]]
    assert (picture["out"], picture["head"], picture["ordered"]) == ("nothing", None, True)


def test_a_model_that_learned_without_positions_is_sent_as_one() -> None:
    words = tuple(translated().source.words)
    settings = ablations.Settings(ablations.Sentence(data.SHIPPED, words), "nothing", None)
    found = ablations.compute(settings)
    for scheme in ("none", "rotary", "learned"):
        ref = MagicMock()
        ref.resolve().config = replace(model().config, positions=scheme)
        other = settings._replace(sentence=ablations.Sentence(ref, words))
        assert ablations._payload(other, found)["ordered"] == (scheme != "none")


def test_one_head_is_out() -> None:
    at = visit(translation_view="Ablation", translation_plug="one head", tr_plug_side="cross-attention")
    picture = sent(at, "texts")
    assert (picture["out"], picture["head"]) == ("one head", ["cross", 0, 2])
    ablated, tap = ablate_part(model(), "head", ("cross", 0, 2))
    run = translate(ablated, checkpoint().task.source.encode(EXAMPLES[0]), tap)
    assert picture["texts"]["one head"]["words"] == list(token_labels(checkpoint().task.target, run.answer))


def test_each_head_that_the_sentence_needs_has_its_text_and_so_have_all_others_out_at_once() -> None:
    without = sent(visit(translation_view="Ablation"), "texts")["without"]
    whole, target = translated().translation, checkpoint().task.target
    spare = []
    for head in ablations.every_head(data.SHIPPED):
        ablated, tap = ablate_part(model(), "head", head)
        now = translate(ablated, whole.source, tap).written
        if now == whole.written:
            spare.append(head)
        else:
            assert without.pop(",".join(map(str, head))) == list(token_labels(target, now))
    assert len(spare) == 20
    cut = copy.deepcopy(model())
    parts = {
        "encoder": (cut.encoder, "self_attn"),
        "decoder": (cut.decoder, "self_attn"),
        "cross": (cut.decoder, "cross_attn"),
    }
    for kind, layer, n in spare:
        stack, name = parts[kind]
        d_k = cut.config.d_k
        with torch.no_grad():
            getattr(stack.layers[layer], name).w_o.weight[:, n * d_k : (n + 1) * d_k] = 0
    together = translate(cut, whole.source).written
    assert without == {"": list(token_labels(target, together))}
    assert together != whole.written, "each can go, but not all at once"


def test_heads_are_taken_out_in_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    words = tuple(translated().source.words)
    data.translated(data.SHIPPED, words)
    one_by_one = MagicMock()
    monkeypatch.setattr("transformer.inspection.translation.translate", one_by_one)
    assert ablations.without_heads(data.SHIPPED, words)
    one_by_one.assert_not_called()


def test_a_link_from_before_parts_had_the_names_of_the_field_opens_the_same() -> None:
    for once, now in (("none", "nothing"), ("where to look", "cross-attention")):
        assert sent(visit(translation_view="Ablation", translation_plug=once), "texts")["out"] == now


def test_every_head_of_a_kind() -> None:
    link = {"translation_view": "Ablation", "translation_plug": "one head"}
    at = visit(**link, tr_plug_side="decoder self", tr_plug_layer=0, tr_plug_head=1)
    shares = chart(at)["data"][0]["text"]
    for layer, head in ((0, 1), (1, 3)):
        ablated, tap = ablate_part(model(), "head", ("decoder", layer, head))
        assert shares[layer][head] == f"{exactly_right(ablated, checkpoint().task, held_out(), tap=tap):.0%}"


def test_padding_is_nothing_with_the_mask_and_something_without() -> None:
    at = visit(translation_view="Padding", translation_pads=5)
    header, arrays = heads(at)
    assert header["keys"][-5:] == ["⟨pad⟩"] * 5
    weights = arrays["weights"].reshape(2, 4, 7, 10)
    assert (weights[..., 5:] == 0).all()
    assert "is exactly **0**. Result: the same translation as without padding." in text(at)
    at = choose(at, translation_mask="off")
    weights = heads(at).arrays["weights"].reshape(2, 4, -1, 10)
    assert (weights[..., 5:] > 0).all()
    assert "exactly **0**" not in text(at)
    share = exactly_right_padded(model(), held_out(), 5, masked=False)
    assert f"**{share:.0%}** are exactly right" in text(at)
    np.testing.assert_array_less(share, 1)


def test_what_is_bold_is_what_changes_and_may_be_no_mistake() -> None:
    (tab,) = (tab for tab in PAGE.views if tab.module == "ablations")
    assert "**Bold**: words that changed." in tab.lede
