"""How each way to attend is told, in words that nobody needs to have learned. Figures come from elsewhere."""

from typing import NamedTuple

FULL, WINDOW, DILATED, GLOBAL, BLOCKS = "full", "window", "dilated", "global + local", "block-sparse"
LINEAR, LOW_RANK, GROUPED, IN_BLOCKS = "linear", "low rank", "shared k, v", "in blocks"
# The code that runs, in the order of the story: from all that attention sees to the one that saves and misses nothing.
CODE = {
    FULL: "scaled_dot_product_attention",
    WINDOW: "local",
    DILATED: "dilated",
    GLOBAL: "global_and_local",
    BLOCKS: "block_sparse",
    LINEAR: "linear_output",
    LOW_RANK: "low_rank",
    GROUPED: "grouped",
    IN_BLOCKS: "in_blocks",
}
CARDS = (FULL, WINDOW, GLOBAL, IN_BLOCKS)  # beside the drawing; the others are in a menu
COUNTED = ("no", "one", "two", "three")  # as many as there are hubs
EVERY = ("every", "every second", "every third", "every fourth")
NEAR = "near words only"
MISSES, MISPLACES = "misses", "misplaces"  # the attention weight that does not go where full attention sends it


class Told(NamedTuple):
    """What a way does.

    gloss     its name in two to four plain words, 24 letters at most
    subject   of the sentence that says what it takes and what it loses
    loses     what it does to the weight that full attention sends elsewhere
    sentence  how it works
    """

    gloss: str
    subject: str
    loses: str
    sentence: str


def told(size: int, n_kept: int, n: int) -> dict[str, Told]:
    """Every way with these knobs (see inspection.variants.Sizes), on a text of n words."""
    beside = size - 1
    return {
        FULL: Told("every word sees all", "Looking at every word", MISSES, "Every word sees every word."),
        WINDOW: window(size),
        DILATED: _dilated(beside, n_kept, n),
        GLOBAL: _global(size, n_kept),
        BLOCKS: Told(
            "its own block, mostly",
            "Looking within blocks, and a little back,",
            MISSES,
            f"Blocks of {size} words: each sees itself, and the last word of every block before it.",
        ),
        LINEAR: Told(
            "all words summed up",
            "Summing up all words first",
            MISPLACES,
            "Keys and values are summed up once, before any word looks, so no pair of words is compared. What was"
            " sharp is blurred.",
        ),
        LOW_RANK: _low_rank(size, n),
        GROUPED: Told(
            "heads share one set",
            "Sharing keys and values",
            MISSES,
            "All heads share one set of keys and values, so fewer are kept while writing. Heads that learned their own"
            " must be trained again.",
        ),
        IN_BLOCKS: Told(
            "exact; saves memory only",
            "Going piece by piece",
            MISSES,
            f"The same multiplications, {size} keys at a time: the map is never stored. This is the idea behind"
            " FlashAttention.",
        ),
    }


def window(size: int) -> Told:
    """A window that ends before the word that is `size` words away."""
    to_either_side = either_side(size)
    return Told(NEAR, f"Looking {to_either_side}", MISSES, f"Every word sees itself and {to_either_side}.")


def either_side(size: int) -> str:
    """How far a window sees that ends before the word that is `size` words away."""
    return f"{size - 1} word{'s' if size > 2 else ''} to either side"


def _low_rank(size: int, n: int) -> Told:
    subject, sentence = "Averaging neighbours first", f"All keys are averaged into {size}, neighbours with neighbours,"
    if size < n:
        return Told("averaged neighbours", subject, MISPLACES, f"{sentence} before any word looks.")
    sentence = f"With {n} averages for {n} words, every key is left alone."
    return Told("averaged neighbours", "Averaging no neighbours", MISPLACES, sentence)


def _dilated(beside: int, n_gaps: int, n: int) -> Told:
    if not n_gaps:
        return window(beside + 1)._replace(sentence="Without gaps this is the window.")
    each, reach = EVERY[n_gaps], beside * (n_gaps + 1)
    word = f"{each} word"
    if reach >= n - 1:
        sentence = f"A window with gaps, wide enough for this text: every word sees itself and {word}, up to both ends."
        return Told(word, f"Looking at {word}", MISSES, sentence)
    sentence = f"A window with gaps: every word sees itself and {word} up to {reach} words away on either side."
    return Told(f"nearby, {each}", f"Looking nearby, at {word},", MISSES, sentence)


def _global(size: int, n_hubs: int) -> Told:
    if not n_hubs:
        return window(size)._replace(sentence="Without a hub this is the window.")
    hubs = f"{COUNTED[n_hubs]} hub{'s' if n_hubs > 1 else ''}"
    first = (
        "the first word, which sees all and is" if n_hubs == 1 else f"the first {n_hubs} words, which see all and are"
    )
    sentence = f"A window, and {hubs}: {first} seen by all."
    return Told(f"near words, {hubs}", f"Looking nearby and at {hubs}", MISSES, sentence)
