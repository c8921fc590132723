"""The scene of other models than the storyteller: an encoder, a translator, a reader of pictures, a published model."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from attention_view import scenes
from lab.kit import settings
from lab.kit.controls.reader import REVIEWS, STORIES
from lab.kit.page import Page
from lab.kit.view import View, places
from pages.overview import asked, contents, doors
from pages.overview.components.model_scene import model_scene
from pages.overview.components.units_feed import units_feed
from pages.overview.others import data as readers
from pages.overview.others.data import RECORDED, SHAPES, TRANSLATES

MODEL, KEY, FEED = "front_model", "model_scene", "model_scene-units"  # in links: the model; and the components
MAX_LETTERS = 200
# model -> (the question that its scene answers, what is seen of it)
SAID = {
    REVIEWS: (
        "Is a review positive or negative?",
        "In an encoder every token may look at every other one. The answer is read from the first token.",
    ),
    TRANSLATES: (
        "How does a sentence become French?",
        "The encoder reads English; the decoder writes French and looks at what it has read.",
    ),
    SHAPES: (
        "How does a picture become an answer?",
        "A Vision Transformer cuts a picture into patches, and each patch is a token.",
    ),
    RECORDED: (
        "What does one head of a published model look at?",
        "Six layers with twelve heads each, recorded while MiniLM read one sentence.",
    ),
}
PUBLISHED = (
    "What does a published model make of your sentence?",
    "It reads a sentence of yours. **Zoom in**, down to one product.",
)


class Settings(NamedTuple):
    """The model by its name on screen, and what it reads: a text, the title of a recording, the seed of a picture; and
    the layer whose units a link looks into, -1 for none."""

    model: str
    text: str = ""
    seed: int = 0
    layer: int = -1


def choose() -> str:
    """The choice of a model, by its name on screen."""
    return settings.choose(
        st.selectbox,
        "Model",
        MODEL,
        readers.names(),
        STORIES,
        label_visibility="collapsed",
        width=220,
        format_func=label,
        why="there is no model “{}” here",
    )


def label(model: str) -> str:
    """A model in the list: of two that are the same one, what it reads sets them apart."""
    return model.replace(", pretrained", ", your sentence").replace(", recorded", ", recorded sentence")


def said(page: Page, model: str) -> Page:
    """The page with the question that the scene of this model answers, and a line on what is seen."""
    if model == STORIES:
        return page
    question, lede = SAID.get(model, PUBLISHED)
    return page._replace(question=question, lede=lede)


def layout() -> Mapping[str, Any]:
    """What is read is chosen below the picture, as on the front page of the storyteller."""
    return {"picture": st.container(), "box": st.container(horizontal=True, gap="small")}


def ask(model: str) -> Settings | None:
    """What this model reads; None, with a notice, for a model that a scene does not draw."""
    ref = readers.texts().get(model)
    if ref and (why := readers.why_not(ref.resolve())):
        settings.notify(why)
        return None
    with settings.place_named("box"):
        if model == SHAPES:
            seed = settings.choose(
                st.select_slider, "Arrangement of the picture", "front_seed", readers.SEEDS, readers.SEEDS[0], width=340
            )
            return Settings(model, seed=seed, layer=asked.linked_layer())
        if model == RECORDED:
            titles = readers.titles()
            title = settings.choose(
                st.selectbox,
                "Sentence",
                "front_recorded",
                titles,
                titles[0],
                label_visibility="collapsed",
                width=460,
                why="there is no recording of that sentence",
            )
            return Settings(model, title)
        return Settings(model, _typed(model), layer=asked.linked_layer())


def _typed(model: str) -> str:
    """The text that was typed for this model, or its own example where it can read nothing of that."""
    source = (readers.TRANSLATOR if model == TRANSLATES else readers.texts()[model]).resolve()
    example = source.examples[0]
    text = (
        st.text_input(
            "Sentence",
            "",
            key="front_sentence",
            bind="query-params",
            max_chars=MAX_LETTERS,
            placeholder=example,
            icon=":material/edit:",
            width=640,
            label_visibility="collapsed",
        )
        or ""
    )[:MAX_LETTERS]
    if model == TRANSLATES:
        return text if readers.can_translate(text) else example
    tokens = source.cut(text)
    if len(tokens) > readers.longest(source):
        settings.notify(f"The first {readers.longest(source)} tokens are read. Type a shorter sentence.")
    return text if tokens else example


def compute(s: Settings) -> readers.Scene:
    if s.model == SHAPES:
        return readers.look(s.seed)
    if s.model == RECORDED:
        return readers.replay(s.text)
    if s.model == TRANSLATES:
        return readers.translate(s.text)
    ref = readers.texts()[s.model]
    source = ref.resolve()
    return readers.read(ref, source.first(source.cut(s.text), readers.longest(source)))


def draw(s: Settings, scene: readers.Scene) -> None:
    header, arrays = sent(scene, s.layer)
    with places()["picture"]:
        marks = [mark._asdict() for mark in contents.marks()]
        model_scene(header | {"doors": doors_of(s), "marks": marks}, arrays, key=KEY)
        units_feed(" ".join([*scene.tokens, *scene.target]), len(scene.units), scene.units.__getitem__, key=FEED)


def sent(scene: readers.Scene, layer: int = -1) -> tuple[dict[str, Any], dict[str, Any]]:
    """(header, arrays) of a scene, as the browser is sent them, with the units of a layer."""
    units = scene.units[layer] if 0 <= layer < len(scene.units) else None
    some = next((network for network in scene.units if network), None)
    forward = {"units": list(some["out"].shape), "layer": layer if units else -1} if some else {}
    through, passed = scenes.stations_of(scene.stations)
    forward |= through
    passed |= dict(units or {})
    forward["finding"] = scene.finding
    if isinstance(scene.run, scenes.TwoTowers):
        header = scenes.header_of_towers(scene.tokens, scene.target, scene.run, scene.writes) | forward
        return header | {"opens": list(scene.opens)}, scenes.arrays_of_towers(scene.run) | passed
    header = forward | scenes.header_of(scene.tokens, scene.run) | {"opens": list(scene.opens), "row": scene.row}
    header["answer"] = scene.answer
    arrays = scenes.arrays_of(scene.run)
    if scene.run.v is None:  # recorded in half precision: the weights are those that were recorded, not worked out
        arrays["weights"] = scene.run.weights.astype("<f4")
    if scene.patches is not None:
        arrays["patches"] = scene.patches
    return header, arrays | passed


def doors_of(s: Settings) -> list[doors.Door | None]:
    """The pages that show this model with what it reads, at the same head and row where they can."""
    if s.model == SHAPES:
        return doors.of_page("vision", "This picture", vision_seed=str(s.seed))
    if s.model == TRANSLATES:
        return doors.of_page("translation", "This translation", tr_english=s.text)
    if s.model == RECORDED:
        return doors.of_page(
            "pretrained", "All heads here", has_heads=True, weights=s.model, pretrained_recorded=s.text
        )
    if s.model == REVIEWS:
        return doors.of_story(REVIEWS, text=s.text)
    return doors.of_page("heads", "All heads here", has_heads=True, weights=s.model, text=s.text)


VIEW = View(ask, compute, draw, layout=layout, height=460)
