"""One head cannot look at two places and keep them apart; two heads can. Built by hand; an example of Mix."""

import streamlit as st

from lab.kit import carried, questions, settings, teaching
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.attention import figures
from pages.attention.data import TwoPlacesRead

SHARE = "att_share"  # in links
EVEN, ASIDE = 50, 80  # % for the first word
ABOVE_A_LESSON = 410  # pixels, above its bar
LEAST = 0.005  # apart: what rounds to nothing


def ask() -> int:
    """The share of its attention that a single head gives to the first place, in %."""
    return settings.choose(
        st.select_slider,
        "Share given to the first word (%)",
        SHARE,
        range(10, 91, 10),
        EVEN,
        why="a share goes from 10 to 90 in tens, so it cannot be {}",
        width=300,
        chip="first word {}%",
        help="The rest goes to the third word. Two heads need not share.",
    )


def headline(read: TwoPlacesRead) -> str:
    """What one head and two can tell of who thanked whom."""
    one, two = read.one_head.apart, read.two_heads.apart
    if one < LEAST:
        return "Who thanked whom? One head mixes the same from both sentences; two heads keep them apart."
    return f"Who thanked whom? One head’s two mixes are {one:.2g} apart, those of two heads {two:.2g}."


def _turn(share: int) -> None:
    st.session_state[SHARE] = share


def draw(read: TwoPlacesRead, share: int) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="result-two-headline"
    ):
        st.markdown(f"## {headline(read)}", width="content")
        says, other = ("Look more at one", ASIDE) if share == EVEN else ("Split it evenly", EVEN)
        st.button(says, key="att-two-turn", type="primary", on_click=_turn, args=(other,))
    columns = st.columns(2, gap="large")
    for column, name, heads in zip(columns, ("One head", "Two heads"), (read.one_head, read.two_heads), strict=True):
        with column, st.container(key=f"result-{name.lower().replace(' ', '-')}"):
            title = f"<b>{name}</b>: the two mixes come out <b>{heads.apart:.2g}</b> apart"
            drawing = figures.two_places(heads.weights, heads.output, read.sentences, read.words, title)
            if carried.is_led():
                drawing.update_layout(height=ABOVE_A_LESSON)
            display.figure(
                drawing,
                key=f"att-{name}",
                alt=f"{name}: where the question mark looks in “Ann thanked Bob” and in “Bob thanked Ann”, and what"
                f" comes out; the outputs differ by at most {heads.apart:.2g}.",
            )
    with display.prose():
        st.markdown(
            "One head has 1 to give away. If it splits that evenly, its output is the average of Ann and Bob, and that "
            "is the same whoever thanked. If it looks more at one word, it hears less of the other.\n\nTwo heads look"
            " at one word each. Their outputs are put **side by side**, so nothing is mixed, and both words are there"
            " in full."
        )
        added, normed = read.with_positions
        st.caption(
            "These heads are built by hand, and their values hold the name alone. Where the code of its position is"
            f" added to each word, the two averages still differ by {at_most(added)}, since what is added is"
            " averaged, too. But a layer norm in between bends the sum, and then (with random vectors) they differ by"
            f" {at_most(normed)}: a trained model can have a trace of the order in one average."
        )
        teaching.code_expander("transformer/inspection/two_places.py", "two_places")
        questions.ask("attention-two")
