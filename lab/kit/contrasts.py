"""What A of A | B can differ from B in, and how two answers to the same questions differ, in a sentence."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from lab.kit.settings import Answers, Setting
from lab.kit.words import brief, shorten

MAX_READ = 80  # letters of A's text that are said


def contrasts(answers: Answers, telling: Collection[str] = ()) -> Iterator[Answers]:
    """These answers but for one, so that a comparison opens on a difference; the most telling first.

    First those of `telling` (keys) that are asked for; then what is no longer its default, which it is again; then the
    next option of every other control.
    """
    asked = {key: s for key, s in answers.settings.items() if len(s.options) > 1 and not s.long}
    changed = [key for key, s in asked.items() if s.value != s.default]
    for key in dict.fromkeys((*filter(asked.__contains__, telling), *changed, *asked)):
        s = asked[key]
        value = s.default if key in changed else s.options[(s.options.index(s.value) + 1) % len(s.options)]
        yield replace(answers, settings={**answers.settings, key: replace(s, value=value)})


def following(a: Answers, b: Answers) -> list[str]:
    """Keys of what differs only because its default follows from another setting."""
    return [
        key
        for key, after in b.settings.items()
        if (before := a.settings.get(key)) is not None
        and before.value != after.value
        and before.value == before.default
        and after.value == after.default
    ]


def differences(a: Answers, b: Answers) -> str:
    """How A differs from B, in a sentence. What only follows from another setting is named last."""
    chosen, followed, follows = [], [], following(a, b)
    for key, after in b.settings.items():
        before = a.settings.get(key)
        if before is not None and before.value != after.value:
            (followed if key in follows else chosen).append(_difference(before, after))
    if not chosen and not followed:
        return "A and B are the same. Change anything: A stays as it is."
    if not chosen or not followed:
        return f"{'; '.join(chosen or followed)}."
    return f"{'; '.join(chosen)}; and with that, {'; '.join(followed)}."


def _difference(a: Setting, b: Setting) -> str:
    """How one answer of A differs from B's, as a clause."""
    if b.label == "sentence" and a.value:
        return f"A reads “{shorten(str(a.value), MAX_READ)}”"
    if b.long:
        return f"A has another {b.label}"
    if b.label == "State":
        return f"A is {brief(a.value)}, B is {brief(b.value)}"
    return f"{b.label}{' is' if ':' in b.label else ':'} {brief(a.value)} in A, {brief(b.value)} in B"
