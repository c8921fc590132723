"""Visits to the app as its server runs them, and what a visitor finds on screen, for the tests of pages.

at = visit("positions", pos_view="Waves", d_model=16)
at = choose(at, pos_pair=3)
assert notices(at) == ""
assert chart(at)["data"][0]["z"].shape == (200, 16)
"""

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from lab.kit import compare, settings
from lab.kit.catalogue import PAGES

APP = Path(__file__).parents[2] / "app.py"
TIMEOUT = 300.0  # seconds; reached only if something hangs
_WORDS = ".sentence_words"
CHOICES = ("segmented_control", "select_slider", "selectbox")
CONTROLS = (*CHOICES, "text_input", "text_area", "number_input", "slider", "toggle", "checkbox", "radio", "multiselect")


# ---- visits --------------------------------------------------------------------------------------------------------


def open_page(at: AppTest, url: str) -> AppTest:
    """Point a visitor at the page with this path ("" for the front page); the next run shows it."""
    # switch_page() knows a page by the name of its file until the app has run once. All of ours are called page.py,
    # so the page is named as st.navigation names it: by its path.
    at._page_hash = calc_hash(url)
    return at


def visit(url: str, /, *, session: Mapping[str, Any] | None = None, timeout: float = TIMEOUT, **link: Any) -> AppTest:
    """The page at this path as a link with these settings opens it; a setting that is None is not in the link.

    `session` is what the visitor's session holds before, such as {HAND_OVER: checkpoint}.
    """
    at = AppTest.from_file(str(APP), default_timeout=timeout)
    for name, value in link.items():
        if value is not None:
            at.query_params[name] = str(value)
    for name, value in (session or {}).items():
        at.session_state[name] = value
    return checked(open_page(at, url).run())


def pin(at: AppTest) -> AppTest:
    """A is what is on screen, just as it is: a press of Compare would make it differ in one setting."""
    with patch.object(compare, "contrasts", lambda answers, telling: [answers]):
        return press(at, "pin")


def checked(at: AppTest) -> AppTest:
    """The same visit; fails where the page shows an exception, or a control whose name in links breaks the law."""
    assert not at.exception, [error.message for error in at.exception]
    assert not unprefixed(at), f"begin with the prefix of the page, or declare (settings.share): {unprefixed(at)}"
    return at


def unprefixed(at: AppTest) -> list[str]:
    """Settings in the address that neither begin with the prefix of their page nor are declared to be shared."""
    ended_on = at._registered_pages.get(at._finished_page_script_hash, {})  # an old link may have led to another page
    prefix = next((page.prefix for page in PAGES if page.url == ended_on.get("url_pathname")), "")
    kinds = (*CONTROLS, "button_group", "expander")
    tied = {getattr(widget.proto, "query_param_key", "") for kind in kinds for widget in at.get(kind)}
    return sorted(name for name in tied - settings.shared() if not name.startswith(prefix) and name)


# ---- controls ------------------------------------------------------------------------------------------------------


def control(at: AppTest, key: str) -> Any:
    """The control with this key, whatever its kind."""
    matches = [widget for kind in CONTROLS for widget in at.get(kind) if widget.key == key]
    assert len(matches) == 1, f"{len(matches)} controls have the key {key}"
    return matches[0]


def choose(at: AppTest, **values: object) -> AppTest:
    """The page after controls were set, one after the other, by their keys."""
    for key, value in values.items():
        at = checked(control(at, key).set_value(value).run())
    return at


def press(at: AppTest, key: str) -> AppTest:
    """The page after the button with this key was pressed."""
    return checked(at.button(key=key).click().run())


def values(at: AppTest, kinds: tuple[str, ...] = CONTROLS) -> dict[str, Any]:
    """The values of all controls of these kinds, by key."""
    return {str(widget.key): widget.value for kind in kinds for widget in at.get(kind)}


def options(widget: Any) -> list[Any]:
    """What can be chosen, in the type of the value: widgets of a test know labels only; [] where nothing is chosen, or
    where labels say more than the value, as "× 2" does."""
    try:
        return [] if widget.value is None else [type(widget.value)(option) for option in widget.options]
    except ValueError:
        return []


# ---- what is on screen ---------------------------------------------------------------------------------------------


def notices(at: AppTest) -> str:
    """All notices, a line each; "" where everything is as asked for."""
    return "\n".join(text.value for text in checked(at).text)


def keys(at: AppTest) -> set[str]:
    """The keys of all that the page has on screen: controls, components and containers."""
    found, todo = set(), [checked(at)._tree]
    while todo:
        node = todo.pop()
        todo += getattr(node, "children", {}).values()
        found.update(re.findall(r"^\$\$ID-\w+-(.+)", getattr(getattr(node, "proto", None), "id", "")))
    return found


def words(at: AppTest) -> str:
    """All Markdown, then all captions."""
    return "\n".join([*(text.value for text in checked(at).markdown), *(text.value for text in at.caption)])


def questions(at: AppTest) -> dict[str, str]:
    """The questions to check oneself: key -> "open", "right" or "wrong", as their markers say it to the browser."""
    bodies = "".join(element.proto.body for element in checked(at).get("html"))
    return dict(re.findall(r'data-check="([^"]+)" data-state="(\w+)"', bodies))


def charts(at: AppTest) -> list[dict]:
    """The data and layout of every figure, with numpy arrays."""
    return [decoded(json.loads(element.proto.spec)) for element in checked(at).get("plotly_chart")]


def chart(at: AppTest, n: int = 0) -> dict:
    """The data and layout of the n-th figure, with numpy arrays."""
    return charts(at)[n]


def decoded(part: Any) -> Any:
    """Plotly's JSON with its packed arrays as numpy arrays."""
    if isinstance(part, dict) and "bdata" in part:
        flat = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        return flat.reshape([int(n) for n in str(part.get("shape", len(flat))).split(",")])
    if isinstance(part, dict):
        return {name: decoded(value) for name, value in part.items()}
    return [decoded(value) for value in part] if isinstance(part, list) else part


def payloads(at: AppTest) -> list[Any]:
    """What each component of the page was sent, in order: decoded JSON, or bytes. The frame's own are left out, and so
    are the words of a box: see `offered`."""
    protos = [element.proto for element in checked(at).get("bidi_component")]
    left_out = (".search", ".share_link", ".carry", _WORDS)
    protos = [proto for proto in protos if not proto.component_name.endswith(left_out)]
    return [json.loads(proto.json) if proto.WhichOneof("data") == "json" else proto.bytes for proto in protos]


def offered(at: AppTest) -> Any:
    """What the words of the box were sent: what can be chosen in place of each; None where they are not there."""
    protos = [element.proto for element in checked(at).get("bidi_component")]
    (found, *_) = [json.loads(proto.json) for proto in protos if proto.component_name.endswith(_WORDS)] or [None]
    return found


def payload(at: AppTest) -> Any:
    """What the only component on the page was sent: decoded JSON, or bytes."""
    (data,) = payloads(at)
    return data
