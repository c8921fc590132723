"""A page for the tests: pictures that the app itself never makes, but a user of the component can."""

import numpy as np
import streamlit as st

from attention_view import Packed, Picture
from lab.kit.components.attention_view import attention_view

QUERIES = ("<img src=x onerror=window.bad=1>", "<script>window.bad=1</script>", "plain & simple")
KEYS = ("<b>one</b>", "two", "", " ", "&lt;five&gt;")
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(5), (2, 2, 3)).astype("f4")  # (L, H, T, S), without q and k

if __name__ == "__main__":
    st.title("Odd pictures")
    attention_view(Packed(Picture(queries=QUERIES, keys=KEYS, weights=WEIGHTS)), key="odd", url="odd_")
