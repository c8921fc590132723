"""What the tests of this page share: its link, and what the mask brush was sent."""

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.pages import driver

SIX = "one two three four five six"
QUERY, KEY = np.indices((6, 6))
MASKS = {  # for SIX, with a span of 3
    "none": KEY >= 0,
    "causal": KEY <= QUERY,
    "window": abs(QUERY - KEY) < 3,
    "causal window": (KEY <= QUERY) & (QUERY - KEY < 3),
    "causal prefix": (KEY <= QUERY) | (KEY < 3),
    "padding": KEY < 3,
}
HOLE = np.tri(6, dtype=bool)  # causal, but for one cell
HOLE[1, 4] = True


def visit(text: str | None = SIX, **link: Any) -> AppTest:
    """The page with this text, read by an untrained model; without one, as it opens."""
    read: dict[str, Any] = {} if text is None else {"text": text, "weights": "untrained"}
    return driver.visit("masks", **read | link)


def payload(at: AppTest) -> dict[str, Any]:
    """What the only brush was sent."""
    (data,) = (sent for sent in driver.payloads(at) if isinstance(sent, dict) and "panels" in sent)
    return data


def panels(at: AppTest) -> dict[str, dict[str, Any]]:
    """The panels of the brush by title, with their numbers and cells as matrices; NaN where there is none."""
    by_title = {}
    for panel in payload(at)["panels"]:
        shape = len(panel["queries"]), len(panel["keys"])
        for name, dtype in (("values", float), ("mask", bool)):
            if panel[name] is not None:
                panel[name] = np.array(panel[name], dtype).reshape(shape)
        by_title[panel["title"]] = panel
    return by_title
