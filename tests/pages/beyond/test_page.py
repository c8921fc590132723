"""The page beyond language as the server runs it: code of all kinds, what is measured, and the cards."""

import json

import pytest

from lab.kit import catalogue
from lab.kit.texts.markdown import TextError
from lab.kit.words import as_chance
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
    heads = data.measured().heads
    assert sent == json.loads(json.dumps(result.payload))
    measured = f"looks most at the partner for **{as_chance(heads.share)}** of them."
    assert f"layer {head[0]}, head {head[1]} {measured}" in words(at)
    other = (
        f"layer 0, head 0 looks most at the partner for **{as_chance(float(heads.shares[0, 0]))}** of them, the best"
    )
    assert other in words(driver.visit("beyond", head="layer 0, head 0")), "of the head that is drawn"
    back = 1 - heads.offset
    assert back != result.distance
    assert f"There, another fixed offset is best: “{back} token{'' if back == 1 else 's'} back” finds" in words(at)
    assert "".join(gap + text for gap, text in sent["pieces"]) == first
    for one in sent["closings"]:
        assert sum(one["row"]) + one["rest"] == pytest.approx(1, abs=0.02)
        assert len(one["row"]) == one["at"]
    assert f"finds the partner of **{result.n_fixed} of {len(result.closings)}** here." in words(at)
    assert all(one["looks"] == one["partner"] for one in sent["closings"]), "it opens on code that it reads rightly"
    assert all(one.expected == result.pieces[one.at].token for one in result.closings)
    assert result.n_pairs == len(result.closings) > result.n_fixed
    assert len(driver.questions(at)) == 2


@pytest.mark.parametrize("code", [next(iter(brackets.EXAMPLES.values())), "f(a[1]", "((x))"])
def test_what_is_shown_without_a_bracket_is_the_model_on_the_code_without_it(code: str) -> None:
    head = data.measured().heads.best
    whole = data.read(code, head)
    assert list(whole.payload["without"]) == [n for n, piece in enumerate(whole.pieces) if piece.token in "([{"]
    for out, shown in whole.payload["without"].items():
        start = whole.pieces[out].start
        less = data.read(f"{code[:start]} {code[start + 1 :]}", head).payload["closings"]  # what it parted stays apart
        assert len(shown) == len(less)
        for one, alone in zip(shown, less, strict=True):
            places = [alone[name] for name in ("at", "partner", "looks")]
            in_whole = [place if place is None else place + (place >= out) for place in places]
            assert [one["at"], one["partner"], one["looks"]] == in_whole
            assert one["expected"] == alone["expected"]
            assert one["weight"] == pytest.approx(max(*alone["row"], alone["rest"]), abs=0.0015)


def test_a_bracket_that_is_taken_out_changes_what_the_model_writes_and_one_beside_it_does_not() -> None:
    """Without the “(” of price its “)” is left over inside of { }; the “))” before it are as they were."""
    code, head = next(iter(brackets.EXAMPLES.values())), data.measured().heads.best
    whole = data.read(code, head)
    (out,) = [n for n, piece in enumerate(whole.pieces) if piece.start == code.index("(", code.index("price"))]
    shown = {one["at"]: one["expected"] for one in whole.payload["without"][out]}
    before = {one["at"]: one["expected"] for one in whole.payload["closings"]}
    assert {at: shown[at] for at in before if at < out} == {at: e for at, e in before.items() if at < out}
    after = min(at for at in before if at > out)
    assert (before[after], shown[after]) == (")", "}")
    assert len(data.read("(" * 30 + ")" * 30, head).payload["without"]) == data.MAX_OUT


def test_the_baseline_is_the_best_that_any_fixed_distance_finds() -> None:
    """Three of the five pairs of the first example are `(hat)`, all alike; every other distance finds fewer."""
    first = next(iter(brackets.EXAMPLES.values()))
    result = data.read(first, data.measured().heads.best)
    assert (result.n_fixed, result.distance, len(result.closings)) == (3, 2, 5)
    assert "The best fixed distance, 2 tokens back, finds the partner of **3 of 5** here." in words(
        driver.visit("beyond")
    )
    for code in brackets.EXAMPLES.values():
        read = data.read(code, (1, 3))
        pairs, n = partners([piece.token for piece in read.pieces])[0], len(read.pieces)
        by_distance = [sum(at - partner == distance for at, partner in pairs) for distance in range(1, n)]
        assert read.n_fixed == max(by_distance) == by_distance[read.distance - 1]


def test_brackets_that_close_nothing_are_counted_the_same_everywhere() -> None:
    at = driver.visit("beyond", beyond_code="def f(x): return g(x[0], (1+2)*3]")
    assert len(payload(at)["closings"]) == 4
    assert "The best fixed distance, 2 tokens back, finds the partner of **2 of 4** here." in words(at)
    assert "The model expects what is there at **3 of 4**." in words(at)
    at = driver.visit("beyond", beyond_code="f)")
    assert "fixed distance" not in words(at), "there is no partner to be found"


def test_one_bracket_and_two_are_said_as_one_says_them() -> None:
    one = words(driver.visit("beyond", beyond_code="f(x)"))
    assert "The model itself expects the right bracket." in one
    assert "fixed distance" not in one, "any head that looks at the partner of a single one does"
    two = words(driver.visit("beyond", beyond_code="f(x) g[(a"))
    assert " of 1**" not in one + two
    two = words(driver.visit("beyond", beyond_code="f(x)\ng(y)"))
    assert "The model itself expects the right bracket at both of them." in two


def test_a_mistake_is_found_on_its_line() -> None:
    at = driver.visit("beyond", beyond_code=brackets.EXAMPLES["C, with a mistake"])
    assert "something else, first on line 4: \\), where it would write \\]" in words(at)


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
