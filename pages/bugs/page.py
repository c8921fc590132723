"""What is wrong here? The museum of bugs: a faulty model, instruments to examine it with, and the cure."""

from lab.kit.page import LEARN, Page, Tab
from pages.bugs.cases import CASES

PAGE = Page(
    "bugs",
    prefix="bugs_",
    title="Bugs",
    question="What is wrong here?",
    help="Twenty-three models, each with one wrong line: examine them, guess the cause, and see the cure.",
    section=LEARN,
    switch="bugs_exhibit",
    views=tuple(Tab("museum", title, "What is wrong?") for title in CASES),
)

if __name__ == "__main__":
    from pages.bugs import museum

    museum.show(PAGE)
