"""The components of this page, each under its key."""

from pages.positions.components.position_clocks import clocks as _clocks


def clocks(packed: bytes) -> None:
    """Every pair of features as a clock hand, with sliders for the position and the offset."""
    _clocks(packed, key="pos_clocks")
