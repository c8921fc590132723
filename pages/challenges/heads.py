"""Challenges on the page Heads: one edge, one head, one row."""

from typing import NamedTuple

import numpy as np

from pages.challenges import data
from pages.challenges.challenge import Bars, Challenge, Verdict, beginning
from pages.challenges.links import Link
from pages.shared import display, pictures, readings, settings
from pages.shared.model_controls import ask_sentence_and_model
from pages.shared.models import Mask, Untrained
from pages.shared.readings import Reading
from pages.shared.text_input import STORIES
from transformer.checks import InputError

HE, SHE = "he", "she"
OWNER_SHARE = 0.9
SHARP_BITS, SHARP_KEYS = 0.1, 6  # most bits of a row, and fewest keys that it can choose from
MAX_TOKENS = 128


class Place(NamedTuple):
    """What a link to the page Heads shows: a model on a text, one of its heads, and a cell if one is held."""

    reading: Reading
    layer: int
    head: int
    query: int | None
    key: int | None

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens


def place(link: Link) -> Place:
    """What this link shows there, found as the page finds it. Raises InputError with a sentence if it shows nothing."""
    if link.page != "heads":
        raise InputError("this challenge is solved on the page Heads, and the link opens another")
    with settings.collecting(link.packed) as answers:
        typed, model = ask_sentence_and_model()
    if answers.refused:
        raise InputError(f"the link asks for what is not to be had: {'; '.join(answers.refused)}")
    reading = Reading(model.ref, model.mask, typed.tokens)
    source, T = model.ref.resolve(), len(typed.tokens)
    if not T:
        raise InputError("there is no sentence in this link")
    if T > MAX_TOKENS:
        raise InputError(f"this sentence has {T} tokens; a challenge takes at most {MAX_TOKENS}")
    layer, head = (_below(link, name, n) for name, n in (("layer", source.n_layers), ("head", source.config.n_heads)))
    if layer is None and head is None:
        layer, head = pictures.heads(*reading).opens
    layer, head = layer or 0, head or 0
    query, key = _below(link, "query", T), _below(link, "key", T)
    if query is not None and key is None:
        key = int(readings.one_head(reading, layer, head)[0][query].argmax())
    return Place(reading, layer, head, query, key)


def _below(link: Link, name: str, n: int) -> int | None:
    """The number under this name if it is below n, None if there is none."""
    number = link.number(name)
    if number is not None and number >= n:
        raise InputError(f"there is no {name} {number} here: they are counted from 0 to {n - 1}")
    return number


def _of_stories(link: Link) -> Place:
    shown = place(link)
    if shown.reading.ref != data.STORIES:
        raise InputError(f"this challenge is about the model “{STORIES}”, as it is after its training")
    return shown


def _first(probabilities: np.ndarray) -> tuple[str, float]:
    """The likeliest token and its probability."""
    best = int(probabilities.argmax())
    return data.STORIES.resolve().label(best), float(probabilities[best])


def _of(probabilities: np.ndarray, word: str) -> float:
    (id,) = data.STORIES.resolve().ids([word])
    return float(probabilities[id])


def _head(shown: Place) -> str:
    return f"layer {shown.layer}, head {shown.head}"


# ---- one edge ------------------------------------------------------------------------------------------------------


def check_edge(link: Link) -> Verdict:
    """Whether the model goes on with "she", and with "he" once the cell that is held is cut."""
    shown = _of_stories(link)
    if shown.query is None or shown.key is None:
        raise InputError("no cell is held in this link: click one, so that it stays, and copy the link then")
    before = data.next_token(shown.reading)
    after = data.next_token_without_edge(shown.reading, shown.layer, shown.head, shown.query, shown.key)
    row, column = (display.plain(shown.tokens[n]) for n in (shown.query, shown.key))
    (was, p_was), (now, p_now) = _first(before), _first(after)
    weight = readings.one_head(shown.reading, shown.layer, shown.head)[0][shown.query, shown.key]
    cell = f"In {_head(shown)}, *{row}* looks at *{column}* with an attention weight of {weight:.2f}."
    if was != SHE:
        sentence = f"Before anything is cut, the story goes on with *{display.plain(was)}* ({p_was:.2f}), not *she*."
    elif now == HE:
        sentence = f"{cell} Cut that one edge, and *she* ({p_was:.2f}) becomes *he* ({p_now:.2f})."
    else:
        sentence = f"{cell} Cut that edge, and the story still goes on with *{display.plain(now)}* ({p_now:.2f})."
    bars = tuple(
        (f"{word}, {when}", _of(p, word))
        for when, p in (("all edges", before), ("edge cut", after))
        for word in (SHE, HE)
    )
    marked = ("she, all edges", "he, edge cut")
    picture = Bars(bars, "probability of coming next", marked=marked, about=beginning(shown.tokens))
    return Verdict(was == SHE and now == HE, sentence, picture)


EDGE = Challenge(
    key="edge",
    name="One edge",
    goal="Make *she* into *he* by cutting one edge",
    words="*mia and leo found a red ball. then* … the model goes on with *she*. An edge is one cell of one head: one"
    " word looking at one other. Hold a cell by clicking it; its link says which edge is cut. The sentence may be"
    " another.",
    hint="News of the girl has to come from the row that decides, the last one. Step through the heads of layer 1 and"
    " watch where the last row looks.",
    start=Link(
        "heads",
        {"weights": STORIES, "text": "mia and leo found a red ball. then", "layer": "1", "head": "0", "query": "9",
         "key": "0"},
    ),
    check=check_edge,
    code=("pages/challenges/heads.py", "check_edge"),
)  # fmt: skip


# ---- the owner -----------------------------------------------------------------------------------------------------


def _owners() -> list[tuple[Reading, str, list[tuple[int, int]]]]:
    """Two of the model's own sentences, about a girl and about a boy: each with its name, and the cells in which
    the word before a pronoun looks at the name that the pronoun stands for."""
    from transformer.training.tasks.stories import BOYS, GIRLS, OWNER

    source = data.STORIES.resolve()
    found = []
    for names in (GIRLS, BOYS):
        for text in source.examples:
            tokens = source.cut(text)
            cells = source.relations(tokens).get(OWNER, [])
            if cells and all(tokens[j] in names for _, j in cells):
                found.append((Reading(data.STORIES, Mask("causal"), tokens), tokens[cells[0][1]], cells))
                break
    return found


def check_owner(link: Link) -> Verdict:
    """Whether the head in view looks back from before the pronoun to its owner, for a girl and for a boy."""
    shown = _of_stories(link)
    bars = []
    for reading, name, cells in _owners():
        weights, _ = readings.one_head(reading, shown.layer, shown.head)
        bars.append((name, float(min(weights[i, j] for i, j in cells))))
    least, most = min(bars, key=lambda bar: bar[1]), max(bars, key=lambda bar: bar[1])
    is_reached = least[1] >= OWNER_SHARE
    if is_reached:
        sentence = (
            f"Yes: {_head(shown)} gives *{least[0]}* {least[1]:.2f} and *{most[0]}* {most[1]:.2f} of its attention."
        )
    elif most[1] >= OWNER_SHARE:
        sentence = (
            f"Half of it: {_head(shown)} looks back to *{most[0]}* ({most[1]:.2f}), but not to *{least[0]}*"
            f" ({least[1]:.2f}). It seems to care for one kind of name only."
        )
    else:
        sentence = (
            f"No: {_head(shown)} gives *{least[0]}* {least[1]:.2f} and *{most[0]}* {most[1]:.2f} of its attention;"
            f" {OWNER_SHARE} is wanted for both."
        )
    return Verdict(is_reached, sentence, Bars(tuple(bars), "attention weight on the owner", OWNER_SHARE, True))


OWNER = Challenge(
    key="owner",
    name="The owner",
    goal="Find the head that looks back from the pronoun to its owner",
    words="Before the model can write *he* or *she*, the row in front of the pronoun must look for the name that it"
    f" stands for. One head does that for girls and for boys, with {OWNER_SHARE:.0%} of its attention or more. Open"
    " that head large; its link names it.",
    hint="Two heads of layer 1 look for names. One of them looks only for boys: try a sentence about a girl, too.",
    start=Link("heads", {"weights": STORIES, "text": "tom lost a green key in the forest. he told anna about the",
                         "layer": "1", "head": "0"}),
    check=check_owner,
    code=("pages/challenges/heads.py", "check_owner"),
)  # fmt: skip


# ---- a sharp row ---------------------------------------------------------------------------------------------------


def entropy(weights: np.ndarray) -> float:
    """Of a row of attention, in bits: 0 if one key has all, log2 n if n keys share equally."""
    w = weights[weights > 0].astype("f8")
    return float(-(w * np.log2(w)).sum()) + 0.0


def check_sharp(link: Link) -> Verdict:
    """Whether the row that is held, of an untrained model, has almost no entropy although it has a choice."""
    shown = place(link)
    if not isinstance(shown.reading.ref, Untrained):
        raise InputError("this challenge is about an untrained model: choose “untrained” beside the sentence")
    if shown.query is None:
        raise InputError("no row is held in this link: click a cell of it, so that it stays, and copy the link then")
    weights, mask = readings.one_head(shown.reading, shown.layer, shown.head)
    row = weights[shown.query]
    n_keys = len(row) if mask is None else int(mask[shown.query].sum())
    bits = entropy(row)
    name = f"The row of *{display.plain(shown.tokens[shown.query])}* ({_head(shown)})"
    if n_keys < SHARP_KEYS:
        sentence = (
            f"{name} may look at {n_keys} {'word' if n_keys == 1 else 'words'} only: with so little choice it counts"
        )
        sentence += f" for nothing. Take a row that may look at {SHARP_KEYS} or more."
    else:
        sentence = f"{name} has {bits:.3f} bits of entropy; {n_keys} words could have up to {np.log2(n_keys):.2f}."
    is_reached = n_keys >= SHARP_KEYS and bits < SHARP_BITS
    if is_reached:
        sentence += " Nobody trained it to be so sure: the scores are just large."
    bars = tuple((f"{n} {token[:12]}", float(w)) for n, (token, w) in enumerate(zip(shown.tokens, row, strict=True)))
    return Verdict(is_reached, sentence, Bars(bars[:16], "attention weight", is_weight=True))


SHARP = Challenge(
    key="sharp",
    name="Sharp",
    goal=f"Make a row with less than {SHARP_BITS} bits of entropy, in an untrained model",
    words="Entropy counts, in bits, how undecided a row is: 0 if it looks at one word alone, 3 if it shares itself"
    f" equally among eight. Untrained models are undecided. Make one that is sure, in a row that may look at"
    f" {SHARP_KEYS} words or more. Click a cell of the row, and copy the link.",
    hint="Softmax turns large differences of scores into certainty. What keeps scores small? It is one of the"
    " settings.",
    start=Link("heads", {"weights": "untrained", "layer": "0", "head": "0", "query": "5", "key": "5"}),
    check=check_sharp,
    code=("pages/challenges/heads.py", "check_sharp"),
)


# ---- one head less -------------------------------------------------------------------------------------------------


def check_head(link: Link) -> Verdict:
    """Whether the ablation of the head in view turns the pronoun that comes next into the other one."""
    shown = _of_stories(link)
    before = data.next_token(shown.reading)
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
    bars = tuple(
        (f"{word}, {when}", _of(p, word))
        for when, p in (("all heads", before), ("one less", after))
        for word in (HE, SHE)
    )
    is_reached = was in (HE, SHE) and now in (HE, SHE) and now != was
    marked = (f"{was}, all heads", f"{now}, one less")
    picture = Bars(bars, "probability of coming next", marked=marked, about=beginning(shown.tokens))
    return Verdict(is_reached, sentence, picture)


HEAD = Challenge(
    key="head",
    name="One head less",
    goal="Silence one head, and the boy becomes a girl",
    words="*tom lost a green key in the forest. so* … *he*, of course. Find the one head of eight without which the"
    " model goes on with *she* (or with *he* in a story about a girl). Open it large, and copy the link; the server"
    " takes that head out.",
    hint="Eight heads, eight tries: the tab Ablation on the page Heads shows how each of them changes the result.",
    start=Link("heads", {"weights": STORIES, "text": "tom lost a green key in the forest. so", "closer": "Ablation",
                         "layer": "0", "head": "0"}),
    check=check_head,
    code=("pages/challenges/heads.py", "check_head"),
)  # fmt: skip
