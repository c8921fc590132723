"""The collection: every bug, its cure, and the instruments to examine it with. Nothing here needs torch."""

from typing import NamedTuple

WEIGHTS = "Weights"
ROW_SUMS = "Row sums"
CHANGES = "Change a token"
REPEATS = "Run twice"
SWAPS = "Reverse the words"
COMPANY = "Add other texts"
PADDING = "Add padding"
CACHE = "With a cache"
MISSING = "Look for NaN"
SPREADS = "Spread of scores"
TOKEN_SPREADS = "Spread of tokens"
LIKENESS = "Likeness of tokens"
GRADIENTS = "Gradients"
OPTIMISED = "Optimiser"
CROSS = "Cross-attention"
SHAPES = "Shapes"
PRECISION = "Precision"
NEXT_LAYER = "The next layer"
LOOKED_UP = "Look up"
ID_RANGE = "Range of ids"
LOSS = "Loss"
LOSSES = "Loss on words"
WRITING = "Let it write"


class Exhibit(NamedTuple):
    """One bug.

    right, wrong  names in parts.py of the cure and the fault; after a dot, the method that differs
    clue          the instrument that shows the fault best
    instruments   that the visitor may choose among
    """

    right: str
    wrong: str
    clue: str
    instruments: tuple[str, ...]


_DECODER = (WEIGHTS, ROW_SUMS, CHANGES, REPEATS)
_ENCODER = (WEIGHTS, ROW_SUMS, SWAPS, REPEATS, COMPANY)
_LAYERS = (ROW_SUMS, CHANGES, GRADIENTS, OPTIMISED, LIKENESS)

EXHIBITS: dict[str, Exhibit] = {
    "softmax-axis": Exhibit("Attention.weigh", "SoftmaxOverQueries.weigh", ROW_SUMS, _DECODER),
    "mask-off-by-one": Exhibit("MaskedDecoder.mask", "OneTooFar.mask", CHANGES, _DECODER),
    "no-positions": Exhibit("PlacedEncoder.place", "NoPositions.place", SWAPS, _ENCODER),
    "dropout-at-evaluation": Exhibit("DroppingFeedForward.drop", "AlwaysDropping.drop", REPEATS, _ENCODER),
    "padding-not-masked": Exhibit(
        "PaddedEncoder.mask", "OpenPadding.mask", PADDING, (WEIGHTS, ROW_SUMS, PADDING, REPEATS)
    ),
    "targets-not-shifted": Exhibit("loss_of_the_next_token", "loss_of_the_same_token", LOSSES, (LOSS, LOSSES, WRITING)),
    "numbered-from-1": Exhibit("numbered_from_0", "numbered_from_1", LOOKED_UP, (LOOKED_UP, ID_RANGE)),
    "mask-after-softmax": Exhibit("Attention.weigh", "MaskAfterSoftmax.weigh", ROW_SUMS, _DECODER),
    "mask-inverted": Exhibit("Attention.weigh", "InvertedMask.weigh", CHANGES, (WEIGHTS, ROW_SUMS, CHANGES, REPEATS)),
    "unscaled-scores": Exhibit("Attention.score", "Unscaled.score", SPREADS, (WEIGHTS, ROW_SUMS, CHANGES, SPREADS)),
    "empty-rows": Exhibit("EmptyRowsAreZero.weigh", "EmptyRowsAreNaN.weigh", MISSING, (WEIGHTS, MISSING, REPEATS)),
    "heads-reshaped": Exhibit("Attention.split", "MixedHeads.split", CHANGES, _DECODER),
    "shared-layers": Exhibit("layers_of_their_own", "one_layer_many_times", OPTIMISED, _LAYERS),
    "plain-list": Exhibit("KeptInModuleList.keep", "KeptInPlainList.keep", OPTIMISED, _LAYERS),
    "layers-not-chained": Exhibit("ReadsTheLayerBelow.each_layer", "ReadsTheEmbeddings.each_layer", GRADIENTS, _LAYERS),
    "no-residual": Exhibit("Residual.after", "NoResidual.after", LIKENESS, _LAYERS),
    "norm-over-tokens": Exhibit(
        "NormOfEachToken.normal", "NormOverTokens.normal", TOKEN_SPREADS, (*_DECODER, TOKEN_SPREADS)
    ),
    "position-of-the-text": Exhibit("PlacedEncoder.place", "PositionOfTheText.place", COMPANY, _ENCODER),
    "cache-position": Exhibit(
        "CachedDecoder.place", "EveryTokenIsTheFirst.place", CACHE, (WEIGHTS, ROW_SUMS, CHANGES, CACHE)
    ),
    "loss-with-padding": Exhibit("loss_of_the_next_token", "loss_with_padding", LOSSES, (LOSS, LOSSES)),
    "no-warm-up": Exhibit("rate_with_warm_up", "rate_from_the_start", LOSS, (LOSS, LOSSES, WRITING)),
    "wired-backwards": Exhibit("WiredLayer.look", "WiredBackwards.look", SHAPES, (CROSS, SHAPES)),
    "table-left-behind": Exhibit("WithBuffer.__init__", "WithAttribute.__init__", PRECISION, (PRECISION, NEXT_LAYER)),
}  # by their names, from easy to hard
