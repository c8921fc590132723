"""Every hyperparameter of a model, in one frozen dataclass that checks itself."""

from dataclasses import dataclass, fields
from typing import Any, Literal

from transformer.core.checks import InputError, check_choice, check_flag, check_heads, check_number, check_whole

Kind = Literal["encoder", "decoder", "encoder-decoder"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "encoder-decoder")
POSITION_SCHEMES = ("none", "sinusoidal", "learned", "rotary", "relative", "alibi")
NORMS = ("pre", "post")
NORM_KINDS = ("layer", "rms", "none")
ATTENTIONS = ("softmax", "linear")
PATTERNS = ("near", "dilated", "global", "blocks")
ACTIVATIONS = ("relu", "gelu", "gelu_tanh", "silu")
PAIRINGS = ("interleaved", "half")
ROTARY_SCALINGS = ("none", "linear", "ntk", "llama3", "yarn")
BiasPart = Literal["qkv", "o", "ff", "output"]
# A field may be given as None; it is derived from other fields then, and is an int to all who read it.
DERIVED: Any = None
_CHOICES = {
    "positions": POSITION_SCHEMES,
    "norm": NORMS,
    "norm_kind": NORM_KINDS,
    "attention": ATTENTIONS,
    "pattern": PATTERNS,
    "activation": ACTIVATIONS,
    "pairing": PAIRINGS,
    "rotary_scaling": ROTARY_SCALINGS,
}
_FLAGS_OR_NONE = ("qkv_bias", "o_bias", "ff_bias", "output_bias", "final_norm")


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
    norm, activation, bias       "pre" or "post"; one of ACTIVATIONS; bias terms in the linear maps
    scaled                       divide scores by sqrt(d_k)
    scale_embeddings             multiply token vectors by sqrt(d_model)
    tie_output, tie_source       output map = target embedding; source embedding = target embedding
    dropout, norm_eps

    What later models changed; the defaults leave the model of the paper as it is.

    head_width                   d_k, where it is not d_model / n_heads (T5, some Llamas)
    qkv_bias, o_bias, ff_bias    bias terms by part (None: as `bias` says)
    output_bias                  bias terms of the logits (None: as `bias` says, and none where the output is tied)
    norm_kind, norm_bias         "layer", "rms" (Llama, T5) or "none"; layer norm without its bias
    gated                        a feed-forward layer with a gate: SwiGLU with "silu", GeGLU with "gelu"
    parallel                     all sublayers of a layer read the same stream (GPT-NeoX); pre-norm only
    final_norm                   a norm that closes each stack (None: with pre-norm only)
    embedding_norm               a norm between the embeddings and the first layer (BERT, BART)
    n_segments                   rows of a segment table, which tells two texts apart (BERT); 0: none
    position_offset              rows of the learned table before that of the first token (RoBERTa, BART: 2)
    pairing, rotary_share        which features rotary positions turn together; the share of each head that turns
    rotary_scaling, rotary_factor  "linear" stretches all wavelengths by this factor, "ntk" the longest by it and the
                                 shortest not at all, as a larger base does, "llama3" only the long ones:
    rotary_len, rotary_low, rotary_high  in full from rotary_len / rotary_low on, not at all below
                                 rotary_len / rotary_high. "yarn": the same by pairs of features, between two of them
    rotary_gain                  rotated features are multiplied by this, as YaRN does
    head_norm                    an RMSNorm of q and k in each head, before positions rotate them (Qwen3)
    window, window_layers        self-attention looks fewer than `window` positions far, in these layers (None: in all)
    output_transform             Linear, activation and norm before the logits (BERT's masked-token head)
    output_scale                 the stream is multiplied by this before the logits (T5: 1 / sqrt(d_model))
    image_size, patch_size       the encoder reads square images in place of tokens: sides in pixels (None: tokens)
    n_channels, distilled        colours of a pixel; a second token without a patch, beside the class token (DeiT)
    predicts                     False: trained without logits, so those of a tied output are only a comparison of the
                                 stream with the token vectors, and no prediction
    has_feed_forward             False: layers of attention alone
    n_experts, top_k             feed-forward layers side by side, and how many of them a router picks for each token
    balance                      how much the experts' balance counts in the loss of a training
    attention                    "softmax", or "linear": another similarity, which needs no table of all pairs
    pattern                      which cells a window leaves open, see transformer.core.variants: "near", "dilated",
                                 "global" (with the first token), "blocks" (of `window` tokens)
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
    head_width: int | None = None
    qkv_bias: bool | None = None
    o_bias: bool | None = None
    ff_bias: bool | None = None
    output_bias: bool | None = None
    norm_kind: str = "layer"
    norm_bias: bool = True
    gated: bool = False
    parallel: bool = False
    final_norm: bool | None = None
    embedding_norm: bool = False
    n_segments: int = 0
    position_offset: int = 0
    pairing: str = "interleaved"
    rotary_share: float = 1.0
    rotary_scaling: str = "none"
    rotary_factor: float = 1.0
    rotary_low: float = 1.0
    rotary_high: float = 4.0
    rotary_len: int = 8192
    window: int | None = None
    window_layers: tuple[int, ...] | None = None
    output_transform: bool = False
    output_scale: float = 1.0
    image_size: int | None = None
    patch_size: int = 16
    n_channels: int = 3
    distilled: bool = False
    predicts: bool = True
    has_feed_forward: bool = True
    n_experts: int = 1
    top_k: int = 1
    balance: float = 0.01
    attention: str = "softmax"
    pattern: str = "near"
    rotary_gain: float = 1.0
    head_norm: bool = False

    def __post_init__(self) -> None:
        self._derive()
        for name in (
            "vocab_size",
            "tgt_vocab_size",
            "d_model",
            "n_heads",
            "n_kv_heads",
            "d_ff",
            "max_len",
            "patch_size",
            "n_channels",
            "n_experts",
            "top_k",
        ):
            check_whole(name, getattr(self, name))
        for name in ("n_encoder_layers", "n_decoder_layers", "n_segments", "position_offset"):
            check_whole(name, getattr(self, name), least=0)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, bool) or (field.name in _FLAGS_OR_NONE and value is not None):
                check_flag(field.name, value)
        for name, choices in _CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        check_number("base", self.base, lambda b: b > 1, "a number above 1, such as 10000")
        check_number("dropout", self.dropout, lambda p: 0 <= p < 1, "at least 0 and below 1, such as 0.1")
        check_number("norm_eps", self.norm_eps, lambda e: e > 0, "a small number above 0, such as 1e-5")
        check_number("balance", self.balance, lambda b: b >= 0, "at least 0, such as 0.01")
        check_number("output_scale", self.output_scale, lambda s: s > 0, "a number above 0; 1 changes nothing")
        check_heads(self.d_model, self.n_heads, self.n_kv_heads, self.head_width)
        self._check_rotary()
        self._check_window()
        self._check_later_parts()
        self._check_together()
        if self.positions == "relative":
            self._check_buckets()

    def _check_together(self) -> None:
        """Fields that do not go with one another."""
        if self.image_size is not None:
            check_whole("image_size", self.image_size)
            self._check_image(self.image_size)
        if self.parallel and self.norm == "post":
            raise InputError("parallel sublayers need norm='pre': there is no place for a norm after each of them")
        if self.tie_source and self.vocab_size != self.tgt_vocab_size:
            raise InputError(
                f"one embedding cannot serve {self.vocab_size} source and {self.tgt_vocab_size} target tokens;"
                " make the two vocabularies the same size, or set tie_source=False"
            )

    def _check_later_parts(self) -> None:
        """Experts and linear attention."""
        if self.top_k > self.n_experts:
            raise InputError(f"a token cannot go to {self.top_k} of {self.n_experts} experts; lower top_k")
        if self.n_experts > 1 and not self.has_feed_forward:
            raise InputError("experts are feed-forward layers, and this model is to have none; set n_experts=1")
        if self.attention == "linear" and self.positions in ("rotary", "relative", "alibi"):
            raise InputError(
                f"linear attention has no scores that {self.positions} positions could act on; take sinusoidal or"
                " learned ones"
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

    def _check_rotary(self) -> None:
        check_number("rotary_share", self.rotary_share, lambda s: 0 < s <= 1, "above 0 and at most 1; 1 turns all")
        check_number("rotary_factor", self.rotary_factor, lambda f: f >= 1, "at least 1; 1 changes nothing")
        check_number("rotary_gain", self.rotary_gain, lambda g: g > 0, "a number above 0; 1 changes nothing")
        check_number("rotary_low", self.rotary_low, lambda low: low > 0, "a number above 0, such as 1")
        low = self.rotary_low
        check_number("rotary_high", self.rotary_high, lambda high: high > low, f"above rotary_low={low}, such as 4")
        check_number("rotary_len", self.rotary_len, lambda n: n >= 1, "a number of tokens, such as 8192")

    def _check_image(self, side: int) -> None:
        if side % self.patch_size:
            raise InputError(f"an image {side} pixels wide cannot be cut into patches of {self.patch_size}")
        if self.tie_output:
            raise InputError("an image has no token embeddings that its output could be tied to; set tie_output=False")

    def _check_window(self) -> None:
        if self.window is not None:
            check_whole("window", self.window)
        if self.window_layers is None:
            return
        if not isinstance(self.window_layers, list | tuple):
            raise InputError(f"window_layers={self.window_layers!r} must be the numbers of layers, such as (0, 2)")
        object.__setattr__(self, "window_layers", tuple(self.window_layers))  # JSON knows lists only
        for layer in self.window_layers:
            check_whole("a layer of window_layers", layer, least=0)

    @property
    def d_k(self) -> int:
        """Width of one head: head_width, or d_model / n_heads."""
        return self.d_model // self.n_heads if self.head_width is None else self.head_width

    @property
    def has_final_norm(self) -> bool:
        """Whether a norm closes each stack: what a pre-norm stack leaves is not normalised, so it needs one."""
        wanted = self.norm == "pre" if self.final_norm is None else self.final_norm
        return wanted and self.norm_kind != "none"

    @property
    def n_ff_matrices(self) -> int:
        """Matrices (d_model, d_ff) of one feed-forward layer: two, three with a gate, none where there is no layer."""
        return (3 if self.gated else 2) if self.has_feed_forward else 0

    @property
    def has_usual_parts(self) -> bool:
        """Whether its layers are made of full softmax attention, one feed-forward layer and norms, which inspection of
        any kind of model can take apart."""
        is_full = self.attention == "softmax" and self.window is None
        return is_full and self.has_feed_forward and self.n_experts == 1 and self.norm_kind != "none"

    def has_bias(self, part: BiasPart) -> bool:
        """Whether the linear maps of this part add a bias: w_q, w_k and w_v; w_o; feed-forward; the logits."""
        given = getattr(self, f"{part}_bias")
        if given is not None:
            return given
        return self.bias and not (part == "output" and self.tie_output)

    def window_of(self, layer: int) -> int | None:
        """How far self-attention looks in this layer, numbered from 0; None: at everything its mask allows."""
        return self.window if self.window_layers is None or layer in self.window_layers else None


PRESETS = {
    # Small enough to read every number of.
    "tiny": TransformerConfig(d_model=16, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, vocab_size=64),
    # What the pages open on.
    "classroom": TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=3, n_decoder_layers=3, vocab_size=4096),
    # Table 3, row "base": 6 + 6 layers, 8 heads, post-norm, one vocabulary of 37,000 shared everywhere.
    "paper_base": TransformerConfig(
        d_model=512,
        n_heads=8,
        d_ff=2048,
        n_encoder_layers=6,
        n_decoder_layers=6,
        vocab_size=37_000,
        norm="post",
        dropout=0.1,
        tie_source=True,
    ),
}
