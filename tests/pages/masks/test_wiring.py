"""Wiring: which of the eight choices of sources is an attention of a Transformer, and why another is none."""

import pytest

from tests.pages.driver import chart
from tests.pages.masks.brush import SIX, visit


@pytest.mark.parametrize(
    ("ports", "verdict", "heard"),
    [
        (("decoder", "encoder", "encoder"), "This is **cross-attention**: 6 vectors ask", "decoder and encoder"),
        (("decoder", "decoder", "decoder"), "This is **decoder self-attention**: 6 vectors", "decoder"),
        (("encoder", "encoder", "encoder"), "This is **encoder self-attention**: 7 vectors", "encoder"),
        (("encoder", "decoder", "decoder"), "**7 vectors come out, and the decoder has 6**", "decoder and encoder"),
        (("decoder", "encoder", "decoder"), "for each of 7 keys, but there are 6 values", ""),
    ],
)
def test_what_a_wiring_is_or_why_it_is_none(ports: tuple[str, str, str], verdict: str, heard: str) -> None:
    link = dict(zip(("wire_queries", "wire_keys", "wire_values"), ports, strict=True))
    at = visit(text=f"{SIX} seven", masks_view="Wiring", **link)
    (line,) = [text.value for text in at.markdown if verdict in text.value]
    assert ("depends on" in line) == bool(heard)
    assert not heard or f"depends on: {heard}, by its gradient" in line
    traces = {trace["name"]: trace for trace in chart(at)["data"]}
    assert [traces[name]["y"][0] for name in ("queries", "keys", "values")] == [float(p == "encoder") for p in ports]
    is_right = "This is" in verdict
    assert (traces["output"]["line"]["dash"] == "solid") == is_right


def test_with_equal_lengths_wrong_wiring_runs() -> None:
    at = visit(masks_view="Wiring", wire_keys="decoder")
    assert any("It runs, and is wrong" in text.value for text in at.markdown)
