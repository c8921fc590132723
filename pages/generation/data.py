"""The numbers of the page on generation, computed once and shared by all visitors.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import repeat
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit.models.references import Shipped
from lab.kit.words import as_said, is_piece
from lab.server import gate
from lab.server.caching import cached
from lab.server.jobs import Job, Refused
from lab.server.trainings import queue
from pages.generation import counting
from pages.generation.components.next_word import ROOT, SEEDS, Ladder, Tree, ladder
from pages.generation.writers import Ref, is_published, model_of, trained
from transformer import generation, inspection, training
from transformer.core import workload
from transformer.core.workload import Workload
from transformer.training.studies import mask


@cached()
def shipped_decoders() -> dict[str, Shipped]:
    """The shipped models that write alone, by title: those whose files are there."""
    return {
        plan.title: Shipped(name)
        for name, plan in training.shipped.SHIPPED.items()
        if Shipped(name).exists and training.tasks.make(plan.task).kind == "decoder"
    }


@cache
def random_numbers(place: int, n: int) -> tuple[float, ...]:
    """The numbers from 0 to 1 that the first n seeds draw at this position of a text."""
    return tuple(generation.slices.number(seed, place) for seed in range(n))


def labels_of(ref: Ref, ids: Iterable[int]) -> dict[int, str]:
    """These tokens of a published model on screen, by id."""
    source = ref.resolve()
    return {id: source.label(id) for id in ids}


def token_names(ref: Ref) -> tuple[str, ...]:
    """Every token on screen, by its id."""
    return ref.resolve().labels


def _one_pass(ref: Ref, ids: tuple[int, ...]) -> Workload:
    source = ref.resolve()
    return workload.one_pass(source.config, len(ids), source.n_layers, keeps_maps=True)


@cached(work=_one_pass)
def next_token(ref: Ref, ids: tuple[int, ...]) -> "inspection.writing.NextToken":
    """What stands behind the next token of this text."""
    return inspection.writing.next_token(model_of(ref), ids)


def largest_share(ref: Ref, ids: tuple[int, ...]) -> float:
    """The probability of the token that is most probable after this text."""
    logits = next_token(ref, ids).logits
    return float(1 / np.exp(logits - logits.max()).sum())


class Expected(NamedTuple):
    """logits (V,) of the next token, and attention (L, H, S): where the last token looks."""

    logits: np.ndarray
    attention: np.ndarray


@cached(work=_one_pass)
def expected(ref: Ref, ids: tuple[int, ...]) -> Expected:
    """What comes next after this text, without the rows of the table that it was compared with."""
    state = generation.begin(model_of(ref), ids, cached=False)
    return Expected(state.logits.numpy(), state.self_attention)


def ladder_of(ref: Ref, ids: tuple[int, ...], sampling: "generation.Sampling") -> Ladder:
    """The likeliest next tokens under these settings, of a vocabulary that is too large for the browser."""
    import torch

    logits = torch.from_numpy(expected(ref, ids).logits)
    return ladder(generation.distribution(logits, ids, sampling), random_numbers(len(ids), SEEDS))


def _scoring(
    ref: Ref, given: tuple[int, ...], nodes: tuple[tuple[int, int], ...], sampling: "generation.Sampling"
) -> Workload:
    """A model on every branch of a tree, one after the other, and the logits of one of them at twice the precision."""
    if not nodes:
        return Workload(0)
    source = ref.resolve()
    T, n_branches = len(given) + Tree(nodes).depth, len(nodes) - len({parent for parent, _ in nodes} - {ROOT})
    one = workload.one_pass(source.config, T, source.n_layers, keeps_maps=True)
    return (one * n_branches).keeping(8 * T * source.config.vocab_size)


@cached(work=_scoring)
def score_tree(
    ref: Ref, given: tuple[int, ...], nodes: tuple[tuple[int, int], ...], sampling: "generation.Sampling"
) -> "inspection.writing.TreeScores":
    """Share in the draw and rank of every node of a tree of texts."""
    return inspection.writing.score_tree(model_of(ref), given, nodes, sampling)


MORE = 6  # tokens that the model may write on, in the figure of the cache


class CacheRun(NamedTuple):
    """A text, and the tokens that the model writes after it: what a KV cache holds, and what each step computes.

    ids  of the text, and of those that it writes on, greedily;  n_read  how many of them are the text's
    """

    ids: tuple[int, ...]
    n_read: int
    contents: "inspection.writing.CacheContents"
    columns: "inspection.writing.Columns"


def _writing_on(ref: Ref, ids: tuple[int, ...], limit: int) -> Workload:
    return _one_pass(ref, (*ids, *(0,) * MORE)) * 2 * (len(ids) + MORE)


@cached(work=_writing_on)
def cache_run(ref: Ref, ids: tuple[int, ...], limit: int) -> CacheRun:
    """What a cache does for this text and the next MORE tokens. limit: tokens that the model can read."""
    model, room = model_of(ref), min(MORE, limit - len(ids))
    text = ids
    if room > 0 and ids[-1] != training.text.EOS:
        for step in generation.generate(generation.begin(model, ids), max_new=room, eos=training.text.EOS):
            text = step.after.ids
    writing = inspection.writing
    return CacheRun(text, len(ids), writing.cache_contents(model, text), writing.columns(model, text))


def multiplications(ref: Ref, n_steps: int) -> dict[bool, list[int]]:
    """Multiplications of each of the first steps, with a cache (True) and without (False)."""
    source = trained(ref)
    V = len(source.task.target)
    return {
        is_cached: [
            inspection.writing.multiplications(source.config, V, T, cached=is_cached) for T in range(1, n_steps + 1)
        ]
        for is_cached in (True, False)
    }


def measure_speed(ref: Ref, given: tuple[int, ...]) -> "inspection.writing.WritingSpeed":
    """The time of writing with a cache and without, measured now, while nothing else is timed. Raises InputError with a
    sentence where the model cannot write so much."""
    with gate.turn(Workload(0, is_timed=True)):
        return inspection.writing.measure_speed(model_of(ref), given)


# ---- a hundred whole texts -----------------------------------------------------------------------------------------

N_DRAWN, MAX_DRAWN = 100, 120  # texts, and tokens of each
RIGHT, WRONG, ENDED, ENDLESS = "right", "wrong", "ended", "without an end"


class Hundred(NamedTuple):
    """Whole texts, and what became of each.

    texts        as they are written, with their beginning
    fates        RIGHT or WRONG; ENDED where nobody can tell; ENDLESS
    n_different  how many different texts there are
    right        of every text that is not RIGHT what comes before its first wrong word; where nobody can tell, ""
    """

    texts: tuple[str, ...]
    fates: tuple[str, ...]
    n_different: int
    right: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many texts have each fate; none that nobody has."""
        return {fate: n for fate in (RIGHT, WRONG, ENDED, ENDLESS) if (n := self.fates.count(fate))}


def _drawing(ref: Ref, given: tuple[int, ...], temperature: float) -> Workload:
    source = ref.resolve()
    one = workload.one_pass(source.config, len(given) + MAX_DRAWN, source.n_layers, B=N_DRAWN)
    return one + workload.one_pass(source.config, 1, source.n_layers, B=N_DRAWN) * MAX_DRAWN


@cached(work=_drawing)
def hundred(ref: Ref, given: tuple[int, ...], temperature: float) -> Hundred:
    """N_DRAWN texts that begin with `given`, drawn token by token, with the same random numbers at any temperature."""
    from torch import Generator

    task, config = trained(ref).task, trained(ref).config
    room = config.max_len - len(given) if config.positions == "learned" else MAX_DRAWN
    new: list[list[int]] = [[] for _ in range(N_DRAWN)]
    if room > 0:
        generator = Generator().manual_seed(0)
        n_new = min(room, MAX_DRAWN)
        new = generation.batch.sample_batch(
            model_of(ref), given, N_DRAWN, n_new, generator, temperature=temperature, eos=training.text.EOS
        ).tolist()
    begun, texts, fates, right = list(given[1:]), [], [], []
    for ids in new:
        whole = begun + (ids[: ids.index(training.text.EOS)] if training.text.EOS in ids else ids)
        texts.append(task.target.decode(whole))
        fates.append(
            ENDLESS if training.text.EOS not in ids else ENDED if not task.is_right else _grade(task.is_right(whole))
        )
        right.append(task.right_beginning(whole) if task.right_beginning and fates[-1] != RIGHT else "")
    return Hundred(tuple(texts), tuple(fates), len(set(texts)), tuple(right))


def _grade(is_right: bool) -> str:
    return RIGHT if is_right else WRONG


# ---- bets ----------------------------------------------------------------------------------------------------------

N_BETS, N_NAMED = 6, 5  # words of a story that are bet on, and those that can be bet on by name
OTHER = "something else"
SHOWN_WEIGHT = 0.5  # the least that a head gives the word before it is named


class BetRound(NamedTuple):
    """One bet on the next word of a story.

    story    so far, as it is written
    names    what can be bet on, last "something else";  model: its own bet on these;  outcome: the place of what came
    truth    the word that came
    source   a sentence on the word that it follows from, and which head looked there; "" where it is new
    after    the word before it;  ids: of that word, and of those that can be bet on by name
    """

    story: str
    names: tuple[str, ...]
    model: tuple[float, ...]
    outcome: int
    truth: str
    source: str
    after: str
    ids: tuple[int, ...]


Bets = tuple[BetRound, ...]
_STORIES = Shipped("stories")


# Drawn from another number: the first bet of 21 and 22 is on one of two words, as likely; of that of 23
# the model is sure, and wrong. Links name 21, in which a name is invented.
_DRAWN = {21: 115, 22: 4184, 23: 7354}


def _reading_a_story(number: int) -> Workload:
    source = _STORIES.resolve()
    return workload.one_pass(source.config, source.longest + 1, source.n_layers, keeps_maps=True) * 2


@cached(work=_reading_a_story)
def bets(number: int) -> Bets:
    """Bets on a story that the model has never read, the same for everybody, after its first sentence."""
    from random import Random

    source = _STORIES.resolve()
    task, rng = source.task, Random(_DRAWN.get(number, number))
    target = task.target
    example = next(filter(task.held_out, (task.draw(rng) for _ in repeat(None))))
    words = [as_said(target.label(id)) for id in example.target]
    sources = {at + 1: first + 1 for at, first in example.alignment}
    first = words.index(".") + 2
    text = (training.text.BOS, *example.target)
    whole = whole_words(_STORIES)
    assert whole is not None

    def goes_on(at: int) -> bool:
        return at <= len(words) and is_piece(words[at - 1])

    # Where a whole word stands: one that goes on in the next token would be bet on in pieces. How a sentence begins is
    # anybody's guess, so those words come in where there are too few others.
    heard = [at for at in range(first, len(text)) if text[at] in whole and not goes_on(at + 1)]
    within = [at for at in heard if words[at - 2].isalpha()]
    places = within if len(within) >= N_BETS else heard
    rounds = inspection.betting.rounds(model_of(_STORIES), text, sources, places, N_BETS, whole)
    return tuple(
        BetRound(
            target.decode(round.given[1:]),
            (*(token_names(_STORIES)[id] for id in round.named), OTHER),
            round.model,
            round.outcome,
            as_said(target.label(round.truth)),
            _follows_from(words, round.look) if round.look else "",
            as_said(target.label(round.given[-1])),
            (round.given[-1], *round.named),
        )
        for round in rounds
    )


N_COUNTED = 1000  # stories in which it is counted what follows what


def counted(round: BetRound) -> tuple[int, ...]:
    """The percent of somebody who has only counted what follows the word before."""
    last, *named = round.ids
    return counting.percent_of(followers().get(last, Counter()), named)


@cached()
def followers() -> Mapping[int, Counter[int]]:
    """How often each token follows each other one in some stories like those that the model has read."""
    return _followers_in(_STORIES, N_COUNTED)


def _followers_in(ref: Ref, n: int) -> Mapping[int, Counter[int]]:
    from random import Random

    task, rng = trained(ref).task, Random(0)
    return counting.followers((*task.draw(rng).target, training.text.EOS) for _ in range(n))


N_READ = 200  # stories in which it is counted which tokens go on


@cached()
def whole_words(ref: Ref) -> frozenset[int] | None:
    """The tokens that are a whole word of what a model writes: those that have a kind, and those that are followed by
    no piece in most of their uses. None where no word is written in pieces, and of a model of others."""
    pieces = set() if is_published(ref) else {id for id, name in enumerate(ref.resolve().labels) if is_piece(name)}
    if not pieces:
        return None
    source, told = trained(ref), _followers_in(ref, N_READ)
    spelled = (source.task.target.encode(word) for kind in source.kinds.values() for word in kind)
    return frozenset(ids[0] for ids in spelled if len(ids) == 1) | counting.whole(told, pieces)


def _follows_from(words: list[str], look: "inspection.betting.Look") -> str:
    sentence = f"It follows from *{words[look.key - 1]}*"
    if look.weight < SHOWN_WEIGHT:
        return f"{sentence}."
    return (
        f"{sentence}: as the model placed its bet, head {look.head} of layer {look.layer} gave that word an attention"
        f" weight of {look.weight:.2f}."
    )


# ---- training with and without the mask ----------------------------------------------------------------------------


MASK_COMMAND = mask.COMMAND


@cached()
def stored_mask_trainings() -> dict[str, mask.Run]:
    """The two trainings that come with the project, by name."""
    return mask.stored()


@st.cache_resource(show_spinner=False)  # no result: two jobs under way, which every visitor watches
def mask_trainings() -> dict[str, Job]:
    """Two small trainings, by name, the same for everybody: queued when the first visitor asks. Raises Refused."""

    def submit(sees_ahead: bool) -> Job:
        return queue().submit(
            Job("with and without mask", inspection.look_ahead.plan(look_ahead=sees_ahead), inspection.look_ahead.STEPS)
        )

    masked = submit(False)
    try:
        return {"with the mask": masked, "without the mask": submit(True)}
    except Refused:
        masked.stop()
        raise


def forget_mask_trainings() -> None:
    """Let the next visit train both again; not while they train, which another visitor may have begun by then."""
    if not any(job.is_alive for job in mask_trainings().values()):
        mask_trainings.clear()


def mask_outcomes() -> "dict[str, inspection.look_ahead.Outcome]":
    """What the two models of `mask_trainings` write by themselves, once both are trained."""
    return {name: _outcome(job.id, name == mask.NAMES[True], job) for name, job in mask_trainings().items()}


@cached()
def _outcome(job_id: str, look_ahead: bool, _job: Job) -> "inspection.look_ahead.Outcome":
    """What the model of this job writes by itself."""
    assert _job.checkpoint is not None  # it is done
    trained = training.checkpoints.load(_job.checkpoint)
    return inspection.look_ahead.outcome(trained.model(), trained.task, look_ahead=look_ahead)
