"""What stops of the first lesson say of their pictures, each with its counterfactual."""

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from lab.kit.lessons import shelf
from tests.pages import driver
from tests.pages.driver import charts, payload, payloads, words


def visit(heading: str, **link: str) -> AppTest:
    """The view of the stop with this heading, with these settings changed."""
    (stop,) = [stop for stop in shelf.lesson("attention").stops if stop.heading == heading]
    query: dict[str, Any] = {**dict(stop.link.settings), **link}
    return driver.visit(stop.link.page, **query)


def test_the_mask_hides_something_in_the_row_that_is_held_and_in_the_last_nothing() -> None:
    at = visit("One row, step by step")
    (steps,) = [data for data in payloads(at) if isinstance(data, dict) and "stages" in data]
    assert len(steps["matrices"]["q"][0]) == 32
    held = int(at.query_params["att_from"]) - 1
    assert steps["labels"][held] == "red"
    masked = {stage["name"]: stage["rows"] for stage in steps["stages"]}["masked"]
    assert masked[held].count(None) == len(masked) - 1 - held == 1
    assert None not in masked[-1], "the row by which nothing is seen of the mask"
    assert masked[held][int(at.query_params["att_to"]) - 1] is not None
    scores, scaled = (stage["rows"] for stage in steps["stages"][:2])
    np.testing.assert_allclose(np.array(scores) / 32**0.5, scaled, rtol=1e-5)


def test_a_model_that_sees_all_does_not_notice_the_order_and_one_with_a_mask_does() -> None:
    seen = {}
    for model in ("Encoder", "Decoder"):
        for positions in ("none", "sinusoidal"):
            at = visit("Does order matter?", model=model, positions=positions)
            seen[model, positions] = max(payload(at)["moved"])
    assert seen.pop(("Encoder", "none")) < 1e-5
    assert min(seen.values()) > 0.1
    assert "The model did not notice" in words(visit("Does order matter?"))
    assert "It noticed, without any positions" in words(visit("Does order matter?", model="Decoder"))


def titles(at: AppTest) -> list[str]:
    return [drawn["layout"].get("title", {}).get("text", "") for drawn in charts(at)]


def test_two_heads_keep_apart_what_one_blends() -> None:
    at = visit("Why several heads")
    assert "<b>One head</b>: the two mixes come out <b>0</b> apart" in titles(at)
    assert "<b>Two heads</b>: the two mixes come out <b>1</b> apart" in titles(at)
    uneven = titles(visit("Why several heads", att_share="70"))
    assert "<b>One head</b>: the two mixes come out <b>0</b> apart" not in uneven
