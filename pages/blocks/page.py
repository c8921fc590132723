"""What happens inside one layer? Its stations, the stream that runs through, and what breaks without them."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "blocks",
    prefix="blocks_",
    title="Blocks",
    question="What happens inside one layer?",
    help="Open one layer: its parts, the stream that runs through it, and what breaks without them.",
    lede="**Open the two pipes**: attention brings news from other tokens, feed-forward works on each one alone.",
    section=CONCEPTS,
    learned="what one layer is: attention mixes the tokens, feed-forward works on each token alone, and both add to"
    " a stream that runs from the first layer to the last.",
    switch="blocks_part",
    views=(
        Tab("one_layer", "One layer", "What happens at each station of a layer?"),
        Tab(
            "residual_stream",
            "The stream",
            "What happens to one token on its way up?",
            lede="**Pull the word up**: what would the model say if it stopped there?",
            title="What happens to one token on its way up?",
        ),
        Tab(
            "ablation",
            "Ablation",
            "Which parts can a model do without?",
            lede="**Pull a block out**: the words are what the model says next, bold where it is right.",
            title="Which block can it not do without?",
        ),
        Tab(
            "modern",
            "Modern blocks",
            "What has changed in a layer since 2017?",
            lede="**Pull the tower up**, then drag a change into it.",
            title="What has changed in a layer since 2017?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
