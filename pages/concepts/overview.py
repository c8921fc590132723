"""What Attention Lab is, in ten seconds: one finished picture, the map of the model, and the doors."""

import streamlit as st

from pages.kit import controls, session, show

st.title("See where a Transformer looks", anchor=False)
st.markdown(
    "Type a sentence, change anything, and every :violet[**attention weight**] of a real model answers at once. "
    "Nothing is a drawing of an idea: each cell below is a number that the model just computed."
)
picture, words = st.columns([7, 3], gap="large")
with words:
    st.markdown(
        """
#### How to read it
A word :blue[**asks**]: its row.

It :orange[**looks at**] words: the columns. Each gets a share of its attention, and the shares of a row add up to 1.

The darker the cell, the larger the :violet[**weight**]. Hatched cells are masked: this model may not look ahead.

This model has random weights; it has learned nothing. The fading to the left is its sense of distance (ALiBi).
"""
    )
    st.page_link(
        show.HEADS,
        label="**Open it, and every other head**",
        icon=":material/grid_on:",
        query_params=controls.EXAMPLE_LINK,
    )
with picture, show.loading(420):
    choice = controls.EXAMPLE
    sentence = controls.cut(controls.EXAMPLES[0])
    packed = session.heads(choice.kind, choice.config, choice.seed, choice.mask, sentence.tokens)
    show.picture(packed)

with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
    st.header("The map of the model", anchor=False)
    config = controls.size()
show.model_map(config, source=sentence, target=controls.cut("L'animal n'a pas traversé"))

st.header("One question a page", anchor=False)
show.doors()
