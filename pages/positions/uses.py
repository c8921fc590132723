"""What positions let a head do, and what becomes of it in texts longer than those of training."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.positions import data, look_back, too_far
from pages.positions.controls import settings_line
from pages.shared import settings
from pages.shared.compare_figures import Sheet
from pages.shared.view import Comparison, View


class Settings(NamedTuple):
    back: look_back.Settings
    far: too_far.Settings


class Result(NamedTuple):
    back: data.LookBack
    far: too_far.Result


def ask() -> Settings:
    with settings.place_named("row"):
        positions = look_back.ask_positions()
    with settings_line():
        return Settings(look_back.ask(positions), too_far.ask())


def compute(s: Settings) -> Result:
    return Result(look_back.compute(s.back), too_far.compute(s.far))


def draw(s: Settings, result: Result) -> None:
    left, right = st.columns([4, 5], gap="large")
    with left:
        look_back.draw_figure(s.back, result.back)
    with right:
        too_far.draw_figure(s.far, result.far)
    left, right = st.columns(2, gap="large")
    with left:
        look_back.draw_words(s.back, result.back)
    with right:
        too_far.draw_words(s.far, result.far)


def _weights(s: Settings, result: Result) -> Sheet:
    return Sheet(np.asarray(result.back.weights), "weight", ("query", "key"))


VIEW = View(
    "What they can do", ask, compute, draw,
    question="A head that looks exactly k positions back, and what lies past the longest text of training",
    comparison=Comparison("where the head looks", _weights),
    height=430,
    lede="On the left, a head that finds the word k places back. On the right, what each way makes of texts longer than"
    " in training.",
)  # fmt: skip
