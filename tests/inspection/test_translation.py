"""The numbers of a translation, against plain runs of the model, numpy, and models built without the part."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import Transformer
from transformer.core.taps import Tap, no_tap
from transformer.inspection import translation
from transformer.training import shipped, tasks
from transformer.training.checkpoints import Checkpoint
from transformer.training.film import alignment_mass
from transformer.training.scores import answers, exactly_right
from transformer.training.tasks import french
from transformer.training.tasks.task import Task
from transformer.training.text import BOS, EOS, PAD, UNKNOWN

SENTENCE = "The little black cat does not like the white house"


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    torch.set_num_threads(1)
    return shipped.load("translator")


@pytest.fixture(scope="module")
def model(checkpoint: Checkpoint) -> Transformer:
    model = checkpoint.model()
    assert isinstance(model, Transformer)
    return model


@pytest.fixture(scope="module")
def task(checkpoint: Checkpoint) -> Task:
    return checkpoint.task


def tokenised(task: Task, text: str = SENTENCE) -> translation.SourceText:
    return translation.tokenise_source(task, text)


@torch.inference_mode()
def plain_greedy(
    model: Transformer, source: Sequence[int], max_new: int = 40, mask: torch.Tensor | None = None
) -> list[int]:
    """Greedy decoding in its simplest form: everything is computed again at every step."""
    text = [BOS]
    while len(text) <= max_new and text[-1] != EOS:
        logits = model(torch.tensor([list(source)]), torch.tensor([text]), mask).logits
        text.append(int(logits[0, -1].argmax()))
    return text[1:]


# ---- the shipped translator ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_translates_what_it_was_not_trained_on(model: Transformer, task: Task) -> None:
    examples = translation.held_out_examples(task, 100)
    assert len(set(examples)) == 100
    assert all(task.held_out(example) for example in examples)
    assert exactly_right(model, task, examples) >= 0.95
    right = sum(tuple(plain_greedy(model, e.source)[:-1]) == e.target for e in examples[:20])
    assert right == 20 * exactly_right(model, task, examples[:20])


# ---- the source text -------------------------------------------------------------------------------------------


def test_a_text_is_cut_into_words_and_unknown_ones_are_named(task: Task) -> None:
    source = tokenised(task, "The DRAGON doesn't eat the dragon's cake.")
    assert source.words == ("the", "dragon", "does", "not", "eat", "the", "dragon's", "cake")
    assert source.unknown == ("dragon", "dragon's")
    assert [id == UNKNOWN for id in source.ids] == [word in source.unknown for word in source.words]
    assert tokenised(task, "").words == ()
    long = tokenised(task, "cat " * 60)
    assert len(long.words) == translation.MAX_SOURCE_TOKENS
    assert long.left_out == 60 - translation.MAX_SOURCE_TOKENS


@pytest.mark.parametrize("sign", [".", "!", "?"])
def test_words_that_were_cut_before_are_read_as_they_are(task: Task, sign: str) -> None:
    source = translation.tokenise_source(task, f"the cat{sign} the dog sleeps{sign}", 3)
    assert source.words == ("the", "cat", sign)
    assert source.left_out == 3
    assert translation.read_words(task, source.words) == source._replace(left_out=0)


def test_letters_need_no_spaces() -> None:
    reverse = tasks.make("reverse")
    assert tokenised(reverse, "a bc") == tokenised(reverse, "ABC")
    assert tokenised(reverse, "abz").unknown == ("z",)


@pytest.mark.slow
def test_the_task_knows_the_answer_to_a_text() -> None:
    for name in ("copy", "reverse", "sort"):
        task = tasks.make(name)
        for example in task.probes:
            source = tokenised(task, task.source.decode(example.source))
            assert task.answer(source.words) == example
    task = tasks.make("french")
    for example in task.probes:
        assert task.answer(tokenised(task, task.source.decode(example.source)).words) == example
    assert task.answer(tokenised(task, "the cat the dog").words) is None


# ---- writing ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_translation_is_that_of_plain_greedy_decoding(model: Transformer, task: Task) -> None:
    for text in (SENTENCE, "I am not happy", "the little dragon eats the cake", "cat"):
        source = tokenised(task, text)
        result = translation.translate(model, source.ids)
        assert list(result.written) == plain_greedy(model, source.ids)
        assert result.ended
        assert result.answer == result.written[:-1]


def test_the_encoder_runs_once_and_the_decoder_once_a_token(model: Transformer, task: Task) -> None:
    spied, ran = copy.deepcopy(model), {"encoder": 0, "decoder": 0}
    for half in ran:
        getattr(spied, half).register_forward_hook(lambda *_, half=half: ran.update({half: ran[half] + 1}))
    result = translation.translate(spied, tokenised(task).ids)
    assert ran == {"encoder": 1, "decoder": len(result.written)}
    assert [(f.encoder, f.decoder) for f in result.frames] == [(1, n + 1) for n in range(len(result.written))]
    counter = translation.RunCounter()
    for _ in range(3):  # and would it run more often, that would be counted
        model(torch.tensor([[4, 5]]), torch.tensor([[BOS]]), tap=counter)
    assert (counter.encoder, counter.decoder) == (3, 3)


def test_probabilities_and_cross_attention_of_every_step(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    result = translation.translate(model, source.ids)
    with torch.inference_mode():
        out = model(torch.tensor([source.ids]), torch.tensor([[BOS, *result.written[:-1]]]))
    probs = out.logits[0].double().softmax(-1).numpy()
    cross = torch.stack(out.attention.cross)[:, 0].numpy()
    for t, frame in enumerate(result.frames):
        np.testing.assert_allclose(frame.probs, probs[t], atol=1e-5)
        np.testing.assert_allclose(frame.cross, cross[:, :, t], atol=1e-5)
        assert frame.id == frame.probs.argmax()
    with torch.inference_mode():
        np.testing.assert_array_equal(result.memory, model.encode(torch.tensor([source.ids]))[0][0].numpy())


# ---- attention -------------------------------------------------------------------------------------------------


def softmax(scores: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    assert mask is not None
    scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("positions", ["shipped", "relative", "rotary", "alibi"])
def test_weights_are_what_q_and_k_say(model: Transformer, task: Task, positions: str) -> None:
    if positions != "shipped":
        config = replace(model.config, positions=positions)
        model = Transformer(config, torch.Generator().manual_seed(1)).eval()
    source = tokenised(task)
    written = translation.translate(model, source.ids).written
    maps = translation.attention_maps(model, task, source, written)
    S, T = len(source.ids), len(written)
    assert {kind: m.weights.shape[-2:] for kind, m in maps.items()} == {
        "encoder": (S, S),
        "decoder": (T, T),
        "cross": (T, S),
    }
    for attention in maps.values():
        scores = attention.q.astype(float) @ attention.k.astype(float).swapaxes(-1, -2) / attention.scale
        scores += 0 if attention.bias is None else attention.bias
        np.testing.assert_allclose(attention.weights, softmax(scores, attention.mask), atol=2e-5)


def test_who_may_look_where(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    written = translation.translate(model, source.ids).written
    maps = translation.attention_maps(model, task, source, written)
    assert (maps["encoder"].weights > 0).all()  # no zero is forced on anybody
    own = maps["decoder"].weights
    assert (own[..., 0, :] == [1.0] + [0.0] * (len(written) - 1)).all()
    assert (own[..., *np.triu_indices(len(written), 1)] == 0).all()
    assert (own[..., *np.diag_indices(len(written))] > 0).all()
    assert maps["cross"].queries == (
        "le",
        "petit",
        "chat",
        "noir",
        "n'",
        "aime",
        "pas",
        "la",
        "maison",
        "blanche",
        "⟨end⟩",
    )
    assert maps["decoder"].queries == ("⟨start⟩", *maps["cross"].queries[:-1])
    assert maps["cross"].keys == source.words


def test_alignment_mass_is_the_weight_on_the_true_alignment(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    cross = translation.attention_maps(model, task, source, translation.translate(model, source.ids).written)[
        "cross"
    ].weights
    alignment = french.alignment_of(SENTENCE)[1]
    by_hand = [[np.mean([head[i, j] for i, j in alignment]) for head in layer] for layer in cross]
    np.testing.assert_allclose(alignment_mass(cross, alignment), by_hand, rtol=1e-5)
    assert alignment_mass(cross, alignment).max() > 0.8  # and it crosses where the words do
    assert np.isnan(alignment_mass(cross, ())).all()


# ---- ablations -------------------------------------------------------------------------------------------------


def logits(
    model: Transformer, source: Sequence[int], text: Sequence[int] | torch.Tensor, tap: Tap = no_tap
) -> torch.Tensor:
    with torch.inference_mode():
        return model(torch.tensor([list(source)]), torch.tensor([list(text)]), tap=tap).logits


def test_without_an_ablation_nothing_changes_by_a_bit(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    same, tap = translation.ablate_part(model, None)
    text = [BOS, *translation.translate(model, source.ids).written]
    assert torch.equal(logits(same, source.ids, text, tap), logits(model, source.ids, text))


@pytest.mark.slow
def test_an_ablation_equals_a_model_built_without_the_part(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    text = torch.tensor([[BOS, *translation.translate(model, source.ids).written]])
    before = logits(model, source.ids, text[0])

    cut, tap = translation.ablate_part(model, "memory")
    with torch.inference_mode():
        nothing = torch.zeros(1, len(source.ids), model.config.d_model)
        assert torch.equal(logits(cut, source.ids, text[0], tap), model.decode(text, nothing)[0])

    cut, tap = translation.ablate_part(model, "positions")
    other = Transformer(replace(model.config, positions="none"), torch.Generator()).eval()
    other.load_state_dict(model.state_dict())
    torch.testing.assert_close(logits(cut, source.ids, text[0], tap), logits(other, source.ids, text[0]))

    cut, tap = translation.ablate_part(model, "head", ("cross", 1, 2))
    other = copy.deepcopy(model)
    d_k = model.config.d_k
    with torch.no_grad():
        other.decoder.layers[1].cross_attn.w_o.weight[:, 2 * d_k : 3 * d_k] = 0
    torch.testing.assert_close(logits(cut, source.ids, text[0], tap), logits(other, source.ids, text[0]))

    assert torch.equal(logits(model, source.ids, text[0]), before)  # and the model is left as it was
    with pytest.raises(ValueError, match="no part"):
        translation.ablate_part(model, cast(Any, "residual"))


def test_heads_taken_out_row_by_row_of_a_batch_are_those_taken_out_alone(model: Transformer, task: Task) -> None:
    source = tokenised(task).ids
    heads = [("decoder", 0, 2), ("encoder", 1, 1), ("cross", 1, 3), ("cross", 0, 0), ("decoder", 0, 1)]
    written = translation.written_without(model, source, [[head] for head in heads])
    for head, ids in zip(heads, written, strict=True):
        cut, tap = translation.ablate_part(model, "head", head)
        assert ids == translation.translate(cut, source, tap).written
    assert len(set(written)) > 1
    layer = [("cross", 1, number) for number in range(model.config.n_heads)]
    other = copy.deepcopy(model)
    with torch.no_grad():
        other.decoder.layers[1].cross_attn.w_o.weight.zero_()
    assert translation.written_without(model, source, [layer]) == [translation.translate(other, source).written]


def test_a_steered_decoder_looks_at_one_token_alone_and_only_while_it_writes_the_last(
    model: Transformer, task: Task
) -> None:
    source = tokenised(task).ids
    written = translation.translate(model, source).written
    rows = translation.steered(model, source, written)
    assert len(rows) == len(written)
    with torch.inference_mode():
        memory = model.encode(torch.tensor([source]))[0]
        for i, j in ((0, 1), (2, 0), (3, len(source) - 1)):
            mask = torch.ones(i + 1, len(source), dtype=torch.bool)
            mask[-1] = torch.arange(len(source)) == j  # all the others are closed
            probs = model.decode(torch.tensor([[BOS, *written[:i]]]), memory, memory_mask=mask)[0][0, -1].softmax(-1)
            np.testing.assert_allclose(rows[i][j], probs.numpy(), atol=1e-5)


def test_sources_of_one_length_are_translated_together_as_alone(model: Transformer, task: Task) -> None:
    ids = tokenised(task).ids
    sources = [ids, (*ids[1:], ids[0]), (ids[1], *ids[1:])]
    written = translation.written_for(model, sources)
    assert written == [translation.translate(model, source).written for source in sources]
    assert len(set(written)) > 1


@pytest.mark.slow
def test_even_attention_is_even_and_sees_no_padding(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    cut, tap = translation.ablate_part(model, "focus")
    other = copy.deepcopy(model)
    with torch.no_grad():
        for layer in other.decoder.layers:  # no query: every score is 0
            layer.cross_attn.w_q.weight.zero_()
            layer.cross_attn.w_q.bias.zero_()
    text = [BOS, *translation.translate(model, source.ids).written]
    torch.testing.assert_close(logits(cut, source.ids, text, tap), logits(other, source.ids, text))
    examples = translation.held_out_examples(task, 40)  # of unequal lengths, so there is padding
    assert answers(cut, task, examples, tap=tap) == answers(other, task, examples)


def test_without_the_memory_every_source_has_the_same_translation(model: Transformer, task: Task) -> None:
    cut, tap = translation.ablate_part(model, "memory")
    answers_written = {
        translation.translate(cut, tokenised(task, text).ids, tap).answer
        for text in (SENTENCE, "she sings", "I see a red apple")
    }
    assert len(answers_written) == 1


@pytest.mark.slow
def test_every_ablation_costs_accuracy(model: Transformer, task: Task) -> None:
    examples = translation.held_out_examples(task, 100)
    for part in ("memory", "focus", "positions"):
        cut, tap = translation.ablate_part(model, part)
        assert exactly_right(cut, task, examples, tap=tap) < 0.1
    other = copy.deepcopy(model)
    with torch.no_grad():
        other.decoder.layers[0].self_attn.w_o.weight[:, 2 * model.config.d_k : 3 * model.config.d_k] = 0
    cut, tap = translation.ablate_part(model, "head", ("decoder", 0, 2))
    share = exactly_right(cut, task, examples, tap=tap)
    assert share == exactly_right(other, task, examples) < 0.8


# ---- padding ---------------------------------------------------------------------------------------------------


def test_padding_is_not_looked_at_and_changes_nothing(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    alone = translation.translate(model, source.ids)
    for n_pads in (1, 5):
        padded = translation.translate_padded(model, task, source, n_pads)
        S = len(source.ids)
        assert padded.maps["cross"].weights.shape[-1] == S + n_pads
        assert (padded.maps["cross"].weights[..., S:] == 0).all()
        assert padded.weight_on_padding == 0
        assert padded.answer == alone.answer
        real = translation.attention_maps(model, task, source, alone.written)["cross"].weights
        np.testing.assert_allclose(padded.maps["cross"].weights[..., :S], real, atol=1e-5)


@pytest.mark.slow
def test_a_forgotten_mask_lets_padding_in(model: Transformer, task: Task) -> None:
    source = tokenised(task)
    padded = translation.translate_padded(model, task, source, 4, masked=False)
    S = len(source.ids)
    largest = max(padded.maps["cross"].weights[..., S:].max(), padded.maps["encoder"].weights[..., :S, S:].max())
    assert padded.weight_on_padding == largest > 0.1
    examples = translation.held_out_examples(task, 60)
    wrong = 0
    for example in examples[:12]:
        source = tokenised(task, task.source.decode(example.source))
        answer = translation.translate_padded(model, task, source, 4, masked=False).answer
        limit = translation.max_target_tokens(model, len(source.ids))
        assert tuple(id for id in plain_greedy(model, [*source.ids, *[PAD] * 4], limit) if id != EOS) == answer
        wrong += answer != example.target
    assert wrong
    assert translation.exactly_right_padded(model, examples, 4) == exactly_right(model, task, examples)
    assert translation.exactly_right_padded(model, examples, 4, masked=False) < exactly_right(model, task, examples)


# ---- context ---------------------------------------------------------------------------------------------------

A, B = "the little cat likes the apple", "the little house likes the apple"


def test_a_word_is_equal_before_the_layers_and_another_after(model: Transformer, task: Task) -> None:
    a, b = (tokenised(task, text).ids for text in (A, B))
    names, first = translation.residual_stream(model, a)
    _, second = translation.residual_stream(model, b)
    assert names == ("word", "+ position", "layer 0", "layer 1", "memory")
    table = model.encoder.embedding.weight.detach().numpy()
    np.testing.assert_array_equal(first[0], table[list(a)])  # this model does not scale its embeddings
    with torch.inference_mode():
        np.testing.assert_array_equal(first[-1], model.encode(torch.tensor([a]))[0][0].numpy())
    cosines = translation.cosine_similarity(first, second)
    assert (cosines[:2, [0, 1, 3, 4, 5]] == 1).all()  # the same words at the same places
    assert (cosines[2:, [0, 1, 3, 4, 5]] < 1).all()
    assert cosines[-1, 1] < 0.9  # "little" has heard of the noun
    x, y = first[-1, 1].astype(float), second[-1, 1].astype(float)
    assert cosines[-1, 1] == pytest.approx(x @ y / np.sqrt((x @ x) * (y @ y)))
    assert (translation.cosine_similarity(first, first) == 1).all()


@pytest.mark.slow
def test_one_vector_of_the_memory_carries_the_gender(model: Transformer, task: Task) -> None:
    a, b = (tokenised(task, text).ids for text in (SENTENCE, SENTENCE.replace("cat", "house")))
    swapped = [task.target.decode(translation.memory_swap(model, a, b, n).answer) for n in range(len(a))]
    clean = task.target.decode(translation.translate(model, a).answer)
    assert swapped[0] == "la petit chat noir n'aime pas la maison blanche"
    assert swapped[1] == "le petite chat noir n'aime pas la maison blanche"
    assert swapped[2] == "le petit chat noire n'aime pas la maison blanche"
    assert swapped[-1] == clean
    same = translation.memory_swap(model, a, a, 1)
    np.testing.assert_array_equal(same.frames[1].probs, translation.translate(model, a).frames[1].probs)
    with pytest.raises(ValueError, match="no places in common"):
        translation.memory_swap(model, a, a[:-1], 1)


def test_a_learned_table_bounds_what_is_written() -> None:
    config = TransformerConfig(vocab_size=14, d_model=16, n_heads=2, positions="learned", max_len=8)
    model = Transformer(config, torch.Generator().manual_seed(0)).eval()
    result = translation.translate(model, (4, 5, 6, 7))
    assert len(result.written) <= 8


def test_without_what_cross_attention_brings_every_source_is_written_the_same(model: Transformer, task: Task) -> None:
    """With all of it each is its own translation."""
    sources = [tokenised(task, text).ids for text in (SENTENCE, "the cat sleeps")]
    first, second = ([row for row, _ in translation.faded(model, source, (0, 1))] for source in sources)
    assert first[0] == second[0]
    for source, written in zip(sources, (first, second), strict=True):
        assert written[1] == translation.translate(model, source).written

    def silence(name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x) if name.endswith("cross_attn.out") else x

    assert translation.translate(model, sources[0], silence).written == first[0]
