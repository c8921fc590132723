"""Patches in another order: what the model that reads the picture makes of it; and below, one that knows positions
beside one that was trained without."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.words import as_chance, at_most, is_rounding, listed
from pages.vision import data
from pages.vision.components.patch_shuffle import Question, pack, patch_shuffle
from pages.vision.components.patch_view import Group
from pages.vision.data import Picture, Reader
from pages.vision.look import group
from transformer.training.tasks import shapes

MODELS = {"shapes": "with positions", "shapes-no-positions": "without positions"}


class Settings(NamedTuple):
    """n_moved: patches that change places, of all that the models read; swaps: those that a hand has exchanged then."""

    reader: Reader
    picture: Picture
    n_moved: int
    seed: int
    swaps: data.Swaps = ()


class Result(NamedTuple):
    """own: what the chosen model answers; vectors: of the shuffled patches, (n, D); both: what our two models do."""

    own: data.Shuffled
    vectors: np.ndarray
    both: data.Shuffled


def compute(s: Settings) -> Result:
    order = s.n_moved, s.seed, s.swaps
    own = data.shuffled((s.reader,), s.picture, *order)
    vectors = data.cut(s.reader, data.picture(own.pixels)).vectors
    both = data.shuffled(tuple(map(Reader, MODELS)), s.picture, *order)
    return Result(own, vectors, both)


def draw(s: Settings, result: Result) -> None:
    """Below the picture with its patches shuffled, what our two models answer to it."""
    moved, kept = (result.both.changes[name] for name in MODELS)
    with display.prose():
        st.markdown(
            "**Without positions, a picture is a bag of patches.** Here two small models read it, one with positions "
            "and one trained without. Shuffling the patches moves the logits of the second by "
            f"{at_most(kept)}, those of the first by up to **{moved:.1f}**."
        )
    before = data.look(Reader("shapes"), s.picture).pixels
    models = {MODELS[name]: _questions(pair, s.picture.answers) for name, pair in result.both.shares.items()}
    patch_shuffle(pack(before, result.both.pixels, models), key="vision_shuffle")
    with display.prose():
        st.markdown(
            "Much survives even in the bag. A colour is a colour anywhere, and the edges inside a patch tell a cross "
            "from a circle. What suffers is the place."
        )
        _check()
        _accuracy()


PLACE = "place"  # the question that shuffled patches may have another right answer to


def place_of(pixels: np.ndarray) -> int | None:
    """Where the centre of all colour of a picture (side, side, 3) lies, as the number of an answer. That is what
    “place” means in the pictures that the models have learned from. None without any colour, and where the centre is
    nearer to the middle than in any of those pictures: there the place is in doubt."""
    y, x = np.nonzero(np.ptp(pixels.astype(int), axis=-1) > shapes.COLOURED)
    if not len(y):
        return None
    side = len(pixels)
    off = np.array([y.mean(), x.mean()]) - (side - 1) / 2
    if np.abs(off).min() < shapes.MARGIN * side / shapes.SIDE:
        return None
    low, right = off > 0
    return 2 * int(low) + int(right)


def phrase(count: str, colour: str, shape: str) -> str:
    """ "two red triangles"."""
    ending = "" if count == "one" else "es" if shape.endswith("s") else "s"
    return f"{count} {colour} {shape}{ending}"


def finding(reader: Reader, result: data.Shuffled, right: tuple[int, ...] = ()) -> tuple[str, str]:
    """Whether the model notices, in a sentence; and what it says now instead. right: the true answers, where known.
    Of a place that is where the colour is now, nothing is lost: the picture is another. Where the colour's place is in
    doubt, nothing is said of right and wrong."""
    asked, (before, after) = data.facts(reader).questions, result.shares[reader.name]
    was, now = ([int(shares.argmax()) for shares in some] for some in (before, after))
    topics, names = list(asked), list(asked.values())
    changed = [n for n in range(len(names)) if was[n] != now[n]]
    stay = [topics[n] for n in range(len(names)) if n not in changed]
    there = place_of(result.pixels) if right and PLACE in topics else None
    follows = [n for n in changed if topics[n] == PLACE and now[n] == there]

    def says(n: int) -> str:
        answer = f"{names[n][now[n]]} ({as_chance(after[n].max())})"
        if n in follows:
            return f"{answer}, the colour’s new middle"
        instead = f"{answer} and no longer {names[n][was[n]]}"
        if there is None or topics[n] != PLACE or there == was[n]:
            return instead
        return f"{instead}, but the colour’s middle is {names[n][there]}"

    told = "; ".join(map(says, changed))
    if result.is_same:
        return "It is the same picture.", "Only patches that look alike have changed places, or all are back."
    if not reader.knows_shapes:
        return ("The answer changes.", f"It says {told}.") if changed else ("The answer stays.", f"{names[0][now[0]]}.")
    remains = ""
    if PLACE in stay and there is not None and there != now[topics.index(PLACE)]:
        places_named = names[topics.index(PLACE)]
        still = f"it still says {places_named[now[topics.index(PLACE)]]}"
        remains = f" The colour’s middle is now {places_named[there]}, but {still}."
    if not changed:
        blind = is_rounding(result.changes[reader.name])
        why = "It knows no positions: to it, this is the same picture." if blind else "Only how sure it is changes."
        return "All four answers stay.", why + remains
    if not stay:
        return "All four answers change.", f"It says {told}."
    if changed == follows:
        still = phrase(
            *(names[topics.index(topic)][now[topics.index(topic)]] for topic in ("count", "colour", "shape"))
        )
        return f"Shuffled, it still says {still}.", f"Only the place changes: {names[follows[0]][now[follows[0]]]}."
    keeps = f"{listed(stay).capitalize()} stay." if len(stay) > 1 else f"The {stay[0]} stays."
    others = [n for n in changed if n not in follows]
    in_doubt = PLACE in (topics[n] for n in others) and there is None
    is_lost = bool(right) and not in_doubt and all(was[n] == right[n] for n in others)  # it was right, and is no more
    verb = ("is lost" if is_lost else "changes") if len(others) == 1 else ("are lost" if is_lost else "change")
    parts = [f"The {listed(topics[n] for n in others)} {verb}."] if others else []
    moves = ["The place moves along."] if follows else []
    return " ".join([keeps, *parts, *moves]), f"It says {told}.{remains}"


def groups(s: Settings, result: data.Shuffled) -> list[Group]:
    """What the chosen model answers now, question by question, beside what it answered before."""
    before, after = result.shares[s.reader.name]
    asked = data.facts(s.reader).questions.items()
    return [group(*question, now, None, was) for question, now, was in zip(asked, after, before, strict=True)]


def _questions(pair: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]], right: tuple[int, ...]) -> list[Question]:
    """The questions with what a model answers before and after."""
    return [
        Question(question, options, tuple(b.tolist()), tuple(a.tolist()), right[n] if right else None)
        for n, ((question, options), b, a) in enumerate(zip(shapes.QUESTIONS.items(), *pair, strict=True))
    ]


def _accuracy() -> None:
    cards = [data.card(name) for name in MODELS]
    n = cards[0]["fresh pictures"]
    st.markdown(f"**How often they are right**, on {n:,} fresh pictures, measured after training")
    lines = [f"| model | {' | '.join(shapes.QUESTIONS)} |", "|---|" + "--:|" * len(shapes.QUESTIONS)]
    for title, card in zip(MODELS.values(), cards, strict=True):
        for condition, ending in (("", ""), (", patches shuffled", ", shuffled")):
            cells = [f"{card[f'{question} right{condition}']:.1%}" for question in shapes.QUESTIONS]
            lines.append(f"| {title}{ending} | {' | '.join(cells)} |")
    with st.container(key="figure-vision-accuracy"):
        st.markdown("\n".join(lines))
    st.markdown(
        "Guessing is right 25% of the time. The model without positions does somewhat better at the place, above all "
        "where four large things fill the picture: there is little room for them, and how the patches cut them is a "
        "clue."
    )
    st.caption(
        "`python -m transformer.training shapes shapes-no-positions` trains and measures both again. For the table, "
        "all patches of each picture were put into a random order."
    )
    teaching.code_expander("transformer/core/images.py", "reordered")


def _check() -> None:
    questions.ask("vision-order")
