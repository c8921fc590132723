"""Every hyperparameter of a model, in one frozen dataclass that checks itself."""

from dataclasses import dataclass, fields
from typing import Any, Literal

from transformer.checks import InputError, check_choice, check_flag, check_heads, check_number, check_whole

Kind = Literal["encoder", "decoder", "encoder-decoder"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "encoder-decoder")
POSITION_SCHEMES = ("none", "sinusoidal", "learned", "rotary", "relative", "alibi")
NORMS = ("pre", "post")
ACTIVATIONS = ("relu", "gelu")
# A field may be given as None; it is derived from other fields then, and is an int to all who read it.
DERIVED: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerConfig:
    """The shape of a Transformer; "Attention Is All You Need" (2017), Table 3, with what came later.

    Frozen and hashable, so it can key a cache. Every rule is checked when the config is made; a broken one raises
    InputError with a sentence that says what to try instead. A field given as None is derived then and stored, so
    dataclasses.replace() carries it over: pass None again for a field that is to follow a changed d_model or n_heads.

    vocab_size, tgt_vocab_size   tokens known on the source and the target side (None: the same)
    d_model, n_heads             width of the stream, and the number of heads it is split into
    n_kv_heads                   key/value heads, shared by groups of query heads (None: one each; 1: multi-query)
    d_ff                         width of the feed-forward layer (None: 4 d_model)
    n_encoder_layers, n_decoder_layers
    positions, base              one of POSITION_SCHEMES; the base of sinusoidal and rotary wavelengths
    max_len                      rows of the learned position table (the other schemes have no limit)
    n_buckets, max_distance      of the T5 relative scheme
    norm, activation, bias       "pre" or "post"; "relu" or "gelu"; bias terms in the linear maps
    scaled                       divide scores by sqrt(d_k)
    scale_embeddings             multiply token vectors by sqrt(d_model)
    tie_output, tie_source       output map = target embedding; source embedding = target embedding
    dropout, norm_eps
    """

    vocab_size: int = 1000
    tgt_vocab_size: int = DERIVED
    d_model: int = 64
    n_heads: int = 4
    n_kv_heads: int = DERIVED
    d_ff: int = DERIVED
    n_encoder_layers: int = 2
    n_decoder_layers: int = 2
    positions: str = "sinusoidal"
    base: float = 10_000.0
    max_len: int = 512
    n_buckets: int = 32
    max_distance: int = 128
    norm: str = "pre"
    activation: str = "relu"
    bias: bool = True
    scaled: bool = True
    scale_embeddings: bool = True
    tie_output: bool = True
    tie_source: bool = False
    dropout: float = 0.0
    norm_eps: float = 1e-5

    def __post_init__(self) -> None:
        self._derive()
        for name in ("vocab_size", "tgt_vocab_size", "d_model", "n_heads", "n_kv_heads", "d_ff", "max_len"):
            check_whole(name, getattr(self, name))
        for name in ("n_encoder_layers", "n_decoder_layers"):
            check_whole(name, getattr(self, name), least=0)
        for field in fields(self):
            if isinstance(field.default, bool):
                check_flag(field.name, getattr(self, field.name))
        check_choice("positions", self.positions, POSITION_SCHEMES)
        check_choice("norm", self.norm, NORMS)
        check_choice("activation", self.activation, ACTIVATIONS)
        check_number("base", self.base, lambda b: b > 1, "a number above 1, such as 10000")
        check_number("dropout", self.dropout, lambda p: 0 <= p < 1, "at least 0 and below 1, such as 0.1")
        check_number("norm_eps", self.norm_eps, lambda e: e > 0, "a small number above 0, such as 1e-5")
        check_heads(self.d_model, self.n_heads, self.n_kv_heads)
        if self.positions == "relative":
            self._check_buckets()
        if self.tie_source and self.vocab_size != self.tgt_vocab_size:
            raise InputError(
                f"one embedding cannot serve {self.vocab_size} source and {self.tgt_vocab_size} target tokens;"
                " make the two vocabularies the same size, or set tie_source=False"
            )

    def _derive(self) -> None:
        """Put numbers in the place of None. They are stored, so that two equal models are equal keys."""
        for name, source in (("tgt_vocab_size", "vocab_size"), ("n_kv_heads", "n_heads")):
            if getattr(self, name) is None:
                object.__setattr__(self, name, getattr(self, source))
        if self.d_ff is None and isinstance(self.d_model, int):
            object.__setattr__(self, "d_ff", 4 * self.d_model)

    def _check_buckets(self) -> None:
        check_whole("n_buckets", self.n_buckets, least=4)
        check_whole("max_distance", self.max_distance, least=2)
        if self.n_buckets % 2:
            raise InputError(f"n_buckets={self.n_buckets} must be even: half look back, half look ahead")
        if self.max_distance <= self.n_buckets // 2:
            raise InputError(f"max_distance={self.max_distance} must be above {self.n_buckets // 2}, half of n_buckets")

    @property
    def d_k(self) -> int:
        """Width of one head: d_model / n_heads."""
        return self.d_model // self.n_heads


PRESETS = {
    # Small enough to read every number of.
    "tiny": TransformerConfig(d_model=16, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, vocab_size=64),
    # What the pages open on.
    "classroom": TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=3, n_decoder_layers=3, vocab_size=4096),
    # Table 3, row "base": 6 + 6 layers, 8 heads, post-norm, one vocabulary of 37,000 shared everywhere.
    "paper_base": TransformerConfig(
        d_model=512, n_heads=8, d_ff=2048, n_encoder_layers=6, n_decoder_layers=6, vocab_size=37_000,
        norm="post", dropout=0.1, tie_source=True,
    ),
}  # fmt: skip
