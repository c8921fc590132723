"""What is handed down a call beside the tensors: the tap, the cache and the source of randomness, in one value.

Nothing of a call is stored on a module, so one model can serve many threads at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from torch import Generator, Tensor

from transformer.core import random
from transformer.core.cache import Cache, KeysValues
from transformer.core.interruption import check_interruption
from transformer.core.taps import Tap, no_tap, prefix, watch


@dataclass(frozen=True, slots=True)
class Context:
    """The context of one part of a model during one call.

    tap        called at every named point of this part, see transformer.core.taps
    cache      keys and values of the text read so far, see transformer.core.cache; None: nothing is kept
    generator  draws what dropout drops (None: torch's default generator)
    path       the name of this part, such as "decoder.1.self_attn"; "" for a whole model
    """

    tap: Tap = field(default=no_tap)
    cache: Cache | None = None
    generator: Generator | None = None
    path: str = ""

    def at(self, part: str) -> "Context":
        """The context of a part of this part: its tap and its cache carry the longer path.

        Every layer asks for those of its sublayers, so here a call can be interrupted.
        """
        check_interruption()
        if self.tap is no_tap and self.cache is None:
            return self  # nobody asks for the path
        path = f"{self.path}.{part}" if self.path else part
        return Context(prefix(part, self.tap), self.cache, self.generator, path)

    def dropout(self, x: Tensor, p: float, training: bool) -> Tensor:
        """Zero each element with probability p, and scale up the rest; outside training, x as it is."""
        return random.dropout(x, p, self.generator) if training else x

    def keys_values(self) -> KeysValues:
        """The cache of the attention at this path; without a cache an empty one, which nobody keeps."""
        return KeysValues() if self.cache is None else self.cache.at(self.path)


PLAIN = Context()


@contextmanager
def one_call(
    tap: Tap = no_tap,
    *,
    cache: Cache | None = None,
    generator: Generator | None = None,
    elsewhere: tuple[str, ...] = (),
) -> Iterator[Context]:
    """The context of one call of a model.

    The cache takes in what the call has read only when the call has come to its end: an error leaves it as it was.
    An intervention in the tap (ablate, patch) at a path that the call never came to raises InputError, unless the
    path begins with one of `elsewhere`, which another call will come to.
    """
    tap, check = watch(tap, elsewhere)
    draft = None if cache is None else cache.copy()
    yield Context(tap, draft, generator)
    check()
    if cache is not None and draft is not None:
        cache.become(draft)
