"""A text in the making: branching, forcing, attention, the cache. That its ids are right: test_hugging_face."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
import torch

from tests.generation.oracles import BOS, EOS, V, decoder, translator
from tests.transformer.oracles import rng
from transformer.core.config import POSITION_SCHEMES
from transformer.core.taps import Recorder, ablate
from transformer.generation import Sampling, begin, cache_formula, generate

PROMPT, SOURCE = [5, 6, 7, 8], [9, 3, 4, 11, 5, 6]
WARM = Sampling(temperature=1.3, top_k=10, top_p=0.95, repetition_penalty=1.1)


def start(kind, **settings):
    options = {name: settings.pop(name) for name in ("tap", "cached") if name in settings}
    if kind == "decoder":
        return begin(decoder(1, **settings), PROMPT, **options)
    return begin(translator(1, **settings), [BOS], SOURCE, **options)


def run(state, seed=0, max_new=8, **options):
    return list(generate(state, WARM, max_new=max_new, generator=rng(seed), **options))


def ids_of(steps):
    return [step.id for step in steps]


kinds = pytest.mark.parametrize("kind", ["decoder", "translator"])


@pytest.mark.slow
@kinds
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_with_and_without_a_cache_it_is_the_same(kind, positions):
    fast, slow = (run(start(kind, positions=positions, n_kv_heads=2, cached=cached)) for cached in (True, False))
    assert ids_of(fast) == ids_of(slow)
    assert len(set(ids_of(fast))) > 2
    for a, b in zip(fast, slow, strict=True):
        np.testing.assert_allclose(a.distribution.logits, b.distribution.logits, rtol=0, atol=1e-12)
        np.testing.assert_allclose(a.before.self_attention, b.before.self_attention, rtol=0, atol=1e-6)
        cross = [step.before.cross_attention for step in (a, b)]
        assert all((weights is not None) == (kind == "translator") for weights in cross)
        if cross[0] is not None and cross[1] is not None:
            np.testing.assert_allclose(cross[0], cross[1], rtol=0, atol=1e-6)
    assert slow[-1].before.n_bytes == 0


@kinds
def test_steps_are_what_the_model_says_when_asked_directly(kind):
    steps = run(start(kind))
    model, text = steps[-1].after.model, steps[-1].after.ids
    n = len(text) - len(steps)
    with torch.no_grad():
        if kind == "decoder":
            output = model(torch.tensor([text]))
            logits, attention, cross = output.logits, output.attention.decoder, None
        else:
            output = model(torch.tensor([SOURCE]), torch.tensor([text]))
            logits, attention, cross = output.logits, output.attention.decoder, output.attention.cross
    for i, step in enumerate(steps):
        row = n - 1 + i
        assert step.id == text[n + i]
        np.testing.assert_allclose(step.distribution.logits, logits[0, row].numpy(), rtol=0, atol=1e-12)
        seen = step.before.self_attention
        assert seen.shape == (2, 4, row + 1)
        np.testing.assert_allclose(seen, torch.stack(attention)[:, 0, :, row, : row + 1].numpy(), atol=1e-6)
        crossed = step.before.cross_attention
        assert (crossed is None) == (cross is None)
        if crossed is not None and cross is not None:
            np.testing.assert_allclose(crossed, torch.stack(cross)[:, 0, :, row].numpy(), atol=1e-6)
    if kind == "translator":
        assert len(steps[0].before.source.attention) == 2


@kinds
def test_a_branch_with_the_same_picks_is_the_same_text(kind):
    steps = run(start(kind))
    state = steps[2].before
    for step in steps[2:]:  # by hand
        state = state.take(step.id)
    assert state.ids == steps[-1].after.ids
    np.testing.assert_allclose(state.logits, steps[-1].after.logits, rtol=0, atol=1e-12)
    again = list(generate(steps[2].before, max_new=6, picks=dict(enumerate(ids_of(steps)[2:]))))
    assert ids_of(again) == ids_of(steps)[2:]
    assert all(step.forced for step in again)


@kinds
def test_a_branch_costs_the_others_nothing(kind):
    steps = run(start(kind))
    fork = steps[3].before
    before = {step.after.ids: step.before.logits.clone() for step in steps}
    other = (steps[3].id + 1) % V
    branch = run(fork.take(other), seed=5)
    fresh = run(fork, seed=5, picks={0: other}, max_new=9)
    assert ids_of(fresh) == [other, *ids_of(branch)]
    assert branch[-1].after.written == (*fork.written, other, *ids_of(branch))
    for step in steps:
        assert torch.equal(step.before.logits, before[step.after.ids])
        assert len(step.before.ids) == step.before.reading.cache.length


@kinds
def test_tokens_may_be_taken_before_anything_is_asked(kind):
    """Then they are read in one go; nobody pays for logits that nobody wants."""
    quick, slow = start(kind), start(kind)
    for token in (4, 9, 4):
        quick = quick.take(token)
        slow.next()
        slow = slow.take(token)
    assert quick.reading.attention[0].shape[2] == len(quick.ids)  # all
    assert slow.reading.attention[0].shape[2] == 1
    np.testing.assert_allclose(quick.logits, slow.logits, rtol=0, atol=1e-12)


@kinds
def test_each_step_reads_one_token(kind):
    seen = []

    def count(name, tensor):
        if name == "decoder.embedded":
            seen.append(tensor.shape[1])
        if name == "encoder.embedded":
            seen.append("source")
        return tensor

    steps = run(start(kind, tap=count))
    assert len(steps) == 8
    prompt = [4] if kind == "decoder" else ["source", 1]
    assert seen == prompt + [1] * 7  # and the last token is not read at all


def test_the_tap_works_on_every_step():
    silent = ablate("decoder.1.self_attn", 2)
    fast, slow = (run(start("decoder", tap=silent, cached=cached)) for cached in (True, False))
    assert ids_of(fast) == ids_of(slow)
    assert not np.allclose(fast[0].distribution.logits, run(start("decoder"))[0].distribution.logits)
    recorder = Recorder("scores")
    _ = start("decoder", tap=recorder).logits
    assert recorder["decoder.1.self_attn.scores"].shape == (1, 4, 4, 4)


@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_bytes_of_the_cache(n_kv_heads, dtype):
    for step in run(start("decoder", n_kv_heads=n_kv_heads, dtype=dtype)):
        T = len(step.before.ids)
        formula = cache_formula(step.before.model.config, T) * dtype.itemsize // 4
        assert step.before.n_bytes == formula == 2 * 2 * n_kv_heads * T * 4 * dtype.itemsize
    state = start("translator", n_kv_heads=n_kv_heads, dtype=dtype).take(5).take(4)
    assert state.n_bytes == cache_formula(state.model.config, 3 + len(SOURCE)) * dtype.itemsize // 4


def test_where_it_stops():
    state = start("decoder")
    assert len(run(state, max_new=3)) == 3
    steps = run(state, picks={1: EOS}, eos=EOS)
    assert len(steps) <= 2
    assert steps[-1].id == EOS
    assert EOS not in ids_of(steps)[:-1]
    for bad in (0, -1, 2.5, None, True):
        with pytest.raises(ValueError, match="max_new="):
            generate(state, max_new=bad)  # pyrefly: ignore[bad-argument-type]: that is the test


@kinds
def test_the_penalty_counts_the_prompt_too(kind):
    state = start(kind).take(12)
    found = state.next(Sampling(repetition_penalty=3.0))
    changed = np.flatnonzero(found.penalised != found.logits).tolist()
    assert changed == sorted({*state.ids} - set(np.flatnonzero(found.logits == 0)))


def test_the_last_learned_position():
    state = start("decoder", max_len=10)
    assert len(run(state, max_new=7)) == 7  # 4 + 7 tokens, of which the last needs no place
    with pytest.raises(ValueError, match="10 positions, 4 are taken: at most 7 tokens"):
        generate(state, max_new=8)


def test_fates():
    steps = run(start("decoder"), picks={2: 3})
    for i, step in enumerate(steps):
        found = step.distribution
        assert step.fate(step.id) == ("forced" if i == 2 else "chosen")
        for token in set(range(V)) - {step.id}:
            out = found.removed_by(token)
            assert step.fate(token) == (out or ("overruled" if i == 2 else "not drawn"))
            assert (out == "") == (found.final[token] > 0)
    assert {step.fate(t) for step in steps for t in range(V)} >= {"chosen", "forced", "top_k", "not drawn"}


def test_what_cannot_be_begun():
    model, other = decoder(), translator()
    with pytest.raises(ValueError, match="a Transformer needs a source"):
        begin(other, [BOS])
    with pytest.raises(ValueError, match="a decoder alone has none"):
        begin(model, [BOS], SOURCE)
    with pytest.raises(ValueError, match="there must be a token to begin with"):
        begin(model, [])
    for bad in ([], [V], [-1]):
        with pytest.raises(ValueError, match=f"ids from 0 to {V - 1}"):
            begin(other, [BOS], bad)
    for bad in (V, -1):
        with pytest.raises(ValueError, match="not in the vocabulary"):
            begin(model, [3, bad])
        with pytest.raises(ValueError, match="not in the vocabulary"):
            begin(model, [3]).take(bad)
    with pytest.raises(ValueError, match=r"training mode; call model\.eval"):
        begin(decoder().train(), [3])


def test_without_layers():
    state = begin(decoder(n_decoder_layers=0), [3, 4])
    assert state.self_attention.shape == (0, 4, 2)
    assert len(run(state, max_new=2)) == 2


@pytest.mark.slow
def test_many_threads_write_with_one_model():
    model = translator(3)
    sources = [[3 + (i * j) % (V - 3) for j in range(1, 4 + i % 3)] for i in range(12)]

    def job(i):
        torch.set_num_threads(1)
        return [(s.id, s.distribution.logits) for s in run(begin(model, [BOS], sources[i]), seed=i)]

    alone = [job(i) for i in range(12)]
    with ThreadPoolExecutor(6) as pool:
        for ours, theirs in zip(alone, pool.map(job, range(12)), strict=True):
            assert all(a == b and np.array_equal(x, y) for (a, x), (b, y) in zip(ours, theirs, strict=True))


def test_inference_mode_does_not_leak_out_of_the_generator():
    for _step in generate(start("decoder"), max_new=2):
        assert not torch.is_inference_mode_enabled()


def test_states_are_a_chain():
    steps = run(start("decoder"))
    assert all(a.after is b.before for a, b in pairwise(steps))
    with pytest.raises(AttributeError):
        steps[0].before.ids = ()  # pyrefly: ignore[read-only]: that is the test
