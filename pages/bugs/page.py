"""What is wrong here? The museum of bugs: a faulty model, instruments to examine it with, and the cure."""

from pages.bugs import museum
from pages.shared.view import heading, show

heading(
    "bugs",
    "One line is wrong, and hardly anything complains. Pick an instrument, make a guess, then see the cure.",
)
show(museum.VIEW)
