"""The models that write on this page, and what it needs of each: those that were trained here, and published ones."""

from typing import NamedTuple, cast

import transformer
from lab.kit import story
from lab.kit.controls.text_input import reads_story
from lab.kit.models.published import PretrainedSource, Published
from lab.kit.models.references import AtStep, BeforeTraining, Own, Shipped, TrainedSource
from transformer import training

Ref = Shipped | Own | BeforeTraining | AtStep | Published  # of a decoder that was trained


class Writer(NamedTuple):
    """What a model writes with.

    size     of its vocabulary
    end      the id after which nothing comes, None for a model that never ends
    opening  the text that stands in the box at first
    glue     what stands between two tokens
    """

    size: int
    end: int | None
    opening: str
    glue: str


def model_of(ref: Ref) -> "transformer.DecoderModel":
    """The decoder behind a reference."""
    return cast("transformer.DecoderModel", ref.resolve().model)


def is_published(ref: Ref) -> bool:
    """Whether others trained it: then its vocabulary is large, and it has no task whose answers are known."""
    return isinstance(ref, Published)


def trained(ref: Ref) -> TrainedSource:
    """The source of a model that was trained here. Raises LookupError for a published one."""
    source = ref.resolve()
    if not isinstance(source, TrainedSource):
        raise LookupError("a published model has no task")
    return source


def writer(ref: Ref) -> Writer:
    """What this model writes with."""
    source = ref.resolve()
    if isinstance(source, PretrainedSource):
        return Writer(source.config.vocab_size, source.loaded.tokenizer.eos, story.TEXT, "")
    task = source.task
    opening = story.TEXT if reads_story(source) else task.opening
    return Writer(len(task.target), training.text.EOS, opening, task.separator)


def beginning(ref: Ref, text: str) -> tuple[list[int], list[int]]:
    """The ids that a text begins with: the token that stands for its start, if it has one, and those of the text.

    A published model begins as its tokenizer does; with no text, after what ends a text, if there is nothing else.
    """
    source = ref.resolve()
    if isinstance(source, TrainedSource):
        return [training.text.BOS], source.task.source.encode(text)
    tokenizer = source.loaded.tokenizer
    ids = source.encode(text).ids
    if ids and ids[0] == tokenizer.bos:
        return ids[:1], ids[1:]
    if ids:
        return [], ids
    start = tokenizer.bos if tokenizer.bos is not None else tokenizer.eos
    return ([], source.encode(source.examples[-1]).ids) if start is None else ([start], [])
