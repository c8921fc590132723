"""Text that stands in Markdown files, so that teachers can edit and translators translate it.

markdown.py   the one strict parser: sections with headings, prose, lists and code, or every fault with its line
inline.py     one line of such a text as HTML, or without its marks
files.py      a file of the project, read; its faults are raised with its name
passages.py   prose of a page that has no numbers in it
questions.py  questions with their options, as pages/<page>/questions.md and lessons/*.md write them
"""
