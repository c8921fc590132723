"""What one notices before anything is measured: what a healthy model answers, and what one with the wrong line does.

Both are computed, with the same parameters or from the same seed; the words here only say what is asked.
"""

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

from transformer.core.cache import Cache
from transformer.inspection.bugs import instruments, museum
from transformer.inspection.bugs.specimens import Numbered, Pair, Specimen, Trained
from transformer.training.text import BOS, PAD

N_WRITTEN = 13  # tokens
MISSING = "NaN"
TURNED = "the view was lovely but i do not like the place", "i do not like the place but the view was lovely"
PADDED, N_PADS = "i hate the soup although i do not dislike the music", 6
DOUBTED, N_TIMES = "the food was not wonderful but the soup was so lovely", 3
IN_COMPANY = "i do not love the film"
TOOK = f"{museum.FIRST_SENTENCE} tom found a blue ball . mia took the"
FUTURES = "red hat", "blue ball"


class Sign(NamedTuple):
    """How the fault of an exhibit is noticed.

    asked    the questions that both models are asked
    answers  (specimen, task of its model) -> the answer to each
    model    the shipped model that has this task
    """

    asked: tuple[str, ...]
    answers: Callable[[Any, Any], tuple[str, ...]]
    model: str = "stories"


# ---- what it writes ------------------------------------------------------------------------------------------------


def _likeliest(logits: np.ndarray) -> int | None:
    return None if np.isnan(logits).any() else int(logits.argmax())


def _next_words(found: Specimen, task: Any) -> tuple[str, ...]:
    """What the model goes on with, each token the likeliest; up to the first that has no number: NaN."""
    ids, written = found.ids, []
    for _ in range(N_WRITTEN):
        token = _likeliest(found.logits(ids)[-1])
        if token is None:
            return (f"{_printed(task.source.decode(written))} {MISSING} …".strip(),)
        ids, written = (*ids, token), [*written, token]
    return (_printed(task.source.decode(written)) + " …",)


def _with_the_cache(found: Specimen, task: Any) -> tuple[str, ...]:
    """What it goes on with where each step reads only what is new, and keeps the keys and values of the rest."""
    held, guesses = Cache(len(found.model.stack.layers)), list[int]()
    with torch.inference_mode():
        for n in range(len(found.ids) + N_WRITTEN - 1):
            token = found.ids[n] if n < len(found.ids) else guesses[-1]
            logits = found.model(torch.tensor([[token]]), cache=held).logits  # type: ignore[call-arg]
            guesses.append(int(logits[0, -1].argmax()))
    written = guesses[-N_WRITTEN:]
    return (task.source.decode(written) + " …",)


def _letters(found: Trained, task: Any) -> tuple[str, ...]:
    return (" ".join(found.written),)


def _printed(text: str) -> str:
    """Sentences as they are printed: no space before a full stop."""
    return text.replace(" .", ".").replace(" ?", "?").replace(" ,", ",")


# ---- what it says --------------------------------------------------------------------------------------------------


def _encoded(task: Any, text: str) -> tuple[int, ...]:
    return (BOS, *task.source.encode(text))


def _guesses(found: Specimen, task: Any) -> tuple[str, ...]:
    """The next word after one beginning, read together with what comes later."""
    at = len(_encoded(task, TOOK)) - 1
    return tuple(_with_share(found.logits(_encoded(task, f"{TOOK} {rest}"))[at], task.source) for rest in FUTURES)


def _with_share(logits: np.ndarray, words: Any) -> str:
    shares = torch.tensor(logits).softmax(-1)
    return f"{words.label(int(shares.argmax()))} {100 * float(shares.max()):.0f}%"


def _verdict(logits: np.ndarray, task: Any) -> str:
    token = _likeliest(logits)
    return MISSING if token is None else task.target.label(token)


def _of_reviews(*reviews: str, n_pads: int = 0) -> Callable[[Specimen, Any], tuple[str, ...]]:
    def answers(found: Specimen, task: Any) -> tuple[str, ...]:
        texts = [_encoded(task, review) + (PAD,) * n_pads for review in reviews]
        return tuple(_verdict(found.logits(text)[0], task) for text in texts)

    return answers


def _again_and_again(found: Specimen, task: Any) -> tuple[str, ...]:
    text = _encoded(task, DOUBTED)
    runs = instruments.Instrument(lambda one: np.stack([one.logits(text)[0] for _ in range(N_TIMES)])).reading(found)
    return tuple(_verdict(logits, task) for logits in runs)


def _alone_and_padded(found: Specimen, task: Any) -> tuple[str, ...]:
    text = _encoded(task, PADDED)
    return tuple(_verdict(found.logits(text + (PAD,) * n)[0], task) for n in (0, N_PADS))


def _alone_and_last(found: Specimen, task: Any) -> tuple[str, ...]:
    texts = _encoded(task, IN_COMPANY), *found.others
    alone, together = found.run(texts[0]), found.run(*texts[1:], texts[0])
    return tuple(_verdict(one.logits[-1, 0].numpy(), task) for one in (alone, together))


def _at_each_position(found: Specimen, task: Any) -> tuple[str, ...]:
    return (" ".join(task.source.label(int(token)).removeprefix("##") for token in found.logits().argmax(-1)),)


def _rows(found: Numbered, task: Any) -> tuple[str, ...]:
    read = [found.rows[found.number[word]] for word in found.words]
    return (_printed(" ".join(word.removeprefix("##") for word in read)),)


# ---- what can be counted -------------------------------------------------------------------------------------------


def _on_one_token(found: Specimen, task: Any) -> tuple[str, ...]:
    """The mean, over heads and over queries with a choice, of the largest attention weight."""
    weights = found.run().attention.decoder[0][0]  # (H, T, T)
    return (f"{100 * float(weights[:, 2:].amax(-1).mean()):.0f}% of its attention",)


def _distinct(found: Specimen, task: Any) -> tuple[str, ...]:
    distinct = {p for layer in found.model.stack.layers for p in layer.parameters()}
    return (f"{sum(p.numel() for p in distinct):,} numbers",)


def _trained_layers(found: Specimen, task: Any) -> tuple[str, ...]:
    shares = instruments.optimised(found)
    return (f"{int((shares > 0).sum())} of {len(shares)} layers",)


def _heard_layers(found: Specimen, task: Any) -> tuple[str, ...]:
    """How many layers the output depends on: those whose parameters the loss has a gradient by."""
    lengths = instruments.gradients(found)
    return (f"{int((lengths > 0).sum())} of {len(lengths)} layers",)


def _two_losses(found: Trained, task: Any) -> tuple[str, ...]:
    return tuple(f"{float(losses[-10:].mean()):.2f}" for losses in (found.reported, found.honest))


# ---- what stops ----------------------------------------------------------------------------------------------------


def _runs(act: Callable[[], object]) -> str:
    try:
        act()
    except RuntimeError as error:
        return f"RuntimeError: {str(error).splitlines()[0]}"
    return "runs"


def _of_two_lengths(found: Pair, task: Any) -> tuple[str, ...]:
    """What a sublayer finds is added to what the decoder has, first where both texts are as long."""
    n = min(found.x.shape[1], found.memory.shape[1])

    def added(x: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        with torch.inference_mode():
            return x + found.layer.look(x, memory)[0]  # type: ignore[operator]

    return (_runs(lambda: added(found.x[:, :n], found.memory[:, :n])), _runs(lambda: added(found.x, found.memory)))


def _in_half_precision(found: Any, task: Any) -> tuple[str, ...]:
    def run(dtype: torch.dtype) -> torch.Tensor:
        table = copy.deepcopy(found).to(dtype)
        width = table.table.shape[1]
        return torch.nn.Linear(width, width).to(dtype)(table(torch.zeros(1, 4, width, dtype=dtype)))

    return _runs(lambda: run(torch.float32)), _runs(lambda: run(torch.float16))


# ---- the exhibits --------------------------------------------------------------------------------------------------

_STORY = f"After “{_printed(museum.STORY)}” it writes"
_WRITES = Sign((_STORY,), _next_words)
_ON = "It was trained on the alphabet. After “c d e” it writes"

SIGNS: dict[str, Sign] = {
    "softmax-axis": _WRITES,
    "mask-off-by-one": Sign(tuple(f"After “… mia took the”, when “{rest}” follows" for rest in FUTURES), _guesses),
    "no-positions": Sign(tuple(f"“{review}”" for review in TURNED), _of_reviews(*TURNED), "sentiment"),
    "dropout-at-evaluation": Sign(
        (f"“{DOUBTED}”", "the same review again", "and once more"), _again_and_again, "sentiment"
    ),
    "padding-not-masked": Sign(
        (f"“{PADDED}”, alone", f"the same, with {N_PADS} columns of padding"), _alone_and_padded, "sentiment"
    ),
    "targets-not-shifted": Sign((_ON,), _letters),
    "numbered-from-1": Sign((f"Of “{_printed(museum.FIRST_SENTENCE)}”, the model reads",), _rows),
    "mask-after-softmax": _WRITES,
    "mask-inverted": Sign(
        tuple(f"“{review}”, padded" for review in TURNED), _of_reviews(*TURNED, n_pads=museum.N_PADS), "sentiment"
    ),
    "unscaled-scores": Sign(("Before any training, a query gives to a single token, on average",), _on_one_token),
    "empty-rows": Sign((f"After “{_printed(museum.FIRST_SENTENCE)}”, padded on the left, it writes",), _next_words),
    "heads-reshaped": _WRITES,
    "shared-layers": Sign(("In its four layers there are",), _distinct),
    "plain-list": Sign(("Training changes",), _trained_layers),
    "layers-not-chained": Sign(("Its output depends on",), _heard_layers),
    "no-residual": Sign(
        (f"Untrained, after each token of “{_printed(museum.FIRST_SENTENCE)}” it would say",), _at_each_position
    ),
    "norm-over-tokens": _WRITES,
    "position-of-the-text": Sign(
        (f"“{IN_COMPANY}”, alone", "the same, as the third in a batch"), _alone_and_last, "sentiment"
    ),
    "cache-position": Sign((f"After “{museum.LETTERS}” it writes, with a cache,",), _with_the_cache, "repeat"),
    "loss-with-padding": Sign(("The loss in the log", "The loss on letters alone"), _two_losses),
    "no-warm-up": Sign((_ON,), _letters),
    "wired-backwards": Sign(("Both sentences equally long", f"“{museum.SENTENCE}”"), _of_two_lengths),
    "table-left-behind": Sign(("In full precision", "In half precision"), _in_half_precision),
}
