"""What goes with a visitor from page to page: the text they typed, the model they chose, the head they opened.

A page that reads a text opens on the story and on the model that reads it (story.py). What a visitor puts in their
place goes with them to all such pages, whatever the setting is called there, until they put something else there;
"the story", beside each box, brings the story back. A link that names one of these wins on its page, and what it names
goes on from there as if it had been typed or chosen: whoever opens a link and turns to the next page means to go on
with what they see. Only what is pinned by a lesson stays in the lesson.

What came along is written into the address of the page, so that a link to it shows the same to others. It is kept in
the session, and nowhere else.
"""

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from lab.hooks import runtime
from lab.kit import settings, story
from lab.kit.components.sentence_words import sentence_words
from lab.kit.models.source import Source

_TEXT, _CHOICES, _HEAD = "_kept_story_text", "_kept_story_choices", "_kept_story_head"  # in st.session_state
_VISIT = "_kept_story_visit"
Names = Mapping[str, str]  # what something is called on a page -> on others
NO_NAMES: Names = {}


class Head(NamedTuple):
    """A head of a model, which is given by its name on screen."""

    model: str
    layer: int
    head: int


@dataclass
class Visit:
    """A stay on one page, from the arrival on.

    is_led  whether a lesson leads there
    model   the one that reads there, by its name on screen; "" where none was chosen yet
    views   whether its heads are looked through in the browser, which tells on leaving which of them was in view
    told    what it had told when the visit began
    stands  where in that model the page is: (), (layer,), (layer, head), and in it (query, key); None: nowhere
    seen    what each control that carries something was set to when it was last drawn, by its key
    typed   what stood last in each box, by its key
    """

    url: str
    is_led: bool = False
    model: str = ""
    views: bool = False
    told: str | None = None
    stands: tuple[int, ...] | None = None
    seen: dict[str, Any] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)


def arrive(url: str, *, is_led: bool, told: str | None) -> None:
    """Say which page is run, before it runs: one that was come to, also by a link from itself, is a new visit.

    told  what the browser says of the head that was in view on the page that was left: see lab/frame/carry
    """
    visit = st.session_state.get(_VISIT)
    if visit and visit.url == url and visit.is_led >= is_led and runtime.link_gone_to() is None:
        visit.is_led = is_led
        return
    if visit and visit.views and not visit.is_led and told != visit.told:
        _keep_told(visit.model, told or "")
    st.session_state[_VISIT] = Visit(url, is_led, told=told)


def _keep_told(model: str, told: str) -> None:
    """Keep the head that the browser has told, "time:layer-head"; without one, it was the usual."""
    asked = re.fullmatch(r"\d*:(\d{1,4})-(\d{1,4})", told, re.ASCII)
    if asked:
        st.session_state[_HEAD] = Head(model, int(asked[1]), int(asked[2]))
    else:
        st.session_state.pop(_HEAD, None)


def is_led() -> bool:
    """Whether a lesson leads on this page, with its bar over the foot of the window."""
    return _visit().is_led


def forget() -> None:
    """Nothing goes along any more, as after a reset."""
    for name in (_TEXT, _CHOICES, _HEAD, _VISIT):
        st.session_state.pop(name, None)


def _visit() -> Visit:
    return st.session_state.setdefault(_VISIT, Visit(""))


def _come_with(kept: Mapping[str, object]) -> None:
    """Set controls, by their keys, to what has come along: as a link would name it."""
    for key in kept:
        st.session_state.pop(key, None)
        st.session_state.get("_usual", {}).pop(key, None)
    link = st.query_params.to_dict() | {key: str(value) for key, value in kept.items()}
    runtime.readdress(urlencode(link, errors="replace"))
    st.query_params.update({})  # tells the browser


def _bring(key: str, kept: str | None, usual: str) -> bool:
    """On arrival, set the control under this key: to what its link names, else to what is kept, else to the usual.
    Returns whether a link names it."""
    seen = _visit().seen
    if key in seen:
        if kept and seen[key] is None and not _visit().is_led:  # another model read here meanwhile, a text of its own
            st.session_state[key] = kept
        return False
    if key in st.query_params:
        return True
    if kept is not None and kept != usual and not _visit().is_led:
        _come_with({key: kept})
    elif key in st.session_state:  # the page before had a control of this name
        st.session_state[key] = usual
    return False


def _has_turned(key: str, value: Any, *, is_named: bool) -> bool:
    """Whether a visitor, or a link, has just set a control to this; notes what it is set to. Nothing is a lesson's."""
    visit = _visit()
    before, visit.seen[key] = visit.seen.get(key), value
    return (is_named or before not in (None, value)) and not visit.is_led


# ---- the text ------------------------------------------------------------------------------------------------------


def text_box(
    label: str,
    key: str,
    usual: str,
    *,
    home: str = story.TEXT,
    shape: Callable[[str], str] = str,
    can_read: Callable[[], bool] = lambda: True,
    is_carried: bool = True,
    comes_back: bool = False,
    source: Source | None = None,
    max_letters: int = settings.MAX_TEXT,
    **more: Any,
) -> str:
    """A box for a text that goes along, and while another text than the story is in it, the button "the story".

    usual     what stands in it at first: the story, or else what the model of the page reads
    home      what the button brings: the story, or the part of it that this page reads
    shape     text -> the part of it that this page reads, for a text that has come along
    can_read  whether the model that is chosen reads the story; if not, the button chooses the one that does
    is_carried  False: a plain box, for a text that means nothing on other pages
    comes_back  what was typed is there again after another box has stood in its place for a while
    source    the model whose words lie over the box, to tap; None where they stand elsewhere, or not at all
    max_letters  of a text that is made by tapping
    more      for st.text_input
    """
    typed = _visit().typed
    if comes_back and key in typed and key not in st.session_state and key not in st.query_params:
        st.session_state[key] = typed[key]
    if not is_carried:
        _visit().seen[key] = None
        return _box(label, key, usual, source, max_letters, more)
    kept = st.session_state.get(_TEXT)
    is_named = _bring(key, kept and shape(kept), usual)
    text = _box(label, key, usual, source, max_letters, more)
    is_story = text in ("", home, story.TEXT)
    if _has_turned(key, text, is_named=is_named):
        if is_story or text == usual:
            st.session_state.pop(_TEXT, None)
        else:
            st.session_state[_TEXT] = text
    if not is_story:
        st.button("the story", key=f"story-{key}", type="tertiary", on_click=_bring_back, args=(key, home, can_read))
    return text


def _box(label: str, key: str, usual: str, source: Source | None, max_letters: int, more: Mapping[str, Any]) -> str:
    with st.container(key=f"box-{key}") if source else nullcontext():
        text = st.text_input(label, usual, key=key, bind="query-params", **more) or ""
        sentence_words(text, source, key, max_letters)
    _visit().typed[key] = text
    return text


def _bring_back(key: str, home: str, can_read: Callable[[], bool]) -> None:
    st.session_state.pop(_TEXT, None)
    st.session_state[key] = home
    if not can_read():
        st.session_state["weights"] = story.MODEL


# ---- the model and the head ----------------------------------------------------------------------------------------


def bring_choice(key: str, options: Collection[str], usual: str, kept_as: str = "", also: Names = NO_NAMES) -> bool:
    """On arrival, set the control under this key to what was chosen on another page, where that is offered here.
    Returns whether a link names it.

    kept_as  the key of the control on other pages, if another; also: what options are called there, if otherwise
    """
    kept = st.session_state.get(_CHOICES, {}).get(kept_as or key)
    here = {also.get(option, option): option for option in options}
    return _bring(key, here.get(kept), usual)


def read_with(model: str) -> None:
    """Say which model reads on this page, by its name on screen: a head is one of its heads."""
    _visit().model = model
    stand()


def stand(*place: int, is_in: bool = True) -> None:
    """Say where in its model this page is: in the whole of it, or (layer,), (layer, head), and there (query, key)."""
    _visit().stands = place if is_in else None


def stands() -> tuple[int, ...] | None:
    """Where in the model of the story this page is; None where another model reads, or none."""
    visit = _visit()
    return visit.stands if visit.model == story.MODEL else None


def keep_choice(key: str, value: str, *, is_named: bool, kept_as: str = "", also: Names = NO_NAMES) -> None:
    """Let what is chosen under this key go along, once somebody has chosen it; see `bring_choice`."""
    if _has_turned(key, value, is_named=is_named):
        st.session_state.setdefault(_CHOICES, {})[kept_as or key] = also.get(value, value)


def has_head() -> bool:
    """Whether a head goes along."""
    return _HEAD in st.session_state


def bring_head(*, layer: str = "", head: str = "", fits: Callable[[int, int], bool], in_browser: bool = False) -> bool:
    """On arrival, open the head that was open on another page, of the same model. Returns whether a link names one.

    layer, head  keys of the controls that this page has for them, "" for none
    fits         (layer, head) -> whether there is such a head here
    in_browser   whether heads are looked through there, so that it tells on leaving which of them was in view
    """
    if in_browser:
        _visit().views = True
    visit, kept = _visit(), st.session_state.get(_HEAD)
    if in_browser and kept and kept.model == visit.model:
        stand(kept.layer, kept.head)
    if "head" in visit.seen or settings.replaying():
        return False
    visit.seen["head"] = None
    keys = [key for key in (layer, head) if key]
    if any(key in st.query_params for key in keys):
        return True
    for key in keys if head else ():  # as it was left, earlier
        st.session_state.pop(key, None)
    if kept and kept.model == visit.model and fits(kept.layer, kept.head) and not visit.is_led:
        _come_with({key: n for key, n in ((layer, kept.layer), (head, kept.head)) if key})
    return False


def keep_head(of: object, layer: int, head: int, *, is_named: bool) -> None:
    """Let this head go along, once somebody has chosen it.

    of  what is read: where that is another text or another model, nobody has chosen the head that is open there
    """
    visit = _visit()
    if settings.replaying():
        return
    if visit.stands is not None:
        stand(layer, head)
    before, visit.seen["head"] = visit.seen.get("head"), (of, layer, head)
    is_chosen = before is not None and before[0] == of and before[1:] != (layer, head)
    if (is_chosen or is_named) and not visit.is_led:
        st.session_state[_HEAD] = Head(visit.model, layer, head)
