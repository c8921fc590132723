"""What a model of the stories can look up, ability by ability, each beside the best rule that does not look."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from math import exp
from random import Random
from typing import NamedTuple

import torch
from torch import Generator

from transformer.core.model import DecoderModel
from transformer.training.batches import collate, forward_batch
from transformer.training.grammar_scores import grammar_entropy, sample_texts
from transformer.training.tasks.storytelling import mechanisms, words
from transformer.training.tasks.storytelling.examples import IN_GRAMMAR, LONGEST, example_of, is_story
from transformer.training.tasks.storytelling.grammar import Told, tell
from transformer.training.tasks.storytelling.pools import is_made_up
from transformer.training.tasks.storytelling.reading import log_probability
from transformer.training.tasks.storytelling.sentences import ABILITIES, HERS, PRONOUN
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.tasks.task import Example, is_held_out

N_STORIES, N_WRITTEN = 1500, 300
FEWEST = 20  # cases of which a share says something
BATCH_SIZE = 128
NEVER_READ = "a made-up name that it never read"


class Looked(NamedTuple):
    """One word that is looked up: in which story, at which word, and whether the model ranks it first, token by token.

    Where a pronoun stands, a name could stand as well. So of pronouns it is the one that fits, he or she, his or her,
    that has to be ranked above the other.

    rules  which rules that do not look say it: the latest word of its kind, the first, the most frequent
    """

    story: Sequence[Told]
    at: int
    right: bool
    rules: tuple[bool, bool, bool]


def held_out(n: int, *, fresh: bool = False) -> list[list[Told]]:
    """n stories that no training has read; fresh=True: of names and pairs that none has read either."""
    rng = Random(777)
    told = (tell(rng, fresh=fresh) for _ in range(100 * n))
    kept = (story for story in told if len((e := example_of(story)).target) <= LONGEST and (fresh or is_held_out(e)))
    return list(islice(kept, n))


@torch.inference_mode()
def looked_up(model: DecoderModel, stories: Sequence[Sequence[Told]]) -> Iterator[Looked]:
    """Every word of these stories that is looked up. Of a word of several tokens, all must be ranked first."""
    for start in range(0, len(stories), BATCH_SIZE):
        some = stories[start : start + BATCH_SIZE]
        batch = collate("decoder", [example_of(story) for story in some])
        logits = forward_batch(model, batch).logits  # (B, T, V)
        hits = (logits.argmax(-1) == batch.wanted).tolist()
        for row, (story, hit) in enumerate(zip(some, hits, strict=True)):
            place = 0
            for at, told in enumerate(story):
                n = len(tokeniser().of_word(told.word))
                if told.ability in (PRONOUN, HERS):
                    this, other = (tokeniser().of_word(word)[0] for word in (told.word, other_pronoun(told)))
                    fits = bool(logits[row, place, this] > logits[row, place, other])
                    yield Looked(story, at, fits, rules(story, at))
                elif told.ability:
                    yield Looked(story, at, all(hit[place : place + n]), rules(story, at))
                place += n


def other_pronoun(told: Told) -> str:
    """The pronoun that would stand here for somebody else."""
    if told.word == "his":
        return "hers" if told.ability == HERS else "her"
    return {"he": "she", "she": "he", "her": "his", "hers": "his"}[told.word]


def rules(story: Sequence[Told], at: int) -> tuple[bool, bool, bool]:
    """Whether the latest, the first, and the most frequent word of its kind before it are the word that stands here."""
    wanted = story[at].word
    before = [told.word for told in story[:at] if kind_of(told.word) == kind_of(wanted)]
    if not before:
        return False, False, False
    count = Counter(reversed(before))  # of equally frequent words, the latest
    return before[-1] == wanted, before[0] == wanted, count.most_common(1)[0][0] == wanted


@cache
def _kinds() -> dict[str, str]:
    lists = {kind: members for kind, members in vars(words).items() if kind.isupper() and isinstance(members, tuple)}
    kinds = {word: kind for kind, members in reversed(lists.items()) for word in members}
    kinds |= dict.fromkeys(words.PERSONS, "PERSONS")
    return kinds | dict.fromkeys(("he", "she"), "he") | dict.fromkeys(("his", "her", "hers"), "his")


def kind_of(word: str) -> str:
    """What a word serves as; a made-up word is a name."""
    return "PERSONS" if is_made_up(word) else _kinds().get(word, "")


def card(model: DecoderModel, tests: Sequence[Example]) -> dict[str, float | str]:
    """Card entries: perplexity beside the grammar's, every ability beside the best rule, and what it writes."""
    entropy = grammar_entropy(tests, lambda ids: log_probability(cut(tokeniser().decode(ids))))
    known, fresh = (list(looked_up(model, held_out(N_STORIES, fresh=is_fresh))) for is_fresh in (False, True))
    entries: dict[str, float | str] = {
        "held-out stories": len(tests),
        "perplexity of the grammar itself": round(exp(entropy), 4),
    }
    for ability in ABILITIES:
        entries[ability] = _beside(
            [look for look in known if look.story[look.at].ability == ability],
            [look for look in fresh if look.story[look.at].ability == ability],
        )
    named = [look for look in fresh if is_made_up(look.story[look.at].word)]
    entries[NEVER_READ] = _share(look.right for look in named)
    texts = sample_texts(model, N_WRITTEN, Generator().manual_seed(0), LONGEST)
    right = sum(map(is_story, texts))
    entries |= mechanisms.card(model)
    return entries | {"stories written by itself": N_WRITTEN, IN_GRAMMAR: round(right / N_WRITTEN, 4)}


def _beside(known: Sequence[Looked], fresh: Sequence[Looked]) -> str:
    best = max(_share(look.rules[n] for look in known) for n in range(3))
    new = (
        f"; with names and pairs never read {_share(look.right for look in fresh):.1%}" if len(fresh) >= FEWEST else ""
    )
    return (
        f"{_share(look.right for look in known):.1%} of {len(known)}{new}; the best rule that does not look {best:.0%}"
    )


def _share(hits: Iterator[bool] | Sequence[bool]) -> float:
    hits = list(hits)
    return round(sum(hits) / len(hits), 4) if hits else 0.0
