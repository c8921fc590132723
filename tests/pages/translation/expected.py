"""Visits to the page on translation, and what the shipped translator makes of a sentence when it is run plainly."""

from functools import cache
from typing import Any, NamedTuple

from streamlit.testing.v1 import AppTest

from lab.kit.catalogue import page
from lab.kit.models.references import HAND_OVER
from pages.translation import all_heads
from pages.translation.sentence import SHIPPED as SHIPPED
from tests.pages import driver
from tests.payloads import Payload, unpack
from transformer.core.model import Transformer
from transformer.inspection import translation
from transformer.inspection.run import AttentionMap
from transformer.training import shipped
from transformer.training.checkpoints import Checkpoint
from transformer.training.tasks.french import EXAMPLES
from transformer.training.tasks.task import Example

VIEWS = tuple(tab.name for tab in page("translation").views)
HEADS: dict[str, Any] = {all_heads.OPEN: "true"}  # in a link: the fold with all heads is open
EVERYTHING: tuple[dict[str, Any], ...] = (  # links to all that the page can show
    {},
    HEADS,
    HEADS | {all_heads.KIND: all_heads.PADDED},
    {"translation_view": "Step by step"},
    {"translation_view": "Step by step", "tr_beam_width": "3"},
    {"translation_view": "Change a word"},
    {"translation_view": "Change a word", "tr_graft": "true"},
    {"translation_view": "Ablation"},
    {"translation_view": "Ablation", "translation_plug": "one head"},
)
FRENCH = ["mia", "a", "trouvé", "un", "chapeau", "rouge", "⟨end⟩"]  # of the first example
CAT = "The little black cat does not like the white house"


def visit(own: Checkpoint | None = None, **link: Any) -> AppTest:
    """The page as a link opens it, for a visitor who has trained a model or not, on a sentence of the grammar."""
    if "english" not in link:
        link = {"tr_english": EXAMPLES[0], **link}
    return driver.visit("translation", session={} if own is None else {HAND_OVER: own}, **link)


def open_view(at: AppTest, view: str) -> AppTest:
    """The page after this view was opened."""
    return driver.choose(at, translation_view=view)


def text(at: AppTest) -> str:
    """All Markdown and captions, without backslashes."""
    return driver.words(at).replace("\\", "")


def heads(at: AppTest) -> Payload:
    """What the attention view was sent."""
    return unpack(driver.payloads(at)[-1])


class Expected(NamedTuple):
    """A sentence as the translator reads it, its translation, and all heads by kind."""

    source: translation.SourceText
    translation: translation.Translation
    maps: dict[str, AttentionMap]


@cache
def checkpoint() -> Checkpoint:
    """The shipped translator."""
    return shipped.load("translator")


@cache
def model() -> Transformer:
    """The shipped translator, ready to run."""
    model = checkpoint().model()
    assert isinstance(model, Transformer)
    return model


@cache
def held_out() -> list[Example]:
    """The sentences that the page measures ablations on."""
    return translation.held_out_examples(checkpoint().task, 100)


@cache
def translated(english: str = EXAMPLES[0]) -> Expected:
    """What the shipped translator makes of a sentence."""
    source = translation.tokenise_source(checkpoint().task, english)
    result = translation.translate(model(), source.ids)
    return Expected(source, result, translation.attention_maps(model(), checkpoint().task, source, result.written))
