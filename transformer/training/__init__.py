"""What a model learns from."""
