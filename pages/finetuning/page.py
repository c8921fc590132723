"""Fine-tuning: a trained model learns something new, in five ways; and a published one, with a few labelled texts."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "finetuning",
    prefix="fine_",
    title="Fine-tuning",
    question="What does fine-tuning change?",
    help="The storyteller is taught to write dialogues, in five ways; a published model, to judge reviews.",
    lede="A storyteller learns to write **dialogues**, in four ways.",
    section=MODELS,
    learned="that a trained model needs few steps and few examples for a related task, and that a small"
    " update beside frozen weights can be enough. The price of what it learns may be what it"
    " knew.",
    switch="fine_view",
    views=(
        Tab("race", "The race", "Which way needs the fewest steps, and which forgets least?"),
        Tab(
            "few_reviews",
            "BERT’s way",
            "How many labelled reviews does a pretrained model need, and what does it say of yours?",
            lede="**MiniLM** had read billions of words before its first label.",
            title="What is a head start worth?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
