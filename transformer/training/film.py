"""The film of a training: its curves, and its attention on the probes in one small picture per snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from transformer.training.tasks.task import Example, Task, Tokeniser
from transformer.training.text import BOS, EOS
from transformer.training.trainer import Snapshot

CURVES = ("loss", "val_loss", "accuracy", "exact", "lr", "grad_norm", "weight_norm", "seconds")


class Axes(NamedTuple):
    """The labels along an attention map, and the true alignment in it.

    queries    labels of the rows: the token just read, or for cross-attention the token to be written
    keys       labels of the columns, in the order they were read
    alignment  cells (row, column) of the true alignment; empty for a kind of attention that it does not concern
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]


class Legend(NamedTuple):
    """What is needed besides snapshots to make a film, and to say what its numbers mean.

    parts       names of the parts of the model
    axes        for every probe: kind of attention -> Axes
    vocabulary  tokens that the model chooses from
    """

    parts: tuple[str, ...]
    axes: tuple[dict[str, Axes], ...]
    vocabulary: int

    def film(self, snapshots: Sequence[Snapshot]) -> "Film":
        """The film of these snapshots, which are in the order of their steps."""
        missing = (np.nan,) * len(self.parts)
        return Film(
            steps=np.array([s.step for s in snapshots]),
            curves={name: np.array([getattr(s, name) for s in snapshots], dtype=float) for name in CURVES},
            parts=self.parts,
            grad_norms=np.array([missing if s.grad_norms is None else s.grad_norms for s in snapshots], dtype=float),
            frames=tuple(
                {kind: np.stack([small(s.attention[p][kind]) for s in snapshots]) for kind in snapshots[0].attention[p]}
                for p in range(len(self.axes))
            ),
            axes=self.axes,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Film:
    """A training, frame by frame.

    steps       (N,) the step of every frame
    curves      the names of CURVES -> (N,) float; NaN where there was nothing to measure
    parts       names of the parts of the model;  grad_norms (N, parts), NaN at step 0
    frames      for every probe: kind of attention -> (N, L, H, T, S) uint8, 255 = a weight of 1
    axes        for every probe: kind of attention -> Axes
    """

    steps: np.ndarray
    curves: dict[str, np.ndarray]
    parts: tuple[str, ...]
    grad_norms: np.ndarray
    frames: tuple[dict[str, np.ndarray], ...]
    axes: tuple[dict[str, Axes], ...]

    def __len__(self) -> int:
        return len(self.steps)

    def thinned(self, max_frames: int) -> "Film":
        """The film with at most this many frames: evenly spaced, the first and the last among them."""
        if len(self) <= max_frames:
            return self
        return self._only(np.unique(np.linspace(0, len(self) - 1, max_frames).round().astype(int)))

    def after(self, first: int) -> "Film":
        """The frames from this one on."""
        return self._only(slice(first, None))

    def until(self, step: int) -> "Film":
        """The frames up to this step."""
        return self._only(slice(None, int(np.searchsorted(self.steps, step, side="right"))))

    def _only(self, frames: np.ndarray | slice) -> "Film":
        return Film(
            steps=self.steps[frames],
            curves={name: curve[frames] for name, curve in self.curves.items()},
            parts=self.parts,
            grad_norms=self.grad_norms[frames],
            frames=tuple({kind: maps[frames] for kind, maps in probe.items()} for probe in self.frames),
            axes=self.axes,
        )

    def alignment_mass(self, probe: int, kind: str) -> np.ndarray:
        """The attention weight of each head on the true alignment: (N, L, H), averaged over the rows that have one."""
        return alignment_mass(self.frames[probe][kind] / np.float32(255), self.axes[probe][kind].alignment)


def legend_of(task: Task, parts: Sequence[str]) -> Legend:
    """The legend of a film of this task, and of a model with these parts."""
    return Legend(tuple(parts), tuple(axes(task, probe) for probe in task.probes), len(task.target))


def film_of(task: Task, parts: Sequence[str], snapshots: Sequence[Snapshot]) -> Film:
    """The film of these snapshots, which are in the order of their steps."""
    return legend_of(task, parts).film(snapshots)


def joined(first: Film, then: Film) -> Film:
    """The film that begins with the one and continues with the other; both are of one training."""
    return Film(
        steps=np.concatenate([first.steps, then.steps]),
        curves={name: np.concatenate([curve, then.curves[name]]) for name, curve in first.curves.items()},
        parts=first.parts,
        grad_norms=np.concatenate([first.grad_norms, then.grad_norms]),
        frames=tuple(
            {kind: np.concatenate([maps, more[kind]]) for kind, maps in probe.items()}
            for probe, more in zip(first.frames, then.frames, strict=True)
        ),
        axes=first.axes,
    )


def small(weights: np.ndarray) -> np.ndarray:
    """Weights from 0 to 1 as uint8, 255 = 1; off by at most 1/510. Those that are small already stay as they are."""
    return weights if weights.dtype == np.uint8 else np.rint(weights * 255).astype(np.uint8)


def shrunk(snapshot: Snapshot) -> Snapshot:
    """The snapshot with its attention as a film keeps it, in a quarter of the bytes."""
    return replace(
        snapshot, attention=tuple({kind: small(w) for kind, w in probe.items()} for probe in snapshot.attention)
    )


def alignment_mass(weights: np.ndarray, alignment: Sequence[tuple[int, int]]) -> np.ndarray:
    """The attention weight per row on the true alignment, averaged over the rows that have one. (..., T, S) -> (...)"""
    rows = sorted({row for row, _ in alignment})
    if not rows:
        return np.full(weights.shape[:-2], np.nan)
    marked = np.zeros(weights.shape[-2:], dtype=bool)
    marked[tuple(np.array(alignment).T)] = True
    return (weights * marked)[..., rows, :].sum(-1).mean(-1)


def axes(task: Task, example: Example) -> dict[str, Axes]:
    """The labels and the true alignment of every kind of attention that a model has on this example."""
    if task.kind == "encoder-decoder":
        source = _labels(task.source, example.source)
        read = _labels(task.target, (BOS, *example.target))
        written = _labels(task.target, (*example.target, EOS))
        return {
            "encoder": Axes(source, source, ()),
            "decoder": Axes(read, read, ()),
            "cross": Axes(written, source, example.alignment),
        }
    if task.kind == "encoder":
        read = _labels(task.source, (BOS, *example.source))
        return {"encoder": Axes(read, read, tuple((0, 1 + j) for _, j in example.alignment))}
    read = _labels(task.source, (BOS, *example.source, *example.target))
    # Target token i is written by the row that has just read the token before it; <bos> moves every column by one.
    alignment = tuple((len(example.source) + i, 1 + j) for i, j in example.alignment)
    return {"decoder": Axes(read, read, alignment)}


def _labels(tokeniser: Tokeniser, ids: Sequence[int]) -> tuple[str, ...]:
    return tuple(tokeniser.label(id) for id in ids)
