"""What attention keeps of a text already read, so that one more token costs one token's work and not the whole text's.

A cache is handed down the call, as a tap is; the call reads it and adds to it what it has read. It belongs to the
caller and to one text (or one batch of them): nothing is stored on a module. Whoever wants to go on from one place in
two ways hands in a copy(), which shares all tensors and so costs nothing: they are never written to, only replaced.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor


class KeysValues:
    """The k and v of one attention, (B, Hkv, S, d_k) each, as they leave W_k and W_v; positions come in later."""

    __slots__ = ("k", "v")

    def __init__(self, k: Tensor | None = None, v: Tensor | None = None):
        self.k, self.v = k, v

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Self-attention: those of the new tokens join those of the tokens before. -> all of them"""
        if self.k is not None:
            k, v = torch.cat([self.k, k], dim=2), torch.cat([self.v, v], dim=2)
        self.k, self.v = k, v
        return k, v

    def once(self, keys_values: Callable[[Tensor], tuple[Tensor, Tensor]], memory: Tensor) -> tuple[Tensor, Tensor]:
        """Cross-attention: the memory stays what it is, so its k and v are worked out at the first token only."""
        if self.k is None:
            self.k, self.v = keys_values(memory)
        return self.k, self.v

    def copy(self) -> "KeysValues":
        return KeysValues(self.k, self.v)


class LayerCache:
    """What one layer keeps: of the text itself, and of the memory if the layer has cross-attention."""

    __slots__ = ("cross_attn", "self_attn")

    def __init__(self, self_attn: KeysValues | None = None, cross_attn: KeysValues | None = None):
        self.self_attn = KeysValues() if self_attn is None else self_attn
        self.cross_attn = KeysValues() if cross_attn is None else cross_attn


class Cache:
    """What a stack of decoder layers keeps; `length` tokens of the text have been read."""

    def __init__(self, n_layers: int):
        self.length = 0
        self.layers = [LayerCache() for _ in range(n_layers)]

    def copy(self) -> "Cache":
        """The same tensors in a cache of their own: the two may go on differently."""
        twin = Cache(0)
        twin.length = self.length
        twin.layers = [LayerCache(layer.self_attn.copy(), layer.cross_attn.copy()) for layer in self.layers]
        return twin

    def rows(self, rows: Tensor) -> "Cache":
        """The texts `rows` (whole numbers, any order, any number of times) of this batch, as a cache of their own.

        A memory of a single row serves every text, and stays one row.
        """
        twin = self.copy()
        for layer in twin.layers:
            for kept in (layer.self_attn, layer.cross_attn):
                if kept.k is not None and (kept is layer.self_attn or len(kept.k) > 1):
                    kept.k, kept.v = kept.k[rows], kept.v[rows]
        return twin

    def tensors(self) -> Iterator[Tensor]:
        """Every tensor held, layer by layer: k, v of the text, then k, v of the memory."""
        for layer in self.layers:
            for kept in (layer.self_attn, layer.cross_attn):
                if kept.k is not None:
                    yield from (kept.k, kept.v)

    @property
    def n_bytes(self) -> int:
        """Bytes held, counted on the tensors themselves: 2 L Hkv T d_k a text times the size of a number, and the
        same with S for T if there is a memory of S tokens."""
        return sum(tensor.numel() * tensor.element_size() for tensor in self.tensors())
