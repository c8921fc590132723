"""The page beyond language as the server runs it: code of all kinds, what is measured, and the cards."""

import json

import pytest

from lab.kit import catalogue
from lab.kit.texts.markdown import TextError
from pages.beyond import brackets, data, others
from tests.pages import driver
from tests.pages.driver import choose, notices, payload, words
from transformer.training.tasks.code import partners


def test_it_opens_on_code_and_every_thread_is_the_models_own() -> None:
    at = driver.visit("beyond")
    assert notices(at) == ""
    sent, head = payload(at), data.measured().heads.best
    first = next(iter(brackets.EXAMPLES.values()))
    result = data.read(first, head)
    assert sent == json.loads(json.dumps(result.payload))
    assert "".join(gap + text for gap, text in sent["pieces"]) == first
    for one in sent["closings"]:
        assert sum(one["row"]) + one["rest"] == pytest.approx(1, abs=0.02)
        assert len(one["row"]) == one["at"]
    assert f"**{result.n_offset} of {result.n_pairs}**" in words(at)
    assert sum(one["looks"] == one["partner"] for one in sent["closings"]) == result.n_looked
    assert result.n_looked == result.n_pairs > result.n_offset, "it opens on code that it reads rightly"
    assert result.n_right == len(result.closings)
    assert len(driver.questions(at)) == 2


def test_a_mistake_is_found_on_its_line() -> None:
    at = driver.visit("beyond", beyond_code=brackets.EXAMPLES["C, with a mistake"])
    assert "first on line 4: \\), where it would write \\]" in words(at)


def test_limits_and_kind_sentences() -> None:
    at = driver.visit("beyond", beyond_code="no bracket <b>here</b>")
    assert "There is no closing bracket to look at yet." in notices(at)
    at = driver.visit("beyond", beyond_code="f(x) " * 400)
    assert "The first 1,500 letters are read; 500 more are left out." in notices(at)
    assert "The first 160 tokens are read; 1,040 more are left out." in notices(at)
    assert len(payload(at)["pieces"]) == data.MAX_TOKENS
    at = driver.visit("beyond", beyond_code="f)(", head="layer 9, head 9")
    assert "You see the best head: this model has no layer 9, head 9." in notices(at)
    assert payload(at)["closings"][0]["partner"] is None


def test_where_it_fails_and_what_a_token_is_elsewhere() -> None:
    at = driver.visit("beyond")
    assert not driver.charts(at)
    at = driver.visit("beyond", beyond_fails="true")
    for by in ("depth", "length"):
        at = choose(at, beyond_by=by)
        assert notices(at) == ""
        figure = driver.chart(at)
        assert [trace["name"] for trace in figure["data"]][1:] == ["the head looks at it", "best fixed offset"]
    for kind in others.KINDS:
        assert f"**{kind.title}** {kind.tokens}" in words(at)
        assert kind.page in {"", *(page.url for page in catalogue.PAGES)}
        assert kind.sentence.count(". ") - kind.sentence.count("al. ") <= 0, "one sentence each"
    assert not at.exception
    (aspirin,) = [kind.opens["beyond_code"] for kind in others.KINDS if kind.title == "Drug discovery"]
    assert partners(list(aspirin))[1] == []


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("## Images\n\n`1`\n", 1, "A use is “## ” and its name"),
        ("# All\n\n### Images\n\n`1`\n\nA patch.\n", 3, "A use is “## ” and its name"),
        ("## Images\n\n`1`\n\nA patch.\n\nSee [it](/vision).\n", 7, "Here stands a link"),
    ],
)
def test_what_is_wrong_with_a_use_is_named_with_its_line(text: str, line: int, fault: str) -> None:
    with pytest.raises(TextError) as found:
        others.read(text)
    assert [(one.line, fault in one.sentence) for one in found.value.faults] == [(line, True)]
