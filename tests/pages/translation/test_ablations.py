"""What the model does without a part, and with padding."""

import numpy as np
import pytest

from tests.pages.driver import chart, choose, payload
from tests.pages.translation.expected import checkpoint, heads, held_out, model, text, visit
from transformer.inspection.translation import Part, ablate_part, exactly_right_padded, token_labels, translate
from transformer.training.scores import exactly_right
from transformer.training.tasks.french import EXAMPLES


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "part"), [("none", None), ("memory", "memory"), ("where to look", "focus"), ("positions", "positions")]
)
def test_ablations_are_measured(name: str, part: Part | None) -> None:
    task = checkpoint().task
    at = visit(translation_view="Ablation", translation_plug=name)
    ablated, tap = ablate_part(model(), part)
    share = exactly_right(ablated, task, held_out(), tap=tap)
    assert f"{name} {share:.0%}" in at.get("plotly_chart")[-1].proto.alt
    ids = task.source.encode(EXAMPLES[0])
    whole, without = translate(model(), ids), translate(ablated, ids, tap)
    sent = payload(at)
    for side, run in zip(sent["sides"], (whole, without), strict=True):
        assert side["words"] == list(token_labels(task.target, run.written))
        threads = np.stack([frame.cross[-1].mean(0) for frame in run.frames])
        np.testing.assert_allclose(side["weights"], threads, atol=1e-4)
    assert sent["carries"] == (part != "memory")
    assert bool(sent["plug"]) == (part is not None)
    assert ("the same, letter for letter" in text(at)) == (part is None)


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
