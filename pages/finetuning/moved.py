"""What moved, in a fold below the race: how far each way changed every matrix, and the thin ones that LoRA learns."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.finetuning import data, figures
from pages.finetuning.controls import origin
from transformer import training
from transformer.training.ways import LORA, OUTPUT, WAYS

OPEN = "fine_moved"  # in links: whether the fold is open
MATRICES = tuple(f"layer {n} {name}" for n in range(3) for name in ("W_q", "W_k", "W_v", "W_o", "W_1", "W_2"))


class Settings(NamedTuple):
    matrix: str


class Result(NamedTuple):
    moved: dict[str, data.Moved]
    update: data.Update


def ask() -> Settings:
    return Settings(settings.choose(st.selectbox, "LoRA’s update of", "fine_matrix", MATRICES, MATRICES[2], width=180))


def compute(s: Settings, tuned: "dict[str, training.finetuning.Tuned]") -> Result:
    moved = {way: data.moved(way, one.lesson, one) for way, one in tuned.items()}
    return Result(moved, data.update(s.matrix, tuned[LORA].lesson, tuned[LORA]))


def draw(s: Settings, tuned: "dict[str, training.finetuning.Tuned]", result: Result) -> None:
    left, right = st.columns([1, 1], gap="large")
    names = tuple(result.moved[LORA].by_matrix)
    with left:
        st.markdown("**How far did each matrix move?** Each way trains what is not frozen.")
        display.figure(
            figures.moved_map(names, {way: tuple(one.by_matrix.values()) for way, one in result.moved.items()}),
            key="fine-moved",
            alt="How far each matrix moved, relative to its size. "
            + " ".join(f"{way}: {_furthest(one)}." for way, one in result.moved.items()),
        )
        st.caption("Length of the change, divided by that of the matrix: ‖W′ − W‖ / ‖W‖. " + _frozen(tuned))
    with right:
        lora, update = tuned[LORA], result.update
        st.markdown(f"**LoRA’s update of {s.matrix}**: B times A, and nothing else")
        display.figure(
            figures.low_rank(update.b, update.a, update.update, lora.lesson.alpha / lora.lesson.rank),
            key="fine-update",
            alt=f"LoRA's update of {s.matrix}: the product of B and A, of rank {update.rank}.",
        )
        d_out, d_in = update.update.shape
        n = lora.lesson.rank * (d_in + d_out)
        st.markdown(
            f"**{s.matrix}**: B and A have {n:,} numbers, the matrix {d_in * d_out:,}. The update has rank"
            f" **{update.rank}**: each of its rows is a mixture of the {_rows(lora.lesson.rank)} of A."
        )
    teaching.formula(r"h = W x + \frac{\alpha}{r} \, B A \, x \qquad W \text{ frozen},\; B = 0 \text{ at the start}")
    st.markdown(
        "**LoRA** (low-rank adaptation) leaves W alone and learns a narrow B and a flat A. B starts at zero, so the"
        " model starts out unchanged, bit for bit. In the end the update can stay beside W, to be taken away again, or"
        f" be added to it: the probabilities of the two differ by {at_most(result.update.difference)}."
    )
    teaching.code_expander("transformer/core/lora.py", "LoRA", "merge")
    questions.ask("finetuning-rank", try_it={OPEN: True, "fine_rank": 4})


def _furthest(moved: data.Moved) -> str:
    """The matrix that moved the most, by how far."""
    far = {name: value for name, value in moved.by_matrix.items() if value is not None}
    name = max(far, key=lambda name: far[name])
    return f"{name} the most, by {far[name]:.2f}"


def _frozen(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """Whether what was frozen is what it was, in a sentence."""
    n, equal = (sum(getattr(tuned[way], name) for way in WAYS) for name in ("n_frozen", "n_equal"))
    if n == equal:
        head = tuned[OUTPUT]
        return (
            f"Frozen parts were compared before and after: with {OUTPUT} all {head.n_frozen} tensors, biases and norms"
            f" included, and in all ways together {n}, are equal bit for bit. {origin(tuned)}"
        )
    return f"Of {n} frozen tensors, {n - equal} have changed. {origin(tuned)}"


def _rows(n: int) -> str:
    return "one row" if n == 1 else f"{n} rows"
