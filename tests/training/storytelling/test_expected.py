"""What the grammar expects at each token, as a table to train on, beside what it tells."""

import math
from collections import Counter
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer.training.grammar_scores import grammar_entropy
from transformer.training.tasks.storytelling.examples import example_of
from transformer.training.tasks.storytelling.expected import expected, of_story
from transformer.training.tasks.storytelling.grammar import tell
from transformer.training.tasks.storytelling.reading import follow, log_probability
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.tasks.task import Example
from transformer.training.text import EOS


def story(seed):
    return example_of(tell(Random(seed)))


def of(text):
    return Example((), tuple(tokeniser().encode(text)))


@pytest.mark.wide
@settings(max_examples=20)
@given(seeds=st.lists(st.integers(0, 2**32), min_size=1, max_size=3))
def test_each_place_of_a_story_has_probabilities_and_what_is_told_is_among_them(seeds):
    examples = [story(seed) for seed in seeds]
    table = expected(examples)
    assert table.shape == (len(seeds), 1 + max(len(e.target) for e in examples), len(tokeniser()))
    for rows, example in zip(table, examples, strict=True):
        n = len(example.target) + 1
        torch.testing.assert_close(rows[:n].sum(-1), torch.ones(n), rtol=0, atol=1e-5)
        assert rows.min() > -1e-7
        assert not rows[n:].any()
        told = rows[torch.arange(n), torch.tensor([*example.target, EOS])]
        assert (told > 0).all()


def test_what_is_told_is_as_probable_as_the_story():
    """The product over the tokens is the probability of the story: none of these words begins another."""
    text = "mia found a red hat . anna found a blue ball . mia took the red hat . that was all ."
    ids = tuple(tokeniser().encode(text))
    rows = expected([Example((), ids)])[0]
    p = rows[torch.arange(len(ids) + 1), torch.tensor([*ids, EOS])].double()
    assert p.log().sum().item() == pytest.approx(log_probability(cut(text)), abs=1e-4)


def test_an_answer_is_certain_and_moves_with_what_was_told():
    """Who is asked for has all the probability; another owner, and it is the other's."""
    text = "the hat belonged to {} . the ball belonged to {} . whose is the hat ? it belongs to {} . that was all ."
    for people in (("mia", "tom"), ("tom", "mia")):
        example = of(text.format(*people, people[0]))
        at = [n for n, id in enumerate(example.target) if tokeniser().label(id) == people[0]][-1]
        row = expected([example])[0, at]
        assert row[example.target[at]].item() == pytest.approx(1, abs=1e-6)
        assert tokeniser().label(int(row.argmax())) == people[0]


@pytest.mark.wide
def test_a_name_goes_on_as_the_names_do_that_begin_like_it():
    """Of a made-up name of several tokens the second has the shares of the names that begin so, without those taken."""
    name = next(w for t in (tell(Random(n)) for n in range(99)) for w, *_ in t[:1] if len(tokeniser().of_word(w)) == 2)
    example = of(f"{name} danced . that was all . that was all . that was all .")
    first, second = tokeniser().of_word(name)
    (then, *_) = follow(cut(name))
    shares = Counter()
    for p, pool in then.pools:
        for word in pool:
            ids = tokeniser().of_word(word)
            if ids[0] == first and len(ids) > 1:
                shares[ids[1]] += p / len(pool)
    row = expected([example])[0, 1]
    assert shares[second] > 0
    for id, share in shares.items():
        assert row[id].item() == pytest.approx(share / shares.total(), abs=1e-6)


@pytest.mark.wide
def test_the_loss_on_what_is_expected_is_the_entropy_of_the_grammar():
    """Over many stories, the loss of the grammar on its own table is that on the drawn words, with less noise."""
    examples = [story(seed) for seed in range(150)]
    soft = hard = n = 0.0
    noise = []
    for example in examples:
        rows = expected([example])[0].double().clamp(min=0)
        told = rows[torch.arange(len(rows)), torch.tensor([*example.target, EOS])]
        soft -= torch.xlogy(rows, rows).sum().item()
        hard -= told.log().sum().item()
        n += len(rows)
        noise.append((torch.xlogy(rows, rows).sum() - told.log().sum()).item())
    spread = math.sqrt(sum(x * x for x in noise))
    assert abs(soft - hard) < 4 * spread
    entropy = grammar_entropy(examples, lambda ids: log_probability(cut(tokeniser().decode(ids))))
    assert hard / n == pytest.approx(entropy, rel=0.02)


def test_what_no_story_tells_is_refused():
    with pytest.raises(ValueError, match="does not tell"):
        of_story(of("the hat sang the hat").target)
