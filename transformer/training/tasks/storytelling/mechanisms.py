"""Which heads of a model look an answer up: found by patching, proven by cutting, beside as many other heads.

Every question is asked in pairs of stories that differ in nothing but which of two answers was told. Where the outputs
of a head in one story are put into the other and the answer goes along, the head carries it. Then the heads that carry
most are silenced in the first story: what is lost of the answer's lead over its rival is what the model owes to them.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.model import DecoderModel
from transformer.core.taps import Tap, compose, no_tap
from transformer.inspection.head_ablations import ablated
from transformer.inspection.patching import Question, patch_heads, score
from transformer.training.tasks.storytelling import words
from transformer.training.tasks.storytelling.sentences import BACK, PRONOUN, SAID, WHAT, WHERE, WHO, WHOSE
from transformer.training.tasks.storytelling.tokens import tokeniser
from transformer.training.text import BOS

# A story, the slot that holds the answer, and the slot of its rival: exchanging the two exchanges the answers.
FRAMES: dict[str, tuple[str, str, str]] = {
    WHAT: ("{a} found a {red} {thing} . {b} found a {blue} {other} . {c} took the {red}", "{thing}", "{other}"),
    WHOSE: (
        "the {thing} belonged to {a} . the {other} belonged to {b} . whose is the {thing} ? it belongs to",
        "{a}",
        "{b}",
    ),
    WHERE: (
        "the {thing} was in the {here} . the {other} was in the {there} . where is the {thing} ? it is in the",
        "{here}",
        "{there}",
    ),
    WHO: ("the {thing} was found by {a} . the {other} was found by {b} . who found the {thing} ?", "{a}", "{b}"),
    BACK: ("{a} found a {red} {thing} . {b} found a {blue} {other} . who found the {thing} ?", "{a}", "{b}"),
    SAID: ("i am {glad} , said {a} . i am {sad} , said {b} . who is {glad} ?", "{a}", "{b}"),
}
SLOTS = {
    ("{a}", "{b}", "{c}"): words.PERSONS,
    ("{red}", "{blue}"): words.COLOURS,
    ("{thing}", "{other}"): words.THINGS,
    ("{here}", "{there}"): words.PLACES,
    ("{glad}", "{sad}"): words.MOODS,
}
N_PAIRS = 48
ENOUGH, MOST_HEADS = 0.8, 4  # of the lead that is lost: fewer heads are not added; more are not called a mechanism

Head = tuple[int, int]  # layer, head


class Mechanism(NamedTuple):
    """What looks an answer up.

    right   the share of the questions that the whole model answers right
    heads   the fewest heads, those that carry most first, without which ENOUGH of the lead is lost; at most MOST_HEADS
    lost    the share of the answer's lead over its rival that is lost without them; over 1 where the rival leads then
    others  the same without as many others, those that carry least
    """

    right: float
    heads: tuple[Head, ...]
    lost: float
    others: float

    def __str__(self) -> str:
        named = ", ".join(f"{layer}·{head}" for layer, head in self.heads)
        return (
            f"without {'head' if len(self.heads) == 1 else 'heads'} {named} {min(self.lost, 9.99):.0%} of the lead is"
            f" lost; without as many others {self.others:.0%}"
        )


def pairs(ability: str, n: int = N_PAIRS) -> list[Question]:
    """n pairs of stories in single tokens, the same for everybody, that differ in which of two answers was told."""
    rng, found = Random(ability), []
    while len(found) < n:
        question = _of_pronouns(rng) if ability == PRONOUN else _drawn(ability, rng)
        if question is not None:
            found.append(question)
    return found


def _drawn(ability: str, rng: Random) -> Question | None:
    frame, answer, rival = FRAMES[ability]
    filled: dict[str, str] = {}
    for slots, pool in SLOTS.items():
        filled |= zip(slots, rng.sample(pool, len(slots)), strict=True)
    swapped = filled | {answer: filled[rival], rival: filled[answer]}
    clean, corrupted = (_ids([told.get(word, word) for word in frame.split()]) for told in (filled, swapped))
    options = _ids([filled[answer], filled[rival]])
    if len(clean) != len(frame.split()) + 1 or len(options) != 3:
        return None  # a word of several tokens
    return Question(clean, corrupted, options[1], options[2])


def _of_pronouns(rng: Random) -> Question:
    boy, girl, first = rng.choice(words.BOYS), rng.choice(words.GIRLS), rng.random() < 0.5
    he, she = (tokeniser().of_word(word)[0] for word in ("he", "she"))
    by_boy, by_girl = (_ids([name, "was", "happy", ".", "then"]) for name in (boy, girl))
    return Question(by_boy, by_girl, he, she) if first else Question(by_girl, by_boy, she, he)


def _ids(told: Sequence[str]) -> tuple[int, ...]:
    return (BOS, *(id for word in told for id in tokeniser().of_word(word)))


def mechanism(model: DecoderModel, ability: str, n: int = N_PAIRS) -> Mechanism:
    """The heads without which the model does not know the answers of this ability."""
    asked = pairs(ability, n)
    whole = _leads(model, asked, no_tap)
    right = [question for question, lead in zip(asked, whole, strict=True) if lead > 0]
    if not right:
        return Mechanism(0.0, (), 0.0, 0.0)
    shares = np.mean([patch_heads(model, question).shares for question in right], axis=0)  # (L, H)
    ranked: list[Head] = [(int(n) // shares.shape[1], int(n) % shares.shape[1]) for n in np.argsort(-shares, axis=None)]
    lead = float(np.mean(_leads(model, right, no_tap)))
    lost = 0.0
    chosen: tuple[Head, ...] = ()
    while len(chosen) < MOST_HEADS and lost < ENOUGH:
        chosen = (*chosen, ranked[len(chosen)])
        lost = 1 - float(np.mean(_leads(model, right, silenced(model, chosen)))) / lead
    others = 1 - float(np.mean(_leads(model, right, silenced(model, ranked[-len(chosen) :])))) / lead
    return Mechanism(len(right) / len(asked), chosen, lost, others)


def silenced(model: DecoderModel, heads: Sequence[Head]) -> Tap:
    """A tap in which these heads say nothing."""
    layers = sorted({layer for layer, _ in heads})
    return compose(*(ablated(model, layer, [head for at, head in heads if at == layer]) for layer in layers))


@torch.inference_mode()
def _leads(model: DecoderModel, questions: Sequence[Question], tap: Tap) -> list[float]:
    """By how much the logit of each answer leads that of its rival."""
    return [
        float(score(model(torch.tensor([question.clean]), tap=tap).logits[0, -1].double(), question))
        for question in questions
    ]


def card(model: DecoderModel) -> dict[str, str]:
    """Card entries: the heads that look up each kind of answer."""
    return {f"heads for {ability}": str(mechanism(model, ability)) for ability in (*FRAMES, PRONOUN)}
