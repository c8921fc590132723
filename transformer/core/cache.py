"""The KV cache: keys and values of a text already read, so that one more token costs one token's work.

A cache is handed down the call, as a tap is; the call reads it and adds the keys and values of the new tokens. It
belongs to the caller and to one text (or one batch of texts): nothing is stored on a module. To go on from one place
in two ways, hand in a copy(), which shares all tensors and so costs nothing: they are never written to, only replaced.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor


class KeysValues:
    """The k and v of one attention, (B, Hkv, S, d_k) each, as they leave W_k and W_v; positions come in later."""

    __slots__ = ("k", "v")

    def __init__(self, k: Tensor | None = None, v: Tensor | None = None) -> None:
        self.k, self.v = k, v

    def extend_or_reuse(
        self, keys_values: Callable[[Tensor], tuple[Tensor, Tensor]], x: Tensor, memory: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The keys and values that the queries of x meet, held here from now on.

        Self-attention (memory is None): those of the tokens before, extended by those of the new tokens x (B, T, D).
        Cross-attention: those of memory (B, S, D), computed at the first call and reused after it, for the memory of
        a text does not change.
        """
        if memory is None:
            k, v = keys_values(x)
            if self.k is not None and self.v is not None:
                k, v = torch.cat([self.k, k], dim=2), torch.cat([self.v, v], dim=2)
        elif self.k is not None and self.v is not None:
            return self.k, self.v
        else:
            k, v = keys_values(memory)
        self.k, self.v = k, v
        return k, v

    def copy(self) -> "KeysValues":
        """The same tensors, in an object of their own."""
        return KeysValues(self.k, self.v)


class LayerCache:
    """The cache of one layer: of the text itself, and of the memory if the layer has cross-attention."""

    __slots__ = ("cross_attn", "self_attn")

    def __init__(self, self_attn: KeysValues | None = None, cross_attn: KeysValues | None = None) -> None:
        self.self_attn = KeysValues() if self_attn is None else self_attn
        self.cross_attn = KeysValues() if cross_attn is None else cross_attn


class Cache:
    """The cache of a stack of decoder layers; `length` tokens of the text have been read."""

    def __init__(self, n_layers: int) -> None:
        self.length = 0
        self.layers = [LayerCache() for _ in range(n_layers)]

    def at(self, path: str) -> KeysValues:
        """The keys and values of the attention at this path, "decoder.1.cross_attn" say: as taps name it."""
        *_, layer, attention = path.split(".")
        pair = self.layers[int(layer)]
        return pair.cross_attn if attention == "cross_attn" else pair.self_attn

    def copy(self) -> "Cache":
        """The same tensors in a cache of its own: the two may go on differently."""
        twin = Cache(0)
        twin.length = self.length
        twin.layers = [LayerCache(layer.self_attn.copy(), layer.cross_attn.copy()) for layer in self.layers]
        return twin

    def become(self, other: "Cache") -> None:
        """Hold what the other cache holds."""
        self.length, self.layers = other.length, other.layers

    def select(self, rows: Tensor) -> "Cache":
        """The texts `rows` (whole numbers, in any order, any number of times) of this batch, as a cache of its own.

        A memory with a single row serves every text, and stays one row.
        """
        twin = self.copy()
        for layer in twin.layers:
            for pair in (layer.self_attn, layer.cross_attn):
                if pair.k is not None and pair.v is not None and (pair is layer.self_attn or len(pair.k) > 1):
                    pair.k, pair.v = pair.k[rows], pair.v[rows]
        return twin

    def tensors(self) -> Iterator[Tensor]:
        """Every tensor held, layer by layer: k, v of the text, then k, v of the memory."""
        for layer in self.layers:
            for pair in (layer.self_attn, layer.cross_attn):
                if pair.k is not None and pair.v is not None:
                    yield from (pair.k, pair.v)

    @property
    def n_bytes(self) -> int:
        """Bytes held, counted on the tensors themselves: 2 L Hkv T d_k per text times the size of a number, and the
        same with S for T if there is a memory of S tokens."""
        return sum(tensor.numel() * tensor.element_size() for tensor in self.tensors())
