"""An encoder-decoder reads one text and writes another: its three kinds of attention, in one picture."""

import streamlit as st

from pages.pretrained import text
from pages.pretrained.exchanges.data import MAX_WRITTEN, Exchange, Exchanged
from pages.shared import display
from pages.shared.compare import Current, pin
from pages.shared.components.attention_view import attention_view
from pages.shared.pretrained import PretrainedSource
from pages.shared.text_input import ReadBy, source_row

TARGET = "pretrained_target"  # the text that the visitor types in place of the model's, in links
VIEW_KEY = "pretrained_exchange"
_LINE = ("type what it should write", "with a target text of yours")


def ask(typed: ReadBy) -> Exchange | None:
    """Both texts, as the model of a typed text takes them; None, with a notice, where there is nothing to read."""
    wanted = text.ask_other(TARGET, "target text", _LINE, "Leave this empty and the model writes by itself")
    source = text.reading(typed)
    if source is None:
        return None
    model = source.ref.resolve()
    assert isinstance(model, PretrainedSource)
    target = text.encoded(model, wanted, tell=True) if wanted else None
    return Exchange(source, target if target and target.tokens else None)


def draw(exchange: Exchange, result: Exchanged, current: Current) -> None:
    """The picture, and below it what was written."""
    if st.query_params.get("a") is not None:
        pin(current)
        st.markdown(
            "Models that read one text and write another cannot be subtracted here. Choose another one to compare."
        )
    attention_view(result.kinds, key=VIEW_KEY)
    st.markdown(_about(exchange, result))
    source_row(exchange.model)


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
        f"{first} **Cross**: each row is a token being written, and shows where in the text the model looks meanwhile. "
        "**Encoder**: the text looks at itself. **Decoder**: the written text looks back at itself."
    )
