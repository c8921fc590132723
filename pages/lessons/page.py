"""Where do I begin? The lessons that ship, and one of your own."""

from lab.kit.page import LEARN, Page

PAGE = Page(
    "lessons",
    prefix="lesson",
    title="Lessons",
    question="Where do I begin?",
    help="Stories that lead through the app, one thing at a time; or a lesson that you have written yourself.",
    lede="A lesson is a walk of short stops: guess, look, do one thing, answer a question.",
    section=LEARN,
    asked_in="lessons/*.md",
)

if __name__ == "__main__":
    from lab.kit.view import heading
    from pages.lessons import shelf, workshop

    shelf.draw(heading(PAGE))
    workshop.draw()
