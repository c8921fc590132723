"""A word to guess before a trained model does, what a published model looks at, and a door to each page."""

from lab.kit.page import Page

PAGE = Page(
    "",
    prefix="front_",
    title="Attention Lab",
    question="Can you guess the next word?",
    help="A word to guess before a model does, and a Transformer to zoom into, every part a door.",
    lede="**Guess**, then see where the model looked for its answer.",
    learned="that a language model does one thing: it says how likely every next word is. Its"
    " :violet[**attention weights**] say where each of its heads looked on the way.",
)

if __name__ == "__main__":
    from pages.overview import front

    front.show(PAGE)
