"""The prediction of a stop as a model answers it: touch where it looks, in a row or a map, or choose what it writes."""

import re

from lab.kit import story
from lab.kit.controls.reader import SHIPPED, STORIES
from lab.kit.controls.text_input import examples_for, read
from lab.kit.lessons.lesson import Link, Stop
from lab.kit.models.references import BeforeTraining
from lab.kit.models.source import ModelRef
from lab.kit.texts.inline import quoted
from lab.kit.texts.markdown import Fault, TextError
from lab.kit.texts.questions import Question
from lab.server.rooms.plan import MAX_SIDE, Step
from pages.classroom import data
from transformer.core.checks import InputError
from transformer.training import shipped as trainings

MAX_TOKENS = 24  # that can be touched
KINDS = {"attention": "cells", "map": "map", "next word": "word"}  # of a step, by what a model is asked


def answered(stop: Stop) -> Step | None:
    """The stop's prediction with the model's own answer; None where no model is asked.

    Raises TextError where the model cannot answer, with a sentence for who wrote the lesson.
    """
    if stop.model is None or stop.predict is None:
        return None
    try:
        answer = _next_words(stop) if stop.model.what == "next word" else _looks(stop)
        replies = _reply_to_all(stop.predict) if stop.model.what == "map" else _replies(stop.predict, answer.labels)
    except InputError as error:
        raise TextError([Fault(1, f"“{quoted(stop.heading)}”: {error}")]) from None
    query = _number(dict(stop.link.settings), "query") if stop.model.what == "attention" else None
    written = Link("generation", (("gen_text", stop.model.text),)) if stop.model.text else stop.link
    return Step(
        KINDS[stop.model.what],
        quoted(stop.heading),
        quoted(stop.asks or stop.predict.text),
        answer.labels,
        answer.weights,
        replies,
        written.address(),
        say=quoted(stop.opening),
        asks=-1 if query is None else query,
    )


def _looks(stop: Stop) -> data.Answer:
    link = dict(stop.link.settings)
    if "weights" not in link and link.keys() - {"layer", "head", "query", "key"}:
        raise InputError("the link does not say which model reads. Copy it anew with Share.")
    ref = _model(link.get("weights", STORIES), link.get("state", ""))
    source = ref.resolve()
    tokens = read(link.get("text") or examples_for(source)[0], source).tokens
    layer, head, query = (_number(link, name) for name in ("layer", "head", "query"))
    is_map = stop.model is not None and stop.model.what == "map"
    most = MAX_SIDE if is_map else MAX_TOKENS
    if not 2 <= len(tokens) <= most:
        raise InputError(f"a class can touch 2 to {most} tokens, and this text has {len(tokens)}.")
    if layer is None or head is None or layer >= source.n_layers or head >= source.config.n_heads:
        raise InputError("the model has no such layer or head. Copy the link anew with Share.")
    if query is not None and not 1 <= query < len(tokens):
        raise InputError("the text has no such query. Copy the link anew with Share.")
    return data.whole_map(ref, tokens, layer, head) if is_map else data.looks(ref, tokens, layer, head, query)


def _next_words(stop: Stop) -> data.Answer:
    assert stop.model is not None
    ref, link, writer = SHIPPED[story.MODEL], dict(stop.link.settings), trainings.SHIPPED[story.WRITER].title
    if not stop.model.text and (link.get("gen_model", writer) != writer or "gen_step" in link):
        raise InputError(f"only “{writer}” answers a class here, and only as it is at the end of its training.")
    text = stop.model.text or link["gen_text"]
    tokens = read(text, ref.resolve()).tokens
    if len(tokens) < 2:
        raise InputError("the model reads no word of this text.")
    return data.next_words(ref, tokens)


def _model(name: str, state: str) -> ModelRef:
    if name not in SHIPPED:
        few = " and ".join(f"“{one}”" for one in SHIPPED)
        raise InputError(f"a class can ask the models {few}, and not “{name}”.")
    return BeforeTraining(SHIPPED[name]) if state == "before training" else SHIPPED[name]


def _number(link: dict[str, str], name: str) -> int | None:
    return int(link[name]) if re.fullmatch("[0-9]{1,4}", link.get(name, "")) else None


def _replies(asked: Question, labels: tuple[str, ...]) -> tuple[str, ...]:
    """What is said to who chooses each label: the reply of the option that begins with it, at its first occurrence."""
    of_label: dict[str, str] = {}
    for option in asked.options:
        name = _first(option.text)
        if name in of_label:
            raise InputError(f"two of the options begin with “{name}”, so a reply to it may be that of either.")
        of_label[name] = quoted(option.reply)
    return tuple(of_label.pop(label.casefold(), "") for label in labels)


def _reply_to_all(asked: Question) -> tuple[str, ...]:
    """What is said of a map: its cells are no options, so it is the reply to the one that is right."""
    return (quoted(asked.answer.reply),) if asked.answer else ()


def _first(option: str) -> str:
    """What an option names: “red” of “red, the first one” and of “At *red*: there”."""
    return re.split("[,:(]", quoted(option))[0].split(" ")[-1].strip("“”").casefold()
