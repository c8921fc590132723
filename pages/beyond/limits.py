"""Where it fails: by the distance of the partner, by depth, by the length of the code."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.texts import passages
from lab.kit.words import as_chance
from pages.beyond import data, figures
from transformer import inspection

OPEN = "beyond_fails"  # the key of the fold that this stands in
EDGES = {"distance": (1, 3, 6, 11, 21, 36, 51), "depth": (1, 2, 3, 4, 5, 6, 8), "length": (1, 17, 33, 49, 65, 81)}
TITLES = {"distance": "tokens back to the partner", "depth": "brackets that are open", "length": "tokens of the code"}


class Settings(NamedTuple):
    by: str


def ask() -> Settings:
    return Settings(
        settings.choose(st.segmented_control, "By", "beyond_by", EDGES, "distance", label_visibility="collapsed")
    )


def draw(s: Settings, measured: "inspection.closing.Measured") -> None:
    values = {"distance": measured.distance, "depth": measured.depth, "length": measured.length}[s.by]
    names, members = figures.bins(values, EDGES[s.by])
    looked, right, offset = (
        [float(one[inside].mean()) for inside in members] for one in (measured.looked, measured.right, measured.offset)
    )
    display.figure(
        figures.shares(names, [int(m.sum()) for m in members], looked, right, offset, TITLES[s.by]),
        key="beyond-limits",
        alt=f"Shares by {TITLES[s.by]}, {', '.join(names)}: the model is right "
        + ", ".join(f"{as_chance(share)}" for share in right)
        + "; the head looks at the partner "
        + ", ".join(f"{as_chance(share)}" for share in looked),
    )
    with display.prose():
        worst = min(range(len(names)), key=lambda n: right[n])
        st.markdown(
            f"Measured on {len(values):,} closing brackets of {data.N_SHORT} pieces of made-up code that were not in "
            f"training, and {data.N_LONG} that are longer than any it was trained on (more than "
            f"{data.trained_length()} tokens). The model is right least often at **{names[worst]}** "
            f"{TITLES[s.by]}: {as_chance(right[worst])}."
        )
        questions.ask("beyond-baseline")
        st.markdown(passages.of_page("beyond")["limits"]["two curves"])
        teaching.code_expander("transformer/inspection/closing.py", "measure", icon=None)
