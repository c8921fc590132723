"""Old links: each row of the table leads to a place that is there, and what a link says itself holds."""

import pytest

from lab.frame.old_links import ANY, MOVED, UNPREFIXED, Moved, name_today, translated
from lab.kit import catalogue, story
from lab.kit.catalogue import views
from tests.pages.driver import visit
from transformer.training.studies import reviews

KEYS = {view.key for view in views()}  # what names a view in a link


def old(row: Moved) -> dict[str, str]:
    """A link that this row is for."""
    return {name: "1" if value == ANY else value for name, value in row.asked.items()}


@pytest.mark.parametrize("row", MOVED, ids=lambda row: f"{row.page} {old(row)}")
def test_every_row_leads_somewhere_and_no_further(row: Moved) -> None:
    page, link = translated(row.page, old(row))
    assert not any(other.fits(page, link) for other in MOVED), "it leads around in a circle"
    names = {(view.page, view.key): set() for view in views()}
    for view in views():
        names[view.page, view.key].add(view.value)
    for key in KEYS & link.keys():
        if row.asked.get(key) != ANY and link[key] != "1":
            assert link[key] in names[page, key], f"there is no such view at /{page}"
    assert page in {entry.url for entry in catalogue.PAGES}


def test_what_a_link_says_itself_holds() -> None:
    link = {"why_view": "All heads at once", "why_timed": "false", "why_d": "32"}
    assert translated("why", link) == ("why", {"why_view": "What does it cost?", "why_timed": "false", "why_d": "32"})


def test_a_link_of_today_is_left_alone() -> None:
    link = {"why_view": "What does it cost?", "a": "why_d=32&why_n=4"}
    assert translated("why", link) == ("why", link)
    assert translated("heads", {"att_layer": "2"}) == ("heads", {"att_layer": "2"}), "the setting of another page"


@pytest.mark.parametrize(("text", "now"), [("2", "1"), ("1", "0"), ("x", "x"), ("9" * 9, "9" * 9), ("²", "²")])
def test_what_was_counted_from_one_is_counted_from_zero_in_a_link_and_in_what_it_pins(text: str, now: str) -> None:
    assert translated("attention", {"att_layer": text}) == ("attention", {"att_at": now})
    page, link = translated("blocks", {"a": "blocks_layer=2&seed=1"})
    assert (page, link["a"]) == ("blocks", "blocks_at=1&seed=1")
    assert translated("blocks", {"a": "x" * 99})[1] == {"a": "x" * 99}


def test_a_link_of_version_2_opens_the_cost_of_as_many_words_as_it_did() -> None:
    cost = {"why_view": "What does it cost?"}
    assert translated("why", cost | {"v": "2"}) == ("why", cost | {"why_length": "1024"})
    assert translated("why", cost | {"v": "2", "why_length": "64"})[1]["why_length"] == "64"
    assert translated("why", cost | {"v": "3"}) == ("why", cost | {"v": "3"})


def test_a_link_of_version_2_to_the_fold_with_a_file_opens_the_example_that_it_did() -> None:
    fold = {"pretrained_view": "Bring a model", "pretrained_bring_file": "true"}
    assert translated("pretrained", fold | {"v": "2"})[1] == fold | {"pretrained_example": "example.npz"}
    assert translated("pretrained", fold | {"v": "2", "pretrained_example": "x"})[1]["pretrained_example"] == "x"


@pytest.mark.parametrize(("text", "now"), [("17 red", "16 red"), ("1 mia found", "0 mia found"), ("red", "red")])
def test_a_token_that_was_named_with_its_place_counted_from_one_is_the_same_token(text: str, now: str) -> None:
    assert translated("blocks", {"blocks_token": text}) == ("blocks", {"blocks_follow": now})


@pytest.mark.parametrize(
    ("link", "now"),
    [
        ({"seed": "1", "v": "2"}, {"seed": "1", "blocks_at": "0"}),
        ({"v": "2", "blocks_at": "1"}, {"blocks_at": "1"}),
        ({"v": "2", "blocks_part": "The stream"}, {"blocks_part": "The stream"}),
        ({"v": "2", "blocks_layer": "2"}, {"blocks_at": "1"}),
        *(({"seed": "1", **mark}, {"seed": "1", **mark}) for mark in ({}, {"v": "3"})),
    ],
)
def test_a_link_of_version_2_opens_the_layer_that_was_open_then(link: dict[str, str], now: dict[str, str]) -> None:
    assert translated("blocks", link) == ("blocks", now)


@pytest.mark.parametrize(
    ("link", "now"),
    [
        ({"mask": "none", "v": "2"}, {"mask": "none", "masks_layer": "0"}),
        ({"v": "2", "masks_layer": "1"}, {"masks_layer": "1"}),
        ({"v": "2", "masks_layer": "2"}, {"masks_layer": "2", "masks_head": "2"}),
        ({"v": "2", "masks_layer": "2", "masks_head": "1"}, {"masks_layer": "2", "masks_head": "1"}),
        ({"v": "2", "masks_view": "Leaks"}, {"masks_view": "Leaks"}),
        *(({"mask": "none", **mark}, {"mask": "none", **mark}) for mark in ({}, {"v": "3"})),
    ],
)
def test_a_link_of_version_2_opens_the_head_that_was_masked_then(link: dict[str, str], now: dict[str, str]) -> None:
    assert translated("masks", link) == ("masks", now)


LENS, REVIEWS = {"pretrained_view": "Lens"}, {"fine_view": "BERT’s way"}


@pytest.mark.parametrize(
    ("page", "link", "now"),
    [
        ("pretrained", LENS | {"pretrained_lens_token": "4"}, {"pretrained_lens_text": story.TEXT}),
        ("pretrained", LENS | {"weights": "trained to repeat"}, {"v": "2"}),
        ("pretrained", LENS | {"pretrained_lens_text": "mia found a"}, {}),
        ("finetuning", REVIEWS | {"fine_reviews": "128"}, {"fine_review": reviews.FIRST}),
        ("finetuning", REVIEWS | {"fine_review": "Good."}, {"v": "2"}),
    ],
)
def test_a_link_of_version_2_opens_the_text_that_was_open_then(
    page: str, link: dict[str, str], now: dict[str, str]
) -> None:
    assert translated(page, link | {"v": "2"}) == (page, link | now)
    for mark in ({}, {"v": "3"}):
        assert translated(page, link | mark) == (page, link | mark)


UNPREFIXED_NAMES = [
    (page, f"{name}x" if name.endswith("_") else name) for page in UNPREFIXED for name in UNPREFIXED[page]
]


@pytest.mark.parametrize(("page", "name"), UNPREFIXED_NAMES)
def test_a_setting_without_the_prefix_of_its_page_is_led_to_the_one_with_it_and_no_further(
    page: str, name: str
) -> None:
    now = name_today(page, name)
    assert now.startswith(catalogue.page(page).prefix)
    assert now.endswith(f"_{name}")
    assert translated(page, {name: "1", "a": f"{name}=2&seed=1"}) == (page, {now: "1", "a": f"{now}=2&seed=1"})
    assert translated(page, {now: "1", "a": f"{now}=2"}) == (page, {now: "1", "a": f"{now}=2"}), "it leads on"
    assert translated(page, {name: "1", now: "2"})[1] == {now: "2"}, "today's name counts"
    assert translated("why", {name: "1"}) == ("why", {name: "1"}), "the setting of another page"


def test_rows_name_settings_as_they_are_called_today() -> None:
    for row in MOVED:
        page = row.page if row.at is None else row.at
        assert [name for name in row.asked if name_today(row.page, name) != name] == []
        assert [name for name in row.now if name_today(page, name) != name] == []


def test_a_setting_is_renamed_on_the_page_that_a_link_is_led_to() -> None:
    page, link = translated("challenges", {"challenge": "Wrong French", "english": "i am big"})
    assert (page, link["tr_english"]) == ("translation", "i am big")
    assert "english" not in link


@pytest.mark.parametrize("n", ["11", "0"])
def test_a_head_that_was_taken_out_on_the_list_of_puzzles_is_out_of_the_machine(n: str) -> None:
    page, link = translated("challenges", {"puzzle_silenced": n})
    assert (page, link) == ("challenges", {"puzzle_at": "head", "puzzle_pulled": f"tim:{n}"})
    page, link = translated("heads", {"puzzle": "head", "layer": n})
    assert (page, link["puzzle_at"]) == ("challenges", "head")


def test_an_old_link_opens_its_place_with_its_settings_and_the_address_says_so() -> None:
    at = visit("translation", translation_view="In context", watch="Step by step", edit_word="dog", english="the cat")
    assert at.query_params == {"translation_view": "Change a word", "tr_edit_word": "dog", "tr_english": "the cat"}


def test_an_old_link_to_another_page_leads_there() -> None:
    page, _ = translated("embeddings", {"emb_part": "Scale"})
    at = visit("embeddings", emb_part="Scale", d_model=128)
    assert at.title[0].value == catalogue.page(page).question
    assert at.query_params["d_model"] == "128"
    assert "emb_part" not in at.query_params
