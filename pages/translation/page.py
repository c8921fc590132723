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
    padding,
    sentence,
    steps,
    threads,
)
from pages.translation.doors import door

threads.note_arrival()
heading(
    "translation",
    "For each word that it writes, it sends a :blue[query] to the :orange[keys] of your sentence."
    " :violet[**Threads**] show where it looks.",
)
if sentence.show():
    render(
        [
            door("Watch", "watch", [threads.VIEW, steps.VIEW, all_heads.VIEW]),
            door("Try", "try", [change_word.VIEW, in_context.VIEW, ablations.VIEW, fewer_sentences.VIEW]),
            door("Choose", "choose", [beams.VIEW, padding.VIEW]),
        ],
        "translation_view",
    )
    model_card.show(sentence.current().ref)
