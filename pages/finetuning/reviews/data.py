"""What the views on reviews compute once and share; read-only.

The published model itself is needed for a visitor's own review only, and loaded only then.
"""

from typing import NamedTuple

import numpy as np

from lab.kit.models.published import Published, listed, there
from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from transformer.core import workload
from transformer.core.workload import Workload
from transformer.training import classifier
from transformer.training.classifier import Classifier
from transformer.training.studies import reviews
from transformer.training.studies.reviews import DEPTHS, N_DRAWS, TESTS, Draw

MINILM = f"sentence-transformers/{reviews.MODEL}"
STOPS = (0, 1, 2, 5, 10, 20, 50, 100, classifier.STEPS)  # steps at which a training can be looked at
PILE = (*range(2, 32, 2), *range(32, 129, 4))  # labelled reviews, as one pulls them in
PARTS = ("learned", *TESTS)


class Training(NamedTuple):
    """A classifier's training on one draw.

    losses  without the decay, in nats, by part and step: PARTS (3, STEPS + 1)
    stops   the classifier at each of STOPS
    best    the loss on what it learned, where the training leads in the end
    """

    losses: np.ndarray
    stops: dict[int, Classifier]
    best: float

    def logits(self, step: int, depth: int | None) -> np.ndarray:
        """Of all reviews, (280,)."""
        return self.stops[step].logits(reviews.vectors(depth))


@cached()
def shares(depth: int | None, n: int, decay: float) -> np.ndarray:
    """The share of tests that a classifier on n reviews has right, (N_DRAWS, 2): plain tests, and negated ones.

    depth  how many of MiniLM's layers its vectors went through; None: word counts
    """
    x, y = reviews.vectors(depth), reviews.answers()
    places = [list(reviews.of_part(part)) for part in TESTS]
    return np.array([[one.accuracy(x[some], y[some]) for some in places] for one in learned(depth, n, decay)])


@cached()
def learned(depth: int | None, n: int, decay: float) -> tuple[Classifier, ...]:
    """The best classifier of each draw of n reviews, N_DRAWS."""
    return tuple(reviews.learned(Draw(n, seed), depth, decay) for seed in range(N_DRAWS))


@cached()
def piles(depth: int | None, decay: float) -> tuple[Classifier, ...]:
    """The best classifier of each of PILE."""
    return tuple(reviews.learned(Draw(n, 0), depth, decay) for n in PILE)


@cached()
def training(depth: int | None, draw: Draw, decay: float) -> Training:
    x, y = reviews.vectors(depth), reviews.answers()
    places = [draw.places, *(list(reviews.of_part(part)) for part in TESTS)]
    learned = places[0]
    descent = classifier.descend(x[learned], y[learned], decay)
    logits = descent.logits(x)  # (STEPS + 1, 280)
    losses = np.array([classifier.log_losses(logits[:, part], y[part]) for part in places])
    best = classifier.optimum(x[learned], y[learned], decay)
    return Training(losses, {step: descent.at(step) for step in STOPS}, best.loss(x[learned], y[learned]))


def minilm() -> ModelRef | None:
    """The published model on this machine; None where it is not."""
    for ref in there("encoder").values():
        known = listed(ref.where) if isinstance(ref, Published) else None
        if known is not None and known.id == MINILM:
            return ref
    return None


def _one_text(ref: ModelRef, text: str) -> Workload:
    config = ref.resolve().config
    return workload.one_pass(config, len(text) + 2, config.n_encoder_layers, has_logits=False)


@cached(work=_one_text)
def represented(ref: ModelRef, text: str) -> dict[int, np.ndarray]:
    """The vectors (D,) of a visitor's own text after each of DEPTHS layers, {} where the model has no token for it;
    text is not longer than the model reads."""
    from transformer.training.studies.reviews_runs import encoder_of, representation

    source = ref.resolve()
    tokens = source.first(source.cut(text), source.max_tokens)
    if not tokens:
        return {}
    vectors = representation(encoder_of(source.model), source.ids(tokens))
    return {depth: vectors[depth] for depth in DEPTHS}
