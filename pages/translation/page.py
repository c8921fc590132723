"""How does a Transformer translate? Watch a small translator at work, try to mislead it, and choose among its texts."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "translation",
    prefix="tr",
    title="Translation",
    question="How does a Transformer translate?",
    help="Type an English sentence and watch it become French, or the other way: threads, steps, beams, ablation.",
    lede="For each word that it writes, it compares a :blue[query] with the :orange[keys] of your sentence."
    " :violet[**Threads**] show where it looks.",
    section=MODELS,
    learned="how a Transformer translates: the encoder reads the whole sentence at once, the decoder writes"
    " one word at a time, and cross-attention lets each new word look back at the source.",
    switch="translation_view",
    views=(
        Tab("threads", "Threads", "Which words does it look at while it writes?"),
        Tab(
            "steps",
            "Step by step",
            "What could it have written at every step, and does the likeliest word lead to the likeliest text?",
            title="How does the decoder write?",
            lede="The decoder writes one word at a time, looking at your sentence and at what it has written so far.",
        ),
        Tab(
            "change_word",
            "Change a word",
            "What else changes with one word? Is a word the same in another sentence?",
            title="What else changes with one word?",
            lede="**Roll a word** to another, and compare what the model writes now with what it wrote before.",
        ),
        Tab(
            "ablations",
            "Ablation",
            "What is lost with each of its parts?",
            title="What breaks without one of its parts?",
            lede="Pull a part out. **Bold**: words that changed. Grey: words it lost.",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render
    from pages.translation import model_card, sentence

    if render(PAGE, first=sentence.show):
        model_card.show(sentence.current().ref)
