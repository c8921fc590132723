"""Why attention? What it has that recurrent networks and convolutions have not, and what it costs."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "why",
    prefix="why_",
    title="Why attention?",
    question="Why look at everything at once?",
    help="One step from any word to any other: what others need for that, and what attention costs.",
    lede="Older networks read word by word. With :violet[**attention**], every word is one step from every other.",
    section=CONCEPTS,
    learned="what attention buys: any two words are one step apart, however long the text. And what it costs:"
    " every word meets every other, so twice the text means four times as many :violet[**attention"
    " weights**].",
    switch="why_view",
    views=(
        Tab(
            "path_length",
            "How far apart are words?",
            lede="Older networks read word by word. How many steps is it from one word to another?",
        ),
        Tab(
            "cost",
            "What does it cost?",
            lede="How fast does the cost grow with the text, compared with that of an older network?",
            title="What does looking at everything cost?",
        ),
        Tab(
            "variants",
            "Cheaper attention",
            "A window that you widen, and a hub: how few pairs of words are enough?",
            lede="Each line is a pair of words that look at each other. How few are enough?",
            title="Can attention cost less?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
