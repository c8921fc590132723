"""How does a Transformer translate? Watch a small translator at work, try to mislead it, and choose among its texts."""

from pages.shared.view import heading, render
from pages.translation import (
    ablations,
    all_heads,
    beams,
    change_word,
    fewer_sentences,
    in_context,
    model_card,
    sentence,
    steps,
    threads,
)

threads.note_arrival()
lede = heading(
    "translation",
    "For each word that it writes, it sends a :blue[query] to the :orange[keys] of your sentence."
    " :violet[**Threads**] show where it looks.",
)
if sentence.show():
    render(
        [threads.VIEW, steps.VIEW, change_word.VIEW, ablations.VIEW],
        "translation_view",
        lede=lede,
        deeper=[all_heads.VIEW, in_context.VIEW, fewer_sentences.VIEW, beams.VIEW],
    )
    model_card.show(sentence.current().ref)
