"""Where does each word look? Every head of a Transformer on a sentence that the visitor types."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "heads",
    prefix="closer",
    title="Heads",
    question="Where does each word look?",
    help="Type a sentence and see where every word looks, in every head of a Transformer.",
    lede="**Point at a word or a head** to see where it looks. The stronger a cell, the larger the"
    " :violet[**attention weight**].",
    section=CONCEPTS,
    learned="why there are many heads: each can look in only one way at a time. Training finds out which way;"
    " and a large attention weight is a clue to what a head does, not yet a proof.",
    switch="closer",
    views=(
        Tab("", "One head", "Where does each query of this head look?"),  # the picture itself: nothing more is computed
        Tab(
            "ablation",
            "Ablation",
            "What changes without one head?",
            lede="The framed head is taken out. **Press another one** to take that out instead.",
            title="What changes without one head?",
        ),
        Tab(
            "edges",
            "Edges",
            "Does a large attention weight matter?",
            lede="The word that asks loses one word that it looks at, each in turn. **Press another word** or head.",
            title="Does a large attention weight matter?",
        ),
        Tab(
            "all_heads",
            "All heads",
            "Do heads look at different places?",
            lede="Every head is compared with every other, on this text.",
            title="Do heads look at different places?",
        ),
    ),
)

if __name__ == "__main__":
    from pages.heads import explorer

    explorer.show(PAGE)
