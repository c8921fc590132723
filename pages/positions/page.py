"""How does a Transformer know the order of the words? Why it must be told, by what code, and how else."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "positions",
    prefix="pos_",
    title="Positions",
    question="How does a model know the order of words?",
    help="Swap two words, watch the waves and clocks, and compare every way to tell a model the order.",
    lede="Each strip is the vector of one word as it leaves the model.",
    section=CONCEPTS,
    learned="that attention alone cannot tell “dog bites man” from “man bites dog”, and the three places"
    " where a model can be told the order: in the vectors, in queries and keys, or in the scores.",
    switch="pos_view",
    views=(
        Tab("shuffle", "Why needed", "Swap two words: does the model notice?"),
        Tab(
            "encoding",
            "Sines and cosines",
            "How do sines and cosines tell the positions apart?",
            lede="Each pair of numbers is the hand of a clock, and position is its time.",
            title="How do sines and cosines tell positions apart?",
        ),
        Tab(
            "other_ways",
            "Other ways",
            "How does a word know how far away another one is?",
            lede="Three untrained models read nine words that are all the same, so that only the positions speak.",
            title="How does a word know how far away another one is?",
        ),
        Tab(
            "too_far",
            "Too far",
            "Which model still works on a longer text? Six ways to tell it the order, read past the training length.",
            lede="Six models that differ only in their positions learned from texts of 48 tokens.",
            title="Which model still works on a longer text?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
