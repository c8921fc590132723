"""A piece of code, and a thread from each closing bracket to the token that a head looked at most as it closed it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from lab.kit.components import component
from transformer import inspection, training

_mount = component("code_brackets", Path(__file__).parent)


def payload(
    code: str,
    pieces: "Sequence[training.tasks.code.Piece]",
    read: "inspection.closing.Read",
    head: tuple[int, int],
    without: "Mapping[int, inspection.closing.Read]",
) -> dict:
    """What the browser is sent. Raises ValueError unless the reading is one of these pieces.

    head     layer and head whose threads are drawn
    without  the readings of this code with one token less, by the place of that token
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
        "without": {at: _closings_without(at, less, head) for at, less in without.items()},
    }


def _closings_without(out: int, read: "inspection.closing.Read", head: tuple[int, int]) -> list[dict]:
    """The closing brackets of a code without one token, at the places that they have in the whole of it."""

    def whole(place: int) -> int:
        return place + (place >= out)

    rows = [(one, read.weights[head][one.at]) for one in read.closings]
    return [
        {
            "at": whole(one.at),
            "partner": None if one.partner is None else whole(one.partner),
            "looks": whole(int(row.argmax()) - 1),  # -1 stays what it is
            "expected": one.expected,
            "weight": round(float(row.max()), 3),
        }
        for one, row in rows
    ]


def code_brackets(data: dict, *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
