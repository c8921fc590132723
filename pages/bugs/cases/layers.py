"""Bugs in layers: how they are kept, chained and joined to the stream."""

from lab.kit.teaching import Answer
from pages.bugs.cases.case import Case

DROPOUT = Case(
    "dropout-at-evaluation",
    "Never the same twice",
    "Ask this model twice about the same review, and you get two verdicts. `model.eval()` was called.",
    (
        Answer(
            "Dropout stays on after training",
            "`F.dropout` drops unless it is told not to, and nobody told it. `model.eval()` only sets a flag that"
            " somebody has to read.",
            right=True,
        ),
        Answer(
            "The model samples its answer",
            "Nothing is sampled: these are the logits, before any choice is made.",
        ),
        Answer(
            "Other texts of the batch leak in",
            "The outputs differ even when the same text is read alone, twice.",
        ),
        Answer(
            "Rounding",
            "The same additions in the same order round in the same way: a sound model agrees to the last bit.",
        ),
    ),
    "Hand `training=self.training` to `F.dropout`, or use `nn.Dropout`, which reads the flag. Running twice is the"
    " cheapest test there is.",
)

SHARED_LAYERS = Case(
    "shared-layers",
    "Suspiciously small",
    "A model with four layers learns, but like a much smaller one. Its file, too, is much smaller than expected.",
    (
        Answer(
            "All four layers are one and the same",
            "`[layer] * 4` is a list with the same layer four times. It is run four times, but it has only one set of"
            " parameters.",
            right=True,
        ),
        Answer(
            "Three layers are never run",
            "All four are: each adds to the gradient. See “Gradients”.",
        ),
        Answer(
            "The optimiser was given too little",
            "It was given all there is. The list of parameters has no more because there are no more.",
        ),
        Answer(
            "The layers began with the same numbers",
            "If they were four layers, equal at first, the optimiser would still get four times as many tensors.",
        ),
    ),
    "Make each layer anew: `[make() for _ in range(n)]`. (Sharing on purpose exists, in ALBERT. Then it is a"
    " decision.)",
)

PLAIN_LIST = Case(
    "plain-list",
    "Layers that never learn",
    "The loss falls a little and then stays. The embeddings change from step to step, the four layers do not,"
    " although they receive a gradient.",
    (
        Answer(
            "The optimiser does not know the layers",
            "They are kept in a plain list of Python, in which torch does not look. So `parameters()` leaves them"
            " out: they are run, they get gradients, and nobody updates them.",
            right=True,
        ),
        Answer(
            "The learning rate is too small",
            "Then the embeddings would hardly move either.",
        ),
        Answer(
            "The gradient vanishes on its way down",
            "It arrives in every layer: see “Gradients”.",
        ),
        Answer(
            "The layers are frozen with `requires_grad=False`",
            "Then they would get no gradient. They do.",
        ),
    ),
    "Modules belong in an `nn.ModuleList`. Count what the optimiser is given, before the first step.",
)

NOT_CHAINED = Case(
    "layers-not-chained",
    "Idle layers",
    "A model of four layers never becomes better than a model of one, however long it is trained.",
    (
        Answer(
            "Every layer reads the embeddings instead of the layer below",
            "What layer 0 writes is never read; only the last layer is heard. So no gradient comes back to the others.",
            right=True,
        ),
        Answer(
            "The gradient vanishes in deep models",
            "It would get smaller step by step. Here it is there in one layer and exactly 0 in the others.",
        ),
        Answer(
            "The layers share their parameters",
            "Each has its own: see “Optimiser”.",
        ),
        Answer(
            "The optimiser does not know the layers",
            "It does, all four. But they receive nothing to learn from.",
        ),
    ),
    "`x = layer(x)`: the result must take the name of what the next layer reads. A gradient of exactly 0 means that"
    " somebody is not heard.",
)

NO_RESIDUAL = Case(
    "no-residual",
    "All tokens alike",
    "Eight layers deep, a fresh model makes the same prediction at every position of the text.",
    (
        Answer(
            "The residual connection is missing",
            "Each layer replaces the stream by a mixture of tokens instead of adding to it. A mixture of mixtures"
            " soon is the same everywhere.",
            right=True,
        ),
        Answer(
            "The layers share their parameters",
            "Each has its own: see “Optimiser”.",
        ),
        Answer(
            "The gradient vanishes",
            "Every layer gets some. The trouble shows before there is any gradient, on the way up.",
        ),
        Answer(
            "The positions are missing",
            "Different words would still have different vectors. At the input they do: see “Likeness of tokens”.",
        ),
    ),
    "`x + update` keeps each token itself, however often attention mixes. Without it, depth makes all tokens alike"
    " (Dong et al. 2021 call it rank collapse).",
)

NORM_OVER_TOKENS = Case(
    "norm-over-tokens",
    "A leak elsewhere",
    "The mask is right, the rows sum to 1, no weight reaches into the future. And still the past knows what comes.",
    (
        Answer(
            "The norm takes its mean over the tokens",
            "The mean of a feature over all tokens contains the later ones. The leak does not pass through attention,"
            " so no mask can stop it.",
            right=True,
        ),
        Answer(
            "The causal mask has a hole",
            "“Weights” shows none right of the line.",
        ),
        Answer(
            "The heads are cut across tokens",
            "That would leak as well. But then each token would leave the norm with a spread of 1: see “Spread of"
            " tokens”.",
        ),
        Answer(
            "The feed-forward part mixes tokens",
            "It works on each token by itself. What is done to the stream *before* it does not.",
        ),
    ),
    "Layer norm works on each token by itself: over the last axis. Whatever averages over tokens is a second way past"
    " the mask.",
)

CASES = (DROPOUT, SHARED_LAYERS, PLAIN_LIST, NOT_CHAINED, NO_RESIDUAL, NORM_OVER_TOKENS)
