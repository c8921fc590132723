"""A site of that one page, framed as app.py frames its own."""

import streamlit as st
from starlette.middleware import Middleware

from lab.frame.shell import apologise
from lab.server.headers import Headers

app = st.App("broken_page.py", middleware=[Middleware(Headers)], on_script_error=apologise)
