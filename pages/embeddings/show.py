"""The components of this page, each under its key."""

from pages.embeddings.components.embedding_lookup import Picked
from pages.embeddings.components.embedding_lookup import lookup as _lookup
from pages.embeddings.components.token_strip import Strip
from pages.embeddings.components.token_strip import token_strip as _token_strip


def tokens(strip: Strip) -> None:
    """A text as chips with ids; for byte pairs with the merges that made them, to be scrubbed through."""
    _token_strip(strip, key="emb_strip", url="emb_step")


def lookup(picked: Picked) -> None:
    """A one-hot row times the embedding table, token by token."""
    _lookup(picked, key="emb_lookup", url="emb_token")
