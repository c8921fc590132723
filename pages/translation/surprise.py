"""The order in which changes of one word are offered: first what most of the translation follows."""

from pages.translation import data
from pages.translation.edit import Edit, changes, unchanged


def by_surprise(ref: data.Ref, words: tuple[str, ...]) -> list[tuple[int, str]]:
    """Changes of one word each; first the one by which most tokens change that do not look most at this word."""
    before, offered = data.translated(ref, words), tuple(changes(words, ref.resolve().task))
    tops = before.maps["cross"].weights[-1].mean(0).argmax(-1).tolist()
    followers = {}
    for change, now in zip(offered, data.written_after(ref, words, offered), strict=True):
        same = unchanged(now, before.words)
        followers[change] = sum(n not in same and top != change[0] for n, top in enumerate(tops))
    return sorted(offered, key=lambda change: -followers[change])


def after(edit: Edit, ranked: list[tuple[int, str]]) -> tuple[int, str] | None:
    """The change that comes after the one on screen, the first again after the last; None where there is no other."""
    now = (edit.place, edit.words[edit.place])
    others = ranked[ranked.index(now) + 1 :] + ranked if now in ranked else ranked
    return next((change for change in others if change != now), None)
