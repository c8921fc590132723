"""Many texts at once, each greedily: for measuring how often a model is right."""

from collections.abc import Sequence

import torch
from torch import Tensor

from transformer.core.cache import Cache
from transformer.core.checks import InputError, check_whole
from transformer.core.model import DecoderModel, Transformer
from transformer.core.taps import Tap, no_tap
from transformer.generation.decoding import Model, Source, check_ready, check_room, read


def greedy_batch(
    model: Transformer,
    src: Tensor,
    src_mask: Tensor | None,
    max_new: int,
    bos: int,
    eos: int,
    pad: int,
    *,
    tap: Tap = no_tap,
) -> Tensor:
    """src (B, S), src_mask (B, 1, 1, S) or None -> the model's output for each, (B, T), T at most max_new.

    A row is without `bos`, ends on `eos` if it came within max_new tokens, and is filled up with `pad`.
    """
    check_ready(model)
    if len(src) == 0:
        raise InputError("give at least one sentence")
    with torch.inference_mode():
        memory, _ = model.encode(src, src_mask, tap=tap)
    prompts = torch.full((len(src), 1), bos, device=src.device)
    return _greedy(model, prompts, [1] * len(src), Source(memory, src_mask, []), max_new, eos, pad, tap)


def greedy_prompts(
    model: DecoderModel, prompts: Sequence[Sequence[int]], max_new: int, eos: int | None, pad: int
) -> Tensor:
    """Continue prompts of any lengths -> (B, T): the tokens after each prompt, to `eos` or max_new tokens, then `pad`.

    All texts are read in step from their first token; while a longer prompt lasts, its own tokens are read instead of
    the model's. So there is no padding inside a text, and every token stands at its true position.
    """
    check_ready(model)
    lengths = [len(prompt) for prompt in prompts]
    if not lengths or min(lengths) == 0:
        raise InputError("give at least one prompt, and in every prompt at least one token")
    table = torch.full((len(prompts), max(lengths)), pad)
    for row, prompt in zip(table, prompts, strict=True):
        row[: len(prompt)] = torch.as_tensor(prompt)
    table = table.to(model.decoder.embedding.weight.device)
    return _greedy(model, table, lengths, None, max_new, eos, pad)


@torch.inference_mode()
def sample_batch(
    model: DecoderModel,
    prompt: Sequence[int],
    n: int,
    n_new: int,
    generator: torch.Generator,
    *,
    temperature: float = 1.0,
    eos: int | None = None,
) -> Tensor:
    """n_new tokens after a prompt, n times, each drawn from softmax(logits / temperature): (n, n_new).

    With `eos`, a text that has ended is not read on but filled up with it; the others are the same as without. Without,
    whatever follows an <eos> is to be cut off.
    """
    check_ready(model)
    check_room(model, len(prompt), n_new)
    cache, new = Cache(len(model.decoder.layers)), torch.tensor([list(prompt)] * n)
    out, rows = torch.full((n, n_new), 0 if eos is None else eos), torch.arange(n)  # rows: texts that go on
    for t in range(n_new):
        logits = model(new, cache=cache).logits[:, -1]  # (b, V)
        # As torch.multinomial draws: the first of V clocks that rings. Each text has clocks of its own, however many
        # others are still written, and keeps them at any temperature.
        rings = torch.empty(n, logits.size(-1)).exponential_(generator=generator)[rows]
        chosen = ((logits / temperature).softmax(-1) / rings).argmax(-1)
        out[rows, t] = chosen
        stay = (chosen != eos).nonzero()[:, 0] if eos is not None else rows
        if len(stay) == 0:
            break
        if len(stay) < len(rows):
            rows, chosen, cache = rows[stay], chosen[stay], cache.select(stay)
        new = chosen[:, None]
    return out


@torch.inference_mode()
def _greedy(
    model: Model,
    prompts: Tensor,
    lengths: list[int],
    source: Source | None,
    max_new: int,
    eos: int | None,
    pad: int,
    tap: Tap = no_tap,
) -> Tensor:
    """prompts (B, P), of which row b has lengths[b] tokens -> new tokens (B, T)."""
    check_whole("max_new", max_new)
    check_room(model, max(lengths), max_new)
    B, P = prompts.shape
    out = torch.full((B, max_new), pad, device=prompts.device)
    n_prompt = torch.tensor(lengths, device=prompts.device)
    rows = torch.arange(B, device=prompts.device)  # the texts that are still being written
    cache, width = Cache(len(model.decoder.layers)), 0
    new, t = prompts[:, : min(lengths)], min(lengths)  # t tokens of every text are known
    while True:
        chosen = read(model, new, source, cache, tap).logits.argmax(-1)  # (b,)
        index = t - n_prompt[rows]  # which new token it is; below 0 the prompt still lasts
        if t < P:
            chosen = torch.where(index < 0, prompts[rows, t], chosen)
        writing, width = index >= 0, max(width, int(index.max()) + 1)
        out[rows[writing], index[writing]] = chosen[writing]
        going = ~writing | (index < max_new - 1)
        if eos is not None:
            going &= ~(writing & (chosen == eos))
        t += 1
        if not going.all():  # finished texts are dropped from the batch
            stay = going.nonzero()[:, 0]
            if len(stay) == 0:
                break
            rows, chosen, cache = rows[stay], chosen[stay], cache.select(stay)
            source = source and source.select(stay)
        new = chosen[:, None]
    return out[:, :width]
