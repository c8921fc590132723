"""The tabs of the right column: the ribbons of the picture itself, or a study of its chosen head."""

from lab.kit import view
from pages.heads import ablation, all_heads, edges
from pages.heads.study import Study

RIBBONS = "Ribbons"  # costs nothing: no message per choice in the view, nothing computed
STUDIES = {study.name: study for study in (ablation.STUDY, edges.STUDY, all_heads.STUDY)}


def choose() -> Study | None:
    """The study that is open, None for the ribbons; and the tabs."""
    name = view.switch("Look closer", "closer", (RIBBONS, *STUDIES), why="there is no study “{}”")
    return STUDIES.get(name)
