"""What is measured of a model of the stories: rules by hand, and the heads that look up."""

from random import Random

import numpy as np
import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.training.batches import collate
from transformer.training.tasks.storytelling import abilities
from transformer.training.tasks.storytelling.abilities import held_out, looked_up, rules
from transformer.training.tasks.storytelling.examples import example_of
from transformer.training.tasks.storytelling.grammar import Told, tell
from transformer.training.tasks.storytelling.mechanisms import FRAMES, mechanism, pairs, silenced
from transformer.training.tasks.storytelling.pools import is_made_up
from transformer.training.tasks.storytelling.sentences import HERS, PRONOUN, WHAT
from transformer.training.tasks.storytelling.tokens import N_TOKENS, tokeniser
from transformer.training.tasks.task import is_held_out


@pytest.fixture(scope="module")
def model():
    config = TransformerConfig(
        vocab_size=N_TOKENS, d_model=16, n_heads=2, n_encoder_layers=2, n_decoder_layers=2, positions="rotary"
    )
    return DecoderModel(config, torch.Generator().manual_seed(0)).eval()


def told(text, **asked):
    return [Told(word, asked.get(word, "")) for word in text.split()]


def test_rules_do_not_look_up():
    story = told("mia found a red hat . tom found a red ball . tom took the red ball", ball=WHAT)
    assert rules(story, len(story) - 1) == (True, False, True)
    assert rules(told("mia and tom met mia . it was mia"), 8) == (True, True, True)
    assert rules(told("the ball"), 1) == (False, False, False)


def test_what_is_measured_was_never_trained_on():
    assert all(is_held_out(example_of(story)) for story in held_out(20))
    fresh = held_out(20, fresh=True)
    assert not any(word in {*abilities.words.PERSONS} for story in fresh for word, _, _ in story)


def test_a_word_of_several_tokens_is_right_where_all_of_them_are(model):
    """Beside a plain loop over the tokens of the text."""
    stories = held_out(6, fresh=True)
    found = list(looked_up(model, stories))
    n = 0
    for story in stories:
        ids = collate("decoder", [example_of(story)]).text
        best = model(ids).logits[0].argmax(-1).tolist()
        place = 0
        for at, one in enumerate(story):
            own = tokeniser().of_word(one.word)
            if one.ability:
                assert found[n].at == at
                if one.ability not in (PRONOUN, HERS):  # of these, one of two has to fit
                    assert found[n].right == (tuple(best[place : place + len(own)]) == own)
                n += 1
            place += len(own)
    assert n == len(found) > 5
    assert any(is_made_up(look.story[look.at].word) for look in found)


@pytest.mark.parametrize("ability", [*FRAMES, PRONOUN])
def test_a_pair_of_stories_differs_in_the_two_answers_alone(ability):
    for question in pairs(ability, 8):
        assert question.answer != question.other
        there = [(question.clean[at], question.corrupted[at]) for at in question.differs]
        if ability == PRONOUN:
            assert len(there) == 1
        else:
            assert set(there) == {(question.answer, question.other), (question.other, question.answer)}
            assert question.answer in question.clean[:-1]


def test_a_silent_head_says_nothing_and_a_mechanism_is_counted_in_whole_heads(model):
    question = pairs(WHAT, 1)[0]
    ids = torch.tensor([question.clean])
    with torch.inference_mode():
        whole = model(ids).logits
        silent = model(ids, tap=silenced(model, [(0, 0), (0, 1), (1, 0), (1, 1)])).logits
        rewired = DecoderModel(model.config).eval()
        rewired.load_state_dict(model.state_dict())
        for layer in rewired.stack.layers:
            layer.self_attn.w_o.weight.zero_()
        np.testing.assert_allclose(silent, rewired(ids).logits, atol=1e-5)
    assert not torch.allclose(whole, silent)
    found = mechanism(model, WHAT, 8)
    assert 0 <= found.right <= 1
    assert len(set(found.heads)) == len(found.heads) <= 4


def test_stories_are_drawn_alike_for_everybody():
    assert tell(Random(5)) == tell(Random(5))
    assert pairs(WHAT, 3) == pairs(WHAT, 3)
