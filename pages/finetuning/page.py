"""Fine-tuning: a trained model learns something new, in five ways."""

from pages.finetuning import forgotten, moved, race
from pages.shared.view import heading, render

heading(
    "finetuning",
    "The trained writer of **stories** learns to write **talks**: five ways to change it, and what each of them costs.",
)
render([race.VIEW, moved.VIEW, forgotten.VIEW], "fine_view")
