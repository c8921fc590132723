"""What the storyteller does with the story: the numbers behind the pictures of words that a hand can move."""

from functools import cache
from typing import Any

from lab.kit import story
from lab.kit.glossary import toy
from lab.kit.models.references import Shipped
from transformer import inspection

COPIER = 2, 3  # the layer and head by which the last word finds its toy
STEPS = 41  # shares that a hand can give the first toy
CUT, CHOICES = "mia", 5  # a text that goes on in several ways, and how many of them are shown


@cache
def told() -> dict[str, Any]:
    """The story, what each head makes the words of its last sentence look at, and what is written once one is moved.

    looks    [layer][head][asker][token], attention weights
    share    what the copying head gives the first toy
    written  the word that is written, for every share of the first toy from 0 to 1
    choices  words that may follow `text`, likeliest first; logits: theirs
    """
    source = Shipped(story.WRITER).resolve()
    model, tokens = source.single_stack, source.cut(story.TEXT)
    first, second = (tokens.index(word) for word in toy.STORY_KEYS)
    asks = len(story.TEXT.split(". ")[-1].split())
    ids, (layer, head) = source.ids(tokens), COPIER
    looks = inspection.run.run_with_maps(model, ids, tokens).attention["decoder"].weights[:, :, -asks:]
    steered = inspection.steering.steer(model, ids, layer, head, (first, second), STEPS)
    likeliest = inspection.steering.likeliest(model, source.ids(source.cut(CUT)), CHOICES)
    return {
        "tokens": tokens,
        "asks": asks,
        "toys": (first, second),
        "looks": [[[[round(w, 3) for w in row] for row in head] for head in layer] for layer in looks.tolist()],
        "share": round(float(looks[layer, head, -1, first]), 3),
        "written": [source.labels[word] for word in steered],
        "text": CUT,
        "choices": [source.labels[token] for token, _ in likeliest],
        "logits": [round(logit, 2) for _, logit in likeliest],
    }
