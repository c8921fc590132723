"""One head cannot look at two places and keep them apart; two heads can. Built by hand; an example of Mix."""

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.attention import figures
from pages.attention.data import TwoPlacesRead


def ask() -> int:
    """The share of its attention that a single head gives to the first place, in %."""
    return settings.choose(
        st.select_slider,
        "Share given to the first word (%)",
        "att_share",
        range(10, 91, 10),
        50,
        why="a share goes from 10 to 90 in tens, so it cannot be {}",
        width=300,
        help="The rest goes to the third word. Two heads need not share.",
    )


def draw(read: TwoPlacesRead) -> None:
    st.markdown("**Who thanked whom?** The question mark needs two words at once")
    columns = st.columns(2, gap="large")
    for column, name, heads in zip(columns, ("One head", "Two heads"), (read.one_head, read.two_heads), strict=True):
        with column, st.container(key=f"result-{name.lower().replace(' ', '-')}"):
            title = f"<b>{name}</b>: the two mixes come out <b>{heads.apart:.2g}</b> apart"
            display.figure(
                figures.two_places(heads.weights, heads.output, read.sentences, read.words, title),
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
