"""No stored link shows anything else than it did; and the digest that says so notices what it is there to notice."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import streamlit as st

from lab.kit.catalogue import PAGES
from tests.pages import stored_links
from tests.pages.stored_links import LINKS, OPTIONS, STORED, Link, Texts, differences, digest, load

COMMAND = "python -m tests.pages.stored_links"
HINT = f"If the page is meant to show this now, write the file anew: {COMMAND}"
# What chooses a view, by the label of its control: each of its options is to be opened by some link.
VIEWS = {
    "Attention",
    "Below the film",
    "Look at",
    "Look at it",
    "Look closer",
    "Measure",
    "Part",
    "Pull",
    "Scheme",
    "Show",
    "View",
    "What to look at",
    "Film",
    "Model",
    "Weights",
    "Shown on",
    "Tokens are",
    "Pull out",
    "Words",
}

# What chooses a view, by its name in the address: what the pages give to `render`, and what is no view of that kind.
VIEW_KEYS = {"lesson"} | {page.switch for page in PAGES if page.url not in ("bugs", "challenges")} - {""}


@pytest.fixture(scope="module", autouse=True)
def _as_after_a_start() -> None:
    """Nothing that other tests have trained is there: to Streamlit's caches all visits here are one session."""
    st.cache_resource.clear()


@pytest.fixture(scope="module")
def stored() -> tuple[dict[str, dict], Texts]:
    return load()


def links() -> Iterator[Any]:
    """The links as parameters: `make test` opens each page and each view once, and each page once with A beside B."""
    opened: set[tuple[str, str]] = set()
    for link in LINKS:
        views = {f"{key}={value}" for key, value in link.query.items() if key in VIEW_KEYS}
        new = {(link.page, place) for place in (views or {""}) | ({"A and B"} if "a" in link.query else set())}
        yield pytest.param(link, id=link.name, marks=pytest.mark.wide if new <= opened else ())
        opened |= new


@pytest.mark.few(36)
@pytest.mark.parametrize("link", links())
def test_a_stored_link_shows_what_it_did(link: Link, stored: tuple[dict[str, dict], Texts]) -> None:
    links, stored_texts = stored
    texts: Texts = {}
    found = differences(links[link.name], digest(link, texts), stored_texts, texts)
    assert not found, "\n".join([f"{link.address[:500]} shows something else:", *found, HINT])


def test_the_file_has_these_links_and_no_others(stored: tuple[dict[str, dict], Texts]) -> None:
    assert sorted(stored[0]) == sorted(link.name for link in LINKS), f"write the file anew: {COMMAND}"
    assert STORED.stat().st_size < 1_100_000


def test_every_page_has_links() -> None:
    missing = {page.url for page in PAGES} - {link.page for link in LINKS}
    assert not missing, f"add links to LINKS in tests/pages/stored_links.py: {missing}; then {COMMAND}"
    assert {link.page for link in LINKS} <= {page.url for page in PAGES}


def controls(links: dict[str, dict], texts: Texts) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """(page, label, value, options) of every control with options, as stored; of the page that the link ends on."""
    asked = [(page, question) for page in PAGES for question in (page.question, *(tab.title for tab in page.views))]
    by_title = {question: f"/{page.url}" for page, question in asked if question}
    for name, shown in links.items():
        page = by_title.get(texts[shown["title"][0][0]] if "title" in shown else "", name.partition("?")[0])
        for kind in ("button_group", "segmented_control", "selectbox"):
            for record in shown.get(kind, ()):
                label, _, value = texts[record["is"][0]].partition(": ")
                options = texts[record["of"][0]].removeprefix(OPTIONS).split(" | ")
                yield page, label, value, tuple(options)


def test_every_view_has_a_link(stored: tuple[dict[str, dict], Texts]) -> None:
    # on the stage of all schemes the figure's own list is the switch, and this one stands only inside of a scheme
    opened: dict[tuple[str, str], set[str]] = {("/positions", "Scheme"): {"side by side"}}
    opened["/", "Model"] = {"MiniLM, recorded sentence"}  # which a link names “MiniLM, recorded”
    offered: dict[tuple[str, str], set[str]] = {}
    for page, label, value, options in controls(*stored):
        if label in VIEWS:
            opened.setdefault((page, label), set()).add(value)
            offered.setdefault((page, label), set()).update(options)
    missing = {key: options - opened[key] for key, options in offered.items() if not options <= opened[key]}
    assert not missing, f"add links to LINKS in tests/pages/stored_links.py, then {COMMAND}"


# ---- the digest itself ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shown() -> tuple[dict[str, list], Texts]:
    """A page with figures, a component, words and controls."""
    texts: Texts = {}
    link = next(link for link in LINKS if link.query.get("closer") == "edges")
    return digest(link, texts), texts


def changed(shown: tuple[dict[str, list], Texts], change: Callable[[dict[str, list], Texts], object]) -> list[str]:
    """What is reported after `change` was done to a copy."""
    after, texts = copy.deepcopy(shown)
    change(after, texts)
    return differences(shown[0], after, shown[1], texts)


def test_nothing_is_reported_where_nothing_differs(shown: tuple[dict[str, list], Texts]) -> None:
    assert changed(shown, lambda after, texts: None) == []
    assert differences(json.loads(json.dumps(shown[0])), shown[0], shown[1], shown[1]) == []


def test_a_missing_chart_is_reported_by_what_it_said(shown: tuple[dict[str, list], Texts]) -> None:
    (said,) = changed(shown, lambda after, texts: after["chart"].pop())
    assert said.startswith("chart 1 is missing: Bars per key: weights up to")
    (said,) = changed(shown, lambda after, texts: after["chart"].append({"alt": ["abcdefgh"]}))
    assert said.startswith("chart 2 is new")


def test_a_kind_that_is_gone_is_reported(shown: tuple[dict[str, list], Texts]) -> None:
    assert changed(shown, lambda after, texts: after.pop("component"))[0].startswith("component 1 is missing")


def test_a_new_page_in_the_story_changes_no_stored_link_but_other_ways_do() -> None:
    def shown(*labels: str) -> tuple[dict[str, list], Texts]:
        texts: Texts = {}
        return {"page_link": [stored_links._words(label, texts) for label in labels]}, texts

    (before, old), (after, new) = shown("Start → live?", "4. Heads → heads?"), shown("Start → live?", "5. New → new?")
    assert differences(before, after, old, new) == []
    after, new = shown("Start → live?live_d_model=8", "4. Heads → heads?")
    assert len(differences(before, after, old, new)) == 1
    after, new = shown("4. Heads → heads?")
    assert differences(before, after, old, new) == ["page_link 1 is missing: Start → live?"]


def test_a_changed_word_is_reported_with_the_words(shown: tuple[dict[str, list], Texts]) -> None:
    def reword(after: dict[str, list], texts: Texts) -> None:
        after["title"][0] = stored_links._words("Where does no word look?", texts)

    was = "Does a large attention weight matter?"
    assert changed(shown, reword) == [f"title 1: was “{was}”, is “Where does no word look?”"]


def test_a_changed_number_in_words_is_reported() -> None:
    texts: Texts = {}
    before, near, far = ({"text": [stored_links._words(f"It is {x}.", texts)]} for x in ("0.12", "0.1200001", "0.13"))
    assert differences(before, near, texts, texts) == []
    assert differences(before, far, texts, texts) == ["text 1: was “It is 0.12.”, is “It is 0.13.”"]


def test_a_changed_control_is_reported(shown: tuple[dict[str, list], Texts]) -> None:
    def choose(after: dict[str, list], texts: Texts) -> None:
        after["selectbox"][0] = {**after["selectbox"][0], "is": stored_links._words("Positions: none", texts)}

    assert changed(shown, choose) == ["selectbox 1: is: was “Model: untrained”, is “Positions: none”"]


@pytest.mark.parametrize("place", [0, 1, 17, 98, 143])
def test_any_changed_number_of_an_array_is_reported_and_rounding_is_not(place: int) -> None:
    rng = np.random.default_rng(0)
    weights = rng.random((12, 12)).astype("f4")
    nudged, other = weights.copy(), weights.copy()
    nudged.flat[place] *= 1 + 1e-6
    other.flat[place] += 0.05
    before, same, after = ({"component": [{"w:": stored_links._numbers(x)}]} for x in (weights, nudged, other))
    assert differences(before, same, {}, {}) == []
    (said,) = differences(before, after, {}, {})
    assert said.startswith("component 1: w:: was")


def test_the_same_numbers_in_another_order_or_shape_are_reported() -> None:
    weights = np.random.default_rng(1).random((8, 8))
    for other in (weights.T, weights[::-1], weights.reshape(4, 16)):
        before, after = ({"component": [{"w:": stored_links._numbers(x)}]} for x in (weights, other))
        assert len(differences(before, after, {}, {})) == 1


def test_a_quantised_number_may_fall_to_the_step_beside_it() -> None:
    steps = np.random.default_rng(2).integers(2, 250, (9, 9)).astype("u1")
    near, far = steps.copy(), steps.copy()
    near.flat[0] += 1
    far.flat[0] += 4
    before, same, after = ({"component": [{"w:": stored_links._numbers(x)}]} for x in (steps, near, far))
    assert differences(before, same, {}, {}) == []
    assert len(differences(before, after, {}, {})) == 1


def test_a_mask_is_compared_exactly() -> None:
    mask = np.tri(9, dtype="u1")
    other = mask.copy()
    other[2, 7] = 1
    before, after = ({"component": [{"mask:": stored_links._numbers(x)}]} for x in (mask, other))
    assert len(differences(before, after, {}, {})) == 1


def test_source_code_and_keys_are_no_part_of_the_digest(shown: tuple[dict[str, list], Texts]) -> None:
    text = STORED.read_text(encoding="utf-8")
    assert "attention_lab." not in text
    assert "$$ID-" not in text
    assert ".py`, line" not in text
    assert "def " not in text
