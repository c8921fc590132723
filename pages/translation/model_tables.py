"""The tables of a translator, counted on its own parameters."""

from typing import NamedTuple

from pages.translation.data import Ref, model_of


class Tables(NamedTuple):
    """The embeddings of a model: the rows of both sides, their width, the parameters of the tables and of the whole
    model, and whether both sides share one table."""

    source: int
    target: int
    width: int
    n_embedding: int
    n_parameters: int
    shared: bool


def tables(ref: Ref) -> Tables:
    """Counted on the model's own parameters."""
    model = model_of(ref)
    source, target = model.encoder.embedding.weight, model.decoder.embedding.weight
    is_shared = source.data_ptr() == target.data_ptr()
    n_embedding = source.numel() + (0 if is_shared else target.numel())
    n_parameters = sum(weight.numel() for weight in model.parameters())
    return Tables(len(source), len(target), source.shape[1], n_embedding, n_parameters, is_shared)
