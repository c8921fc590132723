"""Two prompts that differ in a word: which head carries the difference to the answer?"""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import places
from lab.kit.words import as_chance, fixed, shorten
from pages.pretrained.components.head_stage import Answers, Second, head_stage, pack
from pages.pretrained.study import controls, data, figures
from pages.pretrained.study.controls import HEAD, Light
from pages.pretrained.study.data import HEADS_AT_LAST, PARTS, STREAM, Carried, PatchedHead, Prompts
from transformer import inspection


class Settings(NamedTuple):
    """part: what is patched, one of PARTS; head: the one that is looked at closely, None for the strongest."""

    prompts: Prompts
    part: str
    head: tuple[int, int] | None


class Result(NamedTuple):
    """patching: the sentence that refuses it where it cannot be done; close: the head in question, by itself; carried:
    what every head brings along, "" where the stream is patched."""

    patching: "inspection.patching.Patching | str"
    head: tuple[int, int]
    close: PatchedHead | str
    carried: Carried | str = ""


def ask() -> Settings | None:
    ref = controls.ask_model()
    if ref is None:
        return None
    source = ref.resolve()
    pair = controls.pair_for(source)
    typed = [
        controls.ask_prompt("First text", "pretrained_patch_clean", pair[0], chip="two texts"),
        controls.ask_prompt("Second text", "pretrained_patch_corrupted", pair[1]),
    ]
    clean, corrupted = (
        controls.cut(source, prompt, name) for prompt, name in zip(typed, ("first text", "second text"), strict=True)
    )
    if not clean or not corrupted:
        settings.notify("Type two texts that differ in a word.")
        return None
    if len(clean) != len(corrupted):
        settings.notify(
            "Patching compares token by token, so both texts need the same number of tokens; these have "
            f"{len(clean)} and {len(corrupted)}."
        )
        return None
    answers = controls.ask_answers(ref, (clean, corrupted))
    if answers is None:
        return None
    part = settings.choose(st.segmented_control, "Patched", "pretrained_patch_part", PARTS, HEADS_AT_LAST, chip="")
    head = controls.ask_head(source.n_layers, source.config.n_heads) if part != STREAM else None
    return Settings(Prompts(ref, clean, corrupted, *answers), part, head)


def compute(s: Settings) -> Result:
    patching = data.patched(s.prompts, s.part)
    if isinstance(patching, str) or s.part == STREAM:
        return Result(patching, (0, 0), "")
    layer, head = s.head or np.unravel_index(int(patching.shares.argmax()), patching.shares.shape)
    chosen = int(layer), int(head)
    return Result(patching, chosen, data.patched_head(s.prompts, *chosen, s.part), data.carried(s.prompts, s.part))


def draw(s: Settings, result: Result) -> None:
    if isinstance(result.patching, str):
        st.markdown(f"Nothing to patch: {result.patching}.")
        return
    if isinstance(result.carried, Carried):
        with places()["stage"]:
            _draw_stage(s, result, result.patching, result.carried)
    with places()["picture"]:
        if s.part == STREAM:
            _draw_stream(s, result.patching)
    with places()["close"]:
        st.markdown(_scale(s, result.patching))
        if s.part == STREAM:
            _explain_stream(s, result.patching)
        elif isinstance(result.close, PatchedHead):
            _draw_close(s, result, result.close)
    with display.prose():
        questions.ask("pretrained-patching")
        teaching.code_expander("transformer/inspection/patching.py", "patch_heads", "patch_stream")


def _draw_stage(s: Settings, result: Result, patching: "inspection.patching.Patching", carried: Carried) -> None:
    """All heads, of which one is carried from the first text into the second by a touch."""
    source = s.prompts.ref.resolve()

    def on_carry(layer: int, head: int) -> None:
        if layer < source.n_layers and head < source.config.n_heads:
            st.session_state[HEAD] = controls.head_name(layer, head)

    labels = [source.label(id) for id in carried.ids]
    packed = pack(
        [shorten(token) for token in s.prompts.clean],
        carried.maps,
        len(s.prompts.clean) - 1,
        Answers(labels, carried.before, carried.heads, patching.shares),
        result.head,
        Second([shorten(token) for token in s.prompts.corrupted], labels[int(carried.clean.argmax())]),
    )
    head_stage(packed, key="patch-stage", on_carry=on_carry)


def _draw_stream(s: Settings, patching: "inspection.patching.Patching") -> None:
    """The stream at every height and token, as a map."""
    shares = patching.shares
    names = [a if a == b else f"{a} / {b}" for a, b in zip(s.prompts.clean, s.prompts.corrupted, strict=True)]
    heights = [f"into layer {layer}" for layer in range(len(shares) - 1)] + ["out of the last"]
    drawing = figures.parts(
        shares,
        "share of the difference",
        rows=heights,
        columns=names,
        axes=("", "token"),
        name=lambda row, column: f"{heights[row]}, at “{names[column]}”",
        largest=max(1.0, float(np.abs(shares).max())),
    )
    inner = shares[1:-1] if len(shares) > 2 else shares
    name = names[int(np.unravel_index(int(inner.argmax()), inner.shape)[1])]
    controls.say_found(
        f"Inside the model, most of the difference is at “{display.plain(name)}”: {as_chance(inner.max())}."
    )
    alt = f"The stream by height and token: inside the model, most is carried at {name}."
    key = f"patch-parts-{PARTS.index(s.part)}"
    controls.clickable(drawing, key=key, alt=alt, choose=lambda row, column: None)


def _scale(s: Settings, patching: "inspection.patching.Patching") -> str:
    """What the shares are shares of, in Markdown."""
    answer, other = _names(s)
    asked = f"{answer} against {other}" if other else f"the log-probability of {answer}"
    ends = [fixed(x, 1, signed=True) for x in (patching.corrupted, patching.clean)]
    return (
        f"**0** stands for the second text, **1** for the first, measured by {asked}: {ends[0]} and {ends[1]}."
        " Below 0, a part pulls the other way."
    )


def _draw_close(s: Settings, result: Result, close: PatchedHead) -> None:
    assert not isinstance(result.patching, str)
    name = controls.part_within(*result.head)
    st.markdown(_table(s, close, name))
    display.figure(
        figures.two_rows(s.prompts.clean, s.prompts.corrupted, close.clean, close.corrupted),
        key="patch-close",
        alt=f"From the last token, {name} looks most at {s.prompts.clean[int(close.clean.argmax())]}.",
    )
    st.markdown(f"Where {name} looks from the last token, in each text.")


def _table(s: Settings, close: PatchedHead, name: str) -> str:
    """What the model predicts: of both texts, and with the head patched."""
    answer, other = _names(s)
    ids = [s.prompts.answer, *([] if s.prompts.other is None else [s.prompts.other])]
    label = s.prompts.ref.resolve().label
    rows = [f"| text | {answer} | {f'{other} | ' if other else ''}says |", f"|---|{'---|' * (len(ids) + 1)}"]
    for title, chances in (
        ("first", close.predictions.clean),
        ("second", close.predictions.corrupted),
        (f"second, {name} carried over", close.predictions.patched),
    ):
        shown = " | ".join(as_chance(chances[id]) for id in ids)
        rows.append(f"| {title} | {shown} | **{display.plain(label(int(chances.argmax())))}** |")
    return "\n".join(rows)


def _explain_stream(s: Settings, patching: "inspection.patching.Patching") -> None:
    shares = patching.shares
    words = [display.plain(token) for token in s.prompts.clean]
    st.markdown("**Where is the difference, on its way up?**")
    lines = []
    for height, row in enumerate(shares):
        at = int(row.argmax())
        where = f"Into layer {height}" if height < len(shares) - 1 else "Out of the last layer"
        lines.append(f"- {where}: **{as_chance(row[at])}** at “{words[at]}” (token {at})")
    st.markdown("\n".join(lines[:14]))
    st.markdown(
        "At the bottom it is all at the word that differs; at the top it is all at the last token, where the answer is "
        "read. In between, attention has moved it."
    )


def _names(s: Settings) -> tuple[str, str]:
    """The token in question and the one against it, in Markdown; "" for none."""
    label = s.prompts.ref.resolve().label
    other = s.prompts.other
    return display.plain(label(s.prompts.answer)), "" if other is None else display.plain(label(other))


def _sheet(s: Settings, result: Result) -> Sheet | None:
    if isinstance(result.patching, str):
        return None
    columns = tuple(shorten(token) for token in s.prompts.clean) if s.part == STREAM else None
    axes = ("height", "token") if s.part == STREAM else ("layer", "head")
    return Sheet(result.patching.shares, "share of the difference", axes, columns=columns)


def _instead(s: Settings, result: Result) -> tuple[str, str] | None:
    """Where no head is carried."""
    if isinstance(result.patching, str):
        return "Two texts differ in one word. Does the model answer differently?", ""
    if s.part == STREAM:
        return (
            "Two texts differ in one word. Each square is the stream of a token at one height: **how much of the "
            "difference** does it carry?",
            "The stream of one token, at one height, is carried from the first text into the second. If the answer "
            "comes with it, that is where the difference is.",
        )
    if not isinstance(result.carried, Carried):
        return LEDE.replace("Press a head", "Choose a head"), SEEN
    return None


LEDE = "Carry what one head computed from one text into another: does the answer follow? **Press a head.**"
SEEN = (
    "**Which head carries a difference to the answer?** One head's output is carried from the first text into the "
    "second. If the answer comes with it, that head carries the difference."
)
LIGHT = Light("Patch", LEDE, SEEN, ask, compute, draw, "what each part carries", _sheet, _instead)
