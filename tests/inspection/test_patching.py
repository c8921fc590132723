"""Patching against what must come out: everything is the clean prompt, nothing the corrupted one, and a built head."""

import dataclasses

import numpy as np
import pytest
import torch

from tests.inspection.decoders import MAKES, decoder
from transformer import EncoderModel
from transformer.core.checks import InputError
from transformer.core.taps import Recorder, no_tap, patch
from transformer.inspection import patching
from transformer.inspection.patching import Question, copies_at_once, patch_heads, patch_stream, patching_work

CLEAN, CORRUPTED = (3, 1, 4, 1, 5, 9), (3, 7, 4, 1, 5, 9)
QUESTION = Question(CLEAN, CORRUPTED, answer=8, other=2)


def recorded(model, ids, *names):
    recorder = Recorder(*names)
    with torch.inference_mode():
        model(torch.tensor([ids]), tap=recorder)
    return recorder


def score_of(model, ids, tap=no_tap, position=-1):
    with torch.inference_mode():
        logits = model(torch.tensor([ids]), tap=tap).logits[0, position]
    return float(logits[8] - logits[2])


def ends(model, question=QUESTION):
    found = patch_heads(model, question)
    return found.clean, found.corrupted


# ---- all and nothing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", MAKES.values(), ids=MAKES)
def test_the_ends_are_the_models_own_answers(changes):
    model = decoder(**changes)
    assert ends(model) == pytest.approx((score_of(model, CLEAN), score_of(model, CORRUPTED)), abs=1e-10)


def test_the_stream_at_the_word_that_differs_is_all_of_it_before_the_first_layer():
    shares = patch_stream(decoder(), QUESTION).shares
    assert shares.shape == (3, 6)
    assert shares[0] == pytest.approx([0, 1, 0, 0, 0, 0], abs=1e-9)  # the prompts differ at the second token alone
    assert shares[2] == pytest.approx([0, 0, 0, 0, 0, 1], abs=1e-9)  # the answer is read at the last one alone
    assert np.all(shares[:, 0] == 0)  # a decoder has not met the difference yet


def test_an_encoder_may_carry_the_difference_anywhere():
    model = decoder(EncoderModel)
    question = QUESTION._replace(position=0)
    shares = patch_stream(model, question).shares
    assert abs(shares[1, 0]) > 1e-3
    assert shares[2] == pytest.approx([1, 0, 0, 0, 0, 0], abs=1e-9)


# ---- each patch by itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last_only", [False, True])
def test_each_head_is_patched_by_itself(last_only):
    """Worked out another way: with one copy at a time, and the head's own rows put in by hand."""
    model = decoder()
    result = patch_heads(model, QUESTION, last_only=last_only)
    clean, corrupted = (recorded(model, ids, "heads") for ids in (CLEAN, CORRUPTED))
    for layer in range(2):
        path = f"decoder.{layer}.self_attn.heads"
        for head in range(3):
            value = corrupted[path].clone()
            if last_only:
                value[0, head, -1] = clean[path][0, head, -1]
            else:
                value[0, head] = clean[path][0, head]
            assert result.scores[layer, head] == pytest.approx(
                score_of(model, CORRUPTED, patch(path, value)), abs=1e-10
            )
    assert result.shares == pytest.approx((result.scores - result.corrupted) / (result.clean - result.corrupted))


@pytest.mark.parametrize("last_only", [False, True])
def test_what_is_predicted_with_a_head_patched(last_only):
    model = decoder()
    predicted = patching.predictions(model, QUESTION, 0, 2, last_only=last_only)
    for probabilities, ids in ((predicted.clean, CLEAN), (predicted.corrupted, CORRUPTED)):
        with torch.inference_mode():
            expected = model(torch.tensor([ids])).logits[0, -1].softmax(-1)
        np.testing.assert_allclose(probabilities, expected, atol=1e-6)
    score = np.log(predicted.patched[8] / predicted.patched[2])  # a difference of logits is one of log-probabilities
    assert score == pytest.approx(patch_heads(model, QUESTION, last_only=last_only).scores[0, 2], abs=1e-4)


def test_in_the_last_layer_only_the_last_position_counts():
    model = decoder()
    everywhere, last = (patch_heads(model, QUESTION, last_only=only).scores for only in (False, True))
    np.testing.assert_allclose(everywhere[1], last[1], atol=1e-12)
    assert not np.allclose(everywhere[0], last[0])


def test_batches_change_nothing(monkeypatch):
    model = decoder()
    heads, stream = patch_heads(model, QUESTION).scores, patch_stream(model, QUESTION).scores
    monkeypatch.setattr(patching, "MAX_BYTES", 1)
    assert copies_at_once(model.config, 6) == 1
    np.testing.assert_allclose(patch_heads(model, QUESTION).scores, heads, atol=1e-12)
    np.testing.assert_allclose(patch_stream(model, QUESTION).scores, stream, atol=1e-12)


def test_without_another_answer_the_log_probability_is_read():
    model = decoder()
    with torch.inference_mode():
        expected = [float(model(torch.tensor([ids])).logits[0, -1].log_softmax(-1)[8]) for ids in (CLEAN, CORRUPTED)]
    assert ends(model, QUESTION._replace(other=None)) == pytest.approx(tuple(expected), abs=1e-10)


# ---- a model whose head carries the answer -------------------------------------------------------------------------


def carrier():
    """Head 1 of the first layer adds what its query sees of token 7 or 1 to the logits; nothing else reads the text.

    All heads look evenly at all they may see, and all but this one are silent; feed-forward layers add nothing.
    """
    model = decoder(positions="none", tie_output=False, bias=False)
    with torch.no_grad():
        for layer in model.decoder.layers:
            for weight in (layer.self_attn.w_q.weight, layer.self_attn.w_k.weight, layer.feed_forward.w_2.weight):
                weight.zero_()
            layer.self_attn.w_o.weight.zero_()
        w_o = model.decoder.layers[0].self_attn.w_o.weight
        w_o[:, 4:8] = torch.randn(12, 4, generator=torch.Generator().manual_seed(3), dtype=w_o.dtype)
    return model


def test_a_head_that_carries_the_answer_is_found():
    shares = patch_heads(carrier(), QUESTION).shares
    assert shares == pytest.approx(np.array([[0, 1, 0], [0, 0, 0]]), abs=1e-9)
    assert patch_heads(carrier(), QUESTION, last_only=True).shares == pytest.approx(shares, abs=1e-9)


def test_its_path_through_the_stream_is_found():
    """From the word that differs, over the head of the first layer, to the last token."""
    shares = patch_stream(carrier(), QUESTION).shares
    expected = np.zeros((3, 6))
    expected[0, 1] = expected[1, 5] = expected[2, 5] = 1
    assert shares == pytest.approx(expected, abs=1e-9)


# ---- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (QUESTION._replace(corrupted=CLEAN[:-1]), "same number of tokens; these have 6 and 5"),
        (QUESTION._replace(corrupted=CLEAN), "are the same"),
        (QUESTION._replace(other=8), "answers both prompts alike"),
    ],
)
def test_what_cannot_be_patched_is_a_sentence(question, sentence):
    for study in (patch_heads, patch_stream):
        with pytest.raises(InputError, match=sentence):
            study(decoder(), question)


# ---- what it takes -------------------------------------------------------------------------------------------------


def test_the_work_grows_with_the_patches_and_keeps_to_its_memory():
    config = decoder().config
    few, many = (patching_work(config, 16, 2, n) for n in (6, 600))
    assert 50 < many.multiplications / few.multiplications < 100
    assert many.n_bytes == few.n_bytes < 1.1 * patching.MAX_BYTES
    large = dataclasses.replace(config, d_model=768, n_heads=12, n_kv_heads=12, d_ff=3072, vocab_size=50_257)
    assert 1 <= copies_at_once(large, 512) < copies_at_once(large, 16)
