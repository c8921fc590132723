"""Looking into a model: one forward pass, and everything it did as numpy arrays."""
