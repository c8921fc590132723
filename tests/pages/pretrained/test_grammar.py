"""Heads and grammar on the page: our own models, what is measured, and the sentences that say so."""

import numpy as np
import pytest

from attention_view import layout
from lab.kit.models.references import Shipped
from pages.pretrained import grammar
from pages.pretrained.study import data
from tests.pages import driver
from tests.pages.driver import choose, notices, words
from transformer.inspection.syntax import on_tokens
from transformer.training.tasks.syntax import ADJECTIVE, SUBJECT


def stage(at):
    (packed,) = (sent for sent in driver.payloads(at) if isinstance(sent, bytes))
    return layout.parts(packed)


def found_where_asked(header, arrays, result: data.Grammar, relation: str) -> None:
    """The rows of the words that ask, of every head, and the words that are right."""
    queries = [query for query, _ in header["asked"]]
    assert {(query, key) for query, keys in header["asked"] for key in keys} == set(map(tuple, result.pairs[relation]))
    np.testing.assert_allclose(arrays["found"], result.weights[:, :, queries], atol=1e-6)


@pytest.mark.wide
def test_a_translators_head_finds_nouns_and_the_page_says_by_how_much() -> None:
    result = data.grammar(Shipped("translator"))
    assert not isinstance(result, str)
    one = result.agreements[ADJECTIVE]
    at = driver.visit(
        "pretrained",
        pretrained_view="Which head?",
        pretrained_head_light="Grammar",
        weights="trained to translate",
        pretrained_grammar=ADJECTIVE,
    )
    assert notices(at) == ""
    assert f"finds **{one.share:.0%}**" in words(at)
    assert f"would find **{one.baseline:.0%}**" in words(at)
    header, arrays = stage(at)
    np.testing.assert_allclose(arrays["values"], one.shares, atol=1e-6)
    assert header["strong"] == np.float32(one.baseline), "those that find more are framed"
    assert header["chosen"] == list(one.best)
    found_where_asked(header, arrays, result, ADJECTIVE)
    at = choose(at, pretrained_grammar=SUBJECT, pretrained_study_head="0·1")
    assert notices(at) == ""
    header, arrays = stage(at)
    assert header["chosen"] == [0, 1]
    found_where_asked(header, arrays, result, SUBJECT)
    at = driver.visit(
        "pretrained", pretrained_view="Which head?", pretrained_head_light="Grammar", weights="trained on stories"
    )
    assert "finds the pronoun’s owner" in words(at) or "finds a fact told before" in words(at)
    names = grammar._ranked(result)
    ways = [name for name in names if grammar._next(result, name) != ADJECTIVE]
    assert len(ways) == len(names) - 1, "the dark button goes through all of them"
    assert grammar._does(ADJECTIVE) == "looks from an adjective to its noun"
    assert grammar._does("finds a fact told before") == "finds a fact told before"
    assert on_tokens({ADJECTIVE: result.pairs[ADJECTIVE]}, range(10))[ADJECTIVE] == result.pairs[ADJECTIVE]
