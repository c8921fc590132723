"""One story on every page, and what a visitor puts in its place goes with them: text, model and head."""

from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from lab.frame.carry import KEY
from lab.hooks import runtime
from lab.kit import carried, story
from lab.kit.controls.reader import BEFORE, REVIEWS, UNTRAINED
from lab.kit.controls.text_input import EXAMPLES, examples_for, reads_story
from lab.kit.models.references import Shipped
from pages.translation.sentence import _first_sentence
from tests.further import further
from tests.pages import driver
from tests.pages.driver import choose, control, notices, press, visit
from tests.pages.heads.test_page import shown
from transformer.training.shipped import SHIPPED

TEXTS = {  # by page: the key of its text
    "": "front_text",
    "embeddings": "text",
    "attention": "text",
    "heads": "text",
    "positions": "text",
    "masks": "text",
    "blocks": "text",
    "generation": "gen_text",
}
HEADS = ("attention", "heads", "masks", "blocks")  # where a head of the storyteller is open, or a layer
MINE = "tom lost a green key in the forest. so"


def go(at: AppTest, url: str, **link: str) -> AppTest:
    """This visitor, on another page: by the menu, or by a link with settings."""
    at.query_params.clear()
    for name, value in link.items():
        at.query_params[name] = value
    with patch.object(runtime, "link_gone_to", lambda: urlencode(link) if link else None):
        return driver.checked(driver.open_page(at, url).run())


def text_on(at: AppTest, url: str) -> str:
    return control(at, TEXTS[url]).value or story.TEXT  # the front page has it where nothing is typed


def link_of(at: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[-1] for name, value in at.query_params.items()}


def offers_story(at: AppTest) -> bool:
    return any(str(button.key).startswith("story-") for button in at.button)


def leave(at: AppTest, url: str, head: str) -> AppTest:
    """From the page of heads to another, with what the browser tells on leaving."""
    at.session_state[KEY] = {"head": head}
    return go(at, url)


@pytest.mark.parametrize("url", TEXTS)
def test_every_page_opens_on_the_story_and_the_storyteller(url: str) -> None:
    at = visit(url)
    assert text_on(at, url) == story.TEXT
    assert not offers_story(at)
    models = [control(at, key).value for key in ("weights", "gen_model") if key in driver.values(at)]
    assert set(models) <= {story.MODEL, SHIPPED[story.WRITER].title}
    assert not {"text", "front_text", "gen_text", "weights"} & link_of(at).keys()


def test_the_story_is_the_first_example_of_all_who_can_read_it() -> None:
    assert EXAMPLES[0] == examples_for(None)[0] == story.TEXT
    assert examples_for(Shipped(story.WRITER).resolve())[0] == story.TEXT
    assert story.TEXT not in examples_for(Shipped("sentiment").resolve())
    reading = {name for name in ("stories", "sentiment", "code", "brackets", "repeat", "experts") if _reads(name)}
    assert reading == {"stories", "experts"}, "names of code are no words of a story, and letters are none either"
    assert story.TEXT[: story.TEXT.index(".")] == story.SENTENCE


def _reads(name: str) -> bool:
    return reads_story(Shipped(name).resolve())


def test_a_typed_text_goes_to_all_pages_until_the_story_is_brought_back() -> None:
    at = choose(visit("heads"), text=MINE)
    for url, key in TEXTS.items():
        at = go(at, url)
        assert text_on(at, url) == MINE, url
        assert link_of(at)[key] == MINE, "whoever opens this address sees the same"
        assert offers_story(at)
    at = press(at, f"story-{TEXTS[url]}")
    assert not offers_story(at)
    for url in TEXTS:
        at = go(at, url)
        assert text_on(at, url) == story.TEXT, url


@pytest.mark.parametrize("url", further(TEXTS, 3))
def test_what_is_typed_on_any_page_goes_on(url: str) -> None:
    at = choose(visit(url), **{TEXTS[url]: MINE})
    for other in ("masks", "", "generation"):
        at = go(at, other)
        assert text_on(at, other) == MINE


def test_an_example_counts_as_typed_and_a_cleared_box_brings_the_usual() -> None:
    example = Shipped(story.WRITER).resolve().examples[1]
    at = go(choose(visit("blocks"), text=example), "heads")
    assert text_on(at, "heads") == example
    at = choose(at, text="")
    assert "no word to look at" in notices(at)
    assert not offers_story(at)
    assert text_on(go(at, "masks"), "masks") == story.TEXT


def test_a_link_that_names_a_text_wins_and_its_text_goes_on() -> None:
    at = choose(visit("heads"), text=MINE)
    at = go(at, "masks", text="mia found a ball")
    assert text_on(at, "masks") == "mia found a ball"
    assert text_on(go(at, "blocks"), "blocks") == "mia found a ball"
    at = go(at, "generation", gen_text=story.TEXT)
    assert text_on(go(at, "heads"), "heads") == story.TEXT


def test_a_lesson_neither_takes_the_text_nor_leaves_its_own_behind() -> None:
    at = choose(visit("heads"), text=MINE)
    link = {"lesson": "attention", "stop": "1"}
    from lab.kit.lessons.shelf import Place

    stop = Place("attention", 1).stop
    at = go(at, stop.link.page, **dict(stop.link.settings), **link)
    at = go(at, stop.link.page, **dict(stop.link.settings), **link)  # as its script sends the address once more
    led = at.session_state[carried._VISIT]
    assert led.is_led
    assert MINE not in driver.values(at).values()
    at = go(at, "masks")
    assert text_on(at, "masks") == MINE, "and what was typed before still goes along"


def test_a_reset_brings_the_story_back() -> None:
    at = choose(visit("heads"), text=MINE)
    press(at, "reset")
    assert not {name for name in (carried._TEXT, carried._CHOICES, carried._HEAD) if name in at.session_state}


def test_nobody_sees_what_another_visitor_has_typed() -> None:
    choose(visit("heads"), text=MINE)
    assert text_on(visit("masks"), "masks") == story.TEXT


def test_a_model_that_was_chosen_goes_along_and_the_story_brings_the_storyteller_back() -> None:
    at = go(choose(visit("heads"), weights=REVIEWS), "masks")
    review = Shipped("sentiment").resolve().examples[0]
    assert (control(at, "weights").value, text_on(at, "masks")) == (REVIEWS, review)
    at = press(at, "story-text")
    assert (control(at, "weights").value, text_on(at, "masks")) == (story.MODEL, story.TEXT)
    at = go(choose(at, state=BEFORE), "blocks")
    assert control(at, "state").value == BEFORE
    at = go(choose(at, weights=UNTRAINED), "attention")
    assert (control(at, "weights").value, text_on(at, "attention")) == (UNTRAINED, story.TEXT)


def test_another_writer_has_a_text_of_its_own_and_ones_own_comes_back() -> None:
    at = go(choose(visit("heads"), text=MINE), "generation")
    code = Shipped("code").resolve().task
    at = choose(at, gen_model=code.title)
    assert control(at, "gen_text").value == code.opening
    assert not offers_story(at)
    at = choose(at, gen_model=SHIPPED[story.WRITER].title)
    assert control(at, "gen_text").value == MINE


def test_the_head_that_is_open_goes_along() -> None:
    at = choose(visit("attention"), att_at=0, att_head=3)
    at = go(at, "heads")
    assert (link_of(at)["layer"], link_of(at)["head"]) == ("0", "3"), "and the view takes it from there"
    assert control(go(at, "masks"), "masks_head").value == 3
    at = leave(go(at, "heads"), "attention", "1:1-2")
    assert (control(at, "att_at").value, control(at, "att_head").value) == (1, 2)
    at = go(at, "masks")
    assert (control(at, "masks_layer").value, control(at, "masks_head").value) == (1, 2)
    assert control(go(at, "blocks"), "blocks_at").value == 1


def test_a_link_that_names_a_head_wins_and_the_usual_head_is_no_choice() -> None:
    at = choose(visit("attention"), att_at=0, att_head=3)
    at = go(at, "heads", layer="1", head="0")
    assert (link_of(at)["layer"], link_of(at)["head"]) == ("1", "0")
    at = leave(at, "attention", "2:1-0")
    assert (control(at, "att_at").value, control(at, "att_head").value) == (1, 0)
    usual = visit("attention")
    at = leave(go(at, "heads"), "attention", "3:")
    assert [control(at, key).value for key in ("att_at", "att_head")] == [
        control(usual, key).value for key in ("att_at", "att_head")
    ]


@pytest.mark.parametrize("told", ["", "x", "1:9-9", "1:0-77", "1:-1-0", "<b>", "1:99999-0"])
def test_a_head_that_is_not_there_is_passed_over(told: str) -> None:
    at = leave(visit("heads"), "attention", told)
    usual = visit("attention")
    assert control(at, "att_head").value == control(usual, "att_head").value
    assert "layer" not in link_of(go(at, "heads"))


def test_a_head_belongs_to_its_model() -> None:
    at: Any = choose(visit("attention"), att_at=0, att_head=3)
    at = go(at, "heads", weights=REVIEWS)
    assert "head" not in link_of(at)
    assert shown(at).header["open"] == shown(visit("heads", weights=REVIEWS)).header["open"]


def test_the_translator_opens_on_the_first_sentence_and_takes_that_of_ones_own() -> None:
    at = visit("translation")
    assert control(at, "tr_english").value == story.SENTENCE == "mia found a red hat"
    assert not offers_story(at)
    at = go(choose(go(at, "heads"), text="Do you see the cat? It sleeps. It is red."), "translation")
    assert control(at, "tr_english").value == link_of(at)["tr_english"] == "Do you see the cat?"
    at = go(at, "masks")
    assert text_on(at, "masks") == "Do you see the cat? It sleeps. It is red.", "the whole text goes on"
    at = choose(go(at, "translation"), tr_english="the cat sleeps")
    assert text_on(go(at, "blocks"), "blocks") == "the cat sleeps"
    at = press(go(at, "translation"), "story-tr_english")
    assert control(at, "tr_english").value == story.SENTENCE
    assert text_on(go(at, "heads"), "heads") == story.TEXT


@pytest.mark.parametrize(
    ("text", "first"), [("a b. c", "a b"), ("3.5 kg", "3.5 kg"), ("who? me", "who?"), ("...", "..."), ("one.", "one")]
)
def test_a_sentence_ends_where_its_sign_stands_before_a_space(text: str, first: str) -> None:
    assert _first_sentence(text) == first


def test_a_text_in_french_stays_with_the_translator_that_reads_it() -> None:
    at = choose(visit("translation"), tr_direction="FR → EN")
    french = Shipped("translator-to-english").resolve().examples[0]
    assert control(at, "tr_french").value == french
    at = go(choose(at, tr_french="le chat dort"), "heads")
    assert text_on(at, "heads") == story.TEXT
