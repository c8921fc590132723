"""How does it read a picture? A Vision Transformer: patches as words."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "vision",
    prefix="vision_",
    title="Vision",
    question="How does it read a picture?",
    help="A picture cut into patches: where every head looks in it, and what is lost when they are shuffled.",
    lede="Cut a picture into squares, call each square a word, and the Transformer that reads texts reads pictures.",
    section=MODELS,
    learned="that a picture can be a text: cut into patches, each of them a token, it is read by the same"
    " encoder. What it knows of above and below comes from a table of positions.",
    switch="vision_view",
    views=(
        Tab(
            "look",
            "Where it looks",
            "What does each head look at in a picture?",
            lede="**Framed in violet**: where this Transformer looks. Paint on the picture: what does it see now?",
        ),
        Tab(
            "cut",
            "Cut into patches",
            "How does a picture become tokens, and who notices if these are shuffled?",
            lede="Each square is a token: **hover over one** for its numbers, or drag it onto another.",
            title="How does a picture become tokens?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
