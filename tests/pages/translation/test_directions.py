"""French to English on the page: every view works, two right answers are said, and what was measured by size."""

import json

import pytest

from pages.translation import data
from pages.translation.sentence import DIRECTIONS
from tests.pages import driver
from tests.pages.driver import choose, control, notices, payload
from tests.pages.translation.expected import VIEWS, open_view, text, visit
from transformer.training import grammar_size
from transformer.training.tasks.english import EXAMPLES

TO_FRENCH, TO_ENGLISH = DIRECTIONS


def test_the_other_direction_keeps_the_page_whole() -> None:
    at = visit(direction=TO_ENGLISH)
    assert notices(at) == ""
    assert "black cat does not like the white house" in text(at)
    assert "**Exactly right.**" in text(at)
    sent = payload(at)
    crossing = [tuple(pair) for pair in sent["ghost"]]
    assert (crossing[1], crossing[2], crossing[3]) == ((1, 1), (2, 3), (3, 2))  # little black cat, petit chat noir
    assert "**Two right answers**" in text(at)
    (alternative,) = data.translated(data.TO_ENGLISH, tuple(sent["source"])).alternatives
    assert alternative.source == "petit"
    shares = dict(alternative.probabilities)
    assert set(shares) == {"little", "small"}
    assert min(shares.values()) > 0.2, "it was shown both as often"
    assert sum(shares.values()) == pytest.approx(1, abs=0.05)
    at = choose(at, direction=TO_FRENCH, translation_view="Threads")
    assert "le petit chat noir n'aime pas la maison blanche" in text(at)
    at = visit(direction=TO_ENGLISH, french=EXAMPLES[-1])
    assert "This model does not know “dragon”." in notices(at)


@pytest.mark.wide
def test_every_view_works_in_the_other_direction() -> None:
    at = visit(direction=TO_ENGLISH)
    for view in VIEWS:
        at = open_view(at, view)
        assert notices(at) == "", view
        assert not at.exception


def test_how_many_sentences_is_what_the_file_says() -> None:
    runs = grammar_size.stored()
    assert {(run.n, run.seed) for run in runs} == {(n, seed) for n in grammar_size.SIZES for seed in grammar_size.SEEDS}
    about = json.loads(grammar_size.FILE.read_text())["about"]
    assert about["steps"] == grammar_size.STEPS
    sizes = data.sizes()
    gaps = [sum(seen) - sum(unseen) for seen, unseen in zip(sizes.seen, sizes.unseen, strict=True)]
    assert gaps == sorted(gaps, reverse=True), "the more sentences, the less is only memorised"
    at = visit(translation_view="Fewer sentences")
    at = choose(at, sentences=100)
    few = [run for run in runs if run.n == 100]
    mean = sum(run.unseen for run in few) / len(few)
    assert f"it translates **{mean:.0%}** of *new* ones" in text(at)
    assert control(at, "sentences").value == 100
    figure = driver.chart(at)
    assert figure["data"][3]["y"] == pytest.approx([run.unseen for run in runs])


@pytest.mark.wide
def test_a_small_run_is_rerun_the_same_and_shown_sentences_are_new() -> None:
    one = grammar_size.run(20, 0, steps=3, n_tests=10)
    assert one == grammar_size.run(20, 0, steps=3, n_tests=10)
    assert (one.n, len(one.examples)) == (20, len(grammar_size.SHOWN))
