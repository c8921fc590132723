"""What does my class think? A room for phones, and a page for the projector."""

from lab.kit.page import LEARN, Page

PAGE = Page(
    "classroom",
    prefix="class_",
    title="Class",
    question="What does the class think?",
    help="A room with a code: students answer on their phones, and the projector shows what the class thinks beside the"
    " model's own answer.",
    lede="Everybody predicts on a phone; then the model answers. Rehearse it here, then start the class.",
    section=LEARN,
)

if __name__ == "__main__":
    from lab.kit.view import heading
    from pages.classroom import desk

    desk.draw(heading(PAGE))
