"""What is shown of a translation, against the model run plainly, against numpy, and against models built otherwise."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch

from transformer.config import TransformerConfig
from transformer.inspection import translation
from transformer.model import Transformer
from transformer.taps import no_tap
from transformer.training import shipped, tasks
from transformer.training.scores import answers, exactly_right
from transformer.training.tasks import french
from transformer.training.text import BOS, EOS, PAD, UNKNOWN

SENTENCE = "The little black cat does not like the white house"


@pytest.fixture(scope="module")
def checkpoint():
    torch.set_num_threads(1)
    return shipped.load("translator")


@pytest.fixture(scope="module")
def model(checkpoint):
    return checkpoint.model()


@pytest.fixture(scope="module")
def task(checkpoint):
    return checkpoint.task


def read(task, text=SENTENCE):
    return translation.read_typed(task, text)


@torch.inference_mode()
def plainly(model, source, most=40, mask=None) -> list[int]:
    """Greedy decoding as one would write it first: everything anew at every step."""
    text = [BOS]
    while len(text) <= most and text[-1] != EOS:
        logits = model(torch.tensor([list(source)]), torch.tensor([text]), mask).logits
        text.append(int(logits[0, -1].argmax()))
    return text[1:]


# ---- the shipped translator ------------------------------------------------------------------------------------


def test_it_translates_what_it_was_not_trained_on(model, task):
    examples = translation.held_out(task, 100)
    assert len(set(examples)) == 100
    assert all(task.held_out(example) for example in examples)
    share = translation.rights(model, task, examples)
    assert share >= 0.95
    right = sum(tuple(plainly(model, e.source)[:-1]) == e.target for e in examples[:20])
    assert right == 20 * translation.rights(model, task, examples[:20])
    assert share == exactly_right(model, task, examples)


# ---- what is typed ---------------------------------------------------------------------------------------------


def test_typed_words_and_unknown_ones(task):
    typed = read(task, "The DRAGON doesn't eat the dragon's cake.")
    assert typed.words == ("the", "dragon", "does", "not", "eat", "the", "dragon's", "cake")
    assert typed.unknown == ("dragon", "dragon's")
    assert [id == UNKNOWN for id in typed.ids] == [word in typed.unknown for word in typed.words]
    assert read(task, "").words == ()
    long = read(task, "cat " * 60)
    assert len(long.words) == translation.MOST_READ
    assert long.left_out == 60 - translation.MOST_READ


def test_letters_need_no_spaces():
    reverse = tasks.make("reverse")
    assert read(reverse, "a bc") == read(reverse, "ABC")
    assert read(reverse, "abz").unknown == ("z",)


def test_the_right_answer_is_the_task_s():
    for name in ("copy", "reverse", "sort"):
        task = tasks.make(name)
        for example in task.probes:
            typed = read(task, task.source.decode(example.source))
            assert translation.truth(task, typed) == example
    task = tasks.make("french")
    for example in task.probes:
        assert translation.truth(task, read(task, task.source.decode(example.source))) == example
    assert translation.truth(task, read(task, "the cat the dog")) is None


# ---- writing ---------------------------------------------------------------------------------------------------


def test_it_is_written_as_one_would_write_it_plainly(model, task):
    for text in (SENTENCE, "I am not happy", "the little dragon eats the cake", "cat"):
        typed = read(task, text)
        made = translation.write(model, typed.ids)
        assert list(made.written) == plainly(model, typed.ids)
        assert made.ended
        assert made.answer == made.written[:-1]


def test_the_encoder_runs_once_and_the_decoder_once_a_token(model, task):
    spied, ran = copy.deepcopy(model), {"encoder": 0, "decoder": 0}
    for half in ran:
        getattr(spied, half).register_forward_hook(lambda *_, half=half: ran.update({half: ran[half] + 1}))
    made = translation.write(spied, read(task).ids)
    assert ran == {"encoder": 1, "decoder": len(made.written)}
    assert [(f.encoder, f.decoder) for f in made.frames] == [(1, n + 1) for n in range(len(made.written))]
    counter = translation.Counter()
    for _ in range(3):  # and would it run more often, that would be counted
        model(torch.tensor([[4, 5]]), torch.tensor([[BOS]]), tap=counter)
    assert (counter.encoder, counter.decoder) == (3, 3)


def test_probabilities_and_cross_attention_of_every_step(model, task):
    typed = read(task)
    made = translation.write(model, typed.ids)
    with torch.inference_mode():
        out = model(torch.tensor([typed.ids]), torch.tensor([[BOS, *made.written[:-1]]]))
    probs = out.logits[0].double().softmax(-1).numpy()
    cross = torch.stack(out.attention.cross)[:, 0].numpy()
    for t, frame in enumerate(made.frames):
        np.testing.assert_allclose(frame.probs, probs[t], atol=1e-5)
        np.testing.assert_allclose(frame.cross, cross[:, :, t], atol=1e-5)
        assert frame.id == frame.probs.argmax()
    with torch.inference_mode():
        np.testing.assert_array_equal(made.memory, model.encode(torch.tensor([typed.ids]))[0][0].numpy())


# ---- attention -------------------------------------------------------------------------------------------------


def softmax(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@pytest.mark.parametrize("positions", ["shipped", "relative", "rotary", "alibi"])
def test_weights_are_what_q_and_k_say(model, task, positions):
    if positions != "shipped":
        config = replace(model.config, positions=positions)
        model = Transformer(config, torch.Generator().manual_seed(1)).eval()
    typed = read(task)
    written = translation.write(model, typed.ids).written
    maps = translation.attentions(model, task, typed, written)
    S, T = len(typed.ids), len(written)
    assert {kind: m.weights.shape[-2:] for kind, m in maps.items()} == {
        "encoder": (S, S), "decoder": (T, T), "cross": (T, S),
    }  # fmt: skip
    for seen in maps.values():
        scores = seen.q.astype(float) @ seen.k.astype(float).swapaxes(-1, -2) / seen.scale
        scores += 0 if seen.bias is None else seen.bias
        np.testing.assert_allclose(seen.weights, softmax(scores, seen.mask), atol=2e-5)


def test_who_may_look_where(model, task):
    typed = read(task)
    written = translation.write(model, typed.ids).written
    maps = translation.attentions(model, task, typed, written)
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
    assert maps["cross"].keys == typed.words


def test_mass_is_what_lies_on_the_alignment(model, task):
    typed = read(task)
    cross = translation.attentions(model, task, typed, translation.write(model, typed.ids).written)["cross"].weights
    alignment = french.alignment_of(SENTENCE)[1]
    by_hand = [[np.mean([head[i, j] for i, j in alignment]) for head in layer] for layer in cross]
    np.testing.assert_allclose(translation.mass(cross, alignment), by_hand, rtol=1e-5)
    assert translation.mass(cross, alignment).max() > 0.8  # and it crosses where the words do
    assert np.isnan(translation.mass(cross, ())).all()


# ---- plugs -----------------------------------------------------------------------------------------------------


def logits(model, source, text, tap=no_tap):
    with torch.inference_mode():
        return model(torch.tensor([list(source)]), torch.tensor([list(text)]), tap=tap).logits


def test_with_all_plugs_in_nothing_changes_by_a_bit(model, task):
    typed = read(task)
    same, tap = translation.pull(model, None)
    text = [BOS, *translation.write(model, typed.ids).written]
    assert torch.equal(logits(same, typed.ids, text, tap), logits(model, typed.ids, text))


def test_plugs_equal_models_built_without_the_part(model, task):
    typed = read(task)
    text = torch.tensor([[BOS, *translation.write(model, typed.ids).written]])
    before = logits(model, typed.ids, text[0])

    cut, tap = translation.pull(model, "memory")
    with torch.inference_mode():
        nothing = torch.zeros(1, len(typed.ids), model.config.d_model)
        assert torch.equal(logits(cut, typed.ids, text[0], tap), model.decode(text, nothing)[0])

    cut, tap = translation.pull(model, "positions")
    other = Transformer(replace(model.config, positions="none"), torch.Generator()).eval()
    other.load_state_dict(model.state_dict())
    torch.testing.assert_close(logits(cut, typed.ids, text[0], tap), logits(other, typed.ids, text[0]))

    cut, tap = translation.pull(model, "head", ("cross", 1, 2))
    other = copy.deepcopy(model)
    d_k = model.config.d_k
    with torch.no_grad():
        other.decoder.layers[1].cross_attn.w_o.weight[:, 2 * d_k : 3 * d_k] = 0
    torch.testing.assert_close(logits(cut, typed.ids, text[0], tap), logits(other, typed.ids, text[0]))

    assert torch.equal(logits(model, typed.ids, text[0]), before)  # and the model is left as it was
    with pytest.raises(ValueError, match="no plug"):
        translation.pull(model, "residual")


def test_even_attention_is_even_and_sees_no_padding(model, task):
    typed = read(task)
    cut, tap = translation.pull(model, "focus")
    other = copy.deepcopy(model)
    with torch.no_grad():
        for layer in other.decoder.layers:  # no query: every score is 0
            layer.cross_attn.w_q.weight.zero_()
            layer.cross_attn.w_q.bias.zero_()
    text = [BOS, *translation.write(model, typed.ids).written]
    torch.testing.assert_close(logits(cut, typed.ids, text, tap), logits(other, typed.ids, text))
    examples = translation.held_out(task, 40)  # of unequal lengths, so there is padding
    assert answers(cut, task, examples, tap=tap) == answers(other, task, examples)


def test_without_the_memory_it_writes_the_same_whatever_is_typed(model, task):
    cut, tap = translation.pull(model, "memory")
    said = {
        translation.write(cut, read(task, text).ids, tap).answer
        for text in (SENTENCE, "she sings", "I see a red apple")
    }
    assert len(said) == 1


def test_what_plugs_cost(model, task):
    examples = translation.held_out(task, 100)
    for plug in ("memory", "focus", "positions"):
        cut, tap = translation.pull(model, plug)
        assert translation.rights(cut, task, examples, tap) < 0.1
    other = copy.deepcopy(model)
    with torch.no_grad():
        other.decoder.layers[0].self_attn.w_o.weight[:, model.config.d_k : 2 * model.config.d_k] = 0
    cut, tap = translation.pull(model, "head", ("decoder", 0, 1))
    share = translation.rights(cut, task, examples, tap)
    assert share == exactly_right(other, task, examples) < 0.8


# ---- padding ---------------------------------------------------------------------------------------------------


def test_padding_is_not_looked_at_and_changes_nothing(model, task):
    typed = read(task)
    alone = translation.write(model, typed.ids)
    for n_pads in (1, 5):
        seen = translation.pad(model, task, typed, n_pads)
        S = len(typed.ids)
        assert seen.maps["cross"].weights.shape[-1] == S + n_pads
        assert (seen.maps["cross"].weights[..., S:] == 0).all()
        assert seen.on_pads == 0
        assert seen.answer == alone.answer
        real = translation.attentions(model, task, typed, alone.written)["cross"].weights
        np.testing.assert_allclose(seen.maps["cross"].weights[..., :S], real, atol=1e-5)


def test_a_forgotten_mask_lets_padding_in(model, task):
    typed = read(task)
    seen = translation.pad(model, task, typed, 4, masked=False)
    S = len(typed.ids)
    largest = max(seen.maps["cross"].weights[..., S:].max(), seen.maps["encoder"].weights[..., :S, S:].max())
    assert seen.on_pads == largest > 0.1
    examples = translation.held_out(task, 60)
    wrong = 0
    for example in examples[:12]:
        typed = read(task, task.source.decode(example.source))
        answer = translation.pad(model, task, typed, 4, masked=False).answer
        most = translation.most_written(model, len(typed.ids))
        assert tuple(id for id in plainly(model, [*typed.ids, *[PAD] * 4], most) if id != EOS) == answer
        wrong += answer != example.target
    assert wrong
    assert translation.padded_rights(model, examples, 4) == translation.rights(model, task, examples)
    assert translation.padded_rights(model, examples, 4, masked=False) < translation.rights(model, task, examples)


# ---- context ---------------------------------------------------------------------------------------------------

A, B = "the little cat likes the apple", "the little house likes the apple"


def test_a_word_is_equal_before_the_layers_and_another_after(model, task):
    a, b = (read(task, text).ids for text in (A, B))
    names, first = translation.heights(model, a)
    _, second = translation.heights(model, b)
    assert names == ("word", "+ position", "layer 0", "layer 1", "memory")
    table = model.encoder.embedding.weight.detach().numpy()
    np.testing.assert_array_equal(first[0], table[list(a)])  # this model does not scale its embeddings
    with torch.inference_mode():
        np.testing.assert_array_equal(first[-1], model.encode(torch.tensor([a]))[0][0].numpy())
    cosines = translation.alike(first, second)
    assert (cosines[:2, [0, 1, 3, 4, 5]] == 1).all()  # the same words at the same places
    assert (cosines[2:, [0, 1, 3, 4, 5]] < 1).all()
    assert cosines[-1, 1] < 0.9  # "little" has heard of the noun
    x, y = first[-1, 1].astype(float), second[-1, 1].astype(float)
    assert cosines[-1, 1] == pytest.approx(x @ y / np.sqrt((x @ x) * (y @ y)))
    assert (translation.alike(first, first) == 1).all()


def test_one_vector_of_the_memory_carries_the_gender(model, task):
    a, b = (read(task, text).ids for text in (SENTENCE, SENTENCE.replace("cat", "house")))
    said = [task.target.decode(translation.graft(model, a, b, n).answer) for n in range(len(a))]
    clean = task.target.decode(translation.write(model, a).answer)
    assert said[1] == "la petite chat noir n'aime pas la maison blanche"
    assert said[2] == "le petit chat noire n'aime pas la maison blanche"
    assert said[-1] == clean
    same = translation.graft(model, a, a, 1)
    np.testing.assert_array_equal(same.frames[1].probs, translation.write(model, a).frames[1].probs)
    with pytest.raises(ValueError, match="no places in common"):
        translation.graft(model, a, a[:-1], 1)


def test_a_learned_table_bounds_what_is_written():
    config = TransformerConfig(vocab_size=14, d_model=16, n_heads=2, positions="learned", max_len=8)
    model = Transformer(config, torch.Generator().manual_seed(0)).eval()
    made = translation.write(model, (4, 5, 6, 7))
    assert len(made.written) <= 8
