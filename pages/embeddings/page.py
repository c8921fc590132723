"""How does a word become numbers? Tokens and ids, the table of vectors, and which of them are similar."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "embeddings",
    prefix="emb_",
    title="Embeddings",
    question="How does a word become numbers?",
    help="Cut a text into tokens, watch byte pairs merge, and see an id take its row of the table.",
    lede="A text is cut into **tokens**, each token has an **id**, and the id takes a row of a table: its **vector**.",
    section=CONCEPTS,
    learned="how text gets into a model: it is cut into tokens, and each token takes its row of a table that"
    " training has filled. Tokens that are used alike end up with similar rows.",
    switch="emb_part",
    views=(
        Tab(
            "cut",
            "Cut",
            "Where does a text fall apart into tokens?",
            lede="A text is cut into **tokens**, each with an **id**. This page learns its own small vocabulary; every"
            " model has another.",
        ),
        Tab(
            "lookup",
            "Look up",
            "How does an id become a vector?",
            lede="**Press a word**: its **id** in the model’s own vocabulary picks one row of the table, the **vector**"
            " that enters the layers.",
            title="How does an id become a vector?",
        ),
        Tab(
            "alike",
            "Alike",
            "Which tokens have similar vectors?",
            lede="Words used in similar ways end up close together. Nobody told the model which.",
            title="Which words does the model treat as similar?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
