"""Q, K and V that a visitor edits. Edits live in the session, and each edited matrix in the link as "1,0;2,-0.5".

An edit belongs to the matrices that it was made on: where others are chosen, it is gone.
"""

from collections.abc import Callable

import streamlit as st

from lab.kit import settings

Matrix = tuple[tuple[float, ...], ...]
Matrices = tuple[Matrix, Matrix, Matrix]  # Q, K and V

KEY = "att_steps"  # of the component in which numbers are typed
MAX_NUMBER = 100.0  # that may be typed; inspection.steps has the same
MAX_LINK_LETTERS = 240  # of a matrix in a link
MAX_NUMBER_LETTERS = 24
SMALL: Matrices = (
    ((1.0, 0.0, 1.0, 0.0), (0.0, 2.0, 0.0, 1.0), (1.0, 1.0, 0.0, 0.0)),
    ((2.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 2.0), (1.0, 1.0, 1.0, 0.0)),
    ((4.0, 0.0, 1.0, 2.0), (0.0, 4.0, 1.0, 0.0), (1.0, 1.0, 1.0, -2.0)),
)


def edited(origin: tuple[str, int], defaults: Matrices) -> Matrices:
    """The default matrices of an origin, (its name, its seed), with what the link or the visitor has changed."""
    pinned = settings.replaying()
    if pinned:
        return _each(defaults, lambda name, default: _pinned(pinned, name, default))
    stored = st.session_state.get("_attention_edits")
    edits: dict[str, Matrix] = _edits_in_link(defaults) if stored is None else stored["matrices"]
    if stored is not None and stored["of"] != origin:
        edits = {}
    st.session_state["_attention_edits"] = {"of": origin, "matrices": edits}
    matrices = _each(defaults, lambda name, default: edits.get(name, default))
    for name, matrix, default in zip("qkv", matrices, defaults, strict=True):
        if matrix != default:
            st.query_params[f"att_{name}"] = write(matrix)
        elif f"att_{name}" in st.query_params:
            del st.query_params[f"att_{name}"]
        settings.note(f"att_{name}", name.upper(), write(matrix), write(default), long=True)
    st.session_state["_attention_shown"] = matrices
    return matrices


def _edits_in_link(defaults: Matrices) -> dict[str, Matrix]:
    edits: dict[str, Matrix] = {}
    for name, default in zip("qkv", defaults, strict=True):
        text = st.query_params.get(f"att_{name}")
        if text is None:
            continue
        matrix = parse(text, len(default), len(default[0]))
        if matrix is None:
            settings.notify(
                f"You see the usual {name.upper()}: the link asks for one that is not {len(default)} rows of"
                f" {len(default[0])} numbers from -{MAX_NUMBER:g} to {MAX_NUMBER:g}."
            )
        edits[name] = matrix or default
    return edits


def _pinned(pinned: settings.Answers, name: str, default: Matrix) -> Matrix:
    """A matrix as the link pins it for A."""
    n_rows, n_columns = len(default), len(default[0])

    def normalised(text: str) -> str | None:
        matrix = parse(text, n_rows, n_columns)
        return write(matrix) if matrix else None

    text = pinned.take_text(f"att_{name}", name.upper(), write(default), normalised)
    return parse(text, n_rows, n_columns) or default


def parse(text: str, n_rows: int, n_columns: int) -> Matrix | None:
    """A matrix from a link, "1,0;2,-0.5"; None unless it has this shape and no number above MAX_NUMBER."""
    if len(text) > MAX_LINK_LETTERS:
        return None
    try:
        rows = tuple(tuple(float(x) + 0.0 for x in row.split(",")) for row in text.split(";"))
    except ValueError:
        return None
    fits = len(rows) == n_rows and all(len(row) == n_columns for row in rows)
    return rows if fits and all(abs(x) <= MAX_NUMBER for row in rows for x in row) else None


def write(matrix: Matrix) -> str:
    """The same matrix for a link."""
    return ";".join(",".join(f"{x:.9g}" for x in row) for row in matrix)


def with_edit(edit: object, matrices: Matrices | None) -> Matrices | None:
    """Q, K and V after an edit [matrix, row, column, text]; None if it is not one that can be made."""
    match edit:
        case [str(name), int(i), int(f), str(text)] if (
            matrices and name in ("q", "k", "v") and len(text) <= MAX_NUMBER_LETTERS
        ):
            matrix = matrices["qkv".index(name)]
            try:
                x = float(text) + 0.0
            except ValueError:
                return None
            if not (0 <= i < len(matrix) and 0 <= f < len(matrix[0]) and abs(x) <= MAX_NUMBER):
                return None
            row = (*matrix[i][:f], round(x, 6), *matrix[i][f + 1 :])
            changed = (*matrix[:i], row, *matrix[i + 1 :])
            return _each(matrices, lambda other, rows: changed if other == name else rows)
        case _:
            return None


def take_edit() -> None:
    """Apply the edit that the component sent, if it can be made."""
    matrices, edits = st.session_state.get("_attention_shown"), st.session_state.get("_attention_edits")
    changed = with_edit((st.session_state.get(KEY) or {}).get("edit"), matrices)
    if changed and edits:
        edits["matrices"] = dict(zip("qkv", changed, strict=True))


def set_all(origin: tuple[str, int], matrices: Matrices) -> None:
    """Edit Q, K and V of an origin to be these."""
    st.session_state["_attention_edits"] = {"of": origin, "matrices": dict(zip("qkv", matrices, strict=True))}


def undo_edits() -> None:
    """Go back to the default matrices."""
    st.session_state["_attention_edits"]["matrices"] = {}


def _each(matrices: Matrices, change: Callable[[str, Matrix], Matrix]) -> Matrices:
    q, k, v = matrices
    return change("q", q), change("k", k), change("v", v)
