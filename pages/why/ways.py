"""How each way to attend works, in words that nobody needs to have learned. Figures come from elsewhere."""

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
SIZED = (WINDOW, DILATED, GLOBAL, BLOCKS, LOW_RANK, IN_BLOCKS)  # to which the size means something
KEEPS = (DILATED, GLOBAL)  # and what is kept
COUNTED = ("one", "two", "three")  # as many as there are hubs
EVERY = ("every second", "every third", "every fourth")  # with so many gaps


def told(size: int, n_kept: int, n: int) -> dict[str, str]:
    """How every way works with these knobs (see inspection.variants.Sizes), on a text of n words."""
    return {
        FULL: "Every word sees every word.",
        WINDOW: f"Every word sees itself and {_either_side(size)}.",
        DILATED: _dilated(size - 1, n_kept, n),
        GLOBAL: _global(n_kept),
        BLOCKS: f"Blocks of {size} words: each sees itself, and the last word of every block before it."
        if size < n
        else f"One block has all {n} words: every word sees every word.",
        LINEAR: "Keys and values are summed up once, before any word looks, so no pair of words is compared. What was"
        " sharp is blurred.",
        LOW_RANK: _low_rank(size, n),
        GROUPED: "All heads share one set of keys and values, so fewer are kept while writing. Heads that learned their"
        " own must be trained again.",
        IN_BLOCKS: f"The same multiplications, {size} keys at a time: the map is never stored. This is the idea behind"
        " FlashAttention."
        if size < n
        else f"With all {n} keys at a time this is full attention, and the whole map is stored.",
    }


def _either_side(size: int) -> str:
    """How far a window sees that ends before the word that is `size` words away."""
    return f"{size - 1} word{'s' if size > 2 else ''} to either side"


def _low_rank(size: int, n: int) -> str:
    if size < n:
        return f"All keys are averaged into {size}, neighbours with neighbours, before any word looks."
    return f"With {n} averages for {n} words, every key is left alone."


def _dilated(beside: int, n_gaps: int, n: int) -> str:
    if not n_gaps:
        return "Without gaps this is the window."
    word, reach = f"{EVERY[n_gaps - 1]} word", beside * (n_gaps + 1)
    if reach + n_gaps >= n - 1:  # the next one is beyond both ends
        return f"A window with gaps, wide enough for this text: every word sees itself and {word}, up to both ends."
    return f"A window with gaps: every word sees itself and {word} up to {reach} words away on either side."


def _global(n_hubs: int) -> str:
    if not n_hubs:
        return "Without a hub this is the window."
    hubs = f"{COUNTED[n_hubs - 1]} hub{'s' if n_hubs > 1 else ''}"
    first = (
        "the first word, which sees all and is" if n_hubs == 1 else f"the first {n_hubs} words, which see all and are"
    )
    return f"A window, and {hubs}: {first} seen by all."
