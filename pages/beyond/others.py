"""What a token is elsewhere: one sentence for each thing that Transformers read, and a way to what of it runs here."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

import streamlit as st

from lab.kit import catalogue, questions
from lab.kit.texts import passages
from lab.kit.texts.files import of_file
from lab.kit.texts.markdown import Faults, Line, Prose, Section, lines_of, sections


class Kind(NamedTuple):
    """One use of Transformers.

    tokens    a few of its tokens, as they are cut, in Markdown
    sentence  what a token is there, and what reads it, in one sentence
    page      where something of it runs in this app, with the words on the way there and its settings; "" for nowhere
    """

    title: str
    tokens: str
    sentence: str
    page: str = ""
    label: str = ""
    opens: Mapping[str, str] = {}


_LINK = re.compile(r"\[([^\[\]]+)\]\(/([a-z]+)(?:\?(\S+))?\)")


def read(text: str | bytes) -> tuple[Kind, ...]:
    """The uses of a file. Raises TextError with its faults."""
    faults = Faults()
    found = sections(lines_of(text, "file", 100_000), faults)
    kinds = tuple(_kind(section, faults) for section in found if section.level > 1)
    faults.settle()
    return kinds


def _kind(section: Section, faults: Faults) -> Kind:
    match section.level, *(block.joined for block in section.blocks if isinstance(block, Prose)):
        case 2, tokens, sentence:
            return Kind(section.heading, tokens.text, sentence.text)
        case 2, tokens, sentence, Line(number, text):
            if way := _LINK.fullmatch(text):
                label, page, query = way.groups()
                return Kind(section.heading, tokens.text, sentence.text, page, label, dict(parse_qsl(query or "")))
            faults.add(number, "Here stands a link, such as [See it](/vision), or nothing.")
        case _:
            faults.add(section.number, "A use is “## ” and its name, its tokens, a sentence, and the way there.")
    return Kind(section.heading, "", "")


KINDS = of_file(Path(__file__).with_name("uses.md"), read)


def draw() -> None:
    """The list, what all of it has in common, and a question."""
    st.markdown("## What is a token?")
    for kind in KINDS:
        _draw(kind)
    st.markdown(passages.of_page("beyond")["tokens"]["in common"])
    questions.ask("beyond-same")


def _draw(kind: Kind) -> None:
    st.markdown(f"**{kind.title}** {kind.tokens}  \n{kind.sentence}")
    if kind.page:
        st.page_link(
            catalogue.page(kind.page).script,
            label=kind.label,
            icon=":material/arrow_forward:",
            query_params=dict(kind.opens),
        )
