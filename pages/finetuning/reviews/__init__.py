"""BERT's way: a classifier on the vectors of a published model, for praise and criticism in reviews."""
