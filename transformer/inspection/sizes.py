"""How many parameters a decoder has, part by part, counted from its configuration alone: no model need be built.

GPT2 is the smallest model of Radford et al. 2019, 124,439,808 parameters; GPT3 is the largest of Brown et al. 2020,
Table 2.1, which rounds to 175.0 billion.
"""

from typing import NamedTuple

from transformer.core.config import TransformerConfig

_GPT = {"positions": "learned", "activation": "gelu", "scale_embeddings": False, "output_bias": False}
GPT2 = TransformerConfig(vocab_size=50_257, d_model=768, n_heads=12, n_decoder_layers=12, max_len=1024, **_GPT)
GPT3 = TransformerConfig(vocab_size=50_257, d_model=12_288, n_heads=96, n_decoder_layers=96, max_len=2048, **_GPT)


class Size(NamedTuple):
    """The parameters of a decoder: its tables (tokens, positions, output), attention, feed-forward layers and norms."""

    tables: int
    attention: int
    feed_forward: int
    norms: int

    @property
    def total(self) -> int:
        return sum(self)


def decoder_size(config: TransformerConfig) -> Size:
    """The parameters of a decoder alone, such as GPT, with this configuration.

    Per layer: W_q and W_o of D x (H d_k), W_k and W_v of D x (H_kv d_k), two matrices of D x F (three with a gate) per
    expert, a router of D x E where there are several, two norms, and two of d_k where heads have their own; and their
    biases, where the configuration has them.
    """
    D, F, L = config.d_model, config.d_ff, config.n_decoder_layers
    d_q, d_kv = config.n_heads * config.d_k, config.n_kv_heads * config.d_k
    attention = 2 * D * (d_q + d_kv) + config.has_bias("qkv") * (d_q + 2 * d_kv) + config.has_bias("o") * D
    attention += config.head_norm * 2 * config.d_k
    maps, E = config.n_ff_matrices, config.n_experts
    expert = maps * D * F + (config.has_bias("ff") and maps > 0) * ((maps - 1) * F + D)
    feed_forward = E * expert + (E > 1) * D * E
    norm = D * {"layer": 1 + config.norm_bias, "rms": 1, "none": 0}[config.norm_kind]
    n_norms = L * (1 + config.has_feed_forward) + config.has_final_norm + config.embedding_norm
    positions = {"learned": config.max_len * D, "relative": config.n_buckets * config.n_heads}
    tables = (1 if config.tie_output else 2) * config.vocab_size * D + positions.get(config.positions, 0)
    tables += config.has_bias("output") * config.vocab_size
    return Size(tables, L * attention, L * feed_forward, n_norms * norm)
