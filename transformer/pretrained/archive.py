"""A zip of a model's folder, checked before anything of it is unpacked; it may still be on its way.

    archive = Archive(file)              the list of its files is read and checked, and nothing else
    files.check(archive.store)           reads config.json and the beginning of the weights
    archive.unpack(to)                   the files of the model, one after another in a file without a name

An `Excerpt` is a file of which some ranges are at hand. Reading beyond them raises Missing.
"""

import io
import os
import zipfile
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import PurePosixPath
from typing import BinaryIO, NamedTuple, TypeVar

from transformer.checks import InputError
from transformer.interruption import check_interruption
from transformer.pretrained.files import CONFIG, Store, needed
from transformer.pretrained.reading import megabytes, quoted

MAX_FILES = 1000
MAX_TOTAL = 1_000_000_000  # bytes of the files that are read, unpacked
MAX_RATIO = 20  # weights shrink by a tenth, JSON to a tenth; a bomb of zeros to a thousandth
MAX_TAIL = 2**19  # bytes at the end of an archive in which the list of its files must lie
_CHUNK = 2**20
_ENTRY = b"PK\x01\x02"  # how each line of the archive's list begins
_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
_LINK, _KIND = 0o120000, 0o170000  # of the Unix mode in the upper half of an entry's attributes

R = TypeVar("R")
Range = tuple[int, int]  # from the first byte up to the last, which is not in it


# ---- a file of which a part is at hand -----------------------------------------------------------------------------


class Missing(Exception):
    """What is to be read of a file has not arrived yet."""


class _Piece(NamedTuple):
    start: int
    stop: int
    place: int  # of its first byte in what is kept


class Excerpt(io.RawIOBase):
    """A file of `size` bytes of which some ranges are at hand. They are kept one after another in `kept`, so that what
    is not at hand takes no room. It can be read and sought as any file; reading what is not at hand raises Missing.

    n_kept  bytes at hand
    missed  where the first byte was missing, when something was read the last time that was not at hand
    """

    def __init__(self, size: int, kept: BinaryIO) -> None:
        self.size = size
        self.n_kept = self.missed = 0
        self._kept = kept
        self._pieces: list[_Piece] = []
        self._at = 0

    def add(self, start: int, data: bytes | bytearray) -> None:
        """These bytes have arrived. Raises ValueError where some of them lie outside of the file, or came before."""
        stop = start + len(data)
        if not data or not 0 <= start < stop <= self.size or self.gaps(start, stop) != [(start, stop)]:
            raise ValueError("these bytes are not missing")
        self._kept.seek(self.n_kept)
        self._kept.write(data)
        piece = _Piece(start, stop, self.n_kept)
        self.n_kept += len(data)
        n = bisect_right(self._pieces, piece)
        before = self._pieces[n - 1] if n else None
        if before and before.stop == start and before.place + before.stop - before.start == piece.place:
            self._pieces[n - 1] = before._replace(stop=stop)
        else:
            self._pieces.insert(n, piece)

    def gaps(self, start: int, stop: int) -> list[Range]:
        """What is not at hand of a range."""
        found = []
        for piece in self._pieces:
            if piece.start >= stop:
                break
            if piece.stop > start:
                if piece.start > start:
                    found.append((start, piece.start))
                start = piece.stop
        return [*found, (start, stop)] if start < stop else found

    def close(self) -> None:
        if not self.closed:
            self._kept.close()
        super().close()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        if at < 0:
            raise OSError("before the beginning of the file")
        self._at = at
        return at

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # pyrefly: ignore[bad-override]
        wanted = min(len(buffer), self.size - self._at)
        if wanted <= 0:
            return 0
        n = bisect_right(self._pieces, self._at, key=lambda piece: piece.start)
        piece = self._pieces[n - 1] if n else None
        if piece is None or piece.stop <= self._at:
            self.missed = self._at
            raise Missing
        self._kept.seek(piece.place + self._at - piece.start)
        data = self._kept.read(min(wanted, piece.stop - self._at))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def fetching(read: Callable[[], R], file: Excerpt) -> Generator[Range, None, R]:
    """Do this as soon as all that it reads of the file is at hand: `result = yield from fetching(…)`.

    Each range that is yielded must be at hand before the next one is asked for. Raises what `read` raises.
    """
    while True:
        try:
            return read()
        except Missing:
            yield file.gaps(file.missed, min(file.missed + _CHUNK, file.size))[0]


# ---- the archive ---------------------------------------------------------------------------------------------------


class Archive:
    """The one model in a zip. Raises InputError for whatever is none, and Missing where its list is not at hand yet.

    The model may lie in a folder of the archive, but there is one only. Links, encrypted files and names that lead out
    of the archive are refused before anything is read of them.

    store  its files, still packed: to look at their beginnings
    """

    def __init__(self, file: BinaryIO | Excerpt, name: str = "your model") -> None:
        self._file, self.name = file, name
        self._size = file.seek(0, os.SEEK_END)
        with _one_sentence():
            tail = _read(file, max(0, self._size - MAX_TAIL), self._size)
            if not tail or _read(file, 0, 4) not in _BEGINNINGS:
                raise InputError("This is no zip archive. Bring the folder of a model as a zip.")
            if tail.count(_ENTRY) > MAX_FILES:  # before there is an object for each
                raise _too_many()
            try:
                self._zip = zipfile.ZipFile(file)  # pyrefly: ignore[bad-argument-type]
            except Missing as missing:  # the list begins before the tail
                raise _too_many() from missing
            self._entries = _model(_checked(self._zip.infolist()))
        self.store: Store = _Packed(self._zip, self._entries, name)

    def needed(self) -> dict[str, int]:
        """Those of its files that are read, with their sizes. Raises InputError where some are missing, or where they
        unpack to too much; Missing while it is not known."""
        with _one_sentence():
            sizes = needed(self.store)
            _check_total(sum(sizes.values()), sum(self._entries[file].compress_size for file in sizes))
        return sizes

    def ranges(self) -> list[Range]:
        """Where in the archive the files that are needed lie, in order."""
        starts = sorted({entry.header_offset for entry in self._zip.infolist()} | {self._zip.start_dir})
        ends = dict(pairwise(starts))
        found = sorted(self._entries[file].header_offset for file in self.needed())
        return [(start, ends[start]) for start in found if start in ends]

    def unpack(self, to: BinaryIO) -> Store:
        """The files that are needed, unpacked into this file one after another. Raises InputError for a damaged one."""
        places: dict[str, Range] = {}
        with _one_sentence():
            for file, size in self.needed().items():
                start = to.tell()
                with self._zip.open(self._entries[file]) as opened:
                    while chunk := opened.read(_CHUNK):
                        check_interruption()
                        to.write(chunk)
                places[file] = (start, to.tell())
                if to.tell() - start != size:
                    raise zipfile.BadZipFile
        return _Unpacked(to, places, self.name)


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Within the block, whatever a stranger's archive does to those who read it is a sentence."""
    try:
        yield
    except (InputError, Missing):
        raise
    except Exception as error:
        raise InputError("The archive is damaged; pack the folder again.") from error


class _Packed:
    """The files of an archive, still in it."""

    def __init__(self, archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], name: str) -> None:
        self._archive, self._entries, self.name = archive, entries, name

    def sizes(self) -> Mapping[str, int]:
        return {file: entry.file_size for file, entry in self._entries.items()}

    def read(self, file: str, start: int, stop: int) -> bytes:
        with _one_sentence():
            with self._archive.open(self._entries[file]) as opened:
                opened.seek(start)
                data = opened.read(stop - start)
            if len(data) != stop - start:
                raise zipfile.BadZipFile
            return data


class _Unpacked:
    """Files that lie one after another in one."""

    def __init__(self, file: BinaryIO, places: Mapping[str, Range], name: str) -> None:
        self._file, self._places, self.name = file, places, name

    def sizes(self) -> Mapping[str, int]:
        return {file: stop - start for file, (start, stop) in self._places.items()}

    def read(self, file: str, start: int, stop: int) -> bytes:
        first, end = self._places[file]
        return _read(self._file, first + start, min(first + stop, end))


def _read(file: BinaryIO | Excerpt, start: int, stop: int) -> bytes:
    """These bytes of a file; raises Missing while they are not at hand."""
    file.seek(start)
    data = bytearray()
    while len(data) < stop - start and (more := file.read(stop - start - len(data))):
        data += more
    return bytes(data)


def _too_many() -> InputError:
    return InputError(f"The archive holds more than {MAX_FILES:,} files, and no model does.")


def _checked(entries: Sequence[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The files among the entries, if all of them are harmless."""
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise InputError("The archive holds two files of one name.")
    for entry in entries:
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in entry.orig_filename or ":" in entry.filename:
            raise InputError(f"The archive names {quoted(entry.filename)}, a path that leads out of it.")
        if (entry.external_attr >> 16) & _KIND == _LINK:
            raise InputError(f"The archive holds a link, {quoted(entry.filename)}; pack the files themselves.")
        if entry.flag_bits & 1:
            raise InputError("The archive is encrypted; pack the folder without a password.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may ask for gigabytes
            raise InputError("The archive is packed in an unusual way; pack the folder as an ordinary zip.")
    return [entry for entry in entries if not entry.is_dir() and not _is_of_the_system(entry.filename)]


def _is_of_the_system(name: str) -> bool:
    """What a Mac adds to every zip."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or parts[-1:] == (".DS_Store",)


def _model(entries: Sequence[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """name -> entry, of the files beside config.json, in the uppermost folder that has one."""
    paths = {PurePosixPath(entry.filename): entry for entry in entries}
    configs = sorted((path for path in paths if path.name == CONFIG), key=lambda path: (len(path.parts), path))
    if not configs:
        raise InputError("The archive holds no config.json. Pack the folder that has it and the weights.")
    if len(configs) > 1 and len(configs[0].parts) == len(configs[1].parts):
        raise InputError("The archive holds several models; pack one of them.")
    return {path.name: entry for path, entry in paths.items() if path.parent == configs[0].parent}


def _check_total(total: int, packed: int) -> None:
    """Refuse what would grow too large. The sizes are those that the archive lists; no more than that is unpacked."""
    if total > MAX_TOTAL:
        raise InputError(f"Unpacked, the model has {megabytes(total)}; at most {megabytes(MAX_TOTAL)} are read.")
    if total > MAX_RATIO * packed:
        raise InputError("The archive unpacks to far more than it holds, as no model does.")
