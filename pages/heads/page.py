"""Where does each word look? Every head of a Transformer on a sentence that the visitor types."""

import streamlit as st

from pages.heads import all_heads
from pages.shared import display, gate
from pages.shared.catalogue import page

st.title(page("heads").question, anchor=False)
st.markdown(
    "Every row is a word :blue[**asking**]; every column a word :orange[**being looked at**]. "
    "The darker the cell, the larger the :violet[**attention weight**]; each row adds up to 1. Each small map is a "
    "**head**."
)
with gate.refusals_to(display.notice):
    all_heads.show()
