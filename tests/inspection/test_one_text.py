"""One text is one text in all of inspection: a list of ids, a tensor of them, or a batch of one."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.inspection.decoders import decoder
from transformer import DecoderModel, EncoderModel
from transformer.core.checks import InputError
from transformer.inspection import (
    ablations,
    attribution,
    betting,
    blocks,
    dropout,
    embeddings,
    head_ablations,
    head_effects,
    logit_lens,
    masks,
    next_words,
    patching,
    positions,
    projections,
    run,
    steps,
    writing,
)

IDS, OTHER = [3, 1, 4, 1, 5, 9], [3, 7, 4, 1, 5, 9]
MASK = np.tri(6, dtype=bool)


@cache
def model(kind: type = DecoderModel) -> Any:
    return decoder(kind)


def asked(ids: Any) -> patching.Question:
    """A question whose other prompt comes in the same form."""
    other = np.broadcast_to(OTHER, np.shape(ids)).tolist()
    return patching.Question(ids, torch.tensor(other) if isinstance(ids, Tensor) else other, answer=8, other=2)


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "forward": lambda ids: head_effects.forward(model(), ids).logits,
    "head_parts": lambda ids: head_effects.head_parts(model(), ids, 1),
    "ablate_head": lambda ids: head_effects.ablate_head(model(), ids, 0, 1),
    "ablate_each_head": lambda ids: head_effects.ablate_each_head(model(), ids),
    "edge_effects": lambda ids: head_effects.edge_effects(model(), ids, 0, 2, 3),
    "patch_heads": lambda ids: patching.patch_heads(model(), asked(ids)),
    "patch_stream": lambda ids: patching.patch_stream(model(), asked(ids)),
    "patched predictions": lambda ids: patching.predictions(model(), asked(ids), 0, 1),
    "differs": lambda ids: asked(ids).differs,
    "predictions": lambda ids: head_ablations.predictions(model(), ids, -1),
    "attribute": lambda ids: attribution.attribute(model(), ids, 8),
    "logit_lens": lambda ids: logit_lens.logit_lens(model(), ids),
    "run_with_maps": lambda ids: run.run_with_maps(model(), ids, ("",) * 6).attention["decoder"].weights,
    "one_by_one": lambda ids: next(ablations.one_by_one(model(), ids)),
    "stream_statistics": lambda ids: ablations.stream_statistics(model(), ids),
    "depth_statistics": lambda ids: ablations.depth_statistics(model(), ids),
    "rounds": lambda ids: betting.rounds(model(), ids, {3: 1}, [2, 3, 4], 2, range(12)),
    "follow_token": lambda ids: blocks.follow_token(model(), ids, 3),
    "stages": lambda ids: blocks.stages(model(), ids, 1),
    "feed_forward": lambda ids: blocks.feed_forward(model(), ids, 1),
    "run_dropout": lambda ids: dropout.run_dropout(model(EncoderModel), ids, "weights", training=True),
    "lookup": lambda ids: embeddings.lookup(model().stack.embedding, ids),
    "shuffle_ids": lambda ids: embeddings.shuffle_ids(model(), ids, 0),
    "rms_by_source": lambda ids: embeddings.rms_by_source(ids, 12, 8, seed=0),
    "gradient_by_row": lambda ids: embeddings.gradient_by_row(model().config, ids, 0),
    "masked stages": lambda ids: masks.stages(model(), ids, MASK),
    "leak": lambda ids: masks.leak(model(), ids, asked(ids).corrupted, MASK),
    "word_probabilities": lambda ids: next_words.word_probabilities(model(), ids, [3], [[1], [2, 4]], least=0),
    "likely_words": lambda ids: next_words.likely_words(model(), ids, np.ones(12), np.ones(12), 2),
    "shuffle": lambda ids: positions.shuffle(model(), ids, (5, 0, 1, 2, 3, 4)),
    "summands": lambda ids: positions.summands(ids, model().config, batch=2),
    "project": lambda ids: projections.project(model(), ids, 1, 2, "q"),
    "fit": lambda ids: projections.fit(model(), ids, 1, 2, 3),
    "head_steps": lambda ids: steps.head_steps(model(), ids, 2, 1),
    "next_token": lambda ids: writing.next_token(model(), ids),
    "cache_contents": lambda ids: writing.cache_contents(model(), ids),
    "columns": lambda ids: writing.columns(model(), ids),
}


def numbers(answer: Any) -> list[np.ndarray]:
    """All numbers of an answer, in order."""
    if is_dataclass(answer):
        return [array for field in fields(answer) for array in numbers(getattr(answer, field.name))]
    if isinstance(answer, dict):
        return [array for value in answer.values() for array in numbers(value)]
    if isinstance(answer, list | tuple):
        return [array for value in answer for array in numbers(value)]
    return [] if answer is None or isinstance(answer, str) else [np.asarray(answer)]


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_text_in_a_batch_has_the_answer_of_the_text(question):
    alone = numbers(question(IDS))
    assert alone
    for form in (torch.tensor(IDS), torch.tensor([IDS]), [IDS]):
        for one, other in zip(alone, numbers(question(form)), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_two_texts_are_refused_in_a_sentence(question):
    with pytest.raises(InputError, match=r"inspection reads one text at a time, ids \(T,\), and was given \(2, 6\)"):
        question(torch.tensor([IDS, OTHER]))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (lambda at: head_effects.edge_effects(model(), IDS, 0, 2, at), "query"),
        (lambda at: patching.patch_heads(model(), asked(IDS)._replace(position=at), last_only=True), "position"),
        (lambda at: head_ablations.predictions(model(), IDS, at), "position"),
    ],
)
def test_a_position_that_is_not_there_is_refused_in_a_sentence_and_negative_ones_count_from_the_end(question, name):
    for at in (6, -7):
        with pytest.raises(InputError, match=f"{name}={at} is none of a text of 6 tokens; 0 is the first, -1 the last"):
            question(at)
    for one, other in zip(numbers(question(-2)), numbers(question(4)), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("place", [0, 7, -1])
def test_a_place_with_no_token_before_it_is_refused_in_a_sentence(place: int):
    """Before the first token nothing was read; the odds after the last one are no answer."""
    with pytest.raises(InputError, match=f"place {place} is none of a text of 6 tokens"):
        next_words.word_probabilities(model(), IDS, [3, place], [[1]])


@pytest.mark.parametrize(("question", "what"), [(blocks.stages, "layer"), (blocks.follow_token, "token")])
def test_what_is_not_there_is_named(question, what: str):
    with pytest.raises(IndexError, match=f"there is no {what} 9: there are [26], counted from 0"):
        question(model(), IDS, 9)


@pytest.mark.parametrize(
    "question",
    [
        lambda layer, head: head_effects.head_parts(model(), IDS, layer if head == 0 else 2),
        lambda layer, head: head_effects.ablate_head(model(), IDS, layer, head),
        lambda layer, head: head_effects.edge_effects(model(), IDS, layer, head, 3),
        lambda layer, head: patching.predictions(model(), asked(IDS), layer, head),
        lambda layer, head: masks.stages(model(), IDS, MASK, head, layer),
        lambda layer, head: steps.head_steps(model(), IDS, head, layer),
        lambda layer, head: projections.project(model(), IDS, layer, head, "k"),
    ],
)
@pytest.mark.parametrize(("layer", "head"), [(2, 0), (-1, 0), (0, 3), (0, -1)])
def test_a_head_that_is_not_there_is_refused_in_a_sentence(question, layer: int, head: int):
    """A cut in a layer that does not exist would look like one without any effect."""
    with pytest.raises(IndexError, match="of this model: it has 2 layers of 3 heads, counted from 0"):
        question(layer, head)
