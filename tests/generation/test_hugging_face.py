"""The same weights in a model of Hugging Face: its `generate` must write the very same ids."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    MarianConfig,
    MarianMTModel,
    PreTrainedModel,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from tests.generation.oracles import BOS, EOS, PAD, V, decoder, translator
from tests.transformer.oracles import Module, close, ids, rand
from transformer.core.attention import MultiHeadAttention
from transformer.core.layers import DecoderLayer
from transformer.core.model import DecoderModel, Transformer
from transformer.generation import Sampling, beam_search, begin, distribution, generate, greedy_batch, greedy_prompts

SEEDS = range(6)
MAX_NEW = 10
_EAGER: dict[str, Any] = {"attn_implementation": "eager"}  # the signatures of Hugging Face's configs leave it out


def gpt2(ours: DecoderModel) -> GPT2LMHeadModel:
    c = ours.config
    theirs = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=c.vocab_size,
            n_positions=c.max_len,
            n_embd=c.d_model,
            n_layer=c.n_decoder_layers,
            n_head=c.n_heads,
            n_inner=c.d_ff,
            activation_function="gelu",
            layer_norm_epsilon=c.norm_eps,
            bos_token_id=BOS,
            eos_token_id=EOS,
            pad_token_id=PAD,
            tie_word_embeddings=False,
            **_EAGER,
        )
    )
    stack = ours.decoder
    state: dict[str, Any] = {
        "transformer.wte.weight": stack.embedding.weight,
        "lm_head.weight": ours.output.linear.weight,
        "transformer.wpe.weight": stack.positions.weight,
        "transformer.ln_f.weight": stack.final_norm.weight,
        "transformer.ln_f.bias": stack.final_norm.bias,
    }
    for i, layer in enumerate(stack.layers):
        attn, name = layer.self_attn, f"transformer.h.{i}"
        maps = (attn.w_q, attn.w_k, attn.w_v)
        state |= {
            f"{name}.attn.c_attn.weight": torch.cat([m.weight for m in maps]).T,
            f"{name}.attn.c_attn.bias": torch.cat([m.bias for m in maps]),
        }
        for part, ours_map in (
            ("attn.c_proj", attn.w_o),
            ("mlp.c_fc", layer.feed_forward.w_1),
            ("mlp.c_proj", layer.feed_forward.w_2),
        ):
            state |= {f"{name}.{part}.weight": ours_map.weight.T, f"{name}.{part}.bias": ours_map.bias}
        for part, norm in (("ln_1", layer.norm1), ("ln_2", layer.norm2)):
            state |= {f"{name}.{part}.weight": norm.weight, f"{name}.{part}.bias": norm.bias}
    return _filled(theirs, state, stack.embedding.weight.dtype)


def marian(ours: Transformer) -> MarianMTModel:
    c = ours.config
    theirs = MarianMTModel(
        MarianConfig(
            vocab_size=c.vocab_size,
            d_model=c.d_model,
            max_position_embeddings=64,
            scale_embedding=True,
            encoder_layers=c.n_encoder_layers,
            decoder_layers=c.n_decoder_layers,
            activation_function=c.activation,
            encoder_attention_heads=c.n_heads,
            decoder_attention_heads=c.n_heads,
            encoder_ffn_dim=c.d_ff,
            decoder_ffn_dim=c.d_ff,
            share_encoder_decoder_embeddings=True,
            decoder_start_token_id=BOS,
            eos_token_id=EOS,
            pad_token_id=PAD,
            bos_token_id=BOS,
            forced_eos_token_id=None,
            tie_word_embeddings=False,
            **_EAGER,
        )
    )
    weight = ours.decoder.embedding.weight
    state: dict[str, Any] = {"model.shared.weight": weight, "lm_head.weight": ours.output.linear.weight}
    state["final_logits_bias"] = ours.output.linear.bias[None]
    state |= {f"model.{side}.embed_tokens.weight": weight for side in ("encoder", "decoder")}
    for side, stack in (("encoder", ours.encoder), ("decoder", ours.decoder)):
        # Theirs puts all sines before all cosines; ours is the table of the paper.
        state[f"model.{side}.embed_positions.weight"] = stack.positions.rows(0, 64)
        for i, layer in enumerate(stack.layers):
            name = f"model.{side}.layers.{i}"
            parts = {"fc1": layer.feed_forward.w_1, "fc2": layer.feed_forward.w_2, "self_attn_layer_norm": layer.norm1}
            parts |= _marian_attention("self_attn", layer.self_attn)
            if isinstance(layer, DecoderLayer):
                parts |= _marian_attention("encoder_attn", layer.cross_attn)
                parts |= {"encoder_attn_layer_norm": layer.norm2, "final_layer_norm": layer.norm3}
            else:
                parts |= {"final_layer_norm": layer.norm2}
            for part, module in parts.items():
                state |= {f"{name}.{part}.weight": module.weight, f"{name}.{part}.bias": module.bias}
    return _filled(theirs, state, weight.dtype)


def _marian_attention(name: str, ours: MultiHeadAttention) -> dict[str, nn.Module]:
    maps = {"q_proj": ours.w_q, "k_proj": ours.w_k, "v_proj": ours.w_v, "out_proj": ours.w_o}
    return {f"{name}.{part}": module for part, module in maps.items()}


def _filled(theirs: Module, state: dict[str, torch.Tensor], dtype: torch.dtype) -> Module:
    missing, unexpected = theirs.to(dtype).load_state_dict(state, strict=False)
    assert unexpected == []
    assert missing == []
    return theirs.eval()


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
                given,
                attention_mask=torch.ones_like(given),
                do_sample=False,
                max_new_tokens=MAX_NEW,
                eos_token_id=EOS,
                pad_token_id=PAD,
                return_dict_in_generate=True,
                output_scores=True,
                **settings,
            )
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
