"""The page of words: the browser is sent all of them, whatever the link names."""

import json
import zlib

from lab.kit.glossary.words import groups
from tests.pages.driver import notices, payload, visit


def test_the_browser_is_sent_every_word_in_its_group():
    at = visit("words", word="no such word")
    assert at.title[0].value == "What does this word mean?"
    assert notices(at) == ""
    sent = json.loads(zlib.decompress(payload(at)))
    assert {group["title"]: [word["name"] for word in group["words"]] for group in sent} == {
        title: [word.name for word in words] for title, words in groups().items()
    }
    (query,) = [word for group in sent for word in group["words"] if word["name"] == "query"]
    assert ["token", "token"] in query["sentence"]
    assert query["href"] == "attention?att_way=Step+by+step"
