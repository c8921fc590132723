"""A lesson leads through the app."""
