"""What pages stand on: what surrounds them, what serves them, and what they are made of."""
