"""Bet on the next word of a story: how surprised are the reader, the model and a word table by the word that comes?"""

import re
from collections.abc import Sequence
from functools import cache
from threading import Thread
from typing import NamedTuple

import streamlit as st

from lab.kit import settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.view import View
from pages.generation import data
from pages.generation.components.wager import WHOLE, checked_bet, received_bet, wager
from transformer.inspection.log_score import Slip, bits, slip

STORIES = range(1, 24)
N_THINGS = data.N_NAMED + 1
KEY = "gen_wager"
_BETS, _SHOWN = "_generation_bets", "_generation_bet_shown"  # in st.session_state, by the number of a story
_URL = "gen_bets"
_CODE = re.compile(r"(?:([0-9]{1,2})_)?([0-9]{1,2}(?:[.-][0-9]{1,2}){0,47})", re.ASCII)
OPENING = 23  # the story at first: whoever reads it knows its first word, of which the model is sure, and wrong
_OLDER = 1  # the story of a link whose bets name none
Bet = tuple[int, ...]  # percent on each thing that may come; () where an older link has none
_PASSED = "0"  # how a link says that the reader has not bet on a word


class Settings(NamedTuple):
    """story: its number;  bets: the reader's on each word of it that is known;  at: the word that is shown."""

    story: int
    bets: tuple[Bet, ...]
    at: int


def ask() -> Settings:
    story_of_link = _story_of_link()
    if story_of_link is not None:
        st.session_state["gen_story"] = story_of_link
    with settings.place_named("row"), settings.line():
        story = settings.choose(
            st.select_slider,
            "Story",
            "gen_story",
            STORIES,
            OPENING,
            help=f"{len(STORIES)} stories, the same for everyone.",
            chip=f"one of {len(STORIES)} stories",  # no number: the first that one meets is the last
        )
    bets = _bets_on(story)
    at = st.session_state.get(_SHOWN, {}).get(story, max(0, len(bets) - 1))
    if any(bets):
        code = "-".join(".".join(map(str, bet)) or _PASSED for bet in bets)
        st.query_params[_URL] = f"{story}_{code}"
    else:
        st.query_params.pop(_URL, None)
    st.session_state["_generation_bet_on"] = (story, at)
    return Settings(story, bets, at)


def _story_of_link() -> int | None:
    """The story that the bets of a link were made in, where nothing else in the link says it."""
    code = _CODE.fullmatch(st.query_params.get(_URL, ""))
    if _BETS in st.session_state or "gen_story" in st.query_params or not code:
        return None
    number = int(code[1]) if code[1] else _OLDER
    return number if number in STORIES else None


def _bets_on(story: int) -> tuple[Bet, ...]:
    """The bets of this visit on the words of a story; those of the link at first."""
    if _BETS not in st.session_state:
        st.session_state[_BETS] = {story: unpack(st.query_params.get(_URL, ""))}
    return st.session_state[_BETS].get(story, ())


def unpack(code: str) -> tuple[Bet, ...]:
    """The bets in a link; () for anything else."""
    made = _CODE.fullmatch(code)
    if not made:
        return ()
    bets = [
        () if part == _PASSED else checked_bet([int(percent) for percent in part.split(".")], N_THINGS)
        for part in made[2].split("-")
    ]
    whole = tuple(bet for bet in bets if bet is not None)
    return whole if len(whole) == len(bets) <= data.N_BETS else ()


def compute(s: Settings) -> data.Bets:
    return data.bets(s.story)


@cache
def _count_ahead() -> None:
    """Begin to count, which takes seconds, while the first bet is laid."""
    Thread(target=data.followers, daemon=True).start()


def draw(s: Settings, rounds: data.Bets) -> None:
    _count_ahead()
    at = min(s.at, len(rounds) - 1)
    round = rounds[at]
    is_known = at < len(s.bets)
    n = 1 if s.story == OPENING else len(rounds)  # one word that surprises the model
    wager(
        round.story,
        round.names,
        key=KEY,
        round=_round(s.story, at),
        so_far=_so_far(),
        percent=s.bets[at] if is_known else None,
        model=round.model if is_known else None,
        outcome=round.outcome if is_known else None,
        truth=round.truth if is_known else None,
        next="Next word" if at + 1 < n else "Next story",
        on_bet=_take_bet,
        on_next=lambda: _go_on(s.story, at + 1, n),
    )
    with display.prose():
        if is_known:
            _reply(s.bets[at], round)
        _count(s.bets, rounds)
        st.markdown("The model knows such stories, but it has never read this one.")
        _explain()


def _so_far() -> tuple[int, float, float]:
    """How many words of all stories the reader has bet on, and their surprise to the reader and to the model."""
    told = [
        (bits(bet[round.outcome] / WHOLE), bits(round.model[round.outcome]))
        for story, bets in st.session_state[_BETS].items()
        for bet, round in zip(bets, data.bets(story), strict=False)
        if bet
    ]
    return len(told), sum(own for own, _ in told), sum(its for _, its in told)


def _round(story: int, at: int) -> str:
    return f"{story}-{at}"


def _reply(bet: Bet, round: data.BetRound) -> None:
    """Why the bet was better or worse than the model's, and what the word follows from; not why, where there is no
    bet."""
    if not bet:
        st.markdown(round.source)
        return
    shares = [percent / WHOLE for percent in bet]
    most = display.plain(round.names[bet.index(max(bet))])
    why = _SAID[slip(shares, round.model, round.outcome)].format(most=most)
    st.markdown(f"{why} {round.source}")


_SAID: dict[Slip, str] = {
    "close": "You held it about as likely as the model did.",
    "even": "Your bars were about even, as if nothing could be known. The beginning of the story says more.",
    "elsewhere": "You expected *{most}* most.",
    "careful": "The right word, but you were less sure of it.",
    "unseen": "You held it less likely than the model did.",
    "surer": "You were surer of it, and you were right.",
    "luckier": "You held it likelier than the model did.",
}


def _count(bets: Sequence[Bet], rounds: data.Bets) -> None:
    """The surprise in bits of everybody, word by word, and summed over the words that the reader bet on."""
    if not bets:
        return
    lines = ["| surprise in bits | you | model | word table |", "|---|--:|--:|--:|"]
    sums, n = [0.0, 0.0, 0.0], 0
    for bet, round in zip(bets, rounds, strict=False):
        others = (round.model[round.outcome], data.counted(round)[round.outcome] / WHOLE)
        costs = [bits(share) for share in (bet[round.outcome] / WHOLE if bet else 1, *others)]
        if bet:
            sums, n = [a + b for a, b in zip(sums, costs, strict=True)], n + 1
        written = [f"{cost:.2f}" for cost in costs]
        lines.append(f"| {display.plain(round.truth)} | " + " | ".join(written if bet else ["–", *written[1:]]) + " |")
    if n:
        words = "the word" if n == 1 else f"the {n} words"
        lines.append(f"| **{words} that you bet on** | " + " | ".join(f"**{x:.2f}**" for x in sums) + " |")
    st.markdown("\n".join(lines))


def _explain() -> None:
    st.markdown(
        "The **surprise** is $-\\log_2 p$ bits, where $p$ is the share of the word that came. Half is one bit, the"
        " surprise of a coin toss; a quarter is two. The logarithm makes the surprises of a whole story add up as its"
        " probabilities multiply. Nothing at all would be an endless surprise, so each of your bars keeps 1%. The"
        " **word table** has only counted which word follows which: it sees no more than the last word."
    )
    teaching.formula(r"\text{cost} = -\log_2 p_{\text{came}}")
    teaching.formula(r"\text{expected cost} = H(q) + D(q \,\|\, p) \ge H(q)")
    st.caption(
        "Nothing beats saying what you believe: if you believe q, then betting q is the cheapest in the long run. The"
        " mean of the model’s cost over a text is its cross-entropy, the loss that training makes small (counted there"
        " with the natural logarithm: 1 bit is 0.69)."
    )
    teaching.code_expander("transformer/inspection/log_score.py", "bits", icon=None)


def _take_bet() -> None:
    story, at = st.session_state["_generation_bet_on"]
    bet = received_bet(KEY, _round(story, at), N_THINGS)
    bets = _bets_on(story)
    if bet is not None and len(bets) == at:  # only the first bet on a word counts: after it, the truth is on screen
        st.session_state[_BETS][story] = (*bets, bet)


def _go_on(story: int, at: int, n: int) -> None:
    if sent(KEY, "next", str) != _round(story, at - 1):
        return
    if at < n:
        st.session_state.setdefault(_SHOWN, {})[story] = at
    else:
        st.session_state["gen_story"] = behind(story)


def behind(story: int) -> int:
    """The story that follows: after the first one that is met, all the others."""
    order = [OPENING, *(number for number in STORIES if number != OPENING)]
    return order[(order.index(story) + 1) % len(order)]


VIEW = View(ask, compute, draw, height=380)
