"""A page for the tests that breaks off in the ways a page can: as it runs, in a callback, in a fragment."""

import streamlit as st


def fail() -> None:
    raise ValueError("secret <b>details</b>")


@st.fragment
def part() -> None:
    if st.button("Break a part"):
        fail()


if __name__ == "__main__":
    st.title("All is well")
    if st.query_params.get("fault") == "run":
        fail()
    if st.query_params.get("fault") == "stop":
        st.markdown("stopped in order")
        st.stop()
    st.button("Break", on_click=fail)
    part()
    st.markdown("the end")
