"""Trainings by the dozen whose results are stored as small files; `python -m transformer.training.studies` reruns them.

recall, scaling and reviews say what was trained and read the files, without torch; recall_runs, scaling_runs and
reviews_runs train.
"""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
