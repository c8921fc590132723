"""Controls tied to the address bar, whose answers can be had twice: from widgets, and from what a link pins as A.

A view asks for its settings in one function. Within `collecting()` that function draws its widgets, and their answers
are kept. Within `collecting(pinned)` the same function draws nothing: every answer is what the link pins, if that very
control offers it, and the default otherwise. So A can be nothing that the view's own controls cannot be.

Notices, sentences on what is not as asked for, go to the same place: `notify`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from lab.kit.words import brief
from transformer.training.text import clean

T = TypeVar("T")
Why = str | Callable[[str], str]  # a sentence with braces for a value, or what makes one of it
Chip = str | Callable[[Any], str] | None  # as of Setting

MAX_TEXT = 6000  # letters of what a visitor types: what a link can carry
MAX_PINNED = 12 * MAX_TEXT + 8_000  # letters of what a link pins as A: a letter of a text takes up to 12 there
MAX_SETTINGS = 64
ALL_DEFAULTS = "usual"  # in a link: every setting of A is its default
# Which modules of the kit declare what several pages have, once they are loaded.
DECLARING = (
    "compare",
    "components.attention_view",
    "controls.hyperparameters",
    "controls.reader",
    "controls.text_input",
)
_shared: set[str] = set()


def share(*names: str) -> None:
    """Declare settings that several pages have; all others begin with the prefix of their page."""
    _shared.update(names)


def shared() -> frozenset[str]:
    """The names that are declared so, whichever pages were opened before."""
    for name in DECLARING:
        import_module(f"lab.kit.{name}")
    return frozenset(_shared)


@dataclass(frozen=True)
class Setting:
    """One answer; `long` ones, such as a text, are not spelled out where they differ.

    chip  how `line` says it, such as "{} head{s}" or "{n:,} words", or what makes that of the answer; "" where it is
          said only if it is not the default, None for never
    options  what else it can be, in the order of the control; () where that is not a list
    """

    label: str
    value: object
    default: object
    long: bool = False
    chip: Chip = ""
    options: tuple = ()

    @property
    def as_chip(self) -> str:
        """The answer on the quiet line of settings; "" where it goes without saying."""
        chip = self.chip(self.value) if callable(self.chip) else self.chip
        if chip is None or (not chip and (self.long or self.value == self.default)):
            return ""
        plural = "" if self.value == 1 else "s"
        return (chip or "{label}: {}").format(brief(self.value), label=self.label, s=plural, n=self.value)


@dataclass
class Answers:
    """What one round of questions brought.

    pinned    the settings that a link pins, by key, or None where widgets answer
    settings  the answers by key, in the order of the questions
    refused   what was pinned and cannot be, in short clauses
    unread    whether the link held something that is no list of settings
    notices   sentences for the visitor
    places    containers of the page for controls that stand away from the others, by name
    """

    pinned: dict[str, str] | None = None
    settings: dict[str, Setting] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    unread: bool = False
    notices: list[str] = field(default_factory=list)
    places: Mapping[str, Any] = field(default_factory=dict)

    def take(self, key: str, label: str, options: Iterable[T], default: T) -> T:
        """What was pinned under this key if it is one of the options, else the default."""
        text = (self.pinned or {}).get(key)
        fitting = [option for option in options if str(option) == text]
        if text is not None and not fitting:
            self.refused.append(f"{label} cannot be {brief(text)}")
        value = fitting[0] if fitting else default
        self.settings[key] = Setting(label, value, default)
        return value

    def take_text(self, key: str, label: str, default: T, parse: Callable[[str], T | None]) -> T:
        """What `parse` makes of the text under this key; the default where nothing was pinned or it gives None."""
        text = (self.pinned or {}).get(key)
        value = default if text is None else parse(text)
        if value is None:
            self.refused.append(f"{label} cannot be read")
            value = default
        self.settings[key] = Setting(label, value, default, long=True)
        return value

    @property
    def complaint(self) -> str:
        """Which of A's settings could not be had, in a sentence; "" if all could."""
        if self.refused:
            return f"A shows the default where the link asks for something else: {'; '.join(self.refused)}."
        known = self.pinned is None or not self.pinned or self.pinned.keys() & self.settings.keys()
        if self.unread or not known:
            return "What the link pins as A is not a setting of this view, so A shows the default."
        return ""


_current: ContextVar[Answers | None] = ContextVar("answers", default=None)


@contextmanager
def collecting(pinned: str | None = None, *, places: Mapping[str, Any] | None = None) -> Iterator[Answers]:
    """Keep the answers to what is asked in here; with the text that a link pins, answer from it and draw nothing."""
    answers = Answers() if pinned is None else _parsed(pinned)
    answers.places = places or {}
    before = _current.set(answers)
    try:
        yield answers
    finally:
        _current.reset(before)


def current() -> Answers | None:
    """The answers that are being collected, or None outside of `collecting`."""
    return _current.get()


def replaying() -> Answers | None:
    """The answers that stand in for widgets, or None where widgets are to be drawn."""
    answers = _current.get()
    return answers if answers is not None and answers.pinned is not None else None


def note(
    key: str, label: str, value: object, default: object, *, long: bool = False, chip: Chip = "", options: tuple = ()
) -> None:
    """Keep the answer of a widget that is not one of `choose`."""
    answers = _current.get()
    if answers is not None:
        answers.settings[key] = Setting(label, value, default, long, chip, options)


def notify(*sentences: str) -> None:
    """Tell the visitor what is not as asked for. The view shows it above its figures; nothing is told of A."""
    answers = _current.get()
    if answers is not None and answers.pinned is None:
        answers.notices.extend(filter(None, sentences))


def turn(key: str, value: object) -> None:
    """Set the control under this key, as by hand: it is chosen, also where it is the usual one."""
    st.session_state[key] = value
    st.session_state.get("_usual", {}).pop(key, None)


def place(make: Callable, *args: Any, **more: Any) -> Any:
    """A new container for widgets, such as st.grid; where none are drawn, nothing that stands for one."""
    return _Nowhere() if replaying() else make(*args, **more)


def place_named(name: str) -> Any:
    """A container that the view's layout has made, to draw controls in; nothing where none are drawn."""
    answers = _current.get()
    return nullcontext() if answers is None or answers.pinned is not None else answers.places[name]


@contextmanager
def line(*first: str, key: str = "settings") -> Iterator[None]:
    """One quiet line that says what the controls within are set to, each a chip; pressed, it opens the controls.

        with settings.line():
            width = D_MODEL.ask("d_model")     # "64 wide"

    first  what is said before, as it stands; key: of the line, where a page has two
    """
    answers = _current.get()
    if answers is None or answers.pinned is not None:
        yield
        return
    before = set(answers.settings)
    with st.container(key=f"line-{key}", width="content"):
        said = st.container()
        # The button covers the line, and its label stays the same: the controls stay open while they are used.
        with st.popover("Change the settings", key=f"open-{key}", width="stretch"):
            yield
    asked = [setting.as_chip for name, setting in answers.settings.items() if name not in before]
    chips = "".join(f"<span>{escape(chip)}</span>" for chip in (*first, *asked) if chip)
    name = "chips" if first or len(answers.settings) > len(before) else "chips none"
    said.html(f'<div class="{name}" aria-hidden="true">{chips}</div>')


class _Nowhere:
    def __enter__(self):
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def popover(self, *args: object, **more: object) -> "_Nowhere":
        return self

    def container(self, *args: object, **more: object) -> "_Nowhere":
        return self


def choose(
    widget: Callable[..., Any],
    label: str,
    key: str,
    options: Iterable[T],
    default: T,
    *,
    why: Why = "",
    follows: bool = False,
    common: bool = False,
    quiet: bool = False,
    chip: Chip = "",
    **more: Any,
) -> T:
    """One widget with a fixed set of options, tied to the address bar under `key`.

    A value that `options` lacks, whether from a link or because another setting took it away, becomes the default or
    the nearest one; a notice then says so and gives `why` (with the value in its braces, or called with it), until the
    person chooses again. follows=True: where another setting changes the default, who had the old default gets the new
    one, silently.
    common=True: A and B share the answer, because it only changes how both are drawn; it is not pinned.
    quiet=True: without a notice. chip: how a `line` says the answer, such as "{} wide"; None for not at all.
    """
    options = tuple(options)
    if common:
        return _common_answer(widget, label, key, options, default, why, follows, more)
    value, notice = _answer(widget, label, key, options, default, why, follows, chip, more)
    if not quiet:
        notify(notice)
    return value


def _common_answer(
    widget: Callable[..., Any], label: str, key: str, options: tuple, default: Any, why: Why, follows: bool, more: dict
) -> Any:
    """The answer of a widget that A and B share: the widget stands on the page already where A is asked for."""
    if replaying():
        value = st.session_state.get(key, default)
        return value if value in options else default
    with collecting():  # kept from what is pinned
        value, notice = _answer(widget, label, key, options, default, why, follows, "", more)
    notify(notice)
    return value


def _answer(
    widget: Callable[..., Any],
    label: str,
    key: str,
    options: tuple,
    default: Any,
    why: Why,
    follows: bool,
    chip: Chip,
    more: dict,
) -> tuple[Any, str]:
    """The value of a widget, and a sentence if it is not what was asked for."""
    pinned = replaying()
    if pinned:
        return pinned.take(key, label, options, default), ""
    refused = st.session_state.setdefault("_refused", {})
    defaults = st.session_state.setdefault("_usual", {})
    given = st.session_state.get(key)
    if follows and given is not None and given == defaults.get(key) != default:
        st.session_state[key] = given = default
    defaults[key] = default
    if given is None:
        text = st.query_params.get(key)
        says = more.get("format_func", str)  # Streamlit knows an option of a link by what the widget says of it
        if text is not None and text not in map(says, options):
            same = [option for option in options if _is_same(option, text)]
            if same:
                st.session_state[key] = same[0]
            else:
                st.session_state[key] = default
                refused[key] = (text, default)
    elif given not in options:
        instead = nearest(given, options) if isinstance(given, int) else default
        st.session_state[key] = instead
        refused[key] = (given, instead)
    initial = {
        st.select_slider: {"value": default},
        st.selectbox: {"index": options.index(default)},
        st.segmented_control: {"default": default, "required": True},
    }[widget]
    value = widget(label, options, key=key, bind="query-params", **initial, **more)
    if value not in options:  # only a tampered message can bring this
        value = default
    notice = ""
    if key in refused:
        text, instead = refused[key]
        if value == instead:
            short = brief(clean(str(text)))
            reason = why(str(text)) if callable(why) else why.format(short) or f"{key} cannot be {short}"
            notice = f"You see {instead}: {reason}."
        else:
            del refused[key]
    note(key, label, value, default, chip=chip, options=options)
    return value, notice


def _is_same(option: object, text: str) -> bool:
    """Whether a link means this option, in other letters or another spelling of a number."""
    if str(option).casefold() == text.casefold():
        return True
    try:
        return isinstance(option, float) and float(text) == option
    except ValueError:
        return False


def usual(key: str) -> Any:
    """The default that the control of `choose` under this key was last drawn with; None where it was not drawn yet."""
    return st.session_state.get("_usual", {}).get(key)


def chosen() -> tuple[str, ...]:
    """The keys of all controls of `choose` that this visitor has seen."""
    return tuple(st.session_state.get("_usual", ()))


def nearest(value: int, options: tuple[int, ...]) -> int:
    """The option that is nearest to a value; the smaller of two."""
    return min(options, key=lambda option: (abs(option - value), option))


def packed(answers: Answers) -> str:
    """Answers for a link: only what is not the default."""
    return urlencode({key: str(s.value) for key, s in answers.settings.items() if s.value != s.default}) or ALL_DEFAULTS


def _parsed(pinned: str) -> Answers:
    if pinned == ALL_DEFAULTS:
        return Answers({})
    if len(pinned) > MAX_PINNED:  # cut anywhere, it would be another model
        return Answers({}, unread=True)
    try:
        pairs = parse_qsl(pinned, keep_blank_values=True, max_num_fields=MAX_SETTINGS, strict_parsing=True)
    except ValueError:
        return Answers({}, unread=bool(pinned))
    return Answers(dict(pairs))
