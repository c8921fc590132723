"""Settings that can be asked for twice: of the widgets, and of what a link has pinned as A.

A page asks for its settings in one function. Within `reading()` that function draws its widgets, and what they say is
kept. Within `reading(pinned)` the same function draws nothing: every answer is what was pinned, if that very control
offers it, and the usual otherwise. So A can be nothing that the page's own controls cannot be.
"""

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

LONGEST = 12_000  # letters of a link that are read as A
MOST_SETTINGS = 64
USUAL = "usual"  # in a link: every setting of A is the usual


@dataclass(frozen=True)
class Setting:
    """One answer; `long` ones, such as a text, are not spelled out where they differ."""

    label: str
    value: object
    usual: object
    long: bool = False


@dataclass
class Reading:
    """The settings of one reading, in the order in which they were asked for; `pinned` is None with widgets."""

    pinned: dict[str, str] | None = None
    settings: dict[str, Setting] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    unread: bool = False  # the link holds something that is no list of settings

    def take(self, key: str, label: str, options: Iterable, usual):
        """What was pinned under this key if it is one of the options, else the usual."""
        asked = self.pinned.get(key)
        fitting = [option for option in options if str(option) == asked]
        if asked is not None and not fitting:
            self.refused.append(f"{label} cannot be {shortened(asked)}")
        value = fitting[0] if fitting else usual
        self.settings[key] = Setting(label, value, usual)
        return value

    def take_text(self, key: str, label: str, usual, read: Callable[[str], object]):
        """What `read` makes of the text under this key; the usual where nothing was pinned or `read` gives None."""
        asked = self.pinned.get(key)
        value = usual if asked is None else read(asked)
        if value is None:
            self.refused.append(f"{label} cannot be read")
            value = usual
        self.settings[key] = Setting(label, value, usual, long=True)
        return value

    @property
    def complaint(self) -> str:
        """What of A could not be had, in a sentence; "" if all could."""
        if self.refused:
            return f"In A you see the usual where the link asks for something else: {'; '.join(self.refused)}."
        known = self.pinned is None or not self.pinned or self.pinned.keys() & self.settings.keys()
        if self.unread or not known:
            return "What the link has pinned as A is no setting of this view. In A you see the usual."
        return ""


_open: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reading(pinned: str | None = None):
    """Keep what is asked for in here; with a text from a link, answer from it instead of drawing widgets."""
    found = Reading() if pinned is None else _unpacked(pinned)
    before = _open.set(found)
    try:
        yield found
    finally:
        _open.reset(before)


def replaying() -> Reading | None:
    """The reading that answers in the place of widgets, or None where widgets are to be drawn."""
    found = _open.get()
    return found if found is not None and found.pinned is not None else None


def note(key: str, label: str, value, usual, *, long: bool = False) -> None:
    """Keep the answer of a widget."""
    found = _open.get()
    if found is not None:
        found.settings[key] = Setting(label, value, usual, long)


def place(make: Callable, *args, **more):
    """A container for widgets, such as st.grid; where none are drawn, nothing that stands for one."""
    return _Nowhere() if replaying() else make(*args, **more)


class _Nowhere:
    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        pass

    def popover(self, *args, **more):
        return self


def packed(found: Reading) -> str:
    """A reading for a link: only what is not usual."""
    return urlencode({key: str(s.value) for key, s in found.settings.items() if s.value != s.usual}) or USUAL


def _unpacked(pinned: str) -> Reading:
    if pinned == USUAL:
        return Reading({})
    try:
        asked = dict(
            parse_qsl(pinned[:LONGEST], keep_blank_values=True, max_num_fields=MOST_SETTINGS, strict_parsing=True)
        )
    except ValueError:
        return Reading({}, unread=bool(pinned))
    return Reading(asked)


def differences(a: Reading, b: Reading) -> str:
    """What B has otherwise than A, in a sentence. What only follows from another setting is named last."""
    chosen, followed = [], []
    for key, after in b.settings.items():
        before = a.settings.get(key)
        if before is None or before.value == after.value:
            continue
        follows = before.value == before.usual and after.value == after.usual
        said = f"{after.label} {shortened(before.value)} → {shortened(after.value)}"
        if after.long:
            said = f"another {after.label}"
        (followed if follows else chosen).append(said)
    if not chosen and not followed:
        return "A and B are the same."
    if not chosen or not followed:
        return f"From A to B: {'; '.join(chosen or followed)}."
    return f"From A to B: {'; '.join(chosen)}; and with that {'; '.join(followed)}."


def shortened(value: object) -> str:
    """A value in a sentence, not too long, on one line."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(value))
    return text if len(text) <= 24 else text[:23] + "…"
