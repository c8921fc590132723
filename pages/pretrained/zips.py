"""A model that a visitor brings as a zip: fetched from their browser, checked, and loaded for their session alone."""

import tempfile
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import streamlit as st

from pages.shared import gate, pretrained, visitor
from pages.shared.pretrained import BROUGHT, Brought, PretrainedSource
from pages.shared.uploads import PATIENCE, UPLOADS, Arriving, Upload, Watch
from transformer.checks import InputError

if TYPE_CHECKING:
    from transformer.pretrained.archive import Archive
    from transformer.pretrained.files import Checked
    from transformer.workload import Workload

MAX_TITLE = 40
_UPLOAD = "_pretrained_upload"  # in st.session_state: what the visitor's next zip comes through

# By the key of the visitor who brought it. A session that has ended is not always taken out of memory, so a model that
# is large is let go of when its visitor has left.
_brought: WeakValueDictionary[str, PretrainedSource] = WeakValueDictionary()


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
    """Load the model in a zip that has arrived; it takes the place of one that this visitor brought before, in whatever
    tab.

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
    _brought[visitor.key()] = source
    st.session_state[BROUGHT] = source
    _watch.begin()


def let_go() -> bool:
    """Let go of the models whose visitors have left -> whether others are here."""
    for key in list(_brought):
        if visitor.PRESENCE.away(key) > PATIENCE:
            _let_go_of(key)
    return bool(_brought)


_watch = Watch(PATIENCE / 4, let_go)


def _let_go_of(key: str) -> None:
    source = _brought.pop(key, None)
    if source is not None:
        source.let_go()


def _load(archive: "Archive", title: str) -> PretrainedSource:
    from transformer.pretrained import files, loading

    checked = files.check(archive.store)
    st.session_state.pop(BROUGHT, None)
    _let_go_of(visitor.key())
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
    others = sum(parameter.nbytes for source in list(_brought.values()) for parameter in source.model.parameters())
    if work.n_bytes + others > pretrained.BUDGET.max_bytes:
        raise InputError("Other visitors' models fill the memory that is set aside for them. Try again later.")
    return work
