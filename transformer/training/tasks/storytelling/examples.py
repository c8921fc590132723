"""Stories as examples in tokens, and whether the grammar tells a text."""

from collections.abc import Sequence

from transformer.training.tasks.storytelling.grammar import Told
from transformer.training.tasks.storytelling.reading import log_probability, right_until
from transformer.training.tasks.storytelling.tokens import cut, joined, tokeniser
from transformer.training.tasks.task import Example

IN_GRAMMAR = "of these, stories that the grammar tells"
LONGEST = 120  # tokens; longer stories are drawn again


def example_of(story: Sequence[Told]) -> Example:
    """A story in tokens. Every token of a word that is looked up points to one of the word that it is found at."""
    tokens = tokeniser()
    ids: list[int] = []
    starts: list[tuple[int, int]] = []  # of every word: its first token, and how many there are
    alignment: list[tuple[int, int]] = []
    for told in story:
        own = tokens.of_word(told.word)
        starts.append((len(ids), len(own)))
        if told.at >= 0:
            start, n = starts[told.at]
            alignment += [(len(ids) + k, start + min(k, n - 1)) for k in range(len(own))]
        ids += own
    return Example((), tuple(ids), tuple(alignment))


def right_beginning(ids: Sequence[int]) -> str:
    """What of a text some story begins with: the word behind it is the first wrong one."""
    words = cut(tokeniser().decode(ids))
    return joined(words[: right_until(words)])


def is_story(ids: Sequence[int]) -> bool:
    """Whether the grammar tells exactly this story."""
    return log_probability(cut(tokeniser().decode(ids))) > float("-inf")
