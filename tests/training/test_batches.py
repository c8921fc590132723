"""Batches written out by hand, and that padding has no say."""

import pytest
import torch
from torch import Generator

from tests.training.toys import config, toy
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.training.batches import build, collate, drilled, forward_batch, stressed
from transformer.training.film import axes
from transformer.training.losses import cross_entropy
from transformer.training.settings import Settings
from transformer.training.tasks import make
from transformer.training.tasks.task import Example
from transformer.training.text import BOS, EOS, PAD
from transformer.training.trainer import Trainer

KINDS = ("encoder-decoder", "decoder", "encoder")
SHORT = Example((7, 8), (9,), ((0, 1),))
LONG = Example((4, 5, 6), (10, 11), ((0, 2), (1, 0), (1, 1)))


def test_encoder_decoder_rows_by_hand():
    batch = collate("encoder-decoder", [SHORT, LONG])
    assert batch.source.tolist() == [[7, 8, PAD], [4, 5, 6]]
    assert batch.text.tolist() == [[BOS, 9, PAD], [BOS, 10, 11]]
    assert batch.wanted.tolist() == [[9, EOS, PAD], [10, 11, EOS]]


def test_decoder_rows_by_hand():
    batch = collate("decoder", [SHORT, LONG])
    assert batch.source is None
    assert batch.text.tolist() == [[BOS, 7, 8, 9, PAD, PAD], [BOS, 4, 5, 6, 10, 11]]
    assert batch.wanted.tolist() == [[PAD, PAD, 9, EOS, PAD, PAD], [PAD, PAD, PAD, 10, 11, EOS]]


def test_a_decoder_without_a_question_is_asked_for_every_token():
    batch = collate("decoder", [Example((), (5, 6, 7))])
    assert batch.text.tolist() == [[BOS, 5, 6, 7]]
    assert batch.wanted.tolist() == [[5, 6, 7, EOS]]


def test_encoder_rows_by_hand():
    batch = collate("encoder", [SHORT, Example((4, 5, 6), (10,))])
    assert batch.source is None
    assert batch.text.tolist() == [[BOS, 7, 8, PAD], [BOS, 4, 5, 6]]
    assert batch.wanted.tolist() == [[9, PAD, PAD, PAD], [10, PAD, PAD, PAD]]


def test_every_kind_has_its_model():
    made = [type(build(kind, config(), Generator().manual_seed(0))) for kind in KINDS]
    assert made == [Transformer, DecoderModel, EncoderModel]


@pytest.mark.parametrize("look_ahead", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_padding_has_no_say(kind, look_ahead):
    """A short example alone and beside a long one: the same logits wherever something is wanted, the same loss."""
    model = build(kind, config(positions="learned"), Generator().manual_seed(1)).eval()
    short = Example((7, 8), (9,))
    long = Example((4, 5, 6, 4, 5, 6), (10,) if kind == "encoder" else (10, 11, 10, 11))
    alone, beside = collate(kind, [short]), collate(kind, [short, long])
    logits = forward_batch(model, alone, is_causal=not look_ahead).logits
    padded = forward_batch(model, beside, is_causal=not look_ahead).logits[:1, : logits.shape[1]]
    asked = alone.wanted != PAD
    torch.testing.assert_close(padded[asked], logits[asked], rtol=1e-5, atol=1e-5)
    both = cross_entropy(forward_batch(model, beside, is_causal=not look_ahead).logits, beside.wanted)
    each = [
        cross_entropy(forward_batch(model, b, is_causal=not look_ahead).logits, b.wanted)
        for b in (alone, collate(kind, [long]))
    ]
    n = [int((collate(kind, [e]).wanted != PAD).sum()) for e in (short, long)]
    assert both.item() == pytest.approx((each[0].item() * n[0] + each[1].item() * n[1]) / sum(n), rel=1e-5)


def test_only_looking_ahead_sees_what_comes():
    model = build("decoder", config(), Generator().manual_seed(1)).eval()
    one, other = (collate("decoder", [Example((4, 5), (6, last))]) for last in (7, 8))
    for is_causal in (True, False):
        first, second = (forward_batch(model, b, is_causal=is_causal).logits[0, :4] for b in (one, other))
        assert torch.equal(first, second) == is_causal


# ---- the true alignment, in the rows and columns of these batches ------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("example", [SHORT, LONG])
def test_an_alignment_stands_in_the_row_that_writes_and_the_column_that_is_read(kind, example):
    if kind == "encoder":
        example = example._replace(
            target=example.target[:1], alignment=tuple(a for a in example.alignment if a[0] == 0)
        )
    batch = collate(kind, [example])
    attention = {"encoder-decoder": "cross"}.get(kind, kind)
    found = axes(toy(kind), example)[attention].alignment
    keys = batch.source if batch.source is not None else batch.text
    said = [(example.target[i], example.source[j]) for i, j in example.alignment]
    assert [(batch.wanted[0, row].item(), keys[0, column].item()) for row, column in found] == said


def test_alignment_by_hand():
    assert axes(toy("encoder-decoder"), LONG)["cross"].alignment == ((0, 2), (1, 0), (1, 1))
    # <bos> 4 5 6 10 11: what follows 6, in row 3, is the first token; column 3 is the 6.
    assert axes(toy("decoder"), LONG)["decoder"].alignment == ((3, 3), (4, 1), (4, 2))
    # An alignment may also point into the answer: the second token from the first one.
    assert axes(toy("decoder"), Example((4,), (5, 6), ((1, 1),)))["decoder"].alignment == ((2, 2),)
    assert axes(toy("encoder"), Example((7, 8), (9,), ((0, 1),)))["encoder"].alignment == ((0, 2),)


def test_stressed_tokens_by_hand():
    """The second token of HALF comes from nowhere; <eos> never does."""
    half = Example((4, 5), (6, 7, 8), ((0, 1), (2, 0), (2, 2)))
    both = [half, SHORT]
    weights = stressed(collate("decoder", both), both, 5.0)  # <bos> 4 5 6 7 8 and <bos> 7 8 9
    assert weights.tolist() == [[0, 0, 5, 1, 5, 1], [0, 0, 5, 1, 0, 0]]
    weights = stressed(collate("encoder-decoder", both), both, 5.0)
    assert weights.tolist() == [[5, 1, 5, 1], [5, 1, 0, 0]]
    unknown = [Example((4,), (5, 6))]
    assert stressed(collate("decoder", unknown), unknown, 5.0).tolist() == [[0, 1, 1, 1]]
    window = Example((), (5, 6), ((1, 0),))
    assert stressed(collate("decoder", [window], ends=False), [window], 2.5).tolist() == [[1, 2.5, 0]]


def test_of_a_drill_only_the_answers_count():
    half = Example((4, 5), (6, 7, 8), ((0, 1), (2, 0), (2, 2)))
    both = [half, SHORT]
    batch = collate("decoder", both)
    assert drilled(batch, both, {half}, 9.0).tolist() == [[0, 0, 9, 0, 9, 0], [0, 0, 1, 1, 0, 0]]
    stress = batch._replace(weights=stressed(batch, both, 5.0))
    assert drilled(stress, both, {half}, 9.0).tolist() == [[0, 0, 9, 0, 9, 0], [0, 0, 5, 1, 0, 0]]
    assert drilled(stress, both, set(), 9.0).tolist() == stress.weights.tolist()


def test_labels_stand_beside_what_they_name():
    letters = axes(toy("encoder-decoder"), SHORT)
    assert letters["encoder"].keys == letters["encoder"].queries == letters["cross"].keys == ("d", "e")
    assert letters["decoder"].queries == letters["decoder"].keys == ("⟨start⟩", "f")
    assert letters["cross"].queries == ("f", "⟨end⟩")  # what each row writes
    assert letters["encoder"].alignment == letters["decoder"].alignment == ()
    assert axes(toy("decoder"), SHORT)["decoder"].keys == ("⟨start⟩", "d", "e", "f")
    assert axes(toy("encoder"), SHORT)["encoder"].queries == ("⟨start⟩", "d", "e")


def test_nothing_is_asked_for_after_a_window_of_a_text():
    batch = collate("decoder", [Example((4,), (5, 6))], ends=False)
    assert batch.text.tolist() == [[BOS, 4, 5, 6]]
    assert batch.wanted.tolist() == [[PAD, 5, 6, PAD]]


@pytest.mark.slow
def test_a_model_of_ones_own_text_is_never_asked_to_end():
    text = " ".join(f"line {n} says {n * n}" for n in range(200))
    trainer = Trainer(make("text", text=text), TransformerConfig(d_model=8, n_heads=1), Settings(steps=1))
    wanted = [batch.wanted for batch in (*trainer.tests, *trainer.probes, trainer._batch(1))]
    assert len(wanted) >= 2
    assert not any((ids == EOS).any() for ids in wanted)
