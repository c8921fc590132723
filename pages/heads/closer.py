"""The tabs of the right column: the ribbons of the picture itself, or a study of its chosen head."""

from pages.heads import ablation, all_heads, edges, two_places
from pages.heads.study import Study
from pages.shared import view

RIBBONS = "Ribbons"  # costs nothing: no message per choice in the view, nothing computed
STUDIES = {study.name: study for study in (ablation.STUDY, edges.STUDY, all_heads.STUDY)}
DEEPER = {study.name: study for study in (two_places.STUDY,)}


def choose() -> Study | None:
    """The study that is open, None for the ribbons; the tabs, and the menu of those that lead deeper."""
    questions = {study.name: study.question for study in DEEPER.values()}
    name = view.switch("Look closer", "closer", (RIBBONS, *STUDIES), questions, why="there is no study “{}”")
    return {**STUDIES, **DEEPER}.get(name)
