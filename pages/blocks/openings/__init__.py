"""What a model would say behind a layer whose sublayers add only a share of what they have found."""
