"""How well a decoder writes texts of a grammar, beside the grammar itself."""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Generator, Tensor

from transformer.core.model import DecoderModel
from transformer.generation.batch import sample_batch
from transformer.training.batches import Batch, collate, forward_batch
from transformer.training.tasks.task import Example
from transformer.training.text import BOS, EOS, PAD

BATCH_SIZE = 256


def cross_entropy(model: DecoderModel, tests: Sequence[Example]) -> float:
    """The mean of -log p per token of the targets, <eos> included, in nats."""
    total = count = 0.0
    for batch, log_p in _predictions(model, tests):
        has_target = batch.wanted != PAD
        total -= log_p.gather(-1, batch.wanted[..., None])[..., 0][has_target].sum().item()
        count += has_target.sum().item()
    return total / count


def grammar_entropy(tests: Sequence[Example], log_probability: Callable[[Sequence[int]], float]) -> float:
    """The same for the grammar, which knows how probable each text is: no model can do better in the long run.

    log_probability  of a whole target, in nats
    """
    total = -sum(log_probability(example.target) for example in tests)
    return total / sum(len(example.target) + 1 for example in tests)


def ranked_first(
    model: DecoderModel, tests: Sequence[Example], kinds: Sequence[Sequence[int]], *, repeated: bool = False
) -> float:
    """The share of the tokens of these kinds that the model ranks above all others of their kind.

    repeated=True: of those only that repeat a fact of the text, so that looking back gives them away.
    """
    kind_of = {id: list(kind) for kind in kinds for id in kind}
    right = count = 0
    starts = range(0, len(tests), BATCH_SIZE)
    for start, (_, log_p) in zip(starts, _predictions(model, tests), strict=True):
        for row, example in enumerate(tests[start : start + BATCH_SIZE]):
            repeats = {position for position, _ in example.alignment}
            for position, id in enumerate(example.target):
                if id in kind_of and (not repeated or position in repeats):
                    kind = kind_of[id]
                    right += kind[int(log_p[row, position, kind].argmax())] == id
                    count += 1
    return right / count


def sample_texts(model: DecoderModel, n: int, generator: Generator, max_tokens: int = 64) -> list[list[int]]:
    """n texts drawn from the model, in ids without <eos>; empty where max_tokens were not enough for one."""
    texts = sample_batch(model, [BOS], n, max_tokens, generator).tolist()
    return [ids[: ids.index(EOS)] if EOS in ids else [] for ids in texts]


@torch.inference_mode()
def _predictions(model: DecoderModel, tests: Sequence[Example]) -> Iterator[tuple[Batch, Tensor]]:
    """Batches of the tests, each with the logarithms of the predicted probabilities (B, T, V)."""
    for start in range(0, len(tests), BATCH_SIZE):
        batch = collate("decoder", tests[start : start + BATCH_SIZE])
        yield batch, forward_batch(model, batch).logits.log_softmax(-1)
