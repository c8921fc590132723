"""A text as chips with their ids: three ways to cut it, and the merges that make byte pairs."""

from itertools import accumulate
from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View
from lab.kit.words import counted, listed, shorten
from pages.embeddings import data
from pages.embeddings.components.token_machine import Signs, token_machine
from pages.embeddings.text import TOKENISERS, Tokens, ask_sentence, ask_tokens
from transformer import training
from transformer.training.text import GLUE, UNKNOWN, WordTokeniser, visible, words

MAX_ENTRIES = 400  # of the vocabulary that are shown
_ABOUT = {
    "character": "Few ids, but many tokens, and a single letter says little.",
    "word": "Few tokens, but every word needs an id of its own. A word outside the vocabulary becomes "
    "⟨unknown⟩ (in most vocabularies `<unk>`), and its meaning is lost.",
    "pairs": "Start from **bytes**, the 256 symbols all text is stored in. Find the pair that sits side by side most "
    "often and fuse it (a **merge**). Repeat. Frequent words become one token, rare ones stay in pieces, and "
    "**nothing is ever unknown**.",
}
_CODE = {
    "character": ("transformer/training/text.py", "CharacterTokeniser.encode"),
    "word": ("transformer/training/text.py", "WordTokeniser.cut"),
    "pairs": ("transformer/training/byte_pairs.py", "BytePairTokeniser.learn"),
}


class Result(NamedTuple):
    pairs: "training.byte_pairs.BytePairTokeniser | None"


def ask() -> Tokens | None:
    with settings.place_named("row"):
        ask_sentence()
        return ask_tokens()


def compute(s: Tokens) -> Result:
    pairs = data.pair_tokeniser(s.learned_from, s.n_merges) if s.kind == "pairs" else None
    return Result(pairs)


def draw(s: Tokens, result: Result) -> None:
    pairs = result.pairs
    n_merges = len(pairs.merges) if pairs else 0
    _draw_machine(s, result)
    with display.prose():
        st.markdown(_ABOUT[s.kind])
        st.markdown(_comparison(s))
        st.markdown(
            "The vocabulary here is learned from a few sentences, which you can change. Each model has one of its own:"
            " in Look up, the same sentence has other ids."
        )
        st.caption("tokens: pieces of your text · ids: entries in the vocabulary · unknown: pieces with no entry")
        if pairs and n_merges < s.n_merges:
            st.caption(f"Learning stopped after {n_merges} merges: no pair occurs twice any more.")
        questions.ask("embeddings-unknown", try_it={"text": "The king saw the kinglow", "emb_tokeniser": "byte pairs"})
        questions.ask("embeddings-cost", try_it={"emb_tokeniser": "characters"})
        teaching.code_expander(*_CODE[s.kind])


def _draw_machine(s: Tokens, result: Result) -> None:
    pairs = result.pairs
    ids = pairs.first(0).encode(s.text) if pairs else s.ids
    merges, joins = (pairs.merges, pairs.joins(s.text)) if pairs else ((), ())
    used = {*ids, *s.ids, *(id for merge in merges for id in merge[:3])}
    token_machine(
        ids,
        {id: s.labels[id] for id in used},
        signs=Signs(
            UNKNOWN, sorted(id for id in used if pairs and _is_raw(pairs.bytes(id))), GLUE if s.kind == "word" else ""
        ),
        merges=merges,
        joins=joins,
        counts=data.pair_counts(s.learned_from, s.n_merges, s.text) if pairs else (),
        words=_starts(s.text) if pairs else (),
        finding="" if pairs else _finding(s),
        vocabulary=() if pairs else [(id, s.labels[id]) for id in _entries(s)],
        n_entries=s.vocab_size,
        on_pairs=_to_pairs,
        key="emb_machine",
        step_url="emb_step",
    )


def _entries(s: Tokens) -> list[int]:
    """The ids that are listed: the first of the table, and all of the text."""
    return sorted({*range(min(MAX_ENTRIES, s.vocab_size)), *s.ids})


def _to_pairs() -> None:
    st.session_state["emb_tokeniser"] = "byte pairs"


def _finding(s: Tokens) -> str:
    """What this cut comes to, in a sentence: which pieces have no row, or else what it costs."""
    cut = WordTokeniser.cut(s.text) if s.kind == "word" else list(s.text)
    lost = [piece for piece, id in zip(cut, s.ids, strict=True) if id == UNKNOWN]
    names = [f"“{shorten(visible(piece.removeprefix(GLUE)), 14)}”" for piece in dict.fromkeys(lost)]
    what = {"word": "words", "character": "characters"}[s.kind]
    if names:
        some = [*names[:2], f"{len(names) - 2} more"] if len(names) > 3 else names
        each = "it becomes" if len(names) == 1 else "each becomes"
        return f"A table of {what} has no row for {listed(some)}: {each} ⟨unknown⟩."
    if s.kind == "word":
        n = len({piece.removeprefix(GLUE) for piece in cut if _is_word(piece)})
        if not n:
            return "Each sign here has a row of its own; any word that was not learned would be ⟨unknown⟩."
        have = f"All {n} different words have rows of their" if n > 1 else "The one word here has a row of its"
        return f"{have} own; any word that was not learned would be ⟨unknown⟩."
    n_words, tokens = sum(map(_is_word, words(s.text))), counted(len(s.ids), "token")
    if not n_words:
        return f"A text without words is {tokens} now, and a single sign says little."
    return f"A text of {counted(n_words, 'word')} is {tokens} now, and a single letter says little."


def _is_word(piece: str) -> bool:
    """Whether a piece of a text is more than signs and spaces."""
    return any(letter.isalnum() for letter in piece)


def _starts(text: str) -> list[int]:
    """Where the words begin that no merge goes beyond, in bytes."""
    return [0, *accumulate(len(piece.encode()) for piece in training.byte_pairs.pieces(text)[:-1])]


def _comparison(s: Tokens) -> str:
    """A table in Markdown; all that is in it are numbers and our own words."""
    lines = ["| cut into | tokens | ids | unknown |", "|---|--:|--:|--:|"]
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


VIEW = View(ask, compute, draw, height=420)
