"""The film of a training: its curves, and its attention on the probes in one small picture per snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from transformer.training.tasks.task import Example, Sight, Task, Tokeniser
from transformer.training.text import BOS, EOS
from transformer.training.trainer import Snapshot
from transformer.training.writing import Question, Written, question

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


class Script(NamedTuple):
    """What the model is asked, and how to read its answers.

    questions  of every probe
    reads      for every probe: the labels of what the model is given
    words      the label of every token that it may write
    separator  what stands between two tokens on screen
    sight      how pictures are read, which the questions then hold; None where texts are
    """

    questions: tuple[Question, ...]
    reads: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    separator: str = " "
    sight: Sight | None = None

    @property
    def n_choices(self) -> int:
        """How many tokens a model chooses from at a time."""
        return len(self.sight.options[0]) if self.sight else len(self.words)

    @property
    def curves(self) -> tuple[str, ...]:
        """The names of curves that a film has besides CURVES: of right answers to each question about a picture."""
        return self.sight.questions if self.sight else ()


class Legend(NamedTuple):
    """What is needed besides snapshots to make a film, and to say what its numbers mean.

    parts       names of the parts of the model
    axes        for every probe: kind of attention -> Axes
    vocabulary  tokens that the model chooses from
    script      what it is asked; None where that is not known
    """

    parts: tuple[str, ...]
    axes: tuple[dict[str, Axes], ...]
    vocabulary: int
    script: Script | None = None

    def film(self, snapshots: Sequence[Snapshot]) -> "Film":
        """The film of these snapshots, which are in the order of their steps."""
        missing = (np.nan,) * len(self.parts)
        return Film(
            steps=np.array([s.step for s in snapshots]),
            curves=_curves(snapshots, self.script.curves if self.script else ()),
            parts=self.parts,
            grad_norms=np.array([missing if s.grad_norms is None else s.grad_norms for s in snapshots], dtype=float),
            frames=tuple(
                {kind: np.stack([small(s.attention[p][kind]) for s in snapshots]) for kind in snapshots[0].attention[p]}
                for p in range(len(self.axes))
            ),
            axes=self.axes,
            written=_stacked(snapshots) if self.script else (),
            script=self.script,
        )


def _curves(snapshots: Sequence[Snapshot], questions: Sequence[str]) -> dict[str, np.ndarray]:
    curves = {name: [getattr(s, name) for s in snapshots] for name in CURVES}
    curves |= {question: [s.right[question] for s in snapshots] for question in questions}
    return {name: np.array(values, dtype=float) for name, values in curves.items()}


def _stacked(snapshots: Sequence[Snapshot]) -> tuple[Written, ...]:
    """What was written on every probe, over all snapshots; () if one of them does not know."""
    if not all(s.written for s in snapshots):
        return ()
    by_probe = zip(*(s.written for s in snapshots), strict=True)
    return tuple(Written(np.stack([w.ids for w in some]), np.stack([w.chances for w in some])) for some in by_probe)


@dataclass(frozen=True, eq=False, kw_only=True)
class Film:
    """A training, frame by frame.

    steps       (N,) the step of every frame
    curves      the names of CURVES, and of script.curves, -> (N,) float; NaN where there was nothing to measure
    parts       names of the parts of the model;  grad_norms (N, parts), NaN at step 0
    frames      for every probe: kind of attention -> (N, L, H, T, S) uint8, 255 = a weight of 1
    axes        for every probe: kind of attention -> Axes
    written     for every probe: Written with a first axis of N more; () in a film that does not know
    script      what was asked; None in a film that does not know
    """

    steps: np.ndarray
    curves: dict[str, np.ndarray]
    parts: tuple[str, ...]
    grad_norms: np.ndarray
    frames: tuple[dict[str, np.ndarray], ...]
    axes: tuple[dict[str, Axes], ...]
    written: tuple[Written, ...] = ()
    script: Script | None = None

    def __len__(self) -> int:
        return len(self.steps)

    def thinned(self, max_frames: int) -> "Film":
        """The film with at most this many frames, the first and the last among them, and more where more happens."""
        if len(self) <= max_frames:
            return self
        if max_frames < 2:
            return self._only(slice(0, max_frames))
        way = self._way()
        nearest = np.searchsorted(way, np.linspace(0, way[-1], max_frames))
        chosen = sorted({0, len(self) - 1, *np.minimum(nearest, len(self) - 1).tolist()})
        # Where frames of the same moment were asked for twice, the widest gaps are filled.
        while len(chosen) < max_frames:
            gap = max(range(len(chosen) - 1), key=lambda n: chosen[n + 1] - chosen[n])
            chosen.insert(gap + 1, (chosen[gap] + chosen[gap + 1]) // 2)
        return self._only(np.array(chosen))

    def _way(self) -> np.ndarray:
        """How far the training has come at each frame, (N,): half by the frames, half by how much the loss moved."""
        moves = np.abs(np.diff(np.nan_to_num(self.curves["val_loss"])))
        moves = moves / moves.sum() if moves.sum() > 0 else moves
        return np.concatenate([[0.0], np.cumsum(moves + 1 / len(moves))])

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
            written=tuple(Written(w.ids[frames], w.chances[frames]) for w in self.written),
            script=self.script,
        )

    def alignment_mass(self, probe: int, kind: str) -> np.ndarray:
        """The attention weight of each head on the true alignment: (N, L, H), averaged over the rows that have one."""
        return alignment_mass(self.frames[probe][kind] / np.float32(255), self.axes[probe][kind].alignment)


def legend_of(task: Task, parts: Sequence[str]) -> Legend:
    """The legend of a film of this task, and of a model with these parts."""
    labels = tuple(axes(task, probe) for probe in task.probes)
    return Legend(tuple(parts), labels, task.n_choices, script_of(task))


def script_of(task: Task) -> Script:
    """What a model of this task is asked on its probes."""
    questions = tuple(question(task, probe) for probe in task.probes)
    reads = tuple(() if task.sight else _labels(task.source, q.reads) for q in questions)
    return Script(questions, reads, _labels(task.target, range(len(task.target))), task.separator, task.sight)


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
        written=tuple(
            Written(np.concatenate([a.ids, b.ids]), np.concatenate([a.chances, b.chances]))
            for a, b in zip(first.written, then.written, strict=bool(first.written and then.written))
        ),
        script=first.script,
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
    if task.sight:
        return {"encoder": _of_patches(task.sight, example)}
    if task.kind == "encoder":
        read = _labels(task.source, (BOS, *example.source))
        return {"encoder": Axes(read, read, tuple((0, 1 + j) for _, j in example.alignment))}
    read = _labels(task.source, (BOS, *example.source, *example.target))
    # Target token i is written by the row that has just read the token before it; <bos> moves every column by one.
    alignment = tuple((len(example.source) + i, 1 + j) for i, j in example.alignment)
    return {"decoder": Axes(read, read, alignment)}


def _of_patches(sight: Sight, example: Example) -> Axes:
    """The class token and all patches; where the answers are read, the patches that hold a thing are the right ones."""
    patches = range(sight.across**2)
    places = (f"row {n // sight.across + 1}, column {n % sight.across + 1}" for n in patches)
    read = ("class token", *places)
    things = sorted({patch for _, patch in example.alignment})
    return Axes(read, read, tuple((row, 1 + patch) for row in sight.rows for patch in things))


def _labels(tokeniser: Tokeniser, ids: Sequence[int]) -> tuple[str, ...]:
    return tuple(tokeniser.label(id) for id in ids)
