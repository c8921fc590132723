"""Looking at a decoder while it writes, against the model itself, numpy and torch's own counter of multiplications."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from transformer.core import model as core_model
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.generation import Decoding, Sampling, Step, begin, generate
from transformer.inspection import writing

CONFIGS = {
    "tied": TransformerConfig(vocab_size=30, d_model=16, n_heads=4, n_decoder_layers=2),
    "untied": TransformerConfig(
        vocab_size=30, d_model=12, n_heads=2, n_decoder_layers=3, tie_output=False, positions="rotary"
    ),
    "shared": TransformerConfig(vocab_size=30, d_model=16, n_heads=4, n_kv_heads=2, n_decoder_layers=1, d_ff=20),
    "no layers": TransformerConfig(vocab_size=30, d_model=8, n_heads=2, n_decoder_layers=0),
}
TEXT = (1, 7, 7, 20, 3)


def model_of(config: TransformerConfig, seed: int = 0) -> DecoderModel:
    model = DecoderModel(config, torch.Generator().manual_seed(seed)).eval()
    if model.output.linear is not None:  # a bias that is not zero, or nobody would miss it
        torch.nn.init.normal_(model.output.linear.bias, generator=torch.Generator().manual_seed(1))
    return model


@pytest.fixture(params=CONFIGS)
def model(request: pytest.FixtureRequest) -> DecoderModel:
    return model_of(CONFIGS[request.param])


def test_logits_are_the_last_vector_times_the_rows(model: DecoderModel) -> None:
    result = writing.next_token(model, TEXT)
    np.testing.assert_allclose(result.x @ result.rows.T + result.bias, result.logits, atol=1e-5)
    np.testing.assert_allclose(result.logits, begin(model, TEXT).logits.numpy(), atol=1e-5)
    if model.config.tie_output:
        np.testing.assert_array_equal(result.rows, model.decoder.embedding.weight.detach().numpy())
        assert not result.bias.any()


def test_attention_is_the_last_row(model: DecoderModel) -> None:
    np.testing.assert_allclose(
        writing.next_token(model, TEXT).attention, begin(model, TEXT, cached=False).self_attention, atol=1e-6
    )


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(temperature=0.45, top_k=9, repetition_penalty=1.5)])
def test_every_node_of_a_tree_is_scored_where_it_stands(model: DecoderModel, sampling: Sampling) -> None:
    nodes = ((-1, 4), (0, 9), (1, 2), (0, 11), (-1, 5), (3, 6), (5, 6))
    scores = writing.score_tree(model, TEXT, nodes, sampling)
    texts = {}
    for at, (parent, id) in enumerate(nodes):
        before = TEXT if parent < 0 else texts[parent]
        texts[at] = (*before, id)
        probs, final = (getattr(begin(model, before, cached=False).next(sampling), name) for name in ("probs", "final"))
        assert scores.probs[at] == pytest.approx(final[id], abs=1e-6)
        assert scores.ranks[at] == 1 + (probs > probs[id] + 1e-9).sum()


def test_many_branches_are_scored_a_few_at_a_time(model: DecoderModel, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = tuple((-1, id) for id in range(4, 12))
    whole, sizes = writing.score_tree(model, TEXT, nodes), []
    model.register_forward_pre_hook(lambda net, given: sizes.append(len(given[0])))
    monkeypatch.setattr(writing, "MAX_CELLS", 1)
    parts = writing.score_tree(model, TEXT, nodes)
    assert sizes == [1] * len(nodes)
    np.testing.assert_allclose(parts.probs, whole.probs, atol=1e-6)
    assert parts.ranks.tolist() == whole.ranks.tolist()


def test_an_empty_tree_has_no_scores(model: DecoderModel) -> None:
    assert writing.score_tree(model, TEXT, ()).probs.shape == (0,)


@pytest.mark.parametrize("name", ["tied", "untied", "shared"])
def test_the_cache_holds_what_the_formula_says_and_what_reading_at_once_gives(name: str) -> None:
    model = model_of(CONFIGS[name])
    contents = writing.cache_contents(model, TEXT)
    np.testing.assert_array_equal(contents.n_bytes, contents.formula)
    at_once = begin(model, TEXT).reading.cache
    assert contents.n_bytes[-1] == at_once.n_bytes
    for layer, cache in enumerate(at_once.layers):
        k = cache.self_attn.k[0].transpose(0, 1).flatten(1)
        v = cache.self_attn.v[0].transpose(0, 1).flatten(1)
        np.testing.assert_allclose(contents.keys[layer], k, atol=1e-6)
        np.testing.assert_allclose(contents.values[layer], v, atol=1e-6)


@pytest.mark.parametrize("name", ["tied", "untied", "shared"])
def test_with_a_cache_a_step_computes_one_column_and_without_it_all(name: str) -> None:
    counted = writing.columns(model_of(CONFIGS[name]), TEXT)
    assert counted.kept.tolist() == [1] * len(TEXT)
    assert counted.anew.tolist() == list(range(1, len(TEXT) + 1))
    assert counted.apart < 1e-5


def test_old_columns_stay_because_no_token_sees_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a token may look ahead, what was computed of it before is out of date, and only there."""
    model = model_of(CONFIGS["tied"])
    monkeypatch.setattr(core_model, "causal", lambda T, S, **_: torch.ones(1, 1, T, S, dtype=torch.bool))
    assert writing.columns(model, TEXT).apart > 1e-2


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("name", ["tied", "shared"])
def test_multiplications_are_those_that_torch_counts(name: str, cached: bool) -> None:
    config = CONFIGS[name]
    model = model_of(config)
    state = begin(model, TEXT[:-1], cached=cached)
    assert state.logits is not None  # all but the last token are read
    step = state.take(TEXT[-1])
    with FlopCounterMode(display=False) as counter:
        assert step.logits is not None
    counted = counter.get_total_flops() // 2  # a multiplication and an addition
    assert counted == writing.multiplications(config, 30, len(TEXT), cached=cached)


def test_speed_is_measured_on_as_many_tokens_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def counted(state: Decoding, **more: Any) -> Iterator[Step]:
        written.append((state.cached, more["max_new"]))
        return generate(state, **more)

    monkeypatch.setattr(writing, "generate", counted)
    ticks = iter(range(1000))
    speed = writing.measure_speed(model_of(CONFIGS["tied"]), TEXT, (1, 3), rounds=2, clock=lambda: next(ticks) / 4)
    assert sorted(written) == sorted((cached, n) for cached in (True, False) for n in (1, 3) for _ in range(3))
    assert speed == ((1, 3), (250, 250), (250, 250), 2)
