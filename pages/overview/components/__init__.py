"""What runs in the browser on the front page: a folder each, and the row of words that two of them draw."""

from pathlib import Path

WORD_ROW = (Path(__file__).with_name("word_row.css"),)  # its style sheet
