"""The drill: every answer was told before what asks for it, and no pair is told that is kept for the test."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from transformer.training.tasks.storytelling import drill, words
from transformer.training.tasks.storytelling.pools import is_made_up, is_reserved
from transformer.training.tasks.storytelling.tokens import cut, tokeniser


@given(seed=st.integers(0, 2**32))
def test_every_question_has_the_answer_that_was_told(seed):
    example = drill.draw(Random(seed))
    said = cut(tokeniser().decode(example.target))
    deeds = {}
    while len(said) > 5 and (said[0] in words.PERSONS or is_made_up(said[0])) and said[2] == "a":
        assert not (is_made_up(said[0]) and is_reserved(said[0])), "names that are kept for the test are not told"
        person, _, _, colour, thing, _ = said[:6]
        deeds[thing], said = (person, colour), said[6:]
    assert 2 <= len(deeds) <= 3
    assert not any(is_reserved(f"{colour} {thing}") for thing, (_, colour) in deeds.items())
    questions = " ".join(said).replace(" it was ", " ").split(" . ")
    n = 0
    for asked, answer in (question.removesuffix(" .").split(" ? ") for question in questions):
        thing = next(word for word in asked.split() if word in deeds)
        assert answer == deeds[thing][asked.startswith(("which", "what"))]
        n += 1
    assert n == drill.N_ASKED
    assert len({i for i, _ in example.alignment}) >= n
    for i, j in example.alignment:
        assert example.target[i] == example.target[j]
