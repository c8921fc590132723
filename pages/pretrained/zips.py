"""A model that a visitor brings as a zip: read, checked and loaded for their session alone."""

import uuid
from weakref import WeakSet

import streamlit as st

from pages.shared import gate, pretrained
from pages.shared.pretrained import BROUGHT, Brought, PretrainedSource
from transformer.checks import InputError

_brought: WeakSet[PretrainedSource] = WeakSet()  # by all visitors, as long as they stay


def bring(data: bytes, title: str) -> None:
    """Load the model in a zip; it takes the place of one that this visitor brought before.

    Raises InputError with a sentence for whatever is no such model, and where there is no memory for it.
    """
    from transformer.pretrained import archive, files, loading

    checked = files.check(archive.unpack(data, title))
    work = pretrained.check_fits(checked)
    st.session_state.pop(BROUGHT, None)
    others = sum(parameter.nbytes for source in _brought for parameter in source.model.parameters())
    if work.n_bytes + others > pretrained.BUDGET.max_bytes:
        raise InputError("Other visitors' models fill the memory that is set aside for them. Try again later.")
    with gate.turn(work), gate.inside():
        loaded = loading.load_checked(checked)
    source = PretrainedSource(Brought(uuid.uuid4().hex), loaded, title)
    _brought.add(source)
    st.session_state[BROUGHT] = source
