"""A text as chips with their ids: three ways to cut it, and the merges that made byte pairs."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.embeddings import data
from pages.embeddings.components.token_strip import token_strip
from pages.embeddings.text import TOKENISERS, Tokens, ask_sentence, ask_tokens
from pages.shared import settings, teaching
from pages.shared.view import View
from transformer.training.text import GLUE, UNKNOWN

if TYPE_CHECKING:
    from transformer.training.text import BytePairTokeniser

_ABOUT = {
    "character": "Few ids, but a long sequence; and a single letter says little.",
    "word": "A short sequence, but every word needs an id of its own. A word that was never met is "
    "`<unk>`, and what it said is lost.",
    "pairs": "Begin with bytes, the 256 signs that any text is stored in; join the two neighbours that "
    "stand side by side most often (a **merge**); repeat. "
    "Frequent words become one token, rare ones stay in pieces, and **nothing is ever unknown**.",
}
_CODE = {"character": "CharacterTokeniser.encode", "word": "WordTokeniser.cut", "pairs": "BytePairTokeniser.learn"}


def ask() -> Tokens | None:
    with settings.place_named("sentence"):
        ask_sentence()
    with settings.place_named("row"):
        return ask_tokens()


def compute(s: Tokens) -> "BytePairTokeniser | None":
    return data.pair_tokeniser(s.learned_from, s.n_merges) if s.kind == "pairs" else None


def draw(s: Tokens, pairs: "BytePairTokeniser | None") -> None:
    n_merges = len(pairs.merges) if pairs else 0
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        _draw_chips(s, pairs)
    with words:
        st.markdown("#### Three ways to cut it")
        st.markdown(_comparison(s))
        st.markdown(_ABOUT[s.kind])
        st.caption("Tokens of this text, ids in the whole vocabulary, and tokens of this text that have no id.")
        if n_merges < s.n_merges:
            st.caption(f"After {n_merges} merges no pair occurs twice any more in the text it learns from.")
        teaching.check(
            "A word appears that was never in the learning text. What do byte pairs do with it?",
            ["They give it a new id", "They cut it into known pieces", "They call it unknown"],
            1,
            "Every text is bytes, and all 256 bytes have an id from the start. Type a word of your own and look.",
            key="emb-unknown",
        )
    teaching.code_expander("transformer/training/text.py", _CODE[s.kind])


def _draw_chips(s: Tokens, pairs: "BytePairTokeniser | None") -> None:
    ids = pairs.first(0).encode(s.text) if pairs else s.ids
    merges, joins = (pairs.merges, pairs.joins(s.text)) if pairs else ((), ())
    used = {*ids, *s.ids, *(id for merge in merges for id in merge[:3])}
    token_strip(
        ids,
        {id: s.labels[id] for id in used},
        unknown=UNKNOWN,
        raw=sorted(id for id in used if pairs and _is_raw(pairs.bytes(id))),
        glue=GLUE if s.kind == "word" else "",
        merges=merges,
        joins=joins,
        key="emb_strip",
        url="emb_step",
    )


def _comparison(s: Tokens) -> str:
    """A table in Markdown; all that is in it are numbers and our own words."""
    lines = ["| | tokens | ids | unknown |", "|---|--:|--:|--:|"]
    for name, kind in TOKENISERS.items():
        tokeniser = data.tokeniser(kind, s.learned_from, s.n_merges)
        ids = tokeniser.encode(s.text)
        row = [name, f"{len(ids):,}", f"{len(tokeniser):,}", f"{ids.count(UNKNOWN):,}"]
        lines.append("| " + " | ".join(f"**{cell}**" if kind == s.kind else cell for cell in row) + " |")
    return "\n".join(lines)


def _is_raw(token: bytes) -> bool:
    """Whether these bytes are no text by themselves."""
    try:
        token.decode()
    except UnicodeDecodeError:
        return True
    return False


VIEW = View("Cut", ask, compute, draw, formerly={"Tokens": {}})
