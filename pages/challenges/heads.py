"""The puzzle on the page Heads: one head less."""

from typing import NamedTuple

import numpy as np

from lab.kit import settings
from lab.kit.components.attention_view import told
from lab.kit.controls.reader import STORIES, ask_sentence_and_model
from lab.kit.figures import display
from lab.kit.models import pictures
from lab.kit.models.readings import Reading, next_token
from lab.kit.models.references import Mask
from pages.challenges import data
from pages.challenges.challenge import Challenge, Gauge, Verdict
from pages.challenges.components.pull_tabs import Text
from pages.challenges.links import Link
from pages.challenges.page import PAGE
from transformer.core.checks import InputError

HE, SHE = "he", "she"
NAMES, AFTER = ("tim", "lily"), "was cold. then"  # what the machine of the list reads: the puzzle, and a girl
MAX_TOKENS = 128


class Place(NamedTuple):
    """What a link to the page Heads shows: a model on a text, and one of its heads."""

    reading: Reading
    layer: int
    head: int

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens


def place(link: Link) -> Place:
    """What this link shows there, found as the page finds it. Raises InputError with a sentence if it shows nothing."""
    if link.page != "heads":
        raise InputError("this puzzle is solved on the page Heads")
    with settings.collecting(link.packed) as answers:
        typed, model = ask_sentence_and_model()
    if answers.refused:
        raise InputError(f"the link asks for what is not here: {'; '.join(answers.refused)}")
    reading = Reading(model.ref, model.mask, typed.tokens)
    source, T = model.ref.resolve(), len(typed.tokens)
    if not T:
        raise InputError("there is no sentence in this link")
    if T > MAX_TOKENS:
        raise InputError(f"this sentence has {T} tokens; a puzzle takes at most {MAX_TOKENS}")
    layer, head = (_below(link, name, n) for name, n in (("layer", source.n_layers), ("head", source.config.n_heads)))
    if layer is None and head is None:
        layer, head = pictures.heads(*reading).opens
    layer, head = layer or 0, head or 0
    return Place(reading, layer, head)


def _below(link: Link, name: str, n: int) -> int | None:
    """The number under this name if it is below n, None if there is none."""
    number = link.number(name)
    if number is not None and number >= n:
        raise InputError(f"there is no {name} {number} here: they are counted from 0 to {n - 1}")
    return number


def _of_stories(link: Link) -> Place:
    shown = place(link)
    if shown.reading.ref != data.STORIES:
        raise InputError(f"this puzzle is about the model “{STORIES}”, as it is after its training")
    return shown


def _first(probabilities: np.ndarray) -> tuple[str, float]:
    """The likeliest token and its probability."""
    best = int(probabilities.argmax())
    return data.STORIES.resolve().label(best), float(probabilities[best])


def _head(shown: Place) -> str:
    return f"layer {shown.layer}, head {shown.head}"


def machine() -> list[Text]:
    """Either name's story for the machine of the list: where each head looks, and the words while it is pulled out."""
    source = data.STORIES.resolve()
    ids = tuple(source.ids([HE, SHE]))
    readings = [Reading(data.STORIES, Mask("causal"), source.cut(f"{name} {AFTER}")) for name in NAMES]
    return [
        Text(name, reading.tokens, data.looks(reading), data.pulled(reading, ids))
        for name, reading in zip(NAMES, readings, strict=True)
    ]


def without(layer: int, head: int) -> Link:
    """The state of the page Heads with this head in view."""
    return HEAD.start._replace(settings={**HEAD.start.settings, "layer": str(layer), "head": str(head)})


def check_head(link: Link) -> Verdict:
    """Whether the ablation of the head in view turns the pronoun that comes next into the other one."""
    shown = _of_stories(link)
    before = next_token(shown.reading)
    after = data.next_token_without_head(shown.reading, shown.layer, shown.head)
    (was, p_was), (now, p_now) = _first(before), _first(after)
    if was not in (HE, SHE):
        sentence = (
            f"With every head in, the story goes on with *{display.plain(was)}* ({p_was:.2f}): no pronoun to turn."
        )
    else:
        is_other = now in (HE, SHE) and now != was
        then = "it turns into" if is_other else "the story goes on with"
        sentence = (
            f"With every head in, it is *{was}* ({p_was:.2f}); without {_head(shown)}, {then} *{display.plain(now)}*"
        )
        sentence += f" ({p_now:.2f})."
    is_reached = was in (HE, SHE) and now in (HE, SHE) and now != was
    if was not in (HE, SHE):
        return Verdict(is_reached, sentence)
    two = after[data.STORIES.resolve().ids([HE, SHE])]
    return Verdict(is_reached, sentence, float(two[int(was == HE)] / two.sum()))


HEAD = Challenge(
    PAGE.view("One head less"),
    words="*tim was cold. then* … *he*, of course. Find the one head of twelve without which the model goes on with"
    " *she*. Press a head, so that it is shown large, and read what the story goes on with without it.",
    hint="Twelve heads, twelve tries. The tab Ablation names the head that changes the answer.",
    gauge=Gauge("the other pronoun", 0.5),
    check=check_head,
    in_view=lambda: told("heads_view"),
)
