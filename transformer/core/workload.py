"""What a computation takes, worked out from sizes before anything is computed: memory, and time on one processor.

The estimates are there to choose by: what can pass at once, what has to wait, and what cannot be done. They are tested
against what torch allocates and counts. Nothing here needs torch.
"""

from dataclasses import dataclass, replace

from transformer.core.config import TransformerConfig

FLOAT = 4  # bytes
MULTIPLICATIONS_PER_SECOND = 5e9  # in large matrices, of one slow processor
CELLS_PER_SECOND = 8e7  # of attention maps: scaled, masked, softmaxed, scored
_MAPS_AT_ONCE = 4  # of one layer: scores, masked scores, their softmax, and the weights
ADVICE = "A shorter text, fewer heads or fewer layers need less."


@dataclass(frozen=True)
class Workload:
    """What a computation takes.

    n_bytes          the most memory that it holds at a time
    multiplications  in products of matrices
    n_cells          of all attention maps that it makes
    advice           a sentence: which setting to lower where it is too much
    is_timed         its own time is measured, so nothing large may run beside it
    """

    n_bytes: int
    multiplications: int = 0
    n_cells: int = 0
    advice: str = ADVICE
    is_timed: bool = False

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return self.multiplications / MULTIPLICATIONS_PER_SECOND + self.n_cells / CELLS_PER_SECOND

    def __add__(self, other: "Workload") -> "Workload":
        """First the one, then the other."""
        return replace(
            self,
            n_bytes=max(self.n_bytes, other.n_bytes),
            multiplications=self.multiplications + other.multiplications,
            n_cells=self.n_cells + other.n_cells,
        )

    def __mul__(self, n: int) -> "Workload":
        """The same n times, one after the other."""
        return replace(self, multiplications=n * self.multiplications, n_cells=n * self.n_cells)

    def advised(self, advice: str) -> "Workload":
        """The same, with another setting to lower."""
        return replace(self, advice=advice)

    def keeping(self, n_bytes: int) -> "Workload":
        """The same, with so many bytes more in memory all the while."""
        return replace(self, n_bytes=self.n_bytes + n_bytes)


def parameters(config: TransformerConfig, n_layers: int) -> int:
    """About how many parameters a stack of n_layers has, with the table of its embeddings."""
    D, F = config.d_model, config.d_ff
    d_q, d_kv = config.n_heads * config.d_k, config.n_kv_heads * config.d_k
    matrices = 2 * D * (d_q + d_kv) + config.n_experts * config.n_ff_matrices * D * F
    vectors = 6 * D + d_q + config.n_experts * F + 2 * d_kv  # biases, norms
    return n_layers * (matrices + vectors) + config.vocab_size * D


def _n_maps(config: TransformerConfig) -> int:
    """Matrices of the feed-forward layers that a token goes through."""
    return config.n_ff_matrices * config.top_k


def one_pass(
    config: TransformerConfig, T: int, n_layers: int, *, B: int = 1, keeps_maps: bool = False, has_logits: bool = True
) -> Workload:
    """One forward pass of an encoder or a decoder over B texts of T tokens, without gradients; its parameters count.

    keeps_maps  as a model does by itself: the weights of all layers are held until its end
    has_logits  False: it ends with the stream
    """
    D, F, H, V = config.d_model, config.d_ff, config.n_heads, config.vocab_size
    d_q, d_kv = H * config.d_k, config.n_kv_heads * config.d_k
    maps = B * H * T * T  # cells of one layer
    stream = B * T * D
    # x, what goes into a sublayer and out of it; q, k, v, heads; the hidden layer
    streams = 3 * stream + 5 * B * T * d_q + _n_maps(config) * B * T * F
    logits = B * T * V if has_logits else 0
    n_floats = parameters(config, n_layers) + max(_MAPS_AT_ONCE * maps + streams, 2 * logits + stream)
    if keeps_maps:
        n_floats += (n_layers - 1) * maps
    products = 2 * T * D * (d_q + d_kv) + 2 * T * T * d_q + _n_maps(config) * T * D * F
    return Workload(FLOAT * n_floats, B * n_layers * products + logits * D, n_layers * maps)


def training_pass(config: TransformerConfig, T: int, n_layers: int) -> Workload:
    """One pass forward and back: everything on the way is kept, and twice as much is multiplied on the way back."""
    forward = one_pass(config, T, n_layers, keeps_maps=True)
    D, F, H = config.d_model, config.d_ff, config.n_heads
    kept = n_layers * (3 * H * T * T + 7 * T * D + 5 * T * H * config.d_k + _n_maps(config) * T * F)
    return replace(
        forward.keeping(FLOAT * (kept + 2 * T * config.vocab_size)),
        multiplications=3 * forward.multiplications,
        n_cells=3 * forward.n_cells,
    )


def writing(config: TransformerConfig, S: int, n_new: int, *, B: int = 1) -> Workload:
    """An encoder-decoder that reads B texts of S tokens and writes n_new tokens to each, with a cache."""
    D, F, V = config.d_model, config.d_ff, config.tgt_vocab_size
    L = config.n_decoder_layers
    d_q = config.n_heads * config.d_k
    # Multiplications of a token.
    step = L * (8 * D * d_q + _n_maps(config) * D * F + 2 * (S + n_new) * d_q) + V * D
    reading = one_pass(config, S, config.n_encoder_layers, B=B, keeps_maps=True, has_logits=False)
    cache = 2 * L * B * (S + n_new) * d_q
    maps = L * B * config.n_heads * n_new * (S + n_new)
    n_floats = parameters(config, 2 * L) + V * D + cache + maps + 3 * B * V
    return reading.keeping(FLOAT * n_floats) + Workload(0, B * n_new * step, maps)
