"""The same weights in a model of Hugging Face: its `generate` must write the very same ids."""

from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    PreTrainedModel,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from tests.generation.oracles import BOS, EOS, PAD, V, decoder, gpt2, marian, translator
from tests.transformer.oracles import close, ids, rand
from transformer.generation import Sampling, beam_search, begin, distribution, generate, greedy_batch, greedy_prompts

SEEDS = range(6)
MAX_NEW = 10


def source(seed, n=6):
    return ids(1, n, vocab=V - 3, seed=seed + 100) + 3  # no special tokens


def written(ours, n_prompt):
    """Their row as we write it: without the prompt, without padding."""
    row = ours[n_prompt:].tolist()
    return row[: row.index(EOS) + 1] if EOS in row else row


def typed_loosely(theirs: PreTrainedModel) -> Any:
    """The model itself: its `generate` is typed for a protocol that no model of Hugging Face fits."""
    return theirs


def theirs_write(theirs: PreTrainedModel, given: torch.Tensor, n_prompt: int, **settings: Any) -> list[int]:
    options = {"do_sample": False, "max_new_tokens": MAX_NEW, "eos_token_id": EOS, "pad_token_id": PAD} | settings
    with torch.no_grad():
        out = typed_loosely(theirs).generate(given, attention_mask=torch.ones_like(given), **options)
    return written(out[0], n_prompt)


@torch.no_grad()
@pytest.mark.parametrize("seed", SEEDS)
def test_the_models_agree(seed):
    """Or comparing what they write would mean nothing."""
    ours, text = decoder(seed), ids(2, 7, vocab=V, seed=seed)
    close(ours(text).logits, gpt2(ours)(text).logits)
    ours, src = translator(seed), source(seed)
    close(ours(src, text[:1]).logits, marian(ours)(src, decoder_input_ids=text[:1]).logits)


@pytest.mark.few(3)
@pytest.mark.parametrize(("seed", "penalty"), zip(SEEDS, [1.0, 1.3, 0.8] * 2, strict=True))
def test_greedy(seed, penalty):
    how = Sampling(temperature=0, repetition_penalty=penalty)
    ours, prompt = decoder(seed), source(seed, 4)
    steps = generate(begin(ours, prompt[0].tolist()), how, max_new=MAX_NEW, eos=EOS)
    assert [s.id for s in steps] == theirs_write(gpt2(ours), prompt, 4, repetition_penalty=penalty)

    ours, src = translator(seed), source(seed)
    steps = generate(begin(ours, [BOS], src[0].tolist()), how, max_new=MAX_NEW, eos=EOS)
    assert [s.id for s in steps] == theirs_write(marian(ours), src, 1, repetition_penalty=penalty)


BEAMS = [
    {"width": 1},
    {"width": 2, "length_penalty": 0.0},
    {"width": 3},
    {"width": 4, "length_penalty": 2.0},
    {"width": 3, "length_penalty": 0.6, "early_stopping": True},
    {"width": 3, "length_penalty": 1.5, "early_stopping": "never"},
    {"width": 4, "length_penalty": -1.0, "early_stopping": "never"},
    {"width": 3, "repetition_penalty": 1.4},
    {"width": 5, "repetition_penalty": 0.7, "early_stopping": True},
]


@pytest.mark.few(6)
@pytest.mark.parametrize("how", BEAMS, ids=str)
@pytest.mark.parametrize("kind", ["decoder", pytest.param("translator", marks=pytest.mark.wide)])
def test_beams(kind, how):
    """All texts of the beam, in their order, with their scores; some end on eos and some are cut."""
    fates = set()
    for seed in SEEDS:
        if kind == "decoder":
            ours, given = decoder(seed), source(seed, 4)
            theirs, start, n_prompt = gpt2(ours), begin(ours, given[0].tolist()), 4
        else:
            ours, given = translator(seed), source(seed)
            theirs, start, n_prompt = marian(ours), begin(ours, [BOS], given[0].tolist()), 1
        found = beam_search(start, max_new=MAX_NEW, eos=EOS, **how)
        settings = how | {"num_beams": how["width"], "num_return_sequences": how["width"]}
        del settings["width"]
        if how["width"] == 1:
            assert list(found.best[0].ids) == theirs_write(theirs, given, n_prompt)
            continue
        with torch.no_grad():
            out = typed_loosely(theirs).generate(
                given, attention_mask=torch.ones_like(given), do_sample=False, max_new_tokens=MAX_NEW,
                eos_token_id=EOS, pad_token_id=PAD, return_dict_in_generate=True, output_scores=True, **settings,
            )  # fmt: skip
        # Where fewer have ended than the beam is wide, theirs fills up with texts of score -1e9.
        real = out.sequences_scores > -1e8
        assert [list(h.ids) for h in found.best] == [written(row, n_prompt) for row in out.sequences[real]]
        np.testing.assert_allclose([h.final for h in found.best], out.sequences_scores[real], rtol=0, atol=1e-4)
        fates |= {h.finished for h in found.best}
        if seed >= 2 and len(fates) == 2:
            break
    assert how["width"] == 1 or fates == {True, False}


@pytest.mark.parametrize("seed", range(3))
def test_many_sentences_at_once(seed):
    ours, n = translator(seed), torch.tensor([6, 3, 5, 1, 4, 6])
    src = source(seed, 6 * 6).view(6, 6)
    real = torch.arange(6) < n[:, None]
    src = src.where(real, torch.tensor(PAD))
    out = greedy_batch(ours, src, real[:, None, None, :], MAX_NEW, BOS, EOS, PAD)
    with torch.no_grad():
        theirs = typed_loosely(marian(ours)).generate(
            src, attention_mask=real.long(), do_sample=False, num_beams=1, max_new_tokens=MAX_NEW
        )
    assert torch.equal(out, theirs[:, 1:])


@pytest.mark.parametrize("seed", range(3))
def test_many_prompts_at_once(seed):
    ours = decoder(seed)
    theirs = gpt2(ours)
    prompts = [source(seed + i, n) for i, n in enumerate([3, 7, 1, 4, 3])]
    out = greedy_prompts(ours, [p[0].tolist() for p in prompts], MAX_NEW, EOS, PAD)
    lone = [theirs_write(theirs, p, p.shape[1]) for p in prompts]
    width = max(map(len, lone))
    assert out.tolist() == [row + [PAD] * (width - len(row)) for row in lone]


# Distributions after the filters

FILTERS = [
    {},
    {"temperature": 0.3},
    {"temperature": 2.5},
    {"top_k": 1},
    {"top_k": 7},
    {"top_k": 500},
    {"top_p": 0.05},
    {"top_p": 0.5},
    {"top_p": 0.95},
    {"temperature": 0.7, "top_k": 12, "top_p": 0.8},
    {"repetition_penalty": 1.7, "temperature": 1.5, "top_k": 20, "top_p": 0.6},
    {"repetition_penalty": 0.6, "top_p": 0.9},
]


@pytest.mark.parametrize("how", FILTERS, ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_filtered_distributions(how, seed):
    logits, read = rand(1, 50, seed=seed) * 3, ids(1, 9, vocab=50, seed=seed)
    scores = logits.clone()
    for name, processor in (
        ("repetition_penalty", RepetitionPenaltyLogitsProcessor),
        ("temperature", TemperatureLogitsWarper),
        ("top_k", TopKLogitsWarper),
        ("top_p", TopPLogitsWarper),
    ):
        if name in how:
            scores = processor(how[name])(read, scores)
    ours = distribution(logits[0], read[0].tolist(), Sampling(**how))
    np.testing.assert_allclose(ours.final, scores.softmax(-1)[0].numpy(), rtol=0, atol=1e-14)
    assert ((ours.removed == 0) == scores.isfinite()[0].numpy()).all()
