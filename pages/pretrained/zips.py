"""A model that a visitor brings as a zip: fetched from their browser, checked, and loaded for their session alone."""

import tempfile
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakSet

import streamlit as st

from pages.shared import gate, pretrained
from pages.shared.pretrained import BROUGHT, Brought, PretrainedSource
from pages.shared.uploads import UPLOADS, Arriving, Upload
from transformer.checks import InputError

if TYPE_CHECKING:
    from transformer.pretrained.archive import Archive
    from transformer.pretrained.files import Checked
    from transformer.workload import Workload

MAX_TITLE = 40
_UPLOAD = "_pretrained_upload"  # in st.session_state: what the visitor's next zip comes through

_brought: WeakSet[PretrainedSource] = WeakSet()  # by all visitors, as long as they stay


def plan(arriving: Arriving) -> Iterator[tuple[int, int]]:
    """What is fetched of a zip: its list of files, config.json and the beginning of the weights, by which most of what
    cannot be used is known; then the tokenizer, and at last the weights. Nothing else leaves the browser.
    """
    from transformer.pretrained import files, loading
    from transformer.pretrained.archive import Archive, fetching

    file = arriving.file
    archive = yield from fetching(lambda: Archive(file), file)
    sizes = yield from fetching(archive.needed, file)
    ranges = archive.ranges()
    arriving.reserve(sum(sizes.values()) + sum(stop - start for start, stop in ranges) + file.n_kept)
    checked = yield from fetching(lambda: files.check(archive.store), file)
    pretrained.check_fits(checked)
    yield from fetching(lambda: loading.reader(checked), file)
    arriving.total = file.n_kept + sum(b - a for start, stop in ranges for a, b in file.gaps(start, stop))
    yield from ranges


def upload() -> Upload:
    """What this visitor's next zip comes through."""
    if _UPLOAD not in st.session_state:
        st.session_state[_UPLOAD] = UPLOADS.add(plan)
    return st.session_state[_UPLOAD]


def bring(arrived: Upload) -> None:
    """Load the model in a zip that has arrived; it takes the place of one that this visitor brought before.

    Raises InputError with a sentence for whatever is no such model, and where there is no memory for it. Whoever is led
    elsewhere meanwhile finds the zip still there.
    """
    from transformer.pretrained.archive import Archive

    arriving = arrived.arriving
    assert arriving is not None
    title = _title(arriving.name)
    with arrived.lock:
        try:
            source = _load(Archive(arriving.file, title), title)
        except InputError:
            _forget(arrived)
            raise
        _forget(arrived)
    _brought.add(source)
    st.session_state[BROUGHT] = source


def _load(archive: "Archive", title: str) -> PretrainedSource:
    from transformer.pretrained import files, loading

    checked = files.check(archive.store)
    st.session_state.pop(BROUGHT, None)
    with gate.turn(_check_room(checked)), gate.inside(), tempfile.TemporaryFile() as unpacked:
        loaded = loading.load_checked(files.check(archive.unpack(unpacked)))
    return PretrainedSource(Brought(uuid.uuid4().hex), loaded, title)


def _forget(arrived: Upload) -> None:
    arrived.drop()
    st.session_state.pop(_UPLOAD, None)


def _title(name: str) -> str:
    from transformer.pretrained.reading import quoted

    return quoted(name.removesuffix(".zip"))[:MAX_TITLE] or "your model"


def _check_room(checked: "Checked") -> "Workload":
    """What it takes to load these files. Raises InputError where there is no memory for them."""
    work = pretrained.check_fits(checked)
    others = sum(parameter.nbytes for source in list(_brought) for parameter in source.model.parameters())
    if work.n_bytes + others > pretrained.BUDGET.max_bytes:
        raise InputError("Other visitors' models fill the memory that is set aside for them. Try again later.")
    return work
