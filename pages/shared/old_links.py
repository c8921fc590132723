"""Old links: where to find what a link of an earlier version asks for. All of it is in this one table.

A link is changed before its page runs, so that pages know nothing but their present names. Whoever merges, renames or
removes a view adds a row to `MOVED`; a test opens each of them.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.shared import catalogue, links
from pages.shared.settings import MAX_LETTERS, MAX_SETTINGS

Value = str | Callable[[Mapping[str, str]], str]  # of a setting, or what makes it from the old link
ANY = "*"  # in a row: any value of this setting


class Moved(NamedTuple):
    """What was at one place and is at another.

    page  the path of the page that the old link names
    asked the settings that such a link has, each with its value or ANY; they are taken out of the link
    now   the settings that show the same today; those that the link names itself stay
    at    the path of the page where it is today; None where it is the same page
    """

    page: str
    asked: Mapping[str, str]
    now: Mapping[str, Value] = {}
    at: str | None = None

    def fits(self, page: str, link: Mapping[str, str]) -> bool:
        """Whether this link to this page is of this kind."""
        return self.page == page and all(
            name in link and value in (ANY, link[name]) for name, value in self.asked.items()
        )

    def followed(self, link: Mapping[str, str]) -> dict[str, str]:
        """The settings of such a link as they are written today."""
        kept = {name: value for name, value in link.items() if name not in self.asked}
        return {name: value if isinstance(value, str) else value(link) for name, value in self.now.items()} | kept


def one_less(name: str) -> Callable[[Mapping[str, str]], str]:
    """The number under this name, which was counted from 1, counted from 0."""

    def value(link: Mapping[str, str]) -> str:
        text = link.get(name, "")
        return str(int(text) - 1) if text.isascii() and text.isdecimal() and len(text) < 6 else text

    return value


def _of_clocks(link: Mapping[str, str]) -> str:
    """The width of the clocks, which had a number of pairs of their own."""
    n = link.get("pos_clocks_n", "")
    return str(2 * int(n)) if n in ("2", "3", "4", "6", "8", "12", "16", "32") else "16"


def _view(page: str, key: str, old: str, new: str, /, **settings: Value) -> Moved:
    """A view of this page that has another name today, or is a part of another."""
    return Moved(page, {key: old}, {key: new, **settings})


def _door(door: str, name: str, first: str) -> tuple[Moved, Moved]:
    """A door of /translation with a view behind it, named by a setting of its own, and the door alone."""
    key = "translation_view"
    return Moved("translation", {key: door, name: ANY}, {key: lambda link: link[name]}), _view(
        "translation", key, door, first
    )


MOVED: tuple[Moved, ...] = (
    # why
    _view("why", "why_view", "How long does it take?", "What does it cost?", why_by="timed"),
    _view("why", "why_view", "All heads at once", "What does it cost?", why_by="timed"),
    Moved("why", {"why_variants_layer": ANY}, {"why_variants_at": one_less("why_variants_layer")}),
    Moved("why", {"why_variants_head": ANY}, {"why_variants_of_head": one_less("why_variants_head")}),
    # embeddings
    _view("embeddings", "emb_part", "Tokens", "Cut"),
    _view("embeddings", "emb_part", "One-hot × W_e", "Look up"),
    _view("embeddings", "emb_part", "Similarity", "Alike", emb_figure="matrix"),
    Moved("embeddings", {"emb_part": "Scale"}, {"pos_view": "Added to the words"}, at="positions"),
    # attention
    _view("attention", "att_way", "Saturation", "Softmax", att_widths="true"),
    _view("attention", "att_way", "Guess the row", "Guess"),
    _view("attention", "att_way", "Mix of values", "Mix"),
    Moved("attention", {"att_layer": ANY}, {"att_at": one_less("att_layer")}),
    # heads
    _view("heads", "closer", "the heads", "Ribbons"),
    _view("heads", "closer", "unplug", "Ablation"),
    _view("heads", "closer", "likeness", "All heads"),
    _view("heads", "closer", "rollout", "All heads"),
    _view("heads", "closer", "output", "All heads", closer_together="true"),
    _view("heads", "closer", "Output", "All heads", closer_together="true"),
    _view("heads", "closer", "subspace", "All heads", closer_together="true"),
    _view("heads", "closer", "Subspace", "All heads", closer_together="true"),
    # positions
    _view("positions", "pos_view", "Shuffle", "Why needed"),
    _view("positions", "pos_view", "Waves", "The code"),
    _view("positions", "pos_view", "Clocks", "The code", pos_length="128", d_model=_of_clocks),
    _view("positions", "pos_view", "Distance", "The code", pos_length="200", pos_anchor="0"),
    _view("positions", "pos_view", "Schemes", "Other ways"),
    _view("positions", "pos_view", "Look back", "What they can do"),
    _view("positions", "pos_view", "Too far", "What they can do"),
    _view("positions", "pos_view", "Sum", "Added to the words"),
    # masks
    _view("masks", "masks_view", "Paint a mask", "Paint"),
    _view("masks", "masks_view", "Blocked rows", "Paint", masks_empty="true"),
    _view("masks", "masks_view", "Three attentions", "Wiring"),
    _view("masks", "masks_view", "Batches", "Paint", masks_batch="true"),
    # blocks
    _view("blocks", "blocks_part", "Layer norm", "One layer", blocks_step="norm 1"),
    _view("blocks", "blocks_part", "Feed-forward", "One layer", blocks_step="feed-forward"),
    _view("blocks", "blocks_part", "Residual stream", "The stream"),
    Moved("blocks", {"blocks_stream": ANY}),  # its three figures are one
    _view("blocks", "blocks_part", "Pull a plug", "Ablation"),
    _view("blocks", "blocks_part", "Depth", "Ablation", blocks_over="Ever deeper stacks"),
    _view("blocks", "blocks_part", "Ledger", "One layer", blocks_shapes="true"),
    _view("blocks", "blocks_part", "Sizes", "Modern blocks"),
    _view("blocks", "blocks_part", "Parameters", "Modern blocks"),
    _view("blocks", "blocks_part", "Experts", "Modern blocks", blocks_experts="true"),
    _view("blocks", "blocks_part", "Is it linear?", "One layer", blocks_linear="true"),
    _view("blocks", "blocks_part", "Dropout", "One layer", blocks_dropout="true"),
    Moved("blocks", {"blocks_layer": ANY}, {"blocks_at": one_less("blocks_layer")}),
    # live
    _view("live", "live_below", "What is to be seen", "What you see"),
    _view("live", "live_below", "Keep the model", "Save and use"),
    Moved("live", {"live_compare": "one training"}, {"live_compare": "Compare: off"}),
    Moved("live", {"live_compare": "A pinned, B is what you choose now"}, {"live_compare": "Keep A, change B"}),
    # translation: once its views stood behind three doors, a few behind each
    _view("translation", "translation_view", "Padding", "All heads", translation_kind="Cross, with padding"),
    *_door("Watch", "watch", "Threads"),
    *_door("Try", "try", "Change a word"),
    *_door("Choose", "choose", "Beam search"),
    Moved("translation", {"watch": ANY}, {"translation_view": lambda link: link["watch"]}),  # the first door was open
    *(Moved("translation", {name: ANY}) for name in ("try", "choose")),
    Moved("translation", {"translator_before": "true"}, {"translator_step": "0"}),
    # finetuning
    _view("finetuning", "fine_view", "What was forgotten", "The race", fine_heads="true"),
)


def translated(page: str, link: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The page and the settings that show today what this link to this page asked for; the same where nothing moved."""
    settings = dict(link)
    for _ in MOVED:  # what has moved may have moved before; so often at most
        row = next((row for row in MOVED if row.fits(page, settings)), None)
        if row is None:
            break
        page, settings = page if row.at is None else row.at, row.followed(settings)
    pinned = settings.get("a", "")
    if "=" in pinned and len(pinned) <= MAX_LETTERS:
        settings["a"] = _pinned(page, pinned)
    return page, settings


def _pinned(page: str, pinned: str) -> str:
    """What a link pins as A, with the settings as they are written today."""
    try:
        link = dict(parse_qsl(pinned, keep_blank_values=True, max_num_fields=MAX_SETTINGS, strict_parsing=True))
    except ValueError:
        return pinned
    now = dict(link)
    for row in MOVED:
        if row.at is None and row.fits(page, now):
            now = row.followed(now)
    return pinned if now == link else urlencode(now)


def follow(page: str) -> None:
    """Lead an old link to this page to where it belongs, before any control is drawn."""
    link = st.query_params.to_dict()
    now_page, settings = translated(page, link)
    if (now_page, settings) == (page, link):
        return
    for name in link.keys() ^ settings.keys() | {name for name in settings if settings[name] != link.get(name)}:
        st.session_state.pop(name, None)  # the address wins
    if now_page != page:
        st.switch_page(catalogue.page(now_page).script, query_params=settings)
    links.readdress(settings)
