"""The tasks as tiles: the name, an example, and the true alignment of a probe in miniature."""

from functools import cache
from urllib.parse import quote

import streamlit as st

from lab.kit import settings
from transformer.training import tasks

_SIDE = 30  # of a miniature, in pixels
_LINES = "<path d='M3 6h24M3 12h18M3 18h22M3 24h10' stroke='#000' stroke-width='2'/>"  # a text, without an alignment


def choose(labels: dict[str, tasks.Declaration], default: str) -> str:
    """The label of the chosen task, from a strip of tiles."""
    with st.container(key="live-tasks"):
        st.html(f"<style>{style(tuple(task.name for task in labels.values()))}</style>")
        return settings.choose(
            st.segmented_control, "Task", "live_task", labels, default, label_visibility="collapsed", wrap=True
        )


@cache
def style(names: tuple[str, ...]) -> str:
    """What the tile of each of these tasks shows beside its name, in the order of the tiles."""
    rules = []
    for n, name in enumerate(names, 1):
        tile = f'.st-key-live-tasks button[role="radio"]:nth-of-type({n})'
        rules.append(f'{tile}{{--mini:url("data:image/svg+xml,{quote(miniature(name))}")}}')
        rules.append(f'{tile}::after{{content:"{tasks.TASKS[name].sketch}"}}')
    return "".join(rules)


def miniature(name: str) -> str:
    """The true alignment of this task's first probe as a picture of its cells, in one colour."""
    from transformer.training.film import axes  # and torch

    declaration = tasks.TASKS[name]
    cells: tuple[tuple[int, int], ...] = ()
    if not declaration.needs_text:
        task = declaration.make()
        cells = max((kind.alignment for kind in axes(task, task.probes[0]).values()), key=len)
        if task.sight:  # the patches as they lie in the picture, not in line
            cells = tuple(divmod(patch, task.sight.across) for _, patch in task.probes[0].alignment)
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_SIDE} {_SIDE}'>{_drawn(cells) or _LINES}</svg>"


def _drawn(cells: tuple[tuple[int, int], ...]) -> str:
    """The cells (row, column), in a square that they just fill."""
    if not cells:
        return ""
    rows, columns = zip(*cells, strict=True)
    tall, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    unit = _SIDE / max(tall, wide)
    side = max(unit - 0.6, 3.2)
    return "".join(
        f"<rect x='{(column - min(columns)) * unit + (_SIDE - wide * unit) / 2:.2f}'"
        f" y='{(row - min(rows)) * unit + (_SIDE - tall * unit) / 2:.2f}' width='{side:.2f}' height='{side:.2f}'/>"
        for row, column in cells
    )
