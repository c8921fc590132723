"""A zip of a model's folder: checked before anything is unpacked, and unpacked into memory. Nothing is written."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from transformer.checks import InputError
from transformer.pretrained.files import CONFIG, Memory, needed
from transformer.pretrained.reading import megabytes, quoted

MAX_UPLOAD = 64 * 2**20  # as the server's limit of an upload
MAX_FILES = 1000
MAX_TOTAL = 512 * 2**20  # bytes of the files that are read, unpacked
MAX_RATIO = 20  # weights shrink by a tenth, JSON to a tenth; a bomb of zeros to a thousandth
_ENTRY = b"PK\x01\x02"  # how each line of the archive's list begins
_LINK, _KIND = 0o120000, 0o170000  # of the Unix mode in the upper half of an entry's attributes


def unpack(data: bytes, name: str = "your model") -> Memory:
    """The files of the model in a zip that are needed to read it. Raises InputError, whatever the bytes are.

    The model may lie in a folder of the archive, but there is one only. Links, encrypted files, names that lead out of
    the archive, and what becomes too large are refused before anything is unpacked.
    """
    if len(data) > MAX_UPLOAD:
        raise InputError(
            f"The archive has {megabytes(len(data))}; the most that is read is {megabytes(MAX_UPLOAD)}. A folder under"
            " the one that ATTENTION_LAB_MODELS names may be larger."
        )
    if data[:4] not in (b"PK\x03\x04", b"PK\x05\x06"):
        raise InputError("This is no zip archive. Bring the folder of a model as a zip.")
    if data.count(_ENTRY) > MAX_FILES:  # before there is an object for each
        raise InputError(f"The archive holds more than {MAX_FILES:,} files, and no model does.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            packed = _Packed(archive, _model(_checked(archive.infolist())), name)
            sizes = needed(packed)
            _check_total(sum(sizes.values()), len(data))
            return Memory({file: packed.read(file, 0, size) for file, size in sizes.items()}, name)
    except InputError:
        raise
    except Exception as error:  # whatever a stranger's archive does to those who read it
        raise InputError("The archive is damaged; pack the folder again.") from error


class _Packed:
    """The files of an archive, still in it."""

    def __init__(self, archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], name: str) -> None:
        self._archive, self._entries, self.name = archive, entries, name

    def sizes(self) -> Mapping[str, int]:
        return {file: entry.file_size for file, entry in self._entries.items()}

    def read(self, file: str, start: int, stop: int) -> bytes:
        with self._archive.open(self._entries[file]) as opened:
            opened.seek(start)
            data = opened.read(stop - start)
        if len(data) != stop - start:
            raise InputError("The archive is damaged; pack the folder again.")
        return data


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


def _check_total(total: int, size: int) -> None:
    """Refuse what would grow too large. The sizes are those that the archive lists; no more than that is unpacked."""
    if total > MAX_TOTAL:
        raise InputError(f"Unpacked, the model has {megabytes(total)}; at most {megabytes(MAX_TOTAL)} are read.")
    if total > MAX_RATIO * size:
        raise InputError("The archive unpacks to far more than it holds, as no model does.")
