"""What a model would say behind a layer whose sublayers add only a share of what they have found."""

from typing import Any, NamedTuple

import numpy as np

from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from pages.blocks.data import model_of, one_pass
from transformer import inspection
from transformer.core.workload import Workload

SHARES = [n / 10 for n in range(11)]
MAX_TOKENS = 24  # for which they are tried
MOST_SECONDS = 5.0  # of work, as the server reckons it: more is not done unasked


class Openings(NamedTuple):
    """The words that are said at all, and for each of T tokens which of them, with its chance.

    said, chances  (1 + S, S, T): first once attention has added each of S shares, then behind the layer, by the share
    of attention and that of feed-forward
    """

    words: tuple[str, ...]
    said: np.ndarray
    chances: np.ndarray

    def packed(self) -> dict[str, Any]:
        """The same for a browser."""
        chances = np.round(self.chances.astype(float), 6).tolist()
        return {"words": list(self.words), "said": self.said.tolist(), "chances": chances}


def _work(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> Workload:
    """A pass, feed-forward for each share of attention, and a word for each pair of shares."""
    config, S = ref.resolve().config, len(SHARES)
    T, D, V = min(len(tokens), MAX_TOKENS), config.d_model, config.vocab_size
    fed = S * len(tokens) * 3 * D * config.d_ff * config.top_k
    hidden = 2 * S * len(tokens) * config.d_ff * config.top_k  # twice where a gate has as many
    n_bytes = 4 * (S * S * len(tokens) * D + hidden + 3 * S * T * V)
    return one_pass(ref, tokens) + Workload(n_bytes, fed + (S + S * S) * T * D * V)


@cached(work=_work)
def _openings(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> Openings:
    source, model = ref.resolve(), model_of(ref)
    T, S = min(len(tokens), MAX_TOKENS), len(SHARES)
    middle, behind = inspection.blocks.part_way(model, source.ids(tokens), layer, SHARES)
    rows = [row[:, :T].reshape(S * T, -1) for row in (middle, *behind)]  # those of a share of attention at once
    said, chances = (
        np.stack(one).reshape(-1, S, T)
        for one in zip(*(inspection.logit_lens.read_out(model, row) for row in rows), strict=True)
    )
    known, said = np.unique(said, return_inverse=True)
    return Openings(tuple(source.label(int(id)) for id in known), said.reshape(chances.shape), chances)


def openings(ref: ModelRef, tokens: tuple[str, ...], layer: int) -> Openings | None:
    """The same; None for a model whose words have no names, and where it takes too long."""
    is_quick = _work(ref, tokens, layer).seconds <= MOST_SECONDS
    return _openings(ref, tokens, layer) if ref.resolve().answers and is_quick else None
