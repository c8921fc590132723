"""Bets on the page Generation: counted in bits beside the model's, and kept in the link."""

import json
import math
import re
from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from lab.kit.words import is_piece
from pages.generation import bet, counting, data
from tests.pages.driver import visit

FIRST, SECOND = (10, 40, 10, 20, 10, 10), (5, 5, 5, 75, 5, 5)


def words(at: AppTest) -> str:
    return "\n".join(markdown.value for markdown in at.markdown)


def shown(at: AppTest) -> dict:
    """What the component was given."""
    (component,) = [c for c in at.get("bidi_component") if "wager" in c.proto.component_name]
    return json.loads(component.proto.json)


def test_bets_are_counted_in_bits_and_stay_in_the_link():
    at = visit("generation", gen_view="Bet", gen_story=1)
    rounds = data.bets(1)
    assert (shown(at)["percent"], shown(at)["model"]) == (None, None)  # not in the browser before the bet
    assert shown(at)["outcome"] is None
    assert shown(at)["names"] == list(rounds[0].names)

    link = "-".join(".".join(map(str, percent)) for percent in (FIRST, SECOND))
    at = visit("generation", gen_view="Bet", gen_bets=link)
    assert shown(at)["outcome"] == rounds[1].outcome
    costs = [-math.log2(percent[r.outcome] / 100) for percent, r in zip((FIRST, SECOND), rounds, strict=False)]
    its = [-math.log2(r.model[r.outcome]) for r in rounds[:2]]
    counts = [-math.log2(data.counted(r)[r.outcome] / 100) for r in rounds[:2]]
    line = f"| **the 2 words that you bet on** | **{sum(costs):.2f}** | **{sum(its):.2f}** | **{sum(counts):.2f}** |"
    assert line in words(at)
    assert shown(at)["truth"] == rounds[1].truth
    assert shown(at)["next"] == "Next word"
    at.session_state["_generation_bet_shown"] = {1: 2}  # as the button has it
    at = at.run()
    assert shown(at)["outcome"] is None
    assert shown(at)["truth"] is None
    assert (shown(at)["percent"], shown(at)["model"]) == (None, None)
    assert shown(at)["so_far"] == pytest.approx([2, sum(costs), sum(its)])
    assert shown(at)["story"] == rounds[2].story
    assert at.query_params["gen_bets"] == f"1_{link}"
    again = visit("generation", gen_view="Bet", gen_bets=f"1_{link}")
    assert shown(again)["story"] == rounds[1].story


def test_it_opens_on_even_bars_and_a_word_of_which_the_model_is_sure_and_wrong():
    """The reader can find it in the story; what the model is sure of stands there as well."""
    first, second = data.bets(bet.OPENING)[:2]
    at = visit("generation", gen_view="Bet")
    sent = shown(at)
    assert (sent["story"], sent["truth"], sent["outcome"]) == (first.story, None, None)
    assert (sent["percent"], sent["so_far"]) == (None, [0, 0, 0])
    assert "gen_bets" not in at.query_params
    assert "surprise in bits" not in words(at)
    at.session_state["_generation_bets"] = {bet.OPENING: ((),)}  # as the button has it, where no bar is pulled
    sent = shown(at.run())
    assert sent["truth"] == first.truth
    assert (sent["percent"], sent["so_far"]) == (None, [0, 0, 0])
    assert sent["model"] == pytest.approx(first.model)
    assert sent["next"] == "Next story"
    assert "gen_bets" not in at.query_params
    assert "that you bet on" not in words(at)
    believed = max(range(len(first.model)), key=first.model.__getitem__)
    assert first.model[believed] > 0.9 > 0.1 > first.model[first.outcome]
    assert {first.names[believed], first.truth} <= set(re.findall(r"\w+", first.story)), "both stand in the story"
    assert first.names[first.outcome] == first.truth, "what is copied can be bet on by name"
    assert sum(r.model[r.outcome] > data.counted(r)[r.outcome] / 100 for r in data.bets(22)) > 3, "it beats counting"
    at.session_state["_generation_bet_shown"] = {bet.OPENING: 1}
    at = at.run()
    assert (shown(at)["story"], shown(at)["outcome"]) == (second.story, None)


def test_every_story_is_met_before_the_first_comes_again():
    story, met = bet.OPENING, set()
    while story not in met:
        met.add(story)
        story = bet.behind(story)
    assert (story, met) == (bet.OPENING, set(bet.STORIES))


def test_words_that_the_reader_has_not_bet_on_are_summed_for_nobody():
    rounds = data.bets(22)
    at = visit("generation", gen_view="Bet", gen_bets="22_0-4.4.4.80.4.4-0-40.20.10.10.10.10")
    played = (rounds[1], rounds[3])
    assert at.query_params["gen_bets"] == "22_0-4.4.4.80.4.4-0-40.20.10.10.10.10"
    sums = [sum(-math.log2(share) for share in shares) for shares in ((0.8, 0.4), [r.model[r.outcome] for r in played])]
    assert f"| **the 2 words that you bet on** | **{sums[0]:.2f}** | **{abs(sums[1]):.2f}** |" in words(at)
    assert shown(at)["so_far"] == pytest.approx([2, *sums])
    assert shown(at)["percent"] == [40, 20, 10, 10, 10, 10]
    assert shown(visit("generation", gen_view="Bet", gen_bets="22_0-4.4.4.80.4.4-0"))["percent"] is None


def test_the_story_at_first_has_no_invented_name():
    """A name such as “deget”, written in pieces, reads like a slip of the pen."""
    source = data._STORIES.resolve()
    assert not any(map(is_piece, source.cut(data.bets(bet.OPENING)[0].story)))
    assert any(map(is_piece, source.cut("then deget forgot the")))


def test_in_no_story_the_bet_that_counts_is_even():
    """The word before each bet came up in the stories that were counted, so that there is something to say of it."""
    even = [
        (story, round.after)
        for story in bet.STORIES
        for round in data.bets(story)
        if max(data.counted(round)) - min(data.counted(round)) <= 1
    ]
    assert not even


def test_a_link_to_a_story_shows_the_story_that_it_was_made_in():
    """What somebody bet on story 21 stays on its words, though the page opens on another one today."""
    at = visit("generation", gen_view="Bet", gen_bets="21_" + ".".join(map(str, FIRST)))
    assert shown(at)["story"] == "david carried a silver comb. there was a scarlet fiddle. then deget forgot the"
    at = visit("generation", gen_view="Bet", gen_story=21)
    assert shown(at)["story"].startswith("david carried a silver comb.")


def test_counting_bets_what_followed_the_last_word_and_all_share_a_hundred_by_one_rule():
    counts = Counter({1: 30, 2: 10, 3: 60})
    assert counting.percent_of(counts, (1, 2)) == (30, 11, 59)  # 1% on each, the other 97 as 30, 10 and 60
    assert counting.percent_of(Counter(), (1, 2, 3)) == (25, 25, 25, 25)
    assert counting.shared([0.5, 0.25, 0.25, 0]) == (49, 25, 25, 1)
    for round in data.bets(bet.OPENING):
        assert sum(data.counted(round)) == 100
        assert min(data.counted(round)) >= 1
        assert round.story.split()[-1] == round.after
    assert counting.followers([(1, 2, 1, 2), (2, 1)]) == {1: Counter({2: 2}), 2: Counter({1: 2})}
    told = {1: Counter({2: 3, 9: 1}), 2: Counter({9: 3, 1: 2}), 3: Counter({1: 1, 9: 1}), 9: Counter({1: 5})}
    assert counting.whole(told, {9}) == {1}, "a piece, 9, follows the others as often as not, or is one itself"
    ids = data._STORIES.resolve().task.target
    the, red = (ids.encode(word)[0] for word in ("the", "red"))
    followers = data.followers()
    assert followers[the][red] > 0 == followers[red][red], "another last word, other counts"


@pytest.mark.parametrize(
    "code", ["", "1", "17.17.17.17.16.17", "0.20.20.20.20.20", "x", "10.40.10.20.10.10-1", "9" * 500]
)
def test_a_link_without_bets_has_none(code: str):
    assert bet.unpack(code) == ()
