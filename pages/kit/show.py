"""Putting figures on screen."""

import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.components.attention_steps import attention_steps as _attention_steps
from pages.kit.components.attention_view import Packed, Selection, attention_view
from pages.kit.components.clocks import clocks as _clocks
from pages.kit.components.lookup import Picked
from pages.kit.components.lookup import lookup as _lookup
from pages.kit.components.model_map import model_map as _model_map
from pages.kit.components.shares import guess_row as _guess_row
from pages.kit.components.shares import mix_values as _mix_values
from pages.kit.components.shuffler import asked as _asked_order
from pages.kit.components.shuffler import shuffler as _shuffler
from pages.kit.components.token_strip import Strip
from pages.kit.components.token_strip import token_strip as _token_strip
from pages.kit.controls import Sizes
from pages.kit.figures.model_map import Map
from pages.kit.figures.model_map import model_map as _draw_map

if TYPE_CHECKING:
    import plotly.graph_objects as go

_CONCEPTS = Path(__file__).parents[1] / "concepts"
HEADS = _CONCEPTS / "heads.py"
MASKS = _CONCEPTS / "masks.py"
_PAGES = {
    "embeddings": _CONCEPTS / "embeddings.py",
    "positions": _CONCEPTS / "positions.py",
    "attention": _CONCEPTS / "attention.py",
    "heads": HEADS,
    "blocks": _CONCEPTS / "blocks.py",
    "masks": MASKS,
    "why": _CONCEPTS / "why.py",
    "translation": _CONCEPTS.parent / "models/translation.py",
    "generation": _CONCEPTS.parent / "models/generation.py",
    "live": _CONCEPTS.parent / "training/live.py",
}  # url_path -> script, for figures with doors


def notice(*sentences: str) -> None:
    """Say what was not as expected, in plain words; nothing if there is nothing to say.

    The text is shown letter by letter: nothing in it is read as Markdown or HTML.
    """
    if sentences:
        name = "-".join(map(str, map(len, sentences)))
        st.container(key=f"notice-{name}").text("\n".join(sentences))


@contextmanager
def loading(height: int):
    """Keeps the place of the first figure of a process, which waits for torch to be loaded; nothing later on."""
    place = st.empty()  # there in every run: what follows keeps its place on the page, and so its state
    if "torch" not in sys.modules:
        place.skeleton(height=height)
    yield
    place.empty()


def doors() -> None:
    """The pages, each with the question it answers, in the order to read them in."""
    with st.grid(3, min_column_width=230, gap="small", key="doors"):
        for n, (path, name, question) in enumerate(
            (
                ("embeddings", "Embeddings", "How does a word become numbers?"),
                ("positions", "Positions", "How does it know the order?"),
                ("attention", "Attention", "How is one attention weight made?"),
                ("heads", "Heads", "Where does each word look?"),
                ("masks", "Masks", "Who may look at whom?"),
                ("blocks", "Blocks", "What happens inside one layer?"),
                ("why", "Why", "Why look at everything at once?"),
                ("live", "Live", "How is attention learned?"),
                ("translation", "Translation", "How does a Transformer translate?"),
                ("generation", "Generation", "What comes next?"),
            ),
            start=1,
        ):
            st.page_link(_PAGES[path], label=f"{n}. **{name}**: {question}", width="stretch")


def plain(text: str) -> str:
    """A visitor's text for a place that reads Markdown: every sign is escaped, so that none has a meaning."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def heads(packed: Packed, *, report: bool = False) -> Selection | None:
    """Every head of a model: thumbnails, one head large, its ribbons, one cell's arithmetic.

    report=True also returns the head and cell that are chosen, at the price of a message a choice.
    """
    return attention_view(packed, key="heads_view", report=report)


def picture(packed: Packed) -> None:
    """One head and its ribbons, to be looked at among words."""
    attention_view(packed, key="picture_view", url=None, compact=True)


def figure(drawing: "go.Figure", *, key: str, alt: str) -> None:
    """A plotly figure in the house's colours. `alt` says in words what is to be seen, with its numbers."""
    st.plotly_chart(drawing, key=key, alt=alt, config={"displaylogo": False, "displayModeBar": False})


def model_map(sizes: Sizes) -> None:
    """The map of an encoder-decoder of these sizes; a part with a page opens it."""
    config = sizes.config
    figure = _draw_map(
        B=sizes.batch,
        S=sizes.S,
        T=sizes.T,
        d_model=config.d_model,
        n_heads=config.n_heads,
        d_ff=config.d_ff,
        n_encoder=config.n_encoder_layers,
        n_decoder=config.n_decoder_layers,
        vocab_size=config.tgt_vocab_size,
    )
    page = _PAGES.get(_model_map(figure, key="model_map") or "")
    if page:
        st.switch_page(page)


def clocks(packed: bytes) -> None:
    """Every pair of features as a clock hand, with sliders for the position and the offset."""
    _clocks(packed, key="pos_clocks")


def asked_order(n: int) -> tuple[int, ...]:
    """The order of n words that the permutation machine or the link asks for."""
    return _asked_order("pos_machine", n)


def shuffler(words: tuple[str, ...], order: tuple[int, ...], before, after, moved, *, same: float) -> None:
    """The permutation machine: each word's output as typed and in another order; `same` is the least that counts."""
    data = {"words": words, "order": order, "before": before, "after": after, "moved": moved}
    data = {name: value.tolist() if hasattr(value, "tolist") else list(value) for name, value in data.items()}
    _shuffler({**data, "same": same}, key="pos_machine")


def diagram(drawing: Map, *, key: str) -> str | None:
    """A drawing of parts in the manner of the model map; returns what was just opened, or None."""
    return _model_map(drawing, key=key)


def attention_steps(matrices: dict, stages: dict, labels: tuple[str, ...], code: list[dict], **more) -> None:
    """One attention, stage by stage, with its formula and its code; `on_edit` as the component has it."""
    _attention_steps(matrices, stages, labels, code, key="att_steps", **more)


def mix_values(weights: list[float], points: list[tuple[float, float]], axes: tuple[str, str]) -> None:
    """Values as points, and their mix by weights that can be dragged."""
    _mix_values(weights, points, axes, key="att_mix")


def guess_row(query: tuple[int, ...], keys: tuple[tuple[int, ...], ...], **more) -> None:
    """A query, its keys and a bar a key to guess with; see revealed()."""
    _guess_row(query, keys, key="att_guess", **more)


def revealed() -> tuple[float, ...] | None:
    """The guess that was just sent: shares of at least 0 that add up to 1, or None for whatever else came."""
    sent = (st.session_state.get("att_guess") or {}).get("reveal")
    if not isinstance(sent, list) or len(sent) != 3:
        return None
    if not all(isinstance(x, int | float) and 0 <= x <= 1 for x in sent) or abs(sum(sent) - 1) > 0.01:
        return None
    return tuple(float(x) for x in sent)


def tokens(strip: Strip) -> None:
    """A text as chips with ids; for byte pairs with the merges that made them, to be scrubbed through."""
    _token_strip(strip, key="emb_strip", url="emb_step")


def lookup(picked: Picked) -> None:
    """A one-hot row times the embedding table, token by token."""
    _lookup(picked, key="emb_lookup", url="emb_token")
