"""The grammar of the stories: what it tells it can read, and a question has the answer that was told."""

import math
from collections import Counter
from functools import cache
from itertools import islice, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer.training.tasks.storytelling import grammar, pools, reading, words
from transformer.training.tasks.storytelling.grammar import tell
from transformer.training.tasks.storytelling.pools import MadeUp, Words, is_made_up, is_reserved
from transformer.training.tasks.storytelling.reading import END, follow, log_probability, right_until
from transformer.training.tasks.storytelling.sentences import ABILITIES, HERS, PRONOUN
from transformer.training.tasks.storytelling.tokens import cut
from transformer.training.tasks.storytelling.world import World

KINDS = (*(kind for kind in vars(words).values() if isinstance(kind, tuple)), ("his", "hers"))


def heard(story):
    return [told.word for told in story]


def sentence(frame):
    """The number of the sentence with this one wording."""
    return next(n for n, one in enumerate(grammar.SENTENCES) if one.frames == (tuple(frame.split()),))


def is_way(sentence, said):
    """Whether a story that is this one sentence can be these words."""
    tellings = [telling for telling in reading.begun({World(): 1.0}) if telling.sentence is sentence]
    for word in said:
        ways = [way for telling in tellings if not telling.is_over for way in telling.with_slots()]
        tellings = [later for way in ways if (later := way.say(word))]
    return any(telling.is_over for telling in tellings)


def stories(n, seed=0, **settings):
    rng = Random(seed)
    return [tell(rng, **settings) for _ in range(n)]


@cache
def many(*, fresh):
    return stories(1000, fresh=fresh)


@given(seed=st.integers(0, 2**32))
def test_what_it_tells_it_can_read(seed):
    told = heard(tell(Random(seed)))
    assert -math.inf < log_probability(told) < 0
    assert log_probability([*told, "zebra"]) == -math.inf
    assert log_probability(told[:-1]) == -math.inf


@given(seed=st.integers(0, 2**32), is_fresh=st.booleans())
def test_what_may_come_next_are_probabilities(seed, is_fresh):
    """They sum to 1 at each word, over all words: of a pool of 30,000 names, by its size."""
    told = heard(tell(Random(seed), fresh=is_fresh))
    every = [*follow(told)]
    assert len(every) == len(told) + 1 or is_fresh  # names that are kept for the test are never told
    for word, then in zip((*told, END), every, strict=False):
        assert sum(then.words.values()) + sum(p for p, _ in then.pools) == pytest.approx(1)
        assert then.probability(word) > 0 or is_fresh


@pytest.mark.wide
def test_what_comes_next_is_as_frequent_as_expected():
    """Stories that begin alike: how many go on with each word, beside what is expected of that word."""
    begins = ["mia", "was"]
    n, told = 0, Counter()
    rng = Random(11)
    for _ in range(30_000):
        first = grammar.SENTENCES[grammar._chosen(grammar.weights(World()), rng)]
        bound, frame = {}, rng.choice(first.frames)
        for slot in first.slots:
            if slot in frame:
                choices = first.choices(World(), slot, bound)
                bound[slot] = choices[grammar._chosen([share for share, _ in choices], rng)][1].choose(rng)
        said = [bound.get(word, word) for word in frame]
        if said[1] == "was" and said[0] in words.GIRLS:
            n += 1
            told[said[2]] += 1
    *_, then = follow(begins)
    assert n > 500
    for word in ("in", "a", "the", "good", "happy"):
        p = then.probability(word)
        assert told[word] == pytest.approx(n * p, abs=5 * math.sqrt(n * p)), word


@pytest.mark.wide
@given(seed=st.integers(0, 2**32))
def test_another_answer_than_the_right_one_is_never_told(seed):
    """The rival of the answer, which stands in the same story, is as likely as nothing."""
    told = tell(Random(seed))
    words_before = heard(told)
    for at, (word, ability, _) in enumerate(told):
        if not ability:
            continue
        kinds = [kind for kind in KINDS if word in kind]
        others = {other for kind in kinds for other in kind}.intersection((*words_before[:at], "his", "hers"))
        for rival in others - {word}:
            changed = [*words_before[:at], rival, *words_before[at + 1 :]]
            assert log_probability(changed) == -math.inf


@given(seed=st.integers(0, 2**32), share=st.floats(0, 1, exclude_max=True))
def test_the_first_wrong_word_is_where_a_story_leaves_the_grammar(seed, share):
    """A story is right to its end, wherever it breaks off; with another pronoun, up to that very word."""
    told = tell(Random(seed))
    said = heard(told)
    until = int(share * len(said))
    assert right_until(said) == len(said)
    assert right_until(said[:until]) == until
    assert right_until([*said[:until], "xylophone", *said[until + 1 :]]) == until
    for at, (word, ability, _) in enumerate(told):
        other = {"he": "she", "she": "he"}.get(word)
        if ability == PRONOUN and other:
            assert right_until([*said[:at], other, *said[at + 1 :]]) == at


def test_a_changed_fact_changes_the_answer():
    """Two owners; the question has one right answer, and it moves with who was told to be the owner."""
    told = "the hat belonged to mia . the ball belonged to tom . whose is the hat ? it belongs to {} ."
    story = f"{told.format('mia')} that was all ."
    assert log_probability(story.split()) > -math.inf
    assert log_probability(story.replace("to mia .", "to tom .").split()) == -math.inf
    other = "the hat belonged to tom . the ball belonged to mia . whose is the hat ? it belongs to {} . that was all ."
    assert log_probability(other.format("tom").split()) > -math.inf
    wrong = other.format("mia").split()
    assert log_probability(wrong) == -math.inf
    assert right_until(wrong) == wrong.index("belongs") + 2, "all but the owner"


def test_the_story_of_the_pages_goes_on_with_the_hat():
    told = cut("mia found a red hat. tom found a blue ball. mia took the red")
    right, wrong = (log_probability([*told, thing, *cut(". that was all.")]) for thing in ("hat", "ball"))
    assert right > -math.inf == wrong


def test_pronouns_follow_whom_they_stand_for():
    story = "mia danced . she was very happy . tom danced . he was very happy ."
    assert log_probability(story.split()) > -math.inf
    assert log_probability(story.replace("she", "he").split()) == -math.inf
    assert log_probability(story.replace("mia", "ben").replace("she", "he").split()) > -math.inf


@pytest.mark.wide
def test_it_is_as_often_told_as_it_is_probable(monkeypatch):
    """The probability of each first sentence by itself, worked out from its weight, beside how often it comes."""
    monkeypatch.setattr(grammar, "goes_on", lambda world: float(world.n == 0))
    weights = grammar.weights(World())
    n, told = 2000, Counter()
    for story in stories(n, seed=3):
        told.update(k for k, p in enumerate(weights) if p and is_way(grammar.SENTENCES[k], heard(story)))
    for k, weight in enumerate(weights):
        p = weight / sum(weights)
        assert told[k] == pytest.approx(n * p, abs=5 * math.sqrt(n * p))


def test_reading_sums_over_all_that_could_have_been_told():
    """All fillings of one text add up to the chance of its sentences: here a day and a month, three times the same."""
    weights = grammar.weights(World())
    n = next(
        i for i, s in enumerate(grammar.SENTENCES) if s.frames == (("it", "was", "{day}", ",", "in", "{month}", "."),)
    )
    share = weights[n] / sum(weights)
    known = "that was all . that was all . that was all ."
    all_n = sentence("that was all .")
    total = sum(
        math.exp(log_probability(f"it was {day} , in {month} . {known}".split()))
        for day in words.DAYS
        for month in words.MONTHS
    )
    rest = 1.0
    for told in (1, 2, 3):
        world = World(n=told)
        at = grammar.weights(world)
        rest *= grammar.goes_on(world) * at[all_n] / sum(at)
    assert total == pytest.approx(share * rest * (1 - grammar.goes_on(World(n=4))))


@pytest.mark.wide
def test_every_ability_is_asked_for_and_points_to_where_it_was_told():
    count = Counter()
    for story in (*many(fresh=False), *many(fresh=True)):
        for told in story:
            if told.ability:
                count[told.ability] += 1
                assert told.at >= 0
                if told.ability not in (PRONOUN, HERS):
                    assert story[told.at].word == told.word
    assert {ability for ability in ABILITIES if count[ability] >= 40} == {*ABILITIES}


@pytest.mark.wide
def test_what_is_kept_for_the_test_is_told_there_and_nowhere_else():
    people, pairs = set(words.PERSONS), Counter()
    for fresh in (False, True):
        for story in many(fresh=fresh):
            told = heard(story)
            made_up = [word for word in told if is_made_up(word)]
            assert all(is_reserved(word) == fresh for word in made_up)
            assert not fresh or not people.intersection(told)
            for colour, thing in pairwise(told):
                if colour in words.COLOURS and thing in words.THINGS:
                    pairs[fresh, is_reserved(f"{colour} {thing}")] += 1
    assert pairs[False, True] == pairs[True, False] == 0 < min(pairs[False, False], pairs[True, True])


def test_it_has_1500_words_and_each_can_be_told(monkeypatch):
    """Wherever some stories come by, each word that could stand next is looked at, not only the one that is told."""
    listed = {word for kind in vars(words).values() if isinstance(kind, tuple) for word in kind}
    assert len(listed) >= 1500
    assert all(word.isalpha() and word.isascii() and word == word.lower() for word in listed)
    assert all(len(set(kind)) == len(kind) for kind in vars(words).values() if isinstance(kind, tuple))
    worlds = set()
    goes_on = grammar.goes_on
    monkeypatch.setattr(grammar, "goes_on", lambda world: worlds.add(world) or goes_on(world))
    stories(30)
    rng, missing = Random(0), set(listed)
    for world in worlds:
        for one, weight in zip(grammar.SENTENCES, grammar.weights(world), strict=True):
            if weight:
                bound = {}
                for slot in one.slots:
                    pools = [pool for share, pool in one.choices(world, slot, bound) if share]
                    missing -= {word for word in missing for pool in pools if word in pool}
                    bound[slot] = rng.choice(pools).choose(rng)
                missing.difference_update(*one.frames)
    assert not missing


def test_no_word_of_the_sentences_is_taken_for_a_made_up_name():
    frames = {word for sentence in grammar.SENTENCES for frame in sentence.frames for word in frame}
    assert not any(map(is_made_up, frames))


def test_pools_count_what_they_hold():
    pool = Words(("a", "b", "c"), {"b", "x"})
    assert len(pool) == 2
    assert ["b" in pool, "a" in pool] == [False, True]
    assert {pool.choose(Random(n)) for n in range(20)} == {"a", "c"}
    made = [*islice(pools._made_up(), 100_000)]
    assert len(set(made)) == len(made) == len(MadeUp()) + len(MadeUp(reserved=True))
    taken = MadeUp().choose(Random(0))
    assert len(MadeUp(taken={taken, "mia"})) == len(MadeUp()) - 1
    assert taken not in MadeUp(taken={taken})
