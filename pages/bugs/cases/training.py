"""Bugs in training: what is minimised, and how fast."""

from lab.kit.teaching import Answer
from pages.bugs.cases.case import Case

NOT_SHIFTED = Case(
    "targets-not-shifted",
    "A loss like a dream",
    "A small model learns the alphabet, and after a few steps its loss is almost 0. Asked to go on from *c d e*, it"
    " disappoints.",
    (
        Answer(
            "The targets are not shifted",
            "Each position is asked for the token that it has just read. Copying is easy, and predicting was never"
            " learned.",
            right=True,
        ),
        Answer(
            "The causal mask is missing",
            "Then the next letter would leak. But the loss of the next word is high: the model does not know it at"
            " all.",
        ),
        Answer(
            "It has memorised the texts",
            "There are only eight letters in one order. Whoever had memorised that would go on correctly.",
        ),
        Answer(
            "The training was too short",
            "With the right line, the same number of steps is enough.",
        ),
    ),
    "Position t predicts token t + 1: `logits[:, :-1]` against `ids[:, 1:]`. Distrust a loss that is too good, and"
    " let the model write.",
)

WITH_PADDING = Case(
    "loss-with-padding",
    "Better than possible",
    "Texts walk from *a* to *h*, one or two letters at a step, by the toss of a coin. Not to know a coin costs ln 2, or"
    " 0.69. The log shows less than half of that.",
    (
        Answer(
            "The mean runs over padding, too",
            "After *h* there is nothing but padding, which is easy to predict. All these easy positions make the mean"
            " look good, and the words count less.",
            right=True,
        ),
        Answer(
            "The targets are not shifted",
            "Then the loss of the next word would be far worse. It is what a coin allows.",
        ),
        Answer(
            "The causal mask is missing",
            "Then the loss of the next word would fall as well: it would be seen, not foreseen.",
        ),
        Answer(
            "The model has learned the coin",
            "Every toss is new. No model can know it.",
        ),
    ),
    "`ignore_index=PAD` keeps padding out of the mean. Otherwise the figure depends on how much padding a batch"
    " happens to have, and two trainings cannot be compared.",
)

NO_WARM_UP = Case(
    "no-warm-up",
    "Stuck from the start",
    "The architecture is that of the paper, the norm stands after each sublayer, the learning rate comes from"
    " somebody else's recipe. The loss does not go below that of a guess.",
    (
        Answer(
            "The learning rate starts at its full height",
            "The first steps are taken on gradients that mean nothing yet, and in a model with post-norm they lead"
            " where no gradient leads back from.",
            right=True,
        ),
        Answer(
            "The model is too small",
            "The cure has exactly as many parameters.",
        ),
        Answer(
            "The targets are not shifted",
            "Copying would be easy: the loss would fall at once. It does not fall at all.",
        ),
        Answer(
            "There are too few steps",
            "The cure takes just as many.",
        ),
    ),
    "Let the learning rate climb over the first steps. Models with pre-norm forgive its absence more often; the"
    " paper's post-norm hardly does.",
)

CASES = (NOT_SHIFTED, WITH_PADDING, NO_WARM_UP)
