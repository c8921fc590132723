"""What is wrong here? The museum of bugs: a faulty model, instruments to examine it with, and the cure."""

from pages.bugs import museum
from pages.shared.view import heading, show

heading("bugs", "No error message, and yet one line of code is wrong. Pick an instrument, then make your guess.")
show(museum.VIEW)
