"""Models from the hub (huggingface.co): a short list, or any; looked at before they are downloaded, and kept on disk.

    with kept("distilbert/distilgpt2", progress=print) as store:
        load_from(store)

A model is looked at first: its list of files, config.json, and the headers of its weights, some 100 kB. What passes is
downloaded, each file until its hash is the hub's; a download that breaks off goes on where it was. It is kept once for
all who ask, within a bound in bytes: what was used least recently goes first. A model that is kept needs no network.

Environment variables of the operator's: ATTENTION_LAB_HUB ("listed": visitors choose from LISTED, as is usual; "any";
"off"), ATTENTION_LAB_HUB_FOLDER and ATTENTION_LAB_HUB_MB (where, and how much, 3000 MB as a rule). HF_ENDPOINT and
HF_HUB_OFFLINE mean what they mean elsewhere.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from transformer.core.checks import InputError, is_whole
from transformer.core.interruption import check_interruption
from transformer.pretrained import web
from transformer.pretrained.files import Checked, Folder, check, needed
from transformer.pretrained.reading import Data, json_in, megabytes, quoted
from transformer.pretrained.tokenizer import check_files

ALLOWED, FOLDER, MEGABYTES = "ATTENTION_LAB_HUB", "ATTENTION_LAB_HUB_FOLDER", "ATTENTION_LAB_HUB_MB"
ENDPOINT, OFFLINE = "HF_ENDPOINT", "HF_HUB_OFFLINE"
MAX_BYTES = 3_000_000_000
MAX_LIST = 8 * 2**20  # bytes of what the hub says of a model
TRIES = 20  # connections for one file, as long as each of them brings something
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_BEGINNING = 2**17  # of each file is read at once, while it is looked at
_FACTS, _SIZE, _LOCK = "model.json", "size", ".lock"
_NOTHING_YET = (0, 0)

Progress = Callable[[int, int], None]


class Listed(NamedTuple):
    """A small published model worth looking at: about how many bytes to download, its parameters, and what one sees."""

    id: str
    title: str
    family: str
    bytes: int
    parameters: int
    licence: str
    why: str


LISTED = (
    Listed(
        "sentence-transformers/all-MiniLM-L6-v2", "MiniLM", "bert", 91_335_715, 22_713_216, "Apache-2.0",
        "Reads English in both directions, small enough for any laptop. See what “it” looks at.",
    ),
    Listed(
        "distilbert/distilbert-base-uncased", "DistilBERT", "distilbert", 268_421_000, 66_985_530, "Apache-2.0",
        "BERT in half its layers. Mask a word, and it says what is missing.",
    ),
    Listed(
        "distilbert/distilgpt2", "DistilGPT-2", "gpt2", 354_182_000, 81_912_576, "Apache-2.0",
        "Writes English from left to right: six layers, and every head looks back only.",
    ),
    Listed(
        "openai-community/gpt2", "GPT-2 small", "gpt2", 549_460_000, 124_439_808, "MIT",
        "The model that most studies of heads are about: induction, name movers, the first token as a resting place.",
    ),
    Listed(
        "HuggingFaceTB/SmolLM2-135M", "SmolLM2", "llama", 271_165_000, 134_515_008, "Apache-2.0",
        "Built as Llama is: rotary positions, gated feed-forward, three query heads to one key head.",
    ),
    Listed(
        "EleutherAI/pythia-70m", "Pythia 70M", "gpt_neox", 168_142_000, 70_426_624, "Apache-2.0",
        "Made for study: rotary positions on a quarter of each head, attention and feed-forward side by side.",
    ),
    Listed(
        "google-t5/t5-small", "T5 small", "t5", 243_433_000, 60_506_624, "Apache-2.0",
        "Encoder, decoder, and the attention between them; it translates and summarises.",
    ),
    Listed(
        "facebook/deit-tiny-patch16-224", "DeiT tiny", "vit", 22_884_000, 5_717_416, "Apache-2.0",
        "Reads pictures: its words are squares of 16 × 16 pixels.",
    ),
)  # fmt: skip


def offered(environment: Mapping[str, str] = os.environ) -> tuple[Listed, ...]:
    """The models of the list, or none where the operator has closed the hub."""
    return () if environment.get(ALLOWED) == "off" else LISTED


def check_offered(id: str, environment: Mapping[str, str] = os.environ) -> None:
    """Raise InputError if a visitor may not have this model: what pages call before anything else."""
    mode = environment.get(ALLOWED, "listed")
    if mode == "off":
        raise InputError("No models are downloaded here.")
    if mode != "any" and id not in [listed.id for listed in LISTED]:
        raise InputError(f"{quoted(id)} is not in the list of models, and only those are downloaded here.")


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


class Hub:
    """The hub, and what is kept of it in a folder on disk. Any number of threads and processes may share the folder.

    folder     where models are kept; None: below the user's folder for caches
    endpoint   the hub's address
    max_bytes  of all models together
    patience   seconds without a byte, after which the hub counts as gone
    """

    def __init__(
        self,
        folder: Path | None = None,
        endpoint: str = "https://huggingface.co",
        max_bytes: int = MAX_BYTES,
        patience: float = web.PATIENCE,
        is_offline: bool = False,
    ) -> None:
        self._root = folder
        self._endpoint = endpoint.rstrip("/")
        self._max_bytes = max_bytes
        self._patience = patience
        self._is_offline = is_offline
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()
        self._arrived: dict[str, tuple[int, int]] = {}

    # ---- looking -----------------------------------------------------------------------------------------------------

    def look(self, id: str) -> Plan:
        """What there is of a model: its files, sizes, settings and the headers of its weights, checked as those of a
        folder are. Raises InputError where the hub has no such model, or one that cannot be used.
        """
        _check_id(id)
        if self._is_offline:
            raise InputError("This app is not to use the network (HF_HUB_OFFLINE), and this model is not here yet.")
        said = json_in(
            web.read(f"{self._endpoint}/api/models/{quote(id)}?blobs=true", 0, MAX_LIST, self._patience),
            "What the hub says of this model",
        )
        if said.get("gated") or said.get("private") or said.get("disabled"):
            raise InputError("This model is not open to everybody: the hub asks for an account.")
        commit, listed = said.get("sha"), _listed(said.get("siblings"))
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise InputError("The hub does not say which version of this model it has.")
        sizes = {name: file.size for name, file in listed.items()}
        from transformer.pretrained.family import family_of

        store = _Remote(id, f"{self._endpoint}/{quote(id)}/resolve/{commit}", sizes, self._patience)
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
        """Whether the model is on disk, all of it."""
        _check_id(id)
        return _complete(self._place(id)) is not None

    def ids(self) -> list[str]:
        """The ids of all models that are on disk as a whole, in order."""
        if self._root is None:
            self._root = _usual_folder()
        try:
            folders = [folder for folder in self._root.iterdir() if _complete(folder) is not None]
            return sorted(json.loads((folder / _FACTS).read_bytes())["id"] for folder in folders)
        except (OSError, ValueError, KeyError):  # one of them has just been deleted
            return []

    @contextmanager
    def kept(self, id: str, progress: Progress | None = None) -> Iterator["_Kept"]:
        """Within the block, the files of a model, which are downloaded if need be and stay on disk.

        progress(bytes that are here, all bytes) is called as they arrive, also while somebody else downloads the same
        model. `interruption.interruptible` ends it at any time; what has arrived stays. Raises InputError.
        """
        _check_id(id)
        place = self._place(id)
        with self._alone(id, place, progress):
            facts = _complete(place)
            if facts is None:
                self._download(self.look(id), place, progress or (lambda done, total: None))
                facts = _complete(place)
            if facts is None:
                raise InputError("The model could not be kept on disk.")
            with suppress(OSError):
                os.utime(place)  # used just now
            yield _Kept(id, place, facts)

    def _place(self, id: str) -> Path:
        if self._root is None:
            self._root = _usual_folder()
        return self._root / hashlib.sha256(f"{self._endpoint}/{id}".encode()).hexdigest()[:32]

    def _download(self, plan: Plan, place: Path, progress: Progress) -> None:
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._guard, _file_lock(place.parent / _LOCK):
                self._make_room(place, plan.bytes)
                (place / _SIZE).write_text(str(plan.bytes))
            done = 0
            for name, file in plan.files.items():
                url = f"{self._endpoint}/{quote(plan.id)}/resolve/{plan.commit}/{quote(name)}"

                def told(here: int, before: int = done) -> None:
                    self._arrived[plan.id] = (before + here, plan.bytes)
                    progress(*self._arrived[plan.id])

                _fetch(url, place / file.hash, file, self._patience, told)
                done += file.size
            facts = {"id": plan.id, "commit": plan.commit, "files": plan.files}
            (place / f"{_FACTS}.part").write_text(json.dumps(facts))
            os.replace(place / f"{_FACTS}.part", place / _FACTS)
        except OSError as error:
            raise InputError(
                "The model cannot be kept: the disk is full, or its folder cannot be written to."
            ) from error
        finally:
            self._arrived.pop(plan.id, None)

    def _make_room(self, place: Path, size: int) -> None:
        """Delete what was used least recently until this much fits; never what somebody is using."""
        others = [folder for folder in place.parent.iterdir() if folder.is_dir() and folder != place]
        used = {folder: _bytes_of(folder) for folder in others}
        for folder in sorted(others, key=lambda folder: folder.stat().st_mtime_ns):
            if sum(used.values()) + size <= self._max_bytes:
                break
            if self._remove(folder):
                del used[folder]
        if sum(used.values()) + size > self._max_bytes:
            raise InputError("There is no room for another model while others are in use. Try again in a minute.")
        here = sum(file.stat().st_size for file in place.iterdir() if file.is_file())
        if shutil.disk_usage(place).free < size - here + 50_000_000:
            raise InputError(f"There is too little room on the disk for {megabytes(size)}.")

    def _remove(self, folder: Path) -> bool:
        lock = self._lock(folder.name)
        if not lock.acquire(blocking=False):
            return False
        try:
            with _file_lock(folder.with_suffix(_LOCK), is_patient=False) as is_ours:
                if is_ours:
                    shutil.rmtree(folder, ignore_errors=True)
                return is_ours
        finally:
            lock.release()

    # ---- one at a time -----------------------------------------------------------------------------------------------

    def _lock(self, name: str) -> threading.Lock:
        return self._locks.setdefault(name, threading.Lock())

    @contextmanager
    def _alone(self, id: str, place: Path, progress: Progress | None) -> Iterator[None]:
        """One thread of one process at a time; the others wait, and hear how far it is."""
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InputError("The folder for models of the hub cannot be written to.") from error
        lock = self._lock(place.name)
        while not lock.acquire(timeout=0.1):
            check_interruption()
            if progress and (told := self._arrived.get(id, _NOTHING_YET)) != _NOTHING_YET:
                progress(*told)
        try:
            with _file_lock(place.with_suffix(_LOCK)):
                yield
        finally:
            lock.release()


@cache
def shared() -> Hub:
    """The hub as the operator's environment has it: one for the whole process."""
    environment = os.environ
    folder, size = environment.get(FOLDER), environment.get(MEGABYTES, "")
    return Hub(
        Path(folder) if folder else None,
        environment.get(ENDPOINT) or "https://huggingface.co",
        int(size) * 1_000_000 if size.isdecimal() else MAX_BYTES,
        is_offline=environment.get(OFFLINE, "").upper() in ("1", "ON", "YES", "TRUE"),
    )


@contextmanager
def kept(id: str, progress: Progress | None = None) -> Iterator["_Kept"]:
    """As Hub.kept, of the hub that the environment names."""
    with shared().kept(id, progress) as store:
        yield store


# ---- what the hub says ---------------------------------------------------------------------------------------------


def _check_id(id: str) -> None:
    if not _ID.fullmatch(id) or ".." in id or "--" in id:
        raise InputError(f"“{quoted(id)}” is not the id of a model, such as distilbert/distilgpt2.")


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

    def __init__(self, name: str, address: str, sizes: Mapping[str, int], patience: float) -> None:
        self.name = name
        self._address, self._sizes, self._patience = address, sizes, patience
        self._beginnings: dict[str, bytes] = {}

    def sizes(self) -> Mapping[str, int]:
        return self._sizes

    def read(self, file: str, start: int, stop: int) -> bytes:
        url = f"{self._address}/{quote(file)}"
        if file not in self._beginnings:
            self._beginnings[file] = web.read(url, 0, min(self._sizes[file], _BEGINNING), self._patience)
        data = self._beginnings[file]
        data = data[start:stop] if stop <= len(data) else web.read(url, start, stop, self._patience)
        if len(data) != stop - start:
            raise InputError(f"{quoted(file)} is shorter than the hub says.")
        return data


# ---- what is on disk -----------------------------------------------------------------------------------------------


class _Kept:
    """The files of a model on disk, where each is called by its hash."""

    def __init__(self, name: str, place: Path, facts: Mapping[str, File]) -> None:
        self.name = name
        self._folder, self._files = Folder(place), facts

    def sizes(self) -> Mapping[str, int]:
        return {name: file.size for name, file in self._files.items()}

    def read(self, file: str, start: int, stop: int) -> Data:
        return self._folder.read(self._files[file].hash, start, stop)


def _complete(place: Path) -> dict[str, File] | None:
    """The files of a model that is here as a whole."""
    try:
        facts = json_in((place / _FACTS).read_bytes(), _FACTS)
        files = {name: File(*file) for name, file in facts["files"].items()}
        is_here = all(
            _HASH.fullmatch(file.hash) and (place / file.hash).stat().st_size == file.size for file in files.values()
        )
    except (OSError, InputError, KeyError, TypeError, AttributeError):
        return None
    return files if is_here else None


def _bytes_of(folder: Path) -> int:
    """What a model's folder holds, or is going to hold."""
    try:
        planned = int((folder / _SIZE).read_text())
    except (OSError, ValueError):
        planned = 0
    return max(planned, sum(file.stat().st_size for file in folder.iterdir() if file.is_file()))


def _fetch(url: str, target: Path, file: File, patience: float, told: Callable[[int], None]) -> None:
    """Download one file, on from where an earlier download of the same content broke off."""
    if target.exists() and target.stat().st_size == file.size:
        told(file.size)
        return
    part = target.with_suffix(".part")
    for _ in range(TRIES):
        here = part.stat().st_size if part.exists() else 0
        try:
            _fetch_more(url, part, here, file, patience, told)
        except InputError:
            if part.exists() and part.stat().st_size <= here:
                raise
        if part.stat().st_size >= file.size:
            break
        if part.stat().st_size <= here:
            raise InputError(
                f"The connection broke off at {megabytes(here)} of {megabytes(file.size)}."
                " Try again: it goes on from there."
            )
    else:
        raise InputError("The connection breaks off again and again. Try again later: it goes on where it was.")
    if _hash(part, file) != file.hash:
        part.unlink()
        raise InputError("What arrived is not what the hub lists, so it was not kept. Try again.")
    os.replace(part, target)


def _fetch_more(url: str, part: Path, here: int, file: File, patience: float, told: Callable[[int], None]) -> None:
    with open(part, "ab") as opened:
        for at, chunk in web.chunks(url, here, file.size, patience):
            if at != opened.tell():  # the server sends no parts: from the beginning
                opened.truncate(at)
                opened.seek(at)
            opened.write(chunk)
            told(at + len(chunk))


def _hash(path: Path, file: File) -> str:
    """SHA-256 of a large file, and Git's hash of a small one, which finds accidents, not malice."""
    found = hashlib.sha256() if len(file.hash) == 64 else hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
    with open(path, "rb") as opened:
        while chunk := opened.read(2**20):
            check_interruption()
            found.update(chunk)
    return found.hexdigest()


@contextmanager
def _file_lock(path: Path, is_patient: bool = True) -> Iterator[bool]:
    """Among processes, only one at a time is within the block. Where the system has no such locks, all are."""
    try:
        import fcntl
    except ImportError:
        yield True
        return
    with open(path, "a") as opened:
        is_ours = False
        while not is_ours:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_ours = True
            except OSError:
                if not is_patient:
                    break
                check_interruption()
                threading.Event().wait(0.1)
        yield is_ours


def _usual_folder() -> Path:
    """Below the user's folder for caches; a private temporary one where that cannot be written to."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    folder = Path(caches) / "attention-lab" / "models"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="attention-lab-"))
