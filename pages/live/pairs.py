"""Two trainings side by side, each pair with a question that watching both answers."""

from typing import Any, NamedTuple

from pages.live.controls import OF_PICTURES, OF_TEXTS
from pages.live.values import Values
from transformer.training.tasks.task import Declaration


class Pair(NamedTuple):
    """Two trainings side by side: what A has, and what B has, where all else is the same; and the question."""

    a: dict[str, Any]
    b: dict[str, Any]
    question: str


PAIRS: dict[str, Pair] = {
    "1 head | 4 heads": Pair({"heads": 1}, {"heads": 4}, "Do more heads learn faster? They cost no extra parameters."),
    "positions off | on": Pair(
        {"positions": "none"}, {"positions": "sinusoidal"}, "What can a model do without telling positions apart?"
    ),
    "sinusoidal | ALiBi": Pair(
        {"positions": "sinusoidal"}, {"positions": "ALiBi"}, "Which of them copes with longer texts than it trained on?"
    ),
    "without warm-up | with warm-up": Pair({"warmup": 1}, {}, "Does it help to begin with small steps?"),
    "dropout 0 | 0.3": Pair({"dropout": 0.0}, {"dropout": 0.3}, "Noise in training: a slower start, a smaller gap?"),
    "1 layer | 2 layers": Pair({"layers": 1}, {"layers": 2}, "Is deeper better on this task?"),
    "pre-norm | post-norm": Pair(
        {"norm": "before (pre)"}, {"norm": "after (post)"}, "Which of them needs warm-up more?"
    ),
    "100 examples | 8000 examples": Pair(
        {"examples": 100}, {"examples": 8000}, "Memorised, or understood? Watch the gap."
    ),
    "feed-forward layers | attention alone": Pair(
        {"activation": "ReLU"}, {"activation": "none"}, "Does a model learn less without feed-forward layers?"
    ),
    "LayerNorm | no norm": Pair(
        {"norm_kind": "LayerNorm"}, {"norm_kind": "none"}, "Does it still learn at this learning rate?"
    ),
    "1 expert | 4 experts": Pair(
        {"experts": "one"},
        {"experts": "1 of 4"},
        "Four times the feed-forward parameters, the same work per token: what do they buy?",
    ),
    "softmax | linear attention": Pair(
        {"attention": "every pair"}, {"attention": "linear"}, "Can weights without softmax point at one token?"
    ),
    "weight decay 0 | 0.3": Pair({"decay": 0.0}, {"decay": 0.3}, "Watch the curve “Parameters”: do they stay smaller?"),
    "batch 8 | 64": Pair({"batch": 8}, {"batch": 64}, "How noisy is a small batch?"),
    "patches of 4 | patches of 8": Pair(
        {"patch": 4}, {"patch": 8}, "A quarter of the tokens, each showing four times as much: which answers suffer?"
    ),
    "class token | mean of patches": Pair(
        {"reads": "the class token"}, {"reads": "the mean of all patches"}, "Does it need a token that collects?"
    ),
}


def pairs_of(task: Declaration) -> tuple[str, ...]:
    """The names of the pairs that say something about models of this task."""
    foreign = {*OF_TEXTS, "sinusoidal | ALiBi"} if task.reads_pictures else {*OF_PICTURES}
    return tuple(name for name, pair in PAIRS.items() if foreign.isdisjoint((name, *pair.a, *pair.b)))


def pair(name: str, values: Values) -> dict[str, tuple[Values, str]]:
    """A and B of the pair of this name: their settings, and a label that says what sets each apart."""
    changes = PAIRS[name]
    first, second = name.split(" | ")
    if " " not in second:  # "dropout 0 | 0.3": both are about dropout
        second = " ".join([*first.split()[:-1], second])
    sides: dict[str, tuple[Values, str]] = {}
    for place, change, label in zip("AB", (changes.a, changes.b), (first, second), strict=True):
        side = values._replace(**change)
        if side.d_model % side.heads:
            side = side._replace(d_model=32)
        if "warmup" in changes.a and place == "B":
            side = side._replace(warmup=max(2, values.warmup, values.steps // 10))
        sides[place] = (side, label)
    return sides
