"""The instruments as a visitor meets them: the picture of what one reads, and what it says of this model."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lab.kit.words import significant
from pages.bugs import figures
from pages.bugs.data import Reading
from transformer.inspection.bugs import collection as names

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROUNDING = 1e-4  # a change below it is called 0


class Panel(NamedTuple):
    """One instrument.

    figure   the picture of a reading, or None where a table says it better; table: that, in Markdown
    reads    a reading in a sentence, with its numbers
    """

    reads: Callable[[Reading], str]
    figure: "Callable[[Reading], go.Figure] | None" = None
    table: Callable[[Reading], str] | None = None


def number(x: float) -> str:
    """A number for a sentence, rounding error as 0."""
    return significant(x, ROUNDING)


def _map(value: str, titles: tuple[str, str], *, is_weight: bool) -> "Callable[[Reading], go.Figure]":
    def draw(reading: Reading) -> "go.Figure":
        return figures.map_of(
            reading.values,
            reading.labels,
            reading.others or reading.labels,
            titles=titles,
            value=value,
            is_weight=is_weight,
            stairs=reading.causal,
        )

    return draw


def _nan_map(reading: Reading) -> "go.Figure":
    heights = ["input", *(f"layer {n}" for n in range(len(reading.values) - 1))]
    return figures.map_of(
        reading.values,
        heights,
        reading.labels,
        titles=("", "token"),
        value="share of NaN",
        is_weight=False,
        stairs=False,
    )


def _bars(x: str, y: str, *, healthy: float | None = None) -> "Callable[[Reading], go.Figure]":
    return lambda reading: figures.bars(reading.values, reading.labels, titles=(x, y), healthy=healthy)


def _named_bars(
    labels: Callable[[Reading], list[str]], x: str, y: str, *, healthy: float | None = None
) -> "Callable[[Reading], go.Figure]":
    return lambda reading: figures.bars(reading.values, labels(reading), titles=(x, y), healthy=healthy)


def _counted(word: str, first: int = 1) -> Callable[[Reading], list[str]]:
    return lambda reading: [f"{word} {n}" for n in range(first, first + len(reading.values))]


def _beyond(reading: Reading) -> float:
    return float(np.triu(reading.values, 1).max())


def _reads_weights(reading: Reading) -> str:
    values = reading.values
    if np.isnan(values).any():
        return f"**{np.isnan(values).sum()}** of {values.size} cells are not numbers (NaN)."
    if reading.causal:
        n = int((np.triu(values, 1) > 0).sum())
        return f"Right of the line, where the future lies, **{n}** cells have an attention weight above 0."
    pads = [n for n, label in enumerate(reading.labels) if "pad" in label]
    if pads:
        return f"The largest attention weight on a padding token is **{number(float(values[:, pads].max()))}**."
    return f"The largest attention weight of all is **{number(float(values.max()))}**."


def _reads_sums(reading: Reading) -> str:
    return f"The sums go from **{number(float(reading.values.min()))}** to **{number(float(reading.values.max()))}**."


def _reads_changes(reading: Reading) -> str:
    if reading.causal:
        moved = int((np.triu(reading.values, 1) > ROUNDING).sum())
        return (
            f"**{moved}** cells right of the line moved, by **{number(_beyond(reading))}** at most: outputs that felt"
            " a token which comes after them."
        )
    felt = int((reading.values[0, 1:] > ROUNDING).sum())
    return f"The answer is read off the first row. **{felt}** of the other tokens move it."


def _reads_largest(what: str) -> Callable[[Reading], str]:
    return lambda reading: f"{what} **{number(float(np.abs(reading.values).max()))}**."


def _reads_swaps(reading: Reading) -> str:
    moved, largest = int((reading.values > ROUNDING).sum()), number(float(reading.values.max()))
    return f"**{moved}** of {len(reading.values)} outputs changed, by **{largest}** at most."


def _reads_nan(reading: Reading) -> str:
    tokens = int((reading.values[-1] > 0).sum())
    return f"After the last layer, **{tokens}** of {len(reading.labels)} tokens contain NaN."


def _reads_gradients(reading: Reading) -> str:
    return "From the first layer to the last: " + ", ".join(f"**{number(float(g))}**" for g in reading.values) + "."


def _reads_optimiser(reading: Reading) -> str:
    whole = int((reading.values == 1).sum())
    return f"**{whole}** of {len(reading.values)} layers have parameters of their own that the optimiser can change."


def _reads_likeness(reading: Reading) -> str:
    first, last = number(float(reading.values[0])), number(float(reading.values[-1]))
    return f"The mean cosine goes from **{first}** at the input to **{last}** at the top; at 1, all are the same."


def _reads_spreads(reading: Reading) -> str:
    smallest, largest = number(float(reading.values.min())), number(float(reading.values.max()))
    return f"The standard deviations go from **{smallest}** to **{largest}**."


def _reads_shapes(reading: Reading) -> str:
    queries, keys, outputs, target = (int(n) for n in reading.values)
    return (
        f"**{queries}** queries meet **{keys}** keys, and **{outputs}** vectors come out, for **{target}** target"
        " tokens."
    )


def _reads_cross(reading: Reading) -> str:
    return (
        f"Each row asks and each column is looked at: the **{len(reading.labels)}** queries are “{reading.labels[0]} …"
        f" {reading.labels[-1]}”."
    )


def _reads_precision(reading: Reading) -> str:
    first, table, out = (int(n) for n in reading.values)
    return f"**{first}** bytes per number go in, the table has **{table}**, and **{out}** come out."


def _reads_next(reading: Reading) -> str:
    return "It **refuses**: the two are not of one type." if reading.values[0] else "It **accepts** what it gets."


def _reads_lookup(reading: Reading) -> str:
    wrong = int((reading.values != 0).sum())
    return f"**{wrong}** of {len(reading.values)} words get the row of another word."


def _reads_range(reading: Reading) -> str:
    largest, last = (int(n) for n in reading.values)
    return f"The largest id is **{largest}**; the last row of the table has the number **{last}**."


def _reads_loss(reading: Reading) -> str:
    first, last = number(float(reading.values[0][0])), number(float(reading.values[0][-10:].mean()))
    return f"The log shows **{first}** at the first step and **{last}** over the last ten."


def _reads_losses(reading: Reading) -> str:
    reported, honest = (number(float(row[-10:].mean())) for row in reading.values)
    return f"Over the last ten steps the log says **{reported}**; the loss of the next word is **{honest}**."


def _reads_writing(reading: Reading) -> str:
    return f"**{int(reading.values.sum())}** of {len(reading.values)} letters are right."


def _writing_table(reading: Reading) -> str:
    n = len(reading.values)
    start, written = reading.labels[:-n], reading.labels[-n:]
    lines = [
        "| | " + " | " * n,
        "|---|" + ":-:|" * n,
        *(f"| {title} | {' | '.join(map(_shown, row))} |" for title, row in _both(written, reading.others)),
    ]
    return f"After *{' '.join(start)}* comes:\n\n" + "\n".join(lines)


def _both(written: tuple[str, ...], right: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [("it writes", tuple(f"**{letter}**" for letter in written)), ("right is", right)]


def _shown(label: str) -> str:
    return label.replace("<", "&lt;")


def _lookup_table(reading: Reading) -> str:
    lines = ["| word | row that its id picks | rows off |", "|---|---|--:|"]
    for word, row, off in zip(reading.labels, reading.others, reading.values, strict=True):
        lines.append(f"| {_shown(word)} | **{_shown(row)}** | {int(off)} |")
    return "\n".join(lines)


def _next_table(reading: Reading) -> str:
    result = "RuntimeError: the types differ" if reading.values[0] else "runs"
    calls = {"model.half()": "runs", "positions(x)": "runs", "linear(positions(x))": f"**{result}**"}
    return "| what is called | result |\n|---|---|\n" + "\n".join(f"| `{c}` | {r} |" for c, r in calls.items())


PANELS: dict[str, Panel] = {
    names.WEIGHTS: Panel(_reads_weights, _map("attention weight", ("query", "key"), is_weight=True)),
    names.ROW_SUMS: Panel(_reads_sums, _bars("query", "sum of its attention weights", healthy=1)),
    names.CHANGES: Panel(_reads_changes, _map("change", ("output", "token replaced"), is_weight=False)),
    names.REPEATS: Panel(
        _reads_largest("The largest difference between the two runs is"), _bars("output", "difference", healthy=0)
    ),
    names.SWAPS: Panel(_reads_swaps, _bars("output", "change")),
    names.COMPANY: Panel(_reads_largest("The largest change of an output is"), _bars("output", "change", healthy=0)),
    names.PADDING: Panel(
        _reads_largest("The largest change of the answer is"),
        _named_bars(lambda r: [str(n) for n in range(len(r.values))], "columns of padding", "change", healthy=0),
    ),
    names.CACHE: Panel(_reads_largest("The largest difference is"), _bars("output", "difference", healthy=0)),
    names.MISSING: Panel(_reads_nan, _nan_map),
    names.SPREADS: Panel(_reads_spreads, _named_bars(_counted("head"), "", "spread of its scores", healthy=1)),
    names.TOKEN_SPREADS: Panel(_reads_spreads, _bars("token", "spread of its numbers", healthy=1)),
    names.LIKENESS: Panel(
        _reads_likeness,
        _named_bars(
            lambda r: ["input", *(f"layer {n}" for n in range(len(r.values) - 1))], "", "mean cosine", healthy=None
        ),
    ),
    names.GRADIENTS: Panel(_reads_gradients, _named_bars(_counted("layer"), "", "length of the gradient")),
    names.OPTIMISED: Panel(_reads_optimiser, _named_bars(_counted("layer"), "", "share of its tensors", healthy=1)),
    names.CROSS: Panel(_reads_cross, _map("attention weight", ("query", "key"), is_weight=True)),
    names.SHAPES: Panel(
        _reads_shapes, _named_bars(lambda _: ["queries", "keys", "outputs", "target tokens"], "", "how many")
    ),
    names.PRECISION: Panel(
        _reads_precision, _named_bars(lambda _: ["input", "table", "output"], "", "bytes per number", healthy=2)
    ),
    names.NEXT_LAYER: Panel(_reads_next, table=_next_table),
    names.LOOKED_UP: Panel(_reads_lookup, table=_lookup_table),
    names.ID_RANGE: Panel(_reads_range, _named_bars(lambda _: ["largest id", "last row"], "", "number")),
    names.LOSS: Panel(_reads_loss, lambda reading: figures.curves(reading.values, ["loss in the log"])),
    names.LOSSES: Panel(
        _reads_losses, lambda reading: figures.curves(reading.values, ["loss in the log", "loss of the next word"])
    ),
    names.WRITING: Panel(_reads_writing, table=_writing_table),
}
