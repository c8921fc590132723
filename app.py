"""The front door: the frame, and in it the page that the address names. Nothing heavy is imported."""

import streamlit as st

from lab.frame import opening, resetting, rooms, serving, shell
from lab.frame.lessons import sheets
from pages.challenges import bar

serving.prepare()


def main() -> None:
    """One run for one visitor."""
    serving.begin_run()
    shell.dress()
    tools = shell.tools()
    here = shell.menu()
    if here.url_path == resetting.URL:
        here.run()
        return
    with shell.around(here.url_path, tools) as stage:
        puzzle_place = st.container()
        if stage.runs:
            here.run()
        if bar.PARAMETER in st.query_params and (puzzle := bar.open_on(here.url_path)):
            with puzzle_place:  # once the page has its settings, above it
                bar.show(puzzle)
    serving.end_run()


# `streamlit run app.py` finds this and serves the script it names; why that is not this file is said there.
app = st.App(
    "lab/frame/entry.py",
    lifespan=serving.lifespan,
    routes=[*opening.routes(), *rooms.routes(), *sheets.routes()],
    middleware=[*serving.MIDDLEWARE, *opening.MIDDLEWARE],
    on_script_error=shell.apologise,
)

if __name__ == "__main__":
    main()
