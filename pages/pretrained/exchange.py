"""An encoder-decoder reads one text and writes another: its three kinds of attention, in one picture."""

import streamlit as st

from attention_view import Kinds
from lab.kit.compare import Current, pin
from lab.kit.components.attention_view import Selection, attention_view
from lab.kit.controls.reader import ReadBy, source_row
from lab.kit.figures import display, head_differences
from lab.kit.figures.compare_figures import Sheet
from lab.kit.figures.head_differences import MAX_CELLS_DRAWN, Side
from lab.kit.models.published import PretrainedSource
from pages.pretrained import text
from pages.pretrained.exchanges.data import MAX_WRITTEN, Exchange, Exchanged, differences, maps

TARGET = "pretrained_target"  # the text that the visitor types in place of the model's, in links
VIEW_KEY = "pretrained_exchange"
_CHIPS = ("type what it should write", "with a target text of yours")


def ask(typed: ReadBy) -> Exchange | None:
    """Both texts, as the model of a typed text takes them; None, with a notice, where there is nothing to read."""
    wanted = text.ask_other(TARGET, "target text", "Leave this empty and the model writes by itself", _CHIPS)
    source = text.reading(typed)
    if source is None:
        return None
    model = source.ref.resolve()
    assert isinstance(model, PretrainedSource)
    target = text.encoded(model, wanted, tell=True) if wanted else None
    return Exchange(source, target if target and target.tokens else None)


def draw(exchange: Exchange, result: Exchanged, current: Current) -> None:
    """The picture, A | B above it, and below it what was written."""
    comparison = st.container()
    with comparison:
        pinned = pin(current)
    selection = attention_view(result.kinds, key=VIEW_KEY, report=pinned is not None)
    if pinned is not None:
        with comparison:
            _compare(pinned.settings, exchange, result.kinds, selection)
    st.markdown(_about(exchange, result))
    source_row(exchange.model)


def _compare(a: object, b: Exchange, kinds: Kinds, selection: Selection | None) -> None:
    """A, and B − A, of the kind of attention that is in view."""
    if not isinstance(a, Exchange):
        st.markdown(
            "A does not write a second text, so it has no such attention to subtract. Choose a model that reads one "
            "text and writes another, and compare again."
            if a
            else "A has no words to compare."
        )
        return
    named = st.query_params.get("kind")
    opens = named if named in kinds.names else kinds.names[kinds.opens_at]
    kind = kinds.names[selection.kind] if selection else opens
    (one, other), chosen = (_side(side, kind) for side in (a, b)), selection or kinds.pictures[kind].opens
    if one.shape != other.shape:
        source, target = "give both texts of equally many tokens", "type what both should write, equally many tokens"
        needed = {"encoder": source, "decoder": target}.get(kind, f"{source} and {target}")
        st.markdown(f"To subtract **{kind}** attention, {needed}.")
    head_differences.draw_sides(one, other, chosen, lambda: differences(a, b, kind, MAX_CELLS_DRAWN), f"{kind}, ")


def _side(exchange: Exchange, kind: str) -> Side:
    """The heads of one kind of attention."""
    found = maps(exchange, kind)
    L, H, T, S = found.weights.shape

    def head(layer: int, number: int) -> Sheet:
        return Sheet(found.weights[layer, number], "weight", ("query", "key"), found.rows, found.columns, found.mask)

    return Side((L, H), (T, S), head)


def _about(exchange: Exchange, result: Exchanged) -> str:
    """What was written, by whom, and how to read the three pictures, in Markdown."""
    if exchange.target:
        first = "You typed what it writes. So you see where it looks for each of your tokens, given those before it."
    else:
        written = " ".join(result.text.split())
        shown = f"“{display.plain(written)}”" if written else "nothing but special tokens"
        first = f"It wrote **{shown}**: at each step, the token that it found likeliest"
        first += "." if result.ended else f", {MAX_WRITTEN} at most."
    return (
        f"{first} **Cross**: each row is a token being written, and shows where in the text the model looks. "
        "**Encoder**: the text looks at itself. **Decoder**: the written text looks back at itself. There is no "
        "rollout here: it multiplies maps from a text to itself, and cross-attention leads from one text to another."
    )
