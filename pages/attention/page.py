"""How is one attention weight made? Scaled dot-product attention, one step at a time, on numbers one can change."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "attention",
    prefix="att_",
    title="Attention",
    question="How is one attention weight made?",
    help="Scaled dot-product attention, one step at a time, on numbers that you can change.",
    lede="A :blue[**query**] meets every :orange[**key**]; their scores become :violet[**attention"
    " weights**], shares of 1; these mix the :green[**values**].",
    section=CONCEPTS,
    learned="what a query, a key and a value are, and how a score becomes an attention weight: query times"
    " key, softmax over the row, and with these shares the values are mixed.",
    switch="att_way",
    views=(
        Tab("step_by_step", "Step by step", "How does a score become an attention weight?"),
        Tab(
            "projections",
            "Make q, k, v",
            "Where do queries, keys and values come from?",
            lede="A word's vector times a learned matrix is its :blue[**query**]; two more matrices make its"
            " :orange[**key**]"
            " and its :green[**value**].",
            title="Where do q, k and v come from?",
        ),
        Tab(
            "guess_row",
            "Guess",
            "How does one query share its attention among three keys?",
            lede="A :blue[**query**] has one attention to give: softmax cuts it by how well each :orange[**key**]"
            " matches.",
            title="How does a query share its attention?",
        ),
        Tab(
            "mix",
            "Mix",
            "Where can a mixture of values lie?",
            lede="A mean of the :green[**values**], weighted by the :violet[**attention weights**].",
            title="What does attention give back?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
