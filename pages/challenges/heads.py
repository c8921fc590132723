"""The puzzle of one head less: a machine on the list of puzzles, whose heads are pulled out."""

import numpy as np

from lab.kit.figures import display
from lab.kit.models.readings import Reading, next_token
from lab.kit.models.references import Mask
from pages.challenges import data
from pages.challenges.challenge import Challenge, Gauge, Verdict
from pages.challenges.components.pull_tabs import Text
from pages.challenges.links import Link
from pages.challenges.page import PAGE
from transformer.core.checks import InputError

HE, SHE = "he", "she"
NAMES, AFTER = ("tim", "lily"), "was cold. then"  # what the machine reads: the puzzle, and a girl
PULLED = "puzzle_pulled"  # in links: the name in the text, and the number of the head that is out, as "tim:11"


def reading(name: str) -> Reading:
    """The story about somebody of this name."""
    return Reading(data.STORIES, Mask("causal"), data.STORIES.resolve().cut(f"{name} {AFTER}"))


def machine() -> list[Text]:
    """Either name's story: where each head looks, and the words while it is pulled out."""
    ids = tuple(data.STORIES.resolve().ids([HE, SHE]))
    read = {name: reading(name) for name in NAMES}
    return [Text(name, one.tokens, data.looks(one), data.pulled(one, ids)) for name, one in read.items()]


def without(pulled: str) -> Link:
    """The state in which this head is out."""
    return Link(PAGE.url, {PULLED: pulled})


def check_head(link: Link) -> Verdict:
    """Whether the story about the boy goes on with the other pronoun without the head that is out."""
    source = data.STORIES.resolve()
    L, H = source.n_layers, source.config.n_heads
    if link.page != PAGE.url:
        raise InputError("this puzzle is solved on the page Challenges")
    if PULLED not in link.settings:
        return Verdict(False, "Every head is in.", 0)
    n = Link(link.page, {PULLED: link.settings[PULLED].partition(":")[2]}).number(PULLED)
    if n is None or n >= L * H:
        raise InputError(f"there is no head {n} here: they are counted from 0 to {L * H - 1}")
    shown = reading(NAMES[0])
    after = data.next_token_without_head(shown, *divmod(n, H))
    (was, p_was), (now, p_now) = _first(next_token(shown)), _first(after)
    is_reached = (was, now) == (HE, SHE)
    sentence = f"With every head in, it is *{was}* ({p_was:.2f}); without layer {n // H}, head {n % H},"
    sentence += f" the story goes on with *{display.plain(now)}* ({p_now:.2f})."
    he, she = after[source.ids([HE, SHE])]
    return Verdict(is_reached, sentence, float(she / (he + she)))


def _first(probabilities: np.ndarray) -> tuple[str, float]:
    """The likeliest token and its probability."""
    best = int(probabilities.argmax())
    return data.STORIES.resolve().label(best), float(probabilities[best])


HEAD = Challenge(
    PAGE.view("One head less"),
    words="*tim was cold. then* … *he*, of course. Find the one head of twelve without which the model goes on with"
    " *she*.",
    hint="Twelve heads, twelve tries.",
    gauge=Gauge("the other pronoun", 0.5),
    check=check_head,
)
