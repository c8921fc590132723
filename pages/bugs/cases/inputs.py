"""Bugs on the way in: ids, positions, precision, the wires between two stacks."""

from lab.kit.teaching import Answer
from pages.bugs.cases.case import Case

NO_POSITIONS = Case(
    "no-positions",
    "Any order will do",
    "A model that judges reviews cannot tell “not good but lovely” from “not lovely but good”.",
    (
        Answer(
            "The positions were never added",
            "Reversed, every word has the very same output as before: attention by itself sees a bag of words.",
            right=True,
        ),
        Answer(
            "There is no causal mask",
            "An encoder needs none: it may read both ways. Even so, it should notice the order.",
        ),
        Answer(
            "The attention weights are all equal",
            "They are not: see “Weights”. They depend on the words, just not on where they stand.",
        ),
        Answer(
            "Other texts of the batch leak in",
            "“Add other texts” moves nothing: each text is read by itself.",
        ),
    ),
    "Nothing in attention knows the order. The quickest test: reverse the words, and see whether anything changes.",
)

POSITION_OF_THE_TEXT = Case(
    "position-of-the-text",
    "Alone or in company",
    "The positions are added, there is no doubt. Yet the order of the words does not count, and a text changes its"
    " meaning with its place in the batch.",
    (
        Answer(
            "The positions count texts, not tokens",
            "The code expects (tokens, texts, width) and gets (texts, tokens, width). All tokens of the first text"
            " get position 0, those of the second position 1.",
            right=True,
        ),
        Answer(
            "Attention looks across the texts of a batch",
            "The other texts' words do not matter here, only how many texts come before. And the order would still"
            " count.",
        ),
        Answer(
            "The positions are missing",
            "Then a text would not notice its place in the batch. “Add other texts” says that it does.",
        ),
        Answer("Dropout is still on", "Two runs of the same text agree to the last bit."),
    ),
    "Two conventions live side by side: batch first and sequence first. With a batch of one and a text of one token,"
    " both work, so test with neither.",
)

CACHE_POSITION = Case(
    "cache-position",
    "Fast and wrong",
    "A cache of keys and values was to make writing faster. It did, and it made it worse, though the model and the"
    " cache are each right by themselves.",
    (
        Answer(
            "Each new token is given position 0",
            "Without the cache, the whole text comes at once and its positions are counted right. With it, one token"
            " comes at a time, and somebody forgot to say how many came before.",
            right=True,
        ),
        Answer(
            "The cache keeps too few keys",
            "It keeps them all. The first output agrees because position 0 is right there; the keys that follow were"
            " made at the wrong position.",
        ),
        Answer(
            "The causal mask is missing",
            "“Change a token” finds no leak: read at once, the model is sound.",
        ),
        Answer(
            "Rounding errors add up",
            "They stay below 0.0001. Here the logits are off by several whole units.",
        ),
    ),
    "A cache must change the time and nothing else. Test it just so: token by token against all at once.",
)

NUMBERED_FROM_1 = Case(
    "numbered-from-1",
    "The wrong drawer",
    "Somebody rewrote the vocabulary file. The model still runs on most texts, but its answers have nothing to do"
    " with them, and now and then there is an error about an index.",
    (
        Answer(
            "The ids begin with 1, the rows of the table with 0",
            "Every word gets its neighbour's vector, and the last word of the vocabulary points beyond the table.",
            right=True,
        ),
        Answer(
            "The table of embeddings is untrained",
            "Its rows are those of a trained model. They are just handed to the wrong words.",
        ),
        Answer(
            "Unknown words are read",
            "Every word here is in the vocabulary. It is found, but one row too low.",
        ),
        Answer(
            "The table is too small",
            "It has a row for every word. Only the numbers of the words are one too large.",
        ),
    ),
    "An id is a row number and nothing else. A model and its vocabulary belong together: read a few ids back into"
    " words before you trust either.",
)

TABLE_LEFT_BEHIND = Case(
    "table-left-behind",
    "Heavier than it went in",
    "The model works. Moved to half precision, or to a graphics card, it breaks at the first layer.",
    (
        Answer(
            "The table of positions is a plain attribute",
            "`half()` and `to()` move parameters and buffers. Of an attribute the module knows nothing, so it stays"
            " where and what it was, and every sum with it becomes float32.",
            right=True,
        ),
        Answer(
            "Half precision is too coarse for sines",
            "It is coarse, but it does not raise an error. The types differ: see “Precision”.",
        ),
        Answer(
            "The linear map was not converted",
            "It was. What does not fit is the sum that reaches it.",
        ),
        Answer(
            "The table should be learned",
            "A formula needs no learning. It must only travel with the model.",
        ),
    ),
    "`register_buffer(…, persistent=False)` makes the table travel with the model, yet keeps it out of the saved"
    " parameters.",
)

WIRED_BACKWARDS = Case(
    "wired-backwards",
    "Fine at equal lengths",
    "A translator passes its first test, four words into four. With a longer sentence it stops: two tensors cannot be"
    " added.",
    (
        Answer(
            "The source asks, and the target is looked at",
            "The two arguments are swapped. As many vectors come out as queries go in, so there is one per *source*"
            " word, and the target's stream cannot take them.",
            right=True,
        ),
        Answer(
            "The source is too long for the positions",
            "Sines and cosines have no last position. And the encoder read the sentence without complaint.",
        ),
        Answer(
            "The causal mask has the wrong size",
            "Cross-attention has no causal mask: the whole source may be seen.",
        ),
        Answer(
            "Source and target must have one length",
            "They need not: queries and keys may differ in number. Only the output has to fit the queries' stream.",
        ),
    ),
    "In cross-attention the queries come from the decoder, the keys and values from the encoder. Always test with two"
    " different lengths.",
)

CASES = (
    NO_POSITIONS,
    POSITION_OF_THE_TEXT,
    CACHE_POSITION,
    NUMBERED_FROM_1,
    TABLE_LEFT_BEHIND,
    WIRED_BACKWARDS,
)
