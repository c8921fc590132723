"""Heads and grammar on the page: our own models, what is measured, and the sentences that say so."""

import numpy as np

from lab.kit.models.references import Shipped
from pages.pretrained.study import data
from tests.pages import driver
from tests.pages.driver import choose, notices, words
from transformer.inspection.syntax import on_tokens
from transformer.training.tasks.syntax import ADJECTIVE, SUBJECT


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
    cells = driver.chart(at)["data"][0]["z"]
    np.testing.assert_allclose(cells, one.shares, atol=1e-6)
    shown = driver.chart(at, 1)["data"][0]["z"]
    np.testing.assert_allclose(shown, result.weights[one.best], atol=1e-6)
    at = choose(at, pretrained_grammar=SUBJECT, pretrained_study_head="0·1")
    assert notices(at) == ""
    np.testing.assert_allclose(driver.chart(at, 1)["data"][0]["z"], result.weights[0, 1], atol=1e-6)
    at = driver.visit(
        "pretrained", pretrained_view="Which head?", pretrained_head_light="Grammar", weights="trained on stories"
    )
    assert "finds the pronoun’s owner" in words(at) or "finds a fact told before" in words(at)
    assert on_tokens({ADJECTIVE: result.pairs[ADJECTIVE]}, range(10))[ADJECTIVE] == result.pairs[ADJECTIVE]
