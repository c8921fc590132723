"""Many texts at once are each what they would be alone, and what the model without a cache makes of them."""

import pytest
import torch

from tests.generation.oracles import BOS, EOS, PAD, V, decoder, translator
from tests.transformer.oracles import ids
from transformer.core.config import POSITION_SCHEMES
from transformer.core.masks import padding_of
from transformer.generation import begin, generate, greedy_batch, greedy_prompts
from transformer.generation.batch import sample_batch

MAX_NEW = 9


def alone(state):
    return [step.id for step in generate(state, max_new=MAX_NEW, eos=EOS)]


def padded(rows):
    width = max(map(len, rows))
    return [row + [PAD] * (width - len(row)) for row in rows]


@pytest.mark.slow
@pytest.mark.grid(1)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_sentences(positions, norm):
    model = translator(5, positions=positions, norm=norm, n_kv_heads=2)
    sources = [(ids(n, vocab=V - 3, seed=i) + 3).tolist() for i, n in enumerate([6, 2, 6, 5, 1, 3, 4, 6, 2, 3])]
    src = torch.tensor(padded(sources))
    out = greedy_batch(model, src, padding_of(src, PAD), MAX_NEW, BOS, EOS, PAD)
    assert out.tolist() == padded([alone(begin(model, [BOS], source, cached=False)) for source in sources])


@pytest.mark.slow
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_prompts_of_any_lengths(positions):
    model = decoder(1, positions=positions, n_kv_heads=2)
    prompts = [ids(n, vocab=V, seed=i).tolist() for i, n in enumerate([3, 8, 1, 4, 20, 3, 2])]
    rows = [alone(begin(model, prompt, cached=False)) for prompt in prompts]
    assert greedy_prompts(model, prompts, MAX_NEW, EOS, PAD).tolist() == padded(rows)


@pytest.mark.slow
def test_texts_end_at_different_times():
    """Or the tests above would not notice a text that is carried on under another's number."""
    model = translator(5)
    with torch.no_grad():
        model.output.linear.bias[EOS] += 3
    src = ids(40, 5, vocab=V - 3) + 3
    out = greedy_batch(model, src, None, MAX_NEW, BOS, EOS, PAD)
    lengths = {row.index(EOS) if EOS in row else MAX_NEW for row in out.tolist()}
    assert len(lengths) >= 3
    for source, row in zip(src.tolist(), out.tolist(), strict=True):
        written = alone(begin(model, [BOS], source))
        assert row == written + [PAD] * (out.shape[1] - len(written))


def test_one_sentence_one_token():
    model = translator(0)
    assert greedy_batch(model, torch.tensor([[4, 5]]), None, 1, BOS, EOS, PAD).shape == (1, 1)
    assert greedy_prompts(decoder(0), [[4, 5]], 1, EOS, PAD).shape == (1, 1)


def test_prompts_that_hold_eos_are_read_on():
    model = decoder(2)
    prompts = [[4, EOS, 5, 6], [7]]
    rows = [alone(begin(model, prompt)) for prompt in prompts]
    assert greedy_prompts(model, prompts, MAX_NEW, EOS, PAD).tolist() == padded(rows)


def test_what_cannot_be_meant():
    with pytest.raises(ValueError, match="at least one token"):
        greedy_prompts(decoder(), [[1], []], 3, EOS, PAD)
    with pytest.raises(ValueError, match="at least one sentence"):
        greedy_batch(translator(), torch.empty(0, 3, dtype=torch.long), None, 3, BOS, EOS, PAD)
    with pytest.raises(ValueError, match="at least one prompt"):
        greedy_prompts(decoder(), [], 3, EOS, PAD)
    with pytest.raises(ValueError, match="max_new=0"):
        greedy_prompts(decoder(), [[1]], 0, EOS, PAD)
    with pytest.raises(ValueError, match="at most 62 tokens"):
        greedy_prompts(decoder(), [[1], [1, 2, 3]], 63, EOS, PAD)
    with pytest.raises(ValueError, match="training mode"):
        greedy_batch(translator().train(), torch.tensor([[4]]), None, 3, BOS, EOS, PAD)


def test_drawn_near_temperature_0_it_is_the_likeliest_each_time():
    model, prompt = decoder(3), ids(4, vocab=V, seed=1).tolist()
    rows = sample_batch(model, prompt, 3, MAX_NEW, torch.Generator().manual_seed(1), temperature=1e-4).tolist()
    steps = generate(begin(model, prompt, cached=False), max_new=MAX_NEW, eos=None)
    assert rows == [[step.id for step in steps]] * 3


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_tokens_are_drawn_as_often_as_their_probabilities_say(temperature):
    model, prompt, n = decoder(3), [BOS, 5], 20_000
    drawn = sample_batch(model, prompt, n, 1, torch.Generator().manual_seed(2), temperature=temperature)
    share = torch.bincount(drawn[:, 0], minlength=V) / n
    with torch.inference_mode():
        expected = (model(torch.tensor([prompt])).logits[0, -1] / temperature).softmax(-1)
    assert (share - expected).abs().max() < 4 * (0.25 / n) ** 0.5


def test_the_same_seed_draws_the_same_texts():
    first, again, other = (
        sample_batch(decoder(3), [BOS], 5, 6, torch.Generator().manual_seed(seed)).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_what_has_ended_is_not_read_on_and_changes_no_other_text():
    model = decoder(3)
    whole, cut = (
        sample_batch(model, [BOS], 30, 12, torch.Generator().manual_seed(4), temperature=50, eos=eos).tolist()
        for eos in (None, EOS)
    )
    ended = [row.index(EOS) if EOS in row else None for row in whole]
    assert any(end is not None and end < 11 for end in ended)
    assert None in ended
    for row, other, end in zip(whole, cut, ended, strict=True):
        assert other == (row if end is None else row[:end] + [EOS] * (12 - end))
