"""Cut it into patches: each becomes a row of numbers, a linear map makes that a vector, a table tells its position.

A hand, a button or a slider puts patches elsewhere: see shuffle.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View
from lab.kit.words import at_most, counted
from pages.vision import data, figures, look, shuffle, subject
from pages.vision.components.patch_rows import pack, patch_rows
from pages.vision.components.patch_view import Group
from pages.vision.subject import Subject
from transformer import inspection

MAX_MAPS = 64  # patches that still get a map each
MOVED = (0, 2, 4, 8, 16, 36)
ACTS = {"Shuffle": MOVED[-1], "Undo": 0}  # how many patches are elsewhere after that; a model with fewer moves all
PICTURE = "vision_cut"  # the component in which they are drawn
SWAPS = "vision_swaps"  # in links: places whose patches a hand has exchanged, "7-22.3-4"
_SWAPS = re.compile(r"(\d{1,3}-\d{1,3}(\.\d{1,3}-\d{1,3}){0,199})?", re.ASCII)


class Settings(NamedTuple):
    """shuffled: what is asked where patches have changed places, None where all are at their own."""

    subject: Subject
    shuffled: shuffle.Settings | None


class Result(NamedTuple):
    known: data.Facts
    seen: data.Seen
    cut: "inspection.vision.Cut"
    similarity: np.ndarray | None


def ask() -> Settings | None:
    wanted = subject.ask()
    with settings.place_named("row"), settings.line(key="shuffled"):
        n_moved = settings.choose(
            st.select_slider, "Patches that change places", "vision_moved", MOVED, 0, chip="{} shuffled"
        )
        seed = settings.choose(st.select_slider, "Order", "vision_order", range(1, 11), 1) if n_moved else 1
    swaps = pairs(_swapped())
    if wanted is None:
        return None
    is_whole = not n_moved and not swaps
    return Settings(wanted, None if is_whole else shuffle.Settings(wanted.reader, wanted.picture, n_moved, seed, swaps))


def pairs(code: str) -> data.Swaps:
    """The places of a code like "7-22.3-4"."""
    numbers = [int(number) for number in re.findall(r"\d+", code)]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _checked(code: str) -> str | None:
    return code if _SWAPS.fullmatch(code) else None


def _swapped() -> str:
    """What a hand has exchanged, in the browser or in the link."""
    label = "patches exchanged by hand"
    if pinned := settings.replaying():
        return pinned.take_text(SWAPS, label, "", _checked)
    told, in_link = sent(PICTURE, "swaps", str), st.query_params.get(SWAPS, "")
    if told is None and _checked(in_link) is None:
        settings.notify("Which patches have changed places in this link cannot be read, so they stay.")
    code = _checked(in_link if told is None else told) or ""
    settings.note(SWAPS, label, code, "", long=True)
    return code


def _press() -> None:
    """The button of the picture was pressed: patches change places, or all go back to their own."""
    said = sent(PICTURE, "press", str)
    if said in ACTS:
        st.session_state["vision_moved"] = ACTS[said]


def compute(s: Settings) -> "Result | shuffle.Result":
    return shuffle.compute(s.shuffled) if s.shuffled else _cut(s.subject)


def _cut(s: Subject) -> Result:
    known = data.facts(s.reader)
    similarity = data.position_similarity(s.reader) if known.positions == "learned" else None
    return Result(known, data.look(s.reader, s.picture), data.cut(s.reader, s.picture), similarity)


def draw(s: Settings, result: "Result | shuffle.Result") -> None:
    if isinstance(result, Result):
        _draw_cut(s.subject, result)
        if s.subject.paint.is_drawing:
            st.caption("You draw and paint in the view “Where it looks”.")
    else:
        assert s.shuffled
        said = shuffle.finding(s.subject.reader, result.own, s.subject.picture.answers)
        answers = shuffle.groups(s.shuffled, result.own)
        _draw_patches(result.own.pixels, result.vectors, said, answers, s.shuffled.swaps, act="Undo")
        shuffle.draw(s.shuffled, result)


def _draw_patches(
    pixels: np.ndarray,
    vectors: np.ndarray,
    finding: Sequence[str] = (),
    groups: Sequence[Group] = (),
    swaps: data.Swaps = (),
    *,
    act: str,
) -> None:
    """The picture in patches, with its button where a press can be meant: not in what is compared."""
    packed = pack(pixels, vectors, finding, "" if settings.replaying() else act, groups, swaps)
    patch_rows(packed, key=PICTURE, on_press=_press)


def _draw_cut(s: Subject, result: Result) -> None:
    known, cut = result.known, result.cut
    _draw_patches(result.seen.pixels, cut.vectors, groups=look.groups(s, result.seen), act="Shuffle")
    width = cut.rows.shape[1]
    p = known.patch_size
    with display.prose():
        st.markdown(
            f"**One linear map for every patch.** A patch of {p} × {p} pixels in three colours is a row of {width} "
            f"numbers, and x W + b makes it a vector of {known.d_model}. In code this is a convolution that takes "
            f"steps of {p} pixels: the same sum, written for pictures. Here the two differ by "
            f"{at_most(cut.difference)}."
        )
        teaching.formula(r"x_{patch}\, W + b \;=\; \mathrm{conv}_{p \times p,\ stride\ p}(picture)")
        _check()
        st.markdown(
            "After that, nothing is known of two dimensions. Patches stand in line as words do, row by row, and the "
            "model has to learn which of them are neighbours. Let some **change places**, and see who notices."
        )
        _positions(known, result.similarity)
        teaching.code_expander("transformer/core/images.py", "patchify", "unpatchify")


def _positions(known: data.Facts, similarity: np.ndarray | None) -> None:
    st.markdown("**The learned table of positions, as maps**")
    if similarity is None:
        st.markdown("This model was trained without positions, so there is no table. Choose another model to see one.")
        return
    n = known.across**2
    if n > MAX_MAPS:
        shown = np.arange(n).reshape(known.across, known.across)
        keep = shown[:: -(-known.across // 7), :: -(-known.across // 7)].ravel()
        st.caption(f"Of {n} patches, {len(keep)} are shown, against each other.")
        similarity = similarity[np.ix_(keep, keep)]
    near, far = _neighbours(similarity)
    display.figure(
        figures.position_maps(similarity),
        key="vision_positions",
        alt=f"One small map per patch: the cosine of its position with all others. Neighbours have {near:.2f} on"
        f" average, all other pairs {far:.2f}.",
    )
    st.markdown(
        "Each small map belongs to one patch and compares its row of the table with all rows. Two patches that touch "
        f"along a side have a cosine of **{near:.2f}** on average; all other pairs have **{far:.2f}**. Nobody told the "
        f"model that {counted(n, 'position')} form a square."
    )


def vector_sheet(_: Settings, result: "Result | shuffle.Result") -> Sheet | None:
    """The vector of every patch, (n, d_model)."""
    if not isinstance(result, Result):
        return None
    return Sheet(result.cut.vectors, "number", ("patch", "place in its vector"))


def _neighbours(similarity: np.ndarray) -> tuple[float, float]:
    """The mean cosine of patches that touch along a side, and of all other pairs."""
    across = round(len(similarity) ** 0.5)
    y, x = np.divmod(np.arange(len(similarity)), across)
    steps = np.abs(y[:, None] - y) + np.abs(x[:, None] - x)
    return float(similarity[steps == 1].mean()), float(similarity[steps > 1].mean())


def _check() -> None:
    questions.ask("vision-tokens")


VIEW = View(
    ask, compute, draw, height=540, comparison=Comparison("a vector per patch", vector_sheet, telling=("vision_shape",))
)
