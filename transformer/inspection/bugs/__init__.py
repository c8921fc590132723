"""The museum of bugs: parts of a Transformer with one line wrong, and instruments that show it.

`parts` has every fault beside its cure, `instruments` measures both, and `museum` says which belong together. The
models themselves stay clean: a fault is a subclass with one method changed, put into a copy.
"""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
