"""Recurrent networks, which read text before attention did: one state passes from token to token."""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Generator, Tensor, nn

from transformer.core.context import one_call
from transformer.core.embeddings import TokenEmbedding
from transformer.core.model import Attention, Output
from transformer.core.taps import Tap, no_tap

Cell = Literal["tanh", "LSTM", "GRU"]


class _Empty(nn.RNNBase):
    """A recurrent layer without its own first weights, which torch would draw from the generator of all threads."""

    def reset_parameters(self) -> None:
        pass


class _Tanh(_Empty, nn.RNN):
    pass


class _Lstm(_Empty, nn.LSTM):
    pass


class _Gru(_Empty, nn.GRU):
    pass


_LAYERS: dict[Cell, Callable[..., nn.RNNBase]] = {"tanh": _Tanh, "LSTM": _Lstm, "GRU": _Gru}


def recurrent_layer(cell: Cell, width: int, generator: Generator | None = None) -> nn.RNNBase:
    """torch's own layer (B, T, D) -> (B, T, D), with the first weights that are known to help memory.

    tanh   h_t = tanh(W x_t + b + U h_(t-1) + c) (Elman 1990)
    LSTM   a second state that gates add to and forget from (Hochreiter and Schmidhuber 1997)
    GRU    two gates and one state (Cho et al. 2014)

    Each U begins orthogonal, so that at first it neither shrinks nor stretches what it passes on (Saxe et al. 2014); an
    LSTM begins with a forget gate that is open, its bias 1 (Jozefowicz et al. 2015). W is Xavier-uniform, biases are 0.
    """
    layer = _LAYERS[cell](width, width, batch_first=True)
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            if "bias" in name:
                parameter.zero_()
                continue
            for gate in parameter.split(width):
                if "weight_hh" in name:
                    nn.init.orthogonal_(gate, generator=generator)
                else:
                    nn.init.xavier_uniform_(gate, generator=generator)
        if cell == "LSTM":
            layer.get_parameter("bias_ih_l0")[width : 2 * width] = 1.0  # of input, forget, cell, output
    return layer


class RecurrentModel(nn.Module):
    """A language model with one recurrent layer where a Transformer has attention: reads a text, predicts the next.

    Embedding and output are those of the project's decoders: one table, used twice.
    """

    def __init__(self, cell: Cell, vocab_size: int, width: int, generator: Generator | None = None) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(vocab_size, width, generator=generator)
        self.layer = recurrent_layer(cell, width, generator)

    def forward(self, ids: Tensor, *, tap: Tap = no_tap) -> Output:
        """ids (B, T) -> Output with logits (B, T, V) and no attention weights. Taps: embedded, out."""
        with one_call(tap) as ctx:
            x = ctx.tap("embedded", self.embedding(ids))
            out, _ = self.layer(x)
            return Output(self.embedding.logits(ctx.tap("out", out)), Attention([], [], []))
