"""Figures in the house's frame and palette."""
