"""How well a decoder tells the stories of transformer/training/tasks/stories.py: beside the grammar itself."""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Generator, Tensor

from transformer.cache import Cache
from transformer.model import DecoderModel
from transformer.training.batches import Batch, collate, run
from transformer.training.tasks.stories import BOYS, COLOURS, GIRLS, PLACES, THINGS, WORDS, log_probability
from transformer.training.tasks.task import Example
from transformer.training.text import BOS, EOS, PAD

PRONOUNS = (("he", "she"), ("him", "her"))
FACTS = ((*BOYS, *GIRLS), THINGS, COLOURS, PLACES)


def story_scores(model: DecoderModel, tests: Sequence[Example], n_written: int = 500) -> dict[str, float | int]:
    """Card entries, on stories that were not trained on and on stories that the model draws by itself (seed 0)."""
    written = tell(model, n_written, Generator().manual_seed(0))
    n_grammatical = sum(log_probability(words) > -math.inf for words in written)
    return {
        "held-out stories": len(tests),
        "perplexity, a word": round(math.exp(nats(model, tests)), 4),
        "perplexity of the grammar itself": round(math.exp(floor(tests)), 4),
        "right pronouns": round(preferred(model, tests, PRONOUNS), 4),
        "right names, things, colours, places when told again": round(preferred(model, tests, FACTS, again=True), 4),
        "stories written by itself": n_written,
        "of these, stories that the grammar tells": round(n_grammatical / n_written, 4),
    }


def nats(model: DecoderModel, tests: Sequence[Example]) -> float:
    """Mean of -log p per token, <eos> included, in nats."""
    total = count = 0
    for batch, log_p in _read(model, tests):
        is_wanted = batch.wanted != PAD
        total -= log_p.gather(-1, batch.wanted[..., None])[..., 0][is_wanted].sum().item()
        count += is_wanted.sum().item()
    return total / count


def floor(tests: Sequence[Example]) -> float:
    """The same for the grammar, which knows how probable each story is: no model can do better in the long run."""
    total = -sum(log_probability(_words(example.target)) for example in tests)
    return total / sum(len(example.target) + 1 for example in tests)


def preferred(
    model: DecoderModel, tests: Sequence[Example], kinds: Sequence[Sequence[str]], *, again: bool = False
) -> float:
    """Where a word of one of these kinds stands: how often it is likelier than all others of its kind.

    again=True: only where the story says it for the second time, so that looking back tells it.
    """
    ids = [[WORDS.vocabulary.id(word) for word in kind] for kind in kinds]
    kind_of = {id: kind for kind in ids for id in kind}
    right = count = 0
    for start, (batch, log_p) in zip(range(0, len(tests), 256), _read(model, tests), strict=True):
        for row, example in enumerate(tests[start : start + 256]):
            repeats = {place for place, _ in example.alignment}
            for place, id in enumerate(example.target):
                if id in kind_of and (not again or place in repeats):
                    kind = kind_of[id]
                    right += kind[int(log_p[row, place, kind].argmax())] == id
                    count += 1
        del batch
    return right / count


@torch.inference_mode()
def tell(model: DecoderModel, n: int, generator: Generator, most: int = 64) -> list[list[str]]:
    """n stories sampled from the model, as words; at most `most` words each."""
    cache, new = Cache(len(model.decoder.layers)), torch.full((n, 1), BOS)
    rows = [new]
    for _ in range(most):
        logits = model(new, cache=cache).logits[:, -1]
        new = torch.multinomial(logits.softmax(-1), 1, generator=generator)
        rows.append(new)
    texts = torch.cat(rows[1:], dim=1).tolist()
    return [_words(ids[: ids.index(EOS)]) if EOS in ids else [] for ids in texts]


def _words(ids: Sequence[int]) -> list[str]:
    return [WORDS.vocabulary[id] for id in ids]


@torch.inference_mode()
def _read(model: DecoderModel, tests: Sequence[Example]) -> Iterator[tuple[Batch, Tensor]]:
    for start in range(0, len(tests), 256):
        batch = collate("decoder", tests[start : start + 256])
        yield batch, run(model, batch).logits.log_softmax(-1)
