"""What is wrong here? The museum of bugs: a faulty model, instruments to examine it with, and the cure."""

from lab.kit.view import heading, show
from pages.bugs import museum

heading(
    "bugs",
    "One line is wrong, and hardly anything complains. Pick an instrument, make a guess, then see the cure.",
)
show(museum.VIEW)
