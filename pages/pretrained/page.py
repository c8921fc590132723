"""What do the heads of real models do? Published models come in here, and all of their heads are seen at once."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "pretrained",
    prefix="pretrained_",
    title="Pretrained",
    question="What do the heads of real models do?",
    help="Bring BERT, GPT-2, Llama or a model of your own, and see all of its heads on any text.",
    lede="Nobody gave their heads a job; many found one. **Point at them.**",
    section=MODELS,
    learned="that BERT, GPT-2 and Llama are made of these same parts, only wider and deeper, and how to find"
    " out what one of their heads does.",
    switch="pretrained_view",
    views=(
        Tab("heads", "Heads", "What does each head look at?"),
        Tab(
            "which_head",
            "Which head?",
            "Which heads matter? Ablate, patch, attribute, or try them on repetition and grammar",
            lede="Each square is a head. **Press one.**",  # each light has its own
            title="Which heads does it need?",
        ),
        Tab(
            "lens",
            "Lens",
            "What would it say if it stopped early?",
            lede="One token climbs the layers, and is read out at each. **Pull the handle up.**",
            title="What would it say if it stopped early?",
        ),
        Tab(
            "bring",
            "Bring a model",
            "How do I bring in a model, or the attention weights of one?",
            lede="A file of attention weights becomes a picture of all heads. **Pull one into the frame.**",
            title="Where do a model’s heads look?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
