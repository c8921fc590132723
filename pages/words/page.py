"""The words of the field, each in one sentence, with a picture, a door and the names that others use."""

from lab.kit.view import heading
from pages.words.components.word_list import word_list

heading("words", "One sentence and one picture for every word, and what papers and libraries call it.")
word_list(key="word_list")
