"""Trainings by the dozen whose results are stored as small files; `python -m transformer.training.studies` reruns them.

recall, scaling, reviews, mask and far say what was trained and read the files, without torch; those whose names end in
_runs train.
"""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
