"""Where does each word look? Every head of a Transformer on a sentence that the visitor types."""

from pathlib import Path

import streamlit as st

from lab.kit.figures import display
from lab.kit.view import heading
from lab.server import gate
from pages.heads import explorer

st.html(Path(__file__).with_name("page.css"))
heading(
    "heads",
    "Every row is a word that :blue[**asks**], every column a word that is :orange[**looked at**]. "
    "The stronger the cell, the larger the :violet[**attention weight**]; each row adds up to 1.",
)
with gate.refusals_to(display.notice):
    explorer.show()
