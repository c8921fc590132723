"""Which words may come next, where a word is one token or several: how likely a decoder finds them, place by place."""

from collections.abc import Sequence

import numpy as np
import torch

from transformer.core.checks import InputError
from transformer.core.model import DecoderModel
from transformer.inspection.run import Text, ids_of

MOST_PIECES = 8  # tokens of one word


def _has_room(model: DecoderModel, T: int) -> bool:
    """Whether the model can read so many tokens."""
    return model.config.positions != "learned" or model.config.max_len >= T


def _odds(model: DecoderModel, texts: Sequence[Sequence[int]]) -> torch.Tensor:
    """Next-token probabilities (B, T, V) of texts of any length: what is added at an end is seen by no token before."""
    T = max(map(len, texts))
    ids = torch.tensor([[*text, *[0] * (T - len(text))] for text in texts])
    return model(ids).logits.double().softmax(-1)


@torch.inference_mode()
def word_probabilities(
    model: DecoderModel,
    ids: Text,
    places: Sequence[int],
    words: Sequence[Sequence[int]],
    *,
    followed: int = 4,
    least: float = 0.02,
) -> np.ndarray:
    """P(word | text before) at each place, (P, W): the product of P(token | all before it) over the word's tokens.

    ids      the text, at least one token
    places   how many tokens stand before each place, 1 to len(ids); InputError for others
    words    the tokens of each word
    followed, least  of the words with several tokens, so many are worked out per place: those with the likeliest first
                     token, if it has at least this probability. The others are NaN
    """
    ids = ids_of(ids)
    for place in places:
        if not 1 <= place <= len(ids):
            raise InputError(f"place {place} is none of a text of {len(ids)} tokens: 1 to {len(ids)} stand before it")
    first = _odds(model, [ids])[0, [place - 1 for place in places]].numpy()  # (P, V)
    result = first[:, [word[0] for word in words]]  # (P, W)
    several = [n for n, word in enumerate(words) if len(word) > 1]
    asked = []
    for row, place in enumerate(places):
        likely = [n for n in several if result[row, n] >= least and _has_room(model, place + len(words[n]) - 1)]
        asked += [(row, n) for n in sorted(likely, key=lambda n: -result[row, n])[:followed]]
    starts = {pair: float(result[pair]) for pair in asked}
    result[:, several] = np.nan
    if asked:
        odds = _odds(model, [[*ids[: places[row]], *words[n][:-1]] for row, n in asked])
        for at, (row, n) in enumerate(asked):
            rest = (odds[at, places[row] + k - 1, token] for k, token in enumerate(words[n]) if k)
            result[row, n] = starts[row, n] * float(np.prod([float(p) for p in rest]))
    return result


@torch.inference_mode()
def likely_words(
    model: DecoderModel, ids: Text, begins: np.ndarray, goes_on: np.ndarray, n: int
) -> list[tuple[tuple[int, ...], float]]:
    """The n likeliest tokens that may begin the next word, each followed by those that go on with it as long as such a
    one is the likeliest: [(tokens, probability)], the likeliest first.

    begins, goes_on  (V,) whether a token begins a word, and whether it goes on within one
    """
    ids = ids_of(ids)
    odds = _odds(model, [ids])[0, -1].numpy() * begins
    best = (-odds).argsort(kind="stable")[:n].tolist()
    words: dict[tuple[int, ...], float] = {(id,): float(odds[id]) for id in best if odds[id] > 0}
    grown = [word for word in words if goes_on.any()]
    while grown and _has_room(model, len(ids) + len(grown[0])) and len(grown[0]) < MOST_PIECES:
        rows = _odds(model, [[*ids, *word] for word in grown])[:, -1].numpy()
        longer = []
        for word, row in zip(grown, rows, strict=True):
            id = int(row.argmax())
            if goes_on[id]:
                longer.append((*word, id))
                words[longer[-1]] = words.pop(word) * float(row[id])
        grown = longer
    return sorted(words.items(), key=lambda item: -item[1])
