"""The words of the field, each in one sentence, with a picture, a door and the names that others use."""

from lab.kit.page import LEARN, Page

PAGE = Page(
    "words",
    prefix="word",
    title="Words",
    question="What does this word mean?",
    help="Every word of the field in one sentence and one picture, with the names that other sources use.",
    lede="One sentence and one picture for every word, and what papers and libraries call it.",
    section=LEARN,
)

if __name__ == "__main__":
    from lab.kit.view import heading
    from pages.words import data
    from pages.words.components.word_list import word_list

    heading(PAGE)
    word_list(data.told(), key="word_list")
