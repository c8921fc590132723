"""The map of an encoder-decoder: its parts in the order in which a sentence passes them, with the tensors' shapes.

The encoder is the upper row and the decoder the lower one, both read from left to right; the encoder's output goes down
into the decoder's cross-attention.
"""

from itertools import pairwise

from pages.shared.model_map import BOX, Block, Frame, Map

UPPER, LOWER = 64, 226  # top of each row of boxes
WIDTH, HEIGHT = 1294, 330


def model_map(
    *, B: int, S: int, T: int, d_model: int, n_heads: int, d_ff: int, n_encoder: int, n_decoder: int, vocab_size: int
) -> Map:
    """The map of a model of these sizes that reads B texts of S source tokens and has written T tokens for each."""
    inside = f"({B}, {{}}, {d_model}) via {d_ff}".format
    heads = f"{n_heads} heads, each {d_model // n_heads} wide"
    source, target = f"({B}, {S}, {d_model})", f"({B}, {T}, {d_model})"
    words = f"({B}, {T}, {vocab_size})"
    encoder = [
        Block(0, UPPER, 104, "Source", f"({B}, {S})", "The sentences to read, as token numbers.", page="embeddings"),
        Block(
            128,
            UPPER,
            128,
            "Embedding",
            source,
            "Every token number picks its row of a table of vectors.",
            page="embeddings",
        ),
        Block(
            280,
            UPPER,
            128,
            "+ positions",
            source,
            "Attention is blind to order, so places are added.",
            page="positions",
        ),
        Block(
            446,
            UPPER,
            176,
            "Self-attention",
            f"({B}, {n_heads}, {S}, {S})",
            f"Every source word looks at every source word, in {heads}.",
            "weight",
            "heads",
        ),
        Block(
            646,
            UPPER,
            176,
            "Feed-forward",
            inside(S),
            "Two linear maps with a bend between, the same at every word.",
            page="blocks",
        ),
        Block(860, UPPER, 128, "Memory", source, "What the encoder made of the source: one vector per word."),
    ]
    decoder = [
        Block(0, LOWER, 104, "Target so far", f"({B}, {T})", "What has been written, one step behind what comes next."),
        Block(128, LOWER, 128, "Embedding", target, "The same for what is written.", page="embeddings"),
        Block(280, LOWER, 128, "+ positions", target, "The same places for the target.", page="positions"),
        Block(
            446, LOWER, 176, "Masked self-attention", f"({B}, {n_heads}, {T}, {T})",
            "Every target word looks at itself and what came before it; the future is masked.", "weight", "masks",
        ),
        Block(
            646, LOWER, 150, "Cross-attention", f"({B}, {n_heads}, {T}, {S})",
            "Target words ask; source words are looked at: queries from here, keys and values from memory.", "weight",
            "masks",
        ),
        Block(820, LOWER, 176, "Feed-forward", inside(T), "As in the encoder.", page="blocks"),
        Block(1034, LOWER, 118, "Linear", words, "A score, a logit, for every token of the vocabulary."),
        Block(1176, LOWER, 118, "Softmax", words, "Scores become the probabilities of the next word."),
    ]  # fmt: skip
    frames = [
        Frame(430, UPPER - 34, 408, BOX + 50, f"{_layers(n_encoder, 'encoder ')}, with add & norm"),
        Frame(430, LOWER - 34, 582, BOX + 50, f"{_layers(n_decoder, 'decoder ')}, with add & norm"),
    ]
    arrows = [_across(a, b) for row in (encoder, decoder) for a, b in pairwise(row)]
    memory, cross = encoder[-1], decoder[4]
    down = (UPPER + BOX + LOWER - 34) / 2
    x = cross.x + cross.width / 2
    arrows.append(
        f"M{memory.x + memory.width / 2} {UPPER + BOX} V{down - 8} q0 8 -8 8 H{x + 8} q-8 0 -8 8 V{LOWER - 3}"
    )
    alt = (
        f"Map of a Transformer. The encoder reads {B} x {S} source tokens: embedding, positions, then"
        f" {_layers(n_encoder)} of self-attention with {n_heads} heads and feed-forward, giving the memory. The"
        f" decoder reads the target so far: embedding, positions, then {_layers(n_decoder)} of masked self-attention,"
        " cross-attention to the memory and feed-forward, then a linear map and softmax give the next word."
    )
    return Map(WIDTH, HEIGHT, encoder + decoder, frames, arrows, alt)


def _across(a: Block, b: Block) -> str:
    return f"M{a.x + a.width} {a.y + BOX / 2} H{b.x - 3}"


def _layers(n: int, kind: str = "") -> str:
    return f"{n} {kind}layer{'' if n == 1 else 's'}"
