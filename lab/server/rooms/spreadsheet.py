"""A table as a file that a spreadsheet reads."""

import csv
import io
from collections.abc import Iterable, Sequence

_BEGINS = ("=", "+", "-", "@", "\t", "\r")  # of what a spreadsheet takes for a formula


def written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table as CSV; None is an empty cell. No text begins a formula: a lesson may be a stranger's."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_BEGINS) and not _is_number(value) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
