"""Trainings by the dozen whose results are stored as small files; `python -m transformer.training.studies` reruns them.

recall and scaling say what was trained and read the files, without torch; recall_runs and scaling_runs train.
"""
