"""Figures: from numbers and labels to a picture. Pure: they know nothing of models, sessions or pages."""
