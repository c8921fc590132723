"""A piece of code, and a thread from each closing bracket to the token that a head looked at most as it closed it."""

from collections.abc import Sequence
from pathlib import Path

from lab.kit.components import component
from transformer import inspection, training

_mount = component("code_brackets", Path(__file__).parent)


def payload(
    code: str, pieces: "Sequence[training.tasks.code.Piece]", read: "inspection.closing.Read", head: tuple[int, int]
) -> dict:
    """What the browser is sent. Raises ValueError unless the reading is one of these pieces.

    head  layer and head whose threads are drawn
    """
    weights = read.weights[head]
    if len(weights) != len(pieces) + 1:
        raise ValueError(f"{len(weights) - 1} tokens were read, and there are {len(pieces)}")
    closings = []
    for one in read.closings:
        row = weights[one.at]
        closings.append(
            {
                "at": one.at,
                "partner": one.partner,
                "looks": int(row.argmax()) - 1,  # -1: at <bos>, which is no token of the code
                "expected": one.expected,
                "p": round(one.p, 4),
                "row": [round(float(w), 3) for w in row[1 : one.at + 1]],
                "rest": round(float(row[0]), 3),
            }
        )
    ends = [0, *(piece.end for piece in pieces)]
    gaps = [code[end : piece.start] for end, piece in zip(ends, pieces, strict=False)]
    return {
        "pieces": [[gap, code[piece.start : piece.end]] for gap, piece in zip(gaps, pieces, strict=True)],
        "closings": closings,
        "head": f"layer {head[0]}, head {head[1]}",
    }


def code_brackets(data: dict, *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
