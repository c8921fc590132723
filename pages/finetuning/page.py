"""Fine-tuning: a trained model learns something new, in five ways; and a published one, with a few labelled texts."""

from lab.kit.view import heading, render
from pages.finetuning import few_reviews, race

lede = heading(
    "finetuning",
    "A model that writes **stories** is taught to write **talks**, in five ways: which learns fastest, and which"
    " forgets least?",
)
render([race.VIEW, few_reviews.VIEW], "fine_view", lede=lede)
