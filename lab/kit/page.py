"""A page as it announces itself: light, so that the menu and the search know every page without loading one.

PAGE = Page(
    "masks",
    title="Masks",
    question="Who may look at whom?",
    prefix="mask",
    switch="masks_view",
    views=(Tab("paint", "Paint", "What does a mask do to a row of weights?"), ...),
)

if __name__ == "__main__":  # as Streamlit runs it, for a visitor
    render(PAGE)
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from lab.kit.texts.questions import n_asked

_PAGES = Path(__file__).parents[2] / "pages"
CONCEPTS, MODELS, LEARN = "Concepts", "Models", "Learn"
STORY = ("", CONCEPTS, MODELS)  # sections whose pages lead from one to the next


class Tab(NamedTuple):
    """One view of a page, as it is announced.

    module    the file beside page.py whose VIEW it is; it is imported when the view is opened
    name      on the switch, and in links
    asks      the question that it answers, in Markdown, for the search; "" where its name is that question
    lede      one line on what is seen here, in Markdown, below the question of the page; "" for the page's own line
    title     heads the page while it is open, where the page's own question does not ask what is seen; "" for that one
    page      the page where it opens, if that is another one
    opens     settings with which it opens there
    """

    module: str
    name: str
    asks: str = ""
    lede: str = ""
    title: str = ""
    page: str = ""
    opens: Mapping[str, str] = {}


class Page(NamedTuple):
    """One page of the app.

    url       its path in the address, "" for the front page; also the name of its folder
    prefix    how each of its settings begins in links and in the session, but for those that several pages have
    title     its name, in the menu, in the scene and in what is said of it
    question  the question that it answers
    help      what a visitor finds there, in one sentence
    lede      one line on what is seen there, in Markdown, below its question
    section   the heading of the menu that lists it, "" for none
    learned   what a reader knows at its end: how "You now know" goes on, in Markdown; "" where that is nothing
    asked_in  where its questions stand, if not in questions.md of its folder: a pattern from the project's folder
    puzzles   how much else it has to be solved
    switch    the name of the open view in links
    views     those on the switch, four at most; the first is open where a link names none
    """

    url: str
    title: str
    question: str
    help: str
    prefix: str = ""
    lede: str = ""
    section: str = ""
    learned: str = ""
    asked_in: str = ""
    puzzles: int = 0
    switch: str = ""
    views: tuple[Tab, ...] = ()

    @property
    def package(self) -> str:
        """The Python package of its modules."""
        return f"pages.{self.url or 'overview'}"

    @property
    def checks(self) -> int:
        """How much it has to be solved. The key of each question begins with the page's url and a hyphen."""
        return n_asked(self.asked_in or f"pages/{self.url or 'overview'}/questions.md") + self.puzzles

    @property
    def script(self) -> Path:
        """The script that Streamlit runs for this page."""
        return _PAGES / (self.url or "overview") / "page.py"

    def view(self, name: str) -> Tab:
        """The view of this name. Raises LookupError where there is none."""
        for tab in self.views:
            if tab.name == name:
                return tab
        raise LookupError(f"there is no view {name!r} at /{self.url}")
