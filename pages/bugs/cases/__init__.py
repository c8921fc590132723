"""The exhibits of the museum, in words, from easy to hard."""

from pages.bugs.cases import attention, inputs, layers, training
from pages.bugs.cases.case import Case
from transformer.inspection.bugs.collection import EXHIBITS

_by_exhibit = {case.exhibit: case for case in (*attention.CASES, *inputs.CASES, *layers.CASES, *training.CASES)}
CASES: dict[str, Case] = {_by_exhibit[name].title: _by_exhibit[name] for name in EXHIBITS}  # by title
