"""What the storyteller does with the story: the numbers behind the pictures of words that a hand can move.

They are stored beside this file, so that nobody waits for the model:

python -m pages.words.data
"""

import json
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

from lab.kit import story
from lab.kit.glossary import toy
from lab.kit.models.references import Shipped
from lab.kit.models.source import Source
from transformer import inspection

FILE = Path(__file__).with_name("told.json")
COPIER = 2, 3  # the layer and head by which the last word finds its toy
STEPS = 41  # shares that a hand can give the first toy
CUT, CHOICES = "mia", 5  # a text that goes on in several ways, and how many of them are shown
N_NEAREST = 6  # words nearest to the last one of the story


@cache
def told() -> dict[str, Any]:
    """What is stored."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def computed() -> dict[str, Any]:
    """The story, what each head makes the words of its last sentence look at, and what is written once one is moved.

    looks    [layer][head][asker][token], attention weights
    share    what the copying head gives the first toy
    written  the word that is written, for every share of the first toy from 0 to 1
    choices  words that may follow `text`, likeliest first; logits: theirs; chance: of the first, among all words
    values   of both toys in the copying head
    widths   what is left of a vector, for every number of its numbers
    """
    source = Shipped(story.WRITER).resolve()
    model, tokens = source.single_stack, source.cut(story.TEXT)
    first, second = (tokens.index(word) for word in toy.STORY_KEYS)
    asks = len(story.TEXT.split(". ")[-1].split())
    ids, (layer, head) = source.ids(tokens), COPIER
    looks = inspection.run.run_with_maps(model, ids, tokens).attention["decoder"].weights[:, :, -asks:]
    steered = inspection.steering.steer(model, ids, layer, head, (first, second), STEPS)
    steps = inspection.steps.head_steps(model, ids, head, layer)
    odds = inspection.steering.likeliest(model, source.ids(source.cut(CUT)), len(source.labels))
    likeliest = odds[:CHOICES]
    return {
        "tokens": list(tokens),
        "asks": asks,
        "toys": [first, second],
        "looks": [[[[round(w, 3) for w in row] for row in head] for head in layer] for layer in looks.tolist()],
        "share": round(float(looks[layer, head, -1, first]), 3),
        "written": [source.labels[word] for word in steered],
        "text": CUT,
        "choices": [source.labels[token] for token, _ in likeliest],
        "logits": [round(logit, 2) for _, logit in likeliest],
        "chance": round(1 / sum(exp(logit - odds[0][1]) for _, logit in odds), 3),
        "values": [[round(x, 3) for x in steps.v[toy].tolist()] for toy in (first, second)],
        "widths": {"d_model": _by_width(source, tokens[-1]), "d_k": _by_head_width(steps, (first, second))},
    }


def _by_width(source: Source, word: str) -> dict[str, Any]:
    """The row of a word, and the words nearest to it by the first 1, 2, … of its numbers: [word, whether it is a
    colour, as this one is]."""
    rows = source.single_stack.stack.embedding.weight.detach().numpy().astype("f8")
    (id,), colours = source.ids([word]), set(source.kinds["colours"])
    named = []
    for n in range(1, rows.shape[1] + 1):
        nearest = inspection.embeddings.neighbours(rows[:, :n], id, N_NEAREST)
        named.append([[source.labels[near], source.labels[near] in colours] for near, _ in nearest])
    return {"row": [round(x, 3) for x in rows[id].tolist()], "nearest": named}


def _by_head_width(steps: "inspection.steps.Steps", toys: tuple[int, int]) -> dict[str, Any]:
    """The last query of the copying head, and what it gives both toys by the first 1, 2, … of its numbers."""
    q, k = steps.q[-1:], steps.k
    shares = []
    for n in range(1, q.shape[1] + 1):
        weights = inspection.steps.steps(q[:, :n], k[:, :n], k).stages["weights"][0]
        shares.append([round(float(weights[toy]), 2) for toy in toys])
    return {"row": [round(x, 3) for x in q[0].tolist()], "shares": shares}


if __name__ == "__main__":
    FILE.write_text(json.dumps(computed(), separators=(",", ":")) + "\n", encoding="utf-8")
