"""BERT's way: a classifier on the vectors of a published model, for praise and blame in reviews."""
