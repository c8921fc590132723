"""A table as a file that a spreadsheet reads, and the date that stands on it."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

_MARK = "\ufeff"  # by which Excel reads UTF-8
_BEGINS = ("=", "+", "-", "@", "\t", "\r")  # of what a spreadsheet takes for a formula


def written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table as CSV, with the mark of UTF-8; None is an empty cell. No text begins a formula: a lesson may be a
    stranger's."""
    out = io.StringIO()
    out.write(_MARK)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def date_of(minutes_ahead: int) -> str:
    """Today's date where clocks are so many minutes ahead of UTC."""
    return (datetime.now(UTC) + timedelta(minutes=minutes_ahead)).date().isoformat()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_BEGINS) and not _is_number(value) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
