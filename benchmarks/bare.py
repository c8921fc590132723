"""The least that Streamlit can do: one slider, one number. What the app costs is said as a multiple of this.

The slider is of the same kind as the app's, and is moved by the same key.
"""

import streamlit as st

value = st.select_slider("Value", range(100), 0, key="value")
st.write(f"The value is {value}")
