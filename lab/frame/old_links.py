"""Old links: where to find what a link of an earlier version asks for. All of it is in this one table.

Links are changed before their page runs: it knows its present names alone. Whoever merges, renames or removes a view
adds a row to `MOVED`, which a test opens. Rows name settings as they are called today.
"""

from collections.abc import Callable, Collection, Mapping
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from lab.frame import links
from lab.kit import catalogue, story
from lab.kit.settings import MAX_PINNED, MAX_SETTINGS

# Settings that once went without their page's prefix: their names, or how they begin, with a "_" at the end.
UNPREFIXED: Mapping[str, tuple[str, ...]] = {
    "": ("size", "picture", "map_"),
    "positions": ("rotary_columns",),
    "masks": ("painted", "target", "wire_"),
    "live": ("film_",),
    "translation": (
        *("english", "french", "letters", "direction", "follow", "graft"),
        *("beam_", "edit_", "plug_", "thread_"),
    ),
    "pretrained": (
        *("recorded", "grammar", "head_light", "bring_file", "study_", "own_", "rollout_"),
        *("patch_part", "patch_clean", "patch_corrupted", "lens_text", "induction_n", "induction_seed"),
    ),
    "beyond": ("code",),
}
# Links to a block once named what set it apart from this one; today they name what sets it apart from that of 2017.
OF_TODAY: Mapping[str, str] = {
    "blocks_with_norm": "RMSNorm",
    "blocks_with_place": "before",
    "blocks_with_feed_forward": "SwiGLU",
    "blocks_with_positions": "rotary",
    "blocks_with_kv_heads": "one for two",
    "blocks_with_experts": "2 of 4",
    "blocks_with_embeddings": "as they are",
    "blocks_with_output": "nothing",
}
Value = str | Callable[[Mapping[str, str]], str]  # of a setting, or what makes it from the old link
ANY = "*"  # in a row: any value of this setting


class Moved(NamedTuple):
    """What was at one place and is at another.

    page  the path of the page that the old link names
    asked the settings that such a link has, each with its value or ANY; they are taken out of the link
    now   the settings that show the same today; those that the link names itself stay
    at    the path of the page where it is today; None where it is the same page
    unless  a setting that only younger links have, or another view's; a page writes it a moment after those asked for
    """

    page: str
    asked: Mapping[str, str]
    now: Mapping[str, Value] = {}
    at: str | None = None
    unless: str = ""

    def fits(self, page: str, link: Mapping[str, str]) -> bool:
        """Whether this link to this page is of this kind."""
        asked = all(name in link and value in (ANY, link[name]) for name, value in self.asked.items())
        return self.page == page and asked and self.unless not in link

    def followed(self, link: Mapping[str, str]) -> dict[str, str]:
        """The settings of such a link as they are written today."""
        kept = {name: value for name, value in link.items() if name not in self.asked}
        return {name: value if isinstance(value, str) else value(link) for name, value in self.now.items()} | kept


def name_today(page: str, name: str) -> str:
    """What a setting of this page is called today: with the prefix of the page."""
    once = UNPREFIXED.get(page, ())
    if name in once or name.startswith(tuple(start for start in once if start.endswith("_"))):
        return f"{catalogue.page(page).prefix.removesuffix('_')}_{name}"
    return name


def _renamed(page: str, link: Mapping[str, str]) -> dict[str, str]:
    """These settings of a page by their names of today; where a link has both names, today's counts."""
    now = {name_today(page, name): value for name, value in link.items()}
    return now | {name: value for name, value in link.items() if name in now}


def one_less(name: str) -> Callable[[Mapping[str, str]], str]:
    """The number under this name, which was counted from 1, counted from 0."""

    def value(link: Mapping[str, str]) -> str:
        text = link.get(name, "")
        return str(int(text) - 1) if text.isascii() and text.isdecimal() and len(text) < 6 else text

    return value


def _word_from_zero(link: Mapping[str, str]) -> str:
    """A token of a sentence, "17 red", as it is named with its position counted from 0: "16 red"."""
    place, _, word = link.get("blocks_token", "").partition(" ")
    return f"{one_less('place')({'place': place})} {word}".rstrip()


def _of_clocks(link: Mapping[str, str]) -> str:
    """The width of the clocks, which had a number of pairs of their own."""
    n = link.get("pos_clocks_n", "")
    return str(2 * int(n)) if n in ("2", "3", "4", "6", "8", "12", "16", "32") else "16"


def _chosen(name: str) -> Callable[[Mapping[str, str]], str]:
    """What this setting says."""
    return lambda link: link[name]


def _unplugged(link: Mapping[str, str]) -> str:
    """The head that was unplugged, once two settings: its layer, and "head 3" or all of them."""
    layer, head = link.get("unplug_layer", ""), link.get("unplug_head", "").removeprefix("head ")
    if not layer:
        return "none"
    return f"{layer}·{head}" if head.isdecimal() else f"all of layer {layer}"


def _view(page: str, key: str, old: str, new: str, /, **settings: Value) -> Moved:
    """A view of this page that has another name today, or is a part of another."""
    return Moved(page, {key: old}, {key: new, **settings})


def _until_3(page: str, asked: Mapping[str, str], name: str, value: str, unless: str = "") -> Moved:
    """What a setting of this page was, until version 3, where a link that asks for this did not name it."""
    return Moved(page, {"v": "2", **asked}, {**asked, name: value}, unless=unless or name)


def _value(page: str, key: str, old: str, new: str) -> Moved:
    """What a setting of this page once said, and how it says the same today."""
    return Moved(page, {key: old}, {key: new})


def _door(door: str, name: str, first: str) -> tuple[Moved, Moved]:
    """A door of /translation with a view behind it, named by a setting of its own, and the door alone."""
    key = "translation_view"
    return Moved("translation", {key: door, name: ANY}, {key: lambda link: link[name]}), _view(
        "translation", key, door, first
    )


_HEAD: dict[str, Value] = {"puzzle_at": "head"}
_HOW_FAR: Mapping[str, Value] = {"why_view": "How far apart are words?", "why_recall": "true"}
_LONG = "why_variants_long"  # the fold that has the other ways to attend
MOVED: tuple[Moved, ...] = (
    # why
    _view("why", "why_view", "How long does it take?", "What does it cost?", why_timed="true"),
    _view("why", "why_view", "All heads at once", "What does it cost?", why_timed="true"),
    Moved("why", {"why_by": "timed"}, {"why_timed": "true"}),
    _view("why", "why_view", "How far back can it remember?", "How far apart are words?", why_recall="true"),
    Moved("why", {"why_view": "Draw it first", "why_draw": "how far it remembers"}, _HOW_FAR),
    _view("why", "why_view", "Draw it first", "What does it cost?", why_guess="true"),
    _until_3("why", {"why_view": "What does it cost?"}, "why_length", "1024"),
    _view("why", "why_view", "Does bigger help?", "What does it cost?", why_bigger="true"),
    _value("why", "why_scale", "stories", "tales"),
    Moved("why", {"why_variant": "full"}, {"why_window": "12"}, unless=_LONG),
    Moved("why", {"why_variant": "global + local"}, {"why_hub": "0"}, unless=_LONG),
    Moved("why", {"why_variant": ANY}, {_LONG: "true", "why_variant": itemgetter("why_variant")}, unless=_LONG),
    Moved("why", {"why_variants_size": ANY}, {"why_window": itemgetter("why_variants_size")}, unless=_LONG),
    # embeddings
    _view("embeddings", "emb_part", "Tokens", "Cut"),
    _view("embeddings", "emb_part", "One-hot × W_e", "Look up"),
    _view("embeddings", "emb_part", "Similarity", "Alike"),
    _view("embeddings", "emb_part", "What learns", "Look up", emb_learns="true"),
    *(Moved("embeddings", {name: ANY}, {}) for name in ("emb_figure", "emb_ids")),
    Moved("embeddings", {"emb_part": "Scale"}, {"pos_view": "Why needed", "pos_added": "true"}, at="positions"),
    # attention
    _view("attention", "att_way", "Saturation", "Step by step", att_widths="true"),
    _view("attention", "att_way", "Softmax", "Step by step", att_step="weights"),
    *(_view("attention", "att_way", *row) for row in (("Guess the row", "Guess"), ("Mix of values", "Mix"))),
    Moved("attention", {"att_layer": ANY}, {"att_at": one_less("att_layer")}),
    # heads
    _view("heads", "closer", "the heads", "One head"),
    _view("heads", "closer", "Ribbons", "One head"),
    _view("heads", "closer", "unplug", "Ablation"),
    *(_view("heads", "closer", name, "All heads") for name in ("likeness", "rollout")),
    *(
        Moved("heads", {"closer": name, **asked}, {"att_way": "Mix", "att_on": "Ann and Bob", **now}, at="attention")
        for name in ("Two places", "two places")
        for asked, now in (({"closer_share": ANY}, {"att_share": lambda link: link["closer_share"]}), ({}, {}))
    ),
    *(_view("heads", "closer", name, "All heads", closer_together="true") for name in ("Output", "Subspace")),
    *(_view("heads", "closer", name, "All heads", closer_together="true") for name in ("output", "subspace")),
    # positions
    _view("positions", "pos_view", "Shuffle", "Why needed"),
    _view("positions", "pos_view", "The code", "Sines and cosines"),
    _view("positions", "pos_view", "Waves", "Sines and cosines", pos_beat="2"),
    _view("positions", "pos_view", "Clocks", "Sines and cosines", pos_length="128", d_model=_of_clocks),
    _view("positions", "pos_view", "Distance", "Sines and cosines", pos_length="200", pos_anchor="0"),
    _view("positions", "pos_view", "Schemes", "Other ways"),
    _view("positions", "pos_view", "Look back", "Sines and cosines", pos_look="true"),
    Moved("positions", {"pos_view": "What they can do", "pos_trained": ANY}, {"pos_view": "Too far"}),
    Moved("positions", {"pos_view": "Other ways", "pos_far": ANY}, {"pos_view": "Too far"}),
    Moved("positions", {"pos_view": "Other ways", "pos_scheme": "too far"}, {"pos_view": "Too far"}),
    Moved("positions", {"pos_scheme": "too far"}),
    *(Moved("positions", {name: ANY}) for name in ("pos_far", "pos_trained", "pos_times")),  # there is one training
    _view("positions", "pos_view", "What they can do", "Sines and cosines", pos_look="true"),
    *(_view("positions", "pos_view", name, "Why needed", pos_added="true") for name in ("Sum", "Added to the words")),
    # masks
    _view("masks", "masks_view", "Paint a mask", "Paint"),
    _view("masks", "masks_view", "Blocked rows", "Paint", masks_empty="true"),
    _view("masks", "masks_view", "Three attentions", "Wiring"),
    _view("masks", "masks_view", "Batches", "Paint", masks_batch="true"),
    Moved("masks", {"v": "2", "masks_layer": "2"}, {"masks_layer": "2", "masks_head": "2"}, unless="masks_head"),
    # blocks
    _view("blocks", "blocks_part", "Layer norm", "One layer", blocks_step="norm 1"),
    _view("blocks", "blocks_part", "Feed-forward", "One layer", blocks_step="feed-forward"),
    _view("blocks", "blocks_part", "Residual stream", "The stream"),
    Moved("blocks", {"blocks_stream": ANY}),  # its three figures are one
    _view("blocks", "blocks_part", "Pull a plug", "Ablation"),
    _view("blocks", "blocks_part", "Depth", "Ablation", blocks_over="Ever deeper stacks"),
    _view("blocks", "blocks_part", "Ledger", "One layer", blocks_shapes="true"),
    *(_view("blocks", "blocks_part", name, "Modern blocks") for name in ("Sizes", "Parameters")),
    _view("blocks", "blocks_part", "Experts", "Modern blocks", blocks_experts="true"),
    _view("blocks", "blocks_part", "Is it linear?", "One layer", blocks_linear="true"),
    _view("blocks", "blocks_part", "Dropout", "One layer", blocks_dropout="true"),
    Moved("blocks", {"blocks_layer": ANY}, {"blocks_at": one_less("blocks_layer")}),
    # Until version 3, Paint and One layer, the first views, opened on layer 0. The mark goes: what follows is not old.
    Moved("masks", {"v": "2"}, {"masks_layer": "0"}, unless="masks_view"),
    Moved("blocks", {"v": "2"}, {"blocks_at": "0"}, unless="blocks_part"),
    *(Moved(page, {"v": "2"}) for page in ("masks", "blocks")),
    Moved("blocks", {"blocks_token": ANY}, {"blocks_follow": _word_from_zero}),
    *(
        Moved("blocks", {name: ANY}, {**OF_TODAY, name: _chosen(name), "blocks_pair": "all"}, unless="blocks_pair")
        for name in OF_TODAY
    ),
    # live
    *(Moved("live", {"live_below": name}, {"live_keep": "true"}) for name in ("Keep the model", "Save and use")),
    *(_view("live", "live_below", x, "What you see") for x in ("What is to be seen", "Draw the loss")),
    *(_view("live", "live_below", x, "What you see", live_learned="true") for x in ("Vectors", "Longer texts")),
    _value("live", "live_compare", "one training", "Compare: off"),
    _value("live", "live_compare", "A pinned, B is what you choose now", "Keep A, change B"),
    _value("live", "live_task", "Stories", "Short tales"),
    _value("live", "live_film", "Short stories, with experts, recorded", "Short tales, with experts, recorded"),
    _value("live", "live_film", "Short stories, recorded", "Short tales, recorded"),
    # translation: once its views stood behind three doors, a few behind each
    _view(
        "translation",
        "translation_view",
        "Padding",
        "Threads",
        translation_heads="true",
        translation_kind="Cross, with padding",
    ),
    _view("translation", "translation_view", "All heads", "Threads", translation_heads="true"),
    _view("translation", "translation_view", "In context", "Change a word"),
    _view(
        "translation",
        "translation_view",
        "Beam search",
        "Step by step",
        tr_beam_width="3",
        tr_english="The cat is a dog",
    ),
    Moved(
        "translation",
        {"translation_view": "Fewer sentences"},
        {"live_task": "English to French", "live_examples": lambda link: link.get("sentences", "2000")},
        at="live",
    ),
    Moved(
        "translation",
        {"translation_view": "Pull a plug", "translation_plug": "the mask in training"},
        {"gen_view": "Without the mask"},
        at="generation",
    ),
    *_door("Watch", "watch", "Threads"),
    *_door("Try", "try", "Change a word"),
    *_door("Choose", "choose", "Beam search"),
    Moved("translation", {"watch": ANY}, {"translation_view": lambda link: link["watch"]}),  # the first door was open
    _view("translation", "translation_view", "Pull a plug", "Ablation"),
    _value("translation", "translation_plug", "none", "nothing"),
    _value("translation", "translation_plug", "where to look", "cross-attention"),
    *(Moved("translation", {name: ANY}) for name in ("try", "choose")),
    Moved("translation", {"translator_before": "true"}, {"translator_step": "0"}),
    # bugs
    _view("bugs", "bugs_exhibit", "Shares over 100%", "Plausible nonsense"),
    # challenges: each was a view there, with a link pasted as its proof; now it is played on its page
    *(
        Moved("challenges", {f"proof_{key}": ANY})
        for key in ("head", "edge", "owner", "sharp", "undecided", "french", "alike", "small")
    ),
    *(
        Moved("challenges", {"challenge": name}, {**challenge, "puzzle": key}, at=page)
        for name, key, page, challenge in (
            ("Two minds", "undecided", "generation", {"gen_text": "tom and mia were friends. then"}),
            ("Wrong French", "french", "translation", {}),
            ("Small", "small", "live", {"live_d_model": "16"}),
        )
    ),
    *(Moved("challenges", {"puzzle_silenced": f"{n}"}, _HEAD | {"puzzle_pulled": f"tim:{n}"}) for n in range(12)),
    Moved("challenges", {"challenge": "One head less"}, _HEAD),
    Moved("challenges", {"puzzle": "head"}, _HEAD),  # as the search has it
    Moved("heads", {"puzzle": "head"}, _HEAD, at="challenges"),
    Moved("challenges", {"challenge": "One edge"}, {"weights": "trained on stories", "closer": "Edges"}, at="heads"),
    Moved("challenges", {"challenge": "The owner"}, {"weights": "trained on stories"}, at="heads"),
    Moved("challenges", {"challenge": "Sharp"}, {"weights": "untrained"}, at="heads"),
    Moved("challenges", {"challenge": "Twins"}, {"pos_view": "Sines and cosines", "d_model": "8"}, at="positions"),
    # pretrained
    *(
        _view("pretrained", "pretrained_view", old, "Which head?", pretrained_head_light=light)
        for old, light in (
            ("Patching", "Patch"),
            ("Attribution", "Attribute"),
            ("Induction", "Repetition"),
            ("Grammar", "Grammar"),
        )
    ),
    Moved(
        "pretrained",
        {"pretrained_view": "Unplug", "text": ANY},
        {"pretrained_view": "Unplug", "pretrained_patch_clean": lambda link: link["text"]},
    ),
    Moved(
        "pretrained",
        {"pretrained_view": "Unplug"},
        {"pretrained_view": "Which head?", "pretrained_head_light": "Ablate", "pretrained_study_head": _unplugged},
    ),
    _view("pretrained", "pretrained_head_light", "Unplug", "Ablate"),
    *(
        Moved("pretrained", {name: ANY}, {"pretrained_study_head": _chosen(name)})
        for name in ("patch_head", "attr_head", "induction_head", "grammar_head")
    ),
    _until_3("pretrained", {"pretrained_view": "Lens"}, "pretrained_lens_text", story.TEXT, unless="weights"),
    _until_3("pretrained", {"pretrained_bring_file": "true"}, "pretrained_example", "example.npz"),
    _view("pretrained", "pretrained_view", "Models", "Bring a model"),
    _view("pretrained", "pretrained_view", "Your tensors", "Bring a model", pretrained_bring_file="true"),
    Moved(
        "pretrained",
        {"pretrained_recorded": "Two sentences: “it” looks into the first"},
        {"pretrained_recorded": "Two sentences: everyone looks at the dog"},
    ),
    # vision
    _view("vision", "vision_view", "Shuffle the patches", "Cut into patches", vision_moved="36"),
    # beyond: one view
    Moved("beyond", {"beyond_view": "Where it fails"}, {"beyond_fails": "true"}),
    Moved("beyond", {"beyond_view": ANY}),
    # generation
    _view("generation", "gen_view", "From vector to logits", "Choose the next word", gen_logits="true"),
    _view("generation", "gen_view", "100 whole texts", "Choose the next word", gen_hundred="true"),
    *(_value("generation", "gen_model", f"Short stories{x}", f"Short tales{x}") for x in (", with experts", "")),
    # finetuning
    _view("finetuning", "fine_view", "What was forgotten", "The race", fine_heads="true"),
    _view("finetuning", "fine_view", "What moved", "The race", fine_moved="true"),
    _view("finetuning", "fine_view", "Its classifier", "BERT’s way", fine_classifier="true"),
    _value("finetuning", "fine_text", "talks", "dialogues"),
    _until_3("finetuning", {"fine_view": "BERT’s way"}, "fine_review", "The staff were hardly helpful."),
    Moved("finetuning", {"fine_curve": ANY}),  # both curves stand below what is written
)


def translated(page: str, link: Mapping[str, str], held: Collection[str] = ()) -> tuple[str, dict[str, str]]:
    """The page and the settings that show today what this link to this page asked for; the same where nothing moved.

    held  the settings that the visitor's controls already have: those came from no link"""
    settings = _renamed(page, link)
    for _ in MOVED:  # what has moved may have moved before; so often at most
        fitting = (row for row in MOVED if row.fits(page, settings) and not (row.unless and row.asked.keys() & held))
        row = next(fitting, None)
        if row is None:
            break
        page = page if row.at is None else row.at
        settings = _renamed(page, row.followed(settings))
    pinned = settings.get("a", "")
    if "=" in pinned and len(pinned) <= MAX_PINNED:
        settings["a"] = _pinned(page, pinned)
    return page, settings


def _pinned(page: str, pinned: str) -> str:
    """What a link pins as A, with the settings as they are written today."""
    try:
        link = dict(parse_qsl(pinned, keep_blank_values=True, max_num_fields=MAX_SETTINGS, strict_parsing=True))
    except ValueError:
        return pinned
    now = _renamed(page, link)
    for row in MOVED:
        if row.at is None and row.fits(page, now):
            now = row.followed(now)
    return pinned if now == link else urlencode(now)


def follow(page: str) -> None:
    """Lead an old link to this page to where it belongs, before any control is drawn."""
    link = st.query_params.to_dict()
    now_page, settings = translated(page, link, [str(name) for name in st.session_state])
    if (now_page, settings) == (page, link):
        return
    for name in link.keys() ^ settings.keys() | {name for name in settings if settings[name] != link.get(name)}:
        st.session_state.pop(name, None)  # the address wins
    if now_page != page:
        st.switch_page(catalogue.page(now_page).script, query_params=settings)
    links.readdress(settings)
