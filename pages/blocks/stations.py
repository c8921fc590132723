"""What the stations of a layer have in common: the settings of the view, and the numbers of all of them."""

from typing import NamedTuple

import numpy as np

from pages.blocks import dropout, shapes
from pages.blocks.data import Linearity, Said
from pages.blocks.openings.data import Openings
from pages.blocks.stack import Stack
from transformer import inspection


class Settings(NamedTuple):
    """step: the station that is open; batch: sentences computed together; figure: of the feed-forward layer; folds:
    those that are open; dropped: what the one on dropout asks; is_whole: whether no station is lit."""

    stack: Stack
    step: str
    batch: int
    figure: str
    folds: tuple[str, ...] = ()
    dropped: dropout.Settings | None = None
    is_whole: bool = False

    @property
    def activation(self) -> str:
        """The name of the activation in use."""
        return {"relu": "ReLU", "silu": "SiLU"}.get(self.stack.config.activation, "GELU")


class Result(NamedTuple):
    """The numbers of one layer.

    stages   (T, D) what leaves each step, in the layer's order
    weights  (H, T, T) attention weights
    said     what the model would say if it stopped within the layer
    openings  what it would say behind it if the sublayers added less
    batch    the largest change by the other sentences of a batch: with layer norm, with batch norm; at its station only
    fed      the feed-forward layer
    units    (T, F) the share that each of its hidden units has in what it adds
    linear, table, dropped  of the folds that are open
    """

    stages: dict[str, np.ndarray]
    weights: np.ndarray
    said: Said | None
    openings: Openings | None
    batch: tuple[float, float] | None
    fed: "inspection.blocks.FeedForwardRun"
    units: np.ndarray
    linear: Linearity | None = None
    table: shapes.Result | None = None
    dropped: dropout.Result | None = None

    def before(self, step: str) -> str:
        """The step before this one."""
        steps = list(self.stages)
        return steps[steps.index(step) - 1]

    def is_stream(self, step: str) -> bool:
        """Whether the stream itself leaves this step, and not what is to be added to it."""
        if step.startswith("norm"):  # before a sublayer it normalises a copy
            return self.before(step).startswith("add") and list(self.stages).index("norm1") > 1
        return step == "in" or step.startswith("add")

    def met(self, step: str) -> np.ndarray:
        """The stream that arrives at an addition: as it was before the sublayer."""
        steps = list(self.stages)
        return self.stages[next(s for s in reversed(steps[: steps.index(step)]) if self.is_stream(s))]
