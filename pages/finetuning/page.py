"""Fine-tuning: a trained model learns something new, in five ways; and a published one, with a few labelled texts."""

from pages.finetuning import classifier, few_reviews, moved, race
from pages.shared.view import heading, render

lede = heading(
    "finetuning",
    "A trained model learns something new: a writer of **stories** to write **talks**, **MiniLM** to tell praise from"
    " blame.",
)
render([race.VIEW, few_reviews.VIEW], "fine_view", lede=lede, deeper=[moved.VIEW, classifier.VIEW])
