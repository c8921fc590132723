"""Cheaper attention on the page: maps and errors are the model's own, and times come only when they are asked for."""

import numpy as np
import pytest

from pages.why import data, variants
from tests.pages import driver
from tests.pages.driver import chart, charts, press, words
from tests.pages.why.test_page import visit
from transformer.inspection.run import run_with_maps
from transformer.inspection.variants import FULL, NAMES, TIMED

VIEW = "Cheaper attention"


@pytest.mark.wide
def test_the_first_map_is_what_the_shipped_encoder_does() -> None:
    at = visit(VIEW, why_variants_layer=1, why_variants_head=3)
    heatmap, hatch = chart(at)["data"]
    z = np.asarray(heatmap["z"], float)
    shown = data.variants(True, 0, 4, 1)[FULL].weights
    source = data.Shipped("sentiment").resolve()
    tokens = source.cut(" ".join(source.examples))[: data.N_DRAWN]
    run = run_with_maps(source.single_stack, source.ids(tokens), tuple(tokens))
    np.testing.assert_allclose(shown, run.attention["encoder"].weights[0], atol=1e-6)
    top = int(np.argmax(~np.isnan(z[:, 0])))
    np.testing.assert_allclose(z[top : top + data.N_DRAWN, : data.N_DRAWN], shown[2], atol=1e-4)
    assert len(hatch["x"]) == sum(int(np.isnan(v.weights[2]).sum()) for v in data.variants(True, 0, 4, 1).values()) > 0


@pytest.mark.parametrize("name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.wide) for name in NAMES[1:])])
def test_each_is_explained_by_its_own_code_and_error(name: str) -> None:
    at = visit(VIEW, why_variant=name, why_variants_of=variants.RANDOM, why_variants_size=6)
    error = data.variants(False, 1, 6, 1)[name].error
    assert f"**{100 * error:.3g}%**" in words(at) or error < 5e-6
    assert f"def {variants.WORDS[name][0]}(" in " ".join(block.value for block in at.code) or name == "window"


def test_times_are_measured_when_asked_only(monkeypatch: pytest.MonkeyPatch) -> None:
    at = visit(VIEW)
    assert len(charts(at)) == 2
    names = []

    def measured(*settings: object) -> dict[str, list[float]]:
        names.append(settings)
        return {name: [1.0 + n for n, _ in enumerate(data.variant_lengths())] for name in TIMED}

    monkeypatch.setattr(data, "time_variants", measured)
    at = press(at, variants.BUTTON)
    assert names == [(4, 1, 1)]
    assert {trace["name"] for trace in chart(at, 2)["data"]} == set(TIMED)
    assert not driver.notices(at)
