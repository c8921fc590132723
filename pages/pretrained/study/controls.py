"""What is asked for where heads are studied: a model, prompts, the next token that is in question, and one head."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from lab.kit import settings, story
from lab.kit.controls.reader import STORIES
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import Shipped, TrainedSource
from lab.kit.models.source import Kind, ModelRef, Source
from lab.kit.settings import MAX_TEXT
from lab.kit.view import places
from lab.server import gate
from pages.pretrained import text
from pages.pretrained.study import data
from transformer.core.checks import InputError
from transformer.training.text import clean

MAX_TOKENS = 64  # of a prompt: each part of the model is run by itself
HEAD = "pretrained_study_head"  # in links; the head stays chosen where another light falls on the same text
STRONGEST, NONE = "the strongest", "none"  # what is seen at first: a head, or all of them
ANY_OTHER = "any other"
PAIRS = {  # clean and corrupted prompt, by the name of a shipped model; "" for published ones
    story.WRITER: (story.TEXT, story.TEXT.removesuffix("red") + "blue"),
    "repeat": ("a b c d a b c", "a b c e a b c"),
    "": (
        "When Mary and John went to the store, John gave a drink to",
        "When Mary and John went to the store, Mary gave a drink to",
    ),
}


@dataclass(frozen=True)
class Light:
    """One way to ask what the heads of a model do.

    name      on the switch, and in the link
    lede      one line above the picture, in plain words: what is done, and what is asked, in Markdown
    seen      begins what is said below it, in Markdown
    ask       draws the controls, in a settings.line -> settings, or None where there is nothing to show (and a notice
              says why)
    compute   settings -> result
    draw      puts the result on screen, in the places "stage", "picture" and "close"
    compared  names what A | B compares; sheet(settings, result) is that, None where there is nothing to compare
    is_apart  whether it reads texts of its own: a head that was chosen on others says nothing there
    instead   (settings, result) -> what is said in place of lede and of seen, where another map is drawn, or none
    """

    name: str
    lede: str
    seen: str
    ask: Callable[[], Any]
    compute: Callable[[Any], Any]
    draw: Callable[[Any, Any], None]
    compared: str
    sheet: Callable[[Any, Any], Sheet | None]
    instead: Callable[[Any, Any], tuple[str, str] | None] = lambda s, result: None
    is_apart: bool = False


def row(key: str, **more: Any) -> Any:
    """A line of controls with words between them."""
    more = {"horizontal": True, "vertical_alignment": "center", "gap": "small", **more}
    return settings.place(st.container, key=f"study-{key}", **more)


def ask_model(
    *,
    kinds: tuple[Kind, ...] = ("decoder",),
    default: str = "",
    more: dict[str, ModelRef] | None = None,
    in_line: bool = True,
) -> ModelRef | None:
    """A model of these kinds, by name; the same choice as in the other views of this page.

    more     models that are offered besides; default: the name of the one that is chosen at first
    in_line  whether it stands behind the chips of a settings.line, or in a row of controls
    """
    models = {**(more or {}), **text.models(*kinds)}
    default = default if default in models else next(iter(models))
    look: dict[str, Any] = {"chip": "{}"} if in_line else {"label_visibility": "collapsed", "width": 190}
    name = settings.choose(
        st.selectbox,
        "Model",
        "weights",
        models,
        default,
        follows=True,
        why=f"a {' or an '.join(reversed(kinds))} on this server is needed",
        **look,
    )
    try:
        models[name].resolve()
    except InputError as refusal:
        settings.notify(f"{str(refusal).rstrip('.')}. You see “{STORIES}” in its place.")
        return models[STORIES]
    return models[name]


def text_for(source: Source) -> str:
    """A text to begin with."""
    return pair_for(source)[0] if source.kind == "decoder" else source.examples[0]


def pair_for(source: Source) -> tuple[str, str]:
    """Two prompts that differ in one word, and in what comes next, to begin with."""
    if not isinstance(source, TrainedSource):
        return PAIRS[""]
    if isinstance(source.ref, Shipped) and source.ref.name in PAIRS:
        return PAIRS[source.ref.name]
    ids = source.ids(source.cut(source.examples[0]))
    others = [id for id in data.ordinary_ids(source) if id not in ids]
    changed = [*ids[:1], *(others[:1] or ids[-1:]), *ids[2:]]
    decode = source.task.source.decode
    return decode(ids), decode(changed)


def ask_prompt(
    label: str, key: str, default: str, width: int | Literal["stretch"] = "stretch", *, chip: str = ""
) -> str:
    """A box for a prompt. What nobody has changed gives way to the prompt of another model.

    chip  what a settings.line calls it, where the box stands behind the chips of one
    """
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(key, label, default, lambda typed: typed[:MAX_TEXT])
    usual = st.session_state.setdefault("_pretrained_prompts", {})
    if st.session_state.get(key) is not None and st.session_state[key] == usual.get(key) != default:
        st.session_state[key] = default
    usual[key] = default
    typed = st.text_input(
        label,
        default,
        key=key,
        bind="query-params",
        max_chars=MAX_TEXT,
        label_visibility="visible" if chip else "collapsed",
        placeholder=label,
        width=width,
    )
    settings.note(key, label.lower(), typed or "", default, long=True, chip=chip)
    return typed or ""


def cut(source: Source, typed: str, name: str) -> tuple[str, ...]:
    """The tokens of a prompt, with a notice on what is too much; () where there is none."""
    try:
        tokens = source.cut(clean(typed))
    except InputError as refusal:
        settings.notify(str(refusal))
        return ()
    settings.notify(source.unmet(clean(typed)))
    if len(tokens) > MAX_TOKENS:
        settings.notify(
            f"Every part of the model runs by itself here, so only {MAX_TOKENS} tokens of the {name} are read."
        )
    return tokens[: min(MAX_TOKENS, source.max_tokens)]


def ask_answers(ref: ModelRef, prompts: Sequence[tuple[str, ...]]) -> tuple[int, int | None] | None:
    """The next token that is asked about, and against which: at first the likeliest of the first and the last prompt.

    None, with a notice, where the model cannot be run on them.
    """
    source = ref.resolve()
    ranked: list[tuple[tuple[int, float], ...]] = []
    with gate.refusals_to(settings.notify):
        ranked = [data.next_tokens(ref, tokens) for tokens in prompts]
    if len(ranked) < len(prompts):
        return None
    ids = list(dict.fromkeys(id for choices in zip(*ranked, strict=True) for id, _ in choices))
    labels = {source.label(id): id for id in ids}
    names = list(labels)
    answer = settings.choose(
        st.selectbox,
        "Next token",
        "pretrained_study_answer",
        names,
        names[0],
        follows=True,
        why="the model finds {} too unlikely here",
        chip="“{}”",
    )
    others = [name for name in names if name != answer]
    last = source.label(ranked[-1][0][0])
    other = settings.choose(
        st.selectbox,
        "Against",
        "pretrained_study_other",
        [*others, ANY_OTHER],
        last if last != answer else others[0],
        follows=True,
        why="the model finds {} too unlikely here",
        chip=_against,
    )
    return labels[answer], labels.get(other)


def _against(other: str) -> str:
    """How the line of settings says against what the answer stands: a word in quotation marks, or any."""
    return f"against {other}" if other == ANY_OTHER else f"against “{other}”"


def columns() -> dict[str, Any]:
    """The layout of a study: the picture of all heads, or a map of something else; and below it what is said of it."""
    return {"stage": st.container(), "picture": st.container(), "close": display.prose()}


def ask_head(L: int, H: int) -> tuple[int, int] | None:
    """One head by its layer and number, as in the picture a press; None for the one that stands out most."""
    names = [head_name(layer, head) for layer in range(L) for head in range(H)]
    name = ask_part(names)
    return divmod(names.index(name), H) if name in names else None


def ask_part(names: Sequence[str], first: str = STRONGEST) -> str:
    """One of these names, or what is seen at first; the picture says which, so the line of settings does not."""
    why = "there is no head {} here"
    if settings.replaying() is None and st.session_state.get(HEAD) in (STRONGEST, NONE):
        st.session_state[HEAD] = first  # what another light, or another kind of model, calls it
    return settings.choose(st.selectbox, "Head, as layer·head", HEAD, (first, *names), first, why=why, chip=None)


def head_name(layer: int, head: int) -> str:
    return f"{layer}·{head}"


def part_name(layer: int, head: int) -> str:
    return f"layer {layer}, head {head}"


def part_within(layer: int, head: int) -> str:
    """The same within a sentence, where a comma would divide it."""
    return f"head {head} of layer {layer}"


def choose_head(L: int, H: int) -> Callable[[int, int], None]:
    """What a touch on a head does, in a model of L layers of H heads: it is the one to look at."""

    def choose(layer: int, head: int) -> None:
        if layer < L and head < H:
            st.session_state[HEAD] = head_name(layer, head)

    return choose


def say_found(sentence: str) -> None:
    """The finding above a figure that is not the picture of heads, in Markdown."""
    places()["stage"].header(sentence, anchor=False)


def clickable(drawing: Any, *, key: str, alt: str, choose: Callable[[int, int], tuple[str, str] | None]) -> None:
    """A figure of figures.parts, whose parts can be clicked.

    choose  (row, column) -> the key of a setting and its new value; None where a click changes nothing
    """

    def clicked() -> None:
        points = st.session_state[key].selection.points
        if points and (setting := choose(*map(int, points[0]["customdata"][2:]))):
            st.session_state[setting[0]] = setting[1]

    with st.container(key=f"figure-{key}"):
        st.plotly_chart(
            drawing,
            key=key,
            alt=alt,
            on_select=clicked,
            selection_mode="points",
            config={"displaylogo": False, "displayModeBar": False},
        )
