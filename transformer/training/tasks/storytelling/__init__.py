"""Stories that have to be looked up: their grammar, their words, their tokens, and what a model of them can do."""
