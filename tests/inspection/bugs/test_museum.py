"""Every bug shows on exactly those instruments that are said to show it, and its cure on none; cures are our own model.

What a visitor reads is what these tests read: the same specimen and the same function of the same instrument.
"""

import ast
import inspect
from functools import cache
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
import torch

from tests.inspection.bugs.shown import SHOWN_BY
from transformer.inspection.bugs import collection, parts, symptoms, trainings
from transformer.inspection.bugs.collection import EXHIBITS
from transformer.inspection.bugs.instruments import INSTRUMENTS, PADS, Instrument
from transformer.inspection.bugs.museum import N_PADS, specimen
from transformer.inspection.bugs.specimens import Pair, Specimen, Trained
from transformer.training import shipped
from transformer.training.text import PAD


@cache
def load(name: str) -> tuple[Any, Any]:
    checkpoint = shipped.load(name)
    return checkpoint.model(), checkpoint.task


@cache
def built(name: str, *, cured: bool) -> Any:
    return specimen(name, load, cured=cured)


@cache
def reading(name: str, instrument: str, *, cured: bool) -> np.ndarray:
    return INSTRUMENTS[instrument].reading(built(name, cured=cured))


@pytest.mark.slow
@pytest.mark.few(12)
@pytest.mark.parametrize("name", EXHIBITS)
def test_the_fault_shows_where_it_is_said_to_and_the_cure_nowhere(name: str):
    exhibit = EXHIBITS[name]
    for cured in (False, True):
        finds = {
            instrument
            for instrument in exhibit.instruments
            if INSTRUMENTS[instrument].finds(reading(name, instrument, cured=cured), built(name, cured=cured))
        }
        assert finds == (set() if cured else set(SHOWN_BY[name]))


@pytest.mark.slow
@pytest.mark.few(12)
@pytest.mark.parametrize("name", EXHIBITS)
def test_what_one_notices_is_noticed_with_the_fault_and_answered_as_by_a_healthy_model_with_the_cure(name: str):
    sign = symptoms.SIGNS[name]
    task = load(sign.model)[1]
    healthy, broken = (sign.answers(built(name, cured=cured), task) for cured in (True, False))
    assert len(sign.asked) == len(healthy) == len(broken)
    assert healthy != broken
    assert sign.answers(built(name, cured=True), task) == healthy, "the same at every call"


def test_a_story_is_continued_as_the_shipped_model_does():
    model, task = load("stories")
    (written,) = symptoms.SIGNS["softmax-axis"].answers(built("softmax-axis", cured=True), task)
    ids = [*built("softmax-axis", cured=True).ids]
    with torch.inference_mode():
        for _ in range(symptoms.N_WRITTEN):
            ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    right = task.target.decode(ids[-symptoms.N_WRITTEN :])
    assert written.removesuffix(" …").replace(" ", "") == right.replace(" ", "")


def test_the_instruments_are_those_of_the_collection():
    names = {value for name, value in vars(collection).items() if name.isupper() and isinstance(value, str)}
    assert names == set(INSTRUMENTS) == {name for exhibit in EXHIBITS.values() for name in exhibit.instruments}
    for name, exhibit in EXHIBITS.items():
        assert SHOWN_BY[name]
        assert set(SHOWN_BY[name]) < set(exhibit.instruments) or len(exhibit.instruments) == 2


@pytest.mark.parametrize("name", EXHIBITS)
def test_fault_and_cure_differ_in_one_method(name: str):
    """Of a class, everything else is inherited; of a function, there is nothing else."""
    exhibit = EXHIBITS[name]
    right, _, method = exhibit.right.partition(".")
    wrong, _, same = exhibit.wrong.partition(".")
    assert method == same
    if method:
        assert issubclass(getattr(parts, wrong), getattr(parts, right))
        assert {key for key in vars(getattr(parts, wrong)) if not key.startswith("__") or key == method} - {
            "__init__"
        } == {method} - {"__init__"}
    bodies = [ast.dump(ast.parse(dedent(inspect.getsource(_named(part))))) for part in (exhibit.right, exhibit.wrong)]
    assert bodies[0] != bodies[1]


def _named(name: str) -> Any:
    owner, _, method = name.partition(".")
    return getattr(getattr(parts, owner), method) if method else getattr(parts, owner)


OUR_OWN = {
    "softmax-axis": "stories",
    "mask-off-by-one": "stories",
    "norm-over-tokens": "stories",
    "no-positions": "sentiment",
    "dropout-at-evaluation": "sentiment",
    "cache-position": "repeat",
}


@pytest.mark.parametrize("name", OUR_OWN)
def test_a_cured_model_is_the_shipped_one(name: str):
    cured = built(name, cured=True)
    own, _ = load(OUR_OWN[name])
    assert type(own) is not type(cured.model) or own is not cured.model
    with torch.inference_mode():
        logits = own(torch.tensor([cured.ids])).logits[0].numpy()
    np.testing.assert_allclose(cured.logits(), logits, atol=1e-4)  # rounding, of logits up to 20


def test_a_fault_changes_no_parameter_and_leaves_the_model_alone():
    own, _ = load("stories")
    faulty = built("softmax-axis", cured=False)
    assert all(type(module).__module__ != parts.__name__ for module in own.modules())
    assert any(type(module) is parts.SoftmaxOverQueries for module in faulty.model.modules())
    theirs = dict(own.named_parameters())
    for name, parameter in faulty.model.named_parameters():
        assert torch.equal(parameter, theirs[name])
        assert parameter.data_ptr() != theirs[name].data_ptr()
    assert not faulty.model.training


# ---- what the stories say ------------------------------------------------------------------------------------------


def test_columns_sum_to_one_where_softmax_runs_over_queries():
    weights = built("softmax-axis", cured=False).run().attention.decoder[0]
    np.testing.assert_allclose(weights.sum(-2), 1, atol=1e-5)


def test_a_mask_after_softmax_leaves_rows_below_one():
    sums = reading("mask-after-softmax", collection.ROW_SUMS, cured=False)
    assert sums.max() <= 1 + 1e-6
    assert sums[0] < 0.1  # the first row keeps one share of many


def test_one_diagonal_too_many_opens_exactly_the_next_token():
    weights = reading("mask-off-by-one", collection.WEIGHTS, cured=False)
    n = len(weights)
    assert (np.diag(weights, 1) > 0).all()
    assert not np.triu(weights, 2).any()
    assert int((np.triu(weights, 1) > 0).sum()) == n - 1


def test_padding_that_is_open_is_looked_at_and_an_inverted_mask_sees_nothing_else():
    for name, cured in (("padding-not-masked", True), ("mask-inverted", True)):
        assert not reading(name, collection.WEIGHTS, cured=cured)[:, -N_PADS:].any()
    assert (reading("padding-not-masked", collection.WEIGHTS, cured=False)[:, -N_PADS:] > 0).all()
    inverted = reading("mask-inverted", collection.WEIGHTS, cured=False)
    assert not inverted[:, :-N_PADS].any()
    assert len(reading("padding-not-masked", collection.PADDING, cured=False)) == len(PADS)


def test_nan_begins_at_the_padding_and_ends_everywhere():
    heights = reading("empty-rows", collection.MISSING, cured=False)
    assert not heights[0].any()
    assert heights[1].tolist() == [1.0] * N_PADS + [0.0] * (len(heights[1]) - N_PADS)
    assert (heights[2] == 1).all()
    cured = built("empty-rows", cured=True)
    assert cured.ids[:N_PADS] == (PAD,) * N_PADS
    own, _ = load("stories")
    with torch.inference_mode():
        alone = own(torch.tensor([cured.ids[N_PADS:]])).logits[0].numpy()
    np.testing.assert_allclose(cured.logits()[N_PADS:], alone, atol=1e-4)  # rotary: only distances count


def test_unscaled_scores_spread_by_the_root_of_the_width():
    wide, right = (reading("unscaled-scores", collection.SPREADS, cured=cured) for cured in (False, True))
    np.testing.assert_allclose(wide / right, 8, rtol=1e-4)  # heads of 64


def test_without_a_residual_every_position_predicts_almost_the_same():
    alike, right = (built("no-residual", cured=cured).logits() for cured in (False, True))
    assert alike.std(0).mean() < right.std(0).mean() / 50


def test_layers_that_are_not_chained_are_one_layer():
    faulty = built("layers-not-chained", cured=False)
    gradients = reading("layers-not-chained", collection.GRADIENTS, cured=False)
    assert not gradients[:-1].any()
    assert gradients[-1] > 0
    stack = faulty.model.stack
    with torch.inference_mode():
        embedded = stack.embed(torch.tensor([faulty.ids]))
        *_, (last, _) = stack.each_layer(embedded, torch.ones(1, 1, 1, 1, dtype=torch.bool))
        only, _ = stack.layers[-1](embedded, torch.ones(1, 1, 1, 1, dtype=torch.bool), positions=stack.positions)
    assert torch.equal(last, only)


def test_shared_layers_have_the_parameters_of_one():
    shared, own = (built("shared-layers", cured=cured).model for cured in (False, True))
    n = [sum(p.numel() for p in model.decoder.layers.parameters()) for model in (shared, own)]
    assert n[1] == 4 * n[0]
    kept = built("plain-list", cured=False).model
    assert not [name for name, _ in kept.named_parameters() if "layers" in name]
    assert reading("plain-list", collection.GRADIENTS, cured=False).all()


def test_one_id_is_beyond_the_table_when_counting_from_1():
    numbered = built("numbered-from-1", cured=False)
    own, _ = load("stories")
    with pytest.raises(ValueError, match="not in the vocabulary"):
        own(torch.tensor([[max(numbered.number.values())]]))


def test_a_model_that_copies_writes_one_letter_and_a_log_with_padding_undercuts_a_coin():
    copied: Trained = built("targets-not-shifted", cured=False)
    assert copied.start == tuple("cde")
    assert set(copied.written) == {"e"}
    assert copied.expected == tuple("fghabc")
    padded, honest = (built("loss-with-padding", cured=cured).reported[-10:].mean() for cured in (False, True))
    assert padded < np.log(2) / 2 < 0.5 < honest


@pytest.mark.slow
def test_without_a_warm_up_the_loss_is_that_of_a_guess():
    stuck: Trained = built("no-warm-up", cured=False)
    assert stuck.reported[-10:].mean() == pytest.approx(np.log(len(trainings.LETTERS)), abs=0.1)


def test_equal_lengths_hide_that_the_wires_are_crossed():
    pair: Pair = built("wired-backwards", cured=False)
    n = pair.x.shape[1]
    equal = Pair(pair.layer, pair.x, pair.memory[:, :n], pair.target, pair.source[:n])
    shapes = INSTRUMENTS[collection.SHAPES]
    assert not shapes.finds(shapes.reading(equal), equal)


# ---- the instruments -----------------------------------------------------------------------------------------------


def test_nan_is_never_healthy():
    tool = Instrument(lambda _: np.array([np.nan]), lambda values, _: float(values.max()))
    assert tool.finds(tool.reading(None), None)
    assert not Instrument(lambda _: np.ones(1)).finds(np.ones(1), None)  # only the eye can read it


def test_reading_twice_gives_the_same_and_leaves_torchs_randomness_alone():
    faulty: Specimen = built("dropout-at-evaluation", cured=False)
    tool = INSTRUMENTS[collection.REPEATS]
    state = torch.get_rng_state()
    np.testing.assert_array_equal(tool.reading(faulty), tool.reading(faulty))
    assert torch.equal(state, torch.get_rng_state())


def test_changes_of_a_causal_model_equal_two_runs_written_out():
    cured: Specimen = built("mask-off-by-one", cured=True)
    changed = reading("mask-off-by-one", collection.CHANGES, cured=True)
    j = 4
    edited = (*cured.ids[:j], cured.edits[j], *cured.ids[j + 1 :])
    np.testing.assert_array_equal(changed[:, j], np.abs(cured.logits(edited) - cured.logits()).max(-1))
    assert (np.diag(changed) > 0).all()
    assert all(a != b for a, b in zip(cured.ids, cured.edits, strict=True))


def test_gradients_are_autograds_and_leave_nothing_behind():
    cured: Specimen = built("layers-not-chained", cured=True)
    model = cured.model
    assert all(p.grad is None for p in model.parameters())
    ids = torch.tensor([cured.ids])
    torch.nn.functional.cross_entropy(model(ids).logits[0, :-1], ids[0, 1:]).backward()
    expected = [torch.stack([p.grad.norm() for p in layer.parameters()]).norm() for layer in model.stack.layers]
    model.zero_grad(set_to_none=True)
    np.testing.assert_allclose(
        reading("layers-not-chained", collection.GRADIENTS, cured=True), torch.stack(expected), rtol=1e-4
    )
