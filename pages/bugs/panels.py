"""The instruments as a visitor meets them: the picture of what one reads, and what it says of this model."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from lab.kit.words import significant
from pages.bugs.data import Reading
from transformer.inspection.bugs import collection as names

ROUNDING = 1e-4  # a change below it is called 0
MOST = 6  # bars, where a healthy model has them all alike
Drawing = dict[str, Any]  # as pages/bugs/components/exhibit/drawings.js has it


class Panel(NamedTuple):
    """One instrument.

    reads  a reading in a sentence, with its numbers
    draws  a reading as it is drawn, but for its numbers
    """

    reads: Callable[[Reading], str]
    draws: Callable[[Reading], Drawing]


def number(x: float) -> str:
    """A number for a sentence, rounding error as 0."""
    return significant(x, ROUNDING)


def pictures(instrument: str, readings: Sequence[Reading]) -> list[Drawing]:
    """What an instrument reads of each model, all on one scale; NaN is None."""
    panel, drawn, rows = PANELS[instrument], [], _telling(*(reading.values for reading in readings))
    known = [float(np.nan_to_num(reading.values).max()) for reading in readings]
    for reading in readings:
        shape = panel.draws(reading)
        top = max(*known, shape.get("healthy", 0)) or 1
        values = reading.values.round(5).astype(object)
        values[np.isnan(reading.values)] = None
        if rows:
            shape["labels"], values = [shape["labels"][row] for row in rows], values[rows]
            shape["axes"] += f" · the {MOST} of {len(reading.values)} that differ most"
        drawn.append(shape | {"top": top, "values": values.tolist(), "reads": panel.reads(reading)})
    return drawn


def _telling(healthy: np.ndarray, faulty: np.ndarray) -> list[int]:
    """Of bars that are all alike in a healthy model, the few that differ most from it; of others none."""
    if healthy.ndim > 1 or healthy.shape != faulty.shape or len(healthy) <= MOST or not np.ptp(healthy) <= ROUNDING:
        return []
    changes = np.nan_to_num(np.abs(faulty - healthy), nan=np.inf)
    return sorted(np.argsort(-changes, kind="stable")[:MOST].tolist()) if changes.max() > ROUNDING else []


def _cells(titles: tuple[str, str], value: str, hue: str = "positive") -> Callable[[Reading], Drawing]:
    """A map of cells; hue: of the largest number, and only attention weights are violet."""

    def draw(reading: Reading) -> Drawing:
        rows, columns = reading.labels, reading.others or reading.labels
        axes = f"row: {titles[0]} · column: {titles[1]} · colour: {value}"
        return {"kind": "cells", "rows": rows, "columns": columns, "stairs": reading.causal, "hue": hue, "axes": axes}

    return draw


def _heights(reading: Reading) -> list[str]:
    return ["input", *(f"layer {n}" for n in range(len(reading.values) - 1))]


def _nan_cells(reading: Reading) -> Drawing:
    axes = "row: after which layer · column: token · colour: share of NaN"
    shape = {"kind": "cells", "rows": _heights(reading), "columns": reading.labels, "stairs": False}
    return shape | {"hue": "positive", "axes": axes}


def _bars(
    what: str,
    labels: Callable[[Reading], Sequence[str]] = lambda reading: reading.labels,
    healthy: float = 0,
    hue: str = "positive",
) -> Callable[[Reading], Drawing]:
    shape = {"kind": "bars", "healthy": healthy, "hue": hue, "axes": what}
    return lambda reading: shape | {"labels": list(labels(reading))}


def _counted(word: str) -> Callable[[Reading], list[str]]:
    return lambda reading: [f"{word} {n}" for n in range(len(reading.values))]


def _curves(*titles: str) -> Callable[[Reading], Drawing]:
    axes = "across: step of training · up: loss, from 0"
    return lambda reading: {"kind": "curves", "names": titles, "axes": axes}


def _share(n: int, of: int) -> str:
    return f"{n} of {of}"


def _many(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _reads_weights(reading: Reading) -> str:
    values = reading.values
    if np.isnan(values).any():
        return f"{_share(int(np.isnan(values).sum()), values.size)} attention weights are not numbers (NaN)."
    if reading.causal:
        n = int((np.triu(values, 1) > 0).sum())
        if n == 0:
            return "No attention weight lies on a later token."
        return f"{_many(n, 'attention weight')} {'lies' if n == 1 else 'lie'} on later tokens."
    pads = [n for n, label in enumerate(reading.labels) if "pad" in label]
    if pads:
        largest = number(float(values[:, pads].max()))
        some = f"Padding gets attention weights of up to {largest}."
        return "Padding gets no attention." if largest == "0" else some
    return f"The largest attention weight is {number(float(values.max()))}."


def _reads_sums(reading: Reading) -> str:
    off, n = int((np.abs(reading.values - 1) > ROUNDING).sum()), len(reading.values)
    if off == 0:
        return f"All {n} rows add up to 1."
    return f"{_share(off, n)} rows {'does' if off == 1 else 'do'} not add up to 1."


def _reads_changes(reading: Reading) -> str:
    if reading.causal:
        later = reading.values[np.triu_indices_from(reading.values, 1)]
        moved = int((later > ROUNDING).sum())
        if moved == 0:
            return "No later token changes an output."
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
        return same if largest == "0" else changes.format(f"{largest}")

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
        return f"Every layer gets a gradient of the same length, {most}."
    return f"Every layer gets a gradient, of a length from {least} to {most}."


def _reads_optimiser(reading: Reading) -> str:
    whole = int((reading.values == 1).sum())
    have, own = ("has", "its") if whole == 1 else ("have", "their")
    return f"{_share(whole, len(reading.values))} layers {have} parameters of {own} own in the optimiser."


def _reads_likeness(reading: Reading) -> str:
    first, last = number(float(reading.values[0])), number(float(reading.values[-1]))
    return f"From the input to the top, the mean cosine of two tokens goes from {first} to {last}."


def _reads_spreads(of: str) -> Callable[[Reading], str]:
    def read(reading: Reading) -> str:
        smallest, largest = number(float(reading.values.min())), number(float(reading.values.max()))
        if smallest == largest:
            return f"The {of} have a standard deviation of {smallest}."
        return f"The {of} have standard deviations from {smallest} to {largest}."

    return read


def _reads_shapes(reading: Reading) -> str:
    _, _, outputs, target = (int(n) for n in reading.values)
    return f"{outputs} output vectors for {target} target tokens."


def _reads_cross(reading: Reading) -> str:
    return f"The {len(reading.labels)} queries are “{reading.labels[0]} … {reading.labels[-1]}”."


def _reads_precision(reading: Reading) -> str:
    first, _, out = (int(n) for n in reading.values)
    return f"{first} bytes per number go in, and {out} come out."


def _reads_lookup(reading: Reading) -> str:
    wrong = int((reading.values != 0).sum())
    return f"{_share(wrong, len(reading.values))} words get the row of another word."


def _reads_range(reading: Reading) -> str:
    largest, last = (int(n) for n in reading.values)
    if largest == last:
        return f"The largest id and the last row have the same number: {largest}."
    return f"The largest id is {largest}, but the last row has the number {last}."


def _reads_loss(reading: Reading) -> str:
    first, last = number(float(reading.values[0][0])), number(float(reading.values[0][-10:].mean()))
    return f"The loss goes from {first} to {last}."


def _reads_losses(reading: Reading) -> str:
    reported, honest = (float(row[-10:].mean()) for row in reading.values)
    if np.isclose(reported, honest, rtol=0.01):
        return f"The log and the loss of the next word agree: {number(reported)}."
    return f"The log says {number(reported)}, but the loss of the next word is {number(honest)}."


PANELS: dict[str, Panel] = {
    names.WEIGHTS: Panel(_reads_weights, _cells(("query", "key"), "attention weight", "weight")),
    names.ROW_SUMS: Panel(_reads_sums, _bars("each query: the sum of its attention weights", healthy=1, hue="weight")),
    names.CHANGES: Panel(_reads_changes, _cells(("output", "token replaced"), "change")),
    names.REPEATS: Panel(
        _reads_largest("The two runs differ by up to {}.", "The two runs give the same outputs."),
        _bars("each output: how far the two runs differ"),
    ),
    names.SWAPS: Panel(_reads_swaps, _bars("each output: how far it changes")),
    names.COMPANY: Panel(
        _reads_largest("Beside other texts, an output changes by up to {}.", "Other texts change nothing."),
        _bars("each output: how far it changes"),
    ),
    names.PADDING: Panel(
        _reads_largest("Padding changes the answer by up to {}.", "Padding changes nothing."),
        _bars("columns of padding: how far the answer changes", lambda r: [str(n) for n in range(len(r.values))]),
    ),
    names.CACHE: Panel(
        _reads_largest("With the cache, an output differs by up to {}.", "With the cache, the outputs are the same."),
        _bars("each output: how far it differs"),
    ),
    names.MISSING: Panel(_reads_nan, _nan_cells),
    names.SPREADS: Panel(_reads_spreads("scores"), _bars("each head: spread of its scores", _counted("head"), 1)),
    names.TOKEN_SPREADS: Panel(_reads_spreads("tokens"), _bars("each token: spread of its numbers", healthy=1)),
    names.LIKENESS: Panel(_reads_likeness, _bars("mean cosine of two tokens", _heights)),
    names.GRADIENTS: Panel(_reads_gradients, _bars("length of the gradient", _counted("layer"))),
    names.OPTIMISED: Panel(
        _reads_optimiser, _bars("share of its tensors that the optimiser has", _counted("layer"), 1)
    ),
    names.CROSS: Panel(_reads_cross, _cells(("query", "key"), "attention weight", "weight")),
    names.SHAPES: Panel(
        _reads_shapes, _bars("how many there are", lambda _: ["queries", "keys", "outputs", "target tokens"])
    ),
    names.PRECISION: Panel(_reads_precision, _bars("bytes per number", lambda _: ["input", "table", "output"], 2)),
    names.LOOKED_UP: Panel(
        _reads_lookup,
        _bars("rows from a word to what is read", lambda r: list(map("{} → {}".format, r.labels, r.others))),
    ),
    names.ID_RANGE: Panel(_reads_range, _bars("number", lambda _: ["largest id", "last row"])),
    names.LOSS: Panel(_reads_loss, _curves("loss in the log")),
    names.LOSSES: Panel(_reads_losses, _curves("loss in the log", "loss of the next word")),
}  # those of which the answers of both models say as much have none
