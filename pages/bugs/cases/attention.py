"""Bugs in attention: its softmax, its masks, its heads."""

from lab.kit.teaching import Answer
from pages.bugs.cases.case import Case

SOFTMAX_AXIS = Case(
    "softmax-axis",
    "Shares over 100%",
    "A trained story writer got a new attention function, and now it writes nonsense. The shapes are right and the"
    " attention map even looks plausible.",
    (
        Answer(
            "The softmax divides along the wrong axis",
            "Each *column* adds up to 1 in its head, not each row. A key now shares itself out among the queries, so"
            " even early rows depend on later tokens.",
            right=True,
        ),
        Answer(
            "The causal mask is missing",
            "Then there would be weights right of the line. “Weights” shows none.",
        ),
        Answer(
            "The scores are not divided by √d_k",
            "That would make rows sharper, but softmax would still make each of them sum to 1. Look at “Row sums”.",
        ),
        Answer("Dropout is still on", "Then two runs would differ. “Run twice” finds no difference."),
    ),
    "Scores are (queries, keys), and each query shares out its attention among the keys: softmax over the **last**"
    " axis. One glance at the row sums is enough.",
)

MASK_OFF_BY_ONE = Case(
    "mask-off-by-one",
    "A glimpse ahead",
    "A training went suspiciously well: the next word was nearly always right. Left to write by itself, the model was"
    " lost. Here is the same mask in a good model.",
    (
        Answer(
            "The mask opens one diagonal too many",
            "Every token sees the one after it, which is exactly the word that it has to predict. Layer by layer, the"
            " view reaches further.",
            right=True,
        ),
        Answer(
            "There is no causal mask at all",
            "Then the first token would see all the others at once. In “Weights” it sees only one of them.",
        ),
        Answer(
            "The mask is applied after softmax",
            "Then the rows would no longer sum to 1. They do: see “Row sums”.",
        ),
        Answer(
            "The targets are not shifted",
            "That is a mistake in the loss. Here the outputs themselves feel a token that comes later.",
        ),
    ),
    "`tril()` keeps the diagonal, and that is all a decoder may see: itself and what came before. Whenever a loss"
    " looks too good, change a later token and see who notices.",
)

MASK_AFTER_SOFTMAX = Case(
    "mask-after-softmax",
    "Shares that vanish",
    "The causal mask is there: no cell of the future has any weight. Still, the stories fall apart.",
    (
        Answer(
            "The mask multiplies weights that softmax has already shared out",
            "What went to the future is cut off and lost, so rows sum to less than 1. And the future still counts in"
            " the denominator: early outputs move when a later token changes.",
            right=True,
        ),
        Answer(
            "The mask is off by one",
            "Then some weight would lie right of the line. There is none.",
        ),
        Answer(
            "The softmax divides along the wrong axis",
            "Then some rows would sum to more than 1. Here all sums are 1 or less.",
        ),
        Answer(
            "The values are not masked",
            "Values need no mask: a weight of 0 silences them. The trouble is in the weights.",
        ),
    ),
    "Mask the **scores**, before softmax: −∞ becomes a weight of exactly 0, and the rest of the row still shares out"
    " 1.",
)

MASK_INVERTED = Case(
    "mask-inverted",
    "Eyes on nothing",
    "A review of six words is padded to a length of ten, and the model gives every such review the same verdict.",
    (
        Answer(
            "True means “blocked” in one place and “allowed” in another",
            "All words are blocked and all padding is open. The answer looks at nothing but padding, so no word can"
            " move it.",
            right=True,
        ),
        Answer(
            "The padding is not masked",
            "Then words and padding would both be seen. Here only the padding is: see “Weights”.",
        ),
        Answer(
            "The model has not been trained",
            "An untrained model still feels every word. In “Change a token”, the first row feels none.",
        ),
        Answer(
            "The positions are missing",
            "Without positions the answer would forget the order of the words, but not the words themselves.",
        ),
    ),
    "Here True means “may attend”; in `nn.MultiheadAttention`, True means “may not”. Whoever mixes the two gets no"
    " error, only a model that stares at the padding.",
)

PADDING_NOT_MASKED = Case(
    "padding-not-masked",
    "Empty seats vote",
    "Alone, a review gets one verdict; in a batch with longer reviews, it gets another. The words are the same.",
    (
        Answer(
            "The padding is not masked",
            "The columns that fill up the batch are looked at like words, and every column more shifts the answer.",
            right=True,
        ),
        Answer("Dropout is still on", "Then even two runs of the same batch would differ. They agree to the last bit."),
        Answer(
            "The texts of a batch are mixed up",
            "The change comes without any other text: padding alone is enough. See “Add padding”.",
        ),
        Answer(
            "The mask is inverted",
            "Then only the padding would be seen. In “Weights”, words are looked at too.",
        ),
    ),
    "Padding is there for the rectangle, not for the reader. Mask it wherever a token could look at it: in the"
    " encoder and in the cross-attention.",
)

UNSCALED = Case(
    "unscaled-scores",
    "Winner takes all",
    "A fresh model has wide heads, of 64 numbers each. Before any training, nearly every query looks at a single"
    " token.",
    (
        Answer(
            "The scores are not divided by √d_k",
            "A sum of 64 products spreads 8 times as much as one product. Softmax turns such scores into all or"
            " nothing, and then hardly any gradient gets through.",
            right=True,
        ),
        Answer(
            "Softmax is missing",
            "The rows do sum to 1: see “Row sums”.",
        ),
        Answer(
            "The heads are too narrow",
            "They are wide: 64 numbers each. It is the width that makes the scores grow.",
        ),
        Answer(
            "The mask is wrong",
            "No output feels a later token, and the rows sum to 1: the mask does its work.",
        ),
    ),
    "The spread of q · k grows as √d_k. Dividing by it keeps the scores near 1 at any width.",
)

EMPTY_ROWS = Case(
    "empty-rows",
    "One pad, all NaN",
    "Texts are padded on the left so that all end together. Padding is masked. After the second layer, no number is"
    " left.",
    (
        Answer(
            "A row of the mask allows nothing at all",
            "The first token is padding, and before it there is only padding: every score is −∞, and softmax divides"
            " 0 by 0. One layer later everybody multiplies that NaN by a weight of 0, and 0 × NaN is NaN.",
            right=True,
        ),
        Answer(
            "The learning rate is too high",
            "Nothing is being trained here: the weights are those of a good model.",
        ),
        Answer(
            "The scores overflow",
            "They would have to be larger than 10³⁸. It begins in the rows of the padding, and nowhere else.",
        ),
        Answer(
            "The padding has no embedding",
            "It has one, like every token. At the input no number is missing: see “Look for NaN”.",
        ),
    ),
    "Give a row with nothing to look at the weights 0 (or let it look at itself). A weight of 0 does not protect from"
    " a NaN behind it.",
)

HEADS_RESHAPED = Case(
    "heads-reshaped",
    "The right shape",
    "Somebody tidied up the code that cuts vectors into heads. All shapes are as before, the rows sum to 1, the mask"
    " is in place.",
    (
        Answer(
            "The numbers are cut into heads across tokens",
            "`view` fills (heads, tokens, width) in the order in which the numbers lie in memory. A head then holds"
            " pieces of several tokens as if they were its tokens, and the mask protects the wrong ones.",
            right=True,
        ),
        Answer(
            "The causal mask is off by one",
            "“Weights” shows none right of the line. The leak is in what the rows stand for.",
        ),
        Answer(
            "The heads share their parameters",
            "They could share them all, and still no output would feel a later token.",
        ),
        Answer(
            "The output map W_o is missing",
            "It works on each token by itself and cannot carry anything from a later token to an earlier one.",
        ),
    ),
    "First `view(B, T, heads, width)`, which cuts each token's own numbers, then `transpose`. A shape that fits"
    " proves nothing about what is in it.",
)

CASES = (
    SOFTMAX_AXIS,
    MASK_OFF_BY_ONE,
    MASK_AFTER_SOFTMAX,
    MASK_INVERTED,
    PADDING_NOT_MASKED,
    UNSCALED,
    EMPTY_ROWS,
    HEADS_RESHAPED,
)
