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


def _counted(word: str) -> Callable[[Reading], list[str]]:
    return lambda reading: [f"{word} {n}" for n in range(len(reading.values))]


def _share(n: int, of: int) -> str:
    return f"**{n} of {of}**"


def _counted_bold(n: int, what: str) -> str:
    return f"**{n}** {what}{'' if n == 1 else 's'}"


def _reads_weights(reading: Reading) -> str:
    values = reading.values
    if np.isnan(values).any():
        return f"{_share(int(np.isnan(values).sum()), values.size)} attention weights are not numbers (NaN)."
    if reading.causal:
        n = int((np.triu(values, 1) > 0).sum())
        if n == 0:
            return "**No** attention weight lies on a later token."
        return f"{_counted_bold(n, 'attention weight')} {'lies' if n == 1 else 'lie'} on later tokens."
    pads = [n for n, label in enumerate(reading.labels) if "pad" in label]
    if pads:
        largest = number(float(values[:, pads].max()))
        some = f"Padding gets attention weights of up to **{largest}**."
        return "Padding gets **no** attention." if largest == "0" else some
    return f"The largest attention weight is **{number(float(values.max()))}**."


def _reads_sums(reading: Reading) -> str:
    off, n = int((np.abs(reading.values - 1) > ROUNDING).sum()), len(reading.values)
    if off == 0:
        return f"All **{n}** rows add up to 1."
    return f"{_share(off, n)} rows {'does' if off == 1 else 'do'} not add up to 1."


def _reads_changes(reading: Reading) -> str:
    if reading.causal:
        later = reading.values[np.triu_indices_from(reading.values, 1)]
        moved = int((later > ROUNDING).sum())
        if moved == 0:
            return "**No** later token changes an output."
        return f"In {_share(moved, len(later))} cases, a later token changes an output."
    felt, others = int((reading.values[0, 1:] > ROUNDING).sum()), len(reading.labels) - 1
    return f"{_share(felt, others)} other tokens change the answer."


def _reads_largest(changes: str, same: str) -> Callable[[Reading], str]:
    """changes: with the largest change in place of {}; same: where nothing changes."""

    def read(reading: Reading) -> str:
        missing = int(np.isnan(reading.values).sum())
        if missing:
            return f"{_share(missing, len(reading.values))} outputs are not numbers (NaN)."
        largest = number(float(np.abs(reading.values).max()))
        return same if largest == "0" else changes.format(f"**{largest}**")

    return read


def _reads_swaps(reading: Reading) -> str:
    moved = int((reading.values > ROUNDING).sum())
    return f"{_share(moved, len(reading.values))} outputs change when the words are reversed."


def _reads_nan(reading: Reading) -> str:
    tokens = int((reading.values[-1] > 0).sum())
    return f"After the last layer, {_share(tokens, len(reading.labels))} tokens contain NaN."


def _reads_gradients(reading: Reading) -> str:
    missing = int((np.abs(reading.values) < ROUNDING).sum())
    if missing:
        return f"{_share(missing, len(reading.values))} layers get no gradient."
    least, most = number(float(reading.values.min())), number(float(reading.values.max()))
    if least == most:
        return f"Every layer gets a gradient of the same length, **{most}**."
    return f"Every layer gets a gradient, of a length from **{least}** to **{most}**."


def _reads_optimiser(reading: Reading) -> str:
    whole = int((reading.values == 1).sum())
    have, own = ("has", "its") if whole == 1 else ("have", "their")
    return f"{_share(whole, len(reading.values))} layers {have} parameters of {own} own in the optimiser."


def _reads_likeness(reading: Reading) -> str:
    first, last = number(float(reading.values[0])), number(float(reading.values[-1]))
    return f"From the input to the top, the mean cosine of two tokens goes from **{first}** to **{last}**."


def _reads_spreads(of: str) -> Callable[[Reading], str]:
    def read(reading: Reading) -> str:
        smallest, largest = number(float(reading.values.min())), number(float(reading.values.max()))
        if smallest == largest:
            return f"The {of} have a standard deviation of **{smallest}**."
        return f"The {of} have standard deviations from **{smallest}** to **{largest}**."

    return read


def _reads_shapes(reading: Reading) -> str:
    _, _, outputs, target = (int(n) for n in reading.values)
    return f"**{outputs}** output vectors for **{target}** target tokens."


def _reads_cross(reading: Reading) -> str:
    return f"The **{len(reading.labels)}** queries are “{reading.labels[0]} … {reading.labels[-1]}”."


def _reads_precision(reading: Reading) -> str:
    first, _, out = (int(n) for n in reading.values)
    return f"**{first}** bytes per number go in, and **{out}** come out."


def _reads_next(reading: Reading) -> str:
    if reading.values[0]:
        return "The next layer **refuses** the output: its numbers are of another type."
    return "The next layer **accepts** the output."


def _reads_lookup(reading: Reading) -> str:
    wrong = int((reading.values != 0).sum())
    return f"{_share(wrong, len(reading.values))} words get the row of another word."


def _reads_range(reading: Reading) -> str:
    largest, last = (int(n) for n in reading.values)
    if largest == last:
        return f"The largest id and the last row have the same number: **{largest}**."
    return f"The largest id is **{largest}**, but the last row has the number **{last}**."


def _reads_loss(reading: Reading) -> str:
    first, last = number(float(reading.values[0][0])), number(float(reading.values[0][-10:].mean()))
    return f"The loss goes from **{first}** to **{last}**."


def _reads_losses(reading: Reading) -> str:
    reported, honest = (float(row[-10:].mean()) for row in reading.values)
    if np.isclose(reported, honest, rtol=0.01):
        return f"The log and the loss of the next word agree: **{number(reported)}**."
    return f"The log says **{number(reported)}**, but the loss of the next word is **{number(honest)}**."


def _reads_writing(reading: Reading) -> str:
    right = int(reading.values.sum())
    return f"{_share(right, len(reading.values))} letters {'is' if right == 1 else 'are'} right."


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
        _reads_largest("The two runs differ by up to {}.", "The two runs give **the same** outputs."),
        _bars("output", "difference", healthy=0),
    ),
    names.SWAPS: Panel(_reads_swaps, _bars("output", "change")),
    names.COMPANY: Panel(
        _reads_largest("Beside other texts, an output changes by up to {}.", "Other texts change **nothing**."),
        _bars("output", "change", healthy=0),
    ),
    names.PADDING: Panel(
        _reads_largest("Padding changes the answer by up to {}.", "Padding changes **nothing**."),
        _named_bars(lambda r: [str(n) for n in range(len(r.values))], "columns of padding", "change", healthy=0),
    ),
    names.CACHE: Panel(
        _reads_largest(
            "With the cache, an output differs by up to {}.", "With the cache, the outputs are **the same**."
        ),
        _bars("output", "difference", healthy=0),
    ),
    names.MISSING: Panel(_reads_nan, _nan_map),
    names.SPREADS: Panel(
        _reads_spreads("scores"), _named_bars(_counted("head"), "", "spread of its scores", healthy=1)
    ),
    names.TOKEN_SPREADS: Panel(_reads_spreads("tokens"), _bars("token", "spread of its numbers", healthy=1)),
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
