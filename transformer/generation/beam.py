"""Beam search: the likeliest texts found by going on with several at once."""

from typing import NamedTuple

import torch
from torch import Tensor

from transformer.core.cache import Cache
from transformer.core.checks import InputError, check_penalty, check_whole, is_number
from transformer.generation.decoding import Decoding, check_room, read
from transformer.generation.sampling import penalise


class Node(NamedTuple):
    """One token tried at the end of one text.

    parent  index, in the nodes of the step before, of the text that it continues; -1 for the prompt
    log_p   log-probability of the token (times or divided by the repetition penalty, if the text holds it already)
    score   sum of log_p along the text
    fate    "kept": the text goes on. "finished": it ended on eos. "cut": it reached max_new tokens. "dropped": others
            were better
    final   what finished and cut texts are ranked by, score / length^alpha; None for the others
    """

    parent: int
    id: int
    log_p: float
    score: float
    fate: str
    final: float | None = None


class Hypothesis(NamedTuple):
    """A text that came to its end. `path` names its node in every step; `finished`: by eos, not by max_new."""

    ids: tuple[int, ...]  # what was written, eos included
    score: float
    final: float
    finished: bool
    path: tuple[int, ...]


class BeamSearch(NamedTuple):
    """The best texts, best first, at most `width` of those that ended; and the nodes of every step, best first: the
    beam tree."""

    best: list[Hypothesis]
    steps: list[list[Node]]


class _Text(NamedTuple):
    """A text that goes on."""

    ids: tuple[int, ...]
    score: float
    path: tuple[int, ...]


def beam_search(
    start: Decoding,
    width: int,
    *,
    max_new: int,
    eos: int | None = None,
    length_penalty: float = 1.0,
    repetition_penalty: float = 1.0,
    early_stopping: bool | str = False,
) -> BeamSearch:
    """Go on with the `width` best texts at every step, and rank those that ended by score / length^alpha.

    The score is the sum of log-probabilities; the length counts the tokens written, eos included, the prompt not;
    alpha is length_penalty: 0 ranks by probability alone and so favours the short, 1 by the mean a token, more favours
    the long.

    A step looks at the 2 width best continuations of all texts together. Of these the first `width` may end; of those
    that do not end, the best `width` go on. The search ends when no text goes on, at max_new tokens, or, once `width`
    texts have ended,

        early_stopping=True      at once
        early_stopping=False     when the best text that goes on, at its present length, ranks no higher than the worst
                                 that has ended
        early_stopping="never"   the same, but at whatever length would rank it highest (max_new, if alpha > 0)

    which are the rules of the `generate` of Hugging Face.
    """
    _check(width, max_new, length_penalty, repetition_penalty, early_stopping)
    check_room(start.model, len(start.ids), max_new)
    logits, cache = start.reading.logits, start.reading.cache
    texts, ended, steps = [_Text((), 0.0, ())], [], []
    for length in range(1, max_new + 1):
        log_p = _log_probs(logits, _whole(start, texts), repetition_penalty)  # (b, V)
        nodes, rows, going = [], [], []
        for rank, (beam, token, score) in enumerate(_likeliest(log_p, texts, 2 * width)):
            text = texts[beam]
            grown = _Text((*text.ids, token), score, (*text.path, len(nodes)))
            fate, final = "dropped", None
            if token == eos or length == max_new:
                if rank < width:
                    fate, final = "finished" if token == eos else "cut", score / length**length_penalty
                    ended.append(Hypothesis(grown.ids, score, final, fate == "finished", grown.path))
            elif len(going) < width:
                fate = "kept"
                rows.append(beam)
                going.append(grown)
            parent = text.path[-1] if text.path else -1
            nodes.append(Node(parent, token, float(log_p[beam, token]), score, fate, final))
        steps.append(nodes)
        ended = sorted(ended, key=lambda text: -text.final)[:width]  # stable: of two equal ones the earlier stays
        if not going:
            break
        # At which length the texts that go on are compared with those that have ended.
        compared_at = max_new if early_stopping == "never" and length_penalty > 0 else length
        best_to_come = going[0].score / compared_at**length_penalty
        if len(ended) == width and (early_stopping is True or best_to_come <= ended[-1].final):
            break
        texts = going
        logits, cache = _read_on(start, texts, rows, cache)
    return BeamSearch(ended, steps)


def _check(
    width: int, max_new: int, length_penalty: float, repetition_penalty: float, early_stopping: bool | str
) -> None:
    """Raises InputError for what no search can be made with."""
    check_whole("width", width)
    check_whole("max_new", max_new)
    check_penalty(repetition_penalty)
    if not is_number(length_penalty) or abs(length_penalty) > 10:
        raise InputError(f"length_penalty={length_penalty!r} must be from -10 to 10; 0 ranks by probability alone")
    if not isinstance(early_stopping, bool) and early_stopping != "never":
        raise InputError(f'early_stopping={early_stopping!r} is not known; try True, False or "never"')


def _whole(start: Decoding, texts: list[_Text]) -> Tensor:
    """The texts with their prompt, (b, T)."""
    return torch.tensor([start.ids + text.ids for text in texts], device=start.logits.device)


def _log_probs(logits: Tensor, ids: Tensor, repetition_penalty: float) -> Tensor:
    return penalise(logits.double().log_softmax(-1), ids, repetition_penalty)


def _likeliest(log_p: Tensor, texts: list[_Text], n: int) -> list[tuple[int, int, float]]:
    """The n best continuations of all texts, best first: which text, which token, the new score."""
    scores = torch.tensor([text.score for text in texts], dtype=log_p.dtype, device=log_p.device)
    total = (scores[:, None] + log_p).flatten()  # (b V)
    best, at = total.topk(min(n, len(total)))
    return [(*divmod(i, log_p.shape[1]), score) for i, score in zip(at.tolist(), best.tolist(), strict=True)]


def _read_on(start: Decoding, texts: list[_Text], rows: list[int], cache: Cache | None) -> tuple[Tensor, Cache | None]:
    """Read the last token of every text, all in one batch; each goes on with the cache of the text it came from."""
    ids = _whole(start, texts)
    if cache is None:
        return read(start.model, ids, start.source, None, start.tap).logits, None
    cache = cache.select(torch.tensor(rows, device=ids.device))
    reading = read(start.model, ids[:, -1:], start.source, cache, start.tap)
    return reading.logits, reading.cache
