"""Positions as the library transformers has them: rotary, YaRN, NTK, T5's buckets, ALiBi; and what BERT reads."""

import pytest
import torch
from transformers import BertConfig, LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bert.modeling_bert import BertEmbeddings
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as gptj_rotary
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as llama_rotary
from transformers.models.t5.modeling_t5 import T5Attention

from tests.transformer.oracles import angles, close, ids, rand, rng, shaken
from transformer.core.config import TransformerConfig
from transformer.core.model import EncoderModel
from transformer.core.positions import (
    AlibiPositions,
    RotaryPositions,
    make_positions,
    relative_buckets,
    stretched_by_base,
    wavelengths,
)
from transformer.pretrained.family import family_of


@pytest.mark.parametrize("d_k", [2, 6, 16])
def test_rotary_half_equals_llama(d_k):
    T = 70
    q, k = rand(2, 4, T, d_k), rand(2, 2, T, d_k, seed=1)
    twice = torch.cat([angles(T, d_k)] * 2, dim=-1)[None]
    ours = RotaryPositions(d_k, pairing="half").double().rotate(q, k)
    for a, b in zip(ours, llama_rotary(q, k, twice.cos(), twice.sin()), strict=True):
        close(a, b)


def test_rotary_half_equals_llama_with_its_own_table():
    d_k, T, base = 8, 90, 500.0
    theirs = LlamaRotaryEmbedding(
        LlamaConfig(
            hidden_size=16,
            num_attention_heads=2,
            head_dim=d_k,
            rope_parameters={"rope_type": "default", "rope_theta": base},
        )
    )
    q, k = (rand(1, 2, T, d_k, seed=i, dtype=torch.float32) for i in range(2))
    cos, sin = theirs(q, torch.arange(T)[None])
    for a, b in zip(RotaryPositions(d_k, base, "half").rotate(q, k), llama_rotary(q, k, cos, sin), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=2e-5)


@pytest.mark.parametrize("d_k", [2, 6, 16])
def test_rotary_interleaved_equals_gptj(d_k):
    T = 70
    q, k = rand(2, 4, T, d_k), rand(2, 2, T, d_k, seed=1)
    turns = angles(T, d_k)[None]
    ours = RotaryPositions(d_k).double().rotate(q, k)
    for a, x in zip(ours, (q, k), strict=True):
        # GPT-J keeps heads behind tokens.
        close(a, gptj_rotary(x.transpose(1, 2), turns.sin(), turns.cos()).transpose(1, 2))


@pytest.mark.parametrize(
    "given",
    [
        {"factor": 4.0},
        {"factor": 3.0, "beta_fast": 8, "beta_slow": 2, "attention_factor": 1.7},
        {"factor": 40.0, "mscale": 1.0, "mscale_all_dim": 0.5},
        {"factor": 2.0, "original_max_position_embeddings": 4},
    ],
)
@pytest.mark.parametrize("head_dim", [8, 64, 6])
def test_yarn_equals_transformers(head_dim, given):
    rope = {"rope_type": "yarn", "rope_theta": 500.0, "original_max_position_embeddings": 400, **given}
    theirs = LlamaConfig(head_dim=head_dim, rope_parameters=rope)
    frequencies, gain = ROPE_INIT_FUNCTIONS["yarn"](theirs, torch.device("cpu"))
    _, ours = family_of({"model_type": "llama"}).config(theirs.to_dict())
    table = make_positions(ours).double().rows(1, 2)[0]
    expected = torch.cat([frequencies.double().cos(), frequencies.double().sin()]) * gain
    torch.testing.assert_close(table, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("head_dim", "times"), [(8, 4), (64, 3)])
def test_ntk_is_the_base_that_transformers_takes_for_a_text_so_many_times_longer(head_dim, times):
    rope = {"rope_type": "dynamic", "rope_theta": 500.0, "factor": 1.0}
    theirs = LlamaConfig(head_dim=head_dim, max_position_embeddings=100, rope_parameters=rope)
    frequencies, _ = ROPE_INIT_FUNCTIONS["dynamic"](theirs, torch.device("cpu"), seq_len=100 * times)
    ours = 2 * torch.pi / stretched_by_base(wavelengths(head_dim, 500.0), times)
    torch.testing.assert_close(ours, frequencies.double(), rtol=1e-6, atol=1e-9)
    close(stretched_by_base(wavelengths(2, 500.0), times), wavelengths(2, 500.0))  # a single pair is the fastest


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("n_buckets", [4, 6, 8, 16, 32, 64])
@pytest.mark.parametrize("max_distance", [40, 128, 1000])
def test_buckets_equal_t5(bidirectional, n_buckets, max_distance):
    offset = torch.arange(-1200, 1201)
    ours = relative_buckets(offset, n_buckets, max_distance, bidirectional)
    theirs = T5Attention._relative_position_bucket(offset, bidirectional, n_buckets, max_distance)
    assert torch.equal(ours, theirs)
    assert ours.min() == 0
    assert ours.max() == n_buckets - 1


@pytest.mark.parametrize("n_heads", range(1, 21))
def test_alibi_equals_bloom(n_heads):
    T = 12
    theirs = build_alibi_tensor(torch.ones(1, T), n_heads, torch.float64).view(n_heads, 1, T)
    ours = AlibiPositions(n_heads).double().bias(T, T)
    assert ours.shape == (n_heads, T, T)
    # Bloom writes slope x key position; what is left is a constant a row, which softmax ignores. Its reach is the past.
    for t in range(T):
        rest = ours[:, t, : t + 1] - theirs[:, 0, : t + 1]
        torch.testing.assert_close(rest, rest[:, :1].expand_as(rest), rtol=0, atol=1e-5)


def test_what_is_read_equals_berts_own_embeddings():
    theirs = BertEmbeddings(
        BertConfig(vocab_size=11, hidden_size=12, max_position_embeddings=9, type_vocab_size=2, hidden_dropout_prob=0)
    ).eval()
    given = TransformerConfig(
        vocab_size=11,
        d_model=12,
        n_heads=3,
        n_encoder_layers=1,
        n_decoder_layers=0,
        n_segments=2,
        embedding_norm=True,
        positions="learned",
        max_len=9,
        scale_embeddings=False,
        norm="post",
        norm_eps=1e-12,
    )
    ours = shaken(EncoderModel(given, rng()), torch.float32).encoder
    for mine, table in (
        (ours.embedding, theirs.word_embeddings),
        (ours.positions, theirs.position_embeddings),
        (ours.segments, theirs.token_type_embeddings),
        (ours.embedding_norm, theirs.LayerNorm),
    ):
        table.weight.data = mine.weight.data
    theirs.LayerNorm.bias.data = ours.embedding_norm.bias.data
    text, segments = ids(2, 7, vocab=11), ids(2, 7, vocab=2)
    torch.testing.assert_close(ours.embed(text, segments=segments), theirs(input_ids=text, token_type_ids=segments))
