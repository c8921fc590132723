"""What the server of forks loads once for all the processes that train; see places."""

import gc

import transformer.training.stretches  # noqa: F401

# A round of the garbage collector writes to every object that it looks at, and what is written to is no longer shared.
gc.collect()
gc.freeze()
