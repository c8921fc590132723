"""How does a model choose the next word? Its probabilities, the draw, branches, and what makes it quick."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "generation",
    prefix="gen_",
    title="Generation",
    question="What comes next?",
    help="Choose the next word, right or wrong, and see the probabilities, the draw and the branches.",
    lede="A decoder gives every token a probability of coming next, and one is drawn. Take its word, or choose"
    " your own.",
    section=MODELS,
    learned="how a chatbot writes: it gives every token a probability, one is drawn and joins the text, and"
    " the whole starts again. A wrong word stays, and the model has to carry on from it.",
    switch="gen_view",
    views=(
        Tab(
            "next_word",
            "Choose the next word",
            "How likely is each next word, and where does its probability come from?",
            lede="A decoder gives every token a probability of coming next: its share of the area. **Pull the edge** of"
            " the likeliest, then draw.",
        ),
        Tab(
            "bet",
            "Bet",
            "Who predicts better, you or the model?",
            lede="What you give to one word, you take from all the others: **if one of those comes, it surprises you"
            " more**.",
            title="Do you predict better than the model?",
        ),
        Tab(
            "cache",
            "The cache",
            "What need not be computed again for the next word?",
            lede="Every token has a :orange[**key**], by which it is found, and a :green[**value**], which is passed"
            " on. **Pull the stair on.**",
            title="How much work is one more token?",
        ),
        Tab(
            "without_mask",
            "Without the mask",
            "What if it may look ahead while it learns?",
            lede="The causal mask hides the words ahead: a model that learns with it has to guess. **Bet on one.**",
            title="Does the mask only get in the way?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
