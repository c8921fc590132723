"""“Where am I?”: the way from a page to its place in the whole model, which the front page draws."""

from urllib.parse import parse_qs

import pytest

from lab.frame import where
from lab.kit.controls.reader import BEFORE, REVIEWS
from tests.pages.driver import visit

READ_IT = ("embeddings", "attention", "heads", "masks", "blocks", "generation")


def place_of(at):
    """The place that the link names, "" for the whole model; None where there is no such link."""
    links = [one.proto for one in at.get("page_link") if one.proto.label == "Where am I?"]
    assert len(links) <= 1
    return parse_qs(links[0].query_string).get("front_place", [""])[0] if links else None


@pytest.mark.parametrize("url", READ_IT)
def test_a_page_that_reads_the_story_has_a_place_in_the_model(url):
    view = "Look up" if url == "embeddings" else ""  # of its views, one without a model comes first
    assert place_of(visit(url, emb_part=view)) is not None


@pytest.mark.parametrize(
    ("url", "link", "place"),
    [
        ("attention", {"att_at": "2", "att_head": "1"}, "2.a.1"),
        ("attention", {"att_at": "0", "att_head": "3"}, "0.a.3"),
        ("blocks", {"blocks_at": "1"}, "1"),
        ("masks", {"masks_head": "3"}, "2.a.3"),
        ("embeddings", {"emb_part": "Alike"}, ""),
    ],
)
def test_it_leads_to_what_is_open(url, link, place):
    assert place_of(visit(url, **link)) == place


@pytest.mark.parametrize(
    ("url", "link"), [("attention", {"weights": REVIEWS}), ("attention", {"state": BEFORE}), ("vision", {}), ("", {})]
)
def test_there_is_none_where_another_model_reads(url, link):
    assert place_of(visit(url, **link)) is None


def test_a_place_is_written_as_the_front_page_reads_it():
    assert [where.written(place) for place in ((1,), (1, 2), (1, 2, 5, 3))] == ["1", "1.a.2", "1.a.2.5.3"]
