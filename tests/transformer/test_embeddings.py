import math
from typing import Any

import pytest
import torch

from tests.transformer.oracles import close, ids, rand, rng, shaken
from transformer.core.config import TransformerConfig
from transformer.core.embeddings import TokenEmbedding
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.positions import sinusoids


@pytest.mark.parametrize("scaled", [True, False])
def test_a_lookup_is_the_one_hot_row_times_the_table(scaled):
    embedding = shaken(TokenEmbedding(20, 7, scaled=scaled, generator=rng()))
    tokens = ids(2, 5, vocab=20)
    X = embedding.one_hot(tokens)
    assert X.shape == (2, 5, 20)
    assert X.dtype == embedding.weight.dtype
    assert torch.equal(X.sum(-1), torch.ones(2, 5, dtype=torch.float64))
    assert torch.equal(X.argmax(-1), tokens)
    close(embedding(tokens), X @ embedding.weight * (math.sqrt(7) if scaled else 1))


def test_logits_are_dot_products_with_the_table():
    embedding = shaken(TokenEmbedding(20, 7, generator=rng()))
    x = rand(2, 3, 7)
    close(embedding.logits(x), torch.einsum("btd,vd->btv", x, embedding.weight))


@pytest.mark.parametrize("d_model", [16, 512])
def test_positions_are_not_drowned(d_model):
    embedding = TokenEmbedding(2000, d_model, generator=rng())
    tokens = embedding(torch.arange(2000)).square().mean().sqrt().item()
    positions = sinusoids(2000, d_model).square().mean().sqrt().item()
    assert tokens == pytest.approx(1, rel=0.02)
    assert tokens / positions == pytest.approx(math.sqrt(2), rel=0.02)


def test_only_the_rows_of_used_tokens_are_trained():
    embedding = TokenEmbedding(10, 4, generator=rng())
    embedding(torch.tensor([[1, 7, 7]])).sum().backward()
    assert embedding.weight.grad.any(-1).nonzero().flatten().tolist() == [1, 7]
    assert embedding.weight.grad[7].tolist() == [4.0] * 4  # twice, times sqrt(4)


def config(**changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"vocab_size": 20, "d_model": 8, "n_heads": 2}
    return TransformerConfig(**settings | changes)


@pytest.mark.parametrize("kind", [EncoderModel, DecoderModel])
@pytest.mark.parametrize("tied", [True, False])
def test_the_output_map_is_the_embedding_if_tied(kind, tied):
    model = shaken(kind(config(tie_output=tied), rng()))
    stack = model.encoder if kind is EncoderModel else model.decoder
    assert (model.output.linear is None) is tied
    tokens, seen = ids(2, 4, vocab=20), {}

    def keep(name, tensor):
        seen[name] = tensor
        return tensor

    logits = model(tokens, tap=keep).logits
    x = seen["encoder.out" if kind is EncoderModel else "decoder.out"]
    table = stack.embedding.weight if tied else model.output.linear.weight
    close(logits, x @ table.T + (0 if tied else model.output.linear.bias))


def test_tied_tables_share_storage_and_separate_ones_do_not():
    def tables(**changes):
        model = Transformer(config(**changes), rng())
        linear = model.output.linear
        count = sum(p.numel() for p in model.parameters())
        return model.encoder.embedding.weight, model.decoder.embedding.weight, linear and linear.weight, count

    source, target, output, all_one = tables(tie_source=True)
    assert source.data_ptr() == target.data_ptr()
    assert output is None
    source, target, output, two = tables()
    assert source.data_ptr() != target.data_ptr()
    assert not torch.equal(source, target)
    assert output is None
    source, target, output, three = tables(tie_output=False)
    assert len({source.data_ptr(), target.data_ptr(), output.data_ptr()}) == 3
    assert (two - all_one, three - two) == (20 * 8, 20 * 8 + 20)


def test_a_tied_table_is_trained_from_both_ends():
    model = Transformer(config(tie_source=True), rng())
    before = model.encoder.embedding.weight.detach().clone()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.tensor([[1, 2]]), torch.tensor([[3, 4]])).logits.square().sum().backward()
    optimiser.step()
    assert torch.equal(model.encoder.embedding.weight, model.decoder.embedding.weight)
    # The output map reaches every row, also of tokens that were not read.
    assert (model.encoder.embedding.weight != before).any(-1).all()


def test_a_separate_table_is_trained_on_what_it_reads():
    model = Transformer(config(tie_output=False), rng())
    model(torch.tensor([[1, 2]]), torch.tensor([[3, 4]])).logits.square().sum().backward()
    assert model.encoder.embedding.weight.grad.any(-1).nonzero().flatten().tolist() == [1, 2]
    assert model.decoder.embedding.weight.grad.any(-1).nonzero().flatten().tolist() == [3, 4]


def test_renaming_the_tokens_changes_nothing():
    # Ids are only names: shuffle them together with the rows of W_e, and each token's vector stays.
    model = shaken(EncoderModel(config(), rng()))
    tokens, order = ids(2, 6, vocab=20), torch.randperm(20, generator=rng(3))
    expected = model(tokens).logits
    with torch.no_grad():
        renamed = torch.empty_like(model.encoder.embedding.weight)
        renamed[order] = model.encoder.embedding.weight
        model.encoder.embedding.weight.copy_(renamed)
    close(model(order[tokens]).logits[..., order], expected)
