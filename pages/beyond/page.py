"""What else can be read? Brackets in code as an example, and what a token is in sound, proteins and pictures."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "beyond",
    prefix="beyond_",
    title="Beyond",
    question="What else can a Transformer read?",
    help="Code instead of words: who looks at which bracket, where that fails, and what a token is elsewhere.",
    lede="A :violet[**thread**] runs from each :blue[closing bracket] to where the head looks.",
    section=MODELS,
    learned="that attention needs no words: only tokens, as vectors, in an order. What changes from words to"
    " code, images or proteins is how a thing is cut into tokens, and what the last vectors are"
    " turned into.",
    switch="beyond_view",
    views=(
        Tab(
            "brackets",
            "Brackets in code",
            "Which bracket does each closing one look at, and what is a token in sound, in a protein, in a picture?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
