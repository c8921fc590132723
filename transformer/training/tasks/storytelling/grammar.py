"""The grammar of the stories: what is told, what is asked, and how probable exactly this text is.

A story is a row of sentences. What has been told so far, its World, says which sentences may follow and which words
may stand in them: a question has one right answer, found in what was told. Where two things of a kind were told (two
hats and two owners), nothing but looking up which belongs to which answers it.

`tell` draws a story; reading.py follows one word by word, with all the ways in which the grammar can have told it. So a
model's perplexity can be compared with the best possible.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from transformer.training.tasks.storytelling.sentences import (
    ABOUT,
    BACK,
    COLOUR,
    HERS,
    MANY,
    NOT,
    NOW,
    ORDER,
    PRONOUN,
    SAID,
    WHAT,
    WHERE,
    WHO,
    WHOSE,
    Sentence,
    asked,
    fact_of_key,
    given,
    hers,
    introduced,
    of_pronoun,
    plain,
    told,
)
from transformer.training.tasks.storytelling.world import World

MIN_SENTENCES, MAX_SENTENCES = 4, 11

SENTENCES: tuple[Sentence, ...] = (
    # -- told
    told(
        "painted {colour} {thing}; did {person} {thing}",
        "{person} {past} a {colour} {thing} .",
        "one day {person} {past} a {colour} {thing} .",
        weight=2.5,
        subject=True,
        once="{past}",
    ),
    told("painted {colour} {thing}", "there was a {colour} {thing} .", "they saw a {colour} {thing} .", weight=0.6),
    told("did {person} {thing}", "{person} {past} the {thing} .", weight=0.8, subject=True, once="{past}"),
    told("was {thing} {colour}", "the {thing} was {colour} .", weight=0.9),
    told(
        "owner {thing} {person}",
        "the {thing} belonged to {person} .",
        "the {thing} was owned by {person} .",
        weight=2.2,
    ),
    told("lies {thing} {place}", "the {thing} was in the {place} .", "the {thing} lay in the {place} .", weight=1.0),
    told(
        "truly {thing} {place2}",
        "the {thing} was not in the {place} but in the {place2} .",
        "the {thing} was never in the {place} , it was in the {place2} .",
        weight=0.5,
    ),
    told("truly {thing} {place2}", "the {thing} was in the {place2} , not in the {place} .", weight=0.4),
    told(
        "holds {thing} {person}",
        "the {thing} was with {person} .",
        "the {thing} was in the hands of {person} .",
        weight=0.9,
    ),
    told("made {thing} {person}", "the {thing} was {past} by {person} .", weight=1.1, once="{past}"),
    told(
        "stood {place} {thing}",
        "in the {place} there was the {thing} .",
        "in the {place} they saw the {thing} .",
        weight=0.6,
    ),
    told(
        "at {person} {place}",
        "{person} went to the {place} .",
        "{person} was in the {place} .",
        weight=1.0,
        subject=True,
    ),
    told(
        "first {person} {place}; next {person} {place2}",
        "{person} went to the {place} and then to the {place2} .",
        "first {person} went to the {place} , then to the {place2} .",
        weight=0.8,
        subject=True,
    ),
    told("job {person} {job}", "{person} was the {job} .", "{person} worked as the {job} .", weight=0.5, subject=True),
    told(
        "likes {person} {food}", "{person} liked {food} .", "{person} ate {food} every day .", weight=0.5, subject=True
    ),
    told(
        "lives {person} {land}", "{person} lived in {land} .", "{person} came from {land} .", weight=0.4, subject=True
    ),
    told("studies {person} {subject}", "{person} was good at {subject} .", weight=0.4, subject=True),
    told("pet {person} {animal}", "{person} had a pet , a {animal} .", weight=0.5, subject=True),
    told("said {mood} {person}", "i am {mood} , said {person} .", "i feel {mood} , said {person} .", weight=1.5),
    told(
        "number {plural} {number}",
        "they counted the {plural} : {number} .",
        "the {plural} were counted , and there were {number} .",
        weight=1.0,
    ),
    told("several {number} {plural}", "there were {number} {plural} .", "they had {number} {plural} .", weight=0.5),
    given(),
    # -- asked in the order of telling
    asked(WHAT, "painted", "{person} {take} the {k} {v} .", "then {person} {take} the {k} {v} .", weight=30.0),
    asked(WHAT, "painted", "where is the {k} {v} ?", "look , the {k} {v} !", weight=7.0),
    asked(COLOUR, "was", "what colour was the {k} ? it was {v} .", "the {k} was still {v} .", weight=30.0),
    asked(WHOSE, "owner", "whose is the {k} ? it belongs to {v} .", "so they gave the {k} back to {v} .", weight=24.0),
    hers(),
    asked(WHO, "did", "it is true that {k} {how} the {v} .", "yes , {k} {how} the {v} .", weight=10.0),
    asked(WHO, "made", "who {how} the {k} ? {v} .", "they knew that the {k} was {how} by {v} .", weight=22.0),
    asked(NOW, "holds", "who has the {k} now ? {v} has it .", "now the {k} is with {v} ."),
    asked(WHERE, "lies", "where is the {k} ? it is in the {v} .", "they found the {k} in the {v} ."),
    asked(WHERE, "at", "where is {k} ? in the {v} .", "they met {k} in the {v} ."),
    asked(WHERE, "stood", "what was in the {k} ? the {v} ."),
    asked(
        NOT, "truly", "where was the {k} ? it was in the {v} .", "so the {k} was in the {v} .", rivals=1, weight=14.0
    ),
    asked(ORDER, "first", "where did {k} go first ? to the {v} .", "{k} was first in the {v} .", weight=15, rivals=1),
    asked(ORDER, "next", "where did {k} go last ? to the {v} .", "{k} was last in the {v} .", weight=15, rivals=1),
    asked(MANY, "number", "how many {k} were there ? {v} .", "they wrote of the {k} : {v} ."),
    asked(SAID, "said", "who is {k} ? {v} .", "who said that ? i am {k} , that was {v} .", weight=24.0),
    asked(ABOUT, "job", "what was {k} ? the {v} .", weight=20.0),
    asked(ABOUT, "likes", "what did {k} like ? {v} .", weight=20.0),
    asked(ABOUT, "lives", "where did {k} live ? in {v} .", weight=20.0),
    asked(ABOUT, "studies", "what could {k} do best ? {v} .", weight=20.0),
    asked(ABOUT, "pet", "what pet did {k} have ? a {v} .", weight=20.0),
    # -- asked against it
    asked(
        COLOUR,
        "painted",
        "which colour did the {k} have ? {v} .",
        "what colour was the {k} ? it was {v} .",
        back=True,
        weight=32.0,
    ),
    asked(
        BACK, "did", "who {how} the {k} ? {v} .", "who was it that {how} the {k} ? it was {v} .", back=True, weight=40.0
    ),
    asked(BACK, "at", "who was in the {k} ? {v} .", "who was it that was in the {k} ? it was {v} .", back=True),
    asked(BACK, "likes", "who liked {k} ? {v} .", "who was it that liked {k} ? it was {v} .", back=True, weight=20.0),
    # -- whoever it was
    of_pronoun("{he} was very {mood} .", weight=4.0),
    of_pronoun("{he} {deed} {how} .", weight=2.0),
    of_pronoun("then {he} {deed} .", weight=2.0),
    of_pronoun("{he} was with {his} {family} .", weight=1.5),
    of_pronoun("it was {his} {part} that hurt .", weight=0.7),
    of_pronoun("{he} had a {quality} {animal} .", weight=0.7),
    of_pronoun("on {day} {he} went home .", weight=0.7),
    of_pronoun("can {he} {verb} ? yes , {he} can .", weight=0.7),
    # -- newcomers
    introduced("once upon a time there was a boy called {newcomer} .", "he"),
    introduced("once upon a time there was a girl called {newcomer} .", "she"),
    introduced("there was a {quality} boy . his name was {newcomer} .", "he"),
    introduced("there was a {quality} girl . her name was {newcomer} .", "she"),
    introduced("{newcomer} was a {quality} boy .", "he"),
    introduced("{newcomer} was a {quality} girl .", "she"),
    introduced("{newcomer} was a man .", "he"),
    introduced("{newcomer} was a woman .", "she"),
    # -- what people say
    plain("{person} told {person2} a story .", weight=0.3, subject=False),
    plain("{person} met {person2} .", weight=0.4),
    plain("{person} and {person2} were friends .", weight=0.5, until=5),
    plain("{person} asked {person2} about the {thing} .", weight=0.3),
    plain("{person} {deed} .", weight=0.4, subject=True),
    plain("{person} was {mood} .", weight=0.5, subject=True),
    plain("hello {person} , how are you ? i am {mood} , thank you .", weight=0.3),
    plain("good morning , said {person} .", weight=0.15),
    plain("good night , said {person} .", weight=0.15),
    plain("hello , my name is {person} .", weight=0.2),
    plain("what is your name ? my name is {person} .", weight=0.2),
    plain("do you like {food} ? yes , i do .", weight=0.2),
    plain("do you like {food} ? no , thank you .", weight=0.2),
    plain("can you {verb} ? yes , i can {verb2} too .", weight=0.2),
    plain("can you {verb} ? no , i can not .", weight=0.15),
    plain("please help me , said {person} .", weight=0.1),
    plain("let us {verb} , said {person} .", weight=0.15),
    plain("i want to {verb} , said {person} .", weight=0.15),
    plain("i do not know why , said {person} .", weight=0.1),
    plain("my {part} hurts , said {person} .", weight=0.1),
    plain("this is my {family} , said {person} .", weight=0.15),
    plain("what is this ? this is a {quality} {animal} .", weight=0.15),
    plain("who are you ? i am the {job} .", weight=0.15),
    plain("it was a {quality} day .", weight=0.3),
    plain("it was {weather} and {weather2} .", weight=0.2),
    plain("it was {day} , in {month} .", weight=0.2),
    plain("the {animal} was {quality} and {quality2} .", weight=0.2),
    plain("a {quality} {animal} {deed} {how} .", weight=0.2),
    plain("the {job} {deed} .", weight=0.2),
    plain("in {land} it was {weather} .", weight=0.1),
    plain("what day is it ? it is {day} .", weight=0.1),
    plain("they were all very {mood} .", weight=0.2),
    plain("but nobody knew that .", weight=0.1),
    plain("that was all .", weight=0.1),
)


# ---- telling ---------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A word of a story. ability: how it is looked up, where one answer is right; at: the word that it is found at."""

    word: str
    ability: str = ""
    at: int = -1


def goes_on(world: World) -> float:
    """How likely another sentence is."""
    if world.n < MIN_SENTENCES:
        return 1.0
    return 0.0 if world.n == MAX_SENTENCES else 0.88


def tell(rng: Random, *, fresh: bool = False, sentences: Sequence[Sentence] = SENTENCES) -> list[Told]:
    """A story, word by word; fresh=True: one of names and pairs that no training has read.

    sentences: of these alone; some of them must be able to begin a story, and to go on.
    """
    world, story = World(fresh=fresh), []
    while rng.random() < goes_on(world):
        sentence = sentences[_chosen(weights(world, sentences), rng)]
        frame = rng.choice(sentence.frames)
        bound: dict[str, str] = {}
        for slot in sentence.slots:
            if slot in frame:
                choices = sentence.choices(world, slot, bound)
                bound[slot] = choices[_chosen([share for share, _ in choices], rng)][1].choose(rng)
        heard = [told.word for told in story]
        asks = dict(sentence.asks)
        for word in frame:
            value, ability = bound.get(word, word), asks.pop(word, "")  # the second time it is only said again
            origin = value
            if ability == PRONOUN:
                origin = world.last
            elif ability == HERS:
                origin = fact_of_key(world, "owner", bound["{k}"]).value
            at = max((i for i, other in enumerate(heard) if other == origin), default=-1) if ability else -1
            story.append(Told(value, ability, at))
        world = sentence.then(world, bound)
    return story


def weights(world: World, sentences: Sequence[Sentence] = SENTENCES) -> list[float]:
    """How likely each of these sentences is to come next, beside the others."""
    return [sentence.weight(world) for sentence in sentences]


def _chosen(weights: Sequence[float], rng: Random) -> int:
    return rng.choices(range(len(weights)), weights)[0]
