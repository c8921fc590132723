"""Every family in our classes says what it says in `transformers`: logits, attention of every layer, generated ids."""

from typing import Any

import pytest
import torch
import transformers as hf

from tests.pretrained.oracles import BODIES, DECODERS, ENCODERS, IMAGES, PAD, TRANSLATORS, V, twins
from tests.transformer.oracles import ids, rand
from transformer.core import masks
from transformer.core.checks import InputError
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.generation import begin, generate, greedy_batch
from transformer.inspection.run import run_with_maps

LENGTHS = [7, 3, 5]


def close(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


def batch(T: int = 7, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Three texts of T tokens, padded as LENGTHS says: ids (3, T), which are real (3, T)."""
    real = torch.arange(T) < torch.tensor(LENGTHS)[:, None]
    return torch.where(real, ids(3, T, vocab=V - 3, seed=seed) + 3, torch.tensor(PAD)), real


def close_maps(ours: list[torch.Tensor], theirs: Any, real: torch.Tensor) -> None:
    """The weights (B, H, T, S) of every layer, in the rows of real queries (B, T)."""
    assert len(ours) == len(theirs) > 0
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        close(a.transpose(1, 2)[real], b.transpose(1, 2)[real])


@torch.no_grad()
@pytest.mark.parametrize("name", ENCODERS)
def test_encoders(name):
    theirs, ours, *_ = twins(name)
    assert isinstance(ours, EncoderModel)
    text, real = batch()
    given: dict[str, Any] = {"attention_mask": real.long(), "output_attentions": True}
    segments = None
    if ours.config.n_segments > 1:
        segments = given["token_type_ids"] = ids(3, 7, vocab=ours.config.n_segments)
    expected = theirs(text, **given)
    logits, attention = ours(text, real[:, None, None], segments=segments)
    their_logits = expected.prediction_logits if "prediction_logits" in expected else expected.logits
    close(logits[real], their_logits[real])
    close_maps(attention.encoder, expected.attentions, real)
    one = ids(1, 4, vocab=V - 3) + 3
    close(ours(one).logits, theirs(one)[0])


@torch.no_grad()
@pytest.mark.parametrize("name", BODIES)
def test_a_body_without_a_head_has_vectors_and_says_that_it_predicts_nothing(name):
    theirs, ours, *_ = twins(name)
    assert isinstance(ours, EncoderModel)
    body = theirs if not hasattr(theirs, "bert") else theirs.bert
    text, real = batch()
    expected = body(text, attention_mask=real.long(), output_attentions=True)
    seen: dict[str, torch.Tensor] = {}

    def tap(name: str, tensor: torch.Tensor) -> torch.Tensor:
        seen[name] = tensor
        return tensor

    logits, attention = ours(text, real[:, None, None], tap=tap)
    close(seen["encoder.out"][real], expected.last_hidden_state[real])
    close_maps(attention.encoder, expected.attentions, real)
    assert not ours.config.predicts
    close(logits, seen["encoder.out"] @ ours.encoder.embedding.weight.T)


@torch.no_grad()
@pytest.mark.parametrize("name", DECODERS)
def test_decoders(name):
    theirs, ours, *_ = twins(name)
    assert isinstance(ours, DecoderModel)
    text, real = batch()
    expected = theirs(text, attention_mask=real.long(), output_attentions=True)
    logits, attention = ours(text, real[:, None, None])
    close(logits[real], expected.logits[real])
    close_maps(attention.decoder, expected.attentions, real)
    one = ids(1, 21, vocab=V)
    close(ours(one).logits, theirs(one).logits)


@torch.no_grad()
@pytest.mark.parametrize("name", IMAGES)
def test_image_models(name):
    theirs, ours, *_ = twins(name)
    assert isinstance(ours, EncoderModel)
    images = rand(2, ours.config.n_channels, 12, 12, dtype=torch.float32)
    expected = theirs(images, output_attentions=True)
    logits, attention = ours(images)
    close(logits[:, 0], expected.logits)
    T = ours.encoder.embedding.length(images)
    assert (12 // ours.config.patch_size) ** 2 + (2 if name == "deit" else 1) == T
    close_maps(attention.encoder, expected.attentions, torch.ones(2, T, dtype=torch.bool))
    maps = run_with_maps(ours, images[1], tuple(str(t) for t in range(T))).attention["encoder"]
    close(torch.tensor(maps.weights), torch.stack([w[1] for w in attention.encoder]))
    with pytest.raises(InputError, match=r"reads images of \d x 12 x 12 numbers, not of \d x 12 x 13"):
        ours(torch.zeros(1, ours.config.n_channels, 12, 13))


def their_text(theirs: Any, given: torch.Tensor, **more: Any) -> list[int]:
    theirs.generation_config.forced_eos_token_id = theirs.generation_config.eos_token_id = None
    settings = hf.GenerationConfig(
        do_sample=False, num_beams=1, max_new_tokens=12, pad_token_id=PAD, eos_token_id=None, use_cache=False, **more
    )
    with torch.no_grad():
        return theirs.generate(given, attention_mask=torch.ones_like(given), generation_config=settings)[0].tolist()


@pytest.mark.few(8)
@pytest.mark.grid(1)
@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("n_given", [1, 6])
def test_decoders_write_the_same(name, n_given):
    theirs, ours, *_ = twins(name)
    given = ids(1, n_given, vocab=V - 3, seed=1) + 3
    expected = their_text(theirs, given)[n_given:]
    assert len(expected) == 12
    assert isinstance(ours, DecoderModel)
    for cached in (True, False):
        steps = generate(begin(ours, given[0].tolist(), cached=cached), max_new=12)
        assert [step.id for step in steps] == expected


@torch.no_grad()
@pytest.mark.parametrize("name", TRANSLATORS)
def test_translators(name):
    theirs, ours, *_ = twins(name)
    assert isinstance(ours, Transformer)
    src, real = batch(T=7)
    tgt = ids(3, 5, vocab=V, seed=2)
    expected = theirs(src, attention_mask=real.long(), decoder_input_ids=tgt, output_attentions=True)
    logits, attention = ours(src, tgt, real[:, None, None])
    close(logits, expected.logits)
    all_real = torch.ones(3, 5, dtype=torch.bool)
    close_maps(attention.encoder, expected.encoder_attentions, real)
    close_maps(attention.decoder, expected.decoder_attentions, all_real)
    close_maps(attention.cross, expected.cross_attentions, all_real)
    one, other = ids(1, 19, vocab=V), ids(1, 23, vocab=V, seed=3)
    close(ours(one, other).logits, theirs(one, decoder_input_ids=other).logits)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", TRANSLATORS)
def test_translators_write_the_same(name):
    theirs, ours, *_ = twins(name)
    start = theirs.config.decoder_start_token_id
    given = ids(1, 8, vocab=V - 3, seed=1) + 3
    expected = their_text(theirs, given, decoder_start_token_id=start)
    assert expected[0] == start
    assert isinstance(ours, Transformer)
    for cached in (True, False):
        steps = generate(begin(ours, [start], given[0].tolist(), cached=cached), max_new=12)
        assert [step.id for step in steps] == expected[1:]
    out = greedy_batch(ours, given, masks.padding_of(given, PAD), 12, start, -1, PAD)
    assert out[0].tolist() == expected[1:]
