"""How does a Transformer translate? A small translator at work: threads, steps, heads, beams, edits and ablations."""

from pages.shared.view import heading, render
from pages.translation import (
    ablations,
    all_heads,
    beams,
    change_word,
    in_context,
    model_card,
    padding,
    sentence,
    steps,
    threads,
)

heading(
    "translation",
    "The **encoder** reads the whole sentence. The **decoder** writes the translation word by word; for each, it asks "
    "with a :blue[**query**] which words of the sentence matter now, compares it with their :orange[**keys**], and "
    "takes in their :green[**values**]: that is cross-attention, drawn here as :violet[**threads**].",
)
if sentence.show():
    render(
        [
            threads.VIEW,
            steps.VIEW,
            all_heads.VIEW,
            beams.VIEW,
            change_word.VIEW,
            in_context.VIEW,
            ablations.VIEW,
            padding.VIEW,
        ],
        "translation_view",
    )
    model_card.show(sentence.current().ref)
