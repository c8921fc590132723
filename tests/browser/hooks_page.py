"""A page for the tests: one of everything that lab/hooks/dom.js has a name for, as Streamlit draws it for anybody."""

import plotly.graph_objects as go
import streamlit as st

from lab.hooks import runtime
from lab.kit import teaching
from lab.kit.figures import display

CODE = '''def double(x):
    """Twice x."""
    return 2 * x  # a remark
'''


def everything() -> None:
    st.title("Everything", anchor=False)
    st.text(f"came by {runtime.link_gone_to()}")
    st.caption("A caption with `code`.")
    teaching.formula(r"\q{q} \k{k}^T \w{w} \v{v}")
    st.code(CODE, language="python")
    st.html("<p>Markup</p>")
    with st.container(key="row", horizontal=True, gap="small"):
        st.metric("Number", 3)
        st.page_link(second, label="To the second page")
        st.button("Press", icon=":material/share:", type="primary")
        with st.popover("Panel"):
            st.markdown("Inside.")
        st.menu_button("Deeper", ["First", "Second"])
    left, right = st.columns(2)
    with left:
        st.segmented_control("Choose", ["a", "b"])
        choose_width()
        st.selectbox("List", ["a", "b"])
        st.text_input("Short text")
        st.text_area("Long text")
        st.checkbox("Yes")
    with right, st.expander("Fold"):
        st.markdown("Folded.")
    with st.container(key="figure"):
        display.figure(drawing(), key="one", alt="One of everything")
    st.components.v2.component("hooks.dot", html="<b>.</b>", js="export default () => {};")(key="dot")
    st.markdown("The end")


def drawing() -> go.Figure:
    figure = go.Figure(go.Scatter(x=[1, 2], y=[1, 2], mode="markers+text", text=["a", "b"], name="points"))
    figure.add_trace(go.Heatmap(z=[[1, 2], [3, 4]], colorbar={"title": "bar"}))
    for size in (10, 11, 12):
        figure.add_annotation(x=1, y=1, text="said", font={"size": size})
    return figure.update_layout(title="A figure", showlegend=True, xaxis_title="x", yaxis_title="y")


def choose_width() -> None:
    width = st.select_slider("Width", (8, 16, 32), key="width", bind="query-params", help="How wide it is.")
    st.text(f"The width is {width}")


def another() -> None:
    st.title("Another", anchor=False)
    st.text(f"came by {runtime.link_gone_to()}")
    choose_width()


first = st.Page(everything, title="Everything", default=True)
second = st.Page(another, title="Another", url_path="another")

if __name__ == "__main__":
    query = runtime.link_gone_to()
    if query is not None:
        runtime.readdress(query)
        st.session_state.pop("width", None)
    st.navigation({"": [first], "Further": [second]}, position="top").run()
