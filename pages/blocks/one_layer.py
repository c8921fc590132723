"""One layer: what it makes of a token, whole or station by station, below it what happens at the station that is open,
and in folds what is to be said of attention, of training and of the parameters."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from lab.kit import settings
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View, places
from lab.kit.words import brief
from pages.blocks import data, dropout, feed_forward, figures, layer_norm, linearity, shapes, stack, sublayers
from pages.blocks.components.layer_river import Station, Units, layer_river, pack
from pages.blocks.openings.data import openings
from pages.blocks.station_figures import HELP, STATIONS
from pages.blocks.stations import Result, Settings

KEY = "blocks_step"  # in links, and in st.session_state once a station was chosen: the name of the open one
RIVER = "blocks_river"
WHOLE = "the whole layer"  # in place of a station: none is open
FOLDS = (linearity, shapes, dropout)
DRAW = {
    "in": sublayers.draw_stream,
    "norm1": layer_norm.draw,
    "attention": sublayers.draw_attention,
    "add1": sublayers.draw_addition,
    "norm2": layer_norm.draw,
    "feed_forward": feed_forward.draw,
    "add2": sublayers.draw_addition,
}


def layout() -> Mapping[str, Any]:
    river, station, picture = (st.container() for _ in range(3))
    with display.prose():
        above, batch, below = (st.container() for _ in range(3))
    folds = {fold.OPEN: st.expander(fold.TITLE, key=fold.OPEN, bind="query-params") for fold in FOLDS}
    return folds | {
        "river": river,
        "station": station,
        "picture": picture,
        "above": above,
        "batch": batch,
        "below": below,
    }


def ask() -> Settings | None:
    chosen = stack.ask_stack(stack.places(), layer=True)
    if chosen is None:
        return None
    step, is_whole = _open_step()
    batch, figure = layer_norm.BATCH, feed_forward.FIRING
    if step == "norm1":
        with settings.place_named("batch"):
            batch = layer_norm.ask_batch()
    if step == "feed_forward":
        with settings.place_named("station"):
            figure = feed_forward.ask_figure()
    folds = tuple(fold.OPEN for fold in FOLDS if st.session_state.get(fold.OPEN))
    dropped = None
    if dropout.OPEN in folds:
        with settings.place_named(dropout.OPEN):
            dropped = dropout.ask()
    return Settings(chosen, step, batch, figure, folds, dropped, is_whole)


def _open_step() -> tuple[str, bool]:
    """The station that was chosen or that the link names; where it is none, the first one, and True."""
    asked = st.session_state.get(KEY) or st.query_params.get(KEY) or WHOLE
    steps = {name.casefold(): step for step, name in STATIONS.items()}
    step = steps.get(str(asked).casefold())
    if step is None and asked != WHOLE:
        settings.notify(f"A layer has no station {brief(asked)}, so you see the whole layer.")
    return step or "in", step is None


def compute(s: Settings) -> Result:
    ref, tokens, layer = s.stack.ref, s.stack.tokens, s.stack.layer
    fed = data.feed_forward(ref, tokens, layer)
    return Result(
        data.stages(ref, tokens, layer),
        data.attention_weights(ref, tokens, layer),
        data.said_within(ref, tokens, layer),
        openings(ref, tokens, layer),
        data.batch_dependence(ref, tokens, layer, s.batch) if s.step == "norm1" else None,
        fed,
        data.unit_shares(ref, layer, fed),
        linearity.compute(s.stack) if linearity.OPEN in s.folds else None,
        shapes.compute(s.stack) if shapes.OPEN in s.folds else None,
        dropout.compute(s.stack, s.dropped) if s.dropped else None,
    )


def draw(s: Settings, result: Result) -> None:
    with places()["river"]:
        lit = "" if s.is_whole else s.step
        packed = pack(
            s.stack.tokens,
            _stations(s, result),
            result.weights,
            lit,
            Units(result.fed.firing, result.units),
            result.said,
            usual=s.stack.usual_lane,
            speaks_at=s.stack.speaks_at,
            parallel=s.stack.config.parallel,
            opened=result.openings.packed() if result.openings else None,
        )
        layer_river(packed, key=RIVER, on_choose=_choose)
    DRAW[s.step](s, result)
    if result.linear:
        with places()[linearity.OPEN]:
            linearity.draw(result.linear)
    if result.table:
        with places()[shapes.OPEN]:
            shapes.draw(s.stack, result.table)
    if s.dropped and result.dropped:
        with places()[dropout.OPEN]:
            dropout.draw(s.stack, s.dropped, result.dropped)


def _choose() -> None:
    step = sent(RIVER, "step", str)
    if step in STATIONS or step == WHOLE:
        st.session_state[KEY] = STATIONS.get(step, WHOLE)


def _stations(s: Settings, result: Result) -> list[Station]:
    """The steps of the layer in its order, with the sizes of what leaves them."""
    config, T = s.stack.config, len(s.stack.tokens)
    usual = f"({T}, {config.d_model})"
    shapes = {"attention": f"({config.n_heads}, {T}, {T})", "feed_forward": f"{usual} via {config.d_ff}"}
    labels = {"in": "Stream in", "norm": "Layer norm", "add": "Add +"}
    return [
        Station(
            step,
            STATIONS[step],
            labels.get(step.rstrip("12"), STATIONS[step].capitalize()),
            shapes.get(step, usual),
            HELP[step],
            result.is_stream(step),
            values,
        )
        for step, values in result.stages.items()
    ]


def _title(s: Settings) -> str:
    return "the hidden units" if s.step == "feed_forward" else STATIONS[s.step]


def _numbers(s: Settings, result: Result) -> Sheet:
    return figures.stream_sheet(
        result.fed.hidden if s.step == "feed_forward" else result.stages[s.step], s.stack.tokens
    )


VIEW = View(ask, compute, draw, comparison=Comparison(_title, _numbers), layout=layout)
