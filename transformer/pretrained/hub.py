"""Models from the hub (huggingface.co), looked at before they are downloaded, and kept on disk.

    with shared().kept("distilbert/distilgpt2", progress=print) as store:
        load_from(store)

A model is looked at first: its list of files, config.json, and the headers of its weights, some 100 kB. What passes is
downloaded by huggingface_hub into the user's own cache, where a file that another program has brought is not brought
again; each is kept if its hash is the hub's. What was brought here stays within a bound in bytes: what was used least
recently goes first, and what others brought never goes. A model that is kept needs no network.

How much is kept stands in the environment (HUB_MB of transformer.environment); the variables of huggingface_hub mean
what they mean elsewhere.
"""

import json
import os
import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from transformer.core.checks import InputError, is_whole
from transformer.core.interruption import check_interruption
from transformer.environment import HUB_MB
from transformer.pretrained import transport
from transformer.pretrained.files import Checked, Folder, check, needed
from transformer.pretrained.reading import json_in, megabytes, quoted
from transformer.pretrained.tokenizer import check_files

MAX_BYTES = HUB_MB.default
MAX_LIST = 8 * 2**20  # bytes of what the hub says of a model
ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_BEGINNING = 2**17  # of each file is read at once, while it is looked at
_NOTE = "attention-lab.json"  # in a model's folder of the cache: what was brought there

Progress = Callable[[int, int], None]


class File(NamedTuple):
    """A file of a model: its bytes, and its hash (SHA-256, or Git's SHA-1 of small files)."""

    size: int
    hash: str


@dataclass(frozen=True, eq=False)
class Plan:
    """A model that has been looked at, and could be downloaded: the files it takes, of which commit."""

    id: str
    commit: str
    files: dict[str, File]
    checked: Checked

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files.values())


class _Note(NamedTuple):
    """What was brought of a model, or is on its way: its commit, the sizes of its files, and whether it is ours to
    delete, since nothing of it was in the cache before.
    """

    id: str
    commit: str
    sizes: dict[str, int]
    is_ours: bool

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())


class Hub:
    """The hub, and what is kept of it in a cache as huggingface_hub has it, which other programs may use as well.

    folder     that cache; None: the user's own
    endpoint   the hub's address; None: as the environment has it
    max_bytes  of all models together that were brought here
    """

    def __init__(self, folder: Path | None = None, endpoint: str | None = None, max_bytes: int = MAX_BYTES) -> None:
        self._folder, self._endpoint, self._max_bytes = folder, endpoint, max_bytes
        self._guard = threading.Lock()
        self._in_use: Counter[str] = Counter()

    @property
    def _root(self) -> Path:
        return self._folder or Path(transport.library().constants.HF_HUB_CACHE)

    @property
    def _address(self) -> str:
        return (self._endpoint or transport.library().constants.ENDPOINT).rstrip("/")

    # ---- looking -----------------------------------------------------------------------------------------------------

    def look(self, id: str) -> Plan:
        """What there is of a model: its files, sizes, settings and the headers of its weights, checked as those of a
        folder are. Raises InputError where the hub has no such model, or one that cannot be used.
        """
        _check_id(id)
        answer = transport.read(f"{self._address}/api/models/{quote(id)}?blobs=true", 0, MAX_LIST)
        said = json_in(answer, "What the hub says of this model")
        if said.get("gated") or said.get("private") or said.get("disabled"):
            raise InputError("This model is not open to everybody: the hub asks for an account.")
        commit, listed = said.get("sha"), _listed(said.get("siblings"))
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise InputError("The hub does not say which version of this model it has.")
        sizes = {name: file.size for name, file in listed.items()}
        from transformer.pretrained.family import family_of

        store = _Remote(id, f"{self._address}/{quote(id)}/resolve/{commit}", sizes)
        plan = Plan(id, commit, {name: listed[name] for name in needed(store)}, check(store))
        settings = plan.checked.settings
        if family_of(settings).config(settings)[1].image_size is None:
            check_files(sizes, settings)
        if plan.bytes > self._max_bytes:
            raise InputError(
                f"This model has {megabytes(plan.bytes)}, and {megabytes(self._max_bytes)} is all that is kept here."
                " Choose a smaller one."
            )
        return plan

    # ---- keeping -----------------------------------------------------------------------------------------------------

    def has(self, id: str) -> bool:
        """Whether the model was brought here and is on disk, all of it."""
        return self._whole(id) is not None

    def ids(self) -> list[str]:
        """The ids of all models that were brought here and are on disk as a whole, in order."""
        return sorted(note.id for note in self._notes() if self.has(note.id))

    @contextmanager
    def kept(self, id: str, progress: Progress | None = None) -> Iterator[Folder]:
        """Within the block, the files of a model, which are downloaded if need be and stay on disk.

        progress(bytes that are here, all bytes) is called as they arrive. Raises InputError.
        """
        with self._using(id):
            folder = self._whole(id) or self._of_others(id) or self.download(self.look(id), progress)
            with suppress(OSError):
                os.utime(self._place(id) / _NOTE)  # used just now
            yield folder

    def download(self, plan: Plan, progress: Progress | None = None) -> Folder:
        """Bring a model that has been looked at onto the disk. `interruption.interruptible` ends it once the next 10 MB
        of a file have arrived; files that are here as a whole stay. Raises InputError.
        """
        with self._using(plan.id), transport.explained():
            self._begin(plan)
            done = 0
            for name, file in plan.files.items():

                def told(here: int, before: int = done) -> None:
                    check_interruption()
                    if progress:
                        progress(before + here, plan.bytes)

                self._fetch(plan, name, told)
                done += file.size
                told(file.size)
        folder = self._whole(plan.id)
        if folder is None:
            raise InputError("The model could not be kept on disk.")
        return folder

    def _begin(self, plan: Plan) -> None:
        """Make room, and note what is going to be there."""
        place = self._place(plan.id)
        before = _note(place)
        is_ours = before.is_ours if before else not place.exists()
        note = _Note(plan.id, plan.commit, {name: file.size for name, file in plan.files.items()}, is_ours)
        with self._guard:
            self._root.mkdir(parents=True, exist_ok=True)
            self._make_room(plan)
            place.mkdir(exist_ok=True)
            (place / f"{_NOTE}.part").write_text(json.dumps(note._asdict()))
            os.replace(place / f"{_NOTE}.part", place / _NOTE)

    def _fetch(self, plan: Plan, name: str, told: Callable[[int], None]) -> None:
        """Download one file, if it is not in the cache. No account of the operator's is sent along."""
        file = plan.files[name]
        path = transport.library().hf_hub_download(
            plan.id,
            name,
            revision=plan.commit,
            cache_dir=self._root,
            endpoint=self._address,
            token=False,
            library_name="attention-lab",
            etag_timeout=transport.PATIENCE,
            tqdm_class=transport.bar(file.size, told),
        )
        if not transport.has_hash(path, *file):  # the library compares no hashes
            for damaged in (os.path.realpath(path), path):
                Path(damaged).unlink(missing_ok=True)
            raise InputError("What arrived is not what the hub lists, so it was not kept. Try again.")

    def _make_room(self, plan: Plan) -> None:
        """Delete what was used least recently until this much fits; never what somebody is using, or others brought."""
        left = [note for note in self._notes() if note.is_ours and note.id != plan.id]
        free = self._max_bytes - plan.bytes - sum(note.bytes for note in left)
        for note in left:
            if free < 0 and not self._in_use[note.id]:
                self._delete(note)
                free += note.bytes
        if free < 0:
            raise InputError("There is no room for another model while others are in use. Try again in a minute.")
        snapshot = self._place(plan.id) / "snapshots" / plan.commit
        missing = sum(file.size for name, file in plan.files.items() if not (snapshot / name).exists())
        if missing and shutil.disk_usage(self._root).free < missing + 50_000_000:
            raise InputError(f"There is too little room on the disk for {megabytes(missing)}.")

    def _delete(self, note: _Note) -> None:
        """Delete what was brought of a model; other versions of it, which other programs have brought, stay."""
        place = self._place(note.id)
        (place / _NOTE).unlink(missing_ok=True)
        every = transport.library().scan_cache_dir(self._root)
        its_own = frozenset(repo for repo in every.repos if repo.repo_path.name == place.name)
        replace(every, repos=its_own).delete_revisions(note.commit).execute()

    # ---- what is on disk ---------------------------------------------------------------------------------------------

    def _place(self, id: str) -> Path:
        """Where huggingface_hub keeps a model."""
        _check_id(id)
        return self._root / _folder_of(id)

    def _notes(self) -> list[_Note]:
        """Of all models that were brought here, what was used least recently first."""
        try:
            files = sorted(self._root.glob(f"models--*/{_NOTE}"), key=lambda file: file.stat().st_mtime_ns)
        except OSError:  # one of them has just been deleted
            return []
        return [note for file in files if (note := _note(file.parent))]

    def _whole(self, id: str) -> Folder | None:
        """The files of a model that was brought here, if they are all there."""
        note = _note(self._place(id))
        if note is None:
            return None
        folder = Folder(self._place(id) / "snapshots" / note.commit, id)
        try:
            return folder if note.sizes.items() <= folder.sizes().items() else None
        except InputError:
            return None

    def _of_others(self, id: str) -> Folder | None:
        """Where the network is off, the files of a model that another program has brought."""
        library = transport.library()
        if not library.constants.HF_HUB_OFFLINE:
            return None
        with transport.explained(transport.OFFLINE):
            return Folder(library.snapshot_download(id, cache_dir=self._root, local_files_only=True), id)

    @contextmanager
    def _using(self, id: str) -> Iterator[None]:
        with self._guard:
            self._in_use[id] += 1
        try:
            yield
        finally:
            with self._guard:
                self._in_use[id] -= 1


@cache
def shared() -> Hub:
    """The hub as the operator's environment has it: one for the whole process."""
    return Hub(max_bytes=HUB_MB.read())


def _check_id(id: str) -> None:
    if not ID.fullmatch(id) or ".." in id or "--" in id:
        raise InputError(f"“{quoted(id)}” is not the id of a model, such as distilbert/distilgpt2.")


def _folder_of(id: str) -> str:
    return f"models--{id.replace('/', '--')}"


def _note(place: Path) -> _Note | None:
    """What was noted in a model's folder; None if nothing that can be read."""
    try:
        note = _Note(**json_in((place / _NOTE).read_bytes(), _NOTE))
        _check_id(note.id)
        is_sound = place.name == _folder_of(note.id) and _COMMIT.fullmatch(note.commit)
        return note if is_sound and all(map(is_whole, note.sizes.values())) else None
    except (OSError, InputError, TypeError, AttributeError):
        return None


# ---- what the hub says ---------------------------------------------------------------------------------------------


def _listed(said: Any) -> dict[str, File]:
    """The files directly in the model's folder, as the hub lists them; those without a size or a hash are left out."""
    files = {}
    for entry in said if isinstance(said, list) else []:
        name = entry.get("rfilename") if isinstance(entry, dict) else None
        if not isinstance(name, str) or "/" in name or name in files:
            continue
        large = entry.get("lfs")
        if isinstance(large, dict):
            size, hash = large.get("size"), large.get("sha256")
        else:
            size, hash = entry.get("size"), entry.get("blobId")
        if is_whole(size) and 0 <= size < 2**50 and isinstance(hash, str) and _HASH.fullmatch(hash):
            files[name] = File(size, hash)
    return files


class _Remote:
    """The files of a model on the hub, of which only some kilobytes are read."""

    def __init__(self, name: str, address: str, sizes: Mapping[str, int]) -> None:
        self.name = name
        self._address, self._sizes = address, sizes
        self._beginnings: dict[str, bytes] = {}

    def sizes(self) -> Mapping[str, int]:
        return self._sizes

    def read(self, file: str, start: int, stop: int) -> bytes:
        url = f"{self._address}/{quote(file)}"
        if file not in self._beginnings:
            self._beginnings[file] = transport.read(url, 0, min(self._sizes[file], _BEGINNING))
        data = self._beginnings[file]
        data = data[start:stop] if stop <= len(data) else transport.read(url, start, stop)
        if len(data) != stop - start:
            raise InputError(f"{quoted(file)} is shorter than the hub says.")
        return data
