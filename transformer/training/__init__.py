"""Training: from texts and tasks to a trained model, its film and its file."""
